"""What is installed: typed, alone, and with all that the source has."""
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

FOLDER = pathlib.Path(__file__).resolve().parent.parent


def run(*words: str, at: pathlib.Path = FOLDER) -> None:
    ran = subprocess.run(words, cwd=at, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_wheel_and_sdist_have_every_module_and_the_mark_of_types(tmp_path: pathlib.Path) -> None:
    place = tmp_path / "python"
    shutil.copytree(FOLDER, place, ignore=shutil.ignore_patterns("__pycache__"))
    out = str(tmp_path / "out")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, at=place)
    wheel, = (tmp_path / "out").glob("*.whl")
    sdist, = (tmp_path / "out").glob("*.tar.gz")
    modules = {str(path.relative_to(FOLDER / "src"))
               for path in (FOLDER / "src" / "fob").rglob("*.py")} | {"fob/py.typed"}
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        meta, = (name for name in names if name.endswith("METADATA"))
        needs = [line for line in archive.read(meta).decode().splitlines()
                 if line.startswith("Requires-Dist")]
        assert all("extra ==" in line for line in needs), "a third party is needed at run time"
    assert modules <= names and wheel.name.endswith("-py3-none-any.whl")
    with tarfile.open(sdist) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    assert {f"src/{module}" for module in modules} <= inside
    expect_plugin(wheel, tmp_path / "installed")


def expect_plugin(wheel: pathlib.Path, place: pathlib.Path) -> None:
    """pytest finds the plugin of an installed wheel by itself, and naming it does not disturb."""
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
        "--disable-pip-version-check", "--target", str(place), str(wheel))
    for words in ([], ["-p", "fob.plugin"]):
        shown = subprocess.run(
            [sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", *words, "--help"],
            cwd=place, env=dict(os.environ, PYTHONPATH=str(place)), capture_output=True, text=True,
            timeout=60)
        assert "--fob-device" in shown.stdout, shown.stdout + shown.stderr


def test_the_package_is_imported_without_any_other() -> None:
    source = str(FOLDER / "src")
    run(sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {source!r}); import fob;"
        "assert not {'fob.labgrid', 'fob.robot'} & set(sys.modules)")


def test_source_tests_and_generator_are_strictly_typed(tmp_path: pathlib.Path) -> None:
    run(sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path), "--strict", "src/fob",
        "generate.py", "measure.py", "generator", "tests", "frameworks")

"""fob.api is what the OpenAPI document says."""
import os
import pathlib
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent


def generate(folder: pathlib.Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-B", str(folder / "generate.py"), os.environ.get("FOB", "fob"),
         "--check"], capture_output=True, text=True, timeout=60)


def test_the_modules_are_those_that_the_document_makes() -> None:
    made = generate(FOLDER)
    assert made.returncode == 0, made.stderr


def test_a_module_that_is_not_current_is_found(tmp_path: pathlib.Path) -> None:
    for name in ("generate.py", "generator", "src"):
        whole = FOLDER / name
        (shutil.copytree if whole.is_dir() else shutil.copy)(whole, tmp_path / name)
    status = tmp_path / "src" / "fob" / "api" / "status.py"
    status.write_text(status.read_text("utf-8").replace("NO_EMERGENCY", "NONE") + "\n", "utf-8")
    (tmp_path / "src" / "fob" / "api" / "gone.py").write_text("", "utf-8")
    made = generate(tmp_path)
    assert made.returncode != 0 and "gone.py, status.py" in made.stderr

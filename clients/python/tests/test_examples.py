"""examples/pytest, as a newcomer who has copied it runs it."""
import os
import pathlib
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent


def test_the_project_of_five_tests_passes_where_it_is_copied_to(tmp_path: pathlib.Path) -> None:
    shutil.copytree(FOLDER.parent.parent / "examples" / "pytest", tmp_path / "mine")
    ran = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider"], cwd=tmp_path / "mine",
        env=dict(os.environ, PYTHONPATH=str(FOLDER / "src")), capture_output=True, text=True,
        timeout=120)
    assert ran.returncode == 0 and "5 passed" in ran.stdout, ran.stdout

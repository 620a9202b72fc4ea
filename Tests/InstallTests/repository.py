"""The repository and the program that the tests are about."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOB = os.environ.get("FOB", "")


def ended(*command: str | Path, **environment: str) -> tuple[int, str]:
    """How a command ends, and what it prints on either stream."""
    process = subprocess.run(
        [str(word) for word in command], env={**os.environ, **environment}, cwd=ROOT, text=True,
        timeout=60, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return process.returncode, process.stdout


def said_by(*command: str | Path, **environment: str) -> str:
    """What a command prints, which must end with 0."""
    status, said = ended(*command, **environment)
    if status != 0:
        raise AssertionError(f"{command} ends with {status}:\n{said}")
    return said

"""The repository and the program that the tests are about."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOB = os.environ.get("FOB", "")


def said_by(*command: str | Path, **environment: str) -> str:
    """What a command prints on either stream; it must end with 0."""
    ended = subprocess.run(
        [str(word) for word in command], env={**os.environ, **environment}, cwd=ROOT, text=True,
        timeout=60, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if ended.returncode != 0:
        raise AssertionError(f"{command} ends with {ended.returncode}:\n{ended.stdout}")
    return ended.stdout


def ends_with(*command: str | Path) -> int:
    return subprocess.run(
        [str(word) for word in command], cwd=ROOT, timeout=60, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

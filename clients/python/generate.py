#!/usr/bin/env python3
"""Writes src/fob/api out of the OpenAPI document that a core serves.

  generate.py FOB            writes it
  generate.py FOB --check    fails where what is there is not what it would write

FOB is the built program. It runs in a folder of its own, and no process stays behind."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "generator"), str(HERE / "src")]

from document import served  # noqa: E402
from modules import modules  # noqa: E402


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    folder = HERE / "src" / "fob" / "api"
    made = modules(served(sys.argv[1]))
    if sys.argv[2:]:
        there = {path.name: path.read_text("utf-8") for path in folder.glob("*.py")}
        stale = sorted(name for name in made.keys() | there.keys()
                       if made.get(name) != there.get(name))
        if stale:
            sys.exit(f"not what the document says: {', '.join(stale)}; run generate.py")
        return
    for path in folder.glob("*.py"):
        path.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()

"""The workflow that searches for a lost press on many machines, its commands run one by one."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import yaml  # type: ignore[import-untyped]

from repository import FOB, ROOT

WORKFLOW = ROOT / "examples/ci/simulate.yml"


class SearchTests(unittest.TestCase):
    def test_all_parts_of_the_seeds_are_played_and_merged(self) -> None:
        with WORKFLOW.open() as file:
            jobs = yaml.safe_load(file)["jobs"]
        parts = jobs["search"]["strategy"]["matrix"]["part"]
        self.assertEqual(parts, list(range(1, 17)))
        [play] = self.commands(jobs["search"])
        [merge] = self.commands(jobs["merge"])
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for part in parts:
                machine = folder / f"part-{part}"
                machine.mkdir()
                self.run_in(machine, play.replace("${{ matrix.part }}", str(part)))
            said = self.run_in(folder, merge)
            self.assertIn("32 schedules, ", said)
            (folder / "part-7/part.json").unlink()
            with self.assertRaises(subprocess.CalledProcessError) as refused:
                self.run_in(folder, merge)
            self.assertIn("not played: 13..14", refused.exception.stderr)

    def commands(self, job: dict[str, object]) -> list[str]:
        steps = job["steps"]
        assert isinstance(steps, list)
        return [step["run"] for step in steps if step.get("run", "").startswith("fob simulate")]

    def run_in(self, folder: Path, command: str) -> str:
        path = f"{Path(FOB).parent}:{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "-euc", command], cwd=folder, check=True, capture_output=True, text=True,
            env=os.environ | {"PATH": path, "SEEDS": "1..32"}).stdout

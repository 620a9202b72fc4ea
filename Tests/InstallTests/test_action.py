"""The action for GitHub's workflows, each of its steps run as a runner does."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import unittest
from pathlib import Path

import yaml  # type: ignore[import-untyped]

from composite import Composite, Ended
from repository import FOB, ROOT, said_by

ACTION = ROOT / "action.yml"
WORKFLOW = ROOT / "examples/ci/workflow.yml"
# In the place of apt and sudo: nothing of this machine is changed. A package is unpacked instead.
STAND_INS = {
    "sudo": 'exec "$@"\n',
    "apt-get": 'case "$1" in install) dpkg-deb --extract "${@: -1}" "$SYSTEM" ;; esac\n',
    "udevadm": 'echo "udevadm $*"\n',
}


class ActionTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in ("bin", "temp", "workspace", "package/DEBIAN", "package/usr/bin"):
            (self.folder / name).mkdir(parents=True)
        for name, text in STAND_INS.items():
            stand_in = self.folder / "bin" / name
            stand_in.write_text("#!/bin/bash\nset -euo pipefail\n" + text)
            stand_in.chmod(0o755)
        (self.folder / "package/usr/bin/fob").symlink_to(FOB)
        (self.folder / "package/DEBIAN/control").write_text(
            "Package: fob\nVersion: 0\nArchitecture: all\n"
            "Maintainer: The fob developers <fob@example.org>\nDescription: a stand-in\n")
        self.deb = self.folder / "workspace/fob.deb"
        said_by("dpkg-deb", "--build", self.folder / "package", self.deb)

    def play(self, **inputs: str) -> Ended:
        system = self.folder / "system"
        path = f"{self.folder / 'bin'}:{system / 'usr/bin'}:{os.environ['PATH']}"
        return Composite(ACTION).play(
            self.folder / "workspace", self.folder / "temp",
            {"PATH": path, "SYSTEM": str(system)}, deb="fob.deb", **inputs)

    def put_scenario(self, name: str, expected: str) -> None:
        (self.folder / f"workspace/{name}.yaml").write_text(
            f"name: {name}\nsteps:\n  - expect: {expected}\n")

    def test_scenarios_and_a_command_run_with_the_package_that_was_named(self) -> None:
        self.put_scenario("one", "{linked: true}")
        self.put_scenario("two", "{light: idle}")
        ended = self.play(
            sha256=hashlib.sha256(self.deb.read_bytes()).hexdigest(),
            scenarios="\n  one.yaml\n\ntwo.yaml\n",
            run="fob --version >version\necho in \"$FOB_ARTIFACTS\"")
        self.assertEqual(ended.status, 0, ended.said)
        version = said_by(FOB, "--version").strip()
        self.assertEqual((self.folder / "workspace/version").read_text().strip(), version)
        self.assertEqual(ended.outputs["version"], version)
        folder = Path(ended.outputs["folder"])
        self.assertIn(f"in {folder}\n", ended.said)
        report = (folder / "scenarios.xml").read_text()
        self.assertIn('"one"', report)
        self.assertIn('"two"', report)
        self.assertEqual(ended.steps, ["Install fob", "Play the scenarios", "Run your command"])

    def test_a_command_that_fails_fails_the_job_and_its_files_are_kept(self) -> None:
        ended = self.play(run="echo why >\"$FOB_ARTIFACTS/log\"\nfalse\necho unreached")
        self.assertEqual(ended.status, 1, ended.said)
        self.assertNotIn("unreached", ended.said)
        (kept,) = ended.used
        self.assertEqual(kept["uses"].split("@")[0], "actions/upload-artifact")
        self.assertEqual((Path(kept["path"]) / "log").read_text(), "why\n")

    def test_a_scenario_that_fails_keeps_its_report_and_no_command_is_run(self) -> None:
        self.put_scenario("planted", "{within: 100ms, incidents: 1}")
        ended = self.play(scenarios="planted.yaml", run="echo unreached")
        self.assertEqual(ended.status, 1, ended.said)
        self.assertNotIn("unreached", ended.said)
        self.assertIn("<failure", (Path(ended.used[0]["path"]) / "scenarios.xml").read_text())

    def test_nothing_is_uploaded_where_no_name_is_given(self) -> None:
        self.assertEqual(self.play(run="false", artifacts="").used, [])

    def test_another_package_than_that_of_the_sum_is_not_installed(self) -> None:
        ended = self.play(sha256="0" * 64, run="echo unreached")
        self.assertNotEqual(ended.status, 0)
        self.assertNotIn("unreached", ended.said)
        self.assertFalse((self.folder / "system").exists())

    def test_an_address_without_a_sum_is_refused(self) -> None:
        ended = Composite(ACTION).play(
            self.folder / "workspace", self.folder / "temp", {}, deb="https://example.org/fob.deb")
        self.assertEqual(ended.status, 64)
        self.assertIn("::error::", ended.said)

    def test_udev_is_asked_only_where_it_is_wanted(self) -> None:
        self.assertNotIn("udevadm", self.play().said)
        self.assertIn("udevadm trigger --action=change", self.play(udev="true").said)

    def test_what_stands_in_an_input_is_no_command_of_ours(self) -> None:
        for step in yaml.safe_load(ACTION.read_text())["runs"]["steps"]:
            self.assertNotIn("${{", step.get("run", ""), step["name"])
        ended = self.play(scenarios='"; touch planted; "$(touch planted)')
        self.assertNotEqual(ended.status, 0)
        self.assertFalse((self.folder / "workspace/planted").exists())

    def test_the_guide_has_a_row_of_every_input(self) -> None:
        guide = (ROOT / "docs/how-to/install.md").read_text().partition("| input |")[2]
        rows = re.findall(r"^\| `(\w+)` ", guide, re.M)
        self.assertEqual(rows, list(yaml.safe_load(ACTION.read_text())["inputs"]))

    def test_the_example_s_workflow_gives_inputs_that_there_are(self) -> None:
        (step,) = [step for job in yaml.safe_load(WORKFLOW.read_text())["jobs"].values()
                   for step in job["steps"] if "/fob@" in step.get("uses", "")]
        inputs = yaml.safe_load(ACTION.read_text())["inputs"]
        self.assertLessEqual(set(step["with"]), set(inputs))
        version = said_by(ROOT / "scripts/changelog.py", "--version").strip()
        self.assertTrue(step["uses"].endswith(f"@v{version}"), step["uses"])


if __name__ == "__main__":
    unittest.main()

"""Alert rules and configurations are what promtool and amtool take; each rule has its tests."""

from __future__ import annotations

import re
import shutil
import tempfile
import unittest
from pathlib import Path

import yaml  # type: ignore[import-untyped]

from repository import ROOT, ended, said_by

CONTAINERS = ROOT / "containers"
PROMETHEUS = CONTAINERS / "prometheus"


class RuleTests(unittest.TestCase):
    def test_promtool_and_amtool_find_nothing_wrong(self) -> None:
        said_by("promtool", "check", "rules", PROMETHEUS / "fob.rules.yml")
        said_by("promtool", "check", "config", "--syntax-only", PROMETHEUS / "prometheus.yml")
        said_by("amtool", "check-config", CONTAINERS / "alertmanager.yml")

    def test_each_alert_is_raised_when_it_should_be_and_not_before(self) -> None:
        said_by("promtool", "test", "rules", PROMETHEUS / "fob.rules.test.yml")

    def test_each_rule_that_is_taken_away_is_missed(self) -> None:
        text = (PROMETHEUS / "fob.rules.yml").read_text()
        names = set(re.findall(r"- alert: (\w+)", text))
        self.assertEqual(len(names), 9)
        self.assertEqual(self.failing(re.sub(r"- alert: Fob", "- alert: Other", text)), names)

    def test_a_bound_or_a_time_that_is_another_one_is_found(self) -> None:
        text = (PROMETHEUS / "fob.rules.yml").read_text()
        for old, new in (("percent < 20", "percent < 19"), ("for: 15m", "for: 5m"),
                         ("for: 30s", "for: 15s"), ("[1d]", "[1m]"), ('{reason="refused"}', "")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.assertEqual(self.failing(text), {
            "FobBatteryLow", "FobAlarmOpen", "FobCheckInOverdue", "FobCoreDown",
            "FobKeychainNotLinked", "FobConnectionsRefused"})

    def test_every_alert_says_how_grave_it_is_and_what_to_do(self) -> None:
        for group in yaml.safe_load((PROMETHEUS / "fob.rules.yml").read_text())["groups"]:
            for rule in group["rules"]:
                with self.subTest(rule["alert"]):
                    self.assertIn(rule["labels"]["severity"], ("warning", "critical"))
                    self.assertTrue(rule["annotations"]["summary"])
                    self.assertTrue(rule["annotations"]["description"])

    def test_the_guide_has_a_row_of_every_alert(self) -> None:
        rows = re.findall(r"^\| `(Fob\w+)` ", (ROOT / "docs/how-to/operate.md").read_text(), re.M)
        self.assertEqual(rows, re.findall(
            r"- alert: (\w+)", (PROMETHEUS / "fob.rules.yml").read_text()))

    @staticmethod
    def failing(rules: str) -> set[str]:
        """The alerts that the tests of the rules then complain of."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(PROMETHEUS / "fob.rules.test.yml", folder)
            Path(folder, "fob.rules.yml").write_text(rules)
            status, said = ended("promtool", "test", "rules", Path(folder, "fob.rules.test.yml"))
        assert status != 0, said
        return set(re.findall(r"alertname: ?(\w+)", said))


if __name__ == "__main__":
    unittest.main()

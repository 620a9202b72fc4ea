"""The version stands in one place, and what else has it agrees."""

from __future__ import annotations

import sys
import unittest

from repository import FOB, ROOT, said_by

sys.path.insert(0, str(ROOT / "scripts"))
import changelog  # noqa: E402


class ChangelogTests(unittest.TestCase):
    def test_changelog_and_python_client_have_the_version_of_the_program(self) -> None:
        self.assertEqual(said_by(ROOT / "scripts/changelog.py", "--check"), "")
        self.assertEqual(said_by(FOB, "--version").strip(), changelog.version())

    def test_another_version_anywhere_is_named(self) -> None:
        self.assertEqual(list(changelog.faults(["0.2.0", "0.1.0"], "0.2.0", "0.2.0")), [])
        for versions, own, client, words in (
                (["0.1.0"], "0.2.0", "0.2.0", "CHANGELOG.md begins with 0.1.0"),
                (["0.2.0"], "0.2.0", "0.1.0", "pyproject.toml says 0.1.0"),
                (["0.2.0", "0.10.0"], "0.2.0", "0.2.0", "out of order"),
                (["0.2.0", "0.2.0"], "0.2.0", "0.2.0", "out of order")):
            with self.subTest(words):
                found = list(changelog.faults(versions, own, client))
                self.assertEqual(len(found), 1)
                self.assertIn(words, found[0])

    def test_dpkg_reads_the_changelog_of_the_package(self) -> None:
        text = changelog.debian()
        self.assertNotIn("`", text)
        parsed = said_by("bash", "-c", "dpkg-parsechangelog -l- <<'END'\n" + text + "END")
        self.assertIn(f"Version: {changelog.version()}\n", parsed)
        self.assertNotIn("warning", parsed)

    def test_every_item_of_a_version_is_in_it(self) -> None:
        for name, _, text in changelog.sections():
            items = [line for line in text.splitlines() if line.startswith("- ")]
            self.assertEqual(len(list(changelog.entries(text))), len(items), name)
            self.assertGreater(len(items), 0)


if __name__ == "__main__":
    unittest.main()

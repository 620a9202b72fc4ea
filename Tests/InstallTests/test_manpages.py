"""Man pages are what the program says of itself, and well-formed."""

from __future__ import annotations

import json
import re
import tempfile
import unittest
from pathlib import Path
from typing import Any

from repository import FOB, ROOT, ended, said_by


def options(command: dict[str, Any]) -> set[str]:
    """Long names of a command's arguments and of those of its subcommands."""
    own = {name["name"] for argument in command.get("arguments", []) if argument["shouldDisplay"]
           for name in argument.get("names", []) if name["kind"] == "long"}
    return own.union(*map(options, command.get("subcommands", [])))


class ManPageTests(unittest.TestCase):
    pages: list[Path]

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        said_by(ROOT / "scripts/manpages.py", FOB, folder.name)
        cls.pages = sorted(Path(folder.name).iterdir())

    def test_fob_and_each_command_that_is_for_a_person_has_a_page(self) -> None:
        tree = json.loads(said_by(FOB, "--experimental-dump-help"))["command"]
        named = {"fob.1"} | {f"fob-{command['commandName']}.1" for command in tree["subcommands"]
                             if command["shouldDisplay"] and command["commandName"] != "help"}
        self.assertEqual({page.name for page in self.pages}, named)

    def test_groff_and_mandoc_find_nothing_wrong(self) -> None:
        for page in self.pages:
            with self.subTest(page.name):
                self.assertEqual(said_by("mandoc", "-T", "lint", "-W", "warning", page), "")
                self.assertEqual(said_by("groff", "-ww", "-man", "-Tutf8", "-z", page), "")

    def test_mandoc_finds_what_is_wrong(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            planted = Path(folder, "fob-planted.1")
            planted.write_text(self.pages[0].read_text() + ".NOSUCH command\n")
            status, _ = ended("mandoc", "-T", "lint", "-W", "warning", planted)
            self.assertNotEqual(status, 0)

    def test_every_option_stands_on_the_page_of_its_command(self) -> None:
        tree = json.loads(said_by(FOB, "--experimental-dump-help"))["command"]
        commands = {f"fob-{command['commandName']}": command for command in tree["subcommands"]}
        for page in self.pages:
            shown = re.sub(".\b", "", said_by("mandoc", "-T", "ascii", page))
            for option in options(commands.get(page.stem, {})):
                with self.subTest(f"{page.name}: {option}"):
                    self.assertRegex(shown, rf"(?m)^ +(-\w, )?--{option}\b")

    def test_fob_says_how_it_ends_what_it_reads_and_what_it_keeps(self) -> None:
        shown = re.sub(".\b", "", said_by("mandoc", "-T", "ascii", self.pages[
            [page.name for page in self.pages].index("fob.1")]))
        for words in ("EXIT STATUS", "ENVIRONMENT", "FILES", "STATE_DIRECTORY", "fob.sqlite",
                      "The command line is wrong.", "fob-run(1)", "The keys of paired keychains.",
                      "/etc/fob/core.yaml"):
            self.assertIn(words, shown)


if __name__ == "__main__":
    unittest.main()

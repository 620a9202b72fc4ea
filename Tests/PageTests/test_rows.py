"""Each row of the requirements that has a part on the page is cited by a test of it."""

import ast
import pathlib
import re
import unittest

# Rows whose proof is in the core, the keychain or the bridge alone, where the page shows nothing of
# its own: the light until it is claimed, the default page switched off, routing.
ELSEWHERE = {3, 59, 60}
WANTED = {*range(1, 62), *range(90, 113), 115, 116} - ELSEWHERE


class RowTests(unittest.TestCase):
    def test_every_row_has_a_test_that_cites_it(self):
        """A row without one fails, by its number."""
        cited = set()
        for path in pathlib.Path(__file__).parent.glob("test_*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    cited |= rows(ast.get_docstring(node) or "")
        self.assertEqual(sorted(WANTED - cited), [])

    def test_a_range_has_what_lies_between(self):
        """R5 to R7 are three."""
        self.assertEqual(rows("R1, R5 to R7 and G2: a sentence"), {1, 5, 6, 7})


def rows(text):
    found = {int(number) for number in re.findall(r"\bR(\d+)\b", text)}
    for first, last in re.findall(r"\bR(\d+) to R(\d+)\b", text):
        found |= set(range(int(first), int(last) + 1))
    return found

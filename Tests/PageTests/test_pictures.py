"""Every view is pictured, and the documentation's pictures are of these."""

import ast
import pathlib
import re
import struct
import tempfile
import unittest
import zlib

import pictures

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent


def checked():
    """The views that tests look at, as they name them."""
    found = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                    and node.func.attr == "look_at" and isinstance(node.args[0], ast.Constant)):
                found.add(node.args[0].value)
    return found


class PictureTests(unittest.TestCase):
    def test_every_picture_is_taken_by_a_test(self):
        """At each width, light and dark, where nothing is cut off and axe finds nothing."""
        self.assertEqual(checked(), set(pictures.VIEWS))

    def test_every_view_of_the_page_is_pictured(self):
        """A view or a section of the bench that is new wants a picture."""
        self.assertEqual(
            pictures.modules(ROOT / "Sources/CPage/page"), set(pictures.VIEWS.values()))

    def test_the_documentation_shows_pictures_that_tests_take(self):
        """No other is kept, and each is shown."""
        kept = {path.stem for path in (ROOT / "docs").glob("page-*.png")}
        self.assertEqual(kept, set(pictures.DOCUMENTED))
        shown = set()
        for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
            shown |= set(re.findall(r"(page-[a-z]+)\.png", path.read_text(encoding="utf-8")))
        self.assertEqual(shown, kept)

    def test_a_smaller_picture_shows_the_same(self):
        """Of 256 colours or fewer each is as it was; of more, what is small keeps its colour."""
        with tempfile.TemporaryDirectory() as folder:
            few, many, small = (pathlib.Path(folder, name) for name in ("few", "many", "small"))
            few.write_bytes(png([[(1, 2, 3), (200, 0, 9)], [(200, 0, 9), (1, 2, 3)]]))
            pictures.smaller(few, small)
            self.assertEqual(palette(small), {(1, 2, 3), (200, 0, 9)})
            # A small light of a colour of its own is not lost among many shades.
            shades = [(shade, 0, 0) for shade in range(256)]
            many.write_bytes(png([shades + shades[:1], shades + [(0, 200, 0)]]))
            pictures.smaller(many, small)
            self.assertIn((0, 200, 0), palette(small))
            self.assertEqual(len(palette(small)), 256)


def png(rows):
    """A picture of RGB pixels, unfiltered."""
    content = b"".join(b"\0" + bytes(sum(row, ())) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part)) + kind + part + bytes(4) for kind, part in (
            (b"IHDR", header), (b"IDAT", zlib.compress(content)), (b"IEND", b"")))


def palette(path):
    data = path.read_bytes()
    at = data.index(b"PLTE")
    size = struct.unpack(">I", data[at - 4:at])[0]
    return {tuple(data[place:place + 3]) for place in range(at + 4, at + 4 + size, 3)}

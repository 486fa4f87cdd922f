"""sizes_test.py: sizes.py refuses a file of one line more than the limit, and a reason that nothing
needs."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import sizes


class SizesTest(unittest.TestCase):
    def test_limits(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, lines in (("src/a.cpp", 4), ("src/b.h", 3), ("src/c.def", 9), ("include/d.h",
                                                                                     5)):
                (root / name).parent.mkdir(exist_ok=True)
                (root / name).write_text("//\n" * lines)
            sizes.LONGER = {"include/d.h": "a table", "src/b.h": "a table"}
            self.assertEqual(sizes.complaints(root, 3), [
                "src/a.cpp: 4 lines, and 3 are the limit: split it by what it holds",
                "src/b.h: is short now: take it out of LONGER"
            ])


if __name__ == "__main__":
    unittest.main()

"""tested_test.py: tested.py refuses a folder without a row, a row without a folder, and a test that
is not there."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import tested


class TestedTest(unittest.TestCase):
    def complaints(self, table):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("src/room/a.cpp", "src/room/inner/b.cpp", "tests/room/a_test.cpp"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).touch()
            (root / "tests/README.md").write_text(table)
            return tested.complaints(root)

    def test_good(self):
        self.assertEqual(
            self.complaints("| `room` | `room` |\n| `room/inner` | `room/*_test.cpp` |\n"), [])

    def test_bad(self):
        found = self.complaints("| `room` | `room/b_test.cpp` |\n| `other` | none |\n")
        self.assertEqual(found, [
            "src/room/inner has no row", "src/other has a row but no sources",
            "src/room: there is no tests/room/b_test.cpp", "src/other: its row names no test"
        ])


if __name__ == "__main__":
    unittest.main()

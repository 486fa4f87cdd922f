"""Proves columns.py: what is too long is found, what is as long as allowed is not."""
import pathlib
import tempfile
import unittest

import columns

AT = "x = 1  # " + "c" * 91


class ColumnsTest(unittest.TestCase):
    def errors(self, name, content):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
            return "\n".join(columns.check(pathlib.Path(folder)))

    def test_a_column_too_many(self):
        for name in ("src/a.cpp", "src/a.h", "bench/a.py", "python/a.py", "tests/a.sh"):
            self.assertEqual(self.errors(name, f"\n{AT}\n"), "", name)
            self.assertEqual(self.errors(name, f"\n{AT}c\n"),
                             f"{name}:2: 101 columns, and 100 are the limit", name)

    def test_scripts_without_a_suffix(self):
        self.assertIn(":2: 101", self.errors(".ci/run", f"#!/bin/sh\n#{'c' * 100}\n"))
        self.assertEqual(self.errors(".ci/text", f"plain\n{'c' * 101}\n"), "")

    def test_text_of_python(self):
        text = "x" * 99
        self.assertEqual(self.errors("tests/a.py", f'y = "{text}"\n'), "")
        self.assertEqual(self.errors("tests/a.py", f'y = """\n{text}xx\n"""\n'), "")
        # The string ends before the limit, what follows it does not.
        self.assertIn("columns", self.errors("tests/a.py", f'y = ("{text[:60]}", {"1, " * 20})\n'))
        self.assertIn("columns", self.errors("tests/a.py", f'y = """\n""", {"1, " * 40}\n'))

    def test_texts_of_tests(self):
        self.assertEqual(self.errors("tests/a.cpp", "c" * 101), "")
        self.assertIn("101", self.errors("runtime_stub/a.c", "c" * 101))

    def test_what_is_left_alone(self):
        for name in ("tests/golden/a.py", "tests/data/a.sh", "src/a.def", "docs/a.py"):
            self.assertEqual(self.errors(name, "c" * 101), "", name)


if __name__ == "__main__":
    unittest.main()

"""Proves alone.py: a file that leans on one before it is found, and one that includes what it uses
is not."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
USES = "int twice(int x);\nint four() { return twice(2); }\n"


class AloneTest(unittest.TestCase):
    def ran(self, second, together=True, flags=""):
        """alone.py over two files of a house, the first of which declares twice(); compiled
        together or not."""
        with tempfile.TemporaryDirectory() as folder:
            root, build = pathlib.Path(folder) / "house", pathlib.Path(folder) / "house/build"
            build.mkdir(parents=True)
            files = [root / "a.cpp", root / "b.cpp"]
            files[0].write_text("#include <vector>\nint twice(int x) { return 2 * x; }\n")
            files[1].write_text(second)
            batch = build / "unity_0.cxx"
            batch.write_text("".join(f'#include "{file}"\n' for file in files))
            entries = [{
                "directory": str(build), "file": str(file),
                "command": f"c++ {flags} -O3 -Winvalid-pch -include none.hxx -o {file}.o -c {file}"
            } for file in ([batch] if together else files)]
            (build / "compile_commands.json").write_text(json.dumps(entries))
            made = subprocess.run([sys.executable, HERE / "alone.py", root, build],
                                  capture_output=True,
                                  text=True)
            return made.returncode, made.stdout + made.stderr

    def test_a_file_that_leans_on_another(self):
        for together in (True, False):
            for second in ("int four() { return twice(2); }\n", "std::vector<int> none;\n"):
                code, text = self.ran(second, together)
                self.assertEqual(1, code, text)
                self.assertIn("1 of 2 files", text)
                self.assertIn("b.cpp:1", text)

    def test_a_file_that_includes_what_it_uses(self):
        for together in (True, False):
            self.assertEqual((0, "2 of 2 files compile alone\n"), self.ran(USES, together))

    def test_the_flags_are_the_builds(self):
        self.assertEqual(1, self.ran("int four() { return kTwo; }\n")[0])
        self.assertEqual(0, self.ran("int four() { return kTwo; }\n", flags="-DkTwo=2")[0])

    def test_warnings_count(self):
        self.assertEqual(
            1,
            self.ran("bool less(unsigned a, int b) { return a < b; }\n", flags="-Wall")[0])

    def test_a_build_without_sources_is_no_success(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "compile_commands.json").write_text("[]")
            made = subprocess.run([sys.executable, HERE / "alone.py", HERE, folder],
                                  capture_output=True,
                                  text=True)
            self.assertIn("no sources", made.stderr)
            self.assertEqual(1, made.returncode)


if __name__ == "__main__":
    unittest.main()

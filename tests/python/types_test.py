"""What mypy knows of the module: nothing in it is wrong, and programs that use it have types to
rely on, although it imports nothing before it is used. Needs mypy, NumPy and JAX (nights)."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "python/hlocc"
# Lines of a program, and what mypy has to say of each.
PROGRAM = {
    "reveal_type(hlocc.export('x.pb'))": "hlocc._module.Module",
    "reveal_type(hlocc.export('x.pb').analyze('cortex-m4f'))": "hlocc._results.Analysis",
    "reveal_type(hlocc.export('x.pb').compile('cortex-m4f'))": "hlocc._results.Library",
    "reveal_type(hlocc.export('x.pb').verify('cortex-m4f'))": "hlocc._results.Verification",
    "reveal_type(hlocc.quantize(len, [], []))": "hlocc._quantize.report.Quantized",
    "reveal_type(hlocc.matrix({}, []))": "hlocc._results.MatrixReport",
    "reveal_type(hlocc.targets())": "hlocc._results.Target",
    "hlocc.export('x.pb').analyse('cortex-m4f')": "has no attribute",
    "hlocc.export('x.pb', freeze='all')": "incompatible type",
    "hlocc.exports('x.pb')": "has no attribute",
}


def mypy(path):
    """What it says, without notes on packages that are not here."""
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", "--ignore-missing-imports", path],
        capture_output=True,
        text=True,
        cwd=PACKAGE.parent,
        check=False)
    if ran.returncode not in (0, 1):
        raise AssertionError(ran.stdout + ran.stderr)
    return ran.stdout


class Types(unittest.TestCase):
    def test_the_module(self):
        self.assertEqual(mypy(PACKAGE), "")

    def test_a_program(self):
        with tempfile.TemporaryDirectory(prefix="hlocc_types_") as folder:
            path = pathlib.Path(folder) / "program.py"
            path.write_text("import hlocc\n" + "".join(f"{line}\n" for line in PROGRAM))
            said = re.findall(r"program\.py:(\d+): (?:note|error): (.*)", mypy(path))
        for number, (line, words) in enumerate(PROGRAM.items(), 2):
            with self.subTest(line):
                self.assertTrue(any(int(at) == number and words in text for at, text in said), said)


if __name__ == "__main__":
    unittest.main()

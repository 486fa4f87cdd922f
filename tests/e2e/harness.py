"""What the end-to-end tests share: the tool, the models, a folder of their own for each test."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HLOCC = sys.argv[1] if len(sys.argv) > 1 else "hlocc"
ROOT = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()
MODELS = ROOT / "tests" / "data" / "models"


def hlocc(*arguments, cwd=None, stdin=None):
    return subprocess.run([HLOCC, *map(str, arguments)], cwd=cwd, input=stdin, capture_output=True,
                          check=False)


def snapshot(name):
    return MODELS / f"{name}.snapshot.pb"


class Test(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="hlocc_e2e_")
        self.folder = pathlib.Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)

    def done(self, *arguments, **how):
        """Runs the tool, which must succeed; returns what it wrote to stdout."""
        ran = hlocc(*arguments, **how)
        self.assertEqual(ran.returncode, 0, ran.stderr.decode())
        return ran.stdout.decode()

    def refused(self, code, kind, *arguments, **how):
        """Runs the tool, which must refuse with this exit code and kind; returns stderr."""
        ran = hlocc(*arguments, **how)
        errors = ran.stderr.decode()
        self.assertEqual(ran.returncode, code, errors)
        self.assertIn(f"error[{kind}]", errors)
        return errors

    def shell(self, *command, cwd=None):
        ran = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, check=False)
        self.assertEqual(ran.returncode, 0, (ran.stdout + ran.stderr).decode())
        return ran.stdout.decode()

    def files(self, folder=None):
        return sorted(path.name for path in (folder or self.folder).iterdir())

    def manifest(self, name):
        return json.loads((self.folder / name).read_text())


def main():
    unittest.main(argv=sys.argv[:1])

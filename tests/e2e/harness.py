"""What the end-to-end tests share: the tool, the models, a folder of their own for each test."""
import json
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import unittest

HLOCC = sys.argv[1] if len(sys.argv) > 1 else "hlocc"
ROOT = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()
MODELS = ROOT / "tests" / "data" / "models"
# A program for any board: mlp_digits on the input of one file, its result to another.
BOARD_MAIN = """#include "board.h"
#include "mlp_digits.h"
static uint8_t arena[MLP_DIGITS_ARENA_BYTES] BOARD_BULK __attribute__((aligned(MLP_DIGITS_ARENA_ALIGN)));
static mlp_digits_t model;
int main(int argc, char **argv) {
  if (argc != 3 || mlp_digits_init(&model, arena) != 0) return 1;
  const int in = board_file_open_read(argv[1]);
  board_file_read(in, mlp_digits_arg0_data(&model), MLP_DIGITS_ARG0_BYTES);
  board_file_close(in);
  const int status = mlp_digits_run(&model);
  const int out = board_file_open_write(argv[2]);
  board_file_write(out, mlp_digits_result0_data(&model), MLP_DIGITS_RESULT0_BYTES);
  board_file_close(out);
  return status;
}
"""


def hlocc(*arguments, cwd=None, stdin=None, seconds=None):
    """`seconds` of the processor's time end it."""
    limit = None if seconds is None else lambda: resource.setrlimit(resource.RLIMIT_CPU,
                                                                    (seconds, seconds))
    return subprocess.run([HLOCC, *map(str, arguments)], cwd=cwd, input=stdin, capture_output=True,
                          check=False, preexec_fn=limit)


def npy(dtype, shape, data):
    """The bytes of a .npy file of version 1."""
    head = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data


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
    """All tests of the file, or the one that $HLOCC_TEST names, Class.method (tests/mutate.py runs
    them one by one)."""
    unittest.main(argv=[sys.argv[0], *os.environ.get("HLOCC_TEST", "").split()])

"""starts_test.py HLOCC ROOT: `run --backend c` starts the C compiler twice, once to ask what it is
and once for the model, in builds with LLVM and without, whatever the model."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HLOCC, ROOT = sys.argv[1], Path(sys.argv[2])


class Starts(unittest.TestCase):
    def test_the_compiler_starts_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            compiler, log = Path(folder) / "cc", Path(folder) / "cc.log"
            compiler.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec cc "$@"\n')
            compiler.chmod(0o755)
            for name in ("mlp_digits", "kws_gru_stream"):
                log.write_text("")
                model = ROOT / f"tests/data/models/{name}.snapshot.pb"
                subprocess.run(
                    [HLOCC, "run", model, "--backend", "c", "--output",
                     Path(folder) / "out.pb"],
                    check=True,
                    env={**os.environ, "CC": str(compiler)})
                self.assertEqual(len(log.read_text().splitlines()), 2, log.read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

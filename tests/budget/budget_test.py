"""budget_test.py HLOCC: every attack ends within limits, with the message that its row expects, and never in a crash.

The limits are given by --limits and smaller than those of a file of a megabyte, so that each run is short; its memory is bounded
by the system as well, to a little more than it may take. measure.py has the same attacks at the limits that files get.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import attacks
import measure

HLOCC = sys.argv.pop(1)
WORK, MEMORY = 400_000_000, 192 << 20
# Of the tool itself, of what allocators round up, and of the eighth that is allowed to those who do not ask.
MARGIN = 192 << 20


def run(name, verb="inspect", limits=f"work={WORK},memory={MEMORY}"):
    """exit code and stderr of a verb on an attack"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model"
        model = attacks.ATTACKS[name]()
        path.write_bytes(model if isinstance(model, bytes) else model.encode())
        command = measure.command_of(HLOCC, verb, path, folder) + ["--limits", limits]
        code, _, _, _, text = measure.run(command, 600, MEMORY + MARGIN)
        return code, text.replace(str(path), "model")


class Attacks(unittest.TestCase):
    def test_every_attack_ends_well(self):
        for name in attacks.ATTACKS:
            with self.subTest(name):
                code, text = run(name)
                self.assertIn(code, (0, 1), text[-500:])
                if code == 1:
                    self.assertIn("error[", text)


if __name__ == "__main__":
    unittest.main()

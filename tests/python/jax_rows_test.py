"""How jax_cases.py counts, goes on behind a case that ends its process, and goes on where a log
ends; JAX is not needed for it."""
import argparse
import contextlib
import io
import json
import pathlib
import signal
import sys
import tempfile
import types
import unittest
import unittest.mock

import jax_cases

# In place of jax_cases.py: three cases in two places, of which one does not come back.
WORKER = f"""import json, pathlib, os, sys
log = pathlib.Path(sys.argv[sys.argv.index("--log") + 1])
known = [json.loads(line)[:2] for line in log.read_text().splitlines()] if log.exists() else []
for row in ([0, "a", "agree", "", 0.5], [0, "", "done", "", 0], [1, "b", None, "", 0],
            [1, "c", "refused", "unsupported: words", 0.25], [1, "", "done", "", 0]):
    if row[:2] in known:
        continue
    if row[1]:
        print(json.dumps(row[:2] + [{jax_cases.ASKS!r}]), flush=True)
        print(json.dumps(row[:2] + [{jax_cases.RUNS!r}]), flush=True)
    if row[2] is None:
        os.kill(os.getpid(), SIGNAL)
    print(json.dumps(row), flush=True)
"""


class Rows(unittest.TestCase):
    def test_ends(self):
        slow, crash = -signal.SIGPROF, -signal.SIGSEGV
        for stage, code, wanted in (
            (jax_cases.RUNS, slow, ["refused", "time: takes too long"]),
            (jax_cases.RUNS, crash, ["crashed", f"exit code {crash}: behind"]),
            (jax_cases.ASKS, slow, ["not run", "JAX: takes too long"]),
            (jax_cases.ASKS, crash, ["not run", f"JAX: exit code {crash}: behind"])):
            self.assertEqual(jax_cases.ended(3, "x", stage, code, "before\nbehind\n"),
                             [3, "x", *wanted, 0])

    def log_of(self, number, before=()):
        """The rows, when every process has ended."""
        with tempfile.TemporaryDirectory(prefix="hlocc_rows_") as folder:
            worker, log = pathlib.Path(folder) / "worker.py", pathlib.Path(folder) / "log"
            worker.write_text(WORKER.replace("SIGNAL", str(int(number))), encoding="utf-8")
            log.write_text("".join(json.dumps(row) + "\n" for row in before), encoding="utf-8")
            wish = argparse.Namespace(set="lax", every=1, start=0, limit=60, log=log)
            said = io.StringIO()
            with unittest.mock.patch.object(jax_cases, "__file__", str(worker)), \
                    contextlib.redirect_stdout(said):
                processes = 1
                while not jax_cases.run(wish, 0, 2):
                    processes += 1
            return jax_cases.logged(log), processes

    def test_a_case_that_ends_its_process(self):
        for number, what in ((signal.SIGKILL, "crashed"), (signal.SIGPROF, "refused")):
            rows, processes = self.log_of(number)
            self.assertEqual([row[1:3] for row in rows],
                             [["a", "agree"], ["", "done"], ["b", what], ["c", "refused"],
                              ["", "done"]])
            self.assertEqual(processes, 2)

    def test_a_log_goes_on(self):
        before = [[0, "a", "agree", "", 0], [0, "", "done", "", 0], [1, "b", "wrong", "", 0]]
        rows, processes = self.log_of(signal.SIGKILL, before)
        self.assertEqual((rows[:3], [row[1] for row in rows[3:]], processes),
                         (before, ["c", ""], 1))

    def test_the_table(self):
        rows = [[0, "a", "agree", "", 1], [0, "b", "not run", "JAX: TypeError: words", 1],
                [0, "c", "refused", "unsupported: words", 1], [0, "", "done", "", 0],
                [1, "d", "wrong", "values", 1], [1, "e", "to be judged", "values", 1],
                [2, "", "without", "", 0]]
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(jax_cases.report(rows), 1)
        for words in ("4 cases that JAX runs: 1 agree (25.0 %), 1 refused, 1 to be judged, 1 wrong",
                      "functions without a case: 1; seconds of the processor: 5\n",
                      "refused: 1\n  1: unsupported\n", "not run: 1\n  1: JAX: TypeError\n",
                      "wrong: d: values\n"):
            self.assertIn(words, said.getvalue())

    def test_a_worker_that_does_not_begin(self):
        wish = types.SimpleNamespace(set="lax", every=1, start=0, limit=60,
                                     log=pathlib.Path("/dev/null"))
        with unittest.mock.patch.object(jax_cases, "__file__", "/none.py"), \
                self.assertRaisesRegex(RuntimeError, "none.py"):
            jax_cases.run(wish, 0, 1)


if __name__ == "__main__":
    sys.exit(unittest.main())

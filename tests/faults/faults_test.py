"""faults_test.py HLOCC ROOT SHIM [--all]: calls to the system that a run of each verb makes fail
one by one, in the process that was started and in those that it forks: the first and the last of
each kind, and three mallocs; with --all every call, and 200 mallocs spread over the run. Whatever
fails: a message and the right exit code, or a run like any other; no file is half-written, no set
of files is half there, no temporary file is left. Prints how many faults each verb had, and how
they ended.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ARGUMENTS = [word for word in sys.argv[1:] if word != "--all"]
ALL = "--all" in sys.argv
MALLOCS = 200 if ALL else 3
SHIM = ARGUMENTS[2]
SECONDS = 120  # what takes longer hangs
sys.path.insert(0, str(pathlib.Path(ARGUMENTS[1]) / "tests" / "e2e"))
import verbs  # noqa: E402
from harness import Test  # noqa: E402

# What the process that was started may end with, and what one that it forked may make of the verb.
# A child that generates code and dies is a bug of ours to the verb, except where each case has a
# child of its own.
PARENT = {0, 4}
CHILD = {0, 3, 4}
CASES = {
    "verify": {0, 1, 4}, "verify_targets": {0, 1, 4}, "verify_ahead": {0, 1, 4},
    "verify_c": {0, 1, 4}, "reduce": {0, 1, 3, 4}, "matrix": {0, 3, 4}
}
# One that fails leaves what others wrote; what cannot be kept in a cache is compiled anew, and no
# failure.
CELLS = {"matrix"}
# The device's process reads less than it was told, and ends: what a device does is a failed run.
DEVICE = {"run_remote": {0, 1, 3, 4}}


class Faults(Test):
    def setUp(self):
        super().setUp()
        verbs.prepare(self)
        self.commands = verbs.commands(self.folder)

    def one(self, words, fault=""):
        """A run in folders of its own: exit code, stderr, what it wrote, what is left of its
        temporary files, its calls."""
        with tempfile.TemporaryDirectory(prefix="hlocc_fault_") as name:
            place = pathlib.Path(name)
            for folder in ("out", "tmp"):
                (place / folder).mkdir()
            own = [
                str(word).replace(str(self.folder / "out"), str(place / "out")) for word in words
            ]
            environment = {
                **os.environ, "LD_PRELOAD": SHIM, "TMPDIR": str(place / "tmp"),
                "HLOCC_FAULT_COUNTS": str(place / "counts")
            }
            if fault:
                environment["HLOCC_FAULT"] = fault
            try:
                ran = subprocess.run([verbs.HLOCC, *own],
                                     capture_output=True,
                                     check=False,
                                     env=environment,
                                     timeout=SECONDS)
            except subprocess.TimeoutExpired:
                return "hangs", "", {}, [], []
            files = {
                str(path.relative_to(place / "out")): path.read_bytes()
                for path in (place / "out").rglob("*")
                if path.is_file()
            }
            left = sorted(path.name for path in (place / "tmp").iterdir())
            counts = (place / "counts").read_text().split("\n")[:-1] if (place /
                                                                         "counts").exists() else []
            return ran.returncode, ran.stderr.decode(errors="replace"), files, left, counts

    def check(self, verb, words, fault, right):
        """What is wrong with how the verb took the fault, or nothing; and its exit code."""
        code, told, files, left, _ = self.one(words, fault)
        allowed = PARENT if fault.startswith("parent") else {**CASES, **DEVICE}.get(verb, CHILD)
        wrong = []
        if code not in allowed:
            wrong.append(f"exit code {code}")
        kind = re.search(r'error\[([\w-]+)\]|"kind":"([\w-]+)"', told)
        if code != 0 and verb not in CASES and kind is None:
            wrong.append("no message")
        elif code == 4 and verb not in CASES and not {"environment", "missing-tool"} & set(
                kind.groups()):
            wrong.append("another kind of message")
        # Known gaps (docs/testing.md): an open that fails while a folder is removed; a C compiler
        # that is asked again with other flags.
        if left and ":open:" not in fault:
            wrong.append(f"left {left}")
        is_whole = all(right.get(name) == content for name, content in files.items())
        is_all = {name
                  for name in right
                  if "/.cache/" not in name
                  } <= set(files) if verb in CELLS else len(files) == len(right)
        if code == 0 and not (is_whole and is_all) and verb != "run_c":
            wrong.append(f"other files: {sorted(files)}")
        if code != 0 and files and not (is_whole and (is_all or verb in CELLS)):
            wrong.append(f"half-written: {sorted(files)}")
        return [f"{verb} {fault}: {', '.join(wrong)}\n{told[:600]}"] if wrong else [], code

    def test_every_call_fails_once(self):
        wrong = []
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for verb, words in self.commands.items():
                code, told, right, left, counts = self.one(words)
                self.assertEqual((code, left), (0, []), f"{verb}: {told}")
                faults = []
                for who, kind, calls in (line.split() for line in counts):
                    calls = int(calls)
                    places = range(1, calls + 1) if ALL else sorted({1, calls} -
                                                                    {0} if calls else set())
                    if kind == "malloc":
                        places = sorted({1 + i * calls // MALLOCS
                                         for i in range(MALLOCS)}) if calls else []
                    faults += [f"{who}:{kind}:{place}" for place in places]
                ended = collections.Counter()
                kinds = collections.Counter(":".join(fault.split(":")[:2]) for fault in faults)
                for found, code in pool.map(
                        lambda fault, v=verb, w=words, r=right: self.check(v, w, fault, r), faults):
                    wrong += found
                    ended[code] += 1
                print(f"{verb:13} {len(faults):5} faults; exit codes " +
                      ", ".join(f"{code}: {count}"
                                for code, count in sorted(ended.items(), key=str)) + " (" +
                      ", ".join(f"{kind} {count}" for kind, count in kinds.items()) + ")",
                      flush=True)
        self.assertEqual(wrong, [], "\n".join(wrong))


if __name__ == "__main__":
    import unittest
    unittest.main(argv=sys.argv[:1])

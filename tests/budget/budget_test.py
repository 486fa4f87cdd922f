"""budget_test.py HLOCC: what asks for more than there is ends with the name of what grew, and what
is only large is compiled.

The limits are smaller than those of a file, so that each run is short; its memory is bounded by the
system as well, to a little more than it may take. measure.py has all attacks, at the limits that
files get.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import attacks
import measure

HLOCC = sys.argv.pop(1)
HAS_LLVM = "\ncpu " in subprocess.run([HLOCC, "backends"],
                                      stdout=subprocess.PIPE,
                                      text=True,
                                      check=True).stdout
WORK, MEMORY = 200 << 20, 128 << 20
# What the tool maps itself, what allocators round up, and the eighth that is allowed to those who
# do not ask.
MARGIN = 256 << 20

# Attack, verb, what must be said (nothing: it is compiled), other limits.
LIMIT = r"(model|model:\d+): error\[limit\]: "
ENDS = [
    # Doubling.
    ("doubled_calls", "inspect",
     LIMIT + r"computation %c\d+ with what it calls takes more than the \d+ bytes"),
    ("doubled_fusions", "inspect",
     LIMIT + r"computation %c\d+ with what it calls takes more than the \d+ bytes"),
    ("doubled_maps", "inspect",
     LIMIT + r"computation %c\d+ with what it calls takes more than the \d+ bytes"),
    ("doubled_conditionals", "compile",
     LIMIT + r"lowering %\S+ in %c\d+ takes more than the \d+ units of work"),
    ("doubled_conditionals_apart", "analyze",
     LIMIT + r"lowering %\S+ in %c\d+ takes more than the \d+ units"),
    ("doubled_whiles", "inspect",
     LIMIT + r"lowering %\S+ in %b\d+ takes more than the \d+ units of work"),
    ("nested_whiles", "inspect", None, "work=2G"),
    ("doubled_tuples_inferred", "inspect",
     LIMIT + r"the shape of %t\d+ takes more than the \d+ bytes", "memory=64M"),
    # Constants that are computed: what does not fit stays for run time.
    ("folded_sorts", "inspect", None),
    ("folded_windows", "inspect", None),
    ("folded_cholesky", "inspect", None),
    ("elided_constants", "inspect",
     LIMIT + r"what stands for constants that the file leaves out takes more than"),
    # Sizes of what is run are no work of the compiler's; its tables are.
    ("huge_sort", "inspect", None),
    ("huge_lu", "inspect", None),
    ("huge_qr", "inspect", None),
    ("huge_eigen", "inspect", None),
    ("huge_svd", "inspect", None),
    ("huge_prime_fft", "inspect",
     LIMIT + r"the tables of %y takes more than the \d+ units of work"),
    ("many_eigens", "inspect",
     LIMIT + r".* takes more than the \d+ (units of work|bytes of memory)"),
    # Protos that unfold.
    ("proto_tokens", "inspect",
     LIMIT + r".*instruction 0 of computation %main, as its messages unfold, takes", "memory=32M"),
    ("proto_empty_messages_within", "inspect",
     LIMIT + r".*instruction 1 of .*, as its messages unfold,", "memory=64M"),
    ("proto_empty_groups", "inspect", LIMIT + r".*instruction 1 of .*, as its messages unfold,",
     "memory=32M"),
    ("proto_empty_aliases", "inspect",
     LIMIT + r".*the input-output alias list, as its messages unfold,", "memory=64M"),
    ("proto_empty_instructions", "inspect", LIMIT + r".* takes more than the \d+ bytes of memory"),
    ("proto_stand_ins", "inspect",
     LIMIT + r".*what stands for constants that the file leaves out takes more than"),
]


def run(name, verb, *more):
    """exit code and stderr of a verb on an attack"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model"
        model = attacks.ATTACKS[name]()
        path.write_bytes(model if isinstance(model, bytes) else model.encode())
        command = measure.command_of(HLOCC, verb, path, folder) + list(more)
        code, _, _, _, text = measure.run(command, 600, MEMORY + MARGIN)
        return code, text


def dump(lines):
    return "".join(f"hlocc-steps {line}\n" for line in lines)


class Budget(unittest.TestCase):
    def test_ends(self):
        for name, verb, says, *limits in ENDS:
            with self.subTest(name):
                code, text = run(name, verb, "--limits",
                                 *(limits or [f"work={WORK},memory={MEMORY}"]))
                if says is None:
                    self.assertEqual(code, 0, text[-500:])
                    continue
                self.assertEqual(code, 1, text[-500:])
                self.assertRegex(text, says)
                self.assertRegex(text, r"note: --limits (work|memory)=\d+ allows twice as much")

    def test_limits_of_the_user_count(self):
        code, text = run("nested_whiles", "inspect", "--limits", "work=1M")
        self.assertEqual(code, 1)
        self.assertIn("takes more than the 1048576 units of work", text)
        self.assertIn("note: while working on", text)

    def test_what_a_file_is_held_in_does_not_count(self):
        # More than a file gets, however little it holds: regular, and from a pipe.
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "large"
            with path.open("wb") as file:
                file.truncate(800 << 20)
            ran = subprocess.run([HLOCC, "inspect", path], stderr=subprocess.PIPE, text=True)
            self.assertRegex(ran.stderr, r"error\[format\]: is no HLO")
            with path.open("rb") as file:
                piped = subprocess.run(f"cat | {HLOCC} inspect -",
                                       shell=True,
                                       stdin=file,
                                       stderr=subprocess.PIPE,
                                       text=True)
            self.assertRegex(piped.stderr, r"error\[format\]: is no HLO")

    @unittest.skipUnless(HAS_LLVM, "libraries take LLVM")
    def test_a_failure_is_a_failure_like_any_other(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kws.hlo"
            path.write_text(
                "HloModule kws\nENTRY main { x = f32[4] parameter(0)\n ROOT r = f32[4] tanh(x) }\n")
            command = [HLOCC, "compile", path, "--target", "cortex-m4f", "-o", folder, "-q"]
            self.assertEqual(subprocess.run(command).returncode, 0)
            self.assertTrue((pathlib.Path(folder) / "libkws.a").exists())
            failed = subprocess.run([*command, "--json", "--limits", "work=10K"],
                                    stderr=subprocess.PIPE,
                                    text=True)
            self.assertEqual(failed.returncode, 1)
            self.assertIn('"kind":"limit"', failed.stderr.replace(" ", ""))
            self.assertFalse((pathlib.Path(folder) / "libkws.a").exists())

    def test_a_loop_that_a_model_asks_for_is_not_limited(self):
        zero = zero_npy()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "count.hlo"
            path.write_text(
                "HloModule count\n"
                "body { x = s32[] parameter(0)\n one = s32[] constant(1)\n"
                " ROOT r = s32[] add(x, one) }\n"
                "cond { x = s32[] parameter(0)\n n = s32[] constant(100000)\n"
                " ROOT p = pred[] compare(x, n), direction=LT }\n"
                "ENTRY main { x = s32[] parameter(0)\n ROOT w = s32[] while(x), condition=cond, "
                "body=body }\n"
            )
            (pathlib.Path(folder) / "x.npy").write_bytes(zero)
            ran = subprocess.run([
                HLOCC, "run", path, "--backend", "interpreter", "--input", f"x={folder}/x.npy",
                "--print", "--limits", "work=2M"
            ],
                                 stdout=subprocess.PIPE,
                                 text=True)
            self.assertEqual(ran.returncode, 0)
            self.assertIn("100000", ran.stdout)

    def profile(self, text, *more):
        with tempfile.TemporaryDirectory() as folder:
            path, model = pathlib.Path(folder) / "log", pathlib.Path(folder) / "kws.hlo"
            model.write_text(
                "HloModule kws\nENTRY main { x = f32[4] parameter(0)\n ROOT r = f32[4] tanh(x) }\n")
            path.write_text(text)
            code, _, _, _, said = measure.run([HLOCC, "profile", path, "--model", model, *more],
                                              600, MEMORY + MARGIN)
            return code, said

    def test_dumps_of_one_other_plan_are_one_plan(self):
        of_another = dump(["begin kws cortex-m4f -O2 0000 steps 1 runs 1", "end"])
        code, once = self.profile(of_another, "--limits", "work=20M")
        self.assertEqual(code, 1)
        self.assertIn("is no profile of", once)
        code, often = self.profile(of_another * 3000, "--limits", "work=40M")
        self.assertEqual(code, 1)
        self.assertIn("is no profile of", often)
        self.assertLess(len(often), len(once) + 200)

    @unittest.skipUnless(HAS_LLVM, "triples take LLVM")
    def test_dumps_of_many_plans_are_limited_in_sum(self):
        of_others = "".join(
            dump([f"begin kws x86_64-x{at}-linux-gnu -O2 0000 steps 1 runs 1", "end"])
            for at in range(400))
        code, said = self.profile(of_others, "--limits", "work=40M")
        self.assertEqual(code, 1)
        self.assertIn("takes more than the", said)

    def test_steps_are_limited_in_sum(self):
        half = dump([f"begin kws cortex-m4f -O2 0000 steps {1 << 19} runs 1", "end"])
        code, said = self.profile(half * 2)
        self.assertIn("is no profile of", said)
        code, said = self.profile(half * 2 +
                                  dump(["begin kws cortex-m4f -O2 0000 steps 1 runs 1", "end"]))
        self.assertEqual(code, 1)
        self.assertIn("the profiles up to here have 1048577 steps together; 1048576 are read", said)


def zero_npy():
    """A zero of s32 as numpy writes it."""
    header = "{'descr': '<i4', 'fortran_order': False, 'shape': (), }"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(4)


if __name__ == "__main__":
    unittest.main()

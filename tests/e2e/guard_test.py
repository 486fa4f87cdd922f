"""verify --guard: what reaches beyond a buffer, writes into an argument or depends on what memory
held before is one failed case that names the buffer; what is right passes, in the JIT, ahead of
time and in C here, and between red zones on boards. The faults are put into the C that is
generated, by a compiler that the test puts in the way of the board's."""
import os
import shutil
import sys

from harness import ROOT, Test, hlocc, main, snapshot

PATH = os.environ["PATH"]
OPS = ROOT / "tests" / "data" / "ops"
# What is put in front of run's work and behind it, and what is said. ARENA, ARGUMENT, RESULT and
# INSTANCE are sizes in bytes.
FAULTS = {
    "before the arena": ("", "arena[-1] ^= 0x55;", "an access before the arena"),
    "behind the arena": ("", "arena[ARENA] ^= 0x55;", "an access behind the arena"),
    # In the arena it lies at the beginning, and the argument at the end.
    "before the result": ("", "result[-1] ^= 0x55;", "an access before (the arena|result 0)"),
    "behind the result": ("", "result[RESULT] ^= 0x55;", "an access behind result 0"),
    "to the argument": ("", "argument[0] ^= 0x55;", "a write to argument 0, which is the caller's"),
    "reads behind the argument": (
        "", "if (argument[ARGUMENT] == 0xff) result[0] ^= 1;",
        "an access behind (the arena|argument 0)|the bits of result 0 changed .what is around the "
        "buffers held 0xff"
    ),
    "behind the instance": ("", "((unsigned char *)self)[INSTANCE] ^= 0x55;",
                            "an access behind the instance"),
    "what the arena held": ("const int held = arena[0];", "if (held == 0xff) result[0] ^= 1;",
                            "the bits of result 0 changed .the arena held 0xff before"),
    "what the result held": (
        "const int held = result[0];", "if (held == 0xff) result[1] ^= 1;",
        "the bits of result 0 changed .the (arena|results' buffers) held 0xff before"),
    "an error": ("", "return 7;", "run returned 7"),
}
NAMES = (
    "unsigned char *arena = (unsigned char *)self->arena, *argument = (unsigned char "
    "*)self->arguments[0], "
    "*result = (unsigned char *)self->results[0]; (void)arena; (void)argument; (void)result; ")
# In front of the board's compiler: puts a fault into the C of the case.
SHIM = """#!{python}
import os, sys
for word in sys.argv[1:]:
    if word.endswith("hlocc_case_0.c"):
        text = open(word).read()
        if "planted" not in text:
            start, end = text.rfind("_ERROR_NULL;\\n  }}\\n"), text.rfind("\\n  return HLOCC_CASE_0_OK;\\n}}")
            assert 0 < start < end
            start += len("_ERROR_NULL;\\n  }}\\n")
            text = text[:start] + {first!r} + text[start:end] + {last!r} + text[end:]
            open(word, "w").write(text)
os.execv({compiler!r}, [{compiler!r}] + sys.argv[1:])
"""


class Guard(Test):
    def verify(self, *flags):
        ran = hlocc("verify", *flags)
        return ran.returncode, ran.stdout.decode()

    def test_what_is_right_passes(self):
        cases = [snapshot("mlp_digits"), snapshot("kws_gru_stream"), OPS / "topk_sort.snapshot.pb"]
        cases = [case for case in cases if case.exists()]
        ways = [["--backend", "cpu"], ["--backend", "c"], ["--target", "host"],
                ["--backend", "cpu", "--threads", "3"]]
        if shutil.which("qemu-system-arm") and shutil.which("arm-none-eabi-gcc"):
            ways.append(["--target", "cortex-m4f"])
        if shutil.which("qemu-s390x") and shutil.which("s390x-linux-gnu-gcc"):
            ways.append(["--target", "s390x-linux"])
        for way in ways:
            with self.subTest(way=way):
                code, out = self.verify(*cases, "--guard", *way)
                self.assertEqual((code, out), (0, f"{len(cases)} passed, 0 failed, 0 skipped\n"))

    def planted(self, fault, target, compiler):
        """What is said of one model's C with the fault in it."""
        first, last = fault[:2]
        for name, size in self.sizes(target).items():
            first, last = first.replace(name, str(size)), last.replace(name, str(size))
        shims = self.folder / "shims"
        shims.mkdir(exist_ok=True)
        script = shims / compiler
        script.write_text(
            SHIM.format(python=sys.executable,
                        compiler=shutil.which(compiler, path=PATH),
                        first=f"  /* planted */ {NAMES}{first}",
                        last=f"\n  {last}"))
        script.chmod(0o755)
        os.environ["PATH"] = f"{shims}:{PATH}"
        try:
            return self.verify(snapshot("mlp_digits"), "--guard", "--backend", "c", "--target",
                               target)
        finally:
            os.environ["PATH"] = PATH

    def sizes(self, target):
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--name", "Planted",
                  "--target", target, "--backend", "c", "--emit", "c,header")
        made = self.manifest("planted.json")
        pointer = 4 if target == "cortex-m4f" else 8
        return {
            "ARENA": max(1, made["arena_bytes"]), "ARGUMENT": made["arguments"][0]["bytes"],
            "RESULT": made["results"][0]["bytes"], "INSTANCE": 3 * pointer
        }

    def test_planted_faults_here(self):
        for name, fault in FAULTS.items():
            with self.subTest(name):
                code, out = self.planted(fault, "host", "cc")
                self.assertEqual(code, 1, out)
                self.assertRegex(out, f"FAILED mlp_digits: ({fault[2]})")
                self.assertTrue(out.endswith("0 passed, 1 failed, 0 skipped\n"), out)

    def test_planted_faults_on_a_board(self):
        if not shutil.which("qemu-system-arm") or not shutil.which("arm-none-eabi-gcc"):
            self.skipTest("no board here")
        for name, fault in FAULTS.items():
            with self.subTest(name):
                code, out = self.planted(fault, "cortex-m4f", "arm-none-eabi-gcc")
                self.assertEqual(code, 1, out)
                self.assertRegex(out, f"FAILED mlp_digits: ({fault[2]})")

    def test_usage(self):
        for flags in (["--backend",
                       "interpreter"], ["--backend",
                                        "remote-sim"], ["--target", "host", "--runner",
                                                        "true"], ["--streams", "1"]):
            self.assertIn(
                "--guard is for compiled code",
                self.refused(2, "usage", "verify", snapshot("mlp_digits"), "--guard", *flags))


if __name__ == "__main__":
    main()

"""`verify --runner CMD`: cases on hardware that a command of the user's reaches, played here by
QEMU: what passes, what is wrong on the board, and runners that fail, hang, print rubbish or answer
with what was flashed before."""
import json

from harness import ROOT, Test, hlocc, main, snapshot

BOARDS = ROOT / "toolchains" / "boards"
QEMU = f"{BOARDS}/run_board.sh cortex-m4f"


class Runner(Test):
    def verify(self, *arguments):
        ran = hlocc("verify", *arguments)
        return ran.returncode, ran.stdout.decode(errors="replace") + ran.stderr.decode(
            errors="replace")

    def script(self, text, name="runner.sh"):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def failing(self, runner, *more):
        code, out = self.verify(snapshot("mlp_digits"), "--target", "cortex-m4f", "--runner",
                                runner, *more)
        self.assertEqual(code, 1, out)
        self.assertIn("FAILED mlp_digits: ", out)
        self.assertIn("0 passed, 1 failed", out)
        return out

    def test_program_for_a_board(self):
        for target in ("cortex-m4f", "rv32imc"):
            code, out = self.verify(snapshot("mlp_digits"), snapshot("cnn_digits_int8"), "--target",
                                    target, "--board", target, "--runner",
                                    f"{BOARDS}/run_board.sh {target}")
            self.assertEqual((code, out), (0, "2 passed, 0 failed, 0 skipped\n"))

    def test_folder(self):
        # As a user's script would: build what lies in the folder with one's own start-up code,
        # flash it, listen. The hook for the output is a function of the firmware's.
        (self.folder / "uart.c").write_text(
            '#include "board.h"\nvoid uart_write(const char *text, size_t bytes);\n'
            "void uart_write(const char *text, size_t bytes) { board_write(text, bytes); }\n")
        runner = self.script(
            f'set -e\ntest "$HLOCC_TARGET" = cortex-m4f\n'
            f'"{BOARDS}/link_firmware.sh" cortex-m4f "{self.folder}/own.elf" "$1/selftest.c" '
            f'"{self.folder}/uart.c" '
            f'-Wall -Wextra -Werror -DHLOCC_VERIFY_WRITE=uart_write -I "$1" "$1/libmodel.a"\n'
            f'echo "Open On-Chip Debugger 0.12"\n{QEMU} "{self.folder}/own.elf"\n')
        code, out = self.verify(snapshot("kws_gru_stream"), "--target", "cortex-m4f", "--runner",
                                runner)
        self.assertEqual((code, out), (0, "1 passed, 0 failed, 0 skipped\n"))

    def test_here_and_in_c(self):
        # The program of this machine writes to its standard output; so does the C of --backend c.
        runner = self.script(
            'set -e\nif [ -f "$1/model.c" ]; then set -- "$1" "$1/model.c"; else set -- "$1" '
            '"$1/libmodel.a"; fi\n'
            'gcc "$1/selftest.c" -I "$1" "$2" -o "$1/program"\n"$1/program"\n')
        for backend in ("cpu", "c"):
            code, out = self.verify(snapshot("topk_sort"), "--target", "host", "--backend", backend,
                                    "--runner", runner, "--json")
            self.assertEqual((code, json.loads(out)["passed"]), (0, 1), out)

    def test_wrong_results(self):
        # A runner that spoils the expected bytes: the board itself sees that they differ.
        runner = self.script(
            f'set -e\nsed -i "s/out0\\[\\] __attribute__((aligned(8))) = {{/&99,/" '
            f'"$1/selftest.c"\n'
            f'"{BOARDS}/link_firmware.sh" cortex-m4f "{self.folder}/own.elf" "$1/selftest.c" '
            f'-DHLOCC_VERIFY_BOARD -I "$1" "$1/libmodel.a"\n'
            f'{QEMU} "{self.folder}/own.elf"\n')
        out = self.failing(runner)
        # The board's word comes first, and not that the runner ended with its exit code.
        self.assertIn("FAILED mlp_digits: on the board: FAIL result0 10", out)
        self.assertRegex(
            out,
            r"on the board: FAIL result0 10 wrong \d+ first 0 got [0-9a-f]{8} expected [0-9a-f]{8}")

    def test_runners_that_fail(self):
        self.assertIn(
            "the runner failed: exit code 1; the board printed no line of hlocc-selftest; nothing "
            "was printed",
            self.failing("false"))
        self.assertIn("exit code 127", self.failing("/no/such/runner"))
        self.assertIn("exit code 139", self.failing(self.script("kill -SEGV $$\n")))
        self.assertIn("it ends with: no probe found",
                      self.failing(self.script("echo no probe found\nexit 3\n")))
        # Passed, and then it failed all the same: no success.
        self.assertIn("exit code 5 after the test had passed",
                      self.failing(self.script(f"{QEMU} $1 && exit 5\n"), "--board", "cortex-m4f"))

    def test_runners_that_hang(self):
        # What it started goes with it: the pipe that it holds would keep the tool waiting. A busy
        # machine may need longer until its word.
        runner = self.script("echo hlocc-selftest begin $HLOCC_TEST\nsleep 100000 & sleep 100000\n")
        for seconds in (1, 4, 16, 64, 256):
            out = self.failing(runner, "--case-seconds", seconds)
            self.assertIn(f"ran longer than {seconds} s; the board ", out)
            if "stopped in the middle of the test" in out:
                break
        else:
            self.fail(out)
        self.assertIn("ran longer than 1 s", self.failing("yes rubbish; true", "--case-seconds", 1))

    def test_rubbish(self):
        self.assertIn("printed no line of hlocc-selftest",
                      self.failing("head -c 100000 /dev/urandom; true"))
        self.assertIn(
            "answered with another test",
            self.failing(
                self.script(
                    "echo hlocc-selftest begin old\necho hlocc-selftest end old passed 2 failed 0\n"
                )))
        self.assertIn("stopped in the middle",
                      self.failing(self.script("echo hlocc-selftest begin $HLOCC_TEST\n")))
        # One check too few is no success, whatever the board says of itself.
        self.assertIn(
            "the board says: ",
            self.failing(
                self.script(
                    'echo hlocc-selftest begin "$HLOCC_TEST"\n'
                    'echo hlocc-selftest end "$HLOCC_TEST" passed 1 failed 0\n'
                )))
        self.assertIn(
            "on the board: FAIL x",
            self.failing(
                self.script(
                    'echo hlocc-selftest begin "$HLOCC_TEST"\necho hlocc-selftest FAIL x\n'
                    'echo hlocc-selftest end "$HLOCC_TEST" passed 2 failed 0\n'
                )))
        # With a time in front and a carriage return behind it counts.
        runner = self.script(
            'echo "[0.1] hlocc-selftest begin $HLOCC_TEST\\r"\n'
            'printf "[0.2] hlocc-selftest end %s passed 2 failed 0\\r\\n" "$HLOCC_TEST"\n'
        )
        code, out = self.verify(snapshot("mlp_digits"), "--target", "cortex-m4f", "--runner",
                                runner)
        self.assertEqual(code, 0, out)

    def test_usage(self):
        self.assertIn(
            "needs a --target",
            self.refused(2, "usage", "verify", snapshot("mlp_digits"), "--runner", "true"))


if __name__ == "__main__":
    main()

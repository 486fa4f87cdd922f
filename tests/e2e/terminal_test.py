"""What a person at a terminal sees and a file or a pipe does not: colours and the line of progress;
and -q and -v."""
import errno
import os
import pty
import re
import subprocess

from harness import HLOCC, Test, hlocc, main, snapshot

ESCAPE = b"\x1b"


def at_terminal(*words, hear=None, **env):
    """What is written to stderr, which is a terminal, and the exit code. `hear` is called with all
    that was written until then."""
    master, slave = pty.openpty()
    changed = {**os.environ, "TERM": "xterm", **env}
    changed.pop("NO_COLOR", None) if "NO_COLOR" not in env else None
    with subprocess.Popen([HLOCC, *map(str, words)],
                          stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL,
                          stderr=slave,
                          env=changed) as ran:
        os.close(slave)
        told = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError as error:  # how Linux says that the other side is closed
                if error.errno != errno.EIO:
                    raise
                break
            if not part:
                break
            told += part
            if hear is not None:
                hear(told)
        code = ran.wait()
    os.close(master)
    return told.replace(b"\r\n", b"\n"), code


class Colours(Test):
    def test_an_error(self):
        told, code = at_terminal("compile", snapshot("mlp_digits"), "--target", "cortex-m44")
        self.assertEqual(code, 2)
        self.assertIn(b"\x1b[1;31merror[target]:\x1b[0m ", told)
        self.assertIn(b"\x1b[1;36mnote:\x1b[0m did you mean", told)

    def test_notes(self):
        told, _ = at_terminal("compile", snapshot("mlp_digits"), "-o", self.folder)
        self.assertIn(b"\x1b[1;36mnote: \x1b[0mno --target", told)

    def test_only_the_colours_differ(self):
        words = ["compile", self.folder / "error[file]: odd.pb", "-o", self.folder]
        plain = hlocc(*words).stderr
        coloured, _ = at_terminal(*words)
        for code in (b"\x1b[1m", b"\x1b[1;31m", b"\x1b[1;36m", b"\x1b[0m"):
            coloured = coloured.replace(code, b"")
        self.assertEqual(coloured, plain)
        self.assertNotIn(ESCAPE, plain)

    def test_who_refuses_them(self):
        words = ["compile", self.folder / "none.pb"]
        for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn(ESCAPE, at_terminal(*words, **env)[0], env)
        self.assertIn(ESCAPE, at_terminal(*words, NO_COLOR="")[0])
        self.assertNotIn(ESCAPE, at_terminal(*words, "--json")[0])


class Progress(Test):
    """A runner that waits until the test has seen the line: it comes, however fast or busy the
    machine is."""
    CASES = 20  # so that a twentieth of the work leaves much time for the rest

    def words(self, wait):
        runner = f"while ! test -e {self.folder}/go; do sleep 0.02; done; rm -f {self.folder}/go; true" if wait else "sleep 2.5; true"
        return [
            "verify", *[snapshot("mlp_digits")] * (self.CASES if wait else 1), "--target", "host",
            "--runner", runner
        ]

    def test_a_line_with_an_estimate(self):
        lines = [rb"\r\x1b\[Khlocc: case 1 of 20: mlp_digits, \d+ s",
                 rb"\r\x1b\[Khlocc: case 2 of 20: mlp_digits, \d+ s, about \d+ (s|min) left"]
        seen = []

        def hear(told):
            while len(seen) < len(lines) and re.search(lines[len(seen)], told):
                seen.append(lines[len(seen)])
                go = self.folder / "go"
                go.touch()
                if len(seen) == len(lines):  # nothing waits any more
                    go.unlink()
                    go.mkdir()

        told, code = at_terminal(*self.words(wait=True), hear=hear)
        self.assertEqual(len(seen), 2)
        self.assertEqual(code, 1)  # a runner that says nothing
        self.assertTrue(told.endswith(b"\r\x1b[K"), told[-80:])

    def test_none_elsewhere(self):
        words = self.words(wait=False)
        self.assertEqual(hlocc(*words).stderr, b"")
        for more in (["-q"], ["--json"]):
            self.assertEqual(at_terminal(*words, *more)[0], b"")


class Words(Test):
    """-q and -v."""

    def test_quiet(self):
        model = snapshot("mlp_digits")
        for words in (["compile", model, "-o",
                       self.folder], ["verify",
                                      model], ["snapshot", model, "-o", self.folder / "s.pb"]):
            ran = hlocc(*words, "-q")
            self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, b"", b""), words)
            self.assertNotEqual(hlocc(*words, "-v").stderr, b"", words)
        ran = hlocc("verify", model, self.folder / "none.pb", "-q")
        self.assertEqual((ran.returncode, ran.stdout.count(b"\n")), (1, 1))
        self.assertIn(b"FAILED none", ran.stdout)
        # The result is what it was.
        for words in (["run", model], ["inspect", model], ["targets"], ["backends"]):
            self.assertEqual(hlocc(*words, "-q").stdout, hlocc(*words).stdout)

    def test_stages(self):
        told = hlocc("compile", snapshot("mlp_digits"), "-o", self.folder, "--target", "cortex-m4f",
                     "-v").stderr.decode().splitlines()
        self.assertEqual(told, [
            "hlocc: " + stage
            for stage in ("reading", "passes", "lowering", "planning",
                          "code generation for cortex-m4f", "packaging", "writing")
        ])
        told = hlocc("verify", snapshot("mlp_digits"), snapshot("ekf"),
                     "-v").stderr.decode().splitlines()
        self.assertEqual(told, ["hlocc: case 1 of 2: mlp_digits", "hlocc: case 2 of 2: ekf"])
        told = hlocc("bench", snapshot("mlp_digits"), "--repeat", "2",
                     "-v").stderr.decode().splitlines()
        self.assertEqual(
            told,
            ["hlocc: reading", "hlocc: compiling", "hlocc: sample 1 of 2", "hlocc: sample 2 of 2"])
        told = hlocc("analyze", snapshot("mlp_digits"), "--target", "cortex-m4f",
                     "-v").stderr.decode().splitlines()
        self.assertEqual(
            told[:4],
            ["hlocc: " + stage for stage in ("reading", "passes", "lowering", "planning")])
        self.assertEqual(
            hlocc("compile", snapshot("mlp_digits"), "-o", self.folder, "-v", "--json").stderr, b"")

    def test_not_both(self):
        self.refused(2, "usage", "targets", "-q", "-v")


class StandardOutput(Test):
    """- where a file is written."""

    def test_one_file(self):
        model = snapshot("mlp_digits")
        self.done("compile", model, "-o", self.folder, "--target", "cortex-m4f", "--emit",
                  "lib,header,hlo")
        for emit, name in (("lib", "libmlp_digits.a"), ("header", "mlp_digits.h"),
                           ("hlo", "mlp_digits.hlo.txt")):
            ran = hlocc("compile", model, "-o", "-", "--target", "cortex-m4f", "--emit", emit)
            self.assertEqual((ran.returncode, ran.stdout, ran.stderr),
                             (0, (self.folder / name).read_bytes(), b""), emit)
        for words in (["snapshot", model, "-o"], ["run", model, "--output"]):
            self.done(*words, self.folder / "file")
            self.assertEqual(hlocc(*words, "-").stdout, (self.folder / "file").read_bytes())
        self.done("analyze", model, "--target", "cortex-m4f", "--html", self.folder / "page")
        self.assertEqual(
            hlocc("analyze", model, "--target", "cortex-m4f", "--html", "-").stdout,
            (self.folder / "page").read_bytes())
        self.assertFalse((self.folder / "-").exists())

    def test_refused(self):
        model = snapshot("mlp_digits")
        for words in ([], ["--emit", "lib,header"], ["--emit", "lib", "--json"],
                      ["--emit", "lib", "--depfile", self.folder / "d"
                       ], ["--emit", "lib", "--print-after",
                           "plan"], ["--emit", "lib", "--target", "host", "--target",
                                     "cortex-m3"], ["--emit", "lib", "--weights", "external"]):
            ran = hlocc("compile", model, "-o", "-", *words, cwd=self.folder)
            self.assertEqual((ran.returncode, ran.stdout), (2, b""), words)
            self.assertIn(b"usage", ran.stderr)
        self.refused(2, "usage", "run", model, "--output", "-", "--print")
        self.assertEqual(hlocc("snapshot", model, "-o", "-", "--json").returncode, 2)
        self.assertEqual(self.files(), [])

    def test_a_full_disk_behind_it(self):
        with open("/dev/full", "wb") as full:
            ran = subprocess.run(
                [HLOCC, "snapshot", snapshot("mlp_digits"), "-o", "-"],
                stdout=full,
                stderr=subprocess.PIPE,
                check=False)
        self.assertEqual(ran.returncode, 4)


main()

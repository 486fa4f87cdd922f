"""Exit codes, the same for all verbs (docs/exit_codes.md): what is around the tool fails, and the
verb says so and ends with 4."""
import json
import os
import resource
import signal
import subprocess
import unittest

import verbs
from harness import HLOCC, Test, hlocc, main, snapshot


def run(words, **how):
    """Exit code, stdout and stderr with variables of the environment (env=), or with stdout
    elsewhere."""
    env = {**os.environ, **how.pop("env", {})}
    ran = subprocess.run([HLOCC, *map(str, words)],
                         stderr=subprocess.PIPE,
                         stdout=how.pop("stdout", subprocess.PIPE),
                         check=False,
                         env=env,
                         **how)
    return ran.returncode, (ran.stdout or b"").decode(), ran.stderr.decode()


def small_files():
    """No file can be larger than 10 bytes: the disk is full, to those who write."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))


class AllVerbs(Test):
    def setUp(self):
        super().setUp()
        verbs.prepare(self)
        self.commands = verbs.commands(self.folder)

    def test_every_verb_stands_in_the_table(self):
        self.assertEqual({name.split("_")[0] for name in self.commands}, set(verbs.names()))
        for name, words in self.commands.items():
            self.assertEqual(run(words)[0], 0, f"{name}: {run(words)}")

    def test_stdout_that_is_full(self):
        """What a verb printed and nobody can read is not done."""
        says = {name: words for name, words in self.commands.items() if run(words)[1]}
        self.assertLessEqual(
            {
                "run", "verify", "bench", "inspect", "analyze", "profile", "reduce", "doctor",
                "targets", "backends"
            }, set(says))
        more = [["--version"], ["--help"], *([verb, "--help"] for verb in verbs.names()),
                ["verify", snapshot("mlp_digits"), "--json"], ["targets", "cortex-m4f"],
                ["targets", "--json"]]
        for words in [*says.values(), *more]:
            with self.subTest(words=words[:2]), open("/dev/full", "wb") as full:
                code, _, errors = run(words, stdout=full)
                self.assertEqual(code, 4, errors)
                self.assertIn("cannot write the standard output: No space left on device", errors)
                self.assertIn("environment", errors)
        with open("/dev/full", "wb") as full:
            code, _, errors = run(["inspect", self.folder / "small.hlo.txt", "--json"], stdout=full)
        self.assertEqual(json.loads(errors)["kind"], "environment")

    def test_a_verb_that_fails_keeps_its_code(self):
        (self.folder / "wrong.hlo.txt").write_text("HloModule m")
        with open("/dev/full", "wb") as full:
            self.assertEqual(run(["verify", self.folder / "wrong.hlo.txt"], stdout=full)[0], 1)

    def test_a_disk_that_is_full(self):
        for name in ("compile", "compile_c", "run", "snapshot", "analyze", "profile", "reduce"):
            with self.subTest(name):
                code, _, errors = run(self.commands[name], preexec_fn=small_files)
                self.assertEqual(code, 4, errors)
                self.assertIn("error[environment]: cannot be written: ", errors)
                # The file that was asked for, once; not the temporary one.
                self.assertEqual(errors.count(str(self.folder / "out")), 1, errors)
                self.assertNotIn(".partial", errors)
                self.assertEqual(
                    [path for path in (self.folder / "out").rglob("*") if path.is_file()] if
                    (self.folder / "out").exists() else [], [])

    def test_places_that_cannot_be_written(self):
        long, loop = self.folder / ("n" * 300), self.folder / "loop"
        loop.symlink_to(loop)
        for place in (long, loop, self.folder / "small.hlo.txt" / "x", "/proc/hlocc"):
            for name in ("compile", "run", "snapshot", "analyze", "profile", "reduce"):
                with self.subTest(name=name, place=str(place)[-20:]):
                    words = [
                        str(word).replace(str(self.folder / "out"), str(place))
                        for word in self.commands[name]
                    ]
                    code, _, errors = run(words)
                    self.assertEqual(code, 4, errors)
                    self.assertIn("error[environment]", errors)
            # A path that is itself the file. What a link led to is no matter: the file takes its
            # place.
            if place != loop:
                self.refused(4, "environment", "run", snapshot("mlp_digits"), "--output", place)
                self.refused(4, "environment", "snapshot", snapshot("mlp_digits"), "-o", place)

    def test_folders_for_temporary_files(self):
        for folder in ("/nonexistent", "/proc", self.folder / "small.hlo.txt"):
            for name in ("run_c", "verify_c", "verify_ahead"):
                with self.subTest(name=name, folder=folder):
                    code, _, errors = run(self.commands[name], env={"TMPDIR": str(folder)})
                    self.assertEqual(code, 4, errors)
                    self.assertIn("TMPDIR names where they go", errors)

    def test_files_to_read(self):
        """What is not there is the fault of who named it."""
        loop = self.folder / "loop"
        loop.symlink_to(loop)
        for place in (self.folder / "none", self.folder / ("n" * 300), loop,
                      self.folder / "small.hlo.txt" / "x", self.folder):
            for words in (["compile", place], ["run", place], ["inspect",
                                                               place], ["verify", "--index", place],
                          ["doctor", place, "--library", self.folder / "libfw.a"
                           ], ["doctor", self.folder / "fw.elf", "--library",
                               place], ["profile", place, "--model", self.folder / "small.hlo.txt"],
                          ["compile", self.folder / "small.hlo.txt", "--config",
                           place], ["run", snapshot("mlp_digits"), "--input", f"0={place}"
                                    ], ["run", snapshot("mlp_digits"), "--plugin", place]):
                with self.subTest(words=words[:1], place=str(place)[-20:]):
                    code, _, errors = run(words, cwd=self.folder)
                    self.assertEqual(code, 1, errors)
                    self.assertIn("error[file]", errors)
                    self.assertEqual(errors.splitlines()[0].count(str(place)), 1, errors)
        self.assertIn("FAILED", run(["verify", self.folder / "none"])[1])

    @unittest.skipIf(os.getuid() == 0, "root may read anything")
    def test_files_that_may_not_be_read(self):
        (self.folder / "small.hlo.txt").chmod(0)
        self.refused(4, "environment", "inspect", self.folder / "small.hlo.txt")

    def test_names_of_255_letters(self):
        """No path beside them can be made: that is no crash."""
        library = self.folder / ("l" * 253 + ".a")
        library.write_bytes((self.folder / "libfw.a").read_bytes())
        code, told, errors = run(["doctor", self.folder / "fw.elf", "--library", library])
        self.assertEqual(code, 0, told + errors)
        case = self.folder / ("c" * 252 + ".pb")
        case.write_bytes(snapshot("mlp_digits").read_bytes())
        self.assertEqual(run(["verify", case])[0], 0)
        self.done("snapshot", case, "-o", self.folder / ("s" * 255))


class Verify(Test):
    """A verify in which nothing ran is no success."""
    def outcome(self, *words, **env):
        code, told, errors = run(["verify", *words], env=env)
        return code, told.splitlines()[-1:], errors

    def test_tools_that_are_missing(self):
        nothing = {"PATH": str(self.folder)}
        case = snapshot("mlp_digits")
        for board in ([], ["--board", "cortex-m4f", "--runner", "true"]):
            code, last, errors = self.outcome(case, "--target", "cortex-m4f", *board, **nothing)
            self.assertEqual((code, last), (4, ["0 passed, 0 failed, 1 skipped"]), errors)
            self.assertIn("error[missing-tool]: nothing ran: ", errors)
            self.assertIn(" is not installed", errors)
            self.assertIn("--allow-skips", errors)
            code, last, errors = self.outcome(case, "--target", "cortex-m4f", *board,
                                              "--allow-skips", **nothing)
            self.assertEqual((code, last, errors), (0, ["0 passed, 0 failed, 1 skipped"], ""))
        code, told, _ = run(["verify", case, "--target", "cortex-m4f", "--json"], env=nothing)
        self.assertEqual((code, json.loads(told)["exit_code"], json.loads(told)["skipped"]),
                         (4, 4, 1))
        for verb in ("run", "bench"):
            code, _, errors = run([verb, case, "--backend", "c"],
                                  env={"CC": str(self.folder / "none")})
            self.assertEqual(code, 4, errors)
            self.assertIn("error[missing-tool]", errors)

    def test_no_cases(self):
        (self.folder / "index.json").write_text('{"cases": []}')
        code, last, errors = self.outcome("--index", self.folder / "index.json")
        self.assertEqual((code, last), (1, ["0 passed, 0 failed, 0 skipped"]))
        self.assertIn("nothing ran", errors)
        self.assertEqual(self.outcome("--index", self.folder / "index.json", "--allow-skips")[0], 0)
        shard = [snapshot("mlp_digits"), "--shard", "1/2"]
        self.assertEqual(self.outcome(*shard)[0], 1)
        self.assertEqual(self.outcome(*shard, "--allow-skips")[0], 0)

    def test_several_targets(self):
        """A row a target; the worst of their codes; the same words however many run at once."""
        digits, large = snapshot("mlp_digits"), snapshot("kws_dscnn")
        targets = ["--target", "cortex-m0", "--target", "rv32imc"]
        told = [run(["verify", digits, *targets, "-j", jobs]) for jobs in ("1", "2")]
        self.assertEqual(told[0], told[1])
        self.assertEqual(told[0][0], 0)
        self.assertEqual(
            [line.split() for line in told[0][1].splitlines()],
            [["target", "passed", "failed", "skipped"], ["cortex-m0", "1", "0", "0"],
             ["rv32imc", "1", "0", "0"], ["2", "passed,", "0", "failed,", "0", "skipped"]])
        # 8 KiB of RAM are too few for one of the two cases.
        code, out, _ = run([
            "verify", digits, large, "--target", "cortex-m0", "--target", "avr-mega2560", "--json"
        ])
        out = json.loads(out)
        self.assertEqual((code, out["passed"], out["skipped"]), (0, 3, 1))
        self.assertEqual([(row["target"], row["passed"], row["skipped"], row["exit_code"])
                          for row in out["targets"]], [("cortex-m0", 2, 0, 0),
                                                       ("avr-mega2560", 1, 1, 0)])
        self.assertEqual([(row["target"], row["name"], row["status"]) for row in out["cases"]],
                         [("cortex-m0", "mlp_digits", "passed"),
                          ("cortex-m0", "kws_dscnn", "passed"),
                          ("avr-mega2560", "mlp_digits", "passed"),
                          ("avr-mega2560", "kws_dscnn", "skipped")])
        self.assertTrue(
            all(row["cpu_seconds"] > 0 for row in out["cases"] if row["status"] == "passed"))
        # Where nothing ran on one of them, that is no success.
        code, out, errors = run(
            ["verify", large, "--target", "cortex-m0", "--target", "avr-mega2560"])
        self.assertEqual(code, 1)
        self.assertIn("error[argument]: nothing ran on avr-mega2560\n", errors)
        self.assertIn("skipped kws_dscnn on avr-mega2560: error[budget]", out)
        self.assertEqual(
            run([
                "verify", large, "--target", "cortex-m0", "--target", "avr-mega2560",
                "--allow-skips"
            ])[0], 0)
        nothing = {"PATH": str(self.folder)}
        code, out, errors = run(["verify", digits, *targets], env=nothing)
        self.assertEqual(code, 4)
        self.assertIn("nothing ran on rv32imc: ", errors)
        # Mistakes are told before anything runs.
        self.assertIn(
            "cortex-m99",
            self.refused(2, "target", "verify", digits, "--target", "cortex-m0", "--target",
                         "cortex-m99"))
        self.assertIn("--board needs",
                      self.refused(2, "usage", "verify", digits, "--board", "cortex-m0"))
        self.refused(2, "usage", "run", digits, *targets)

    def test_boards_whose_rows_are_missing(self):
        code, _, errors = self.outcome(snapshot("mlp_digits"),
                                       "--target",
                                       "cortex-m4f",
                                       HLOCC_TOOLCHAINS=str(self.folder))
        self.assertEqual(code, 4)
        self.assertIn("HLOCC_TOOLCHAINS names the folder", errors)

    def test_what_is_no_environment(self):
        self.assertEqual(
            hlocc("verify", snapshot("mlp_digits"), "--target", "cortex-m99").returncode, 2)


main()

"""Large modules: time that grows hardly faster than the module, code that stays small, weights that
are copied once. Times are of the processor, and bounds are several times what they are, because
test machines are busy."""
import re
import subprocess
import sys

from harness import HLOCC, ROOT, Test, hlocc, main

GENERATOR = ROOT / "bench" / "large_modules.py"


class Sizes(Test):
    def module(self, kind, n):
        path = self.folder / f"{kind}_{n}.hlo"
        subprocess.run([sys.executable, GENERATOR, kind, str(n), "-o", path], check=True)
        return path

    def report(self, *arguments):
        """Processor seconds by stage, and the largest memory in MB."""
        ran = hlocc(*arguments, "--time-report")
        self.assertEqual(ran.returncode, 0, ran.stderr.decode())
        text = ran.stderr.decode()
        rows = {
            name.strip(): float(cpu)
            for name, cpu in re.findall(r"^(.{28}) +([0-9.]+) +[0-9.]+$", text, re.M)
        }
        memory = [int(number) for number in re.findall(r"([0-9]+) MB", text)]
        return rows, sum(memory)

    def test_time_grows_with_the_module(self):
        for kind, target in (("chain", "cortex-m4f"), ("mixed", "cortex-m4f"), ("convnet", "host")):
            seconds = [
                self.report("inspect", self.module(kind, n), "--target", target)[0]["total"]
                for n in (1000, 8000)
            ]
            # Eight times as large: linear growth is 8, quadratic 64.
            self.assertLess(seconds[1], 24 * max(seconds[0], 0.02), (kind, seconds))

    def test_forms_that_no_front_end_writes(self):
        """Of sizes at which whatever is quadratic takes minutes: so many processor seconds are far
        more than they need."""
        for kind, n in (("pairs", 20_000), ("negated", 8000), ("branches", 4000), ("aliased", 4000),
                        ("joins", 4000), ("user_functions", 8000), ("reductions", 4000),
                        ("nested_whiles", 40), ("state_leaves", 8000)):
            with self.subTest(kind):
                ran = hlocc("compile",
                            self.module(kind, n),
                            "-o",
                            self.folder,
                            "--target",
                            "cortex-m4f",
                            seconds=40)
                self.assertEqual(ran.returncode, 0, ran.stderr.decode()[-2000:])

    def test_report_names_every_stage(self):
        rows, memory = self.report("compile", self.module("wide", 100), "-o", self.folder,
                                   "--target", "cortex-m4f")
        for stage in ("read", "simplify", "fuse", "lower", "legalize", "plan", "validate", "emit",
                      "llvm passes", "llvm code generation", "archive", "package", "write",
                      "total"):
            self.assertIn(stage, rows)
        self.assertGreater(memory, 10)
        self.assertAlmostEqual(sum(rows.values()), 2 * rows["total"], delta=0.05)

    def test_nothing_is_said_into_a_pipe(self):
        ran = hlocc("compile", self.module("wide", 100), "-o", self.folder, "--target",
                    "cortex-m4f")
        self.assertEqual((ran.returncode, ran.stderr, len(ran.stdout.splitlines())),
                         (0, b"", 3 + 6))

    def test_chains_of_functions_stay_small(self):
        self.done("compile", self.module("chain", 250), "-o", self.folder, "--target", "cortex-m4f",
                  "-Os", "--name", "Chain")
        self.assertLessEqual(self.manifest("chain.json")["code_bytes"], 20_000)
        rows, _ = self.report("compile", self.module("chain", 4000), "-o", self.folder, "--target",
                              "cortex-m4f", "-Os")
        self.assertLess(rows["total"], 16)

    def test_weights_are_held_twice_and_not_more(self):
        model = self.module("weights", 64)
        content = model.read_bytes()
        for target in ("cortex-m4f", "x86_64-linux"):
            _, memory = self.report("compile", model, "-o", self.folder, "--target", target,
                                    "--name", "W")
            # Both processes at their peaks, each of which is some 70 MB without any weights.
            self.assertLess(memory, 3 * 64 + 200, target)
            self.assertGreaterEqual(self.manifest("w.json")["weights_bytes"], 64 << 20)
            self.assertGreater((self.folder / "libw.a").stat().st_size, 64 << 20)
        # The last matrix stands in the file as it does in the library: packed by rows of a
        # register's width.
        self.assertIn(content[-4000:-3000][:16], (self.folder / "libw.a").read_bytes())


if __name__ == "__main__":
    main()

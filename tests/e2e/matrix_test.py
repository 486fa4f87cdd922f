"""hlocc matrix: cells as the file says, one failure beside others, what is known, shards, gates,
reports; files that are none."""
import json
import pathlib
import re
import shutil
import struct
import subprocess
import time
import xml.etree.ElementTree

from harness import HLOCC, Test, hlocc, main, npy, snapshot

TWO = "HloModule m\nENTRY e {\n x = f32[64] parameter(0)\n w = f32[64] parameter(1)\n ROOT s = f32[64] add(x, w)\n}\n"
LARGE = "HloModule m\nENTRY e {\n x = f32[4096] parameter(0)\n s = f32[4096] negate(x)\n ROOT r = f32[4096] reverse(s), dimensions={0}\n}\n"
BROKEN = "HloModule m\nENTRY e {\n x = f32[64] parameter(0)\n ROOT s = f32[65] negate(x)\n}\n"


class Matrix(Test):
    def setUp(self):
        super().setUp()
        self.write("two.hlo.txt", TWO)
        self.write("large.hlo.txt", LARGE)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text, indent=1))
        return path

    def matrix(self, file, *flags, code=0):
        """The cells of the report, by id."""
        path = self.write("matrix.json", file) if not isinstance(file, pathlib.Path) else file
        ran = hlocc("matrix", path, "--json", *flags)
        self.assertEqual(ran.returncode, code, ran.stdout.decode() + ran.stderr.decode())
        self.report = json.loads(ran.stdout)
        return {cell["id"]: cell for cell in self.report["cells"]}

    def status(self, cells):
        return {name: cell["status"] for name, cell in cells.items()}

    def wrong(self, file, line, words, kind="usage", code=2):
        path = self.write("matrix.json", file) if not isinstance(file, pathlib.Path) else file
        said = self.refused(code, kind, "matrix", path)
        self.assertIn(words, said)
        if line:
            self.assertRegex(said, rf"^{re.escape(str(self.folder))}/[\w.]+\.json:{line}: error")
        self.assertFalse((self.folder / "matrix").exists())
        return said

    def test_cells(self):
        file = {
            "output": "out", "models": {
                "a": "two.hlo.txt",
                "b": {"path": "large.hlo.txt", "name": "acme::B", "keep-arguments": True}
            }, "targets": ["cortex-m3", {"target": "rv32imc",
                                         "O": "s"}], "axes": {"keep-arguments": [True, False]},
            "exclude": [{"model": "b", "target": "rv*", "keep-arguments": False}],
            "include": [{"model": "a", "target": "cortex-m0"}, {"model": "b", "O": "z"}]
        }
        cells = self.matrix(file)
        self.assertEqual(
            set(cells), {
                f"{m}/{t}/keep-arguments={k}"
                for m, t, k in [("a", "cortex-m3", "true"), (
                    "a", "cortex-m3", "false"), ("a", "rv32imc", "true"), ("a", "rv32imc", "false"),
                                ("b", "cortex-m3", "true"), ("b", "cortex-m3",
                                                             "false"), ("b", "rv32imc", "true")]
            } | {"a/cortex-m0"})
        self.assertEqual(set(self.status(cells).values()), {"compiled"})
        manifest = self.folder / "out/rv32imc/keep-arguments-true/b.json"
        options = json.loads(manifest.read_text())["options"]
        self.assertEqual((options["level"], options["keep_arguments"]), ("-Oz", True))
        options = json.loads(
            (self.folder / "out/rv32imc/keep-arguments-false/two.json").read_text())["options"]
        self.assertEqual((options["level"], options["keep_arguments"]), ("-Os", False))
        # Each cell is what `compile` makes.
        for name, flags in (("rv32imc/keep-arguments-true", ("-Os", "--keep-arguments")),
                            ("cortex-m0", ())):
            self.done("compile", self.folder / "two.hlo.txt", "--target",
                      name.split("/")[0], "-o", self.folder / "alone", *flags)
            for file_name in ("libtwo.a", "two.h", "two.json"):
                self.assertEqual((self.folder / "alone" / file_name).read_bytes(),
                                 (self.folder / "out" / name / file_name).read_bytes())

    def test_memories(self):
        cells = self.matrix({
            "output": "out", "models": {"a": "two.hlo.txt"},
            "targets": [{"target": "stm32f407vg", "memory": "ccm,sram", "weights-in": "ccm"}],
            "include": [{"model": "a", "target": "cortex-m0"}]
        })
        self.assertEqual(set(self.status(cells).values()), {"compiled"})
        names = [
            [memory["name"] for memory in json.loads(path.read_text()).get("memories", [])]
            for path in sorted(self.folder.glob("out/**/two.json"))
        ]
        self.assertEqual(sorted(names), [[], ["ccm", "sram"]])

    def test_one_failure_beside_others(self):
        file = {
            "models": {
                "a": "two.hlo.txt", "b": "broken.hlo.txt", "c": "large.hlo.txt", "d": "missing.pb"
            }, "targets": ["cortex-m3", "cortex-m0"],
            "include": [{"model": "c", "target": "cortex-m0", "ram": "16K"}]
        }
        self.write("broken.hlo.txt", BROKEN)
        cells = self.matrix(file, "-o", self.folder / "matrix", code=1)
        failed = {
            name: cell["error"]["kind"]
            for name, cell in cells.items()
            if cell["status"] == "failed"
        }
        self.assertEqual(
            failed, {
                "b/cortex-m3": "shape", "b/cortex-m0": "shape", "c/cortex-m0": "budget",
                "d/cortex-m3": "file", "d/cortex-m0": "file"
            })
        self.assertTrue((self.folder / "matrix/cortex-m0/libtwo.a").exists())
        self.assertFalse((self.folder / "matrix/cortex-m0/liblarge.a").exists())
        text = hlocc("matrix", self.folder / "matrix.json", "-o",
                     self.folder / "matrix").stdout.decode()
        self.assertIn("0 compiled, 3 known, 5 failed, 0 left out", text)
        # A cell that fails takes away what it was before.
        self.write("two.hlo.txt", BROKEN)
        self.matrix(file, "-o", self.folder / "matrix", code=1)
        self.assertFalse((self.folder / "matrix/cortex-m0/libtwo.a").exists())

    def test_what_is_known(self):
        file = {
            "models": {"a": "two.hlo.txt", "b": "large.hlo.txt"},
            "targets": ["cortex-m3", "rv32imc"], "output": "out"
        }
        first = self.matrix(file)
        self.assertEqual(set(self.status(first).values()), {"compiled"})
        library = self.folder / "out/rv32imc/liblarge.a"
        stamp = library.stat().st_mtime_ns
        again = self.matrix(file)
        self.assertEqual(set(self.status(again).values()), {"known"})
        self.assertEqual(library.stat().st_mtime_ns, stamp)
        for name, cell in first.items():
            for key in ("sizes", "files", "layers", "notes"):
                self.assertEqual(cell[key], again[name][key])
        self.write("two.hlo.txt", TWO.replace("add", "multiply"))
        self.assertEqual(
            self.status(self.matrix(file)), {
                "a/cortex-m3": "compiled", "a/rv32imc": "compiled", "b/cortex-m3": "known",
                "b/rv32imc": "known"
            })
        # `compile` knows what the matrix made.
        cache = self.folder / "out/.cache"
        records = sorted(cache.glob("ac/*/*"))
        self.done("compile", self.folder / "large.hlo.txt", "--target", "rv32imc", "-o",
                  self.folder / "x", "--cache", cache)
        self.assertEqual(sorted(cache.glob("ac/*/*")), records)
        self.assertEqual((self.folder / "x/liblarge.a").read_bytes(), library.read_bytes())

    def test_a_killed_matrix_goes_on(self):
        names = [f"m{i}" for i in range(12)]
        for i, name in enumerate(names):
            self.write(f"{name}.hlo.txt", TWO.replace("64", str(64 + i)))
        file = self.write(
            "matrix.json", {
                "models": {name: f"{name}.hlo.txt"
                           for name in names}, "targets": ["cortex-m3"], "output": "out"
            })
        with subprocess.Popen([HLOCC, "matrix", file, "-j", "1", "-q"]) as killed:
            while len(list((self.folder / "out/.cache/ac").glob("*/*"))) < 3:
                time.sleep(0.005)
            killed.kill()
        states = list(self.status(self.matrix(file)).values())
        self.assertGreaterEqual(states.count("known"), 3)
        self.assertEqual(len(states), 12)
        self.assertEqual(len(list((self.folder / "out/cortex-m3").glob("*.a"))), 12)

    def test_shards(self):
        names = [f"m{i}" for i in range(7)]
        for i, name in enumerate(names):
            self.write(f"{name}.hlo.txt", TWO.replace("64", str(64 + i)))
        file = {
            "models": {name: f"{name}.hlo.txt"
                       for name in names}, "targets": ["cortex-m3", "rv32imc"]
        }
        compiled = []
        for shard in range(3):
            cells = self.matrix(file, "-o", self.folder / f"s{shard}", "--shard", f"{shard}/3",
                                "--report", self.folder / f"r{shard}.json")
            own = [name for name, cell in cells.items() if cell["status"] == "compiled"]
            self.assertLessEqual(abs(len(own) - 14 / 3), 1)
            compiled += own
        self.assertEqual(sorted(compiled), sorted(cells))
        # A cell that is known to take long is alone.
        report = json.loads((self.folder / "r0.json").read_text())
        report["cells"] = list(cells.values())
        for cell in report["cells"]:
            cell["status"], cell[
                "cpu_seconds"] = "compiled", 100 if cell["id"] == "m3/rv32imc" else 1
        times = self.write("times.json", report)
        alone = self.matrix(file, "-o", self.folder / "t", "--shard", "0/2", "--times", times)
        self.assertEqual([name for name, cell in alone.items() if cell["status"] != "left out"],
                         ["m3/rv32imc"])

    def test_merge(self):
        """Reports of two shards are one; a missing one is a failure of its cells."""
        file = {
            "models": {"a": "two.hlo.txt", "b": "large.hlo.txt"},
            "targets": ["cortex-m3", "rv32imc"]
        }
        reports = [self.folder / f"r{shard}.json" for shard in range(2)]
        for shard, report in enumerate(reports):
            self.matrix(file, "-o", self.folder / "o", "--shard", f"{shard}/2", "--report", report)
            self.assertEqual(self.report["shard"], shard)
            self.assertEqual({cell["shard"] for cell in self.report["cells"]}, {0, 1})

        def merge(*words, code=0):
            ran = hlocc("matrix", "merge", *words, "--json", "--markdown", self.folder / "m.md")
            self.assertEqual(ran.returncode, code, ran.stderr.decode())
            return json.loads(ran.stdout)

        whole = merge(*reports)
        self.assertEqual(whole["totals"], {"compiled": 4, "known": 0, "failed": 0, "left out": 0})
        self.assertIsNone(whole["shard"])
        self.matrix(file, "-o", self.folder / "whole")
        self.assertEqual([cell["id"] for cell in whole["cells"]],
                         [cell["id"] for cell in self.report["cells"]])
        markdown = (self.folder / "m.md").read_text()
        self.assertEqual(len(re.findall(r"[\d.]+ / [\d.]+", markdown)), 4)
        one = merge(reports[1], code=1)
        failed = [cell for cell in one["cells"] if cell["status"] == "failed"]
        self.assertEqual({cell["error"]["message"] for cell in failed}, {"no report of shard 0"})
        self.assertEqual(len(failed), sum(cell["shard"] == 0 for cell in whole["cells"]))
        # Gates that a shard broke are broken in all.
        told = json.loads(reports[0].read_text())
        told["broken_gates"] = ["a/cortex-m3: RAM grew"]
        reports[0].write_text(json.dumps(told))
        self.assertEqual(merge(*reports, code=1)["broken_gates"], ["a/cortex-m3: RAM grew"])
        self.assertIn("all shards", self.refused(2, "usage", "matrix", "merge"))
        self.refused(1, "format", "matrix", "merge", self.folder / "two.hlo.txt")
        self.refused(1, "file", "matrix", "merge", self.folder / "none.json")

    def test_changed_since(self):
        git = ("git", "-C", self.folder, "-c", "user.name=a", "-c", "user.email=a@b")
        file = {
            "models": {"a": "two.hlo.txt", "b": "large.hlo.txt"}, "targets": ["cortex-m3"],
            "output": "out"
        }
        self.write("matrix.json", file)
        self.write(".gitignore", "out\n")
        self.shell("git", "-C", self.folder, "init", "-q")
        self.shell(*git, "add", "-A")
        self.shell(*git, "commit", "-qm", "all")
        self.assertEqual(set(self.status(self.matrix(file, "--changed-since", "HEAD")).values()),
                         {"left out"})
        self.write("large.hlo.txt", LARGE.replace("negate", "abs"))
        self.assertEqual(self.status(self.matrix(file, "--changed-since", "HEAD")),
                         {"a/cortex-m3": "left out", "b/cortex-m3": "compiled"})
        self.shell(*git, "commit", "-qam", "more")
        self.write("matrix.json", json.dumps(file))  # the matrix itself
        self.assertNotIn(
            "left out",
            self.status(self.matrix(self.folder / "matrix.json", "--changed-since",
                                    "HEAD")).values())
        self.assertIn(
            "--changed-since",
            self.refused(2, "usage", "matrix", self.folder / "matrix.json", "--changed-since",
                         "no_such"))

    def test_verify_and_gates(self):
        shutil.copy(snapshot("mlp_digits"), self.folder / "mlp_digits.snapshot.pb")
        file = {
            "models": {"m": "mlp_digits.snapshot.pb"}, "targets": ["host", "cortex-m3"],
            "verify": True, "output": "out", "gates": {"ram": 0, "flash": 10, "cycles": 0}
        }
        cells = self.matrix(file, "--report", self.folder / "base.json")
        self.assertEqual({cell["verify"]["status"] for cell in cells.values()}, {"passed"})
        self.assertTrue(
            all(
                re.fullmatch("[0-9a-f]{64}", cell["verify"]["results_sha256"])
                for cell in cells.values()))
        self.matrix(file, "--baseline", self.folder / "base.json")
        self.assertEqual(self.report["broken_gates"], [])
        base = json.loads((self.folder / "base.json").read_text())
        for cell in base["cells"]:
            cell["sizes"]["ram_bytes"] -= 1
            cell["sizes"]["flash_bytes"] = cell["sizes"]["flash_bytes"] * 100 // 109
            cell["verify"]["results_sha256"] = "0" * 64
        other = self.write("other.json", base)
        self.matrix(file, "--baseline", other, code=1)
        self.assertEqual(len(self.report["broken_gates"]), 4)
        self.assertTrue(any("RAM grew" in gate for gate in self.report["broken_gates"]))
        self.assertTrue(any("other bits" in gate for gate in self.report["broken_gates"]))
        told = self.done("matrix", "diff", other, self.folder / "base.json")
        self.assertIn("m/host", told)
        self.assertIn("RAM", told)
        self.assertEqual(self.done("matrix", "diff", other, other), "nothing moved\n")
        # Results that are wrong.
        model = (self.folder / "two.hlo.txt")
        wrong = self.folder / "wrong.pb"
        for name, values in (("x", [1.0] * 64), ("w", [2.0] * 64)):
            (self.folder / f"{name}.npy").write_bytes(
                npy("<f4", (64, ), struct.pack("<64f", *values)))
        (self.folder / "r.npy").write_bytes(npy("<f4", (64,), struct.pack("<64f", *[4.0] * 64)))
        self.done("snapshot", model, "--input", f"x={self.folder / 'x.npy'}", "--input",
                  f"w={self.folder / 'w.npy'}", "--expect", f"0={self.folder / 'r.npy'}", "-o",
                  wrong)
        cells = self.matrix(
            {
                "models": {"w": {"path": "two.hlo.txt", "verify": ["wrong.pb"]}},
                "targets": ["host"], "output": "o2"
            },
            code=1)
        self.assertEqual(cells["w/host"]["verify"]["status"], "failed")

    def test_reports(self):
        self.write("broken.hlo.txt", BROKEN)
        file = {"models": {"a|x": "two.hlo.txt"}, "targets": ["cortex-m3"]}
        self.wrong(file, 3, "a model's name is of letters")
        file = {
            "models": {"a": "two.hlo.txt", "b": "broken.hlo.txt"},
            "targets": ["cortex-m3", "rv32imc"], "axes": {"O": ["2", "s"]}
        }
        out = self.folder
        self.matrix(file,
                    "-o",
                    out / "o",
                    "--junit",
                    out / "j.xml",
                    "--markdown",
                    out / "m.md",
                    "--html",
                    out / "p.html",
                    "--report",
                    out / "r.json",
                    "--depfile",
                    out / "d",
                    code=1)
        suites = xml.etree.ElementTree.parse(out / "j.xml").getroot()
        self.assertEqual(
            {suite.get("name"): (suite.get("tests"), suite.get("failures"))
             for suite in suites}, {"cortex-m3": ("4", "2"), "rv32imc": ("4", "2")})
        markdown = (out / "m.md").read_text()
        self.assertIn("| a O=2 |", markdown)
        self.assertIn("**failed**", markdown)
        self.assertIn("b/rv32imc/O=s", (out / "p.html").read_text())
        self.assertEqual(json.loads((out / "r.json").read_text())["totals"]["compiled"], 4)
        rule = (out / "d").read_text()
        self.assertIn("libtwo.a", rule.split(":")[0])
        self.assertIn("broken.hlo.txt", rule.split(":")[1])
        self.assertIn("matrix.json", rule.split(":")[1])

    def test_fail_fast(self):
        self.write("broken.hlo.txt", BROKEN + "\n" * 5000)  # the largest file begins
        file = {
            "models": {"a": "two.hlo.txt", "b": "broken.hlo.txt"},
            "targets": ["cortex-m3", "rv32imc"]
        }
        cells = self.matrix(file, "-o", self.folder / "o", "--fail-fast", "-j", "1", code=1)
        self.assertEqual({cells[name]["status"]
                          for name in ("a/cortex-m3", "a/rv32imc")}, {"left out"})

    def test_extends(self):
        self.write(
            "base/common.json", {
                "models": {"a": "../two.hlo.txt", "b": "../large.hlo.txt"},
                "targets": ["cortex-m3"], "options": {"O": "s", "keep-arguments": True}
            })
        cells = self.matrix({
            "extends": ["base/common.json"], "models": {"b": "two.hlo.txt"}, "options": {"O": "1"},
            "exclude": [{"model": "a"}], "output": "out"
        })
        self.assertEqual(list(cells), ["b/cortex-m3"])
        options = json.loads((self.folder / "out/cortex-m3/two.json").read_text())["options"]
        self.assertEqual((options["level"], options["keep_arguments"]), ("-O1", True))
        self.write("one.json", {"extends": ["two.json"]})
        self.write("two.json", {"extends": ["one.json"]})
        self.wrong(self.folder / "one.json", 3, "extends itself")

    def test_files_that_are_none(self):
        models = '"models": {"a": "two.hlo.txt"}'
        for text, line, words, kind, code in (
            ("", 1, "is no JSON", "format", 1), ("[]", 1, "a matrix is an object", "usage", 2),
            ('{\n"model": 1}', 2, "did you mean `models`", "usage",
             2), ('{"models": {"a": "x"}}', 0, "has no cells", "usage", 2),
            ('{"models": {"a":\n {"path": "x", "pat": 1}}, "targets": ["host"]}', 2, "--pat",
             "usage", 2), (f'{{{models},\n"models": {{}}}}', 2, "stands there twice", "format", 1),
            (f'{{{models}, "targets": [\n"cortex-m44"]}}', 0, "cortex-m44", "target", 2),
            (f'{{{models}, "targets": ["host"], "options": {{\n"O": "7"}}}}', 2, "-O7", "usage",
             2), (f'{{{models}, "targets": ["host"], "options": {{\n"backend": "cpp"}}}}', 2, "cpp",
                  "target", 2), (f'{{{models}, "targets": ["host"], "options": {{\n"o": "x"}}}}', 2,
                                 "no option of a cell", "usage", 2),
            (f'{{{models}, "targets": ["host"], "options": {{\n"target": "x"}}}}', 2,
             "no option of a cell", "usage",
             2), (f'{{{models}, "targets": ["host"], "axes": {{\n"O": "s"}}}}', 2,
                  "an array of values", "usage",
                  2), (f'{{{models}, "targets": ["host"], "exclude": [{{\n"levl": "s"}}]}}', 2,
                       "there is no 'levl'", "usage", 2),
            (f'{{{models}, "targets": ["host"], "include": [\n'
             f'{{"model": "b", "target": "host"}}]}}',
             2, "no model 'b'", "usage",
             2), (f'{{{models}, "targets": ["host"], "include": [\n{{"model": "b"}}]}}', 2,
                  "no cell is like that", "usage",
                  2), (f'{{{models}, "targets": ["host"], "gates": {{\n"ram": -1}}}}', 2,
                       "a percentage", "usage", 2),
            (f'{{{models}, "targets": ["host"], "verify": \n"yes"}}', 2, "true or false", "usage",
             2), ('{"models": {"a": "two.hlo.txt",\n "b": "x/two.hlo.txt"}, "targets": ["host"]}',
                  2, "would both write", "usage", 2), ("[" * 100, 1, "nested deeper", "format",
                                                       1), ('{"extends": [\n"none.json"]}', 0,
                                                            "none.json", "file", 1)):
            with self.subTest(text=text[:60]):
                self.wrong(text, line, words, kind, code)
        self.refused(1, "file", "matrix", self.folder / "none.json")
        self.refused(2, "usage", "matrix", self.folder / "a", self.folder / "b")
        self.refused(1, "format", "matrix", "diff", self.folder / "two.hlo.txt",
                     self.folder / "two.hlo.txt")


if __name__ == "__main__":
    main()

"""hlocc in Python: files become modules, which are described, compiled, verified, saved and run;
what is wrong is a HloccError."""
import concurrent.futures
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import numpy as np

import hlocc

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
TEXT = """HloModule m, input_output_alias={{1}: (1, {}, may-alias)}
ENTRY e {
  x = f32[2,3] parameter(0)
  n = s32[] parameter(1)
  one = s32[] constant(1)
  more = s32[] add(n, one)
  t = f32[3,2] transpose(x), dimensions={1,0}
  ROOT r = (f32[3,2], s32[]) tuple(t, more)
}
"""


class Module(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hlocc_python_")
        self.folder = pathlib.Path(folder.name)
        self.addCleanup(folder.cleanup)

    def refused(self, kind, words, call, *arguments, **named):
        with self.assertRaises(hlocc.HloccError) as caught:
            call(*arguments, **named)
        self.assertEqual(caught.exception.kind, kind)
        self.assertIn(words, caught.exception.message)
        return caught.exception

    def test_import_takes_nothing_along(self):
        said = subprocess.run([
            sys.executable, "-c",
            "import sys; before = set(sys.modules); import hlocc; print(*sorted(set(sys.modules) - "
            "before))"
        ],
                              capture_output=True,
                              text=True,
                              check=True).stdout
        taken = {name.split(".")[0] for name in said.split()}
        self.assertEqual(taken - set(sys.stdlib_module_names), {"hlocc"})
        self.assertLessEqual(len(taken), 30)
        self.assertNotIn("ctypes", taken)
        self.assertEqual(set(hlocc.__all__), set(dir(hlocc)))
        self.assertTrue(all(getattr(hlocc, name) for name in hlocc.__all__))
        with self.assertRaises(AttributeError):
            hlocc.no_such

    def test_text(self):
        module = hlocc.export(TEXT, name="acme")
        self.assertEqual(repr(module), "hlocc.Module(acme: f32[2,3], s32[] -> f32[3,2], s32[])")
        self.assertEqual([(leaf.name, leaf.shape, leaf.donated, leaf.partner)
                          for leaf in module.arguments], [("x", (2, 3), False, None),
                                                          ("n", (), True, 1)])
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        for round in range(3):
            transposed, more = module.run(x + round, 41)
            np.testing.assert_array_equal(transposed, (x + round).T)
            self.assertEqual((more.dtype, more.shape, int(more)), (np.int32, (), 42))
        # Strides, foreign types of the same kind, lists.
        np.testing.assert_array_equal(
            module.run(np.asfortranarray(x.astype(np.float64)), np.int8(1))[0], x.T)
        np.testing.assert_array_equal(module.run(x.tolist(), 1)[0], x.T)

    def test_arguments_that_do_not_fit(self):
        module = hlocc.export(TEXT)
        x = np.zeros((2, 3), np.float32)
        wrong = self.refused("argument", "2 arguments, and 1 were given", module.run, x)
        self.assertIn("x: f32[2,3], n: s32[]", wrong.notes[0])
        self.refused("argument", "argument 0 (x) is f32[2,3], and not float32[3, 2]", module.run,
                     x.T, 1)
        self.refused("argument", "argument 1 (n) is s32[], and not float64[]", module.run, x, 1.5)

    def test_formats(self):
        for path, results in (("models/mlp_digits.snapshot.pb",
                               ["f32[1,10]"]), ("tflite/abs.tflite", None), ("onnx/abs.onnx", None),
                              ("stablehlo/abs.mlir", None)):
            with self.subTest(path=path):
                module = hlocc.export(DATA / path)
                if results:
                    self.assertEqual(list(map(str, module.results)), results)
                values = [
                    np.ones(leaf.shape, hlocc._dtypes.dtype_of(leaf.type))
                    for leaf in module.arguments
                ]
                out = module.run(*values)
                self.assertEqual(
                    tuple(o.shape for o in (out if isinstance(out, tuple) else (out, ))),
                    tuple(leaf.shape for leaf in module.results))
        file = self.folder / "m.hlo.txt"
        file.write_text(TEXT)
        self.assertEqual(hlocc.export(file).name, "m")
        self.assertEqual(hlocc.export(TEXT.encode()).run(np.ones((2, 3)), 3)[1], 4)

    def test_what_is_no_model(self):
        wrong = self.refused("file", "No such file", hlocc.export, self.folder / "none.pb")
        self.assertEqual(wrong.place, str(self.folder / "none.pb"))
        self.refused("file", "", hlocc.export, self.folder / "none.tflite")
        wrong = self.refused("shape", "", hlocc.export, TEXT.replace("t = f32[3,2]",
                                                                     "t = f32[3,3]"))
        self.assertRegex(wrong.place, r"model\.pb:\d+")
        self.refused("format", "", hlocc.export, b"no model")
        self.refused("usage", "not int", hlocc.export, 7)
        again = pickle.loads(pickle.dumps(wrong))
        self.assertEqual((str(again), again.kind, again.notes),
                         (str(wrong), wrong.kind, wrong.notes))

    def test_compile(self):
        module = hlocc.export(DATA / "models/ekf.snapshot.pb")
        library = module.compile("cortex-m4f",
                                 out=self.folder / "a",
                                 name="acme::Ekf",
                                 level="s",
                                 arg={0: "state"})
        subprocess.run([
            os.environ["HLOCC_TOOL"], "compile", DATA / "models/ekf.snapshot.pb", "--target",
            "cortex-m4f", "-o", self.folder / "b", "-q", "--name", "acme::Ekf", "-Os", "--arg",
            "0=state"
        ],
                       check=True)
        self.assertEqual([file.name for file in library.files], ["libekf.a", "ekf.h", "ekf.json"])
        for file in library.files:
            self.assertEqual((self.folder / "a" / file.name).read_bytes(),
                             (self.folder / "b" / file.name).read_bytes())
            self.assertEqual(file.data, (self.folder / "b" / file.name).read_bytes())
        self.assertEqual(
            (library.target, library.ram_bytes, library.folder),
            ("cortex-m4f", library.arena_bytes + library.instance_bytes, self.folder / "a"))
        self.assertIn("arm-none-eabi-gcc", library.build["gcc"]["compile"])
        self.assertIsNone(module.compile("rv32imc").folder)
        analysis = module.analyze("cortex-m4f", level="s")
        self.assertEqual((analysis.ram_bytes, analysis.flash_bytes, analysis.stack_bytes),
                         (library.ram_bytes, library.flash_bytes, library.stack_bytes))
        self.assertEqual(sum(layer.expected_cycles for layer in analysis.layers),
                         analysis.expected_cycles)
        self.assertGreater(
            len(
                self.refused("budget", "the budget is 100", module.compile, "cortex-m4f",
                             ram=100).notes), 0)
        self.refused("target", "cortex-m44", module.compile, "cortex-m44")
        self.refused("usage", "--levle", module.compile, "cortex-m4f", levle="s")

    def test_package(self):
        module = hlocc.export(DATA / "models/ekf.snapshot.pb")
        folder = module.package("cmake", ["cortex-m4f", "rv32imc"],
                                self.folder / "p",
                                package_version="1.2.3")
        self.assertEqual(folder, self.folder / "p")
        self.assertEqual(len(list(folder.glob("**/libekf*.a"))), 2)
        self.refused("usage", "", module.package, "rpm", ["host"], self.folder / "q")

    def test_verify(self):
        module = hlocc.export(DATA / "models/mlp_digits.snapshot.pb")
        self.assertTrue(module.verify("cortex-m0"))  # on the snapshot's own values
        x = np.linspace(0, 1, 64, dtype=np.float32).reshape(1, 64)
        verified = module.verify(["cortex-m4f", "rv32imc"], [x])
        self.assertEqual([(case.target, case.status) for case in verified.cases],
                         [("cortex-m4f", "passed"), ("rv32imc", "passed")])
        y = module.run(x)
        self.assertTrue(module.verify("cortex-m4f", [x], expected=[y], rtol=1e-5, atol=1e-5))
        wrong = module.verify("cortex-m4f", [x], expected=[y + 1])
        self.assertFalse(wrong)
        self.assertIn("result0", wrong.cases[0].why)
        # What another program computes is asked where the module has it.
        module.reference = lambda *leaves: [y + 1]
        self.assertFalse(module.verify("host", [x]))
        self.refused("argument",
                     "1 results, and 0 were given",
                     module.verify,
                     "host", [x],
                     expected=[])

    def test_snapshot(self):
        path = self.folder / "s.pb"
        hlocc.export(TEXT).snapshot(path, np.ones((2, 3)), 5)
        self.assertTrue(hlocc.export(path).verify("host"))
        hlocc.export(TEXT).snapshot(path, np.ones((2, 3)), 5, expected=[np.ones((3, 2)), 7])
        self.assertFalse(hlocc.export(path).verify("host"))

    def test_types_that_numpy_lacks(self):
        module = hlocc.export(
            "HloModule m\nENTRY e {\n x = bf16[2] parameter(0)\n ROOT r = bf16[2] add(x, x)\n}\n")
        try:
            import ml_dtypes
        except ImportError:
            wrong = self.refused("unsupported", "NumPy has no bf16", module.run, np.ones(2))
            self.assertIn("ml_dtypes", wrong.notes[0])
            return
        out = module.run(np.array([1, 2], ml_dtypes.bfloat16))
        self.assertEqual((out.dtype, out.tolist()), (ml_dtypes.bfloat16, [2, 4]))
        self.assertTrue(module.verify("host", [out]))

    def test_targets(self):
        names = [target.name for target in hlocc.targets()]
        self.assertLessEqual({"cortex-m4f", "rv32imc", "host"}, set(names))
        self.assertEqual(
            next(target for target in hlocc.targets()
                 if target.name == "cortex-m0").facts["pointer_bits"], 32)

    def test_matrix(self):
        models = {"a": hlocc.export(TEXT), "b": DATA / "models/ekf.snapshot.pb"}
        targets = ["cortex-m0", {"target": "rv32imc", "O": "s"}]
        report = hlocc.matrix(models, targets, out=self.folder / "m", verify=False)
        self.assertTrue(report)
        self.assertEqual([cell.id for cell in report],
                         ["a/cortex-m0", "a/rv32imc", "b/cortex-m0", "b/rv32imc"])
        self.assertGreater(report["b/rv32imc"].flash_bytes, 1000)
        self.assertEqual(sorted(path.name for path in (self.folder / "m/rv32imc").iterdir()),
                         sorted([*(f"lib{m}.a" for m in "ab"), "a.h", "b.h", "a.json", "b.json"]))
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            spread = hlocc.matrix(models, targets, out=self.folder / "s", executor=pool)
        self.assertEqual([(cell.id, cell.flash_bytes) for cell in spread],
                         [(cell.id, cell.flash_bytes) for cell in report])
        for path in (self.folder / "m").glob("*/*"):
            self.assertEqual(path.read_bytes(),
                             (self.folder / "s" / path.relative_to(self.folder / "m")).read_bytes())
        failed = hlocc.matrix(models,
                              targets,
                              include=[{"model": "b", "target": "cortex-m0", "ram": "16"}])
        self.assertFalse(failed)
        self.assertIn("error[budget]", failed["b/cortex-m0"].error)
        self.refused("usage",
                     "no model 'c'",
                     hlocc.matrix,
                     models,
                     targets,
                     include=[{"model": "c", "target": "host"}])
        self.refused("file", "No such file", hlocc.matrix, {"n": self.folder / "none.pb"}, targets)

    def test_places_that_are_not_there(self):
        for variable, call in (("HLOCC_TOOL", "hlocc.targets()"), ("HLOCC_LIBRARY",
                                                                   "hlocc.version()")):
            ran = subprocess.run([
                sys.executable, "-c",
                f"import hlocc\ntry: {call}\nexcept hlocc.HloccError as e: print(e.kind, e.message)"
            ],
                                 env={**os.environ, variable: "/none"},
                                 capture_output=True,
                                 text=True,
                                 check=True)
            self.assertEqual(ran.stdout, "environment there is no /none\n")

    def test_prefix(self):
        tool, config = (self.folder / name
                        for name in ("bin/hlocc", "share/cmake/hlocc/hloccConfig.cmake"))
        tool.parent.mkdir()
        tool.touch()
        with unittest.mock.patch.dict(os.environ, HLOCC_TOOL=str(tool)):
            self.refused("environment", "is not installed", hlocc.prefix)
            config.parent.mkdir(parents=True)
            config.touch()
            self.assertEqual(hlocc.prefix(), self.folder.resolve())


if __name__ == "__main__":
    unittest.main()

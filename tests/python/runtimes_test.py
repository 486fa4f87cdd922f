"""What `verify` compares with for files: the runtime that is installed. Run where ONNX Runtime,
LiteRT or TensorFlow Lite Micro are (tests of those that are not are skipped), each alone or
together."""
import importlib.util
import pathlib
import unittest

import numpy as np

import hlocc
from hlocc import _runtimes

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
RANDOM = np.random.default_rng(4)


def has(name):
    return importlib.util.find_spec(name) is not None


def given(module):
    """An array for each argument."""
    arrays = [
        RANDOM.normal(
            size=leaf.shape).astype(hlocc._dtypes.dtype_of(leaf.type)) if leaf.type.startswith("f")
        else RANDOM.integers(0, 100, leaf.shape).astype(hlocc._dtypes.dtype_of(leaf.type))
        for leaf in module.arguments
    ]
    return arrays


class Runtimes(unittest.TestCase):
    def compared(self, path, **how):
        """Results of runtime and of hlocc."""
        module = hlocc.export(path, **how)
        arrays = given(module)
        wanted = module.reference(*arrays)
        self.assertIsNotNone(wanted, path)
        got = module.run(*arrays)
        self.assertTrue(module.verify("host", arrays, rtol=1e-4, atol=1e-5))
        return wanted, got if isinstance(got, tuple) else (got,)

    @unittest.skipUnless(has("onnxruntime"), "no ONNX Runtime")
    def test_onnx(self):
        for name in ("abs", "softmax", "gemm", "conv", "lstm"):
            with self.subTest(name):
                wanted, got = self.compared(DATA / f"onnx/{name}.onnx")
                for one, other in zip(got, wanted):
                    np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)

    @unittest.skipUnless(has("onnxruntime"), "no ONNX Runtime")
    def test_it_is_asked(self):
        """A runtime that says something else makes verify fail; one that fails is not asked."""
        module = hlocc.export(DATA / "onnx/abs.onnx")
        arrays, ask = given(module), module.reference
        module.reference = lambda *leaves: [leaf + 1 for leaf in ask(*leaves)]
        self.assertFalse(module.verify("host", arrays))
        self.assertIsNone(ask(*arrays, arrays[0]))

    @unittest.skipUnless(has("tflite_micro"), "no TensorFlow Lite Micro")
    def test_micro(self):
        for name in ("abs", "conv_same", "conv_groups", "softmax", "abs_f32"):
            with self.subTest(name):
                wanted, got = self.compared(DATA / f"tflite/{name}.tflite")
                for one, other in zip(got, wanted):
                    np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)

    @unittest.skipUnless(has("ai_edge_litert"), "no LiteRT")
    def test_litert(self):
        for rounding in ("litert", "xnnpack"):
            for name in ("conv_same", "conv_stride", "conv_valid_dilated"):
                with self.subTest(path=name, rounding=rounding):
                    wanted, got = self.compared(DATA / f"tflite/{name}.tflite", rounding=rounding)
                    for one, other in zip(got, wanted):
                        np.testing.assert_array_equal(one, other)
        # It has not the integers of TensorFlow Lite Micro.
        run = lambda name: _runtimes._litert((DATA / f"tflite/{name}.tflite").read_bytes(), "tflm")
        self.assertIsNone(run("abs"))
        module = hlocc.export(DATA / "tflite/abs_f32.tflite")
        np.testing.assert_array_equal(
            run("abs_f32")(given(module))[0].shape, module.results[0].shape)

    def test_what_has_none(self):
        """HLO; models with state; sizes that are given; and where no runtime is installed hlocc's
        interpreter is asked."""
        self.assertIsNone(hlocc.export(DATA / "models/mlp_digits.snapshot.pb").reference)
        for path in sorted((DATA / "tflite").glob("*.tflite")):
            module = hlocc.export(path) if "svdf" in path.name else None
            if module is not None and any(leaf.donated for leaf in module.arguments):
                self.assertIsNone(module.reference)
                break
        else:
            self.fail("no model with state among the cases")
        module = hlocc.export(DATA / "onnx/abs.onnx")
        module.reference = lambda *leaves: None
        self.assertTrue(module.verify("host", given(module)))


if __name__ == "__main__":
    unittest.main()

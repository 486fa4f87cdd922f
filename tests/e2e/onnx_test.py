"""ONNX models on the command line: sizes that they leave open, arguments that decide shapes, data
in files beside them."""
import shutil
import struct

from harness import ROOT, Test, main

OPEN = ROOT / "tests/data/onnx/open"


def npy(path, kind, code, *values, shape=None):
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape or (len(values),)}, }}"
    text += " " * (64 - (10 + len(text) + 1) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() +
                     struct.pack(f"<{len(values)}{code}", *values))
    return path


class Onnx(Test):
    def test_an_open_size_is_fixed_by_its_name(self):
        told = self.refused(1, "unsupported", "convert", OPEN / "batch.onnx", "-o",
                            self.folder / "m.pb")
        self.assertIn("the size of dimension 0 (batch) is left open", told)
        self.assertIn("--dim batch=1 fixes it", told)
        for name in ("batch", "0", "x:0"):
            told = self.done("inspect", OPEN / "batch.onnx", "--dim", f"{name}=4")
            self.assertIn("f32[4,3]", told)
            self.assertIn("f32[4,2]", told)

    def test_minus_one_is_an_open_size(self):
        self.assertIn("--dim x:0=1 fixes it",
                      self.refused(1, "unsupported", "inspect", OPEN / "minus_one.onnx"))
        self.assertIn("f32[4,2]", self.done("inspect", OPEN / "minus_one.onnx", "--dim", "x:0=4"))

    def test_sizes_that_are_refused(self):
        told = self.refused(2, "usage", "inspect", OPEN / "batch.onnx", "--dim", "batsh=1")
        self.assertIn("the model leaves no such size open", told)
        self.assertIn("did you mean `batch`?", told)
        told = self.refused(2, "usage", "inspect", OPEN / "shape.onnx", "--dim", "0=1", "--freeze",
                            f"shape={self.shape()}")
        self.assertIn("all sizes of its arguments are fixed", told)
        for wish in ("batch", "=1", "batch=", "batch=x", "batch=-1"):
            self.assertIn("it is NAME=SIZE",
                          self.refused(2, "usage", "inspect", OPEN / "batch.onnx", "--dim", wish))
        self.assertIn(
            "has a size already",
            self.refused(2, "usage", "inspect", OPEN / "batch.onnx", "--dim", "batch=1", "--dim",
                         "batch=2"))
        model = self.folder / "m.hlo.txt"
        model.write_text("HloModule m\nENTRY e { ROOT x = f32[4] parameter(0) }\n")
        self.assertIn("HLO leaves no size open",
                      self.refused(2, "usage", "inspect", model, "--dim", "batch=1"))
        tflite = ROOT / "tests/data/tflite/conv_same.tflite"
        self.assertIn("the model leaves no such size open",
                      self.refused(2, "usage", "inspect", tflite, "--dim", "7=1"))
        self.assertIn(
            "a snapshot's values would not fit",
            self.refused(2, "usage", "verify", OPEN / "batch.onnx", "--dim", "batch=1", "--target",
                         "host"))

    def shape(self):
        return npy(self.folder / "shape.npy", "<i8", "q", 3, 2)

    def test_an_argument_that_decides_a_shape_is_frozen(self):
        told = self.refused(1, "unsupported", "inspect", OPEN / "shape.onnx")
        self.assertIn("--freeze shape=FILE.npy makes it a constant", told)
        x = npy(self.folder / "x.npy", "<f4", "f", *range(6))
        y = npy(self.folder / "y.npy", "<f4", "f", *range(6), shape=(3, 2))
        self.done("verify", OPEN / "shape.onnx", "--freeze", f"shape={self.shape()}", "--input",
                  f"x={x}", "--expect", f"0={y}")
        wide = npy(self.folder / "wide.npy", "<i8", "q", 3, 2, 1)
        self.assertIn(
            "wide.npy",
            self.refused(1, "argument", "inspect", OPEN / "shape.onnx", "--freeze",
                         f"shape={wide}"))
        self.assertIn(
            "no argument shap",
            self.refused(2, "usage", "inspect", OPEN / "shape.onnx", "--freeze",
                         f"shape={self.shape()}", "--freeze", f"shap={self.shape()}"))

    def test_data_beside_the_model(self):
        shutil.copy(OPEN / "external.onnx", self.folder)
        model, data = self.folder / "external.onnx", self.folder / "external.bin"
        self.assertIn("external.bin", self.refused(1, "file", "inspect", model))
        shutil.copy(OPEN / "external.bin", data)
        self.done("convert", model, "-o", self.folder / "m.pb")
        self.check_builds(model, data)
        data.rename(self.folder / "real.bin")
        data.symlink_to("real.bin")
        self.assertIn("is, or lies behind, a link", self.refused(1, "file", "inspect", model))
        data.unlink()
        data.write_bytes((self.folder / "real.bin").read_bytes()[:-1])
        self.assertIn("bytes, not", self.refused(1, "format", "inspect", model))
        told = self.refused(1, "file", "inspect", "-", stdin=(OPEN / "external.onnx").read_bytes())
        self.assertIn("a model from standard input", told)

    def check_builds(self, model, data):
        """What a build knows of the file beside the model: the rule for make names it, and the
        cache sees it change."""
        whole = data.read_bytes()

        def compiled(place):
            self.done("compile", model, "--target", "cortex-m4f", "-o", self.folder / place,
                      "--cache", self.folder / "cache", "-q", "--depfile", self.folder / "m.d",
                      "--emit", "lib")
            return (self.folder / place / "libexternal.a").read_bytes()
        first = compiled("a")
        self.assertIn(str(data), (self.folder / "m.d").read_text())
        data.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        self.assertNotEqual(compiled("b"), first)
        data.write_bytes(whole)
        self.assertEqual(compiled("c"), first)


main()

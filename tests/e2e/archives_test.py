"""Archives of models (.task), files of several signatures, and sizes that a .tflite file leaves
open."""
import io
import struct
import zipfile

from harness import ROOT, Test, main

MODELS = ROOT / "tests/data/tflite"
ONE, OTHER = (MODELS / f"{name}.tflite" for name in ("conv_same", "softmax"))


def packed(method=zipfile.ZIP_STORED, **members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return bytearray(out.getvalue())


def central(content, number=0):
    """Where a member's entry of the directory stands."""
    at = -1
    for _ in range(number + 1):
        at = content.index(b"PK\x01\x02", at + 1)
    return at


class Archives(Test):
    def archive(self, content):
        path = self.folder / "a.task"
        path.write_bytes(content)
        return path

    def refuse(self, kind, content, words, *more):
        told = self.refused(2 if kind == "usage" else 1, kind, "inspect", self.archive(content),
                            *more)
        self.assertIn(words, told)
        return told

    def test_the_only_model(self):
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            path = self.archive(packed(method, notes_txt=b"x" * 100, m_tflite=ONE.read_bytes()))
            self.done("convert", path, "-o", self.folder / "a.pb")
            self.done("convert", ONE, "-o", self.folder / "b.pb")
            self.assertEqual((self.folder / "a.pb").read_bytes(),
                             (self.folder / "b.pb").read_bytes())
        self.done("compile", path, "--target", "cortex-m4f", "-o", self.folder / "lib")

    def test_members(self):
        content = packed(one_tflite=ONE.read_bytes(), other_tflite=OTHER.read_bytes())
        told = self.refuse("usage", content, "is an archive of 2 models")
        self.assertIn("--member one.tflite, --member other.tflite", told)
        self.refuse("usage", content, 'the archive has no "m.tflite"', "--member", "m.tflite")
        self.assertIn("s8[", self.done("inspect", self.archive(content), "--member", "one.tflite"))
        inner = packed(a_task=bytes(content), b_tflite=ONE.read_bytes())
        told = self.refuse("usage", inner, "is an archive of 2 models", "--member", "a.task")
        self.assertIn("s8[",
                      self.done("inspect", self.archive(inner), "--member", "a.task/one.tflite"))
        self.assertIn(
            "s8[",
            self.done("inspect",
                      self.archive(packed(x_task=bytes(packed(m_tflite=ONE.read_bytes()))))))
        self.assertIn("the file is no zip archive",
                      self.refused(2, "usage", "inspect", ONE, "--member", "x"))
        self.refuse("format", packed(notes_txt=b"x"), "a zip archive")
        self.refuse("usage", packed(notes_txt=b"x"), "has no \"m\"", "--member", "m")

    def test_archives_without_end(self):
        content = ONE.read_bytes()
        for _ in range(5):
            content = packed(a_task=bytes(content)) if content[:2] == b"PK" else packed(
                m_tflite=content)
        self.refuse("limit", content, "archives so deep inside one another")

    def test_what_an_archive_says_is_held_against_its_bytes(self):
        model = ONE.read_bytes()
        whole = packed(m_tflite=model, n_txt=b"n" * 40)
        entry, end = central(whole), whole.index(b"PK\x05\x06")

        def changed(at, form, value):
            content = bytearray(whole)
            struct.pack_into(form, content, at, value)
            return content

        self.refuse("format", whole[:-1], "has no directory")
        self.refuse("format", changed(end + 16, "<I", end + 1), "has a directory that lies outside")
        self.refuse("format", changed(end + 12, "<I", end), "has a directory that lies outside")
        self.refuse("unsupported", changed(end + 16, "<I", 0xffffffff), "is of the form zip64")
        self.refuse("unsupported", changed(end + 4, "<H", 1), "is one of several parts")
        self.refuse("format", changed(entry, "<I", 0), "has a directory that ends too early")
        self.refuse("format", changed(entry + 28, "<H", 60000),
                    "has a directory that ends too early")
        self.refuse("unsupported", changed(entry + 8, "<H", 1), 'has "m.tflite" encrypted')
        self.refuse("unsupported", changed(entry + 10, "<H", 12), "packed by method 12")
        self.refuse("unsupported", changed(entry + 24, "<I", 0xffffffff), "is of the form zip64")
        self.refuse("format", changed(entry + 42, "<I", 8),
                    "has no member \"m.tflite\" where its directory says")
        self.refuse("format", changed(entry + 20, "<I", len(whole)), "reach into its directory")
        self.refuse("format", changed(entry + 24, "<I", 5), "is stored in")
        self.refuse("format", changed(entry + 16, "<I", 5), "than its checksum says")
        self.refuse("format", changed(central(whole, 1) + 42, "<I", 0), 'overlap')

    def test_names_that_stand_twice(self):
        whole = packed(m_tflite=ONE.read_bytes(), n_tflite=OTHER.read_bytes())
        at = whole.rindex(b"n.tflite")
        whole[at:at + 1] = b"m"
        self.refuse("format", whole, 'has "m.tflite" twice')

    def test_bombs(self):
        whole = packed(zipfile.ZIP_DEFLATED, m_tflite=bytes(1 << 20))
        entry = central(whole)
        self.refuse("format", whole, "is no HLO")
        for size in (1 << 20) - 1, (1 << 20) + 1:
            content = bytearray(whole)
            struct.pack_into("<I", content, entry + 24, size)
            self.refuse("format", content, "packed wrongly, or of another size")
        content = bytearray(whole)
        struct.pack_into("<I", content, entry + 24, 1 << 29)
        self.refuse("format", content, "says that \"m.tflite\" has 536870912 bytes")
        struct.pack_into("<I", content, entry + 24, 0xfffffff0)
        self.refuse("limit", content, "is larger than")
        self.refuse("limit", whole, "a packed member", "--limits", "work=1000000")
        at = whole.index(b"m.tflite") + 8
        content = bytearray(whole)
        content[at] ^= 0xff
        self.refuse("format", content, "packed wrongly")

    def test_signatures(self):
        model = MODELS / "open/signatures.tflite"
        told = self.refused(2, "usage", "inspect", model)
        self.assertIn("the model has 2 signatures", told)
        self.assertIn("--signature add, --signature subtract", told)
        self.assertIn('the model has no "mul"',
                      self.refused(2, "usage", "inspect", model, "--signature", "mul"))
        for name, other in ("add", "subtract"), ("subtract", "add"):
            self.done("convert", model, "--signature", name, "-o", self.folder / "m.pb")
            made = (self.folder / "m.pb").read_bytes()
            self.assertIn(name.encode(), made)
            self.assertNotIn(other.encode(), made)
        told = self.refused(2, "usage", "inspect", ROOT / "tests/data/onnx/open/batch.onnx",
                            "--signature", "x")
        self.assertIn("only .tflite files have signatures", told)
        self.assertIn("it has no signature",
                      self.refused(2, "usage", "inspect", ONE, "--signature", "x"))

    def test_roundings(self):
        made = set()
        for rounding in "tflm", "litert", "xnnpack":
            self.done("convert", MODELS / "dense.tflite", "--rounding", rounding, "-o",
                      self.folder / "m.pb")
            made.add((self.folder / "m.pb").read_bytes())
        self.assertEqual(len(made), 3)
        self.refused(2, "usage", "inspect", MODELS / "dense.tflite", "--rounding", "mine")
        told = self.refused(2, "usage", "inspect", ROOT / "tests/data/onnx/open/batch.onnx",
                            "--rounding", "tflm")
        self.assertIn("other files than .tflite", told)

    def test_sizes_that_a_tflite_file_leaves_open(self):
        model = MODELS / "open/sizes.tflite"
        for dims, shape in ((("--dim", "0=3"), "f32[3,4]"), (("--dim", "x:1=8"), "f32[1,8]"),
                            (("--dim", "0=3", "--dim", "1=8"), "f32[3,8]"), ((), "f32[1,4]")):
            self.assertIn(shape, self.done("inspect", model, *dims))
        self.done("compile", model, "--dim", "0=3", "--target", "cortex-m4f", "-o",
                  self.folder / "lib")
        told = self.refused(1, "structure", "inspect", model, "--dim", "1=5")
        self.assertIn("RESHAPE", told)


main()

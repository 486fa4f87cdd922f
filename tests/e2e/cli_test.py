"""The command line: verbs, names, exit codes, diagnostics as text and as JSON, inputs and outputs
of `run`."""
import json
import os
import re
import shutil
import struct

from harness import HLOCC, MODELS, Test, hlocc, main, npy, snapshot


def npy_values(path):
    """The numbers of an f32 .npy file."""
    data = path.read_bytes()
    header = struct.unpack("<H", data[8:10])[0]
    body = data[10 + header:]
    return struct.unpack(f"<{len(body) // 4}f", body)


def write_npy(path, values, shape):
    path.write_bytes(npy("<f4", shape, struct.pack(f"<{len(values)}f", *values)))


class Refusals(Test):
    def test_tolerances(self):
        for wrong in ["-1", "nan", "inf", "1e-4x", "1e999"]:
            for flag in ["--rtol", "--atol"]:
                self.assertIn(
                    f"{flag} {wrong}: a tolerance is",
                    self.refused(2, "usage", "verify", snapshot("mlp_digits"), f"{flag}={wrong}"))
        self.assertIn("--streams",
                      self.refused(2, "usage", "verify", "--streams", "1", "--rtol", "1"))
        self.done("verify", snapshot("mlp_digits"), "--rtol", "1e-3", "--atol", "1e-3")
        self.refused(2, "usage", "run", snapshot("mlp_digits"), "--rtol", "1")

    def test_usage(self):
        self.refused(2, "usage")
        self.refused(2, "usage", "dance")
        self.refused(2, "usage", "compile")
        self.refused(2, "usage", "compile", snapshot("mlp_digits"), "--no-such-flag")
        self.refused(2, "usage", "compile", snapshot("mlp_digits"), "--emit", "reprot")
        self.refused(2, "usage", "compile", snapshot("mlp_digits"), "--print-after", "lunch")
        self.refused(2, "target", "compile", snapshot("mlp_digits"), "--target", "no-such-chip")
        self.refused(2, "target", "compile", snapshot("mlp_digits"), "--backend", "interpreter")
        self.refused(2, "target", "run", snapshot("mlp_digits"), "--backend", "abacus")
        self.refused(2, "target", "targets", "no-such-chip")

    def test_names(self):
        model = snapshot("mlp_digits")
        self.refused(2, "usage", "compile", model, "--name", "a b", "-o", self.folder)
        self.refused(2, "usage", "compile", model, "--arg", "0=not-a-name", "-o", self.folder)
        self.refused(2, "usage", "compile", model, "--arg", "1=x", "-o", self.folder)
        self.refused(2, "usage", "compile", model, "--result", "0=x", "--result", "0=y", "-o",
                     self.folder)
        self.assertEqual(self.files(), [])
        self.assertIn(
            "time.h would hide <time.h>, a header of C",
            self.refused(2, "usage", "compile", model, "--name", "acme::Time", "-o", self.folder))
        self.assertIn(
            "std is the namespace of C++'s library",
            self.refused(2, "usage", "compile", model, "a=" + str(model), "--shared-arena",
                         "--name", "std::vector", "-o", self.folder))

    def test_files_whose_names_are_taken(self):
        """Versions stay apart, and what would shadow a header, a library or a member is called
        otherwise."""
        model = self.folder / "kws.v1.hlo.pb"
        model.write_bytes(snapshot("mlp_digits").read_bytes())
        for name, stem in [("kws.v1.hlo.pb", "kws_v1"), ("kws.v2.hlo.pb", "kws_v2"),
                           ("m.pb", "m_model"), ("time.pb", "time_model"), ("run.pb", "run_model"),
                           ("static.pb", "static_model")]:
            other = self.folder / name
            if other != model:
                shutil.copy(model, other)
            out = self.folder / "out" / name
            self.done("compile", other, "-o", out)
            self.assertEqual(self.files(out), sorted([f"{stem}.h", f"{stem}.json", f"lib{stem}.a"]))
            (self.folder / "main.cpp"
             ).write_text(f'#include <ctime>\n#include "{stem}.h"\nint main() {{ return 0; }}\n')
            self.shell("g++", "-Wall", "-Werror", "-I", out, "-fsyntax-only",
                       self.folder / "main.cpp")

    def test_another_interface_than_before_is_said(self):
        def told(*arguments):
            ran = hlocc("compile", *arguments, "-o", self.folder, "--target", "cortex-m4f")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            return ran.stderr.decode()

        other = self.folder / "other.hlo.txt"
        other.write_text("HloModule other\nENTRY e { ROOT x = f32[4] parameter(0) }\n")
        model = snapshot("mlp_digits")
        self.assertEqual(told(model, "--name", "acme::Kws"), "")
        self.assertEqual(told(model, "--name", "acme::Kws", "-Os"), "")
        self.assertIn("note: " + str(self.folder / "kws.json") + " was of acme::Kws(",
                      told(model, "--name", "Kws"))
        self.assertIn("is now of Kws(x: f32[4]) -> (f32[4])", told(other, "--name", "Kws"))
        self.assertEqual(told(model, "--name", "acme::Kws", "-q"), "")
        many = "".join(f"  p{i} = f32[4] parameter({i})\n" for i in range(200))
        other.write_text(f"HloModule other\nENTRY e {{\n{many}  ROOT x = f32[4] negate(p0)\n}}\n")
        self.assertLess(len(told(other, "--name", "Kws")), 2000)
        # Whatever lies there: no manifest of ours, or one whose members are of other types.
        for text in ("{}", "[1]", "{", '{"schema":1,"options":[]}', '{"schema":null,"options":{}}'):
            (self.folder / "kws.json").write_text(text)
            self.assertEqual(told(model, "--name", "acme::Kws"), "")
        for text in (
                '{"schema":1,"options":{"name":7},"arguments":3,"results":[[],{"shape":"x","name":{},"donated":1}]}',
                '{"schema":1,"options":{},"models":[4]}'):
            (self.folder / "kws.json").write_text(text)
            self.assertIn("kws.json was of ", told(model, "--name", "acme::Kws"))

    def test_bad_files(self):
        errors = self.refused(1, "file", "compile", self.folder / "missing.pb")
        self.assertIn("missing.pb", errors)
        photo = b"\xff\xd8\xff\xe0" + b"x" * 100
        cut = snapshot("mlp_digits").read_bytes()[:5000]
        # A file that is none of the binary forms is taken for text.
        for name, kind, content in [("empty.pb", "format", b""), ("photo.jpg", "format", photo),
                                    ("cut.pb", "format", cut)]:
            path = self.folder / name
            path.write_bytes(content)
            errors = self.refused(1, kind, "compile", path, "-o", self.folder / "out")
            self.assertTrue(errors.startswith(str(path)), errors)
        self.assertFalse((self.folder / "out").exists())

    def test_other_formats_come_with_their_conversion(self):
        def refused(name, content, what, *told):
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            errors = self.refused(1, "format", "compile", path, "-o", self.folder / "out")
            self.assertIn(f"is no HLO but {what}", errors)
            for text in told:
                self.assertIn(text, errors)
        artifact = b"ML\xefR\x0dStableHLO_v1.15.0\0\1" + bytes(range(1, 64))
        refused("kws.mlirbc", artifact, "MLIR bytecode", "deserialize_portable_artifact",
                "'kws.mlir'", "kws.mlirbc")
        refused("kws.export", b"<\0\0\0" + bytes(60) + artifact, "a function that jax.export wrote",
                "jax.export.deserialize")
        refused("saved/saved_model.pb", b"\x08\x01\x12\x06\x0a\x04\x2a\x02v2",
                "a TensorFlow SavedModel", f"tf.saved_model.load('{self.folder}/saved')",
                "hlo_serialized")

    def test_texts_and_pickles(self):
        text = "HloModule m\nENTRY e { ROOT x = f32[4] parameter(0) }\n"
        for name, content, what in [
            ("wide.hlo", text.encode("utf-16"), "text in UTF-16"),
            ("wide2.hlo", b"\xfe\xff" + text.encode("utf-16-be"), "text in UTF-16"),
            ("model.pkl", b"\x80\x04\x95" + bytes(20) + b"}.", "a Python pickle"),
            ("model.pt", b"PK\x03\x04" + bytes(40), "a zip archive"),
            ("model.h5", b"\x89HDF\r\n" + bytes(40), "an HDF5 file")
        ]:
            (self.folder / name).write_bytes(content)
            self.assertIn(
                f"is no HLO but {what}",
                self.refused(1, "format", "compile", self.folder / name, "-o", self.folder / "out"))
        (self.folder / "marked.hlo").write_bytes(b"\xef\xbb\xbf" + text.encode())
        self.assertIn("argument  0", self.done("inspect", self.folder / "marked.hlo"))

    def test_names_reach_no_terminal_as_they_are(self):
        ran = hlocc("compile", self.folder / "red\x1b[31m\x7f.pb")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(rb"red\x1b[31m\x7f.pb", ran.stderr)
        self.assertNotIn(b"\x1b", ran.stderr)
        self.assertNotIn(b"\x7f", ran.stderr)

    def test_folders_are_called_what_they_are(self):
        (self.folder / "models").mkdir()
        errors = self.refused(1, "file", "compile", self.folder / "models")
        self.assertIn(f"{self.folder}/models: error[file]: is a folder, not a file", errors)
        (self.folder / "models" / "kws.pb").touch()
        self.assertIn("models/kws.pb", self.refused(1, "file", "compile", self.folder / "models"))
        (self.folder / "models" / "saved_model.pb").touch()
        errors = self.refused(1, "file", "compile", self.folder / "models")
        self.assertIn("is a folder, a TensorFlow SavedModel", errors)
        self.assertIn("tf.saved_model.load", errors)

    def test_json(self):
        ran = hlocc("compile", self.folder / "missing.pb", "--json")
        self.assertEqual(ran.returncode, 1)
        error = json.loads(ran.stderr)
        self.assertEqual(list(error), ["schema", "kind", "message", "file", "line", "notes"])
        self.assertEqual(error["kind"], "file")
        self.assertEqual(error["file"], str(self.folder / "missing.pb"))
        error = json.loads(hlocc("compile", "--json", "--bad-flag").stderr)
        self.assertEqual(error["kind"], "usage")


class Triples(Test):
    def test_any_triple_says_what_it_assumed(self):
        model, out = snapshot("mlp_digits"), self.folder / "out"
        ran = hlocc("compile", model, "-o", out, "--target", "thumbv7m-none-eabi")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("assumed 32-bit pointers", ran.stderr.decode())
        self.assertEqual(
            hlocc("compile", model, "-o", out, "--target", "thumbv7m-none-eabi", "--json").stderr,
            b"")
        self.assertEqual(hlocc("compile", model, "-o", out, "--target", "cortex-m3").stderr, b"")

    def test_presets_can_be_changed(self):
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--target", "cortex-m4f",
                  "--float-abi", "soft")
        told = self.manifest("mlp_digits.json")
        self.assertEqual(told["options"]["float_abi"], "soft")
        self.assertIn("__aeabi_fmul", told["undefined"])
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--target", "cortex-m4f",
                  "--features=+fp64")
        self.assertIn("+fp64", self.manifest("mlp_digits.json")["options"]["features"])
        self.refused(2, "target", "compile", snapshot("mlp_digits"), "--target", "cortex-m4f",
                     "--cpu", "pentium")

    def test_a_changed_preset_reaches_as_far(self):
        """rv64gc's memory begins at 2 GB: addresses are made from the program counter."""
        for changes in [[], ["--features=+zbb"]]:
            self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--target", "rv64gc",
                      *changes, "--emit", "asm")
            text = (self.folder / "mlp_digits.s").read_text()
            self.assertEqual(("%pcrel_hi(" in text, "%hi(" in text), (True, False), changes)


class Nonsense(Test):
    """What no chip is, or no linker takes, is refused with the cure; what stands just beside it is
    served."""

    def refuse(self, told, *arguments):
        errors = self.refused(2, "target", "compile", snapshot("mlp_digits"), "-o", self.folder,
                              *arguments)
        self.assertIn(told, errors)
        self.assertIn("note: ", errors)
        self.assertEqual(self.files(), [])

    def test_processors_of_another_family(self):
        self.refuse("'cortex-a53' is of armv8-a", "--target", "cortex-m4f", "--cpu", "cortex-a53")
        self.refuse("'cortex-m4' is of armv7e-m", "--target", "armv7-linux", "--cpu", "cortex-m4")
        self.refuse("is one of 64 bits", "--target", "rv32imc", "--cpu", "sifive-u74")
        self.refuse("did you mean `cortex-m7`", "--target", "cortex-m4f", "--cpu", "cortexm7")
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--target", "cortex-m4f",
                  "--cpu", "cortex-m7")

    def test_float_abis_without_registers(self):
        for preset in ["cortex-m0", "cortex-m3", "cortex-m4", "cortex-m33-nofp", "rv32imc"]:
            self.refuse("--float-abi hard", "--target", preset, "--float-abi", "hard")
        self.refuse("--float-abi softfp", "--target", "cortex-m3", "--float-abi", "softfp")
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--target", "cortex-m4f",
                  "--float-abi", "softfp")
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--target", "rv32imafc",
                  "--float-abi", "hard")

    def test_features_of_other_families(self):
        self.refuse("no NEON", "--target", "cortex-m7", "--features", "+neon")
        self.refuse("cortex-m3 has no floating-point unit", "--target", "cortex-m4f", "--cpu",
                    "cortex-m3")
        self.refuse("has no floating-point unit", "--target", "cortex-m0", "--features",
                    "+vfp4d16sp")
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder / "a", "--target",
                  "cortex-m4", "--cpu", "cortex-m3")
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder / "a", "--target",
                  "cortex-m4f", "--cpu", "cortex-m33")
        shutil.rmtree(self.folder / "a")
        self.refuse("only microcontrollers", "--target", "armv7-linux", "--features", "+mve")
        self.refuse("hexagonv67 is older than V68", "--target", "hexagon-v67", "--features",
                    "+hvxv68,+hvx-length128b")
        self.refuse("vectors of 64 bytes", "--target", "hexagon-v67", "--features",
                    "+hvxv67,+hvx-length64b")
        self.refuse("the width is the triple's", "--target", "rv32imc", "--features", "+64bit")
        self.refuse("did you mean `+vfp4`", "--target", "cortex-m4f", "--features", "+vpf4")

    def test_presets_that_are_misspelt(self):
        self.refuse("did you mean `cortex-m4f`", "--target", "cortex-m4ff")
        self.refuse("did you mean `rv32imc`", "--target", "rv32-imc")

    def test_no_target_says_which_was_taken(self):
        def notes(*more):
            return hlocc("compile", snapshot("mlp_digits"), "-o", self.folder,
                         *more).stderr.decode()
        self.assertIn("no --target: compiled for host", notes())
        for more in [["--target", "host"], ["-q"], ["--json"]]:
            self.assertEqual(notes(*more), "")


class Rows(Test):
    def helpers(self, target):
        model = self.folder / "twice.hlo"
        model.write_text(
            "HloModule m\nENTRY e { a = f64[4] parameter(0) b = f32[4] parameter(1) c = f64[4] "
            "add(a, a) "
            "d = f32[4] add(b, b) ROOT t = (f64[4], f32[4]) tuple(c, d) }\n")
        self.done("compile", model, "-o", self.folder, "--target", target)
        return [name for name in self.manifest("twice.json")["undefined"] if "add" in name]

    def test_what_each_unit_computes(self):
        for target, helpers in [("cortex-m7", []), ("cortex-m85", []), ("k210", []),
                                ("cortex-a7-linux", []), ("cortex-m7sp", ["__aeabi_dadd"]),
                                ("rp2350", ["__aeabi_dadd"]), ("ch32v307", ["__adddf3"]),
                                ("cortex-m33-nofp", ["__aeabi_dadd", "__aeabi_fadd"]),
                                ("esp32c3", ["__adddf3", "__addsf3"]),
                                ("cortex-m0plus", ["__aeabi_dadd", "__aeabi_fadd"]),
                                ("esp32c6", ["__adddf3", "__addsf3"])]:
            self.assertEqual(self.helpers(target), helpers, target)


class Files(Test):
    """Files are touched only if they change, and a failed compile leaves nothing to link with."""

    def times(self):
        return {path.name: path.stat().st_mtime_ns for path in self.folder.iterdir()}

    def compile(self, *more):
        return hlocc("compile", snapshot("mlp_digits"), "-o", self.folder, "--name", "Mlp",
                     "--target", "cortex-m3", *more)

    def test_unchanged_files_keep_their_times(self):
        self.compile()
        before = self.times()
        self.assertEqual(self.compile().returncode, 0)
        self.assertEqual(self.times(), before)
        self.compile("-Os")
        after = self.times()
        changed = sorted(name for name in before if before[name] != after[name])
        self.assertIn("libmlp.a", changed)
        self.assertNotIn("mlp.h", changed)

    def test_ninja_goes_no_further_than_what_changed(self):
        if not shutil.which("ninja"):
            self.skipTest("ninja is not installed")
        model = self.folder / "kws.pb"
        model.write_bytes(snapshot("mlp_digits").read_bytes())
        (self.folder / "build.ninja").write_text(
            f"rule hlocc\n command = {HLOCC} compile kws.pb -o . --target cortex-m3\n restat = 1\n"
            "rule use\n command = cp $in $out && echo used >> log\n"
            "build libkws.a: hlocc kws.pb\nbuild firmware: use libkws.a\n")
        for _ in range(2):
            self.shell("ninja", "-C", self.folder, "firmware")
            os.utime(model)
        self.assertEqual((self.folder / "log").read_text(), "used\n")
        model.write_bytes(snapshot("gemm_64").read_bytes())
        self.shell("ninja", "-C", self.folder, "firmware")
        self.assertEqual((self.folder / "log").read_text(), "used\nused\n")

    def test_a_failed_compile_leaves_no_library(self):
        for wrong in [["--arg", "7=x"], ["--print-after", "lunch"], ["--cpu", "nobody"]]:
            self.assertEqual(self.compile("--emit", "lib,header,obj").returncode, 0)
            self.assertIn("libmlp.a", self.files())
            (self.folder / "libother.a").touch()
            self.assertNotEqual(self.compile(*wrong).returncode, 0)
            self.assertNotIn("libmlp.a", self.files())
            self.assertNotIn("mlp.o", self.files())
            self.assertIn("libother.a", self.files())

    def test_what_a_failed_compile_takes_away_is_said(self):
        """Also where it is the budget of work that ends it."""
        for wrong, kind, code in ((["--arg", "7=x"], "usage", 2), (["--limits", "work=1"], "limit",
                                                                   1), (["--ram",
                                                                         "1"], "budget", 1)):
            self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--target",
                      "cortex-m4f")
            self.assertEqual(len(self.files()), 3)
            ran = hlocc("compile", snapshot("mlp_digits"), "-o", self.folder, "--target",
                        "cortex-m4f", *wrong, "--json")
            self.assertEqual(ran.returncode, code, ran.stderr)
            told = json.loads(ran.stderr)
            self.assertEqual(told["kind"], kind)
            gone = ", ".join(
                str(self.folder / name)
                for name in ("libmlp_digits.a", "mlp_digits.h", "mlp_digits.json"))
            self.assertEqual(told["notes"][-1], f"what an earlier compile wrote is removed: {gone}")
            self.assertEqual(self.files(), [])
        ran = hlocc("compile", snapshot("mlp_digits"), "-o", self.folder, "--arg", "7=x")
        self.assertNotIn(b"earlier compile", ran.stderr)

    def test_a_broken_model_leaves_no_library(self):
        model, out = self.folder / "kws.pb", self.folder / "out"
        model.write_bytes(snapshot("mlp_digits").read_bytes())
        both = ["--target", "cortex-m3", "--target", "rv32imc"]
        self.done("compile", model, "-o", out, *both)
        model.write_bytes(b"")
        self.refused(1, "format", "compile", model, "-o", out, *both)
        self.assertEqual(sorted(path.name for path in out.rglob("*.a")), [])


class Config(Test):
    def test_a_file_gives_the_flags(self):
        config = self.folder / "kws.config.json"
        config.write_text(
            '{"name": "acme::Mlp", "target": "cortex-m4f", "O": "s",\n "arg": {"0": "pixels"}}')
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--config", config)
        told = self.manifest("mlp.json")
        self.assertEqual((told["target"], told["options"]["level"]), ("cortex-m4f", "-Os"))
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--config", config,
                  "--target", "rv32imc")
        self.assertEqual(self.manifest("mlp.json")["target"], "rv32imc")

    def test_mistakes_have_a_line(self):
        config = self.folder / "kws.config.json"
        for text, line, told in [('{\n\n"target": "cortex-m44"}', 3, "did you mean `cortex-m4`"),
                                 ('{\n"target": "cortex-m4f",\n"cpu":\n"cortex-a53"}', 4,
                                  "is of armv8-a"), ('{\n"arg": {\n"7": "x"}}', 3, "no such leaf")]:
            config.write_text(text)
            ran = hlocc("compile", snapshot("mlp_digits"), "-o", self.folder, "--config", config)
            self.assertEqual(ran.returncode, 2)
            self.assertIn(f"{config}:{line}: error[", ran.stderr.decode())
            self.assertIn(told, ran.stderr.decode())
        self.refused(1, "file", "compile", snapshot("mlp_digits"), "--config",
                     self.folder / "missing.json")


STATE = """HloModule jit_f, input_output_alias={{1}: (1, {}, may-alias)}
ENTRY main.9 {
  x.1 = f32[1,4] parameter(0), metadata={op_name="x"}
  state__h__.1 = f32[1,4] parameter(1), metadata={op_name="state[\\'h\\']"}
  Arg_2.3 = f32[1,4] parameter(2)
  n = f32[1,4] add(x.1, state__h__.1)
  m = f32[1,4] multiply(n, Arg_2.3)
  ROOT t = (f32[1,4], f32[1,4]) tuple(m, n)
}
"""


class Leaves(Test):
    """A leaf has one name: in the header, the manifest, inspect and messages. What HLO calls it is
    taken, too."""

    def setUp(self):
        super().setUp()
        self.model = self.folder / "m_state.hlo.txt"
        self.model.write_text(STATE)
        write_npy(self.folder / "ones.npy", [1] * 4, (1, 4))
        write_npy(self.folder / "two.npy", [1] * 2, (1, 2))

    def test_messages(self):
        ones = self.folder / "ones.npy"
        told = self.refused(1, "argument", "run", self.model)
        self.assertIn(
            "no values for its arguments: x (f32[1,4]), state_h (f32[1,4]), arg2 (f32[1,4])", told)
        told = self.refused(2, "usage", "run", self.model, "--input", f"y={ones}")
        self.assertIn("note: arguments are x, state_h, arg2\n", told)
        told = self.refused(2, "usage", "snapshot", self.model, "-o", self.folder / "s", "--input",
                            f"0={ones}", "--input", f"1={ones}", "--input", f"2={ones}", "--expect",
                            f"y={ones}")
        self.assertIn("note: results are result0, state_h\n", told)
        told = self.refused(2, "usage", "compile", self.model, "-o", self.folder, "--freeze",
                            f"state_h={ones}")
        self.assertIn("--freeze state_h: it is donated", told)
        self.done("compile", self.model, "-o", self.folder, "--target", "cortex-m4f")
        self.assertIn("arg1, arg_state_h, var_state_h (state['h']): ",
                      (self.folder / "m_state.h").read_text())
        self.assertEqual([leaf["name"] for leaf in self.manifest("m_state.json")["arguments"]],
                         ["x", "state_h", ""])
        self.assertIn("state_h (state['h']): f32[1,4]", self.done("inspect", self.model))

    def test_what_is_taken(self):
        ones = self.folder / "ones.npy"
        for name in ("state_h", "state['h']", "state__h__.1", "1", "arg1"):
            told = self.done("run", self.model, "--input", f"x={ones}", "--input", f"{name}={ones}",
                             "--input", f"Arg_2.3={ones}")
            self.assertIn("\nresult1 (state_h) f32[1,4] { {2, 2, 2, 2} }", told)
        verify = [
            "verify", self.model, "--input", f"x={ones}", "--input", f"state_h={ones}", "--input",
            f"arg2={ones}"
        ]
        self.done(*verify)
        ran = hlocc(*verify, "--expect", f"state_h={ones}")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"FAILED m_state.hlo.txt: result1 (state_h) index (0, 0) got 2 expected 1",
                      ran.stdout)


class Lists(Test):
    def test_files_do_not_depend_on_the_commit(self):
        commit = re.search(r"commit ([0-9a-f]{12})", self.done("--version"))
        if not commit:
            self.skipTest("not built from a checkout")
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--emit",
                  "lib,header,obj,asm,llvm,hlo,kernel,report")
        self.assertGreater(len(self.files()), 7)
        for path in self.folder.iterdir():
            self.assertNotIn(commit[1][:7].encode(), path.read_bytes(), path.name)

    def test_help_and_version(self):
        self.assertRegex(
            self.done("--version"),
            r"^hlocc \d+\.\d+\.\d+ \((commit [0-9a-f]{12,}( with changes)?|commit unknown: "
            r"not built from a checkout), (LLVM \d+\.\d+\.\d+|without LLVM)\)\n$")
        self.assertEqual(self.done("version"), self.done("--version"))
        self.assertEqual(self.done("help"), self.done("--help"))
        for verb in ["compile", "run", "verify", "inspect", "targets", "backends"]:
            self.assertIn(verb, self.done("--help"))
            self.assertEqual(self.done("help", verb), self.done(verb, "--help"))
            self.assertIn(f"Usage: hlocc {verb}", self.done(verb, "--help"))
            self.assertIn("--help", self.done(verb, "--help"))

    def test_targets(self):
        told = self.done("targets").splitlines()
        names = [line.split()[0] for line in told if line.startswith("  ")]
        for name in [
                "cortex-m0", "cortex-m4f", "rv32imc", "s390x-linux", "host", "stm32f407vg",
                "esp32s3", "rpi5"
        ]:
            self.assertIn(name, names)
        for family in ["Presets", "bare metal, Arm", "Linux", "STM32 F4", "Espressif"]:
            self.assertIn(family, told)
        self.assertEqual(told, [line.rstrip() for line in told])
        self.assertIn("thumbv7em", self.done("targets", "cortex-m4f"))
        chip = json.loads(self.done("targets", "stm32f407vg", "--json"))
        build = chip["build"]
        self.assertEqual(
            build["gcc"]["compile"],
            "arm-none-eabi-gcc -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 -mthumb -O2 "
            "-ffreestanding -c main.c"
        )
        self.assertTrue(build["clang"]["compile"].startswith(
            "clang --target=thumbv7em-none-eabihf -mcpu=cortex-m4 "))
        self.assertTrue(build["gcc"]["link"].endswith(
            " -nostdlib -T SCRIPT.ld START.o main.o libNAME.a -lgcc -o program.elf"))
        self.assertTrue(
            json.loads(self.done(
                "targets", "esp32",
                "--json"))["build"]["gcc"]["link"].endswith(" main.o NAME.o -lgcc -o program.elf"))
        self.assertEqual(
            json.loads(self.done("targets", "host", "--json"))["build"]["gcc"]["link"],
            "cc main.o libNAME.a -o program")
        self.assertEqual(
            json.loads(self.done("targets", "s390x-linux", "--json"))["byte_order"], "big")

    def test_chips(self):
        """A chip sets defaults; flags overrule it; what does not fit ends with 1."""
        chip = json.loads(self.done("targets", "STM32F407VGT6", "--json"))
        self.assertEqual(
            (chip["name"], chip["core"], chip["ram_bytes"], chip["flash_bytes"], chip["board"]),
            ("stm32f407vg", "cortex-m4f", 128 << 10, 1 << 20, "cortex-m4f"))
        self.assertGreater(len(json.loads(self.done("targets", "--json"))["targets"]), 220)
        model = snapshot("mlp_digits")
        self.done("compile", model, "--target", "nucleo_f401re", "-o", self.folder)
        self.assertEqual(self.manifest("mlp_digits.json")["target"], "stm32f401re")
        self.done("compile", model, "--target", "cortex-m4f", "-o", self.folder / "core")
        self.assertEqual((self.folder / "libmlp_digits.a").read_bytes(),
                         (self.folder / "core" / "libmlp_digits.a").read_bytes())
        for chip, what in [("stm32f103c8", "flash"), ("stm32f030f4", "flash")]:
            self.assertIn(
                f"bytes of weights: {chip} has",
                self.refused(1, "budget", "compile", model, "--target", chip, "-o", self.folder))
            self.done("compile", model, "--target", chip, "--flash", "1M", "-o", self.folder)
        self.refused(1, "budget", "compile", model, "--target", "stm32f407vg", "--ram", "100", "-o",
                     self.folder)
        self.done("compile", model, "--target", "esp32s3", "-o", self.folder)
        self.assertIn("mlp_digits.c", self.files())
        self.assertEqual(self.done("verify", model, "--target", "stm32f407vg"),
                         "1 passed, 0 failed, 0 skipped\n")

    def test_suggestions_stay_in_their_instruction_set(self):
        self.assertIn("did you mean `stm32f407vg`",
                      self.refused(2, "target", "targets", "stm32f47vg"))
        self.assertIn("did you mean `esp32s3`", self.refused(2, "target", "targets", "eps32s3"))
        self.assertNotIn("did you mean", self.refused(2, "target", "targets", "esp32x3"))

    def test_backends(self):
        rows = json.loads(self.done("backends", "--json"))["backends"]
        self.assertIn("interpreter", [row["name"] for row in rows])

    def test_a_dump_without_weights_is_inspected_and_not_compiled(self):
        model = self.folder / "elided.hlo"
        model.write_text(
            "HloModule m\nENTRY e {\n x = f32[1,64] parameter(0)\n w = f32[64,10] constant({...})\n"
            " ROOT d = f32[1,10] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n"
        )
        facts = json.loads(self.done("inspect", model, "--json", "--target", "cortex-m4f"))
        self.assertEqual((facts["elided_constants"], facts["model_weights_bytes"], facts["macs"],
                          facts["longest_accumulation"]), (1, 2560, 640, 64))
        self.assertEqual(facts["plan"]["weights_bytes"], 2560)
        self.assertIn(b"not in the file", hlocc("inspect", model).stdout)
        for verb in ["compile", "run"]:
            self.refused(1, "elided-constant", verb, model)

    def test_inspect(self):
        facts = json.loads(
            self.done("inspect", snapshot("kws_dscnn"), "--json", "--target", "cortex-m4f"))
        expected = json.loads((MODELS / "kws_dscnn.json").read_text())
        self.assertEqual(facts["macs"], expected["macs"])
        self.assertEqual(facts["ops"]["convolution"], expected["opcodes"]["convolution"])
        self.assertEqual(facts["arguments"][0]["shape"], expected["arguments"][0]["shape"])
        self.assertGreaterEqual(facts["plan"]["arena_bytes"], facts["plan"]["live_set_bound"])
        self.assertEqual(facts["unsupported"], [])
        self.assertNotIn("kernels", facts)

    def test_inspect_says_what_runs_where(self):
        for backend in ["interpreter", "host", "cpu", "c", "remote-sim", "vulkan"]:
            runs = json.loads(
                self.done("inspect", snapshot("mlp_digits"), "--json", "--backend",
                          backend))["runs"]
            device = "host" if backend == "cpu" else backend
            self.assertEqual({(one["device"], one["why"], one["part"])
                              for one in runs}, {(device, "", "")}, backend)
            self.assertIn("dot", [one["op"] for one in runs])
        # The interpreter runs nothing by a plan.
        for backend, planned in [("host", True), ("remote-sim", True), ("interpreter", False)]:
            plan = json.loads(
                self.done("inspect", snapshot("mlp_digits"), "--json", "--backend",
                          backend))["plan"]
            self.assertEqual(plan is not None, planned, backend)
        self.assertIn("\nplan     none: interpreter takes the whole model\n",
                      self.done("inspect", snapshot("mlp_digits"), "--backend", "interpreter"))
        # Ahead of time nobody runs it.
        facts = json.loads(
            self.done("inspect", snapshot("mlp_digits"), "--json", "--backend", "c", "--target",
                      "cortex-m4f"))
        self.assertNotIn("runs", facts)
        self.assertNotIn("runs", json.loads(self.done("inspect", snapshot("mlp_digits"), "--json")))
        self.assertRegex(self.done("inspect", snapshot("mlp_digits"), "--backend", "remote-sim"),
                         r"\nruns     \S+ \(dot\) on remote-sim\n")
        self.refused(2, "target", "inspect", snapshot("mlp_digits"), "--backend", "remote")

    def test_rows_of_gpus(self):
        self.assertRegex(self.done("targets"),
                         r"\n  vulkan-v3d +f32 +8 16 32 bits +256 +16K  Broadcom")
        row = json.loads(self.done("targets", "vulkan-v3d", "--json"))
        self.assertEqual((row["name"], row["i64"], row["storage8"]), ("vulkan-v3d", False, True))
        self.assertIn(row, [{**one, "schema": 2}
                            for one in json.loads(self.done("targets", "--json"))["devices"]])
        model = snapshot("mlp_digits")
        self.done("verify", model, "--backend", "vulkan", "--device", "vulkan-v3d")
        self.done("run", model, "--backend", "vulkan", "--device", "vulkan-generic")
        self.assertIn("it is for --backend vulkan",
                      self.refused(2, "usage", "run", model, "--device", "vulkan-v3d"))
        self.assertIn(
            "did you mean `vulkan-v3d`",
            self.refused(2, "target", "verify", model, "--backend", "vulkan", "--device",
                         "vulkan-v3"))
        # Doubles are the host's where a row has none.
        doubles = self.folder / "doubles.hlo.txt"
        doubles.write_text(
            "HloModule m\nENTRY e { x = f64[4] parameter(0) y = f64[4] add(x, x) ROOT z = f32[4] "
            "convert(y) }\n"
        )
        for row, device in (("vulkan-lavapipe", "vulkan"), ("vulkan-radv", "host")):
            runs = json.loads(
                self.done("inspect", doubles, "--json", "--backend", "vulkan", "--device",
                          row))["runs"]
            self.assertEqual({one["device"] for one in runs}, {device}, row)
            if device == "host":
                self.assertEqual({one["why"] for one in runs}, {"vulkan-radv has no f64"})

    def test_inspect_checks(self):
        self.done("inspect", snapshot("mlp_digits"), "--check")
        model = self.folder / "refused.hlo.txt"
        model.write_text(
            "HloModule m\nENTRY e { t = token[] after-all() i = ((f32[2]), token[]) infeed(t) d = "
            "(f32[2]) "
            "get-tuple-element(i), index=0 ROOT x = f32[2] get-tuple-element(d), index=0 }\n")
        self.assertIn("unsupported: infeed", self.done("inspect", model))
        ran = hlocc("inspect", model, "--check")
        self.assertEqual((ran.returncode, ran.stderr), (1, b""))

    def test_inspect_says_what_runs_in_a_loop(self):
        """A branch inside of it, too."""
        model = self.folder / "flow.hlo.txt"
        model.write_text("""HloModule flow
waves { a = f32[64] parameter(0)  ROOT b = f32[64] sine(a) }
turns { a = f32[64] parameter(0)  ROOT b = f32[64] reverse(a), dimensions={0} }
body {
  s = (f32[64], s32[]) parameter(0)
  x = f32[64] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  p = pred[] compare(n, s32[] constant(3)), direction=LT
  y = f32[64] conditional(p, x, x), true_computation=waves, false_computation=turns
  ROOT t = (f32[64], s32[]) tuple(y, s32[] add(n, s32[] constant(1)))
}
condition {
  s = (f32[64], s32[]) parameter(0)
  n = s32[] get-tuple-element(s), index=1
  ROOT p = pred[] compare(n, s32[] constant(10)), direction=LT
}
ENTRY main {
  x = f32[64] parameter(0)
  n = s32[] parameter(1)
  w = (f32[64], s32[]) while((f32[64], s32[]) tuple(x, n)), condition=condition, body=body
  y = f32[64] get-tuple-element(w), index=0
  ROOT r = f32[64] negate(y)
}
""")
        rows = json.loads(
            self.done("inspect", model, "--json", "--kernels", "--target", "cortex-m4f"))["kernels"]
        looped = {row["kernel"].split("_")[0]: row["in_loop"] for row in rows}
        self.assertEqual(
            looped, {"compare": True, "sine": True, "reverse": True, "add": True, "negate": False})

    def test_bench_tells_the_steps(self):
        for backend in ["interpreter", "host", "remote-sim"]:
            told = json.loads(
                self.done("bench", snapshot("mlp_digits"), "--backend", backend, "--repeat", "1",
                          "--steps", "--json"))
            self.assertEqual([one["device"] for one in told["steps"]], [backend])
            self.assertGreater(told["steps"][0]["us"], 0)

    def test_inspect_shows_what_was_chosen_for_each_launch(self):
        model = snapshot("kws_dscnn")
        launches = json.loads(
            self.done("inspect", model, "--json", "--kernels", "--target", "cortex-a53"))["kernels"]
        self.assertEqual([one["schedule"] for one in launches].count("pointwise"), 4)
        self.assertEqual([one["schedule"] for one in launches].count("depthwise"), 4)
        for one in launches:
            self.assertGreater(one["expected_cycles"], 0, one)
            self.assertTrue(one["hlo"], one)
        # 25 x 5 pixels, 64 features from 64.
        pointwise = next(one for one in launches if one["schedule"] == "pointwise")
        self.assertEqual((pointwise["products"], pointwise["bytes_written"]), (512000, 32000))
        self.assertRegex(pointwise["tile"], r"^[0-9]+x[0-9]+x4$")
        self.assertIn("pointwise", self.done("inspect", model, "--kernels", "--target",
                                             "cortex-m4f"))


class Run(Test):
    def test_a_snapshot_has_its_arguments(self):
        for backend in ["interpreter", "cpu"]:
            out = self.folder / backend
            self.done("run", snapshot("mlp_digits"), "--backend", backend, "--output", f"{out}/")
            self.assertEqual(self.files(out), ["result0.npy"])
            self.assertEqual(len(npy_values(out / "result0.npy")), 10)

    def test_printed_result(self):
        self.assertTrue(
            self.done("run", snapshot("mlp_digits"), "--print").startswith("result0 f32[1,10] {"))
        out = self.folder / "out.pb"
        self.assertEqual(self.done("run", snapshot("mlp_digits"), "--output", out), "")
        self.assertTrue(
            self.done("run", snapshot("mlp_digits"), "--output", out,
                      "--print").startswith("result0 f32[1,10] {"))

    def test_literal(self):
        self.done("run", snapshot("mlp_digits"), "--output", self.folder / "out.pb")
        self.assertGreater((self.folder / "out.pb").stat().st_size, 40)

    def test_inputs(self):
        write_npy(self.folder / "x.npy", [0.0] * 64, (1, 64))
        results = []
        for name in ["arg0", "0"]:
            out = self.folder / name
            self.done("run", snapshot("mlp_digits"), "--input", f"{name}={self.folder}/x.npy",
                      "--output", f"{out}/")
            results.append(npy_values(out / "result0.npy"))
        self.assertEqual(results[0], results[1])
        self.done("run", snapshot("mlp_digits"), "--output", f"{self.folder}/own/")
        self.assertNotEqual(results[0], npy_values(self.folder / "own" / "result0.npy"))

    def test_inputs_inside_a_tuple(self):
        model = self.folder / "pair.hlo.txt"
        model.write_text(
            "HloModule pair\nENTRY e { s = (f32[2], (f32[2])) parameter(0)\n"
            " a = f32[2] get-tuple-element(s), index=0\n"
            " t = (f32[2]) get-tuple-element(s), index=1\n"
            " b = f32[2] get-tuple-element(t), index=0\n"
            " ROOT r = f32[2] subtract(a, b) }\n")
        write_npy(self.folder / "five.npy", [5.0, 6.0], (2,))
        write_npy(self.folder / "two.npy", [2.0, 2.5], (2,))
        for five, two in [("s.0", "s.1.0"), ("arg0", "arg1")]:
            printed = self.done("run", model, "--print", "--input",
                                f"{five}={self.folder}/five.npy", "--input",
                                f"{two}={self.folder}/two.npy")
            self.assertIn("{3, 3.5}", printed)
        errors = self.refused(1, "argument", "run", model, "--input", f"s.0={self.folder}/five.npy")
        self.assertIn("s_1_0 (f32[2])", errors)

    def test_wrong_inputs(self):
        write_npy(self.folder / "x.npy", [0.0] * 6, (2, 3))
        self.refused(1, "argument", "run", snapshot("mlp_digits"), "--input",
                     f"arg0={self.folder}/x.npy")
        self.refused(2, "usage", "run", snapshot("mlp_digits"), "--input",
                     f"nobody={self.folder}/x.npy")
        self.refused(2, "usage", "run", snapshot("mlp_digits"), "--input", "arg0")

    def test_a_module_alone_lacks_arguments(self):
        self.done("compile", snapshot("mlp_digits"), "--emit", "hlo", "-o", self.folder, "--name",
                  "Mlp")
        errors = self.refused(1, "argument", "run", self.folder / "mlp.hlo.txt")
        self.assertIn("f32[1,64]", errors)
        write_npy(self.folder / "x.npy", [0.5] * 64, (1, 64))
        self.done("run", self.folder / "mlp.hlo.txt", "--input", f"arg0={self.folder}/x.npy")


class Bench(Test):
    KEYS = [
        "schema", "backend", "level", "arguments", "prepare_seconds", "samples", "calls_a_sample",
        "min_us", "median_us", "instances_per_second"
    ]

    def test_a_snapshot_in_both_ways(self):
        times = {}
        for backend in ["interpreter", "cpu"]:
            facts = json.loads(
                self.done("bench", snapshot("mlp_digits"), "--backend", backend, "--repeat", "3",
                          "--json"))
            self.assertEqual(list(facts), self.KEYS)
            self.assertEqual((facts["backend"], facts["samples"], facts["arguments"]),
                             (backend, 3, "snapshot"))
            self.assertLessEqual(facts["min_us"], facts["median_us"])
            self.assertGreater(facts["min_us"], 0)
            self.assertGreaterEqual(facts["calls_a_sample"], 1)
            times[backend] = facts["min_us"]
        self.assertLess(times["cpu"], times["interpreter"])

    def test_state_and_random_arguments(self):
        self.assertIn("instances/s", self.done("bench", snapshot("kws_gru_stream"), "--repeat",
                                               "2"))
        self.done("compile", snapshot("mlp_digits"), "--emit", "hlo", "-o", self.folder, "--name",
                  "Mlp")
        self.assertIn("random arguments",
                      self.done("bench", self.folder / "mlp.hlo.txt", "--repeat", "2"))

    def test_wrong_usage(self):
        self.refused(2, "usage", "bench", snapshot("mlp_digits"), "--repeat", "0")
        self.refused(2, "target", "bench", snapshot("mlp_digits"), "--backend", "nobody")


class Verify(Test):
    def test_one_snapshot(self):
        self.assertEqual(self.done("verify", snapshot("mlp_digits"), "--backend", "interpreter"),
                         "1 passed, 0 failed, 0 skipped\n")

    def test_shards(self):
        passed = 0
        for shard in range(3):
            last = self.done("verify", "--index", MODELS / "index.json", "--backend", "interpreter",
                             "--shard", f"{shard}/3").splitlines()[-1]
            passed += int(last.split()[0])
        self.assertEqual(passed, json.loads((MODELS / "index.json").read_text())["count"])

    def test_a_difference_fails(self):
        index = {
            "cases": [{"name": "mlp_digits", "tolerance": {"rtol": 0.01}}, {"name": "missing"}]
        }
        (self.folder / "index.json").write_text(json.dumps(index))
        (self.folder / "mlp_digits.snapshot.pb").write_bytes(self.perturbed())
        ran = hlocc("verify", "--index", self.folder / "index.json", "--backend", "interpreter")
        lines = ran.stdout.decode().splitlines()
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(lines[0], r"^FAILED mlp_digits: result0 ")
        self.assertRegex(lines[1], r"^FAILED missing: error\[file\]")
        self.assertEqual(lines[2], "0 passed, 2 failed, 0 skipped")

    def perturbed(self):
        """The snapshot with another exponent in the last expected number, which stands before the
        platform `cpu`."""
        data = bytearray(snapshot("mlp_digits").read_bytes())
        data[-6] ^= 0x40
        return bytes(data)

    def bare_module(self):
        """A module alone, its input and its result as .npy files."""
        self.done("compile", snapshot("mlp_digits"), "--emit", "hlo", "-o", self.folder, "--name",
                  "Mlp")
        write_npy(self.folder / "x.npy", [0.5] * 64, (1, 64))
        self.done("run", self.folder / "mlp.hlo.txt", "--input", f"0={self.folder}/x.npy",
                  "--backend", "interpreter", "--output", f"{self.folder}/right/")
        return self.folder / "mlp.hlo.txt", ["--input", f"arg0={self.folder}/x.npy"
                                             ], f"{self.folder}/right/result0.npy"

    def test_a_bare_module_with_values(self):
        model, given, right = self.bare_module()
        write_npy(self.folder / "wrong.npy", [0.5] * 10, (1, 10))
        for where in [["--backend", "interpreter"], ["--target", "host"],
                      ["--target", "cortex-m4f"], []]:
            self.assertEqual(
                self.done("verify", model, *given, "--expect", f"result0={right}", *where),
                "1 passed, 0 failed, 0 skipped\n")
            ran = hlocc("verify", model, *given, "--expect", f"0={self.folder}/wrong.npy", *where)
            self.assertEqual(ran.returncode, 1)
            self.assertIn("FAILED", ran.stdout.decode())
        # Without --expect the interpreter says what is right.
        self.assertEqual(self.done("verify", model, *given), "1 passed, 0 failed, 0 skipped\n")

    def test_values_that_are_missing_or_wrong(self):
        model, given, right = self.bare_module()
        ran = hlocc("verify", model)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("--input NAME=FILE.npy --expect NAME=FILE.npy", ran.stdout.decode())
        self.refused(1, "argument", "verify", model, "--expect", f"result0={right}")
        self.refused(2, "usage", "verify", model, *given, "--backend", "interpreter")
        self.refused(2, "usage", "verify", model, model, *given)
        self.refused(2, "usage", "verify", *given)
        self.assertIn(
            "did you mean `result0`",
            self.refused(2, "usage", "verify", model, *given, "--expect", f"reslut0={right}"))
        self.refused(1, "argument", "verify", model, *given, "--expect",
                     f"result0={self.folder}/x.npy")
        self.assertIn(
            "did you mean `arg0`",
            self.refused(2, "usage", "verify", model, "--input", f"agr0={self.folder}/x.npy"))

    def test_snapshots_are_written(self):
        model, given, right = self.bare_module()
        out = self.folder / "own.snapshot.pb"
        for more in [[], ["--expect", f"result0={right}"]]:
            self.done("snapshot", model, *given, *more, "-o", out)
            self.assertEqual(self.done("verify", out), "1 passed, 0 failed, 0 skipped\n")
            self.done("run", out, "--output", f"{self.folder}/again/")
            self.assertEqual(len(npy_values(self.folder / "again" / "result0.npy")), 10)
        write_npy(self.folder / "wrong.npy", [0.5] * 10, (1, 10))
        self.done("snapshot", model, *given, "--expect", f"result0={self.folder}/wrong.npy", "-o",
                  out)
        self.assertEqual(hlocc("verify", out).returncode, 1)
        self.refused(1, "argument", "snapshot", model, "-o", out)
        self.refused(2, "usage", "snapshot", model, *given)
        # A snapshot's own arguments serve as well.
        self.done("snapshot", snapshot("mlp_digits"), "-o", out)
        self.assertEqual(self.done("verify", out), "1 passed, 0 failed, 0 skipped\n")

    def test_another_board_than_the_target_s(self):
        errors = self.refused(2, "target", "verify", snapshot("mlp_digits"), "--target",
                              "cortex-m4f", "--board", "nowhere")
        self.assertIn("--board nowhere: there is no such board", errors)
        # A core runs what is for the one before it.
        self.assertEqual(
            self.done("verify", snapshot("mlp_digits"), "--target", "cortex-m33", "--board",
                      "rp2350"), "1 passed, 0 failed, 0 skipped\n")

    def test_what_a_board_has_no_room_for_is_skipped_with_the_bytes(self):
        weights = ", ".join(str(i % 99) for i in range(4200000))
        for name, body, what in [
            ("ram", "ROOT r = s8[17000000] iota(), iota_dimension=0",
             r"needs (\d+) bytes of RAM, the board has 16777216"),
            ("flash",
             f"w = s8[4200000] constant({{{weights}}})\n x = s8[4200000] reverse(w), "
             f"dimensions={{0}}\n"
             " ROOT r = s8[4200000] add(x, w)",
             r"needs (\d+) bytes of flash, the board has 4193280")
        ]:
            model, case = self.folder / f"{name}.hlo.txt", self.folder / f"{name}.snapshot.pb"
            model.write_text(f"HloModule {name}\nENTRY e {{ {body} }}\n")
            self.done("snapshot", model, "-o", case)
            told = self.done("verify", case, snapshot("mlp_digits"), "--target", "cortex-m4f")
            self.assertRegex(told, f"^skipped {name}: {what}\n1 passed, 0 failed, 1 skipped\n$")

    def test_json(self):
        told = json.loads(
            self.done("verify", snapshot("mlp_digits"), "--backend", "interpreter", "--json"))
        self.assertEqual(told["passed"], 1)
        self.assertEqual(told["cases"][0]["status"], "passed")
        self.assertGreater(told["cases"][0]["cpu_seconds"], 0)
        self.assertEqual(told["slowest"], ["mlp_digits"])
        told = json.loads(
            self.done("verify", *map(snapshot, ["mlp_digits", "mfcc", "pid_bank"]), "--backend",
                      "interpreter", "--json"))
        seconds = {case["name"]: case["cpu_seconds"] for case in told["cases"]}
        self.assertEqual(told["slowest"], sorted(seconds, key=seconds.get, reverse=True))


main()

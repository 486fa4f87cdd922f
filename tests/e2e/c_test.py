"""The C backend as its users meet it: files, strict warnings of every compiler here, sanitizers,
determinism."""
import json
import os
import re
import shutil
import struct
import subprocess
import zlib

from harness import BOARD_MAIN, HLOCC, ROOT, Test, main, npy, snapshot

STRICT = [
    "-std=c99", "-ffreestanding", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow",
    "-Wcast-align", "-Werror"
]
# Floats and integers, state, loops and branches, math functions, sorts, big constants.
NAMES = ["mlp_digits", "cnn_digits_int8", "kws_gru_stream", "topk_sort"]
# Those that an ATmega2560 holds: floats beyond 64 KB of flash, int8, state.
SMALL = ["mlp_digits", "cnn_digits_int8", "ekf"]
# Clang 19 warns of what -march=native itself asks for on a processor with AVX10.
OF_ITS_OWN = ["-Wno-invalid-feature-combination"]
COMPILERS = {
    "xtensa-lx106": [["xtensa-lx106-elf-gcc", "-O2", "-mlongcalls"]],
    "avr-mega2560": [["avr-gcc", "-O1", "-mmcu=atmega2560"],
                     ["avr-gcc", "-O1", "-mmcu=atmega2560", "-DHL_NEAR"]],
    "host": [[*compiler, "-O1", *flags]
             for compiler in (["gcc"], ["clang-19", *OF_ITS_OWN])
             for flags in ([], ["-march=native"], ["-march=haswell"])],
    "x86_64-linux": [[compiler, "-O1"] for compiler in ("gcc", "clang-19")], "cortex-m4f": [[
        "arm-none-eabi-gcc", "-O1", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard",
        "-mfpu=fpv4-sp-d16"
    ]], "cortex-m0": [["arm-none-eabi-gcc", "-O1", "-mcpu=cortex-m0", "-mthumb"]],
    "cortex-m55": [["arm-none-eabi-gcc", "-O1", "-mcpu=cortex-m55", "-mthumb",
                    "-mfloat-abi=hard"]], "cortex-a53": [["aarch64-linux-gnu-gcc", "-O1"]],
    "rv32imc": [["riscv64-unknown-elf-gcc", "-O1", "-march=rv32imc", "-mabi=ilp32"]],
}


# Two launches of one kernel, one of them on a constant, which is a result too.
MIXED = """HloModule mixed
less { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT r = pred[] compare(a, b), direction=LT }
ENTRY e {
  i = s32[] parameter(0)
  y = f32[16] parameter(1)
  c = f32[16] constant({3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3})
  a = f32[4] dynamic-slice(c, i), dynamic_slice_sizes={4}
  s = f32[4] sort(a), dimensions={0}, to_apply=less
  b = f32[4] dynamic-slice(y, i), dynamic_slice_sizes={4}
  u = f32[4] sort(b), dimensions={0}, to_apply=less
  ROOT t = (f32[4], f32[4], f32[16]) tuple(s, u, c)
}"""


def write_npy(path, values, dtype):
    """A number, or a row of them, as numpy writes it."""
    row = list(values) if hasattr(values, "__iter__") else [values]
    shape = (len(row),) if hasattr(values, "__iter__") else ()
    path.write_bytes(
        npy(dtype, shape, struct.pack(f"<{len(row)}{'i' if dtype == '<i4' else 'f'}", *row)))


class CBackend(Test):
    def compiled(self, name, target, *options):
        self.done("compile", snapshot(name), "-o", self.folder / target, "--backend", "c",
                  "--target", target, "--name", name, *options)
        return self.folder / target / f"{name}.c"

    def test_files_are_source_header_and_manifest(self):
        self.compiled("mlp_digits", "cortex-m4f")
        self.assertEqual(self.files(self.folder / "cortex-m4f"),
                         ["mlp_digits.c", "mlp_digits.h", "mlp_digits.json"])
        self.refused(1, "unsupported", "compile", snapshot("mlp_digits"), "-o", self.folder,
                     "--backend", "c", "--emit", "lib")

    def test_no_compiler_warns(self):
        for target, compilers in COMPILERS.items():
            for name in SMALL if target == "avr-mega2560" else NAMES:
                source = self.compiled(name, target)
                for compiler in compilers:
                    if shutil.which(compiler[0]):
                        self.shell(*compiler, *STRICT, "-c", source, "-o", self.folder / "out.o")

    def test_what_is_called_from_several_places_is_one_copy(self):
        """For size; a compiler inlines what one place calls, and the C says nothing of it."""
        text = self.compiled("mlp_digits", "cortex-m4f").read_text()
        calls = {
            name: text.count(f"  {name}(")
            for name in re.findall(r"void (mlp_digits_k_\w+)\(", text)
        }
        self.assertEqual(sorted(calls.values())[::len(calls) - 1], [1, 2])
        for name, count in calls.items():
            self.assertEqual(f"HL_ONE_COPY static void {name}(" in text, count > 1, name)

    def test_text_is_the_same_every_time_and_fits_its_columns(self):
        for target in ("host", "cortex-m4f"):
            for name in ("mlp_digits", "cnn_digits_int8"):
                first = self.compiled(name, target).read_text()
                self.assertEqual(first, self.compiled(name, target).read_text())
                self.assertLessEqual(max(map(len, first.splitlines())), 120)

    def test_sanitizers_find_nothing(self):
        folder = self.folder / "bin"
        folder.mkdir()
        wrapper = folder / "cc"
        wrapper.write_text(
            "#!/bin/sh\nexec /usr/bin/cc \"$@\" -O1 -fsanitize=address,undefined "
            "-fno-sanitize-recover=all\n"
        )
        wrapper.chmod(0o755)
        told = self.shell("env", f"PATH={folder}:{os.environ['PATH']}", HLOCC, "verify",
                          snapshot("mlp_digits"), snapshot("topk_sort"),
                          snapshot("cnn_digits_int8"), "--backend", "c")
        self.assertIn("3 passed, 0 failed, 0 skipped", told)

    def test_vectors_of_x86_and_their_portable_form(self):
        """Each row's registers where this machine has them, and structs of lanes where the compiler
        does not say so."""
        folder = self.folder / "bin"
        folder.mkdir()
        wrapper = folder / "cc"
        models = [snapshot(name) for name in ("mlp_digits", "cnn_digits_int8", "kws_dscnn_int8")]
        for options in [("--cpu", "x86-64"), ("--cpu", "haswell"), ("--cpu", "cascadelake"),
                        ("--cpu", "alderlake")]:
            for undefined in [[], ["-U__SSE2__", "-U__AVX2__"]]:
                wrapper.write_text(f"#!/bin/sh\nexec /usr/bin/cc \"$@\" {' '.join(undefined)}\n")
                wrapper.chmod(0o755)
                with self.subTest(cpu=options[1], portable=bool(undefined)):
                    told = self.shell("env", f"PATH={folder}:{os.environ['PATH']}", HLOCC, "verify",
                                      *models, "--backend", "c", *options)
                    self.assertIn("3 passed, 0 failed, 0 skipped", told)

    def test_math_functions_that_are_called_serve_vectors(self):
        """At -Os a function of many uses is one function; loops over lanes call it lane by lane."""
        lines = ["x0 = f32[64] parameter(0)"]
        for i in range(40):
            lines.append(f"x{i + 1} = f32[64] {'tanh' if i % 2 else 'sine'}(x{i})")
        model = self.folder / "chain.hlo.txt"
        model.write_text("HloModule chain\nENTRY e {\n  " + "\n  ".join(lines[:-1]) + "\n  ROOT " +
                         lines[-1] + "\n}\n")
        self.done("compile", model, "-o", self.folder, "--backend", "c", "--target", "cortex-a53",
                  "--name", "chain", "-Os")
        source = self.folder / "chain.c"
        self.assertLess(source.stat().st_size, 40000)
        self.shell("gcc", "-Os", *STRICT, "-c", source, "-o", self.folder / "out.o")

    def test_intrinsics_stand_beside_the_portable_form(self):
        """Where the row has NEON, and only there."""
        text = self.compiled("cnn_digits_int8", "cortex-a53").read_text()
        self.assertIn("vmovl_s8", text)
        self.assertIn("#if defined(__ARM_NEON) && defined(__aarch64__)", text)
        self.assertIn("out.lane[l] = hl_add_s32(a.lane[l], b.lane[l]);", text)
        # On 32-bit cores Clang finds vectors of four bytes by itself, in loops that stay loops.
        text = self.compiled("cnn_digits_int8", "cortex-a7-linux").read_text()
        self.assertIn("#if defined(__ARM_NEON) && !defined(__clang__)", text)
        self.assertIn('#define HL_LANES _Pragma("clang loop unroll(disable)")', text)
        self.assertNotIn("arm_neon", self.compiled("cnn_digits_int8", "cortex-m4f").read_text())
        model = snapshot("cnn_digits_int8")
        self.assertIn("1 passed, 0 failed, 0 skipped",
                      self.done("verify", model, "--backend", "c", "--target", "cortex-a53"))

    def test_clang_makes_vectors_of_lanes(self):
        """Loops over lanes that it unrolled first stayed scalar in part."""
        if not shutil.which("clang-19"):
            self.skipTest("clang-19 is not installed")
        source = self.compiled("kws_dscnn", "cortex-a53")
        self.shell("clang-19", "--target=aarch64-linux-gnu", "-ffreestanding", "-O3", "-S", source,
                   "-o", self.folder / "out.s")
        made = (self.folder / "out.s").read_text()
        self.assertGreater(len(re.findall(r"\tfmla\s+v", made)), 20)
        self.assertEqual(re.findall(r"\tf(?:madd|add|mul)\s+s", made), [])

    def test_kernels_say_what_they_compute(self):
        text = self.compiled("mlp_digits", "cortex-m4f").read_text()
        self.assertIn("computes ", text)
        self.assertIn("multiplications", text)
        self.assertRegex(text, r"0x1\.[0-9a-f]+p[+-][0-9]+f")

    def test_weights_of_their_own_file(self):
        """The same bytes come out, from either byte order; the manifest tells how long the file is
        and its CRC."""
        boards = ROOT / "toolchains" / "boards"
        (self.folder / "in").write_bytes(b"".join(
            struct.pack("<f" if i % 2 else ">f", i / 7) for i in range(64)))
        (self.folder / "main.c").write_text(BOARD_MAIN)
        for target in ["host", "cortex-m4f", "s390x-linux"]:
            outcomes = []
            for options in [(), ("--weights", "external")]:
                source = self.compiled("mlp_digits", target, *options)
                folder = source.parent
                more = [folder / "mlp_digits_weights.S", f"-Wa,-I,{folder}"] if options else []
                program, out = folder / "program", folder / f"out{len(outcomes)}"
                self.shell(boards / "link_firmware.sh", target, program, self.folder / "main.c",
                           source, "-I", folder, *more)
                self.shell(boards / "run_board.sh", target, program, self.folder / "in", out)
                outcomes.append(out.read_bytes())
            with self.subTest(target=target):
                self.assertEqual(len(outcomes[0]), 40)
                self.assertEqual(outcomes[0], outcomes[1])
                facts = json.loads((folder / "mlp_digits.json").read_text())["weights"]
                weights = (folder / "mlp_digits_weights.bin").read_bytes()
                self.assertEqual(
                    facts, {
                        "file": "mlp_digits_weights.bin", "symbol": "mlp_digits_weights",
                        "align": 64, "bytes": len(weights), "crc32": f"{zlib.crc32(weights):08x}"
                    })
                self.assertLess(source.stat().st_size, 40000)
        self.shell("gcc", *STRICT, "-c", self.compiled("mlp_digits", "host", "--weights",
                                                       "external"), "-o", self.folder / "o.o")

    def test_weights_of_their_own_file_are_refused_elsewhere(self):
        self.refused(1, "unsupported", "compile", snapshot("mlp_digits"), "-o", self.folder,
                     "--target", "avr-mega2560", "--weights", "external")
        self.refused(2, "usage", "compile", snapshot("mlp_digits"), "-o", self.folder, "--weights",
                     "outside")
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--weights", "inside")

    def test_weights_lie_in_the_section_that_is_named(self):
        for flags, section in [([], ".rodata.mlp_digits_weights"),
                               (["--weights-section", ".flash2"], ".flash2")]:
            self.done("compile", snapshot("mlp_digits"), "--target", "cortex-m4f", "--backend", "c",
                      "-o", self.folder, *flags)
            self.assertEqual(
                re.findall(r'section\("([^"]*)"\)', (self.folder / "mlp_digits.c").read_text()),
                [section])

    def test_known_gaps_are_exact(self):
        """One that passes is a failure; one that fails is none; one that nobody knows is
        refused."""
        index, gaps = ROOT / "tests" / "data" / "models" / "index.json", self.folder / "gaps.txt"
        small = snapshot("mlp_digits"), snapshot("kws_dscnn_int8")
        arguments = [
            "verify", *small, "--index", index, "--target", "avr-mega2560", "--known-gaps", gaps
        ]
        gaps.write_text("# why\nops another f64\nmodels kws_dscnn_int8 RAM\n")
        self.assertIn("1 passed, 0 failed, 0 skipped, 1 known gaps", self.done(*arguments))
        gaps.write_text("models kws_dscnn_int8 RAM\nmodels mlp_digits RAM\n")
        ran = subprocess.run([HLOCC, *map(str, arguments)],
                             capture_output=True,
                             text=True,
                             check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("FAILED mlp_digits: passes, and yet it is a known gap: RAM", ran.stdout)
        self.assertIn("0 passed, 1 failed, 0 skipped, 1 known gaps", ran.stdout)
        gaps.write_text("models nobody RAM\n")
        self.assertIn("gaps.txt:1", self.refused(1, "format", *arguments))
        gaps.write_text("models mlp_digits\n")
        self.refused(1, "format", *arguments)
        self.refused(1, "file", *arguments[:-1], self.folder / "none")
        self.assertIn("cases of an --index",
                      self.refused(2, "usage", "verify", small[0], "--known-gaps", gaps))
        self.refused(2, "usage", "verify", *small, "--known-gaps", gaps)

    def test_backends_tell_what_they_lack(self):
        told = {
            row["name"]: row["gaps"]
            for row in json.loads(self.done("backends", "--json"))["backends"]
        }
        self.assertIn("f64 where", told["c"])
        self.assertEqual(told["interpreter"], "")
        self.assertIn("supports every op and type but f64", self.done("backends"))

    def test_the_compiler_of_this_machine_is_asked_for_in_words(self):
        """None at all; one that tells its macros and compiles nothing; one that says it did, and
        made nothing."""
        for name, script, words in [
            ("missing", None,
             ["error[missing-tool]", "there is no C compiler here", "--backend interpreter"]),
            ("refuses", "echo no licence; exit 1",
             ["error[run]", "does not take the C of the model", "no licence"]),
            ("idle", "exit 0", ["error[run]", "cannot load what", "made of the model"])
        ]:
            compiler = self.folder / name
            if script:
                compiler.write_text(
                    f'#!/bin/sh\ncase "$*" in *-dM*) exec cc "$@" ;; esac\n{script}\n')
                compiler.chmod(0o755)
            ran = subprocess.run([
                HLOCC, "run",
                snapshot("mlp_digits"), "--backend", "c", "--output", self.folder / "out.pb"
            ],
                                 capture_output=True,
                                 text=True,
                                 check=False,
                                 env={**os.environ, "CC": str(compiler)})
            with self.subTest(compiler=name):
                self.assertEqual(ran.returncode, 1 if script else 4, ran.stderr)
                for word in words:
                    self.assertIn(word, ran.stderr)
                self.assertFalse((self.folder / "out.pb").exists())


class Avr(Test):
    """An ATmega2560: ints of 16 bits, doubles of 32, constants in flash, 8 KB of RAM."""
    def verified(self, *models):
        told = self.done("verify", *models, "--target", "avr-mega2560")
        self.assertIn(f"{len(models)} passed, 0 failed, 0 skipped", told)

    def model(self, text):
        path = self.folder / "m.hlo.txt"
        path.write_text(text)
        return path

    def test_models_compute_what_they_should(self):
        """The weights of mlp_digits reach beyond 64 KB, and one array of them is larger than
        avr-gcc's arrays may be."""
        self.done("compile", snapshot("mlp_digits"), "--target", "avr-mega2560", "-o", self.folder,
                  "--name", "net")
        self.assertGreater(self.manifest("net.json")["weights_bytes"], 65536)
        self.assertIn("HL_READ_PARTS(hl_f32, ", (self.folder / "net.c").read_text())
        self.verified(snapshot("mlp_digits"), snapshot("cnn_digits_int8"))

    def test_one_kernel_reads_flash_and_memory(self):
        model = self.model(MIXED)
        self.done("compile", model, "--target", "avr-mega2560", "-o", self.folder, "--name", "net")
        text = (self.folder / "net.c").read_text()
        self.assertIn("_from_2(HL_FROM(hl_f32) ", text)
        self.assertIn("HL_COPY_FROM(", text)
        for name, values, dtype in [("i", 3, "<i4"), ("y", range(16, 0, -1), "<f4")]:
            write_npy(self.folder / f"{name}.npy", values, dtype)
        self.done("snapshot", model, "--input", f"i={self.folder}/i.npy", "--input",
                  f"y={self.folder}/y.npy", "-o", self.folder / "m.snapshot.pb")
        self.verified(self.folder / "m.snapshot.pb")
        self.assertIn("1 passed",
                      self.done("verify", self.folder / "m.snapshot.pb", "--backend", "c"))

    def test_flash_is_read_in_every_width(self):
        """Both halves of a number of 64 bits, too."""
        values = {
            "s64": "4294967298, -5, 81985529216486895, 7", "u32": "4000000000, 2, 3, 4",
            "s16": "-300, 2, 3, 4", "u8": "200, 2, 3, 4", "f32": "0.1, -2, 3, 4",
            "pred": "1, 0, 0, 1", "bf16": "0.5, -2, 3, 4"
        }
        lines = [
            f"{name} = {name}[4] constant({{{text}}})\n s{name} = {name}[2] dynamic-slice({name}, "
            f"i), dynamic_slice_sizes={{2}}"
            for name, text in values.items()
        ]
        results = ", ".join(f"{name}[2]" for name in values), ", ".join(
            f"s{name}" for name in values)
        model = self.model("HloModule m\nENTRY e {\n i = s32[] parameter(0)\n " +
                           "\n ".join(lines) +
                           f"\n ROOT r = ({results[0]}) tuple({results[1]})\n}}\n")
        for start in (0, 1, 2):
            write_npy(self.folder / "i.npy", start, "<i4")
            self.done("snapshot", model, "--input", f"i={self.folder}/i.npy", "-o",
                      self.folder / f"m{start}.snapshot.pb")
        self.verified(*(self.folder / f"m{start}.snapshot.pb" for start in (0, 1, 2)))

    def test_what_does_not_fit_is_refused_with_the_bytes(self):
        told = self.refused(1, "budget", "compile", snapshot("kws_dscnn_int8"), "--target",
                            "avr-mega2560", "-o", self.folder)
        needed = int(re.search(r"needs (\d+) bytes of RAM", told).group(1))
        self.assertIn(f"atmega2560 has 8192, {needed - 8192} are missing", told)
        self.assertEqual(self.files(), [])
        # An arena and an instance of one argument and one result: three pointers.
        for elements, fits in [(2046, True), (2047, False)]:
            model = self.model(
                f"HloModule m\nENTRY e {{ x = f32[{elements}] parameter(0)\n"
                f" ROOT r = f32[{elements}] negate(x) }}"
            )
            if fits:
                self.done("compile", model, "--target", "avr-mega2560", "-o", self.folder)
            else:
                self.assertIn(
                    "are missing",
                    self.refused(1, "budget", "compile", model, "--target", "avr-mega2560", "-o",
                                 self.folder))

    def test_weights_that_flash_does_not_hold(self):
        for constants, fits in [(8, True), (9, False)]:
            lines = []
            for n in range(constants):
                values = ", ".join(str((i * (n + 3)) % 101 - 50) for i in range(30000))
                lines.append(f"w{n} = s8[30000] constant({{{values}}})\n"
                             f" s{n} = s8[4] dynamic-slice(w{n}, i), dynamic_slice_sizes={{4}}")
            total = "\n ".join(f"t{n} = s8[4] add({'s0' if n == 1 else f't{n - 1}'}, s{n})"
                               for n in range(1, constants))
            text = "HloModule m\nENTRY e {\n i = s32[] parameter(0)\n " + "\n ".join(
                lines) + "\n " + total + "\n ROOT r = s8[4] negate"
            model = self.model(text + f"(t{constants - 1})\n}}")
            if fits:
                self.done("compile", model, "--target", "avr-mega2560", "-o", self.folder)
            else:
                told = self.refused(1, "budget", "compile", model, "--target", "avr-mega2560", "-o",
                                    self.folder)
                self.assertRegex(told,
                                 r"bytes of weights: atmega2560 has \d+ of flash, \d+ are missing")

    def test_a_row_of_the_compiler_s_own(self):
        model = self.model(
            "HloModule m\nENTRY e { x = f32[4] parameter(0)\n ROOT r = f32[4] add(x, x) }")
        told = ["compile", model, "--target", "avr-mega2560", "-o", self.folder]
        self.done(*told, "--backend", "c")
        self.assertIn("change nothing in C", self.refused(2, "target", *told, "--cpu",
                                                          "atmega328p"))
        self.assertIn("is served by --backend c alone",
                      self.refused(2, "target", *told, "--backend", "cpu"))

    def test_elements_are_counted_in_16_bits(self):
        for elements, fits in [(32767, True), (32768, False)]:
            values = ", ".join(str(i % 9) for i in range(elements))
            model = self.model(f"""HloModule m
ENTRY e {{
  i = s32[] parameter(0)
  w = s8[{elements}] constant({{{values}}})
  ROOT r = s8[4] dynamic-slice(w, i), dynamic_slice_sizes={{4}}
}}""")
            if fits:
                self.done("compile", model, "--target", "avr-mega2560", "-o", self.folder)
            else:
                self.assertIn(
                    "counts 32767 at most",
                    self.refused(1, "unsupported", "compile", model, "--target", "avr-mega2560",
                                 "-o", self.folder))

    def test_doubles_are_refused_with_the_reason(self):
        text = "HloModule m\nENTRY e {{ x = {0}[4] parameter(0)\n ROOT r = {0}[4] add(x, x) }}"
        self.done("compile", self.model(text.format("f32")), "--target", "avr-mega2560", "-o",
                  self.folder)
        self.assertIn(
            "C compiler has 32 bits",
            self.refused(1, "unsupported", "compile", self.model(text.format("f64")), "--target",
                         "avr-mega2560", "-o", self.folder))
        # Nor are they handed through.
        through = self.model("HloModule m\nENTRY e { ROOT x = f64[4] parameter(0) }")
        self.assertIn(
            "has elements of f64",
            self.refused(1, "unsupported", "compile", through, "--target", "avr-mega2560", "-o",
                         self.folder))
        self.done("compile", self.model(text.format("f64")), "--target", "cortex-m0", "--backend",
                  "c", "-o", self.folder)

    def test_a_constant_for_a_function_of_yours(self):
        text = """HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  c = f32[4] constant({1, 2, 3, 4})
  ROOT y = f32[4] custom-call(x, %s), custom_call_target="my_filter"
}"""
        self.done("compile", self.model(text % "x"), "--target", "avr-mega2560", "-o", self.folder)
        self.assertIn(
            "my_filter is given the constant c",
            self.refused(1, "unsupported", "compile", self.model(text % "c"), "--target",
                         "avr-mega2560", "-o", self.folder))
        self.done("compile", self.model(text % "c"), "--target", "cortex-m0", "--backend", "c",
                  "-o", self.folder)

    def test_no_other_backend_serves_it(self):
        self.refused(2, "target", "compile", snapshot("mlp_digits"), "--target", "avr-mega2560",
                     "--backend", "cpu", "-o", self.folder)
        self.refused(2, "target", "compile", snapshot("mlp_digits"), "--target", "avr-mega2560",
                     "--cpu", "atmega328p", "-o", self.folder)


main()

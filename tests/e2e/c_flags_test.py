"""The C backend under compilers' flags: those that void IEEE's floats are refused, or change
nothing; those that the table of docs/numerics.md calls fine change nothing. Each flag is run: what
comes out is compared with what comes out without it."""
import re
import shutil
import struct
import subprocess

from harness import HLOCC, ROOT, Test, main, snapshot

BOARDS = ROOT / "toolchains" / "boards"
# Rounding of both signs, halves, zeros of both signs, what is no number, and a quotient that a
# reciprocal would round otherwise.
INPUT = struct.pack("<16f", 0.5, 1.5, -2.5, 2.25, -0.0, 1e-3, float("nan"), float("inf"), -3.75,
                    7.0, 10.0, 1000.0, -0.25, 3.0, 1e30, 0.1)
MODEL = """HloModule floats
ENTRY e {
  x = f32[16] parameter(0)
  three = f32[16] broadcast(f32[] constant(3)), dimensions={}
  zero = f32[16] broadcast(f32[] constant(0)), dimensions={}
  nearest = f32[16] round-nearest-even(x)
  below = f32[16] floor(x)
  above = f32[16] ceil(x)
  quotient = f32[16] divide(x, three)
  sum = f32[16] add(x, zero)
  other = pred[16] compare(x, x), direction=NE
  nan = f32[16] convert(other)
  twice = f32[16] log(f32[16] exponential(x))
  product = f32[16] add(f32[16] multiply(x, x), quotient)
@WIDE@
  ROOT all = f32[@COUNT@] concatenate(nearest, below, above, quotient, sum, nan, twice, product@MORE@), dimensions={0}
}
"""
WIDE = """  small = f64[16] broadcast(f64[] constant(0.001)), dimensions={}
  wide = f64[16] multiply(f64[16] convert(x), small)
  bits = f32[32] reshape(f32[16,2] bitcast-convert(wide))"""

MAIN = """#include "board.h"
#include "floats.h"
static uint8_t arena[FLOATS_ARENA_BYTES] BOARD_BULK __attribute__((aligned(FLOATS_ARENA_ALIGN)));
static floats_t model;
int main(int argc, char **argv) {
  if (argc != 3 || floats_init(&model, arena) != 0) return 1;
  const int in = board_file_open_read(argv[1]);
  board_file_read(in, floats_arg0_data(&model), FLOATS_ARG0_BYTES);
  board_file_close(in);
  const int status = floats_run(&model);
  const int out = board_file_open_write(argv[2]);
  board_file_write(out, floats_result0_data(&model), FLOATS_RESULT0_BYTES);
  board_file_close(out);
  return status;
}
"""

# What a compiler does with a flag: "same" results, or "refused" with words of ours.
EVERYWHERE = {
    "-O0": "same", "-O1": "same", "-O3": "same", "-Os": "same", "-funsigned-char": "same",
    "-ffp-contract=fast": "same", "-std=c99 -ffp-contract=fast": "same", "-fno-math-errno": "same",
    "-fno-trapping-math": "same", "-Ofast": "refused", "-ffast-math": "refused",
    "-ffinite-math-only": "refused", "-ffast-math -fno-fast-math": "same"
}
GCC = {
    **EVERYWHERE, "-funsafe-math-optimizations": "refused", "-freciprocal-math": "refused",
    "-fno-signed-zeros": "refused",
    "-fassociative-math -fno-signed-zeros -fno-trapping-math": "refused", "-frounding-math": "same",
    "-fpack-struct": "same", "-flto": "same", "-fsingle-precision-constant": "same"
}
CLANG = {
    **EVERYWHERE, "-funsafe-math-optimizations": "same", "-freciprocal-math": "same",
    "-fassociative-math": "same", "-fassociative-math -fno-signed-zeros -fno-trapping-math": "same",
    "-fapprox-func": "same", "-frounding-math": "same", "-fsingle-precision-constant": "same"
}
M4F = "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"
# Target, compiler, its flags: the source alone is compiled so, and linked by the board's own
# compiler.
COMPILERS = [
    ("host", "gcc", "-march=native", GCC),
    ("host", "clang-19", "-march=native",
     {**CLANG, "-fno-signed-zeros": "same", "-fno-honor-nans": "same"}),
    ("cortex-m4f", "arm-none-eabi-gcc", M4F, GCC),
    # ACLE has a macro for -funsafe-math-optimizations. For Arm nothing keeps the signs of zeros
    # under -fno-signed-zeros (docs/numerics.md).
    ("cortex-m4f", "clang-19", f"--target=thumbv7em-none-eabihf -meabi gnu -fshort-enums {M4F}", {
        **CLANG, "-funsafe-math-optimizations": "refused",
        "-fassociative-math -fno-signed-zeros -fno-trapping-math": None
    }),
    ("cortex-m3", "arm-none-eabi-gcc", "-mcpu=cortex-m3 -mthumb", GCC),
    # Before version 12 GCC has no macros for the single rules: a pragma keeps them.
    ("avr-mega2560", "avr-gcc", "-mmcu=atmega2560", {
        **GCC, "-flto": None, "-ffast-math -fno-fast-math": None,
        "-funsafe-math-optimizations": "same", "-freciprocal-math": "same",
        "-fno-signed-zeros": "same",
        "-fassociative-math -fno-signed-zeros -fno-trapping-math": "same"
    }),
]
# Of single precision alone, where double is not f64 or its helpers are of no interest.
NARROW = ("avr-mega2560",)


class Flags(Test):
    def setUp(self):
        super().setUp()
        self.outcomes = {}

    def source(self, target, *options):
        wide = target not in NARROW
        text = MODEL.replace("@WIDE@", WIDE if wide else "").replace("@MORE@",
                                                                     ", bits" if wide else "")
        model, folder = self.folder / "floats.hlo.txt", self.folder / target
        model.write_text(text.replace("@COUNT@", "160" if wide else "128"))
        self.done("compile", model, "--backend", "c", "--target", target, "-o", folder, *options)
        (self.folder / "main.c").write_text(MAIN)
        (self.folder / "in").write_bytes(INPUT)
        return folder / "floats.c"

    def compiled(self, source, compiler, flags, more):
        """The object, or what the compiler said instead."""
        made = source.parent / "floats.o"
        made.unlink(missing_ok=True)
        command = [
            compiler, "-O2", "-ffreestanding", *flags.split(), *more.split(), "-c", source, "-o",
            made
        ]
        ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        return (made, "") if ran.returncode == 0 else (None, ran.stderr)

    def outcome(self, target, made, *more):
        """What comes out of the board; an object of the same bytes is run once."""
        key = target, made.read_bytes(), more
        if key not in self.outcomes:
            self.outcomes[key] = self.run_on_board(target, made, *more)
        return self.outcomes[key]

    def run_on_board(self, target, made, *more):
        program, out = self.folder / "program", self.folder / "out"
        out.unlink(missing_ok=True)
        # Objects of Clang's say that they need no stack that is code; libgcc's say nothing.
        quiet = [] if target == "host" or target in NARROW else ["-Wl,--no-warn-execstack"]
        self.shell(BOARDS / "link_firmware.sh", target, program, self.folder / "main.c", made, "-I",
                   made.parent, *quiet, *more)
        self.shell(BOARDS / "run_board.sh", target, program, self.folder / "in", out)
        return out.read_bytes()

    def test_each_flag_of_each_compiler(self):
        for target, compiler, flags, expected in COMPILERS:
            if not shutil.which(compiler):
                continue
            source = self.source(target)
            plain = self.outcome(target, self.compiled(source, compiler, flags, "")[0])
            self.assertEqual(len(plain) % 64, 0)
            for more, outcome in expected.items():
                if outcome is None:
                    continue
                with self.subTest(target=target, compiler=compiler, flags=more):
                    made, said = self.compiled(source, compiler, flags, more)
                    wide = target not in NARROW and expected is GCC and more == "-fsingle-precision-constant"
                    if outcome == "refused" or wide:
                        self.assertIsNone(made)
                        self.assertIn(
                            "hl_constants_are_doubles" if wide else "floats must be IEEE's", said)
                    else:
                        self.assertEqual(said, "")
                        linked = ["-flto"] if more == "-flto" else []
                        self.assertEqual(self.outcome(target, made, *linked), plain)

    def test_a_network_of_bytes(self):
        """Nine of its ten results were wrong under -funsafe-math-optimizations."""
        target = "cortex-m4f"
        for compiler, flags in [("arm-none-eabi-gcc", M4F),
                                ("clang-19", f"--target=thumbv7em-none-eabihf -meabi gnu {M4F}")]:
            if not shutil.which(compiler):
                continue
            self.done("compile", snapshot("cnn_digits_int8"), "--backend", "c", "--target", target,
                      "-o", self.folder, "--name", "Floats")
            made, said = self.compiled(self.folder / "floats.c", compiler, flags, "-Ofast")
            self.assertIsNone(made)
            self.assertIn("floats must be IEEE's", said)

    def test_what_the_user_of_hlocc_has_chosen(self):
        """--fast-math lets products be contracted and zeros lose their signs; sums keep their order
        all the same."""
        source = self.source("host", "--fast-math")
        for compiler in ("gcc", "clang-19"):
            if not shutil.which(compiler):
                continue
            for more in ("-freciprocal-math", "-fno-signed-zeros"):
                made, said = self.compiled(source, compiler, "", more)
                self.assertEqual(said, "")
                rounded = self.outcome("host", made)[:64]
                self.assertEqual([abs(x) for x in struct.unpack("<4f", rounded[:16])], [0, 2, 2, 2])
            made, said = self.compiled(source, compiler, "", "-ffast-math")
            self.assertIn("floats must be IEEE's", said)
        made, said = self.compiled(source, "gcc", "", "-funsafe-math-optimizations")
        self.assertIn("floats must be IEEE's", said)

    def test_macros_of_compilers_that_are_not_here(self):
        """armclang (by ACLE) and Microsoft's: what their documentation says that they define."""
        source = self.source("host")
        for macro in ("__ARM_FP_FAST", "_M_FP_FAST"):
            self.assertIn("floats must be IEEE's",
                          self.compiled(source, "gcc", "", f"-D{macro}=1")[1])
        self.assertIn("in a wider type", self.compiled(source, "gcc", "", "-mfpmath=387")[1])

    def test_doubles_are_checked_only_where_there_are_any(self):
        self.assertIn("hl_constants_are_doubles", self.source("host").read_text())
        self.done("compile", snapshot("mlp_digits"), "--backend", "c", "--target", "cortex-m4f",
                  "-o", self.folder)
        self.assertNotIn("hl_constants_are_doubles", (self.folder / "mlp_digits.c").read_text())

    def test_the_table_of_the_documentation_is_this_one(self):
        """Each flag that is run here stands there."""
        told = set(re.findall(r"`(-[^`]*)`", (ROOT / "docs" / "numerics.md").read_text()))
        run = {
            flag
            for row in COMPILERS
            for flags in row[3]
            for flag in flags.split()
            if flag.startswith("-f") or flag == "-Ofast"
        }
        self.assertLessEqual(run, told)


main()

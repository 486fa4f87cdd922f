"""What must not build: a header beside another compile's library, and a compiler for another core
than the library's. And what must: every core that can run the library, with the strictest linker,
in any order."""
import re
import subprocess

from harness import ROOT, Test, main, snapshot

BOARDS = ROOT / "toolchains" / "boards"
ADD = """HloModule add
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  ROOT r = f32[4] subtract(x, y)
}"""
# y first: what a re-export with another order of arguments looks like.
SWAPPED = ADD.replace("x = f32[4] parameter(0)", "y = f32[4] parameter(0)").replace(
    "y = f32[4] parameter(1)", "x = f32[4] parameter(1)", 1)

ARM = "arm-none-eabi-gcc -mthumb -mcpu="
M4F = ARM + "cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16"
M4_SOFTFP = ARM + "cortex-m4 -mfloat-abi=softfp -mfpu=fpv4-sp-d16"
M7 = ARM + "cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16"
M33 = ARM + "cortex-m33 -mfloat-abi=hard -mfpu=fpv5-sp-d16"
M33_NO_DSP = ARM + "cortex-m33+nodsp+nofp -mfloat-abi=soft"
M55 = ARM + "cortex-m55 -mfloat-abi=hard -mfpu=auto"
M55_NO_MVE = ARM + "cortex-m55+nomve -mfloat-abi=hard -mfpu=auto"
CLANG = "clang-19 -ffreestanding --target="
RISCV = "riscv64-unknown-elf-gcc -march="

# By target of the library: compilers that fit it, and those that don't with a word of what the
# header says.
FITS = {
    "cortex-m0": [
        ARM + "cortex-m0", ARM + "cortex-m0plus", ARM + "cortex-m3",
        ARM + "cortex-m4 -mfloat-abi=soft", M4_SOFTFP, ARM + "cortex-m23",
        CLANG + "thumbv6m-none-eabi -mcpu=cortex-m0"
    ],
    "cortex-m3": [ARM + "cortex-m3", ARM + "cortex-m4 -mfloat-abi=soft", M33_NO_DSP],
    "cortex-m4": [
        ARM + "cortex-m4 -mfloat-abi=soft", M4_SOFTFP, ARM + "cortex-m7 -mfloat-abi=soft"
    ],
    "cortex-m4f": [M4F, M7, M33, CLANG + "thumbv7em-none-eabihf -mcpu=cortex-m4"],
    "cortex-m7": [M7, CLANG + "thumbv7em-none-eabihf -mcpu=cortex-m7"],
    "cortex-m33": [M33, M55, CLANG + "thumbv8m.main-none-eabihf -mcpu=cortex-m33"],
    "cortex-m55": [M55, CLANG + "thumbv8.1m.main-none-eabihf -mcpu=cortex-m55"],
    "rv32imc": [
        RISCV + "rv32imc -mabi=ilp32", RISCV + "rv32imac -mabi=ilp32",
        RISCV + "rv32imafc -mabi=ilp32"
    ],
    "rv32imac": [
        RISCV + "rv32imac -mabi=ilp32", CLANG + "riscv32-unknown-elf -march=rv32imac -mabi=ilp32"
    ],
    "rv32imafc": [
        RISCV + "rv32imafc -mabi=ilp32f", RISCV + "rv32gc -mabi=ilp32f",
        CLANG + "riscv32-unknown-elf -march=rv32imafc -mabi=ilp32f"
    ],
    "rv64gc": [
        RISCV + "rv64gc -mabi=lp64d", CLANG + "riscv64-unknown-elf -march=rv64gc -mabi=lp64d"
    ],
    # Programs of an operating system are compiled for what the distribution serves.
    "cortex-a53": ["aarch64-linux-gnu-gcc"],
    "armv7-linux": ["arm-linux-gnueabihf-gcc"],
    "riscv64-linux": ["riscv64-linux-gnu-gcc"],
    "riscv64v-linux": ["riscv64-linux-gnu-gcc"],
    "s390x-linux": ["s390x-linux-gnu-gcc"],
    "host": ["gcc", "clang-19"],
}
REFUSED = {
    "cortex-m0": [("gcc", "no compiler for 32-bit Arm"), (M4F, "passes floats in core registers"),
                  (RISCV + "rv32imc -mabi=ilp32", "no compiler for 32-bit Arm"),
                  ("arm-linux-gnueabihf-gcc", "the M profile")],
    "cortex-m3": [(ARM + "cortex-m0", "Armv7"),
                  (ARM + "cortex-m23", "Thumb-2")], "cortex-m4": [(ARM + "cortex-m3", "DSP"),
                                                                  (ARM + "cortex-m0", "Armv7"),
                                                                  (M33_NO_DSP, "DSP"),
                                                                  (M4F, "core registers")],
    "cortex-m4f": [(ARM + "cortex-m0", "Armv7"), (ARM + "cortex-m3", "DSP"),
                   (ARM + "cortex-m4 -mfloat-abi=soft", "FPU"),
                   (M4_SOFTFP, "hard-float calling convention"),
                   (CLANG + "thumbv7em-none-eabi -mcpu=cortex-m4 -mfloat-abi=soft", "FPU")],
    "cortex-m7": [(M4F, "double-precision")], "cortex-m33": [(M4F, "Armv8-M")], "cortex-m55": [
        (M33, "double-precision"), (M55_NO_MVE, "MVE")
    ], "rv32imc": [(RISCV + "rv32ic -mabi=ilp32", "extension M"),
                   (RISCV + "rv32im -mabi=ilp32", "extension C"),
                   (RISCV + "rv32emc -mabi=ilp32e", "32 registers"),
                   (RISCV + "rv64imac -mabi=lp64", "pointers of 32 bits")], "rv32imac": [
                       (RISCV + "rv32ic -mabi=ilp32", "extension M"),
                       (RISCV + "rv32imc -mabi=ilp32", "extension A"),
                       (RISCV + "rv32imafc -mabi=ilp32f", "soft-float")
                   ], "rv32imafc": [(RISCV + "rv32imac -mabi=ilp32", "extension F"),
                                    (RISCV + "rv32imafc -mabi=ilp32", "single-float")],
    "rv64gc": [(RISCV + "rv64imafc -mabi=lp64f", "extension D")], "cortex-a53": [
        ("gcc", "AArch64"), ("arm-linux-gnueabihf-gcc", "AArch64"),
        ("aarch64-linux-gnu-gcc -mbig-endian", "little-endian")
    ], "armv7-linux": [("gcc", "32-bit Arm"), ("aarch64-linux-gnu-gcc", "32-bit Arm"),
                       (M4_SOFTFP, "hard-float")], "s390x-linux": [("gcc", "s390x")], "host": [
                           ("gcc -m32", "x86-64"), ("aarch64-linux-gnu-gcc", "x86-64")
                       ],
}
# Other words on the command line: a convention of one's own.
SOFTFP_FITS = [("cortex-m4f", M4_SOFTFP), ("rv32imafc", RISCV + "rv32imafc -mabi=ilp32")]

MAIN = """#include "board.h"
#include "add.h"
#include "mlp.h"
static uint8_t arena[ADD_ARENA_BYTES + MLP_ARENA_BYTES] __attribute__((aligned(64)));
static add_t add;
static mlp_t mlp;
int main(void) {
  if (add_init(&add, arena) != 0) return 1;
  for (int i = 0; i < 4; ++i) add_arg_x_data(&add)[i] = (float)(i + 1), add_arg_y_data(&add)[i] = 0.5f;
  if (add_run(&add) != 0 || add_result0_data(&add)[3] != 3.5f) return 2;
  return mlp_init(&mlp, arena) != 0 || mlp_run(&mlp) != 0 ? 3 : 0;
}
"""

STACK_MAIN = """#include "board.h"
#include "net.h"
static uint8_t arena[NET_ARENA_BYTES] BOARD_BULK __attribute__((aligned(NET_ARENA_ALIGN)));
static net_t net;
int main(void) {
  if (net_init(&net, arena) != 0) return 1;
  board_stack_paint();
  const int status = net_run(&net);
  const uint32_t touched = board_stack_used();
  board_print_u32(touched);
  return status;
}
"""


class Link(Test):
    def write_model(self, text, name="add.hlo"):
        path = self.folder / name
        path.write_text(text)
        return path

    def header_says(self, compiler, folder, *flags):
        """What a C and a C++ compiler write about a file that includes add.h; empty if nothing is
        wrong."""
        source = self.folder / "use.c"
        source.write_text("#include \"add.h\"\n")
        said = ""
        # The cross compilers for Linux are installed for C alone.
        for language in ["-xc -std=c99"] + ["-xc++ -std=c++11"] * ("-linux-" not in compiler):
            command = [
                *compiler.split(), *language.split(), "-ffreestanding", "-fsyntax-only", "-I",
                folder, *flags, source
            ]
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            said += ran.stderr
            self.assertEqual(ran.returncode != 0, bool(ran.stderr), command)
        return said

    def make(self, target, *flags):
        folder = self.folder / target
        self.done("compile", self.write_model(ADD), "-o", folder, "--name", "Add", "--target",
                  target, *flags)
        return folder

    def test_compilers_that_fit(self):
        for target, compilers in FITS.items():
            folder = self.make(target)
            for compiler in compilers:
                with self.subTest(target=target, compiler=compiler):
                    self.assertEqual(self.header_says(compiler, folder), "")

    def test_the_compiler_of_every_board(self):
        for row in sorted((BOARDS / "presets").glob("*.conf")):
            script = f". {BOARDS}/presets.sh; preset_open {row.stem}; echo $(preset_get compiler) $(preset_get cflags)"
            compiler = self.shell("bash", "-c", script).strip()
            with self.subTest(target=row.stem, compiler=compiler):
                self.assertEqual(
                    self.header_says(
                        compiler.replace("cc", "gcc", 1) if compiler == "cc" else compiler,
                        self.make(row.stem)), "")

    def test_compilers_for_another_core(self):
        for target, rows in REFUSED.items():
            folder = self.make(target)
            for compiler, word in rows:
                with self.subTest(target=target, compiler=compiler):
                    said = self.header_says(compiler, folder)
                    self.assertIn(f"Add was compiled for {target}", said)
                    self.assertIn(word, said)

    def test_a_processor_that_is_no_row(self):
        folder = self.make("thumbv8m.base-none-eabi", "--cpu", "cortex-m23")
        for compiler in [ARM + "cortex-m23", ARM + "cortex-m3", M33_NO_DSP]:
            self.assertEqual(self.header_says(compiler, folder), "", compiler)
        self.assertIn("Armv8-M Baseline", self.header_says(ARM + "cortex-m0plus", folder))

    def test_those_who_know_better(self):
        folder = self.make("cortex-m4f")
        self.assertEqual(self.header_says(ARM + "cortex-m3", folder, "-DADD_SKIP_TARGET_CHECK"), "")

    def test_another_convention(self):
        for target, compiler in SOFTFP_FITS:
            folder = self.make(target, "--float-abi", "softfp")
            self.assertEqual(self.header_says(compiler, folder), "", target)
        self.assertIn(
            "FPU",
            self.header_says(ARM + "cortex-m4 -mfloat-abi=soft",
                             self.make("cortex-m4f", "--float-abi", "softfp")))
        self.assertIn(
            "extension F",
            self.header_says(RISCV + "rv32imac -mabi=ilp32",
                             self.make("rv32imafc", "--float-abi", "softfp")))

    def links(self, header, library):
        (self.folder / "main.c").write_text(
            "#include \"add.h\"\nstatic uint64_t arena[ADD_ARENA_BYTES / 8 + 8] "
            "__attribute__((aligned(64)));\nstatic add_t add;\n"
            "int main(void) { return add_init(&add, arena) || add_run(&add); }\n")
        ran = subprocess.run([
            "gcc", "-I", header, self.folder / "main.c", library / "libadd.a", "-o",
            self.folder / "main"
        ],
                             capture_output=True,
                             text=True,
                             check=False)
        return "" if ran.returncode == 0 else ran.stderr

    def test_header_and_library_of_two_compiles(self):
        def made(folder, model, *flags):
            self.done("compile", self.write_model(model, f"{folder}.hlo"), "-o",
                      self.folder / folder, "--name", "Add", *flags)
            return self.folder / folder
        first, again = made("first", ADD), made("again", ADD)
        self.assertEqual(self.links(first, again), "")
        others = {
            "keep": made("keep", ADD, "--keep-arguments"), "swapped": made("swapped", SWAPPED),
            "shape": made("shape", ADD.replace("[4]", "[8]"))
        }
        for name, other in others.items():
            with self.subTest(other=name):
                self.assertRegex(self.links(first, other),
                                 "undefined reference to .add_run_[0-9a-f]{16}")
                self.assertEqual(self.links(other, other), "")
        # Other arithmetic is the same interface.
        self.assertEqual(self.links(first, made("product", ADD.replace("subtract", "multiply"))),
                         "")

    def test_two_models_in_any_order(self):
        """Without a warning, with the compiler's helpers behind the libraries."""
        (self.folder / "main.c").write_text(MAIN)
        for target in ("cortex-m0", "cortex-m4f", "rv32imc"):
            self.done("compile", self.write_model(ADD), "-o", self.folder, "--name", "Add",
                      "--target", target)
            self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--name", "Mlp",
                      "--target", target)
            for order in (["libadd.a", "libmlp.a"], ["libmlp.a", "libadd.a"]):
                program = self.folder / "program.elf"
                self.shell(BOARDS / "link_firmware.sh", target, program,
                           self.folder / "main.c", "-I", self.folder,
                           *(self.folder / library for library in order), "-Wl,--fatal-warnings")
                self.shell(BOARDS / "run_board.sh", target, program)

    def test_stack_is_what_run_takes(self):
        """The manifest's figure, helpers included, is no less than what a run touches on the
        board."""
        (self.folder / "main.c").write_text(STACK_MAIN)
        for target in ("cortex-m0", "cortex-m3", "cortex-m4f", "rv32imc"):
            for model in ("mlp_digits", "kws_gru_stream"):
                self.done("compile", snapshot(model), "-o", self.folder, "--name", "Net",
                          "--target", target)
                told = self.manifest("net.json")
                program = self.folder / "program.elf"
                self.shell(BOARDS / "link_firmware.sh", target, program, self.folder / "main.c",
                           "-I", self.folder, self.folder / "libnet.a")
                touched = int(self.shell(BOARDS / "run_board.sh", target, program))
                with self.subTest(target=target, model=model):
                    self.assertFalse(told["stack_is_lower_bound"])
                    self.assertLessEqual(touched, told["stack_bytes"])

    def test_nothing_lies_below_the_stack_pointer(self):
        """Where an ABI has a red zone: its bytes are in no frame. POWER's functions save registers
        before they make their frame, but in it: those with a frame are right."""
        for target, below, frame in (("x86_64-linux", r"-0x[0-9a-f]+\(%rsp", None),
                                     ("ppc64le-linux", r", -\d+\(1\)", "stdu 1, ")):
            self.done("compile", snapshot("kws_dscnn_int8"), "-o", self.folder, "--name", "Net",
                      "--target", target)
            functions = self.shell("llvm-objdump-19", "-d", self.folder / "libnet.a").split("\n\n")
            with self.subTest(target=target):
                self.assertGreater(len(functions), 10)
                for function in functions:
                    if frame is None or frame not in function:
                        self.assertEqual(re.findall(f".*{below}.*", function)[:3], [])


main()

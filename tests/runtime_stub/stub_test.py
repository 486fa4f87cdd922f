"""The headers of runtime_stub/: free of warnings in C99 and C++11 for every compiler that is there,
empty where nothing is called, refusing what is wrong at compile time, and right on four boards.
Needs nothing of hlocc's build."""
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1]).resolve()
STUB = ROOT / "runtime_stub"
HERE = ROOT / "tests" / "runtime_stub"
BOARDS = ROOT / "toolchains" / "boards"
HEADERS = sorted(STUB.glob("*.h"))
STRICT = [
    "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wcast-align", "-Werror",
    "-ffreestanding"
]
M4F = ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]
COMPILERS = [["gcc"], ["clang-19"], M4F, ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb"],
             ["riscv64-unknown-elf-gcc", "-march=rv32imc", "-mabi=ilp32"],
             ["aarch64-linux-gnu-gcc"], ["clang-19", "--target=thumbv6m-none-eabi"],
             ["clang-19", "--target=riscv32-unknown-elf"]]
LANGUAGES = [["-x", "c", "-std=c99"], ["-x", "c++", "-std=c++11", "-fno-exceptions", "-fno-rtti"]]
# What the clock that the target suggests must answer on the board: QEMU's Cortex-M has no DWT, and
# its test counts by SysTick.
BOARDS_AND_CLOCKS = {
    "cortex-m4f": ("1", ["-DHLOCC_CLOCK=2"]), "cortex-m0": ("0", []), "rv32imc": ("0", []),
    "cortex-a53": ("0", [])
}


# Their timers count the instructions that ran, whatever else this machine does.
os.environ["BOARD_TIME"] = "counted"


def run(*command, text=None):
    return subprocess.run([str(part) for part in command],
                          input=text,
                          capture_output=True,
                          text=True,
                          check=False)


class Headers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hlocc_stub_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compiled(self, compiler, language, source, *flags):
        return run(*compiler, *language, *STRICT, "-I", STUB, "-fsyntax-only", *flags, source)

    def test_no_warnings(self):
        self.assertGreater(len(HEADERS), 4)
        for compiler, language in itertools.product(COMPILERS, LANGUAGES):
            if not shutil.which(compiler[0]) or (compiler[0].startswith("aarch64")
                                                 and "c++" in language):
                continue  # Debian's aarch64 C++ compiler is a package of its own.
            # Each as a file of its own: it includes what it uses, and may be the main file.
            ran = run(*compiler, *language, *STRICT, "-fsyntax-only", *HEADERS)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), compiler + language)

    def test_no_warnings_of_what_needs_a_system(self):
        """Drivers of GPUs: dlopen and malloc."""
        headers = sorted((STUB / "gpu").glob("*.h"))
        self.assertGreater(len(headers), 2)
        strict = [flag for flag in STRICT if flag != "-ffreestanding"] + ["-D_DEFAULT_SOURCE"]
        for compiler, language in itertools.product(
            [["gcc"], ["clang-19"], ["aarch64-linux-gnu-gcc"], ["arm-linux-gnueabihf-gcc"]],
                LANGUAGES):
            if not shutil.which(compiler[0]) or ("linux" in compiler[0] and "c++" in language):
                continue
            ran = run(*compiler, *language, *strict, "-fsyntax-only", *headers)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), compiler + language)

    def test_all_together(self):
        for compiler in (["g++"], ["clang-19"], M4F):
            ran = self.compiled(compiler, LANGUAGES[1], HERE / "all_headers.cpp")
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), compiler)

    def test_nothing_called_nothing_stored(self):
        source = self.folder / "unused.c"
        source.write_text("".join(f'#include "{header.name}"\n' for header in HEADERS))
        for level in ("-O0", "-O2"):
            ran = run(*M4F, "-std=c99", level, "-I", STUB, "-c", source, "-o",
                      self.folder / "unused.o")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            sizes = run("arm-none-eabi-size",
                        self.folder / "unused.o").stdout.splitlines()[1].split()[:3]
            self.assertEqual(sizes, ["0", "0", "0"])

    def test_mistakes_do_not_compile(self):
        models = (
            "#include <hlocc_arena.h>\nenum { A_ARENA_BYTES = 100, A_ARENA_ALIGN = 16, "
            "B_ARENA_BYTES = 50, B_ARENA_ALIGN = 4, A_ARENA_FAST_BYTES = 60, A_ARENA_KEPT_BYTES = 1, "
            "B_ARENA_FAST_BYTES = 70, B_ARENA_KEPT_BYTES = 0 };\n"
            '#define A_ARENA_FAST_SECTION ".bss.hlocc_fast"\n'
        )
        for right, wrong in (
            ("HLOCC_ARENA(x, 100, 16); HLOCC_ARENA_HOLDS(x, A);",
             "HLOCC_ARENA(x, 99, 16); HLOCC_ARENA_HOLDS(x, A);"), ("HLOCC_PART(a, 32, A);",
                                                                   "HLOCC_PART(a, 8, A);"),
            ("HLOCC_PART(a, 0, A); HLOCC_PART(b, 100, B); HLOCC_PARTS_APART(a, b);",
             "HLOCC_PART(a, 0, A); HLOCC_PART(b, 96, B); HLOCC_PARTS_APART(a, b);"),
            ("HLOCC_PART(b, 52, B); HLOCC_PART(a, 112, A); HLOCC_PARTS_APART(a, b);",
             "HLOCC_PART(b, 80, B); HLOCC_PART(a, 112, A); HLOCC_PARTS_APART(a, b);"),
            ("HLOCC_ARENA(x, 60, 16); HLOCC_ARENA_HOLDS_IN(x, FAST, A);",
             "HLOCC_ARENA(x, 59, 16); HLOCC_ARENA_HOLDS_IN(x, FAST, A);"),
            ("HLOCC_ARENA(x, HLOCC_SHARED_IN2(FAST, A, B), 16); HLOCC_ARENA_HOLDS_IN(x, FAST, B);",
             "HLOCC_MEMORY_ARENA(x, FAST, A); HLOCC_ARENA_HOLDS_IN(x, FAST, B);"),
            ("HLOCC_ARENA(x, HLOCC_SHARED_IN4(FAST, A, A, B, A), 16); HLOCC_ARENA_HOLDS_IN(x, FAST, B);",
             "HLOCC_ARENA(x, HLOCC_SHARED_IN3(FAST, A, A, A), 16); HLOCC_ARENA_HOLDS_IN(x, FAST, B);"),
            ("HLOCC_ARENA_MAY_BE_SHARED(B);", "HLOCC_ARENA_MAY_BE_SHARED(A);"),
            ("HLOCC_ARENA(x, 116, 16); HLOCC_PART(a, 16, A); HLOCC_PART_INSIDE(a, x);",
             "HLOCC_ARENA(x, 115, 16); HLOCC_PART(a, 16, A); HLOCC_PART_INSIDE(a, x);")):
            for language, (text, compiles) in itertools.product(LANGUAGES,
                                                                ((right, True), (wrong, False))):
                ran = run("gcc", *language, "-I", STUB, "-fsyntax-only", "-", text=models + text)
                self.assertEqual(ran.returncode == 0, compiles, (text, ran.stderr))
                if not compiles:
                    self.assertRegex(ran.stderr,
                                     "is_large_enough_for|is_aligned|do_not_overlap|lies_inside|"
                                     "keeps_no_weights")

    def board(self, name, *flags):
        clock, own = BOARDS_AND_CLOCKS.get(name, ("0", []))
        program = self.folder / f"{name}.elf"
        # default_clock.c sees none of the flags: it is compiled to an object on its own first.
        row = dict(
            line.split("=", 1)
            for line in (BOARDS / "presets" / f"{name}.conf").read_text().splitlines()
            if line and line[0] != "#")
        compiler = row.get("compiler", "cc")
        if not shutil.which(compiler):
            self.skipTest(f"{compiler} is not installed")
        made = run(compiler,
                   *row.get("cflags", "").split(), "-O2", "-ffreestanding", "-I", STUB, "-c",
                   HERE / "default_clock.c", "-o", self.folder / "clock.o")
        self.assertEqual(made.returncode, 0, made.stderr)
        linked = run(BOARDS / "link_firmware.sh", name, program, HERE / "stub_test.c",
                     HERE / "stub_edges.c", self.folder / "clock.o", "-I", STUB, "-Werror", *own,
                     *flags)
        self.assertEqual(linked.returncode, 0, linked.stderr)
        ran = run(BOARDS / "run_board.sh", name, program, clock)
        self.assertEqual(ran.returncode, 42, ran.stdout + ran.stderr)
        self.assertIn("hlocc-selftest end stub passed ", ran.stdout)
        return ran.stdout + ran.stderr

    def test_on_boards(self):
        for name in BOARDS_AND_CLOCKS:
            with self.subTest(name):
                out = self.board(name)
                self.assertEqual("by semihosting\n" in out, name != "cortex-a53")

    def test_here_with_sanitizers(self):
        self.board("host", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")


class Vulkan(unittest.TestCase):
    """The driver of models on a GPU, beside a Vulkan that is none."""

    def test_here_with_sanitizers(self):
        with tempfile.TemporaryDirectory(prefix="hlocc_stub_") as folder:
            program = pathlib.Path(folder) / "vulkan"
            made = run("gcc", "-std=c99", "-D_DEFAULT_SOURCE", "-O1", "-g", "-Wall", "-Wextra",
                       "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I",
                       STUB, *sorted((HERE / "vulkan").glob("*.c")), "-o", program)
            self.assertEqual((made.returncode, made.stderr), (0, ""))
            ran = run(program)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)
            self.assertRegex(ran.stdout, "^passed [0-9]+\n$")


class Threads(unittest.TestCase):
    """hlocc_threads.h by each kind of threads; those of RTOSes by shims of their APIs, which Debian
    has not."""
    SHIMS = ["-isystem", HERE / "shims", "-D_POSIX_C_SOURCE=200809L"]
    KINDS = {1: "pthread", 2: "FreeRTOS", 3: "Zephyr", 4: "CMSIS-RTOS2"}

    def test_no_warnings(self):
        source = '#define HLOCC_THREADS %d\n#include <hlocc_threads.h>\nstatic hlocc_pool pool;\nHLOCC_THREADS_BY(pool)\n'
        strict = [["gcc", *STRICT, "-x", "c", f"-std={std}"] for std in ("c99", "c11", "c17")]
        strict += [["g++", *STRICT, "-x", "c++", f"-std={std}", "-fno-exceptions", "-fno-rtti"]
                   for std in ("c++11", "c++17", "c++20")]
        strict.append([
            "clang-19", "-x", "c", "-std=c99", "-ffreestanding", "-Werror", "-Weverything",
            "-Wno-padded", "-Wno-unsafe-buffer-usage"
        ])
        for compiler, kind in itertools.product(strict, self.KINDS):
            if not shutil.which(compiler[0]):
                continue
            ran = run(*compiler, *self.SHIMS, "-I", STUB, "-fsyntax-only", "-", text=source % kind)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), [compiler, self.KINDS[kind]])
        wrong = run("gcc", "-I", STUB, "-fsyntax-only", "-x", "c", "-", text=source % 5)
        self.assertIn("HLOCC_THREADS is 0 (one core), 1 (pthread)", wrong.stderr)

    def test_every_range_once(self):
        with tempfile.TemporaryDirectory(prefix="hlocc_stub_") as folder:
            for kind, sanitizer in itertools.product(self.KINDS, ([], ["-fsanitize=thread", "-g"])):
                with self.subTest(f"{self.KINDS[kind]} {sanitizer}"):
                    program = pathlib.Path(folder) / "threads"
                    made = run("gcc", "-std=c99", "-O1", "-pthread", *STRICT[:-1], *sanitizer,
                               f"-DHLOCC_THREADS={kind}", *self.SHIMS, "-I", STUB,
                               HERE / "threads_test.c", "-o", program)
                    self.assertEqual((made.returncode, made.stderr), (0, ""))
                    ran = run(program)
                    self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "passed\n", ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

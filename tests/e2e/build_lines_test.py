"""The lines that compile and link a firmware, as the manifest, `compile` and `targets` print them,
are run for every preset whose compiler is installed; and copies: without a C library the library's
own, with one the C library's."""
import re
import shutil
import subprocess

from harness import ROOT, Test, main, snapshot

BOARDS = ROOT / "toolchains" / "boards"
BARE = [
    "cortex-m0", "cortex-m3", "cortex-m4f", "cortex-m23", "cortex-m33", "cortex-m55", "rv32imc",
    "rv32imac", "rv32imafc", "rv64gc", "wasm32"
]
MAIN = """#include "net.h"
static uint64_t arena[NET_ARENA_BYTES / 8 + 8] __attribute__((aligned(64)));
static net_t net;
int main(void) { return net_init(&net, arena) != 0 || net_run(&net) != 0; }
"""
# The firmware's own start-up code and linker script, as little as links anywhere.
START = "int main(void);\nvoid _start(void);\nvoid _start(void) { main(); for (;;) {} }\n"
SCRIPT = "ENTRY(_start)\nSECTIONS { . = 0x10000; .text : { *(.literal .text .literal.* .text.*) *(.rodata*) } .data : { *(.data*) *(.sdata*) } .bss : { *(.bss*) *(.sbss*) *(COMMON) } }\n"
BOTH = """#include "board.h"
#include "gru.h"
#include "net.h"
static uint8_t arena[NET_ARENA_BYTES + GRU_ARENA_BYTES] BOARD_BULK __attribute__((aligned(64)));
static net_t net;
static gru_t gru;
int main(void) {
  if (net_init(&net, arena) != 0 || net_run(&net) != 0) return 1;
  return gru_init(&gru, arena) != 0 || gru_run(&gru) != 0 ? 2 : 0;
}
"""
COPIES = """#include "board.h"
#include "net.h"
void *hlocc_memcpy(void *to, const void *from, size_t bytes);
static uint8_t arena[NET_ARENA_BYTES] BOARD_BULK __attribute__((aligned(64)));
static net_t net;
static uint8_t from[96] __attribute__((aligned(16))), to[96] __attribute__((aligned(16)));
int main(void) {
  if (net_init(&net, arena) != 0 || net_run(&net) != 0) return 1;
  for (uint32_t i = 0; i < 96; ++i) from[i] = (uint8_t)(i * 7 + 1);
  for (uint32_t a = 0; a < 9; ++a)
    for (uint32_t b = 0; b < 9; ++b)
      for (uint32_t bytes = 0; bytes < 70; ++bytes) {
        for (uint32_t i = 0; i < 96; ++i) to[i] = 0xa5;
        if (hlocc_memcpy(to + a, from + b, bytes) != to + a) return 2;
        for (uint32_t i = 0; i < 96; ++i)
          if (to[i] != (i >= a && i < a + bytes ? from[i - a + b] : 0xa5)) return 3;
      }
  return 0;
}
"""


def newlib(compiler):
    found = subprocess.run([*compiler, "-print-file-name=libc.a"],
                           capture_output=True,
                           text=True,
                           check=True).stdout.strip()
    return "/" in found


class Made(Test):
    def make(self, target, *flags, model="mlp_digits", name="Net"):
        return self.done("compile", snapshot(model), "-o", self.folder, "--name", name, "--target",
                         target, *flags)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def in_shell(self, line):
        """As a user pastes it; Debian calls Clang by its version."""
        ran = subprocess.run(["bash", "-c", re.sub(r"^clang ", "clang-19 ", line)],
                             cwd=self.folder,
                             capture_output=True,
                             text=True,
                             check=False)
        self.assertEqual(ran.returncode, 0, f"{line}\n{ran.stderr}")
        return ran.stdout

    def build(self, lines, steps=("compile", "link")):
        for step in steps:
            self.in_shell(lines[step])

    def start(self, target, compile_line):
        """START.o and SCRIPT.ld, by the same compiler; the ROM's part of libgcc for an ESP8266, and
        all of it for Hexagon."""
        self.write("START.c", START)
        self.write("SCRIPT.ld", SCRIPT)
        self.in_shell(re.sub(r" -c .*", " -c START.c", compile_line))
        if target.startswith("xtensa"):
            compiler = compile_line.split()[0]
            self.shell(compiler,
                       "-mlongcalls",
                       "-ffreestanding",
                       "-O2",
                       "-I",
                       BOARDS,
                       "-c",
                       BOARDS / "soft_numbers.c",
                       BOARDS / "board_memory.c",
                       cwd=self.folder)
            self.shell(compiler,
                       "-r",
                       "-nostdlib",
                       "START.o",
                       "soft_numbers.o",
                       "board_memory.o",
                       "-o",
                       "rom.o",
                       cwd=self.folder)
            shutil.copy(self.folder / "rom.o", self.folder / "START.o")

        if target.startswith("hexagon"):
            # What its compiler would bring, by the name that it prints of it.
            for source in ("hexagon_numbers.c", "board_memory.c"):
                self.in_shell(re.sub(r" -c .*", f" -I {BOARDS} -c {BOARDS / source}", compile_line))
            self.shell("llvm-ar-19",
                       "rc",
                       "libgcc.a",
                       "hexagon_numbers.o",
                       "board_memory.o",
                       cwd=self.folder)

    def presets(self):
        return [
            line.split()[0]
            for line in self.done("targets").split("Chips and boards")[0].splitlines()
            if line.startswith("  ") and "triple" not in line
        ]


class Lines(Made):
    def test_lines_of_every_preset(self):
        self.write("main.c", MAIN)
        linked = 0
        for target in self.presets():
            if target == "avr-mega2560":
                continue  # has no room for a model that copies; below
            told = self.make(target)
            build = self.manifest("net.json")["build"]
            for compiler, lines in build.items():
                command = lines["link"].split()[0].replace("clang", "clang-19")
                if shutil.which(command) is None or target == "loongarch64-linux" or "$(" in lines[
                        "link"] and shutil.which(re.search(r"\$\((\S+)", lines["link"])[1]) is None:
                    continue
                with self.subTest(target=target, compiler=compiler):
                    if "SCRIPT.ld" in lines["link"]:
                        self.start(target, lines["compile"])
                    self.build(lines)
                    linked += 1
                    # `compile` says the same with the folder in it, so that the lines can be run
                    # where it ran.
                    for step in ("compile", "link"):
                        there = lines[step].replace("libnet.a", f"{self.folder}/libnet.a").replace(
                            " -c main.c", f" -I {self.folder} -c main.c")
                        there = there.replace(" net.c", f" {self.folder}/net.c")
                        self.assertIn(f"  {compiler} {step}".ljust(16) + f" {there}\n", told)
        self.assertGreater(linked, 60)

    def test_a_microcontroller_with_a_compiler_of_its_own(self):
        model = self.write(
            "add.hlo",
            "HloModule add\nENTRY main {\n  x = f32[4] parameter(0)\n  ROOT r = f32[4] add(x, x)\n}"
        )
        self.done("compile", model, "-o", self.folder, "--name", "Net", "--target", "avr-mega2560")
        self.write("main.c", MAIN)
        self.build(self.manifest("net.json")["build"]["gcc"])

    def test_targets_print_them(self):
        told = self.done("targets", "stm32f407vg")
        self.assertRegex(
            told, r"(?m)^build\n  gcc compile    arm-none-eabi-gcc -mcpu=cortex-m4 .*-c main\.c$")
        self.assertRegex(
            told,
            r"(?m)^  gcc link_libc  .* START\.o main\.o libNAME\.a -lc -lgcc -o program\.elf$")
        # A processor of one's own is not the row's: its compiler's flags are not known.
        self.make("cortex-m4f", "--cpu", "cortex-m7")
        self.assertIsNone(self.manifest("net.json")["build"])
        self.assertNotIn("build with it", self.make("armv8m.main-none-eabi"))
        self.assertNotIn("build with it", self.make("cortex-m4f", "-q"))

    def test_files_beside_the_library(self):
        self.write("main.c", MAIN)
        for flags, word in ((["--weights", "external"], "net_weights.o"), (["--backend",
                                                                            "c"], "net.o")):
            self.make("host", *flags)
            lines = self.manifest("net.json")["build"]["gcc"]
            self.assertIn(word, lines["link"])
            self.build(lines)
            self.shell(self.folder / "program")
        self.make("riscv64-linux", "--threads", "2")
        self.assertTrue(
            self.manifest("net.json")["build"]["gcc"]["link"].endswith(" -pthread -o program"))

    def test_riscv_libgcc(self):
        """The flags that are printed lead to a libgcc of 32 bits, and others that mean the same do
        not."""
        for target in ("rv32imc", "rv32imac", "rv32imafc", "esp32c3", "ch32v307"):
            self.make(target)
            line = self.manifest("net.json")["build"]["gcc"]["link"].split(" -nostdlib")[0]
            self.assertRegex(self.in_shell(line + " -print-multi-directory"), "^rv32", target)
        self.assertEqual(
            self.in_shell(
                "riscv64-unknown-elf-gcc -march=rv32imac_zicsr -mabi=ilp32 -print-multi-directory").
            strip(), ".")


class Copies(Made):
    def undefined(self):
        return set(
            self.shell("llvm-nm-19", "-u", "--format=just-symbols",
                       self.folder / "libnet.a").split()) - {"net.o:"}

    def members(self):
        return self.shell("llvm-ar-19", "t", self.folder / "libnet.a").split()

    def test_nothing_is_asked_of_a_libc(self):
        seen = set()
        for target in BARE:
            for model in ("mlp_digits", "kws_gru_stream", "ekf"):
                for level in ("-O0", "-O2", "-Oz"):
                    self.make(target, level, model=model)
                    undefined, members = self.undefined(), self.members()
                    with self.subTest(target=target, model=model, level=level):
                        self.assertFalse(undefined & {"memcpy", "memset", "memmove"})
                        self.assertEqual("hlocc_memcpy" in undefined, "hlocc_memcpy.o" in members)
                        self.assertNotIn("hlocc_memcpy", self.manifest("net.json")["undefined"])
                        self.assertEqual(members[0], "net.o")
                        seen.add(len(members))
        self.assertEqual(seen, {1, 2})
        # An object alone lacks what is in the library; an operating system has a libc.
        self.make("cortex-m4f", "--emit", "obj,header")
        self.assertIn("hlocc_memcpy", self.manifest("net.json")["undefined"])
        self.make("cortex-a53", model="topk_sort")
        self.assertEqual((self.members(), "memcpy" in self.manifest("net.json")["undefined"]),
                         (["net.o"], True))

    def test_triples(self):
        """Those that are no presets; two of LLVM's ways to code call memcpy by its name."""
        for target, level, own in (("wasm32-unknown-unknown", "-O2",
                                    False), ("x86_64-unknown-none", "-O0",
                                             False), ("x86_64-unknown-none", "-O2",
                                                      True), ("aarch64-none-elf", "-O0", True),
                                   ("mips-none-elf", "-O2", True), ("armv7a-none-eabi", "-O2",
                                                                    True)):
            self.make(target, level, model="topk_sort")
            with self.subTest(target=target, level=level):
                self.assertEqual("hlocc_memcpy.o" in self.members(), own)
                self.assertEqual("memcpy" in self.manifest("net.json")["undefined"], not own)

    def board(self, target, main_c, *libraries, flags=()):
        program = self.folder / "program.elf"
        self.shell(BOARDS / "link_firmware.sh", target, program, self.write("main.c", main_c), "-I",
                   self.folder, *(self.folder / library for library in libraries), *flags)
        self.shell(BOARDS / "run_board.sh", target, program)
        return (self.folder / "program.elf.map").read_text()

    def test_every_alignment(self):
        for target in ("cortex-m0", "cortex-m4f", "cortex-m55", "rv32imc", "rv64gc"):
            self.make(target)
            self.assertIn("libnet.a(hlocc_memcpy.o)", self.board(target, COPIES, "libnet.a"))

    def test_two_models(self):
        for target in ("cortex-m0", "cortex-m4f", "rv32imc"):
            self.make(target)
            self.make(target, model="kws_gru_stream", name="Gru")
            self.board(target,
                       BOTH,
                       flags=("-Wl,--whole-archive", self.folder / "libnet.a",
                              self.folder / "libgru.a", "-Wl,--no-whole-archive"))
            for order in (("libnet.a", "libgru.a"), ("libgru.a", "libnet.a")):
                told = self.board(target, BOTH, *order)
                self.assertEqual(set(re.findall(r"(lib\w+\.a)\(hlocc_memcpy\.o\)", told)),
                                 {order[0]})

    def test_a_copy_of_ones_own(self):
        self.make("cortex-m4f")
        own = COPIES.replace(
            "size_t bytes);",
            "size_t bytes) {\n  for (size_t i = 0; i < bytes; ++i)\n"
            "    ((volatile char *)to)[i] = ((const char *)from)[i];\n  return to;\n}",
            1)
        self.assertNotIn("hlocc_memcpy.o", self.board("cortex-m4f", own, "libnet.a"))

    def test_newlib(self):
        """The line with a libc has newlib's memcpy do the copies, and the plain one leaves newlib's
        to the firmware's own code."""
        self.make("cortex-m4f")
        lines = self.manifest("net.json")["build"]["gcc"]
        if not newlib(lines["link"].split()[:5]):
            self.skipTest("no newlib: libnewlib-arm-none-eabi")
        self.write("main.c", MAIN)
        self.start("cortex-m4f", lines["compile"])
        self.in_shell(lines["compile"])
        self.in_shell(lines["link_libc"] + " -Wl,-Map=program.map")
        told = (self.folder / "program.map").read_text()
        self.assertIn("libc.a(lib_a-memcpy.o)", told)
        self.assertNotIn("hlocc_memcpy.o", told)
        # A firmware that copies by itself, with the library's own copy beside: the library hides no
        # symbol of the C library.
        self.write(
            "main.c",
            MAIN.replace("int main",
                         "#include <string.h>\nvolatile size_t size;\nint main").replace(
                             "return", "memcpy(arena, &net, size);\n  return"))
        self.in_shell(lines["compile"])
        self.in_shell(lines["link_libc"].replace(" -Wl,--defsym=hlocc_memcpy=memcpy", "") +
                      " -Wl,-Map=program.map")
        told = (self.folder / "program.map").read_text()
        self.assertIn("libc.a(lib_a-memcpy.o)", told)
        self.assertIn("libnet.a(hlocc_memcpy.o)", told)


main()

"""`hlocc doctor`: small firmwares are linked in every wrong way, and each is told what is wrong and
what cures it; those just beside them are found healthy."""
import json
import re
import shutil
import struct

from harness import ROOT, Test, hlocc, main, snapshot

SCRIPT = """
ENTRY(reset)
MEMORY { FLASH (rx) : ORIGIN = 0x00000000, LENGTH = 4M  RAM (rw) : ORIGIN = 0x20000000, LENGTH = 4M }
SECTIONS {
  .vectors : { KEEP(*(.vectors)) } > FLASH
  .text : { *(.text .text.*) } > FLASH
  @BEFORE@
  .rodata : { *(.rodata .rodata.* .srodata .srodata.*) } > FLASH
  .data : { *(.data .data.* .sdata .sdata.*) } > RAM AT> FLASH
  .bss (NOLOAD) : { . = ALIGN(16); @SHIFT@ *(.bss.arena) *(.bss .bss.* .sbss .sbss.* COMMON) } > RAM
  @STACK@
}
"""

FIRMWARE = r"""
#include "mlp.h"
#ifndef ARENA
#define ARENA MLP_ARENA_BYTES
#endif
#ifdef STATIC_ARENA
static uint8_t mlp_arena[ARENA] __attribute__((aligned(16)));
#else
uint8_t mlp_arena[ARENA] __attribute__((section(".bss.arena")));
#endif
#ifdef OTHER_ARENA
uint8_t cnn_arena[1 << 16] __attribute__((section(".bss.arena"), used));
#endif
static mlp_t mlp;
volatile int number = 3;
volatile float fraction = 0.5f;

#ifndef NO_MEMCPY
void *memcpy(void *to, const void *from, size_t n) {
  volatile char *t = to;
  for (const char *f = from; n != 0; --n) *t++ = *f++;
  return to;
}
void *memset(void *to, int c, size_t n) {
  volatile char *t = to;
  for (; n != 0; --n) *t++ = (char)c;
  return to;
}
#endif

struct scb { uint32_t before[34]; uint32_t cpacr; };
static void enable(void) {
#if defined(ENABLE_BY_ADDRESS)
  *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20;
#elif defined(ENABLE_BY_BLOCK)
  ((volatile struct scb *)0xE000ED00u)->cpacr |= 0xFu << 20;
#elif defined(ENABLE_BY_CSR)
  __asm__ volatile(".option push\n.option arch, +zicsr\nli t0, 0x2000\ncsrs mstatus, t0\n.option pop" ::: "t0");
#elif defined(ASK_SYSTEM)
  extern int qurt_hvx_lock(int mode);
  qurt_hvx_lock(1);
#elif defined(WRITE_STATUS)
  __asm__ volatile("r0 = ssr\nr0 = setbit(r0, #31)\nssr = r0" ::: "r0");
#elif defined(INTERRUPTS_ONLY)
  __asm__ volatile(".option push\n.option arch, +zicsr\nli t0, 0x1800\ncsrs mstatus, t0\n.option pop" ::: "t0");
#endif
}

#ifdef ASK_SYSTEM
int qurt_hvx_lock(int mode) { return mode; }
#endif

/* Enough code to tell the core by it. */
int work(int a) {
  int sum = 0;
  for (int i = 0; i < number; ++i) sum += a * i / (number + 1) + (int)(fraction * (float)i);
  return sum;
}

__attribute__((used)) void reset(void) {
  enable();
  number = work(number);
#ifndef NO_CALL
  if (mlp_init(&mlp, mlp_arena) == 0) number = mlp_run(&mlp);
#endif
  for (;;) {}
}
__attribute__((section(".vectors"), used)) static void (*const vectors[2])(void) = {0, reset};
"""

ARM = "arm-none-eabi-gcc"
RISCV = "riscv64-unknown-elf-gcc"
M4F = [ARM, "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]
M4 = [ARM, "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=soft"]
M0 = [ARM, "-mcpu=cortex-m0", "-mthumb"]


def riscv(march, mabi="ilp32"):
    return [RISCV, f"-march={march}", f"-mabi={mabi}", "-mcmodel=medany"]


class Doctor(Test):
    def library(self, target, *flags, model="mlp_digits", folder="lib"):
        out = self.folder / folder
        self.done("compile", snapshot(model), "--name", "Mlp", "--target", target, *flags, "-o",
                  out)
        return out

    extra = ("-Wl,--no-warn-rwx-segments",)

    def link(self,
             compiler,
             *flags,
             library=True,
             before="",
             shift="",
             stack="__stack_size = 16384;",
             name="firmware.elf",
             libraries=("-lgcc", )):
        if not shutil.which(compiler[0]):
            self.skipTest(f"{compiler[0]} is not installed")
        script = SCRIPT.replace("@BEFORE@", before).replace("@SHIFT@",
                                                            shift).replace("@STACK@", stack)
        (self.folder / "firmware.ld").write_text(script)
        (self.folder / "firmware.c").write_text(FIRMWARE)
        archive = [self.folder / "lib" / "libmlp.a"] if library else []
        self.shell(*compiler, "-O1", "-ffreestanding", "-fno-builtin", "-nostartfiles", "-nostdlib",
                   "-Wl,--gc-sections", *self.extra, "-DMLP_SKIP_TARGET_CHECK", "-T",
                   self.folder / "firmware.ld", "-I", self.folder / "lib", *flags,
                   self.folder / "firmware.c", *archive, *libraries, "-o", self.folder / name)
        return self.folder / name

    def examine(self, firmware, *more, library="lib"):
        ran = hlocc("doctor", firmware, "--library", self.folder / library / "libmlp.a", *more)
        return ran.returncode, ran.stdout.decode() + ran.stderr.decode()

    def healthy(self, firmware, *more):
        code, told = self.examine(firmware, *more)
        self.assertEqual(code, 0, told)
        self.assertIn("nothing is wrong", told)
        return told

    def ill(self, topic, words, firmware, *more, cure="", **how):
        code, told = self.examine(firmware, *more, **how)
        self.assertEqual(code, 1, told)
        self.assertRegex(told, rf"WRONG +{topic} .*{words}")
        self.assertIn("cure: ", told)
        self.assertIn(cure, told)
        return told

BOARDS = ROOT / "toolchains" / "boards"
HEXAGON = [
    "clang-19", "--target=hexagon-unknown-elf", "-mcpu=hexagonv67", "-G0", "-fuse-ld=lld", "-static"
]


class Arm(Doctor):
    def setUp(self):
        super().setUp()
        self.library("cortex-m4f")

    def test_a_healthy_firmware(self):
        for how in ["-DENABLE_BY_ADDRESS", "-DENABLE_BY_BLOCK"]:
            told = self.healthy(self.link(M4F, how), "--header", self.folder / "lib" / "mlp.h")
            for words in [
                    "CPACR (0xE000ED88) is written", "weights in the section .rodata",
                    "arena mlp_arena", "The stack has 16384"
            ]:
                self.assertIn(words, told)

    def test_json(self):
        firmware = self.link(M4F)
        ran = hlocc("doctor", firmware, "--library", self.folder / "lib" / "libmlp.a", "--json")
        told = json.loads(ran.stdout)
        self.assertEqual((ran.returncode, told["wrong"]), (1, 1))
        self.assertEqual([f["topic"] for f in told["findings"] if f["health"] == "wrong"], ["fpu"])

    def test_the_unit_is_off(self):
        self.ill("fpu", "no write of CPACR", self.link(M4F), cure="SCB->CPACR")

    def test_a_smaller_core(self):
        self.library("cortex-m4")
        self.ill("isa", "for Armv6-M", self.link(M0), cure="--target cortex-m0")
        self.healthy(self.link(M4))
        self.library("cortex-m0")
        self.healthy(self.link(M0))

    def test_float_abis(self):
        firmware = self.link(M4, "-Wl,--no-warn-mismatch", "-DENABLE_BY_ADDRESS")
        self.ill("float-abi", "by the ABI hard, the firmware by soft|by the ABI hard", firmware)

    def test_the_library_is_not_linked(self):
        self.ill("link",
                 "is not in the firmware",
                 self.link(M4F, "-DNO_CALL"),
                 cure="--gc-sections")

    def test_another_model(self):
        firmware = self.link(M4F, "-DENABLE_BY_ADDRESS")
        self.library("cortex-m4f", model="gemm_64", folder="other")
        self.ill("(link|weights)",
                 "another compile|not this library's|not in the firmware",
                 firmware,
                 library="other")

    def test_missing_symbols(self):
        self.library("cortex-m4f", "--emit", "lib,header,obj")
        alone = self.folder / "lib" / "mlp.o"
        firmware = self.link(M4F,
                             "-DENABLE_BY_ADDRESS",
                             alone,
                             "-Wl,--unresolved-symbols=ignore-all",
                             library=False)
        self.ill("symbols", "calls hlocc_memcpy", firmware, cure="lies in a member beside")
        firmware = self.link(M4F, "-DENABLE_BY_ADDRESS", "-Wl,--defsym=hlocc_memcpy=0")
        self.ill("symbols",
                 "calls hlocc_memcpy, which is 0",
                 firmware,
                 cure="--defsym=hlocc_memcpy=memcpy")
        self.healthy(self.link(M4F, "-DENABLE_BY_ADDRESS", "-Wl,--defsym=hlocc_memcpy=memcpy"))

    def test_helpers_that_are_left_open(self):
        self.library("cortex-m0")
        firmware = self.link(M0, "-nostdlib", "-Wl,--unresolved-symbols=ignore-all", libraries=[])
        self.ill("symbols", "calls __aeabi_", firmware, cure="-lgcc")

    def test_what_was_inlined_is_not_missed(self):
        """Of what the manifest lists, nothing need be there under its name."""
        manifest = self.folder / "lib" / "mlp.json"
        told = json.loads(manifest.read_text())
        told["undefined"].append("__aeabi_of_nobody")
        manifest.write_text(json.dumps(told))
        self.healthy(self.link(M4F, "-DENABLE_BY_ADDRESS"))
        firmware = self.link(M4F, "-DENABLE_BY_ADDRESS", "-Wl,--defsym=__aeabi_of_nobody=0")
        self.ill("symbols", "__aeabi_of_nobody, which is 0", firmware)

    def test_weights_in_ram(self):
        firmware = self.link(
            M4F,
            "-DENABLE_BY_ADDRESS",
            before=".data : { *(.rodata.*weights*) *(.data .data.*) } > RAM AT> FLASH")
        self.ill("weights",
                 r"in the section .data at 0x2000.*copies to RAM",
                 firmware,
                 cure="--weights-section")

    def test_weights_in_ram_on_purpose(self):
        self.library("cortex-m4f", "--weights-section", ".fast")
        firmware = self.link(M4F,
                             "-DENABLE_BY_ADDRESS",
                             before=".data : { *(.fast) *(.data .data.*) } > RAM AT> FLASH")
        self.assertRegex(self.healthy(firmware),
                         "not seen +weights .*--weights-section .fast was meant so")

    def test_weights_that_are_not_stored(self):
        firmware = self.link(M4F,
                             "-DENABLE_BY_ADDRESS",
                             before=".later (NOLOAD) : { *(.rodata.*weights*) } > RAM")
        self.ill("weights", "which is not stored", firmware, cure="NOLOAD")

    def test_weights_that_are_not_aligned(self):
        firmware = self.link(M4F, "-DENABLE_BY_ADDRESS",
                             before=".odd : SUBALIGN(1) { BYTE(1) *(.rodata.*weights*) } > FLASH")
        self.ill("weights", "not aligned to 16", firmware, cure="SUBALIGN")

    def test_arenas(self):
        self.ill("arena",
                 r"is too small: the model needs",
                 self.link(M4F, "-DENABLE_BY_ADDRESS", "-DARENA=16"),
                 cure="ARENA_BYTES")
        self.ill("arena",
                 "is not aligned to",
                 self.link(M4F, "-DENABLE_BY_ADDRESS", shift=". = . + 1;"),
                 cure="ARENA_ALIGN")
        # GCC for Arm writes no type for a static array at -O0.
        untyped = self.link(M4F, "-DENABLE_BY_ADDRESS", "-DSTATIC_ARENA", "-O0")
        self.assertRegex(self.shell("readelf", "-sW", untyped), r"NOTYPE +LOCAL .* mlp_arena")
        self.assertIn("mlp_arena", self.healthy(untyped))
        self.ill("arena", "is too small",
                 self.link(M4F, "-DENABLE_BY_ADDRESS", "-DSTATIC_ARENA", "-O0", "-DARENA=16"))
        firmware = self.link(M4F, "-DENABLE_BY_ADDRESS", "-Dmlp_arena=buffer")
        self.assertRegex(self.healthy(firmware), "not seen +arena .*--arena SYMBOL|not seen +arena")
        self.assertRegex(self.healthy(firmware, "--arena", "buffer"), "fine +arena .*buffer")
        self.ill("arena", "defines no bufer", firmware, "--arena", "bufer")

    def test_another_model_s_arena_is_not_this_one_s(self):
        more = ["-DENABLE_BY_ADDRESS", "-DOTHER_ARENA"]
        self.ill("arena", r"mlp_arena \(16 bytes .* is too small",
                 self.link(M4F, *more, "-DARENA=16"))
        told = self.healthy(self.link(M4F, *more, "-Dmlp_arena=buffer", "-DARENA=16"))
        self.assertRegex(told, "not seen +arena")
        self.assertNotIn("cnn_arena", told)

    def test_the_arena_that_init_is_given(self):
        """Where init is a call, whatever the array is called."""
        for compiler, target, enable in [(M4F, "cortex-m4f", "-DENABLE_BY_ADDRESS"),
                                         (M0, "cortex-m0", ""),
                                         (riscv("rv32imac"), "rv32imac", "")]:
            self.library(target)
            more = [enable or "-DNOTHING", "-fno-inline", "-Dmlp_arena=buffer", "-DOTHER_ARENA"]
            self.assertRegex(self.healthy(self.link(compiler, *more)),
                             "fine +arena .*buffer, which mlp_init is given")
            self.ill("arena", "buffer, which mlp_init is given .* is too small",
                     self.link(compiler, *more, "-DARENA=16"))

    def test_stacks(self):
        for stack in ["__stack_size = 8;", "__StackTop = 0x20010000; __StackLimit = 0x2000fff8;",
                      ".stack (NOLOAD) : { . += 8; } > RAM"]:
            self.ill("stack", "The stack has 8 bytes, run needs",
                     self.link(M4F, "-DENABLE_BY_ADDRESS", stack=stack))
        told = self.healthy(self.link(M4F, "-DENABLE_BY_ADDRESS", stack=""))
        self.assertRegex(told, "not seen +stack")

    def test_headers(self):
        firmware = self.link(M4F, "-DENABLE_BY_ADDRESS")
        header = self.folder / "lib" / "mlp.h"
        other = self.folder / "other.h"
        changed = header.read_text().replace("MLP_ARENA_BYTES ", "MLP_ARENA_BYTES 1")
        other.write_text(changed)
        self.ill("header", "the library needs", firmware, "--header", other)
        # What is no definition of it says nothing, wherever it stands.
        for beside in ("/* MLP_ARENA_BYTES 1 */", "#define MLP_ARENA_BYTES 1u",
                       "#define MLP_ARENA_BYTES  1", "int  mlp_run(void);"):
            other.write_text(beside + "\n" + header.read_text())
            self.healthy(firmware, "--header", other)
        other.write_text("int main(void);\n")
        self.refused(1, "format", "doctor", firmware, "--library", self.folder / "lib" / "libmlp.a",
                     "--header", other)

    def test_what_is_no_firmware(self):
        firmware = self.link(M4F, "-DENABLE_BY_ADDRESS")
        library = self.folder / "lib" / "libmlp.a"
        self.shell("arm-none-eabi-strip", firmware, "-o", self.folder / "stripped.elf")
        self.ill("link", "has no symbols", self.folder / "stripped.elf")
        self.shell("arm-none-eabi-objcopy", "-O", "binary", firmware, self.folder / "firmware.bin")
        errors = self.refused(1, "format", "doctor", self.folder / "firmware.bin", "--library",
                              library)
        self.assertIn("give the linker's own output", errors)
        self.refused(1, "format", "doctor", library, "--library", library)
        self.refused(1, "file", "doctor", self.folder / "missing.elf", "--library", library)
        self.refused(2, "usage", "doctor", firmware)
        cut = self.folder / "cut.elf"
        for size in [4, 20, 52, 400, firmware.stat().st_size - 100]:
            cut.write_bytes(firmware.read_bytes()[:size])
            self.assertEqual(hlocc("doctor", cut, "--library", library).returncode, 1)
        self.refused(1, "format", "doctor", self.piled_up(firmware), "--library", library)
        self.shell(*M4F, "-c", "-I", self.folder / "lib", self.folder / "firmware.c", "-o",
                   self.folder / "firmware.o")
        self.ill("link", "is not linked yet", self.folder / "firmware.o")

    def piled_up(self, firmware):
        """The firmware with 2,000 sections more, all of them over the same two megabytes."""
        data = bytearray(firmware.read_bytes()) + bytes(-firmware.stat().st_size % 4)
        (table,) = struct.unpack_from("<I", data, 32)
        size, count, names = struct.unpack_from("<HHH", data, 46)
        headers = data[table:table + size * count]
        where = len(data)
        data += bytes(2 << 20)
        more = struct.pack("<10I", 0, 1, 2, 0x08000000, where, 2 << 20, 0, 0, 4, 0) * 2000
        struct.pack_into("<I", data, 32, len(data))
        struct.pack_into("<H", data, 48, count + 2000)
        piled = self.folder / "piled.elf"
        piled.write_bytes(data + headers + more)
        return piled

    def test_no_manifest(self):
        firmware = self.link(M4F, "-DENABLE_BY_ADDRESS")
        (self.folder / "lib" / "mlp.json").unlink()
        self.assertRegex(self.healthy(firmware), "not seen +manifest")

    def test_another_machine(self):
        firmware = self.link(M4F)
        self.library("rv32imac", folder="other")
        self.ill("machine",
                 "is code for riscv32, the firmware for arm",
                 firmware,
                 library="other",
                 cure="--target")


class Riscv(Doctor):
    def test_a_core_without_floats(self):
        self.library("rv32imafc", "--float-abi", "soft")
        compiler = riscv("rv32imac")
        self.ill("fpu", "no write of FS in mstatus", self.link(compiler), cure="csrs mstatus")
        self.ill("fpu", "no write of FS in mstatus", self.link(compiler, "-DINTERRUPTS_ONLY"))
        self.healthy(self.link(compiler, "-DENABLE_BY_CSR"))

    def test_floats_in_hardware(self):
        self.library("rv32imafc")
        compiler = riscv("rv32imafc", "ilp32f")
        self.ill("fpu", "no write of FS in mstatus", self.link(compiler))
        self.healthy(self.link(compiler, "-DENABLE_BY_CSR"))

    def test_a_core_without_multiplication(self):
        self.library("rv32imac")
        self.ill("isa", "__mulsi3", self.link(riscv("rv32ic")), cure="--features=-m")
        self.healthy(self.link(riscv("rv32imac")))


class Linux(Doctor):
    def test_programs_of_an_operating_system(self):
        out = self.library("host")
        (self.folder / "main.c").write_text(
            FIRMWARE.replace("reset(void) {", "start(void) {").replace(
                "{0, reset}", "{0, start}").replace("enable();", "").replace("for (;;) {}", "") +
            "int main(void) { start(); return 0; }\n")
        if not shutil.which("cc"):
            self.skipTest("cc is not installed")
        self.shell("cc", "-DNO_MEMCPY", "-I", out, self.folder / "main.c", out / "libmlp.a", "-o",
                   self.folder / "program")
        told = self.healthy(self.folder / "program")
        for topic in ["arena", "stack", "fpu"]:
            self.assertNotRegex(told, f"(?m)^[a-zA-Z ]+ {topic} ")


class Hexagon(Doctor):
    """Packets: what is a vector's, and how deep run takes the stack in the code that was linked."""
    extra = ()

    def firmware(self, *flags, **how):
        # Vectors want an arena aligned to 128.
        return self.link(HEXAGON,
                         "-Wno-unused-command-line-argument",
                         *flags,
                         shift=". = ALIGN(128);",
                         libraries=[BOARDS / "hexagon_numbers.c"],
                         **how)

    def manifest(self):
        return json.loads((self.folder / "lib" / "mlp.json").read_text())

    def test_a_healthy_firmware(self):
        self.library("hexagon-v67", model="cnn_digits_int8")
        told = self.healthy(self.firmware())
        self.assertIn("code for hexagon", told)
        self.assertIn("arena mlp_arena", told)
        self.assertNotIn("HVX", told)

    def test_the_stack_is_counted_in_the_firmware_s_code(self):
        for target in ["hexagon-v67", "hexagon-v67-hvx"]:
            self.library(target, model="cnn_digits_int8")
            told = self.healthy(self.firmware())
            depth = int(
                re.search(r"run needs (\d+) bytes of stack by the firmware's code", told).group(1))
            self.assertTrue(0 < depth <= self.manifest()["stack_bytes"],
                            (depth, self.manifest()["stack_bytes"]))
            self.healthy(self.firmware(stack=f"__stack_size = {depth};"))
            self.ill("stack", f"has {depth - 1} bytes, run needs {depth}",
                     self.firmware(stack=f"__stack_size = {depth - 1};"))

    def test_the_vector_unit(self):
        self.library("hexagon-v67-hvx", model="cnn_digits_int8")
        self.assertRegex(self.healthy(self.firmware()), "not seen +hvx .*no call of qurt_hvx_lock")
        for how in ["-DASK_SYSTEM", "-DWRITE_STATUS"]:
            self.assertRegex(self.healthy(self.firmware(how)), "fine +hvx .*asks for it")
        # The manifest of another row: what it does without, the code must do without.
        manifest = self.manifest()
        firmware = self.firmware()
        for features, is_ill in [("-small-data", True),
                                 ("+hvxv67,+hvx-length128b,-small-data", False), (None, False)]:
            manifest["options"]["features"] = features
            if features is None:
                del manifest["options"]["features"]
            (self.folder / "lib" / "mlp.json").write_text(json.dumps(manifest))
            if is_ill:
                self.ill("isa",
                         "instructions of the vector unit",
                         firmware,
                         cure="--target hexagon-v67")
            else:
                self.healthy(firmware)

    def test_a_newer_architecture(self):
        self.library("hexagon-v73", model="cnn_digits_int8")
        firmware = self.firmware()
        self.healthy(firmware)
        # The linker says what the newest object asks for; another might say what the chip is.
        data = bytearray(firmware.read_bytes())
        for version, is_ill in [(0x68, True), (0x73, False), (0x75, False)]:
            struct.pack_into("<I", data, 36, version)
            firmware.write_bytes(data)
            if is_ill:
                self.ill("machine", "newer architecture", firmware, cure="--target")
            else:
                self.healthy(firmware)

main()

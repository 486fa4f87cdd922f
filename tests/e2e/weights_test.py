"""--weights external beside a library that LLVM made: the assembler file, an array in RAM that a
firmware fills, a symbol that the linker binds; and what a program without any of them is told."""
import json
import struct
import subprocess
import zlib

from harness import BOARD_MAIN, ROOT, Test, main, snapshot

BOARDS = ROOT / "toolchains" / "boards"
# Reads the weights from its third argument's file into an array, piece by piece, and checks them.
IN_RAM = """#include "board.h"
#include "hlocc_weights.h"
HLOCC_WEIGHTS_IN_RAM(WEIGHTS, WEIGHTS_BYTES, 64);
static size_t read_file(void* file, size_t offset, void* to, size_t bytes) {
  return board_file_seek(*(int*)file, (long)offset) != 0 ? 0 : board_file_read(*(int*)file, to, bytes);
}
int load_weights(const char* path) {
  const hlocc_weights_facts facts = {WEIGHTS_BYTES, 64, WEIGHTS_CRC32};
  int file = board_file_open_read(path);
  return hlocc_weights_load(WEIGHTS, &facts, read_file, &file, 1000);
}
"""
LOADING_MAIN = "int load_weights(const char* path);\n" + BOARD_MAIN.replace(
    "argc != 3 ||", "argc != 4 || load_weights(argv[3]) != 0 ||")


class Weights(Test):
    def setUp(self):
        super().setUp()
        (self.folder / "in").write_bytes(b"".join(
            struct.pack("<f" if i % 2 else ">f", i / 7) for i in range(64)))

    def compiled(self, target, *options):
        folder = self.folder / target / ("external" if options else "inside")
        self.done("compile", snapshot("mlp_digits"), "-o", folder, "--target", target, "-q",
                  *options)
        return folder

    def result(self, target, folder, *inputs, main_file=BOARD_MAIN, more=()):
        (folder / "main.c").write_text(main_file)
        program, out = folder / "program", folder / "out"
        self.shell(BOARDS / "link_firmware.sh", target, program, folder / "main.c", "-I", folder,
                   *inputs)
        self.shell(BOARDS / "run_board.sh", target, program, self.folder / "in", out, *more)
        return out.read_bytes()

    def test_the_assembler_file_binds_them_on_every_object_format_that_runs_here(self):
        for target in ["host", "cortex-m4f", "s390x-linux", "wasm32"]:
            with self.subTest(target=target):
                inside = self.compiled(target)
                expected = self.result(target, inside, inside / "libmlp_digits.a")
                self.assertEqual(len(expected), 40)
                folder = self.compiled(target, "--weights", "external")
                got = self.result(target, folder, folder / "mlp_digits_weights.S",
                                  f"-Wa,-I,{folder}", folder / "libmlp_digits.a")
                self.assertEqual(got, expected)
                manifest = json.loads((folder / "mlp_digits.json").read_text())
                weights = (folder / "mlp_digits_weights.bin").read_bytes()
                self.assertEqual(
                    manifest["weights"], {
                        "file": "mlp_digits_weights.bin", "symbol": "mlp_digits_weights",
                        "align": 64, "bytes": len(weights), "crc32": f"{zlib.crc32(weights):08x}"
                    })
                self.assertIn("mlp_digits_weights", manifest["undefined"])
                self.assertEqual(manifest["weights_bytes"], len(weights))
                self.assertLess((folder / "libmlp_digits.a").stat().st_size, 10000)
                self.assertEqual(weights in (inside / "libmlp_digits.a").read_bytes(), True)

    def test_both_backends_read_one_file(self):
        by_llvm = self.compiled("cortex-m4f", "--weights", "external")
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder / "c", "--target",
                  "cortex-m4f", "--backend", "c", "-q", "--weights", "external")
        names = ["mlp_digits_weights.bin", "mlp_digits_weights.S"]
        for name in names:
            self.assertEqual((by_llvm / name).read_bytes(), (self.folder / "c" / name).read_bytes())

    def test_a_firmware_fills_an_array_or_binds_the_symbol_elsewhere(self):
        inside = self.compiled("cortex-m4f")
        expected = self.result("cortex-m4f", inside, inside / "libmlp_digits.a")
        folder = self.compiled("cortex-m4f", "--weights", "external")
        facts = json.loads((folder / "mlp_digits.json").read_text())["weights"]
        (folder / "load.c").write_text(IN_RAM)
        inputs = [folder / "load.c", folder / "libmlp_digits.a", "-I", ROOT / "runtime_stub",
                  f"-DWEIGHTS_BYTES={facts['bytes']}", f"-DWEIGHTS_CRC32=0x{facts['crc32']}u"]
        weights = folder / facts["file"]
        self.assertEqual(
            self.result("cortex-m4f",
                        folder,
                        "-DWEIGHTS=mlp_digits_weights",
                        *inputs,
                        main_file=LOADING_MAIN,
                        more=[weights]), expected)
        self.assertEqual(
            self.result("cortex-m4f",
                        folder,
                        "-DWEIGHTS=in_sdram",
                        "-Wl,--defsym=mlp_digits_weights=in_sdram",
                        *inputs,
                        main_file=LOADING_MAIN,
                        more=[weights]), expected)
        # One wrong byte, and the model is not run.
        bad = bytearray(weights.read_bytes())
        bad[77] ^= 1
        weights.write_bytes(bad)
        ran = subprocess.run([
            BOARDS / "run_board.sh", "cortex-m4f", folder / "program", self.folder / "in",
            folder / "none", weights
        ],
                             capture_output=True,
                             check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertFalse((folder / "none").exists())

    def test_without_them_the_linker_names_the_symbol(self):
        folder = self.compiled("cortex-m4f", "--weights", "external")
        (folder / "main.c").write_text(BOARD_MAIN)
        ran = subprocess.run([
            BOARDS / "link_firmware.sh", "cortex-m4f", folder / "program", folder / "main.c", "-I",
            folder, folder / "libmlp_digits.a"
        ],
                             capture_output=True,
                             text=True,
                             check=False)
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("undefined reference to `mlp_digits_weights'", ran.stderr)

    def test_large_weights_stay_out_of_the_object(self):
        """Where an object would get a hole for them."""
        model = self.folder / "large.hlo.txt"
        row = "{" + ", ".join(map(str, range(520))) + "}"
        model.write_text(
            "HloModule large\nENTRY e {\n  x = f32[1,520] parameter(0)\n"
            "  w = f32[520,520] constant({"
            + ", ".join([row] * 520) +
            "})\n  ROOT d = f32[1,520] dot(x, w), lhs_contracting_dims={1},"
            " rhs_contracting_dims={0}\n}\n")
        self.done("compile", model, "-o", self.folder, "--target", "cortex-a53", "-q", "--weights",
                  "external", "--emit", "lib,obj,asm")
        self.assertEqual((self.folder / "large_weights.bin").stat().st_size, 520 * 520 * 4)
        for name in ["large.o", "liblarge.a", "large.s"]:
            self.assertLess((self.folder / name).stat().st_size, 200000)

    def test_vectors_that_want_more_than_the_file_is_aligned_to(self):
        """Vectors of 128 bytes; on the same chip without them, and where no constant is loaded so,
        the file serves."""
        model, plain = snapshot("cnn_digits_int8"), self.folder / "add.hlo.txt"
        plain.write_text(
            "HloModule add\nENTRY e {\n  x = f32[4] parameter(0)\n"
            "  w = f32[4] constant({1, 2, 3, 4})\n"
            "  ROOT r = f32[4] add(x, w)\n}\n")
        said = self.refused(1, "unsupported", "compile", model, "-o", self.folder, "--target",
                            "hexagon-v67-hvx", "--weights", "external")
        self.assertIn("aligned to 64", said)
        self.done("compile", model, "-o", self.folder, "--target", "hexagon-v67", "-q", "--weights",
                  "external")
        self.done("compile", plain, "-o", self.folder, "--target", "hexagon-v67-hvx", "-q",
                  "--weights", "external")

    def test_a_model_without_constants_has_an_empty_file(self):
        model = self.folder / "add.hlo.txt"
        model.write_text(
            "HloModule add\nENTRY e {\n  x = f32[4] parameter(0)\n  ROOT r = f32[4] add(x, x)\n}\n")
        self.done("compile", model, "-o", self.folder, "--target", "cortex-m4f", "-q", "--weights",
                  "external")
        self.assertEqual((self.folder / "add_weights.bin").read_bytes(), b"")
        self.assertEqual(self.manifest("add.json")["undefined"], [])


main()

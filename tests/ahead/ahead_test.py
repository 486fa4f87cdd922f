"""ahead_test.py HLOCC ROOT CONVOLVER.so: models over a processor and a device beside it, compiled
ahead of time.

kws_dscnn_int8's convolutions go to the device of convolver.cpp, a C function behind the hooks of
hlocc_device.h (driver.c); the firmware runs in QEMU and must give the snapshot's bytes. Without the
driver, run says so.
"""
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "e2e"), str(HERE.parents[1] / "bench")]
import snapshot as snapshots  # noqa: E402
from harness import ROOT, Test, main, snapshot  # noqa: E402

CONVOLVER = sys.argv[3]
BOARDS = ROOT / "toolchains" / "boards"
STUB = ROOT / "runtime_stub"
KWS = snapshot("kws_dscnn_int8")
NO_CONVOLUTION = """HloModule plain
ENTRY main {
  x = f32[4] parameter(0)
  ROOT r = f32[4] add(x, x)
}"""


def kws_bytes():
    """Input and expected result as signed numbers."""
    arguments, results = snapshots.read_snapshot(KWS)
    return [[v - 256 if v > 127 else v for v in leaf[0][2]] for leaf in (arguments, results)]


class Ahead(Test):
    def compile(self, target, *flags, model=KWS):
        folder = self.folder / target
        self.done("compile", model, "--name", "Kws", "--target", target, "-o", folder, "--plugin",
                  CONVOLVER, *flags)
        return folder

    def firmware(self, target, folder, driver=True, flags=()):
        """Linked and run: what it prints, by lines. C where there is no library."""
        values, _ = kws_bytes()
        (folder / "input.h"
         ).write_text(f"static const int8_t input[] = {{{', '.join(map(str, values))}}};\n")
        parts = sorted(path.stem for path in folder.glob("kws_part_*.c"))
        (folder / "table.c").write_text(
            '#include "convolution.h"\n' +
            "".join(f"extern const struct convolution {part};\n" for part in parts) +
            f"const struct convolution *const convolutions[] = "
            f"{{{', '.join('&' + part for part in parts)}}};\n"
            f"const int convolutions_count = {len(parts)};\n")
        inputs = [*flags, HERE / "firmware.c", "-I", folder, "-I", HERE, "-I", STUB]
        if driver:
            inputs += [
                "-DDRIVER", HERE / "driver.c", folder / "table.c",
                *(folder / f"{part}.c" for part in parts)
            ]
        library = folder / "libkws.a"
        program = folder / "firmware.elf"
        self.shell(BOARDS / "link_firmware.sh", target, program, *inputs,
                   library if library.exists() else folder / "kws.c")
        return self.shell(BOARDS / "run_board.sh", target, program).splitlines()

    def check(self, target, *flags):
        folder = self.compile(target, *flags)
        _, expected = kws_bytes()
        answer = "run 0  " + " ".join(map(str, expected))
        # Twice: a run leaves nothing behind. Nine convolutions each.
        self.assertEqual(self.firmware(target, folder), [answer, answer, "parts 18 cache kept"])
        refused = "run 100 no driver of the device"
        self.assertEqual(self.firmware(target, folder, driver=False), [refused, refused])
        # A driver that wants to know of init and close, and one that refuses.
        self.assertEqual(self.firmware(target, folder, flags=["-DOPENS"]),
                         [answer, answer, "parts 18 cache kept", "opened 9, closed"])
        self.assertEqual(self.firmware(target, folder, flags=["-DOPENS", "-DREFUSES"]),
                         ["init 108 the device is asleep"])

    def test_firmwares(self):
        # Registers wider than the hooks' integers (rv64gc), bytes the other way around (s390x),
        # position independence.
        for target in ["cortex-m4f", "rv32imac", "cortex-a53", "rv64gc", "s390x-linux"]:
            with self.subTest(target=target):
                self.check(target)

    def test_firmwares_of_c(self):
        for target in ["cortex-m4f", "s390x-linux"]:
            with self.subTest(target=target):
                self.check(target, "--backend", "c")

    def test_files_and_manifest(self):
        folder = self.compile("cortex-m4f")
        parts = [f"kws_part_{i}" for i in range(9)]
        self.assertEqual(
            self.files(folder),
            sorted([f"{part}.c" for part in parts] + ["kws.h", "kws.json", "libkws.a"]))
        device = self.manifest("cortex-m4f/kws.json")["device"]
        self.assertEqual((device["parts"], device["align"]), (parts, 64))
        self.assertIn(f"#define KWS_DEVICE_BYTES {device['bytes']}\n",
                      (folder / "kws.h").read_text())
        self.assertTrue(self.manifest("cortex-m4f/kws.json")["stack_is_lower_bound"])
        # The weights of the convolutions went with them.
        alone = self.folder / "alone"
        self.done("compile", KWS, "--name", "Kws", "--target", "cortex-m4f", "-o", alone)
        weights = [
            self.manifest(f"{where}/kws.json")["weights_bytes"] for where in ("alone", "cortex-m4f")
        ]
        self.assertGreater(weights[0], weights[1] + 10000)
        self.assertNotIn("DEVICE", (alone / "kws.h").read_text())
        self.assertNotIn("device", self.manifest("alone/kws.json"))

    def test_the_same_bytes_twice(self):
        one, two = self.compile("cortex-m4f"), self.folder / "again"
        self.done("compile", KWS, "--name", "Kws", "--target", "cortex-m4f", "-o", two, "--plugin",
                  CONVOLVER)
        for name in self.files(one):
            self.assertEqual((one / name).read_bytes(), (two / name).read_bytes(), name)

    def test_nothing_for_the_device(self):
        model = self.folder / "plain.hlo"
        model.write_text(NO_CONVOLUTION)
        folder = self.compile("cortex-m4f", model=model)
        self.assertEqual(self.files(folder), ["kws.h", "kws.json", "libkws.a"])
        self.assertNotIn("device", self.manifest("cortex-m4f/kws.json"))

    def test_mistakes_of_the_device_s_compiler(self):
        for mistake, kind, words in [("none", "unsupported", "can't be compiled for ahead of time"),
                                     ("ending", "run", "'../c'"),
                                     ("twice", "run", "makes it twice")]:
            os.environ["CONVOLVER_WRONG"] = mistake
            self.addCleanup(os.environ.pop, "CONVOLVER_WRONG", None)
            said = self.refused(1, kind, "compile", KWS, "--target", "cortex-m4f", "-o",
                                self.folder / "x", "--plugin", CONVOLVER)
            self.assertIn(words, said)
            self.assertFalse((self.folder / "x").exists())
        os.environ.pop("CONVOLVER_WRONG")
        self.refused(1, "file", "compile", KWS, "-o", self.folder / "x", "--plugin",
                     self.folder / "missing.so")


main()

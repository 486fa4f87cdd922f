"""Flash: weights of few different numbers as palettes, where they are asked for and where --flash is
exceeded, with the results of the plain library bit for bit on the host, with the C backend and on
boards; what the tool says of them; and weights that several models have, which a firmware holds
once."""
import json
import random
import struct
import sys

from harness import HLOCC, ROOT, Test, hlocc, main, npy, snapshot

sys.path.insert(0, str(ROOT / "bench"))
import cluster_weights  # noqa: E402
import module_texts  # noqa: E402

BOARDS = ROOT / "toolchains" / "boards"
KWS = snapshot("kws_dscnn_int8")
# Of weights.
DEPTH, COLUMNS = 64, 16


def weights(kind, different, seed=1):
    """The numbers of [DEPTH, COLUMNS] weights of so many different values, each of which comes."""
    drawn = random.Random(seed)
    count = DEPTH * COLUMNS
    numbers = [n if n < different else drawn.randrange(different) for n in range(count)]
    drawn.shuffle(numbers)
    if kind in ("s8", "s16"):
        return [3 * n - 96 for n in numbers]
    # Nothing that is integers times a scale.
    values = [round(drawn.uniform(-1, 1), 6) for _ in range(different)]
    return [values[n] for n in numbers]


def product(name, kind, different):
    """Lines of a product of `x_kind` with such weights."""
    sums = {"s8": "s32", "s16": "s32"}.get(kind, "f32")
    text = module_texts.nested(map(str, weights(kind, different)), (DEPTH, COLUMNS))
    wide = f"  {name}_l = {sums}[3,{DEPTH}] convert(x_{kind})\n"
    right = f"  {name}_r = {sums}[{DEPTH},{COLUMNS}] convert({name}_w)\n"
    return (f"  {name}_w = {kind}[{DEPTH},{COLUMNS}] constant({text})\n{wide}{right}"
            f"  {name} = {sums}[3,{COLUMNS}] dot({name}_l, {name}_r), "
            "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n")


def several(kinds, differents):
    """A module of a product for each kind and each number of different weights."""
    arguments = "".join(f"  x_{kind} = {kind}[3,{DEPTH}] parameter({n})\n"
                        for n, kind in enumerate(kinds))
    names, body, types = [], "", []
    for kind in kinds:
        for different in differents:
            names.append(f"p_{kind}_{different}")
            body += product(names[-1], kind, different)
            types.append(f"{'s32' if kind in ('s8', 's16') else 'f32'}[3,{COLUMNS}]")
    return (f"HloModule widths\nENTRY e {{\n{arguments}{body}"
            f"  ROOT r = ({', '.join(types)}) tuple({', '.join(names)})\n}}\n")


class Palettes(Test):
    def snapshot_of(self, text, kinds):
        model, out = self.folder / "model.hlo.txt", self.folder / "model.snapshot.pb"
        model.write_text(text)
        drawn, inputs = random.Random(2), []
        for kind in kinds:
            path = self.folder / f"x_{kind}.npy"
            numbers = [drawn.randint(-8, 8) for _ in range(3 * DEPTH)]
            code, descr = {"s8": ("b", "|i1"), "s16": ("h", "<i2"), "f32": ("f", "<f4"),
                           "f16": ("e", "<f2")}[kind]
            data = struct.pack(f"<{len(numbers)}{code}", *numbers)
            path.write_bytes(npy(descr, (3, DEPTH), data))
            inputs += ["--input", f"x_{kind}={path}"]
        self.done("snapshot", model, *inputs, "-o", out)
        return out

    def analysed(self, model, *flags):
        return json.loads(self.done("analyze", model, "--json", *flags))["targets"][0]

    def test_every_width_on_boards(self):
        kinds, differents = ("f32", "s8", "s16"), (2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64, 65)
        model = self.snapshot_of(several(kinds, differents), kinds)
        found = self.analysed(model, "--target", "cortex-m4f", "--weights-compression", "palettes")
        bits = sorted(layer["palette"]["bits"] for layer in found["layers"] if "palette" in layer)
        # 65 numbers stay as they are; so do bytes of 33 and 64, where code takes what they save.
        of_one_kind = [1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
        self.assertEqual(bits, sorted(3 * of_one_kind)[:len(bits)])
        self.assertIn(len(bits), (31, 32, 33))
        for target in ("cortex-m4f", "rv32imc", "cortex-m0", "cortex-a53", "s390x-linux", "host"):
            with self.subTest(target):
                self.done("verify", model, "--target", target, "--weights-compression", "palettes")
        self.done("verify", model, "--backend", "c", "--target", "host", "--weights-compression",
                  "palettes")
        self.done("verify", model, "--backend", "c", "--target", "cortex-m4f",
                  "--weights-compression", "palettes")
        self.done("verify", model, "--target", "host", "--weights-compression", "palettes",
                  "--threads", "3")
        self.done("verify", model, "--weights-compression", "palettes")

    def test_small_floats(self):
        kinds = ("f16",)
        model = self.snapshot_of(several(kinds, (4, 16, 64)), kinds)
        found = self.analysed(model, "--target", "cortex-m4f", "--weights-compression", "palettes")
        self.assertEqual(found["palette_layers"], 3)
        for target in ("cortex-m4f", "rv32imc", "host"):
            self.done("verify", model, "--target", target, "--weights-compression", "palettes")

    def test_every_bit_of_floats(self):
        codes = [0, 0x80000000, 0x7F800001, 0xFFC12345, 0x7FC00000, 0x3F800000, 0x00000001,
                 0x7F800000]
        drawn = random.Random(4)
        numbers = codes + [drawn.choice(codes) for _ in range(1024 - len(codes))]
        text = module_texts.nested(map(str, numbers), (64, 16))
        (self.folder / "rows.hlo.txt").write_text(f"""HloModule rows
ENTRY e {{
  i = s32[] parameter(0)
  z = s32[] constant(0)
  c = u32[64,16] constant({text})
  w = f32[64,16] bitcast-convert(c)
  ROOT r = f32[16,16] dynamic-slice(w, i, z), dynamic_slice_sizes={{16,16}}
}}
""")
        (self.folder / "i.npy").write_bytes(npy("<i4", (), struct.pack("<i", 3)))
        self.done("snapshot", self.folder / "rows.hlo.txt", "--input", f"i={self.folder}/i.npy", "-o",
                  self.folder / "rows.snapshot.pb")
        found = self.analysed(self.folder / "rows.snapshot.pb", "--target", "cortex-m4f",
                              "--weights-compression", "palettes")
        self.assertEqual([layer["palette"]["bits"] for layer in found["layers"]], [3])
        self.done("compile", self.folder / "rows.snapshot.pb", "--target", "cortex-m4f", "--name",
                  "Rows", "-o", self.folder, "--weights-compression", "palettes")
        expected = ", ".join(map(str, numbers[48:48 + 256]))
        (self.folder / "main.c").write_text(f"""#include "board.h"
#include "rows.h"
static unsigned char arena[ROWS_ARENA_BYTES] __attribute__((aligned(ROWS_ARENA_ALIGN)));
static rows_t rows;
static const uint32_t expected[] = {{{expected}}};
int main(void) {{
  unsigned i;
  if (rows_init(&rows, arena) != ROWS_OK) return 1;
  *(int32_t *)(void *)rows_arg0_data(&rows) = 3;
  if (rows_run(&rows) != ROWS_OK) return 2;
  for (i = 0; i < 256; ++i)
    if (((const uint32_t *)(const void *)rows_result0_data(&rows))[i] != expected[i]) return 3;
  return 0;
}}
""")
        self.shell(BOARDS / "link_firmware.sh", "cortex-m4f", self.folder / "rows.elf",
                   self.folder / "main.c", self.folder / "librows.a", "-I", self.folder,
                   "-fno-strict-aliasing")
        self.shell(BOARDS / "run_board.sh", "cortex-m4f", self.folder / "rows.elf")

    def clustered(self, model, count):
        out = self.folder / "clustered.pb"
        out.write_bytes(cluster_weights.with_clustered(model.read_bytes(), count))
        return out

    def test_beside_other_flags(self):
        model = self.folder / "kws.snapshot.pb"
        self.shell(sys.executable, ROOT / "bench" / "cluster_weights.py", "--hlocc", HLOCC,
                   "--values", "16", KWS, "-o", model)
        for flags in (["--optimize", "ram"], ["--ram-budget", "12K"], ["-Os"], ["-O3"],
                      ["--memory", "fast:16K,slow:512K", "--weights-in", "fast"],
                      ["--stream", "arg0=1"], ["--keep-arguments"], ["--backend", "c"],
                      ["--guard"]):
            with self.subTest(flags):
                self.done("verify", model, "--target", "cortex-m4f", "--weights-compression",
                          "palettes", *flags)
        # Where constants lie apart from RAM.
        small = self.snapshot_of(several(("s8",), (4, 16)), ("s8",))
        self.done("verify", small, "--target", "avr-mega2560", "--weights-compression", "palettes")

    def test_what_it_says(self):
        model = self.clustered(KWS, 16)
        plain = self.analysed(model, "--target", "cortex-m4f")
        small = self.analysed(model, "--target", "cortex-m4f", "--weights-compression", "palettes")
        self.assertEqual(plain["palette_layers"], 0)
        self.assertEqual(plain["palette_bytes_saved"], 0)
        saved = small["palette_bytes_saved"]
        # Alignment may take a word or two of what indices save.
        self.assertAlmostEqual(plain["weights_bytes"] - small["weights_bytes"], saved, delta=64)
        self.assertGreater(saved, 11000)
        self.assertEqual(
            saved, sum(one.get("palette", {"bytes_saved": 0})["bytes_saved"]
                       for one in small["layers"]))
        added = small["palette_cycles_added"]
        self.assertAlmostEqual(small["expected_cycles"] - plain["expected_cycles"], added, delta=9)
        self.assertLess(added, 0.05 * plain["expected_cycles"])
        told = self.done("compile", model, "--target", "cortex-m4f", "-o", self.folder,
                         "--weights-compression", "palettes")
        self.assertIn(f"palettes take {saved} bytes off the weights of", told)
        self.assertIn(f"for {added} of these cycles (+", told)
        self.assertIn(
            "cycles added",
            self.done("analyze", model, "--target", "cortex-m4f", "--weights-compression",
                      "palettes"))
        self.assertNotIn("cycles added", self.done("analyze", model, "--target", "cortex-m4f"))
        self.assertIn('"weights_compression": "palettes"', next(
            self.folder.glob("*.json")).read_text())

    def flash(self, model, *flags):
        told = json.loads(self.done("compile", model, "--target", "cortex-m4f", "-o", self.folder,
                                    "--json", *flags))["targets"][0]
        return told["flash_bytes"], told["palette_bytes_saved"], told["palette_layers"]

    def test_where_flash_is_exceeded(self):
        model = self.clustered(KWS, 16)
        plain, _, _ = self.flash(model)
        least, most, layers = self.flash(model, "--weights-compression", "palettes")
        self.assertEqual(self.flash(model, "--flash", plain), (plain, 0, 0))
        fits, saved, some = self.flash(model, "--flash", plain - 1)
        self.assertLess(fits, plain)
        self.assertTrue(0 < saved < most and 0 < some < layers, (saved, some))
        fits, _, _ = self.flash(model, "--flash", least)
        self.assertLessEqual(fits, least)
        errors = self.refused(1, "budget", "compile", model, "--target", "cortex-m4f", "-o",
                              self.folder, "--flash", least // 2)
        self.assertIn(f"{least - least // 2} are missing", errors)
        errors = self.refused(1, "budget", "compile", model, "--target", "cortex-m4f", "-o",
                              self.folder, "--flash", plain - 1, "--weights-compression", "none")
        self.assertIn("1 are missing", errors)
        self.assertIn("--weights-compression none", errors)
        found = self.analysed(model, "--target", "cortex-m4f", "--flash", str(plain - 1))
        self.assertEqual(found["palette_bytes_saved"], saved)

    def test_where_the_flash_of_a_chip_is_exceeded(self):
        model = self.clustered(KWS, 16)
        for flash, is_enough in (("32K", False), ("64K", True)):
            chip = "stm32c031c6" if flash == "32K" else "stm32f410rb"
            told = json.loads(self.done("compile", model, "--target", chip, "--ram", "64K", "-o",
                                        self.folder, "--json"))["targets"][0]
            self.assertEqual(told["palette_layers"] == 0, is_enough, chip)
        self.assertIn("bytes of flash", self.refused(
            1, "budget", "compile", model, "--target", "stm32c031c6", "--ram", "64K", "-o",
            self.folder, "--weights-compression", "none"))

    def test_refused(self):
        errors = hlocc("compile", KWS, "--weights-compression", "lossy").stderr.decode()
        self.assertIn("--weights-compression", errors)


class Merged(Test):
    def linked(self, *libraries):
        """Bytes of flash of a firmware that holds them."""
        (self.folder / "main.c").write_text('#include "one.h"\n#include "two.h"\n'
                                            if len(libraries) > 1 else '#include "both.h"\n')
        with (self.folder / "main.c").open("a") as file:
            file.write("""static unsigned char arena[65536] __attribute__((aligned(64)));
static acme_one_t one;
static acme_two_t two;
int main(void) {
  return acme_one_init(&one, arena) || acme_two_init(&two, arena) || acme_one_run(&one) ||
         acme_two_run(&two);
}
""")
        elf = self.folder / "main.elf"
        self.shell(BOARDS / "link_firmware.sh", "cortex-m4f", elf, self.folder / "main.c", "-I",
                   self.folder, *libraries)
        self.shell(BOARDS / "run_board.sh", "cortex-m4f", elf)
        sizes = self.shell("arm-none-eabi-size", elf).splitlines()[1].split()
        return int(sizes[0]) + int(sizes[1])

    def test_models_of_one_library_share_equal_weights(self):
        for name in ("One", "Two"):
            self.done("compile", KWS, "--name", f"acme::{name}", "--target", "cortex-m4f", "-o",
                      self.folder)
        apart = self.linked(self.folder / "libone.a", self.folder / "libtwo.a")
        weight_bytes = self.manifest("one.json")["weights_bytes"]
        told = self.done("compile", f"One={KWS}", f"Two={KWS}", "--shared-arena", "--name",
                         "acme::Both", "--target", "cortex-m4f", "-o", self.folder)
        self.assertEqual(self.manifest("both.json")["weights_bytes"], weight_bytes)
        self.assertIn("models share", told)
        together = self.linked(self.folder / "libboth.a")
        self.assertGreater(apart - together, weight_bytes)

    def test_palettes_of_several_models(self):
        model = self.folder / "clustered.pb"
        model.write_bytes(cluster_weights.with_clustered(KWS.read_bytes(), 16))
        words = [f"One={model}", f"Two={snapshot('mlp_digits')}", "--shared-arena", "--name",
                 "acme::Both", "--target", "cortex-m4f", "-o", self.folder, "--json"]
        plain = json.loads(self.done("compile", *words))["targets"][0]
        self.assertEqual(plain["palette_bytes_saved"], 0)
        small = json.loads(self.done("compile", *words, "--flash",
                                     plain["flash_bytes"] - 1))["targets"][0]
        self.assertLess(small["flash_bytes"], plain["flash_bytes"])
        asked = json.loads(self.done("compile", *words, "--weights-compression",
                                     "palettes"))["targets"][0]
        self.assertLess(asked["flash_bytes"], small["flash_bytes"])


if __name__ == "__main__":
    main()

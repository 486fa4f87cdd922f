"""A pointwise, a depthwise and a pointwise layer of int8, some of whose channels have no weights.

Of 64 channels on 12x12 pixels so many of the depthwise layer, and of the pointwise one in front of
it, have weights of zero and a bias beyond a clamp, as networks have whose training shrinks weights.
Writes layers_DEPTHWISE_POINTWISE.snapshot.pb for boards.py:

    python3 bench/idle_channels.py --hlocc build/hlocc -o FOLDER 0_0 20_20 40_0
    python3 bench/boards.py --hlocc build/hlocc --target cortex-m4f FOLDER/*.snapshot.pb
"""
import argparse
import math
import pathlib
import random
import subprocess

import recurrent

EXTENTS, INPUTS, CHANNELS, OUTPUTS, ZERO = (12, 12), 16, 64, 32, -128


class Layers(recurrent.Text):
    def layer(self, x, channels, depthwise, idle):
        """Convolved, scaled with one rounding, the zero point added, clamped to bytes."""
        inputs, window = x[2][3], 3 if depthwise else 1
        if depthwise:
            beside = self.constant("s8", [ZERO])
            x = self.add("s8", (1, *(extent + 2 for extent in EXTENTS), inputs),
                         f"pad({x[0]}, {beside[0]}), padding=0_0x1_1x1_1x0_0")
        sizes = (window, window, 1 if depthwise else inputs, channels)
        numbers = [0 if at % channels in idle else self.random.randint(-127, 127)
                   for at in range(math.prod(sizes))]
        weights = self.convert(self.constant("s8", numbers, *sizes), "s32")
        x = self.binary("subtract", self.convert(x, "s32"), ZERO)
        sums = self.add("s32", (1, *EXTENTS, channels),
                        f"convolution({x[0]}, {weights[0]}), window={{size={window}x{window}}}, "
                        "dim_labels=b01f_01io->b01f, "
                        f"feature_group_count={channels if depthwise else 1}")
        sums = self.binary("add", sums, self.per_channel(sums, "s32", [
            self.random.choice([1 << 30, -1 << 30]) if n in idle else
            self.random.randint(-3000, 3000) for n in range(channels)]))
        return self.scaled(sums, channels, math.prod(sizes[:3]))

    def per_channel(self, like, kind, numbers):
        return self.spread(self.constant(kind, numbers, len(numbers)), (None, kind, like[2]))

    def scaled(self, sums, channels, terms):
        parts = [math.frexp(1 / (math.sqrt(terms) * 73 * self.random.uniform(1, 2)))
                 for _ in range(channels)]
        shifts = [31 - exponent for _, exponent in parts]
        factors = self.per_channel(sums, "s64", [math.floor(m * 2**31) for m, _ in parts])
        halves = self.per_channel(sums, "s64", [1 << shift - 1 for shift in shifts])
        product = self.binary("multiply", self.convert(sums, "s64"), factors)
        whole = self.binary("shift-right-arithmetic", self.binary("add", product, halves),
                            self.per_channel(sums, "s64", shifts))
        moved = self.binary("add", self.convert(whole, "s32"), ZERO)
        return self.convert(self.clamp(-128, moved, 127), "s8")


def text_of(depthwise, pointwise):
    order = list(range(CHANNELS))
    random.Random(1).shuffle(order)
    text = Layers(seed=5)
    x = text.parameter(0, "s8", 1, *EXTENTS, INPUTS)
    x = text.layer(x, CHANNELS, False, set(order[depthwise:depthwise + pointwise]))
    x = text.layer(x, CHANNELS, True, set(order[:depthwise]))
    x = text.layer(x, OUTPUTS, False, set())
    lines = "\n".join(text.lines)
    return f"HloModule layers\nENTRY e {{\n{lines}\n  ROOT r = {recurrent.shape(x)} copy({x[0]})\n}}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--hlocc", default="build/hlocc")
    parser.add_argument("-o", dest="folder", type=pathlib.Path, required=True)
    parser.add_argument("counts", nargs="+", help="DEPTHWISE_POINTWISE, as 20_20")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for counts in given.counts:
        stem = given.folder / f"layers_{counts}"
        text, argument = stem.with_suffix(".hlo"), stem.with_suffix(".npy")
        text.write_text(text_of(*map(int, counts.split("_"))), encoding="utf-8")
        recurrent.write_argument(argument, random.Random(3), "s8", (1, *EXTENTS, INPUTS))
        subprocess.run([given.hlocc, "snapshot", text, "--input", f"0={argument}", "-o",
                        f"{stem}.snapshot.pb"], check=True)


if __name__ == "__main__":
    main()

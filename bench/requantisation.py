"""Layers of int8 whose sums are scaled to bytes in every spelling that exporters have, counted.

Each layer (pointwise and depthwise, 25x5 pixels, 64 channels) has a bias, a scale and a zero point;
results are clamped at the zero point (--relu) or not. `--odd KIND` gives one channel something that
a layer seldom has. Prints a table for each layer: instructions by spelling and chip, the largest
by the smallest of each rounding.

    python3 bench/requantisation.py --hlocc build/hlocc --target cortex-m4f --target cortex-m55
"""
import argparse
import math
import pathlib
import random
import subprocess
import tempfile

import boards
import recurrent

EXTENTS, CHANNELS, ZERO = (25, 5), 64, -7
MAGIC = 12582912.0  # 1.5 * 2^23: the last bits of a float that it is added to are an integer
MAGIC_BITS = 0x4B400000


class Layer(recurrent.Text):
    """An accumulator, and what its channels are scaled by: multipliers of 31 bits and shifts."""

    def __init__(self, kind, zero, odd):
        super().__init__(seed=7)
        depthwise = kind == "depthwise"
        window, inputs = (3, 3) if depthwise else (1, 1), 1 if depthwise else CHANNELS
        self.zero = zero
        self.channels = [self.channel(window[0] * window[1] * inputs) for _ in range(CHANNELS)]
        sizes = (*window, inputs, CHANNELS)
        numbers = [self.random.randint(-127, 127) for _ in range(math.prod(sizes))]
        if odd:
            ODD[odd](self.channels[CHANNELS // 2])
        x = self.convert(self.parameter(0, "s8", 1, *EXTENTS, CHANNELS), "s32")
        weights = self.convert(self.constant("s8", numbers, *sizes), "s32")
        pad, groups = (1, CHANNELS) if depthwise else (0, 1)
        sums = self.add("s32", (1, *EXTENTS, CHANNELS),
                        f"convolution({x[0]}, {weights[0]}), window={{size={window[0]}x{window[1]} "
                        f"pad={pad}_{pad}x{pad}_{pad}}}, dim_labels=b01f_01io->b01f, "
                        f"feature_group_count={groups}")
        self.sums = self.binary("add", sums, self.spread(self.of("bias", "s32"), sums))

    def channel(self, terms):
        scale = 1 / (math.sqrt(terms) * 73 * self.random.uniform(1, 2))
        mantissa, exponent = math.frexp(scale)
        return {"bias": self.random.randint(-3000, 3000), "scale": scale,
                "multiplier": math.floor(mantissa * 2**31 + 0.5), "shift": -exponent}

    def of(self, name, kind):
        return self.constant(kind, [channel[name] for channel in self.channels], CHANNELS)

    def per_channel(self, name, kind):
        return self.spread(self.of(name, kind), (None, kind, self.sums[2]))

    def computed(self, kind, number):
        """Of each channel what `number` makes of it."""
        values = [number(channel) for channel in self.channels]
        return self.spread(self.constant(kind, values, CHANNELS), (None, kind, self.sums[2]))

    def compared(self, x, y, direction):
        y = y if isinstance(y, tuple) else self.splat(y, x)
        return self.add("pred", x[2], f"compare({x[0]}, {y[0]}), direction={direction}")

    def chosen(self, truth, yes, no):
        return self.add(yes[1], yes[2], f"select({truth[0]}, {yes[0]}, {no[0]})")

    def product(self):
        return self.binary("multiply", self.convert(self.sums, "s64"),
                           self.per_channel("multiplier", "s64"))

    def scaled(self):
        return self.binary("multiply", self.convert(self.sums, "f32"),
                           self.per_channel("scale", "f32"))

    def in_bytes(self, x):
        """With its zero point, clamped."""
        x = self.binary("add", x, self.zero)
        return self.convert(self.clamp(-128, x, 127), "s8")


def nudged(layer, x, half):
    """Half of a unit with the sign of x, as gemmlowp adds it: division then cuts to zero."""
    below = (layer.binary("subtract", layer.splat(1, x), half) if isinstance(half, tuple)
             else layer.splat(1 - half, x))
    half = half if isinstance(half, tuple) else layer.splat(half, x)
    return layer.binary("add", x, layer.chosen(layer.compared(x, 0, "GE"), half, below))


# --- one rounding ---
def plain(layer):
    total = layer.computed("s64", lambda c: 31 + c["shift"])
    half = layer.computed("s64", lambda c: 1 << 30 + c["shift"])
    sum_ = layer.binary("add", layer.product(), half)
    return layer.in_bytes(layer.convert(layer.binary("shift-right-arithmetic", sum_, total), "s32"))


def zero_inside(layer):
    """The zero point is part of what is added before the shift."""
    total = layer.computed("s64", lambda c: 31 + c["shift"])
    more = layer.computed("s64", lambda c: (1 << 30 + c["shift"]) + (layer.zero << 31 + c["shift"]))
    sum_ = layer.binary("add", layer.product(), more)
    moved = layer.binary("shift-right-arithmetic", sum_, total)
    return layer.convert(layer.clamp(-128, moved, 127), "s8")


def literal(layer):
    unit = layer.computed("s64", lambda c: 1 << 31 + c["shift"])
    half = layer.computed("s64", lambda c: 1 << 30 + c["shift"])
    cut = layer.binary("divide", nudged(layer, layer.product(), half), unit)
    return layer.in_bytes(layer.convert(cut, "s32"))


def floats(layer):
    """ONNX Runtime: clamped, to even, the zero point as an integer."""
    low, high = -128.0 - layer.zero, 127.0 - layer.zero
    even = layer.unary("round-nearest-even", layer.clamp(low, layer.scaled(), high))
    return layer.convert(layer.binary("add", layer.convert(even, "s32"), layer.zero), "s8")


def floats_zero(layer):
    """A quantisation as ONNX defines it: to even, the zero point in floats, clamped."""
    even = layer.unary("round-nearest-even", layer.scaled())
    moved = layer.binary("add", even, float(layer.zero))
    return layer.convert(layer.clamp(-128.0, moved, 127.0), "s8")


def magic_bits(layer):
    """XNNPACK: the bits of a float that is large enough."""
    low, high = -128.0 - layer.zero, 127.0 - layer.zero
    large = layer.binary("add", layer.clamp(low, layer.scaled(), high), MAGIC)
    bits = layer.add("s32", large[2], f"bitcast-convert({large[0]})")
    return layer.convert(layer.binary("subtract", bits, MAGIC_BITS - layer.zero), "s8")


def magic_floats(layer):
    low, high = -128.0 - layer.zero, 127.0 - layer.zero
    large = layer.binary("add", layer.clamp(low, layer.scaled(), high), MAGIC)
    whole = layer.convert(layer.binary("subtract", large, MAGIC), "s32")
    return layer.convert(layer.binary("add", whole, layer.zero), "s8")


# --- two roundings: a doubled high product, then a shift ---
def high_literal(layer):
    cut = layer.binary("divide", nudged(layer, layer.product(), 1 << 30),
                       layer.splat(1 << 31, (None, "s64", layer.sums[2])))
    return layer.convert(cut, "s32")


def high_shifted(layer):
    product = layer.product()
    sum_ = layer.binary("add", product, 1 << 30)
    return layer.convert(layer.binary("shift-right-arithmetic", sum_, 31), "s32")


def by_threshold(layer, x):
    """RoundingDivideByPOT, literally."""
    one = layer.splat(1, x)
    shift = layer.per_channel("shift", "s32")
    mask = layer.binary("subtract", layer.binary("shift-left", one, shift), 1)
    rest = layer.binary("and", x, mask)
    limit = layer.binary("add", layer.binary("shift-right-arithmetic", mask, 1),
                         layer.convert(layer.compared(x, 0, "LT"), "s32"))
    more = layer.convert(layer.compared(rest, limit, "GT"), "s32")
    return layer.in_bytes(layer.binary(
        "add", layer.binary("shift-right-arithmetic", x, shift), more))


def by_sign(layer, x):
    """(x + half + (x >> 31)) >> shift."""
    half = layer.computed("s32", lambda c: 1 << c["shift"] - 1)
    sum_ = layer.binary("add", layer.binary("add", x, half),
                        layer.binary("shift-right-arithmetic", x, 31))
    return layer.in_bytes(layer.binary("shift-right-arithmetic", sum_,
                                       layer.per_channel("shift", "s32")))


def by_division(layer, x):
    """Half with the sign of x, and a division, which cuts to zero."""
    half = layer.computed("s32", lambda c: 1 << c["shift"] - 1)
    minus = layer.computed("s32", lambda c: -(1 << c["shift"] - 1))
    sum_ = layer.binary("add", x, layer.chosen(layer.compared(x, 0, "LT"), minus, half))
    return layer.in_bytes(layer.binary("divide", sum_,
                                       layer.computed("s32", lambda c: 1 << c["shift"])))


SINGLE = {"plain": plain, "zero inside": zero_inside, "literal": literal, "floats": floats,
          "floats, zero": floats_zero, "magic bits": magic_bits, "magic floats": magic_floats}
DOUBLE = {"literal, threshold": lambda layer: by_threshold(layer, high_literal(layer)),
          "shift, threshold": lambda layer: by_threshold(layer, high_shifted(layer)),
          "literal, sign": lambda layer: by_sign(layer, high_literal(layer)),
          "shift, sign": lambda layer: by_sign(layer, high_shifted(layer)),
          "shift, division": lambda layer: by_division(layer, high_shifted(layer))}
ODD = {"bias": lambda channel: channel.update(bias=1 << 28),
       "large bias": lambda channel: channel.update(bias=(1 << 31) - (1 << 21)),
       "multiplier": lambda channel: channel.update(multiplier=0, scale=0.0),
       "shift": lambda channel: channel.update(shift=31, scale=channel["scale"] * 2.0**-22)}


def text_of(kind, spelling, relu, odd):
    layer = Layer(kind, -128 if relu else ZERO, odd)
    result = (SINGLE | DOUBLE)[spelling](layer)
    lines = "\n".join(layer.lines)
    sizes = ",".join(map(str, result[2]))
    return f"HloModule layer\nENTRY e {{\n{lines}\n  ROOT r = s8[{sizes}] copy({result[0]})\n}}\n"


def write_snapshot(hlocc, folder, kind, spelling, relu, odd):
    name = "_".join([kind, *spelling.replace(",", "").split(), *(["relu"] if relu else []),
                     *(odd or "").split()])
    text, argument = folder / f"{name}.hlo", folder / f"{name}.npy"
    text.write_text(text_of(kind, spelling, relu, odd), encoding="utf-8")
    recurrent.write_argument(argument, random.Random(3), "s8", (1, *EXTENTS, CHANNELS))
    made = folder / f"{name}.snapshot.pb"
    subprocess.run([hlocc, "snapshot", text, "--input", f"0={argument}", "-o", made], check=True)
    return made


def instructions(given, model, target, folder):
    row = boards.measure(given.hlocc.resolve(), model.resolve(), target, given.option, folder)
    if not row["right"]:
        raise boards.Failure("a wrong result")
    return row["instructions"]


def print_table(given, folder, kind, relu):
    """Instructions by spelling and chip; below each rounding the largest by the smallest."""
    print(f"\n{kind}{', relu' if relu else ''}{f', one {given.odd}' if given.odd else ''}\n")
    print(f"| {' | '.join(['', *given.target])} |\n|---{'|---:' * len(given.target)}|")
    for rounding in (SINGLE, DOUBLE):
        columns = [[] for _ in given.target]
        for spelling in rounding:
            model = write_snapshot(given.hlocc, folder, kind, spelling, relu, given.odd)
            for column, target in zip(columns, given.target):
                column.append(instructions(given, model, target, folder))
            cells = (f"{column[-1]:,}" for column in columns)
            print(f"| {spelling} | {' | '.join(cells)} |", flush=True)
        ratios = (f"{max(column) / min(column):.3f}" for column in columns)
        print(f"| *largest by smallest* | {' | '.join(ratios)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--target", action="append", help="a preset; repeatable (cortex-m4f)")
    parser.add_argument("--option", action="append", default=[], help="for hlocc: --option=-Os")
    parser.add_argument("--kind", action="append", choices=["pointwise", "depthwise"])
    parser.add_argument("--relu", action="store_true", help="results are clamped at the zero point")
    parser.add_argument("--odd", choices=ODD)
    given = parser.parse_args()
    given.target = given.target or ["cortex-m4f"]
    with tempfile.TemporaryDirectory() as folder:
        for kind in given.kind or ["pointwise", "depthwise"]:
            print_table(given, pathlib.Path(folder), kind, given.relu)


if __name__ == "__main__":
    main()

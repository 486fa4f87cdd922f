"""Cells of recurrent networks as tools quantise them, as HLO texts: one step, or a loop of --steps.

    dynamic_lstm   int8 weights with a scale a column; x and h are quantised as they come, by
                   their largest magnitude; gates in f32
    qdq_lstm       x and h int8, products of dequantised bytes, gates and the cell's state in f32
    fake_lstm      the same with every array between two operations quantised to 8 bits, the
                   cell's state to 16 (quantisation-aware training)
    qdq_gru        x and h int8, products of dequantised bytes, gates in f32
    fake_gru       the same with every array quantised to 8 bits
    integer_lstm   integers only, as TensorFlow Lite's: sums scaled to 16 bits by a 64-bit
                   multiplication, gates by tables of 513 with straight lines between, a state of
                   16 bits

Writes CELL.snapshot.pb for each, with arguments drawn, for boards.py and `hlocc verify`:

    python3 bench/recurrent.py --hlocc build/hlocc -o FOLDER [--hidden 64] [--inputs 40] \
        [--steps N] [CELL...]
"""
import argparse
import array
import json
import math
import pathlib
import random
import subprocess

import module_texts


class Text:
    """Lines of a computation; values are (name, type, dimensions)."""

    def __init__(self, seed=1):
        self.lines, self.random = [], random.Random(seed)

    def add(self, kind, sizes, operation):
        name = f"v{len(self.lines)}"
        self.lines.append(f"  {name} = {shape((None, kind, sizes))} {operation}")
        return name, kind, tuple(sizes)

    def parameter(self, number, kind, *sizes):
        return self.add(kind, sizes, f"parameter({number})")

    def constant(self, kind, values, *sizes):
        texts = (repr(value) for value in values)
        return self.add(kind, sizes, f"constant({module_texts.nested(texts, sizes)})")

    def splat(self, value, like):
        scalar = self.constant(like[1], [value])
        return self.add(like[1], like[2], f"broadcast({scalar[0]}), dimensions={{}}")

    def spread(self, vector, like):
        return self.add(vector[1], like[2],
                        f"broadcast({vector[0]}), dimensions={{{len(like[2]) - 1}}}")

    def unary(self, operation, x, more=""):
        return self.add(x[1], x[2], f"{operation}({x[0]}){more}")

    def binary(self, operation, x, y):
        y = y if isinstance(y, tuple) else self.splat(y, x)
        return self.add(x[1], x[2], f"{operation}({x[0]}, {y[0]})")

    def convert(self, x, kind):
        return self.add(kind, x[2], f"convert({x[0]})")

    def clamp(self, low, x, high):
        low, high = self.constant(x[1], [low]), self.constant(x[1], [high])
        return self.add(x[1], x[2], f"clamp({low[0]}, {x[0]}, {high[0]})")

    def dot(self, x, weights, kind):
        return self.add(kind, (x[2][0], weights[2][1]),
                        f"dot({x[0]}, {weights[0]}), lhs_contracting_dims={{1}}, "
                        "rhs_contracting_dims={0}")

    def columns(self, x, first, count):
        return self.add(x[1], (x[2][0], count),
                        f"slice({x[0]}), slice={{[0:{x[2][0]}], [{first}:{first + count}]}}")

    def gates(self, x, count):
        each = x[2][1] // count
        return [self.columns(x, n * each, each) for n in range(count)]

    def bytes(self, *sizes):
        return self.constant("s8", (self.random.randint(-127, 127)
                                    for _ in range(math.prod(sizes))), *sizes)

    def scales(self, count, about):
        return self.constant("f32", (about * self.random.uniform(0.5, 1.5) for _ in range(count)),
                             count)

    # --- as quantisers write ---
    def dequantize(self, q, scale, zero=0):
        x = self.convert(q, "f32")
        if zero:
            x = self.binary("subtract", x, float(zero))
        return self.binary("multiply", x, scale)

    def quantize(self, x, scale, zero=0, kind="s8"):
        most = 127 if kind == "s8" else 32767
        q = self.unary("round-nearest-even", self.binary("divide", x, scale))
        if zero:
            q = self.binary("add", q, float(zero))
        return self.convert(self.clamp(-most - 1.0, q, float(most)), kind)

    def fake(self, x, scale, zero=0, kind="s8"):
        return self.dequantize(self.quantize(x, scale, zero, kind), scale, zero)


def shape(value):
    return f"{value[1]}[{','.join(map(str, value[2]))}]"


def dequantized_weights(text, rows, columns):
    q = text.bytes(rows, columns)
    return text.binary("multiply", text.convert(q, "f32"),
                       text.spread(text.scales(columns, 0.3 / 127), q))


def biased(text, x, size):
    return text.binary("add", x, text.spread(text.scales(size, 0.1), x))


def lstm_gates(text, sums, cell, note=lambda value, scale, zero=0: value):
    """(the new h, the new cell state) in f32; `note` is what stands behind each operation."""
    i, f, g, o = text.gates(sums, 4)
    i, f, o = (note(text.unary("logistic", x), 1 / 256, -128) for x in (i, f, o))
    g = note(text.unary("tanh", g), 1 / 128)
    cell = text.binary("add", note(text.binary("multiply", f, cell), 1 / 32),
                       note(text.binary("multiply", i, g), 1 / 128))
    return o, cell


def dynamic_product(text, x, columns):
    """x quantised by its largest magnitude, times bytes with a scale a column."""
    zero = text.constant("f32", [0.0])
    most = text.add("f32", (), f"reduce({text.unary('abs', x)[0]}, {zero[0]}), "
                    "dimensions={0,1}, to_apply=greatest")
    scale = text.binary("maximum", text.binary("multiply", most, 1 / 127), 1e-6)
    spread = text.add("f32", x[2], f"broadcast({scale[0]}), dimensions={{}}")
    q = text.unary("round-nearest-even", text.binary("divide", x, spread))
    q = text.convert(text.clamp(-127.0, q, 127.0), "s8")
    sums = text.convert(text.dot(q, text.bytes(x[2][1], columns), "s32"), "f32")
    all_scales = text.binary(
        "multiply", text.scales(columns, 0.3 / 127),
        text.add("f32", (columns,), f"broadcast({scale[0]}), dimensions={{}}"))
    return text.binary("multiply", sums, text.spread(all_scales, sums))


def dynamic_lstm(text, x, state, hidden):
    h, cell = state
    sums = text.binary("add", dynamic_product(text, x, 4 * hidden),
                       dynamic_product(text, h, 4 * hidden))
    o, cell = lstm_gates(text, biased(text, sums, 4 * hidden), cell)
    return text.binary("multiply", o, text.unary("tanh", cell)), cell


X_SCALE, X_ZERO, H_SCALE = 0.031, 5, 1 / 128


def qdq_products(text, x, h, columns):
    x, h = text.dequantize(x, X_SCALE, X_ZERO), text.dequantize(h, H_SCALE)
    return [text.dot(side, dequantized_weights(text, side[2][1], columns), "f32")
            for side in (x, h)]


def qdq_lstm(text, x, state, hidden):
    h, cell = state
    sums = text.binary("add", *qdq_products(text, x, h, 4 * hidden))
    o, cell = lstm_gates(text, biased(text, sums, 4 * hidden), cell)
    return text.quantize(text.binary("multiply", o, text.unary("tanh", cell)), H_SCALE), cell


def fake_lstm(text, x, state, hidden):
    h, cell = state
    sums = text.binary("add", *qdq_products(text, x, h, 4 * hidden))
    sums = text.fake(biased(text, sums, 4 * hidden), 0.06, 3)
    o, cell = lstm_gates(text, sums, text.dequantize(cell, 1 / 4096), text.fake)
    cell = text.quantize(cell, 1 / 4096, kind="s16")
    squashed = text.fake(text.unary("tanh", text.fake(text.dequantize(cell, 1 / 4096), 1 / 32)),
                         1 / 128)
    return text.quantize(text.binary("multiply", o, squashed), H_SCALE), cell


def gru(text, x, h, hidden, note):
    from_x, from_h = (note(biased(text, side, 3 * hidden), 0.06, 3)
                      for side in qdq_products(text, x, h, 3 * hidden))
    (z, r, n), (hz, hr, hn) = text.gates(from_x, 3), text.gates(from_h, 3)
    z, r = (note(text.unary("logistic", note(text.binary("add", a, b), 0.06)), 1 / 256, -128)
            for a, b in ((z, hz), (r, hr)))
    n = note(text.binary("add", n, note(text.binary("multiply", r, hn), 0.06)), 0.06)
    n = note(text.unary("tanh", n), 1 / 128)
    kept = note(text.binary("multiply", z, text.dequantize(h, H_SCALE)), 1 / 128)
    rest = text.binary("subtract", text.splat(1.0, z), z)
    return text.quantize(text.binary("add", note(text.binary("multiply", rest, n), 1 / 128), kept),
                         H_SCALE)


def qdq_gru(text, x, state, hidden):
    return (gru(text, x, state[0], hidden, lambda value, scale, zero=0: value),)


def fake_gru(text, x, state, hidden):
    return (gru(text, x, state[0], hidden, text.fake),)


# --- integers only ---
def rescaled(text, x, multiplier, shift, kind, low, high):
    """(x * multiplier + half) >> shift in 64 bits, clamped."""
    wide = text.binary("multiply", text.convert(x, "s64"), multiplier)
    wide = text.binary("add", wide, 1 << (shift - 1))
    wide = text.binary("shift-right-arithmetic", wide, shift)
    return text.convert(text.clamp(low, wide, high), kind)


def by_table(text, x, function):
    """s16 in, s16 out: 513 points, and straight lines between them."""
    points = [round(32767 * function((n - 256) / 32)) for n in range(513)]
    table = text.constant("s16", points, 513)
    wide = text.binary("add", text.convert(x, "s32"), 32768)
    place = text.binary("shift-right-arithmetic", wide, 7)

    def looked_up(at):
        gathered = text.add("s16", x[2], f"gather({table[0]}, {at[0]}), offset_dims={{}}, "
                            "collapsed_slice_dims={0}, start_index_map={0}, "
                            f"index_vector_dim={len(x[2])}, slice_sizes={{1}}")
        return text.convert(gathered, "s32")
    low, high = looked_up(place), looked_up(text.binary("add", place, 1))
    slope = text.binary("multiply", text.binary("subtract", high, low),
                        text.binary("and", wide, 127))
    return text.binary("add", low, text.binary("shift-right-arithmetic",
                                               text.binary("add", slope, 64), 7))


def logistic(value):
    return 1 / (1 + math.exp(-value))


def integer_lstm(text, x, state, hidden):
    h, cell = state
    sums = []
    for side, multiplier in ((x, 1518500250), (h, 1288490189)):
        product = text.dot(side, text.bytes(side[2][1], 4 * hidden), "s32")
        bias = text.constant("s32", (text.random.randint(-3000, 3000) for _ in range(4 * hidden)),
                             4 * hidden)
        product = text.binary("add", product, text.spread(bias, product))
        sums.append(rescaled(text, product, multiplier, 32, "s16", -32768, 32767))
    wide = text.binary("add", *(text.convert(side, "s32") for side in sums))
    i, f, g, o = text.gates(text.convert(text.clamp(-32768, wide, 32767), "s16"), 4)
    i, f, o = (by_table(text, gate, logistic) for gate in (i, f, o))
    g = by_table(text, g, math.tanh)

    def product(x, y, shift):
        both = text.binary("add", text.binary("multiply", x, y), 1 << (shift - 1))
        return text.binary("shift-right-arithmetic", both, shift)
    kept = product(f, text.convert(cell, "s32"), 15)
    # The state counts 2048ths, so that the tables' 4096ths are twice that.
    cell = text.binary("add", kept, product(i, g, 19))
    cell = text.convert(text.clamp(-32768, cell, 32767), "s16")
    twice = text.binary("multiply", text.convert(cell, "s32"), 2)
    squashed = by_table(text, text.convert(text.clamp(-32768, twice, 32767), "s16"), math.tanh)
    h = rescaled(text, text.binary("multiply", o, squashed), 1090519040, 53, "s8", -128, 127)
    return h, cell


# Cell -> (function, types of x and of the states)
CELLS = {
    "dynamic_lstm": (dynamic_lstm, "f32", ("f32", "f32")),
    "qdq_lstm": (qdq_lstm, "s8", ("s8", "f32")),
    "fake_lstm": (fake_lstm, "s8", ("s8", "s16")),
    "qdq_gru": (qdq_gru, "s8", ("s8",)),
    "fake_gru": (fake_gru, "s8", ("s8",)),
    "integer_lstm": (integer_lstm, "s8", ("s8", "s16")),
}
GREATEST = """greatest {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT m = f32[] maximum(a, b)
}
"""


def kinds_of(cell, inputs, hidden, steps):
    """Types and sizes of x and of the states; without steps it is one step."""
    _, x_type, types = CELLS[cell]
    return [(x_type, (steps or 1, inputs)), *((kind, (1, hidden)) for kind in types)]


def step_text(cell, inputs, hidden):
    text = Text()
    x, *state = [text.parameter(n, kind, *sizes)
                 for n, (kind, sizes) in enumerate(kinds_of(cell, inputs, hidden, 0))]
    return module(cell, text, CELLS[cell][0](text, x, state, hidden), "")


def loop_text(cell, inputs, hidden, steps):
    body = Text()
    kinds = [("s32", ()), *kinds_of(cell, inputs, hidden, steps)]
    carried = "(" + ", ".join(shape((None, *kind)) for kind in kinds) + ")"
    body.lines.append(f"  t = {carried} parameter(0)")
    turn, xs, *state = [body.add(*kind, f"get-tuple-element(t), index={n}")
                        for n, kind in enumerate(kinds)]
    zero = body.constant("s32", [0])
    x = body.add(xs[1], (1, inputs), f"dynamic-slice({xs[0]}, {turn[0]}, {zero[0]}), "
                 f"dynamic_slice_sizes={{1,{inputs}}}")
    results = CELLS[cell][0](body, x, state, hidden)
    turn = body.binary("add", turn, 1)
    values = ", ".join(value[0] for value in (turn, xs, *results))
    lines = "\n".join(body.lines)
    more = f"""body {{
{lines}
  ROOT out = {carried} tuple({values})
}}
condition {{
  t = {carried} parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant({steps})
  ROOT c = pred[] compare(i, n), direction=LT
}}
"""
    text = Text()
    arguments = [text.parameter(n, kind, *sizes) for n, (kind, sizes) in enumerate(kinds[1:])]
    zero = text.constant("s32", [0])
    text.lines.append(f"  start = {carried} tuple({', '.join(a[0] for a in (zero, *arguments))})")
    text.lines.append(f"  loop = {carried} while(start), condition=condition, body=body")
    results = [text.add(*kind, f"get-tuple-element(loop), index={n + 2}")
               for n, kind in enumerate(kinds[2:])]
    return module(cell, text, results, more)


def module(cell, text, results, more):
    names, kinds = ", ".join(r[0] for r in results), ", ".join(shape(r) for r in results)
    lines = "\n".join(text.lines)
    return (f"HloModule {cell}\n{GREATEST if cell == 'dynamic_lstm' else ''}{more}ENTRY e {{\n"
            f"{lines}\n  ROOT results = ({kinds}) tuple({names})\n}}\n")


def write_argument(path, made, kind, sizes):
    """A .npy file of numbers drawn."""
    code, letter = {"f32": ("<f4", "f"), "s8": ("|i1", "b"), "s16": ("<i2", "h")}[kind]
    most = {"f32": 1, "s8": 127, "s16": 4095}[kind]
    values = [made.uniform(-1, 1) if kind == "f32" else made.randint(-most, most)
              for _ in range(math.prod(sizes))]
    header = repr({"descr": code, "fortran_order": False, "shape": tuple(sizes)}).encode() + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header +
                     array.array(letter, values).tobytes())


def write_snapshot(hlocc, folder, cell, inputs, hidden, steps):
    text = folder / f"{cell}.hlo"
    text.write_text(loop_text(cell, inputs, hidden, steps) if steps else
                    step_text(cell, inputs, hidden), encoding="utf-8")
    made, values = random.Random(3), []
    for n, (kind, sizes) in enumerate(kinds_of(cell, inputs, hidden, steps)):
        path = folder / f"v{n}.npy"
        write_argument(path, made, kind, sizes)
        values += ["--input", f"v{n}={path}"]
    subprocess.run([hlocc, "snapshot", text, *values, "-o", folder / f"{cell}.snapshot.pb"],
                   check=True)
    # Integers are to be equal.
    results = [{"tolerance": {"rtol": 1e-5, "atol": 1e-6}}] * len(CELLS[cell][2])
    (folder / f"{cell}.json").write_text(json.dumps({"results": results}), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cells", nargs="*", metavar="CELL", help="default: all")
    parser.add_argument("--hlocc", required=True, type=pathlib.Path)
    parser.add_argument("-o", "--out", required=True, type=pathlib.Path)
    parser.add_argument("--inputs", type=int, default=40)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--steps", type=int, default=0, help="turns of a loop; 0: one step")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    for cell in chosen.cells or CELLS:
        write_snapshot(chosen.hlocc, chosen.out, cell, chosen.inputs, chosen.hidden, chosen.steps)


if __name__ == "__main__":
    main()

"""kernels.py: single kernels on this machine against what one core of it can do.

Sweeps matrix products (cubes, skinny ones, matrix times vector; the second operand constant, and
both variable) and convolutions (3x3, 1x1, depthwise, strided, first layers), each compiled from a
one-op module. The peak of multiply-adds and the read bandwidth are measured in the same run, in
turns with the kernels: the columns are GFLOP/s, percent of that peak, and percent of the bandwidth
at the size of the operands. The clock wanders, so the percent of peak is the median over samples
that each stand between two bursts of multiply-adds; GFLOP/s are of the fastest one.

    python3 bench/kernels.py --hlocc build/hlocc --cpu 1

--random N measures shapes that nobody listed (random_cases.py) and ends with those furthest below
the nearer of the two bounds; --check compares each result with the interpreter's.
"""
import argparse
import json
import math
import pathlib
import random
import statistics
import struct
import sys
import tempfile

import boards
import host_program
import random_cases
from module_texts import constant, convolution_text, module_text, product_text

CUBES = [48, 64, 96, 128, 192, 256, 384, 512, 768, 1024]
# rows x inner x columns
SKINNY = [(4, 256, 256), (16, 256, 1024), (64, 64, 256), (128, 256, 1024), (128, 1024, 256),
          (49, 960, 160), (196, 96, 576), (1000, 64, 33), (63, 127, 65)]
VECTORS = [(1, 64, 128), (1, 256, 256), (1, 640, 128), (1, 1024, 1024), (1, 1280, 1000),
           (1, 2048, 2048)]
# (rows, columns, in channels, out channels, window, stride, groups are channels)
CONVOLUTIONS = [
    (56, 56, 64, 64, 3, 1, False), (28, 28, 128, 128, 3, 1, False), (14, 14, 256, 256, 3, 1, False),
    (7, 7, 512, 512, 3, 1, False), (32, 32, 16, 16, 3, 1, False), (56, 56, 64, 128, 3, 2, False),
    (40, 40, 24, 24, 3, 1, False), (31, 29, 20, 36, 3, 1, False), (28, 28, 32, 32, 5, 1, False),
    (224, 224, 3, 64, 7, 2, False), (96, 96, 3, 8, 3, 2, False), (32, 32, 3, 16, 3, 1, False),
    (25, 5, 64, 64, 1, 1, False), (56, 56, 64, 256, 1, 1, False), (14, 14, 576, 96, 1, 1, False),
    (7, 7, 960, 160, 1, 1, False), (7, 7, 320, 1280, 1, 1, False),
    (25, 5, 64, 64, 3, 1, True), (112, 112, 32, 32, 3, 1, True), (56, 56, 144, 144, 3, 1, True),
    (56, 56, 96, 96, 3, 2, True), (14, 14, 384, 384, 3, 1, True), (7, 7, 960, 960, 3, 1, True)]


# Other orders of dimensions, batches, groups, dilations: name, result, operation, operands, whether
# the second one varies, attributes, multiply-accumulates.
NORMAL, CHANNELS_FIRST = "dim_labels=b01f_01io->b01f", "dim_labels=bf01_oi01->bf01"
ODD = [
    ("dot x^T w", (128, 256), "dot", (192, 128), (192, 256), False,
     "lhs_contracting_dims={0}, rhs_contracting_dims={0}", 128 * 256 * 192),
    ("dot x w^T", (128, 256), "dot", (128, 192), (256, 192), False,
     "lhs_contracting_dims={1}, rhs_contracting_dims={1}", 128 * 256 * 192),
    ("dot x w^T variable", (128, 256), "dot", (128, 192), (256, 192), True,
     "lhs_contracting_dims={1}, rhs_contracting_dims={1}", 128 * 256 * 192),
    ("dot 8 batches", (8, 64, 64), "dot", (8, 64, 48), (8, 48, 64), True,
     "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}",
     8 * 64 * 64 * 48),
    ("dot 8 batches q k^T", (8, 128, 128), "dot", (8, 128, 64), (8, 128, 64), True,
     "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}",
     8 * 128 * 128 * 64),
    ("conv channels first", (1, 64, 28, 28), "convolution", (1, 64, 28, 28), (64, 64, 3, 3), False,
     f"window={{size=3x3 pad=1_1x1_1}}, {CHANNELS_FIRST}", 28 * 28 * 64 * 64 * 9),
    ("conv channels first 1x1", (1, 64, 28, 28), "convolution", (1, 128, 28, 28), (64, 128, 1, 1),
     False, f"window={{size=1x1}}, {CHANNELS_FIRST}", 28 * 28 * 64 * 128),
    ("conv channels first depthwise", (1, 64, 28, 28), "convolution", (1, 64, 28, 28),
     (64, 1, 3, 3), False,
     f"window={{size=3x3 pad=1_1x1_1}}, {CHANNELS_FIRST}, feature_group_count=64",
     28 * 28 * 64 * 9),
    ("conv 4 groups", (1, 28, 28, 64), "convolution", (1, 28, 28, 64), (3, 3, 16, 64), False,
     f"window={{size=3x3 pad=1_1x1_1}}, {NORMAL}, feature_group_count=4", 28 * 28 * 64 * 16 * 9),
    ("conv dilated 2", (1, 28, 28, 64), "convolution", (1, 28, 28, 64), (3, 3, 64, 64), False,
     f"window={{size=3x3 pad=2_2x2_2 rhs_dilate=2x2}}, {NORMAL}", 28 * 28 * 64 * 64 * 9),
    ("conv transposed 2", (1, 28, 28, 32), "convolution", (1, 14, 14, 64), (4, 4, 64, 32), False,
     f"window={{size=4x4 pad=2_2x2_2 lhs_dilate=2x2}}, {NORMAL}", 28 * 28 * 32 * 64 * 4),
    ("conv 8 images", (8, 14, 14, 64), "convolution", (8, 14, 14, 64), (3, 3, 64, 64), False,
     f"window={{size=3x3 pad=1_1x1_1}}, {NORMAL}", 8 * 14 * 14 * 64 * 64 * 9),
    ("conv variable kernel", (1, 28, 28, 64), "convolution", (1, 28, 28, 64), (3, 3, 64, 64), True,
     f"window={{size=3x3 pad=1_1x1_1}}, {NORMAL}", 28 * 28 * 64 * 64 * 9),
    ("conv depthwise times 2", (1, 28, 28, 64), "convolution", (1, 28, 28, 32), (3, 3, 1, 64),
     False, f"window={{size=3x3 pad=1_1x1_1}}, {NORMAL}, feature_group_count=32", 28 * 28 * 64 * 9),
    ("conv one dimension", (1, 100, 64), "convolution", (1, 100, 40), (5, 40, 64), False,
     "window={size=5 pad=2_2}, dim_labels=b0f_0io->b0f", 100 * 64 * 40 * 5),
]


def odd_cases():
    for name, result, operation, left, right, varies, more, macs in ODD:
        floats = math.prod(left) + math.prod(right) + math.prod(result)
        yield "odd", name, (lambda r=result, o=operation, a=left, b=right, v=varies, m=more:
                            module_text(r, o, a, b, "parameter(1)" if v else
                                        f"constant({constant(*b)})", m)), macs, 4 * floats


def cases():
    """(group, name, module text, multiply-accumulates, bytes that must be read and written once)"""
    def product(group, shape, variable=False):
        rows, inner, columns = shape
        floats = rows * inner + inner * columns + rows * columns
        name = "x".join(map(str, shape)) + (" variable" if variable else "")
        return group, name, lambda: product_text(*shape, variable), rows * inner * columns, \
            4 * floats
    for size in CUBES:
        yield product("gemm", (size, size, size))
    for size in (64, 256, 512):
        yield product("gemm", (size, size, size), True)
    for shape in SKINNY:
        yield product("skinny", shape)
    for shape in VECTORS:
        yield product("gemv", shape)
    for shape in CONVOLUTIONS:
        rows, columns, channels, out, window, stride, depthwise = shape
        inside = 1 if depthwise else channels
        pixels = -(-rows // stride) * -(-columns // stride)
        floats = rows * columns * channels + pixels * out + window * window * inside * out
        name = f"{rows}x{columns}x{channels} {window}x{window}"
        name += f"/{stride}" if stride > 1 else ""
        name += " depthwise" if depthwise else f" to {out}"
        yield "conv", name, (lambda shape=shape: convolution_text(*shape)), \
            pixels * out * window * window * inside, 4 * floats
    yield from odd_cases()


def random_drawn(arguments):
    made = random.Random(arguments.seed)
    for name, text, macs, bytes_ in random_cases.draw(made, arguments.random, 100_000,
                                                      arguments.most_macs, 4 << 20):
        yield "random", name, text, macs, bytes_


def write_npy(path, dimensions, data):
    """f32 in a file of numpy's format 1.0."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(dimensions)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def worst_difference(hlocc, model, folder):
    """Of the built program's result from the interpreter's, by the largest element of it."""
    manifest = json.loads((folder / "bench.json").read_text(encoding="utf-8"))
    data, options = (folder / "in").read_bytes(), []
    for leaf in manifest["arguments"]:
        path = folder / f"{leaf['index']}.npy"
        write_npy(path, leaf["shape"], data[:leaf["bytes"]])
        data = data[leaf["bytes"]:]
        options += ["--input", f"arg{leaf['index']}={path}"]
    boards.must("run", boards.call([hlocc, "run", model, "--backend", "interpreter", *options,
                                    "--output", f"{folder}/"]))
    got = (folder / "out").read_bytes()
    wanted = (folder / "result0.npy").read_bytes()[-len(got):]
    both = [struct.unpack(f"<{len(got) // 4}f", each) for each in (got, wanted)]
    largest = max(map(abs, both[1])) or 1
    # A NaN is no number's neighbour.
    return max((abs(a - b) if a == a else math.inf) for a, b in zip(*both)) / largest


def build_peak(folder):
    program = folder / "peak"
    boards.must("peak", boards.call(["cc", *host_program.FLAGS, "-o", program,
                                     boards.ROOT / "bench/host_program/peak.c"]))
    return program


def bandwidth(read, size):
    """GB/s of the smallest measured buffer that holds `size` bytes."""
    rates = sorted((int(bytes_), rate) for bytes_, rate in read.items())
    return next((rate for bytes_, rate in rates if bytes_ >= size), rates[-1][1])


class Bench:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.prefix = ["chrt", "-f", "1"] if arguments.realtime else []
        self.peak = host_program.Timed([*self.prefix, build_peak(folder)], arguments.cpu)

    def measure(self, text, macs, bytes_):
        model = self.folder / "model.hlo"
        model.write_text(text, encoding="utf-8")
        flags = [f"-DVECTOR_BYTES={self.arguments.vector_bytes}"] \
            if self.arguments.vector_bytes else []
        program = host_program.build_bare(self.arguments.hlocc.resolve(), model,
                                          self.arguments.option, self.folder / "case", flags)
        case = self.folder / "case"
        if self.arguments.check:
            # The program writes its result before it is ready to be timed.
            host_program.Timed([program, case / "in", case / "out"]).close()
            difference = worst_difference(self.arguments.hlocc.resolve(), model, case)
            if not difference < 1e-4:
                raise boards.Failure(f"wrong by {difference:.1e} of its largest element")
        timed = host_program.Timed([*self.prefix, program, case / "in", case / "out"],
                                   self.arguments.cpu)
        best, shares, rates = math.inf, [], {}
        for _ in range(self.arguments.rounds):
            now = timed.ask(f"peak {self.arguments.seconds}")
            best = min(best, now["min_us"])
            shares.append(2e-3 * macs / now["peak_kflop"])
            for size, rate in self.peak.ask(0.02)["read"].items():
                rates[size] = max(rates.get(size, 0), rate)
        timed.close()
        return {"us": best, "gflops": 2e-3 * macs / best,
                "percent_of_peak": 100 * statistics.median(shares),
                "percent_of_bandwidth": 100 * bytes_ * 1e-3 / best / bandwidth(rates, bytes_)}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--group", action="append", help="gemm, skinny, gemv, conv, odd (all)")
    parser.add_argument("--option", action="append", default=[], help="for hlocc")
    parser.add_argument("--vector-bytes", type=int,
                        help="of the peak's vectors, where --option=--cpu=... has narrower ones")
    parser.add_argument("--cpu", type=int, default=0, help="the core to run on")
    parser.add_argument("--realtime", action="store_true", help="SCHED_FIFO (needs root)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.1, help="a kernel and round")
    parser.add_argument("--json", type=pathlib.Path, help="also write the rows here")
    parser.add_argument("--random", type=int, default=0, help="so many random shapes instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most-macs", type=int, default=60_000_000, help="of a random one")
    parser.add_argument("--check", action="store_true", help="compare with the interpreter")
    return parser.parse_args()


def of_bound(row):
    """Of what multiply-adds or memory would allow, whichever allows less."""
    return max(row["percent_of_peak"], row["percent_of_bandwidth"])


def print_row(row):
    name = f"{row['group']} {row['shape']}"
    print(f"{name:<44}{row['us']:>10.2f}{row['gflops']:>9.1f}{row['percent_of_peak']:>8.1f}%"
          f"{row['percent_of_bandwidth']:>13.1f}%", flush=True)


def main():
    arguments, rows, failed = parse_arguments(), [], 0
    print(f"{'kernel':<44}{'us':>10}{'GFLOP/s':>9}{'of peak':>9}{'of bandwidth':>14}")
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(arguments, pathlib.Path(name))
        drawn = random_drawn(arguments) if arguments.random else cases()
        for group, shape, text, macs, bytes_ in drawn:
            if arguments.group and group not in arguments.group:
                continue
            try:
                row = bench.measure(text(), macs, bytes_)
            except boards.Failure as failure:
                print(f"{group + ' ' + shape:<44} {failure}", flush=True)
                failed += 1
                continue
            rows.append({"group": group, "shape": shape, **row})
            print_row(rows[-1])
        bench.peak.close()
    if arguments.random:
        print("furthest below both bounds:")
        for row in sorted(rows, key=of_bound)[:arguments.random // 4]:
            print_row(row)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

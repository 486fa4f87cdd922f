"""HLO texts of small modules: products, convolutions, pooling, reductions, and convolutions with
pools behind them. Numbers are short, so that a text of millions of them is read in a second."""
import math
import random


def nested(values, dimensions):
    """Numbers in HLO's braces."""
    if not dimensions:
        return next(values)
    return "{" + ",".join(nested(values, dimensions[1:]) for _ in range(dimensions[0])) + "}"


def constant(*dimensions):
    """Short numbers: a text of millions of them must stay readable in a second."""
    made = random.Random(1)
    count = math.prod(dimensions)
    return nested(iter(made.choices(["1", "-1", ".5", "-2"], k=count)), dimensions)


def product_text(rows, inner, columns, variable=False):
    right = "parameter(1)" if variable else f"constant({constant(inner, columns)})"
    return f"""HloModule gemm
ENTRY e {{
  x = f32[{rows},{inner}] parameter(0)
  w = f32[{inner},{columns}] {right}
  ROOT y = f32[{rows},{columns}] dot(x, w), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
}}
"""


def convolution_text(rows, columns, channels, out, window, stride, depthwise):
    high, wide = -(-rows // stride), -(-columns // stride)
    pads = []
    for extent, result in ((rows, high), (columns, wide)):
        total = max(0, (result - 1) * stride + window - extent)
        pads.append(f"{total // 2}_{total - total // 2}")
    kernel = (window, window, 1 if depthwise else channels, out)
    groups = f", feature_group_count={channels}" if depthwise else ""
    strides = f" stride={stride}x{stride}" if stride > 1 else ""
    return f"""HloModule convolution
ENTRY e {{
  x = f32[1,{rows},{columns},{channels}] parameter(0)
  w = f32[{",".join(map(str, kernel))}] constant({constant(*kernel)})
  ROOT y = f32[1,{high},{wide},{out}] convolution(x, w), window={{size={window}x{window}{strides} \
pad={pads[0]}x{pads[1]}}}, dim_labels=b01f_01io->b01f{groups}
}}
"""


def module_text(result, operation, left, right, right_value, more):
    def shape(dimensions):
        return "f32[" + ",".join(map(str, dimensions)) + "]"
    return f"""HloModule kernel
ENTRY e {{
  x = {shape(left)} parameter(0)
  w = {shape(right)} {right_value}
  ROOT y = {shape(result)} {operation}(x, w), {more}
}}
"""


GREATEST = """greatest {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT m = f32[] maximum(a, b)
}
"""


def pool_text(size, channels, window, stride, pad):
    out = (size + 2 * pad - window) // stride + 1
    return f"""HloModule pool
{GREATEST}ENTRY e {{
  x = f32[1,{size},{size},{channels}] parameter(0)
  i = f32[] constant(-inf)
  ROOT y = f32[1,{out},{out},{channels}] reduce-window(x, i), window={{size=1x{window}x{window}x1 \
stride=1x{stride}x{stride}x1 pad=0_0x{pad}_{pad}x{pad}_{pad}x0_0}}, to_apply=greatest
}}
""", out * out * channels * window * window


def reduce_text(rows, columns, operation, initial):
    return f"""HloModule reduce
both {{
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT m = f32[] {operation}(a, b)
}}
ENTRY e {{
  x = f32[{rows},{columns}] parameter(0)
  i = f32[] constant({initial})
  ROOT y = f32[{rows}] reduce(x, i), dimensions={{1}}, to_apply=both
}}
""", rows * columns


def pooled_network_text(sizes, channels, features, window, pool):
    """Layers of a convolution, a bias, a clamp at zero and a pool of stride 2, over a picture of
    these sizes or a signal of one: (text, MACs)."""
    rank, last, lines, macs = len(sizes), "x", [], 0
    argument = "f32[" + ",".join(map(str, (1, *sizes, channels))) + "]"
    places = "01"[:rank]

    def times(each):
        return "x".join([str(each)] * rank)
    for n, out in enumerate(features):
        picture = "f32[" + ",".join(map(str, (1, *sizes, out))) + "]"
        kernel = (*[window] * rank, channels, out)
        macs += math.prod(sizes) * math.prod(kernel)
        sizes = [(size - pool) // 2 + 1 for size in sizes]
        result = "f32[" + ",".join(map(str, (1, *sizes, out))) + "]"
        lines.append(f"""\
  w{n} = f32[{",".join(map(str, kernel))}] constant({constant(*kernel)})
  bias{n} = f32[{out}] constant({constant(out)})
  c{n} = {picture} convolution({last}, w{n}), window={{size={times(window)} \
pad={times(f"{window // 2}_{window // 2}")}}}, dim_labels=b{places}f_{places}io->b{places}f
  spread{n} = {picture} broadcast(bias{n}), dimensions={{{rank + 1}}}
  sum{n} = {picture} add(c{n}, spread{n})
  zeros{n} = {picture} broadcast(zero), dimensions={{}}
  r{n} = {picture} maximum(sum{n}, zeros{n})
  {"ROOT " if n + 1 == len(features) else ""}p{n} = {result} reduce-window(r{n}, low), \
window={{size=1x{times(pool)}x1 stride=1x{times(2)}x1}}, to_apply=greatest""")
        channels, last = out, f"p{n}"
    body = "\n".join(lines)
    return f"""HloModule pooled
{GREATEST}ENTRY e {{
  x = {argument} parameter(0)
  zero = f32[] constant(0)
  low = f32[] constant(-inf)
{body}
}}
""", macs

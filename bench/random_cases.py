"""Random products and convolutions, of sizes and kinds that nobody listed: what kernels.py and
kernel_counts.py draw with --random. A case is (name, module text, multiply-accumulates, bytes that
must be read and written once); the text is a function, because most cases drawn are too large for
somebody.
"""
import math

import module_texts


def size(made, low, high):
    """Small sizes as often as large ones, every other one a multiple of eight."""
    drawn = round(math.exp(made.uniform(math.log(low), math.log(high + 0.5))))
    return drawn // 8 * 8 if drawn >= 8 and made.random() < 0.5 else drawn


def floats(*arrays):
    return sum(math.prod(array) for array in arrays)


def case(name, result, operation, left, right, varies, more, macs):
    def text():
        value = "parameter(1)" if varies else f"constant({module_texts.constant(*right)})"
        return module_texts.module_text(result, operation, left, right, value, more)
    name += " variable" if varies else ""
    return name, text, macs, 4 * floats(result, left, right)


def product(made):
    kind = made.choice(["x w", "x w", "x w", "x w^T", "x^T w", "x^T w^T", "few rows", "vector",
                        "batches", "q k^T"])
    rows, inner, columns = size(made, 2, 300), size(made, 8, 1024), size(made, 2, 600)
    if kind in ("batches", "q k^T"):
        count, inner = made.randint(2, 12), size(made, 8, 128)
        right = (count, inner, columns) if kind == "batches" else (count, columns, inner)
        return case(f"{kind} {count}x{rows}x{inner}x{columns}", (count, rows, columns), "dot",
                    (count, rows, inner), right, True,
                    "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
                    f"rhs_contracting_dims={{{1 if kind == 'batches' else 2}}}",
                    count * rows * inner * columns)
    rows = {"few rows": made.randint(2, 8), "vector": 1}.get(kind, rows)
    left, right = kind.startswith("x^T"), kind.endswith("w^T")
    return case(f"{kind} {rows}x{inner}x{columns}", (rows, columns), "dot",
                (inner, rows) if left else (rows, inner),
                (columns, inner) if right else (inner, columns), made.random() < 0.3,
                f"lhs_contracting_dims={{{0 if left else 1}}}, "
                f"rhs_contracting_dims={{{1 if right else 0}}}", rows * inner * columns)


def features(made, kind):
    """(input features, output features, groups)"""
    inputs = made.choice([1, 3, 4, 8, 16, 24, 32, 64, size(made, 2, 256)])
    if kind == "first":
        return made.choice([1, 2, 3, 3, 4]), made.choice([8, 16, 24, 32, 64]), 1
    if kind in ("depthwise", "multiplier"):
        return inputs, inputs * (1 if kind == "depthwise" else made.randint(2, 4)), inputs
    if kind == "groups":
        groups = made.choice([2, 3, 4, 8])
        inside, out = size(made, 2, 32), size(made, 2, 48)
        return groups * inside, groups * out, groups
    return inputs, made.choice([8, 10, 16, 32, 64, size(made, 2, 256)]), 1


def extents(made, kind, dimensions):
    """Spatial sizes, windows, strides and dilations."""
    if kind == "pointwise":
        windows = [1] * dimensions
    elif kind == "one side":
        windows = made.choice([[1, 3], [3, 1], [1, 7], [5, 1]]) if dimensions == 2 else [9]
    else:
        windows = [made.choice([3, 3, 3, 5, 2, 7])] * dimensions
    dilation = 2 if kind == "dilated" else 1
    stride = made.choice([1, 1, 2]) if kind not in ("pointwise", "dilated") else 1
    least = (max(windows) - 1) * dilation + 1
    sizes = [size(made, least, 300 if dimensions == 1 else 64) for _ in windows]
    return [max(least, each) for each in sizes], windows, stride, dilation


def window_text(made, sizes, windows, stride, dilation):
    """(the attribute, result sizes); half of them padded as far as the input's size is kept."""
    same, results, pads = made.random() < 0.7, [], []
    for extent, window in zip(sizes, windows):
        reach = (window - 1) * dilation + 1
        result = -(-extent // stride) if same else (extent - reach) // stride + 1
        total = max(0, (result - 1) * stride + reach - extent)
        results.append(result)
        pads.append(f"{total // 2}_{total - total // 2}")
    parts = ["size=" + "x".join(map(str, windows)), "pad=" + "x".join(pads)]
    parts += ["stride=" + "x".join([str(stride)] * len(sizes))] if stride > 1 else []
    parts += ["rhs_dilate=" + "x".join([str(dilation)] * len(sizes))] if dilation > 1 else []
    return f"window={{{' '.join(parts)}}}", results


def convolution(made):
    kind = made.choice(["dense", "dense", "dense", "pointwise", "one side", "dilated", "depthwise",
                        "depthwise", "multiplier", "groups", "first"])
    dimensions = made.choice([1, 2, 2, 2, 2])
    inputs, outputs, groups = features(made, kind)
    sizes, windows, stride, dilation = extents(made, kind, dimensions)
    window, results = window_text(made, sizes, windows, stride, dilation)
    images = made.choice([1, 1, 1, 1, 3])
    spatial = "01"[:dimensions]
    channels_first = made.random() < 0.35
    inside = inputs // groups
    if channels_first:
        labels = f"bf{spatial}_oi{spatial}->bf{spatial}"
        left, right = (images, inputs, *sizes), (outputs, inside, *windows)
        result = (images, outputs, *results)
    else:
        labels = f"b{spatial}f_{spatial}io->b{spatial}f"
        left, right = (images, *sizes, inputs), (*windows, inside, outputs)
        result = (images, *results, outputs)
    name = f"{kind} {'x'.join(map(str, sizes))}x{inputs} {'x'.join(map(str, windows))}"
    name += f"/{stride}" if stride > 1 else ""
    name += f" to {outputs}" if outputs != inputs or groups == 1 else ""
    name += f" {images} images" if images > 1 else ""
    name += " bf" if channels_first else ""
    macs = images * math.prod(results) * outputs * inside * math.prod(windows)
    return case(name, result, "convolution", left, right, made.random() < 0.1,
                f"{window}, dim_labels={labels}"
                + (f", feature_group_count={groups}" if groups > 1 else ""), macs)


def draw(made, count, least_macs, most_macs, most_bytes):
    """`count` cases of such sizes."""
    while count > 0:
        drawn = made.choice([product, convolution])(made)
        if least_macs <= drawn[2] <= most_macs and drawn[3] <= most_bytes:
            count -= 1
            yield drawn

"""Convolutions with weights of 8 or 4 bits and a scale a feature, each beside the same one with
floats.

Writes SHAPE_s8.snapshot.pb, SHAPE_s4.snapshot.pb and SHAPE_f32.snapshot.pb for each shape, for
boards.py:

    python3 bench/small_filters.py --hlocc build/hlocc -o FOLDER
    python3 bench/boards.py --hlocc build/hlocc --target cortex-m4f FOLDER/*.snapshot.pb
"""
import argparse
import json
import math
import pathlib
import random
import subprocess

import module_texts
import recurrent

# Sizes of the input's picture, inputs, outputs; of the window, its stride; groups.
SHAPES = {
    "pointwise": ((16, 16), 32, 64, (1, 1), 1, 1),
    "dense": ((16, 16), 32, 64, (3, 3), 1, 1),
    "strided": ((16, 16), 32, 64, (3, 3), 2, 1),
    "small": ((8, 8), 32, 64, (3, 3), 1, 1),
    "depthwise": ((16, 16), 64, 64, (3, 3), 1, 64),
    "line": ((64,), 32, 64, (5,), 1, 1),
}


def text_of(name, kind):
    extents, inputs, outputs, window, stride, groups = SHAPES[name]
    made = random.Random(5)
    out = [-(-extent // stride) for extent in extents]
    low = [max(0, (o - 1) * stride + w - e) // 2 for e, o, w in zip(extents, out, window)]
    high = [max(0, (o - 1) * stride + w - e) - at
            for e, o, w, at in zip(extents, out, window, low)]
    filter_sizes = (*window, inputs // groups, outputs)
    sizes = ",".join(map(str, filter_sizes))
    letters = "01"[:len(window)]
    most = 7 if kind == "s4" else 127
    count = math.prod(filter_sizes)
    if kind == "f32":
        numbers = (f"{made.uniform(-1, 1):.7g}" for _ in range(count))
        weights = f"  w = f32[{sizes}] constant({module_texts.nested(numbers, filter_sizes)})"
    else:
        numbers = (str(made.randint(-most, most)) for _ in range(count))
        scales = (f"{made.uniform(.5, 1) / most:.7g}" for _ in range(outputs))
        weights = f"""  q = {kind}[{sizes}] constant({module_texts.nested(numbers, filter_sizes)})
  s = f32[{outputs}] constant({module_texts.nested(scales, (outputs,))})
  f = f32[{sizes}] convert(q)
  b = f32[{sizes}] broadcast(s), dimensions={{{len(window) + 1}}}
  w = f32[{sizes}] multiply(f, b)"""
    pads = "x".join(f"{a}_{b}" for a, b in zip(low, high))
    steps = "x".join([str(stride)] * len(window))
    labels = f"b{letters}f_{letters}io->b{letters}f"
    return f"""HloModule {name}
ENTRY e {{
  x = f32[1,{",".join(map(str, extents))},{inputs}] parameter(0)
{weights}
  ROOT y = f32[1,{",".join(map(str, out))},{outputs}] convolution(x, w), \
window={{size={"x".join(map(str, window))} stride={steps} pad={pads}}}, dim_labels={labels}, \
feature_group_count={groups}
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--hlocc", default="build/hlocc")
    parser.add_argument("-o", dest="folder", type=pathlib.Path, required=True)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name, (extents, inputs, *_) in SHAPES.items():
        for kind in ("f32", "s8", "s4"):
            stem = given.folder / f"{name}_{kind}"
            text, argument = stem.with_suffix(".hlo"), stem.with_suffix(".npy")
            text.write_text(text_of(name, kind), encoding="utf-8")
            recurrent.write_argument(argument, random.Random(3), "f32", (1, *extents, inputs))
            subprocess.run([given.hlocc, "snapshot", text, "--input", f"x={argument}", "-o",
                            f"{stem}.snapshot.pb"], check=True)
            stem.with_suffix(".json").write_text(
                json.dumps({"results": [{"tolerance": {"rtol": 1e-5, "atol": 1e-5}}]}),
                encoding="utf-8")


if __name__ == "__main__":
    main()

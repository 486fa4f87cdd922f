"""How compile time grows: modules of large_modules.py, stage by stage.

    python3 bench/compile_time.py --hlocc build/hlocc --target cortex-m4f [--kind convnet]... \
        [--n 2500,5000,10000] [--inspect] [--option=-Os]... [--json FILE]

prints, for each kind, the processor seconds of every stage (as `--time-report` gives them) against
the number of instructions, and its slope: the exponent e of the power law seconds ~ n^e through the
last and the first size. 1 is linear; n log n has 1.1 at these sizes; a stage under a hundredth of a
second has no slope. `weights` counts megabytes instead.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ["chain", "wide", "scan", "constants", "mixed", "convnet", "mixer"]


def make(kind, n, folder):
    path = folder / f"{kind}_{n}.hlo"
    subprocess.run([sys.executable, HERE / "large_modules.py", kind,
                    str(n), "-o", path],
                   check=True)
    return path


def instructions_of(path, kind, n):
    if kind.endswith("weights"):
        return n
    with open(path, encoding="utf-8") as file:
        return sum(" = " in line for line in file)


def measure(arguments):
    """Rows of the report as {stage: cpu seconds}, with `total`, `wall` and `mb`."""
    ran = subprocess.run([*map(str, arguments), "--time-report"],
                         capture_output=True,
                         text=True,
                         check=False)
    if ran.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {ran.stderr.strip()}")
    found, wall = {}, 0
    for line in ran.stderr.splitlines():
        words = line.rsplit(None, 2)
        if line.startswith("peak memory: "):
            numbers = [int(word) for word in line.split() if word.isdigit()]
            found["mb"] = max(numbers)
        elif len(words) == 3 and words[1].replace(".", "", 1).isdigit():
            found[words[0].strip()] = float(words[1])
            wall = float(words[2])
    found["wall"] = wall
    return found


def slope(sizes, seconds):
    if len(sizes) < 2 or seconds[-1] < 0.01:
        return None
    return math.log(seconds[-1] / max(seconds[0], 0.001)) / math.log(sizes[-1] / sizes[0])


def print_table(kind, sizes, rows):
    print(f"\n{kind:28}" + "".join(f"{size:>9}" for size in sizes) + "    slope")
    stages = list(dict.fromkeys(stage for row in rows for stage in row))
    for stage in [*(s for s in stages if s not in ("total", "wall", "mb")), "total", "wall", "mb"]:
        seconds = [row.get(stage, 0) for row in rows]
        if max(seconds) < 0.005:
            continue
        exponent = slope(sizes, seconds)
        shown = "" if exponent is None else f"{exponent:9.2f}"
        width = "9.0f" if stage == "mb" else "9.3f"
        print(f"{stage:28}" + "".join(format(value, width) for value in seconds) + shown)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hlocc", default="build/hlocc")
    parser.add_argument("--target", default="cortex-m4f")
    parser.add_argument("--kind", action="append", choices=[*KINDS, "weights", "folded_weights"])
    parser.add_argument("--n", default="2500,5000,10000")
    parser.add_argument("--inspect",
                        action="store_true",
                        help="`hlocc inspect`: without code generation")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--json")
    given = parser.parse_args()
    kept = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for kind in given.kind or KINDS:
            sizes, rows = [], []
            for n in map(int, given.n.split(",")):
                path = make(kind, n, folder)
                verb = ["inspect"] if given.inspect else ["compile", "-o", folder / "out"]
                rows.append(
                    measure([given.hlocc, *verb, path, "--target", given.target, *given.option]))
                sizes.append(instructions_of(path, kind, n))
                os.remove(path)
            print_table(kind, sizes, rows)
            kept[kind] = {"sizes": sizes, "rows": rows}
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(kept, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()

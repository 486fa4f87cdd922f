"""kernel_counts.py: single kernels on a chip, in instructions a multiply-accumulate.

Compiles one-op modules (the shapes of kernels.py that are small enough for a microcontroller,
pooling and reductions, or random products and convolutions) and small networks of convolutions with
pools behind them (`--only pooled`) for each target, counts their instructions in QEMU, and prints,
beside them, how often a multiply-accumulate's cost they are of the best shape of that run: the last
column shows the shapes that a schedule serves badly.

    python3 bench/kernel_counts.py --hlocc build/hlocc --target cortex-m4f --random 20 --seed 1
"""
import argparse
import pathlib
import random
import sys
import tempfile

import boards
import kernels
import random_cases
from module_texts import pool_text, pooled_network_text, reduce_text

MOST_BYTES = 1 << 20
# Picture or signal, channels, features of the layers, window of their convolutions and of the
# pools.
POOLED_NETWORKS = [((28, 28), 1, (6, 16), 5, 2), ((32, 32), 3, (16, 32), 5, 3),
                   ((32, 32), 3, (16, 32, 64), 3, 2), ((128,), 9, (32, 64), 5, 2),
                   ((2000,), 1, (16, 32, 32), 9, 3)]


def reductions():
    """Pooling and reductions: a tap or an element counts as a multiply-accumulate."""
    for shape in ((24, 32, 2, 2, 0), (24, 16, 3, 2, 1)):
        text, taps = pool_text(*shape)
        yield "pool {}x{} {}x{}/{}".format(*shape[:2], shape[2], *shape[2:4]), text, taps
    for operation, initial in (("add", "0"), ("maximum", "-inf")):
        text, elements = reduce_text(16, 256, operation, initial)
        yield f"reduce 16x256 {operation}", text, elements
    for sizes, channels, features, window, pool in POOLED_NETWORKS:
        text, macs = pooled_network_text(sizes, channels, features, window, pool)
        name = "x".join(map(str, (*sizes, channels)))
        yield f"pooled {name} {len(features)} layers {window}/{pool}", text, macs


def chosen_cases(arguments):
    if arguments.random:
        made = random.Random(arguments.seed)
        for name, text, macs, _ in random_cases.draw(made, arguments.random, 500,
                                                     arguments.most_macs, MOST_BYTES):
            yield name, text, macs
        return
    for group, name, text, macs, bytes_ in kernels.cases():
        if macs <= arguments.most_macs and bytes_ <= MOST_BYTES:
            yield f"{group} {name}", text, macs
    for name, text, taps in reductions():
        yield name, lambda text=text: text, taps


def measure(hlocc, text, target, options, folder):
    model = folder / "model.hlo"
    model.write_text(text, encoding="utf-8")
    manifest = boards.compile_model(hlocc, model, target, options, folder)
    zeros = bytes(sum(leaf["bytes"] for leaf in manifest["arguments"]))
    count, _ = boards.count_instructions(target, manifest, folder, zeros)
    return count, manifest["code_bytes"], manifest["arena_bytes"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--target", action="append", help="a preset; repeatable (cortex-m4f)")
    parser.add_argument("--option", action="append", default=[], help="for hlocc")
    parser.add_argument("--only", default="", help="cases whose names begin so")
    parser.add_argument("--random", type=int, default=0, help="so many random shapes instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most-macs", type=int, default=3_000_000)
    return parser.parse_args()


def main():
    arguments, failed = parse_arguments(), 0
    cases = [case for case in chosen_cases(arguments) if case[0].startswith(arguments.only)]
    for target in arguments.target or ["cortex-m4f"]:
        rows = []
        for name, text, macs in cases:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    measured = measure(arguments.hlocc.resolve(), text(), target,
                                       arguments.option, pathlib.Path(folder))
                except boards.Failure as failure:
                    print(f"{target} {name}: {failure}", flush=True)
                    failed += 1
                    continue
            rows.append((measured[0] / macs, *measured, name, macs))
        best = min((row[0] for row in rows), default=1)
        print(
            f"{target:<34}{'MACs':>10}{'insns':>11}{'code':>7}{'arena':>8}{'a MAC':>8}{'of best':>9}"
        )
        for each, count, code, arena, name, macs in sorted(rows, reverse=True):
            print(f"{name:<34}{macs:>10}{count:>11}{code:>7}{arena:>8}{each:>8.3f}"
                  f"{each / best:>9.2f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

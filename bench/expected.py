"""expected.py: how well the expected cycles of `hlocc analyze` order kernels.

For a board each model runs in QEMU, every address is counted, and llvm-mca says with the chip's
scheduling model what a turn of each innermost loop takes (mca.py); what is executed outside of
those loops counts at their mean cycles an instruction. That gives cycles for each kernel, beside
which stand those that costs/ expected. One line a target: kernels, Spearman's rank correlation over
all of them, the median of measured / expected, and the decile that is furthest off. `--list` prints
every kernel.

    python3 bench/expected.py --hlocc build/hlocc --target cortex-m4f --target cortex-m7 \
        MODEL.snapshot.pb...
"""
import argparse
import collections
import json
import math
import pathlib
import sys
import tempfile

import boards
import hotspots
import mca


def measured_cycles(program, counts, target, folder, by_instructions):
    """kernel -> cycles of one inference; by instructions, each counts as one."""
    instructions = mca.disassemble(program, target)
    executed = collections.Counter()
    for instruction in instructions:
        if instruction.function.startswith(hotspots.PREFIX):
            executed[instruction.function] += counts.get(instruction.address, 0)
    inside, cycles = collections.Counter(), collections.Counter()
    if by_instructions:
        return {
            name.removeprefix(hotspots.PREFIX): often
            for name, often in executed.items()
            if often
        }
    total = sum(executed.values())
    for first, last in mca.innermost_loops(instructions):
        body = instructions[first:last + 1]
        name, often = body[0].function, sum(counts.get(i.address, 0) for i in body)
        if name not in executed or often < 0.0005 * total:
            continue
        inside[name] += often
        cycles[name] += mca.cycles_a_turn(body, target, folder) * often / len(body)
    mean = sum(cycles.values()) / max(1, sum(inside.values()))
    return {name.removeprefix(hotspots.PREFIX): cycles[name] + mean * (often - inside[name])
            for name, often in executed.items() if often}


def expected_cycles(hlocc, model, name, options):
    """kernel -> cycles, those in loops left out: how often they run is not known before."""
    found = json.loads(
        boards.must("analyze",
                    boards.call([hlocc, "analyze", model, "--json", "--target", name, *options])))
    out, looping = collections.Counter(), set()
    for layer in found["targets"][0]["layers"]:
        out[layer["kernel"]] += layer["expected_cycles"]
        if layer["in_loop"]:
            looping.add(layer["kernel"])
    return {kernel: cycles for kernel, cycles in out.items() if kernel not in looping}


def ranks(values):
    """Places in order; equals share the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    out, at = [0.0] * len(values), 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for place in order[at:end]:
            out[place] = (at + end - 1) / 2
        at = end
    return out


def rank_correlation(a, b):
    """Spearman's; 0 for fewer than two, or where all are alike."""
    x, y = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    above = sum((i - mean) * (j - mean) for i, j in zip(x, y))
    below = math.sqrt(sum((i - mean) ** 2 for i in x) * sum((j - mean) ** 2 for j in y))
    return above / below if below else 0.0


def pairs_of(hlocc, model, name, options, by_instructions=False):
    """(model, kernel, measured, expected) of each kernel."""
    target = mca.target_row(hlocc, name, "", "")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        program, counts = mca.build(hlocc, model, target, options, folder)
        measured = measured_cycles(program, counts, target, folder, by_instructions)
    expected = expected_cycles(hlocc, model, name, options)
    return [(model.name.split(".")[0], kernel, measured[kernel], expected[kernel])
            for kernel in expected if kernel in measured]


def print_pairs(name, pairs, everything):
    """The line of a target, below every kernel's if asked for."""
    if everything:
        for model, kernel, measured, expected in sorted(pairs, key=lambda row: row[2]):
            print(
                f"{model:<22} {kernel:<34} {measured:>12.0f} {expected:>12.0f} "
                f"{measured / max(1, expected):>6.2f}"
            )
    ratios = sorted(measured / max(1, expected) for _, _, measured, expected in pairs)
    print(
        f"{name}: {len(pairs)} kernels, rank correlation "
        f"{rank_correlation([p[2] for p in pairs], [p[3] for p in pairs]):.3f}, "
        f"measured / expected: median {ratios[len(ratios) // 2]:.2f}, "
        f"from {ratios[len(ratios) // 10]:.2f} to {ratios[9 * len(ratios) // 10]:.2f} (deciles)",
        flush=True)


def print_models(name, models, everything, measure):
    """The lines of a target or core over models, by measure(model); gives how many failed."""
    pairs, failed = [], 0
    for model in models:
        try:
            pairs += measure(model.resolve())
        except boards.Failure as failure:
            print(f"{model.name} on {name}: {failure}", flush=True)
            failed += 1
    if pairs:
        print_pairs(name, pairs, everything)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path, help="NAME.snapshot.pb")
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--target", action="append", help="a preset with a board; repeatable")
    parser.add_argument("--option", action="append", default=[], help="for hlocc: --option=-Os")
    parser.add_argument("--instructions", action="store_true",
                        help="count instructions instead: for cores that llvm-mca has no model of")
    parser.add_argument("--list", action="store_true", help="every kernel")
    arguments = parser.parse_args()
    failed = 0
    for name in arguments.target or ["cortex-m4f"]:
        failed += print_models(name, arguments.models, arguments.list, lambda model: pairs_of(
            arguments.hlocc.resolve(), model, name, arguments.option, arguments.instructions))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

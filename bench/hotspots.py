"""hotspots.py: where a compiled model spends its instructions (boards) or its time (host).

For a board the program runs in QEMU and every executed instruction is counted; for `host` it runs
here and a timer samples it. One table a model and target: kernel, launches, instructions or
microseconds of one inference, share, bytes of code, multiply-accumulates a launch set is worth, and
how many of them each instruction makes (boards) or the rate in GFLOP/s (host).

    python3 bench/hotspots.py --hlocc build/hlocc --target cortex-m4f MODEL.snapshot.pb
"""
import argparse
import bisect
import pathlib
import re
import sys
import tempfile

import boards
import host_program
import launches
import snapshot

PREFIX = "bench_k_"


# Beside the library, what kernel_facts reads.
WITH_TEXT = ["--emit", "lib,header,kernel,hlo"]


def kernel_facts(folder, trips):
    """kernel -> launches, MACs and a note on its shape."""
    hlo = (folder / "bench.hlo.txt").read_text(encoding="utf-8")
    rows = launches.read_launches((folder / "bench.kernel.txt").read_text(encoding="utf-8"), hlo,
                                  trips)
    instructions = launches.read_instructions(hlo)
    for row in rows.values():
        row["note"] = launches.shape_note(row, instructions)
    return rows


def sizes_of(nm, library):
    """symbol -> bytes"""
    sizes = {}
    for line in boards.must("nm", boards.call([nm, "-S", library])).splitlines():
        part = line.split()
        if len(part) == 4 and part[2] in "tTwW":
            sizes[part[3]] = int(part[1], 16)
    return sizes


def on_board(hlocc, model, target, options, folder):
    """(instructions, symbol -> instructions)"""
    arguments, _ = snapshot.read_snapshot(model)
    manifest = boards.compile_model(hlocc, model, target, [*WITH_TEXT, *options], folder)
    whole, printed = boards.count_instructions(
        target, manifest, folder, boards.argument_bytes(arguments, target), "--profile")
    counts = {name: int(count) for count, name in
              re.findall(r"^ *(\d+) +[\d.]+% (\S+)$", printed, re.MULTILINE)}
    return whole, counts


def on_host(hlocc, model, options, folder, arguments):
    """(microseconds of the fastest call, symbol -> microseconds by share of samples)"""
    program, _ = host_program.build(hlocc, model, [*WITH_TEXT, *options], folder)
    prefix = ["chrt", "-f", "1"] if arguments.realtime else []
    timed = host_program.Timed([*prefix, program, folder / "in", folder / "out",
                                folder / "profile"], arguments.cpu)
    whole = timed.ask(f"profile {arguments.seconds}")["min_us"]
    timed.close()
    symbols = []
    for line in boards.must("nm", boards.call(["nm", "-n", program])).splitlines():
        match = re.match(r"([0-9a-f]+) [tTwW] (\S+)$", line)
        if match:
            symbols.append((int(match.group(1), 16), match.group(2)))
    starts, samples = [address for address, _ in symbols], {}
    for line in (folder / "profile").read_text(encoding="ascii").splitlines():
        address, count = line.split()
        at = bisect.bisect_right(starts, int(address, 16)) - 1
        inside = at >= 0 and int(address, 16) < 1 << 40
        name = symbols[at][1] if inside else "?"
        samples[name] = samples.get(name, 0) + int(count)
    total = sum(samples.values())
    return whole, {name: whole * count / total for name, count in samples.items()}


def print_table(title, whole, costs, facts, sizes, host):
    unit = "us" if host else "instructions"
    rate = "GFLOP/s" if host else "MAC/instr"
    print(f"\n{title}: {whole:.2f} us" if host else f"\n{title}: {whole} instructions")
    print(f"{'kernel':<26} {'launches':>8} {unit:>12} {'share':>6} {'code':>6} {'MACs':>10} "
          f"{rate:>9}  what")
    for name, cost in sorted(costs.items(), key=lambda item: -item[1]):
        if cost < 0.001 * whole:
            continue
        short = name.removeprefix(PREFIX)
        row = facts.get(short, {"launches": "", "macs": 0, "note": ""})
        per = f"{row['macs'] / cost * (2e-3 if host else 1):.3f}" if row["macs"] else "-"
        shown = f"{cost:.2f}" if host else str(cost)
        print(f"{short:<26} {row['launches']!s:>8} {shown:>12} {100 * cost / whole:5.1f}% "
              f"{sizes.get(name, 0):>6} {row['macs']:>10} {per:>9}  {row['note']}")
    sys.stdout.flush()


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path, help="NAME.snapshot.pb")
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--target", action="append", help="a preset or host; repeatable (host)")
    parser.add_argument("--option", action="append", default=[], help="for hlocc: --option=-Os")
    parser.add_argument("--trips", type=int, default=1, help="turns of the model's while loops")
    parser.add_argument("--cpu", type=int, help="host: the core to run on")
    parser.add_argument("--realtime", action="store_true",
                        help="host: SCHED_FIFO (needs root), for a busy machine")
    parser.add_argument("--seconds", type=float, default=1.0, help="host: time to sample")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    failed = 0
    for model in arguments.models:
        for target in arguments.target or ["host"]:
            title = f"{model.name.split('.')[0]} on {target}"
            with tempfile.TemporaryDirectory() as name:
                folder, host = pathlib.Path(name), target == "host"
                try:
                    if host:
                        whole, costs = on_host(arguments.hlocc.resolve(), model.resolve(),
                                               arguments.option, folder, arguments)
                        nm = "nm"
                    else:
                        whole, costs = on_board(arguments.hlocc.resolve(), model.resolve(), target,
                                                arguments.option, folder)
                        nm = "llvm-nm-19"
                    print_table(title, whole, costs, kernel_facts(folder, arguments.trips),
                                sizes_of(nm, folder / "libbench.a"), host)
                except boards.Failure as failure:
                    print(f"\n{title}: {failure}")
                    failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

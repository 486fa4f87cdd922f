"""mca.py: cycles that llvm-mca expects of a model's hot loops, beside the instructions counted.

For a board: the program runs in QEMU and every address is counted; the innermost loops are cut out
of the disassembly and given to llvm-mca with the chip's scheduling model. For `host` (with --cpu
for a chip that is not here, one with AVX-512 say) nothing runs: loops are listed with their cycles
a turn. llvm-mca knows no caches, no branch misses and no wait states of flash: cycles are a lower
bound, good for comparing two shapes of one loop.

    python3 bench/mca.py --hlocc build/hlocc --target cortex-m4f MODEL.snapshot.pb
"""
import argparse
import collections
import json
import pathlib
import re
import sys
import tempfile

import boards
import hotspots
import snapshot

LINE = re.compile(r"^\s*([0-9a-f]+):\s+(\S.*)$")
SYMBOL = re.compile(r"^([0-9a-f]+) <(\S+)>:$")
TARGET = re.compile(r"(?:0x)?([0-9a-f]+) <\S+?>")
# A multiply-add, or the multiply of a pair where the chip is faster with two instructions.
MULTIPLIES = re.compile(r"^(v?fn?ml[as]|v?fn?m(add|sub)|v?fm[as]|v?f?mul|vml[as])")
TURNS = 200

Instruction = collections.namedtuple("Instruction", "address text function")


def disassemble(program, target):
    """The instructions of a file in order; `target` is a row of `hlocc targets --json`."""
    listing = boards.must("objdump", boards.call(
        ["llvm-objdump-19", "-d", "--no-show-raw-insn", f"--mcpu={target['cpu']}",
         f"--mattr={target['features']}", program]))
    found, function = [], "?"
    for line in listing.splitlines():
        symbol, match = SYMBOL.match(line), LINE.match(line)
        if symbol:
            function = symbol.group(2)
        elif match:
            text = re.split(r"\s+(?:@|//|;|#(?= imm| 0x[0-9a-f]+ <))", match.group(2))[0]
            found.append(Instruction(int(match.group(1), 16), " ".join(text.split()), function))
    return found


def branch_target(instruction):
    """The address that a branch goes to; calls don't count."""
    name = instruction.text.split(" ")[0]
    if not re.match(r"(b|cb|tb|le|j[a-z]|loop|wls)", name) or re.match(r"(bl$|blx|bic|bf|bti|jal)",
                                                                      name):
        return None
    match = TARGET.search(instruction.text)
    return int(match.group(1), 16) if match else None


def innermost_loops(instructions):
    """[(first, last)]: places in the list, from the target of a backward branch to the branch."""
    place = {(i.function, i.address): at for at, i in enumerate(instructions)}
    loops = {}
    for at, instruction in enumerate(instructions):
        address = branch_target(instruction)
        first = place.get((instruction.function, address))
        if first is not None and first <= at:
            loops[first] = max(at, loops.get(first, at))
    return [(first, last) for first, last in loops.items()
            if not any(first <= other and end <= last and (other, end) != (first, last)
                       for other, end in loops.items())]


def as_assembly(body):
    """Without addresses: branches go to one label."""
    # What lies between is a pool of constants.
    return ".Lloop:\n" + "\n".join(TARGET.sub(".Lloop", i.text) for i in body
                                   if ".word" not in i.text and i.text[0] != "<") + "\n"


def cycles_a_turn(body, target, folder):
    source = folder / "loop.s"
    source.write_text(as_assembly(body), encoding="utf-8")
    done = boards.call(["llvm-mca-19", f"-mtriple={target['triple']}", f"-mcpu={target['cpu']}",
                        f"-mattr={target['features']}", f"-iterations={TURNS}",
                        # Low-overhead branches have no model, and no cost.
                        "-skip-unsupported-instructions=lack-sched", "-resource-pressure=false",
                        "-instruction-info=false", source])
    match = re.search(r"Total Cycles:\s+(\d+)", done.stdout)
    if not match:
        lines = (done.stderr or "no answer").strip().splitlines()
        raise boards.Failure(f"llvm-mca: {lines[0][:90]}")
    return int(match.group(1)) / TURNS


def build(hlocc, model, target, options, folder):
    """(file to disassemble, address -> executions or None)"""
    name = target["name"]
    manifest = boards.compile_model(hlocc, model, name, [*hotspots.WITH_TEXT, *options], folder)
    if name == "host":
        return folder / "libbench.a", None
    arguments, _ = snapshot.read_snapshot(model)
    boards.count_instructions(name, manifest, folder, boards.argument_bytes(arguments, name),
                              "--addresses", folder / "counts")
    lines = (folder / "counts").read_text(encoding="ascii").splitlines()
    return folder / "bench.elf", {int(address, 16): int(count) for address, count in
                     (line.split() for line in lines)}


def print_loops(title, instructions, counts, target, folder):
    total = sum(counts.values()) if counts else None
    rows = []
    for first, last in innermost_loops(instructions):
        body = instructions[first:last + 1]
        executed = sum(counts.get(i.address, 0) for i in body) if counts else 0
        if counts and executed < 0.005 * total or not counts and len(body) < 8:
            continue
        rows.append((executed, body, cycles_a_turn(body, target, folder)))
    rows.sort(key=lambda row: -row[0])
    print(f"\n{title}")
    print(f"{'loop in':<26} {'instr':>6} {'mul':>5} {'cycles':>7} {'mul/cycle':>10}"
          + (f" {'executed':>11} {'share':>6} {'cycles':>12}" if counts else ""))
    inside = cycles = 0
    for executed, body, turn in rows:
        multiplies = sum(bool(MULTIPLIES.match(i.text)) for i in body)
        line = (f"{body[0].function.removeprefix(hotspots.PREFIX):<26} {len(body):>6} "
                f"{multiplies:>5} {turn:>7.1f} {multiplies / turn:>10.2f}")
        if counts:
            all_turns = turn * executed / len(body)
            inside, cycles = inside + executed, cycles + all_turns
            line += f" {executed:>11} {100 * executed / total:5.1f}% {all_turns:>12.0f}"
        print(line)
    if counts and inside:
        print(f"{total} instructions, {100 * inside / total:.1f} % of them in these loops, "
              f"{cycles / inside:.2f} cycles an instruction there, about "
              f"{cycles * total / inside / 1e6:.2f} M cycles in all")
    sys.stdout.flush()


def target_row(hlocc, name, cpu, features):
    row = json.loads(boards.must("targets", boards.call([hlocc, "targets", name, "--json"])))
    row["cpu"], row["features"] = cpu or row["cpu"], features if cpu else row["features"]
    return row


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path, help="NAME.snapshot.pb")
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--target", action="append", help="a preset or host; repeatable")
    parser.add_argument("--cpu", default="", help="host: another processor, sapphirerapids say")
    parser.add_argument("--option", action="append", default=[], help="for hlocc: --option=-Os")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    hlocc, failed = arguments.hlocc.resolve(), 0
    options = arguments.option + (["--cpu", arguments.cpu] if arguments.cpu else [])
    for model in arguments.models:
        for name in arguments.target or ["cortex-m4f"]:
            title = f"{model.name.split('.')[0]} on {name}"
            with tempfile.TemporaryDirectory() as temporary:
                folder = pathlib.Path(temporary)
                try:
                    target = target_row(hlocc, name, arguments.cpu, "")
                    program, counts = build(hlocc, model.resolve(), target, options, folder)
                    print_loops(title, disassemble(program, target), counts, target, folder)
                except boards.Failure as failure:
                    print(f"\n{title}: {failure}")
                    failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

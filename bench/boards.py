"""boards.py: what a model costs on a chip, measured by running it in QEMU.

Each model (an HloSnapshot) is compiled for each target, linked with a counting main, run with the
snapshot's arguments, compared with its expected result, and counted instruction by instruction.
Instructions are exact and repeatable; cycles are not known here. The stack that was touched must
not exceed what the manifest says. Prints one table row a run:

    python3 bench/boards.py --hlocc build/hlocc --target cortex-m4f tests/data/models/*.pb
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import snapshot

ROOT = pathlib.Path(__file__).resolve().parent.parent
BOARDS = ROOT / "toolchains" / "boards"
BIG_ENDIAN = {"s390x-linux", "mips-linux"}
# What painting counts of the frames around run itself.
PAINT_SLACK = 64

# Reads all arguments from the file argv[1], one after the other, runs, writes all results to
# argv[2].
MAIN = """#include "board.h"
#include "bench.h"

static uint8_t arena[BENCH_ARENA_BYTES] BOARD_BULK __attribute__((aligned(BENCH_ARENA_ALIGN)));
static bench_t model;

int main(int argc, char **argv) {{
  if (argc != 3 || bench_init(&model, arena) != 0) return 2;
  const int in = board_file_open_read(argv[1]);
{reads}
  board_file_close(in);
  board_stack_paint();
  board_measure_begin();
  const int status = bench_run(&model);
  board_measure_end();
  const uint32_t stack = board_stack_used();
  const int out = board_file_open_write(argv[2]);
{writes}
  board_file_close(out);
  board_print("stack ");
  board_print_u32(stack);
  board_print("\\n");
  return status;
}}
"""


def call(command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          check=False, **options)


class Failure(Exception):
    """A step that did not work, in words for the table."""


def must(what, done):
    if done.returncode != 0:
        lines = (done.stderr + done.stdout).strip().splitlines()
        raise Failure(f"{what}: {lines[-1][:90] if lines else done.returncode}")
    return done.stdout


def write_main(folder, manifest):
    """A leaf is read and written through void*, so that its element type does not matter here."""
    def line(function, file, kind, leaf):
        data = f"bench_{kind}{leaf['index']}_data(&model)"
        return f"  board_file_{function}({file}, (void *){data}, {leaf['bytes']});"
    reads = [line("read", "in", "arg", leaf) for leaf in manifest["arguments"]]
    writes = [line("write", "out", "result", leaf) for leaf in manifest["results"]]
    main = folder / "main.c"
    main.write_text(MAIN.format(reads="\n".join(reads), writes="\n".join(writes)), encoding="utf-8")
    return main


def worst_error(got, expected, rules):
    """(largest absolute error, whether every leaf keeps its rule, as rules_of gives them)."""
    worst, right, at = 0.0, True, 0
    for leaf, rule in zip(expected, rules):
        name, dimensions, content = leaf
        mine = (name, dimensions, got[at:at + len(content)])
        at += len(content)
        if mine[2] == content:
            continue
        if name not in ("f32", "f64"):
            right = False
            continue
        for g, e in zip(snapshot.floats(mine), snapshot.floats(leaf)):
            worst = max(worst, abs(g - e))
            rtol = max(rule.get("rtol", 0), rule.get("ulp", 0) * 2.0**-23)
            limit = rule.get("atol", 0) + rtol * abs(e)
            right = right and (abs(g - e) <= limit or g == e)
    return worst, right


def default_rules(model, expected, hlocc):
    """What `hlocc verify` holds floats against that no rule was given for: docs/numerics.md."""
    inspected = must("inspect", call([hlocc, "inspect", model, "--json"]))
    terms = json.loads(inspected)["longest_accumulation"]
    for leaf in expected:
        epsilon = {"f32": 2.0**-23, "f64": 2.0**-52}.get(leaf[0])
        if epsilon is None:
            yield {}
            continue
        largest = max((abs(e) for e in snapshot.floats(leaf) if math.isfinite(e)), default=0)
        yield {"rtol": 1e-5, "atol": 0.5 * math.sqrt(terms) * epsilon * largest if terms > 1 else 0}


def rules_of(model, expected, hlocc):
    """A rule for each leaf of the results: that beside the model, or the default."""
    path = model.with_name(model.name.split(".")[0] + ".json")
    results = json.loads(path.read_text(encoding="utf-8"))["results"] if path.exists() else []
    rules = [result.get("tolerance") for result in results] + [None] * len(expected)
    if None not in rules[:len(expected)]:
        return rules[:len(expected)]
    defaults = default_rules(model, expected, hlocc)
    return [rule or default for rule, default in zip(rules, defaults)]


def compile_model(hlocc, model, target, options, folder):
    """Leaves libbench.a, bench.h and bench.json in the folder, and gives the manifest."""
    must("compile", call([hlocc, "compile", model, "-o", folder, "--name", "Bench", "--target",
                          target, *options]))
    return json.loads((folder / "bench.json").read_text(encoding="utf-8"))


def count_instructions(target, manifest, folder, content, *flags):
    """(instructions of run, what else was printed). Links what compile_model left to bench.elf and
    runs it under the counter on the arguments' bytes; the results are in the file out."""
    program = folder / "bench.elf"
    must("link", call([BOARDS / "link_firmware.sh", target, program, write_main(folder, manifest),
                       "-I", folder, folder / "libbench.a"]))
    (folder / "in").write_bytes(content)
    printed = must("run", call([ROOT / "bench" / "count" / "count.sh", *flags, target, program,
                                folder / "in", folder / "out"]))
    return int(re.search(r"insns (\d+)", printed).group(1)), printed


def argument_bytes(arguments, target):
    return b"".join(snapshot.swapped(leaf) if target in BIG_ENDIAN else leaf[2]
                    for leaf in arguments)


def measure(hlocc, model, target, options, folder):
    """One row: a dict of what was measured."""
    arguments, expected = snapshot.read_snapshot(model)
    begin = time.monotonic()
    manifest = compile_model(hlocc, model, target, options, folder)
    seconds = time.monotonic() - begin
    count, printed = count_instructions(target, manifest, folder, argument_bytes(arguments, target))
    got = (folder / "out").read_bytes()
    if target in BIG_ENDIAN:
        got = swap_results(got, expected)
    error, right = worst_error(got, expected, rules_of(model, expected, hlocc))
    row = {key: manifest[key] for key in ("arena_bytes", "weights_bytes", "code_bytes",
                                          "stack_bytes")}
    row["instructions"] = count
    row["painted_bytes"] = int(re.search(r"stack (\d+)", printed).group(1))
    row["stack_holds"] = row["painted_bytes"] <= row["stack_bytes"] + PAINT_SLACK
    row["error"], row["right"], row["compile_seconds"] = error, right, round(seconds, 3)
    return row


def swap_results(got, expected):
    parts, at = [], 0
    for name, dimensions, content in expected:
        parts.append(snapshot.swapped((name, dimensions, got[at:at + len(content)])))
        at += len(content)
    return b"".join(parts)


def read_peers():
    """(model, preset) -> (peer, instructions): the best hand-written library or generator
    measured."""
    peers = {}
    lines = (ROOT / "bench" / "peers.csv").read_text(encoding="utf-8").splitlines()[1:]
    for line in lines:
        model, preset, peer, millions = line.split(",")
        peers[model, preset] = peer, float(millions) * 1e6
    return peers


COLUMNS = "model target instructions best_peer ratio arena weights code stack painted compile result"


def print_row(cells):
    widths = (22, 15, 13, 13, 6, 9, 9, 8, 6, 7, 8, 0)
    print(" ".join(f"{cell:<{w}}" if i in (0, 1, 11) else f"{cell:>{w}}"
                   for i, (cell, w) in enumerate(zip(cells, widths))), flush=True)


def cells_of(name, target, row, peers):
    peer = peers.get((name, target))
    ratio = f"{row['instructions'] / peer[1]:.2f}" if peer else "-"
    verdict = "right" if row["right"] else f"WRONG, off by {row['error']:.3g}"
    if not row["stack_holds"]:
        verdict += ", MORE STACK than stated"
    return [name, target, row["instructions"], int(peer[1]) if peer else "-", ratio,
            row["arena_bytes"], row["weights_bytes"], row["code_bytes"], row["stack_bytes"],
            row["painted_bytes"], f"{row['compile_seconds']:.2f}s", verdict]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path, help="NAME.snapshot.pb")
    parser.add_argument("--hlocc", default=ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--target", action="append", help="a preset; repeatable (cortex-m4f)")
    parser.add_argument("--option", action="append", default=[], help="for hlocc: --option=-Os")
    parser.add_argument("--json", type=pathlib.Path, help="also write the rows here")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    peers, rows, failed = read_peers(), [], 0
    print_row(COLUMNS.split())
    for model in arguments.models:
        name = model.name.split(".")[0]
        for target in arguments.target or ["cortex-m4f"]:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    row = measure(arguments.hlocc.resolve(), model.resolve(), target,
                                  arguments.option, pathlib.Path(folder))
                except Failure as failure:
                    row = {"failed": str(failure)}
            if "failed" in row:
                print_row([name, target] + ["-"] * 9 + [row["failed"]])
            else:
                print_row(cells_of(name, target, row, peers))
            failed += "failed" in row or not (row["right"] and row["stack_holds"])
            rows.append({"model": name, "target": target, **row})
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

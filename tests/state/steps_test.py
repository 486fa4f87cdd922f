"""steps_test.py HLOCC ROOT TARGET...: models with state, twenty steps in a row.

Each model of tests/data with donated arguments runs twenty steps in one program on the target's
board: its state stays inside, its other arguments are written anew before each step. The
interpreter runs the same chain, one process a step, with the state handed from step to step; every
result of every step must agree, and the state is the one thing that a program which copies too
little, or to the wrong place, gets wrong only from the second step on.
"""
import json
import pathlib
import struct
import sys
import tempfile

HLOCC, ROOT = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
sys.path.insert(0, str(ROOT / "bench"))
import boards  # noqa: E402
import snapshot  # noqa: E402

STEPS = 20
NPY_TYPES = {"f32": ("<f4", "f"), "s32": ("<i4", "i"), "u32": ("<u4", "I")}

MAIN = """#include "board.h"
#include "bench.h"

static uint8_t arena[BENCH_ARENA_BYTES] BOARD_BULK __attribute__((aligned(BENCH_ARENA_ALIGN)));
static bench_t model;

int main(int argc, char **argv) {{
  if (argc != 3 || bench_init(&model, arena) != 0) return 2;
  const int in = board_file_open_read(argv[1]);
  const int out = board_file_open_write(argv[2]);
  int status = 0;
  for (int step = 0; step < {steps} && status == 0; ++step) {{
    if (step == 0) {{
{state}
    }}
{reads}
    status = bench_run(&model);
{writes}
  }}
  board_file_close(out);
  return status;
}}
"""


def write_npy(path, leaf):
    name, dimensions, content = leaf
    shape = "(" + "".join(f"{d}, " for d in dimensions) + ")"
    text = f"{{'descr': '{NPY_TYPES[name][0]}', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (63 - (10 + len(text)) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + content)


def npy_content(path):
    data = path.read_bytes()
    return data[10 + struct.unpack("<H", data[8:10])[0]:]


def state_of(manifest):
    """{argument: result} of the state."""
    return {leaf["index"]: leaf["partner"] for leaf in manifest["arguments"] if leaf["donated"]}


def by_interpreter(model, arguments, expected, state, folder):
    """The results' bytes, step after step."""
    inputs, out = list(arguments), folder / "step"
    for step in range(STEPS):
        command = [HLOCC, "run", model, "--backend", "interpreter", "--output", f"{out}/"]
        for index, leaf in enumerate(inputs):
            write_npy(folder / f"{index}.npy", leaf)
            command += ["--input", f"{index}={folder / f'{index}.npy'}"]
        boards.must(f"interpreter, step {step}", boards.call(command))
        results = [npy_content(out / f"result{index}.npy") for index in range(len(expected))]
        yield from results
        for argument, result in state.items():
            inputs[argument] = (*inputs[argument][:2], results[result])


def by_board(target, arguments, manifest, state, folder):
    """The bytes of all results of all steps, in the target's byte order."""
    offsets, at = [], 0
    for _, _, content in arguments:
        offsets.append(at)
        at += len(content)

    def read(index):
        return (
            f"    board_file_seek(in, {offsets[index]});\n"
            f"    board_file_read(in, (void *)bench_arg{index}_data(&model), "
            f"{len(arguments[index][2])});"
        )
    every = range(len(arguments))
    (folder / "main.c").write_text(MAIN.format(
        steps=STEPS,
        state="\n".join(read(index) for index in every if index in state),
        reads="\n".join(read(index) for index in every if index not in state),
        writes="\n".join(
            f"    board_file_write(out, (void *)bench_result{leaf['index']}_data(&model), "
            f"{leaf['bytes']});"
            for leaf in manifest["results"])),
                                   encoding="utf-8")
    swap = target in boards.BIG_ENDIAN
    (folder / "in").write_bytes(b"".join(
        snapshot.swapped(leaf) if swap else leaf[2] for leaf in arguments))
    program = folder / "bench.elf"
    boards.must(
        "link",
        boards.call([
            boards.BOARDS / "link_firmware.sh", target, program, folder / "main.c", "-I", folder,
            folder / "libbench.a"
        ]))
    boards.must(
        "run",
        boards.call(
            [boards.BOARDS / "run_board.sh", target, program, folder / "in", folder / "out"]))
    return (folder / "out").read_bytes()


def difference(target, got, leaf, expected, rule):
    """The largest error, where 1 is the model's tolerance of one step in all steps together;
    integers have none."""
    name, dimensions, _ = leaf
    mine = (name, dimensions, got)
    if target in boards.BIG_ENDIAN:
        mine = (name, dimensions, snapshot.swapped(mine))
    if mine[2] == expected:
        return 0.0
    if name not in ("f32", "f64"):
        return 2.0
    values = snapshot.floats((name, dimensions, expected))
    limit = STEPS * (rule.get("atol", 0) + rule.get("rtol", 0) * max(map(abs, values)))
    return max(abs(g - e) / limit if g == g else 2.0 for g, e in zip(snapshot.floats(mine), values))


def check(model, targets):
    """Lines of what is wrong."""
    arguments, results = snapshot.read_snapshot(model)
    rules, expected = boards.rules_of(model, results, HLOCC), None
    for target in targets:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            manifest = boards.compile_model(HLOCC, model, target, [], folder)
            state = state_of(manifest)
            if expected is None:
                expected = list(by_interpreter(model, arguments, results, state, folder))
            got, at, worst = by_board(target, arguments, manifest, state, folder), 0, 0.0
        if len(got) != sum(map(len, expected)):
            yield f"{target}: {len(got)} bytes of results, {sum(map(len, expected))} expected"
            continue
        for number, content in enumerate(expected):
            step, index = divmod(number, len(results))
            error = difference(target, got[at:at + len(content)], results[index], content,
                               rules[index])
            at += len(content)
            worst = max(worst, error)
            if error > 1:
                yield f"{target}: step {step}, result {index}: off by {error:.2g} times what is allowed"
                break
        print(
            f"{model.name.split('.')[0]:18s} {target:14s} {len(state)} in the state, "
            f"{100 * worst:.2f} % of the allowed error",
            flush=True)


def main():
    failed, models = 0, ROOT / "tests" / "data" / "models"
    for facts in sorted(models.glob("*.json")):
        if not json.loads(facts.read_text(encoding="utf-8")).get("donated_args"):
            continue
        model = facts.with_name(facts.stem + ".snapshot.pb")
        try:
            wrong = list(check(model, sys.argv[3:]))
        except boards.Failure as failure:
            wrong = [str(failure)]
        for line in wrong:
            print(f"WRONG {facts.stem}: {line}")
        failed += bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

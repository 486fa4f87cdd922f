"""stub_cost.py: what the runtime stub's parts cost on a chip, counted in QEMU.

    python3 bench/stub_cost.py --hlocc build/hlocc [--target cortex-m4f]

Instructions of `run` for a model that does nothing; RAM and flash of two models apart and in one
library; instructions that a --profile build adds when hlocc_profile.h counts each step, and when
nobody counts.
"""
import argparse
import json
import pathlib
import tempfile

import boards
import snapshot

MODELS = boards.ROOT / "tests" / "data" / "models"
EMPTY = "HloModule nothing\nENTRY main {\n  ROOT x = f32[4] parameter(0)\n}\n"
COUNTED = """#include "bench.h"
#include "hlocc_clock.h"
#include "hlocc_profile.h"
static hlocc_step_row rows[BENCH_PROFILE_STEPS];
static hlocc_steps steps[1];
HLOCC_PROFILE_STEPS(steps, 1)
"""


def instructions(hlocc, model, target, options, folder, counts=False):
    content = b"" if model.suffix == ".txt" else boards.argument_bytes(
        snapshot.read_snapshot(model)[0], target)
    manifest = boards.compile_model(hlocc, model, target, options, folder)
    main = boards.write_main(folder, manifest)
    if counts:
        text = main.read_text(encoding="utf-8").replace('#include "bench.h"\n', COUNTED)
        main.write_text(text.replace(
            "  board_stack_paint();",
            "  hlocc_steps_init(steps, rows, BENCH_PROFILE_STEPS, hlocc_clock_now, "
            "HLOCC_CLOCK_BITS);\n  board_stack_paint();"),
                        encoding="utf-8")
    program = folder / "bench.elf"
    boards.must(
        "link",
        boards.call([
            boards.BOARDS / "link_firmware.sh", target, program, main, "-I", folder, "-I",
            boards.ROOT / "runtime_stub", folder / "libbench.a"
        ]))
    (folder / "in").write_bytes(content or bytes(16))
    printed = boards.must(
        "run",
        boards.call([
            boards.ROOT / "bench" / "count" / "count.sh", target, program, folder / "in",
            folder / "out"
        ]))
    return int(printed.split("insns ")[1].split()[0])


def library_sizes(hlocc, files, target, options, folder):
    boards.must("compile",
                boards.call([hlocc, "compile", *files, "-o", folder, "--target", target, *options]))
    found = json.loads((folder / "bench.json").read_text(encoding="utf-8"))
    return found["arena_bytes"], found["code_bytes"], found["weights_bytes"]


def two_models(hlocc, names, target, folder):
    files = [MODELS / f"{name}.snapshot.pb" for name in names]
    apart = [library_sizes(hlocc, [file], target, ["--name", "Bench"], folder) for file in files]
    both = library_sizes(hlocc, files, target, ["--name", "Bench", "--shared-arena"], folder)
    print(
        f"{' and '.join(names)}: arena {sum(a[0] for a in apart)} apart, {both[0]} shared; "
        f"code {sum(a[1] for a in apart)} apart, {both[1]} shared; weights "
        f"{sum(a[2] for a in apart)} and {both[2]}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--target", default="cortex-m4f")
    given = parser.parse_args()
    hlocc, target = given.hlocc.resolve(), given.target
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        nothing = folder / "nothing.hlo.txt"
        nothing.write_text(EMPTY, encoding="utf-8")
        print(
            f"{target}: run of a model that does nothing: "
            f"{instructions(hlocc, nothing, target, [], folder)} instructions"
        )
        two_models(hlocc, ["kws_dscnn", "kws_gru_stream"], target, folder)
        two_models(hlocc, ["cnn_digits", "mlp_digits"], target, folder)
        for model in ("kws_dscnn", "kws_dscnn_int8", "cnn_digits_int8", "kws_gru_stream",
                      "mlp_digits"):
            file = MODELS / f"{model}.snapshot.pb"
            plain = instructions(hlocc, file, target, [], folder)
            hooked = instructions(hlocc, file, target, ["--profile"], folder)
            counted = instructions(hlocc, file, target, ["--profile"], folder, counts=True)
            steps = int(
                (folder /
                 "bench.h").read_text(encoding="utf-8").split("BENCH_PROFILE_STEPS ")[1].split()[0])
            print(
                f"{model}: {plain} instructions, {steps} steps; --profile +{hooked - plain}, "
                f"counted +{counted - plain} "
                f"({100 * (counted - plain) / plain:.3f} %)")


if __name__ == "__main__":
    main()

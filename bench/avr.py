"""avr.py: cycles of one inference on an ATmega2560, in simavr, of the C that hlocc writes, by
avr-gcc -O3.

Cycles are those of the chip (simavr counts them as the data sheet says), 16,000 a millisecond at 16
MHz. Prints a row a model: cycles, and cycles where HL_NEAR reads constants by LPM, which is right
only where the program's constants end below 64 KB; arena, stack that was touched, and bytes of
flash of the whole program, with start-up code and the board's files. Results are compared with the
snapshot's.

    python3 bench/avr.py --hlocc build/hlocc \
        tests/data/models/{mlp_digits,cnn_digits_int8,ekf,pid_bank}.snapshot.pb
"""
import argparse
import os
import pathlib
import re
import sys
import tempfile

import boards
import snapshot

TARGET = "avr-mega2560"
NEAR = 1 << 16


def flash_bytes(program):
    """Code, constants, and what start-up copies to RAM."""
    table = boards.must("size", boards.call(["llvm-size-19", "-A", program]))
    sizes = {name: int(size) for name, size in re.findall(r"^(\.\S+)\s+(\d+)", table, re.M)}
    return sum(sizes.get(name, 0) for name in (".text", ".data"))


def constants_end(program):
    """Where the last constant in flash ends."""
    end = 0
    for line in boards.must("nm", boards.call(["avr-nm", "-S", program])).splitlines():
        found = re.match(r"([0-9a-f]+) ([0-9a-f]+) [tTrRdD] bench_w_", line)
        if found:
            end = max(end, int(found.group(1), 16) + int(found.group(2), 16))
    return end


def measure(hlocc, model, *flags):
    """(cycles, stack, flash, where constants end, arena) of one run."""
    arguments, expected = snapshot.read_snapshot(model)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        manifest = boards.compile_model(hlocc, model, TARGET, [], folder)
        program = folder / "bench.elf"
        boards.must(
            "link",
            boards.call([
                boards.BOARDS / "link_firmware.sh", TARGET, program,
                boards.write_main(folder, manifest), "-I", folder, folder / "bench.c", "-O3", *flags
            ]))
        (folder / "in").write_bytes(boards.argument_bytes(arguments, TARGET))
        # Short paths: on the chip they lie in RAM.
        printed = boards.must(
            "run",
            boards.call([boards.BOARDS / "run_board.sh", TARGET, "bench.elf", "in", "out"],
                        cwd=folder,
                        env={**os.environ, "BOARD_QEMU_FLAGS": "--cycles"}))
        got = (folder / "out").read_bytes()
        if not boards.worst_error(got, expected, boards.rules_of(model, expected, hlocc))[1]:
            raise boards.Failure("wrong result")
        cycles, stack = (int(re.search(rf"{what} (\d+)", printed).group(1))
                         for what in ("cycles", "stack"))
        return cycles, stack, flash_bytes(program), constants_end(program), manifest["arena_bytes"]


def cells_of(hlocc, model):
    cycles, stack, flash, end, arena = measure(hlocc, model)
    near = f"{measure(hlocc, model, '-DHL_NEAR')[0]:,}" if end <= NEAR else "(too large)"
    return [f"{cycles:,}", near, f"{arena:,}", f"{stack:,}", f"{flash:,}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path, help="NAME.snapshot.pb")
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    options = parser.parse_args()
    print("| model | cycles | with HL_NEAR | arena | stack | flash |\n|---|---|---|---|---|---|")
    failed = False
    for model in options.models:
        try:
            cells = cells_of(options.hlocc.resolve(), model.resolve())
        except boards.Failure as failure:
            failed, cells = True, [str(failure)]
        print(f"| {model.name.split('.')[0]} | " + " | ".join(cells) + " |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())

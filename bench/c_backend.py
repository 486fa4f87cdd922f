"""c_backend.py: what a model costs on a chip through C and two compilers, beside LLVM's code of the
same program.

Counts instructions of one inference on the board in QEMU, as boards.py does, of the library that
hlocc makes, and of its C at -O3 by the board's GNU compiler and by Clang 19. Prints one row a model
and target, code in bytes at -Os:

    python3 bench/c_backend.py --hlocc build/hlocc --target cortex-m4f tests/data/models/*.pb

`--target host` runs the three here, by `gcc` and `clang-19 -O3 -march=native`, and prints
microseconds of the fastest call; they take turns.
"""
import argparse
import pathlib
import re
import shutil
import sys
import tempfile

import boards
import host_program
import snapshot


def row_of(target, key):
    """What the board's row says, its own or that of the row that it is like."""
    text = (boards.BOARDS / "presets" / f"{target}.conf").read_text(encoding="utf-8")
    found = re.search(rf"^{key}=(.*)$", text, re.M)
    like = re.search(r"^like=(.*)$", text, re.M)
    return found.group(1) if found else row_of(like.group(1), key) if like else ""


def compiler_of(target, name):
    flags = row_of(target, "cflags").split()
    if name == "gcc":
        return [row_of(target, "compiler"), *flags]
    if row_of(target, "compiler").startswith("arm-none-eabi"):
        flags.append("-fshort-enums")
    # GCC takes the FPU from the core's name; Clang does so by itself. Both shall leave out frame
    # pointers, as GCC does.
    flags = [flag for flag in flags if flag != "-mfpu=auto"] + ["-fomit-frame-pointer"]
    return [
        "clang-19", f"--target={row_of(target, 'triple')}", *flags,
        "-Wno-unused-command-line-argument"
    ]


def compile_c(hlocc, model, target, compiler, level, folder):
    """Leaves libbench.a, bench.h and bench.json in the folder; gives the manifest and the code's
    bytes."""
    manifest = boards.compile_model(hlocc, model, target,
                                    ["--backend", "c", level if level == "-Os" else "-O2"], folder)
    boards.must(
        "C",
        boards.call([
            *compiler_of(target, compiler), "-std=c99", "-ffreestanding", level,
            "-ffunction-sections", "-c", folder / "bench.c", "-o", folder / "bench.o"
        ]))
    # Clang calls Arm's names of memcpy, which boards without a libc do not have, and says what
    # stacks are, which GNU's compilers for bare metal do not.
    boards.must(
        "objcopy",
        boards.call([
            "llvm-objcopy-19", "-R", ".note.GNU-stack",
            *(f"--redefine-sym=__aeabi_memcpy{width}=memcpy" for width in ("", "4", "8")),
            folder / "bench.o"
        ]))
    boards.must("ar", boards.call(["ar", "rcs", folder / "libbench.a", folder / "bench.o"]))
    sizes = boards.must("size", boards.call(["llvm-size-19", "-A", folder / "bench.o"]))
    code = sum(int(size) for size in re.findall(r"^\.text\S*\s+(\d+)", sizes, re.M))
    return manifest, code


def measure(hlocc, model, target, way):
    """(instructions, code bytes at -Os) of llvm, gcc or clang."""
    arguments, expected = snapshot.read_snapshot(model)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if way == "llvm":
            code = boards.compile_model(hlocc, model, target, ["-Os"], folder)["code_bytes"]
            manifest = boards.compile_model(hlocc, model, target, [], folder)
        else:
            code = compile_c(hlocc, model, target, way, "-Os", folder)[1]
            manifest = compile_c(hlocc, model, target, way, "-O3", folder)[0]
        count, _ = boards.count_instructions(target, manifest, folder,
                                             boards.argument_bytes(arguments, target))
        got = (folder / "out").read_bytes()
        if target in boards.BIG_ENDIAN:
            got = boards.swap_results(got, expected)
        if not boards.worst_error(got, expected, boards.rules_of(model, expected, hlocc))[1]:
            raise boards.Failure(f"{way}: wrong result")
        return count, code


def build_host(hlocc, model, way, folder):
    """The program that host_program.Timed runs."""
    folder.mkdir()
    if way == "llvm":
        return host_program.build(hlocc, model, [], folder)[0]
    manifest = boards.compile_model(hlocc, model, "host", ["--backend", "c"], folder)
    compiler = {"gcc": "gcc", "clang": "clang-19"}[way]
    boards.must(
        "C",
        boards.call([
            compiler, "-std=c99", "-O3", "-march=native", "-c", folder / "bench.c", "-o",
            folder / "bench.o"
        ]))
    boards.must("ar", boards.call(["ar", "rcs", folder / "libbench.a", folder / "bench.o"]))
    program = host_program.link(folder, manifest)
    if not host_program.run_once(hlocc, program, folder, model)[1]:
        raise boards.Failure(f"{way}: wrong result")
    return program


def measure_host(hlocc, model, ways, rounds=5, seconds=0.5):
    """Microseconds of the fastest call, one a way; each round begins with another."""
    with tempfile.TemporaryDirectory() as name:
        folders = [pathlib.Path(name) / way for way in ways]
        programs = [build_host(hlocc, model, way, folder) for way, folder in zip(ways, folders)]
        running = [
            host_program.Timed([program, folder / "in", folder / "out"])
            for program, folder in zip(programs, folders)
        ]
        best = [float("inf")] * len(ways)
        for turn in range(rounds):
            for n in range(len(ways)):
                at = (n + turn) % len(ways)
                best[at] = min(best[at], running[at].ask(seconds)["min_us"])
        for timed in running:
            timed.close()
    return best


def host_rows(hlocc, models, ways):
    print("| model | " + " | ".join(f"{way} us" for way in ways) + " |\n" + "|---" *
          (1 + len(ways)) + "|")
    for model in models:
        best = measure_host(hlocc, model.resolve(), ways)
        cells = [
            f"{us:,.1f}" + ("" if n == 0 else f" ({us / best[0]:.2f})") for n, us in enumerate(best)
        ]
        print(f"| {model.name.split('.')[0]} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path, help="NAME.snapshot.pb")
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--target", action="append", help="a preset; repeatable (cortex-m4f)")
    arguments = parser.parse_args()
    ways = ["llvm", "gcc"] + (["clang"] if shutil.which("clang-19") else [])
    if arguments.target == ["host"]:
        return host_rows(arguments.hlocc.resolve(), arguments.models, ways)
    print("| model | target | " + " | ".join(f"{way} instructions" for way in ways) + " | " +
          " | ".join(f"{way} code -Os" for way in ways) + " |\n" + "|---" * (2 + 2 * len(ways)) +
          "|")
    failed = False
    for model in arguments.models:
        for target in arguments.target or ["cortex-m4f"]:
            cells = [[], []]
            try:
                first = None
                for way in ways:
                    values = measure(arguments.hlocc.resolve(), model.resolve(), target, way)
                    first = first or values
                    for column, value, base in zip(cells, values, first):
                        column.append(f"{value:,}" +
                                      ("" if way == "llvm" else f" ({value / base:.2f})"))
            except boards.Failure as failure:
                failed = True
                cells[0].append(str(failure))
            print(f"| {model.name.split('.')[0]} | {target} | " + " | ".join(cells[0] + cells[1]) +
                  " |",
                  flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())

"""Builds the program that runs one compiled model on this machine: the library that a user would
ship, linked with host_program/main.c, which is timed through its standard input and output."""
import json
import pathlib
import random
import re
import struct
import subprocess
import time

import boards
import snapshot

FLAGS = ["-O3", "-march=native", "-ffp-contract=fast"]
HERE = pathlib.Path(__file__).resolve().parent


def buffer_size(bytes_, align):
    """aligned_alloc's size is a multiple of its alignment."""
    return max(1, -(-bytes_ // align)) * align


def write_leaves(folder, manifest):
    """leaves.h: each argument in a buffer of its own, but donated ones in the instance's state,
    which starts each call anew."""
    align = max(64, manifest["arena_align"])
    reads, writes, saved, rewinds = [], [], [], []
    for leaf in manifest["arguments"]:
        index, size = leaf["index"], leaf["bytes"]
        if not leaf["donated"]:
            reads.append(f"  bench_set_arg{index}_data(model, aligned_alloc({align}, "
                         f"{buffer_size(size, align)}));")
        if size > 0:
            reads.append(f"  if (fread((void *)bench_arg{index}_data(model), {size}, 1, in) != 1) "
                         "return 0;")
        if leaf["donated"] and size > 0:
            saved.append(f"static unsigned char saved{index}[{size}];")
            reads.append(f"  memcpy(saved{index}, bench_arg{index}_data(model), {size});")
            rewinds.append(f"  memcpy(bench_arg{index}_data(model), saved{index}, {size});")
    for leaf in manifest["results"]:
        writes.append(f"  fwrite((const void *)bench_result{leaf['index']}_data(model), "
                      f"{leaf['bytes']}, 1, out);")
    text = "\n".join(saved) + "\n\nstatic int read_arguments(bench_t *model, FILE *in) {\n" + \
        "\n".join(reads) + "\n  (void)model, (void)in;\n  return 1;\n}\n\n" \
        "static void rewind_state(bench_t *model) {\n" + "\n".join(rewinds) + \
        "\n  (void)model;\n}\n\n" \
        "static void write_results(bench_t *model, FILE *out) {\n" + "\n".join(writes) + \
        "\n  (void)model, (void)out;\n}\n"
    (folder / "leaves.h").write_text(text, encoding="utf-8")


def run_measured(command):
    """(seconds, peak memory in bytes) of a command that must succeed."""
    begin = time.monotonic()
    done = boards.call(["/usr/bin/env", "python3", "-c", MEASURED, *command])
    boards.must("compile", done)
    return time.monotonic() - begin, int(done.stdout.split()[-1]) * 1024


# A child of its own, so that the peak is this command's and not an earlier one's.
MEASURED = """import resource, subprocess, sys
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)"""


def link(folder, manifest, flags=()):
    """The program of libbench.a and bench.h in the folder."""
    write_leaves(folder, manifest)
    program = folder / "bench"
    boards.must("link", boards.call(["cc", *FLAGS, *flags, "-std=gnu11", "-no-pie", "-I", folder,
                                     HERE / "host_program" / "main.c", folder / "libbench.a",
                                     "-o", program]))
    return program


def run_once(hlocc, program, folder, model):
    """(error, right): the snapshot's arguments are left in the file `in`."""
    arguments, expected = snapshot.read_snapshot(model)
    (folder / "in").write_bytes(b"".join(leaf[2] for leaf in arguments))
    boards.must("run", boards.call([program, folder / "in", folder / "out"],
                                   stdin=subprocess.DEVNULL))
    return boards.worst_error((folder / "out").read_bytes(), expected,
                              boards.rules_of(model, expected, hlocc))


def compile_and_link(hlocc, model, options, folder, flags=()):
    """(program, manifest, seconds, peak memory of the compiler)"""
    folder.mkdir(parents=True, exist_ok=True)
    seconds, memory = run_measured([hlocc, "compile", model, "-o", folder, "--name", "Bench",
                                    "--target", "host", *options])
    manifest = json.loads((folder / "bench.json").read_text(encoding="utf-8"))
    return link(folder, manifest, flags), manifest, seconds, memory


def build(hlocc, model, options, folder):
    """A snapshot, run once and compared: (program, row of figures). The program's first two
    arguments lie beside it as `in` and `out`."""
    program, manifest, seconds, memory = compile_and_link(hlocc, model, options, folder)
    error, right = run_once(hlocc, program, folder, model)
    row = {key: manifest[key] for key in ("arena_bytes", "weights_bytes", "code_bytes")}
    row.update(compile_seconds=round(seconds, 3), compile_memory_bytes=memory, error=error,
               right=right)
    return program, row


def build_bare(hlocc, model, options, folder, flags=()):
    """A module without arguments: random f32 between -1 and 1 are put into the file `in`."""
    program, manifest, _, _ = compile_and_link(hlocc, model, options, folder, flags)
    made = random.Random(1)
    count = sum(leaf["bytes"] for leaf in manifest["arguments"]) // 4
    (folder / "in").write_bytes(struct.pack(f"<{count}f", *(made.uniform(-1, 1)
                                                            for _ in range(count))))
    return program


class Timed:
    """A running program that answers times: one of ours or a peer's, all speak the same lines."""

    def __init__(self, command, cpu=None, environment=None):
        pinned = ["taskset", "-c", str(cpu)] if cpu is not None else []
        self.process = subprocess.Popen([*pinned, *map(str, command)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=environment)
        self.ready = self.answer()

    def answer(self):
        """The next JSON line; libraries may print others before it."""
        for line in self.process.stdout:
            if re.match(r"\s*\{", line):
                return json.loads(line)
        raise boards.Failure(self.process.stderr.read().strip().splitlines()[-1:] or "ended")

    def ask(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.stderr.close()
        self.process.wait()

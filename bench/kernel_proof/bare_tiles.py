"""bare_tiles.py: the share of this core's multiply-adds that bare register tiles reach.

Writes loops in AVX-512 assembly: tiles of rows x vectors over operands that lie in the first cache,
broadcasts of one side and loads of the other, nothing set to zero and nothing stored. Each sample
stands between two bursts of multiply-adds on registers alone, as in bench/kernels.py: the median is
what a kernel with that tile can reach at most here.

    python3 bench/kernel_proof/bare_tiles.py --cpu 1 --realtime
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HOST = pathlib.Path(__file__).resolve().parent.parent / "host_program"
TILES = [(4, 4), (4, 5), (5, 4), (5, 5), (6, 3), (6, 4), (8, 3), (9, 3), (12, 2), (13, 2)]
DEPTHS = [64, 192]
STEPS = 4  # of the reduction, a turn of the loop
SAMPLES, OPERATIONS = 500, 240_000


def loop(rows, vectors, depth):
    """A C function: so many times a tile's reduction."""
    sums, spread = rows * vectors, 32 - rows * vectors - vectors
    lines = ["2: mov %0, %%r8", "mov %1, %%r9", f"mov ${depth // STEPS}, %%r10", "1:"]
    for step in range(STEPS):
        for vector in range(vectors):
            lines.append(f"vmovups {64 * (step * vectors + vector)}(%%r9), %%zmm{sums + vector}")
        for row in range(rows):
            one = f"%%zmm{sums + vectors + row % spread}"
            lines.append(f"vbroadcastss {4 * (step + row * depth)}(%%r8), {one}")
            for vector in range(vectors):
                lines.append(f"vfmadd231ps {one}, %%zmm{sums + vector}, "
                             f"%%zmm{row * vectors + vector}")
    lines += [f"add ${4 * STEPS}, %%r8", f"add ${64 * vectors * STEPS}, %%r9", "sub $1, %%r10",
              "jnz 1b", "sub $1, %2", "jnz 2b"]
    changed = ", ".join(f'"xmm{n}"' for n in range(32))
    text = "\\n".join(lines)
    return f"""static void {name(rows, vectors, depth)}(const float *a, const float *b, long times) {{
  __asm__ volatile("{text}" : "+r"(a), "+r"(b), "+r"(times)
                   :: "cc", "memory", "r8", "r9", "r10", {changed});
}}
"""


def name(rows, vectors, depth):
    return f"tile_{rows}x{vectors}_{depth}"


def program():
    shapes = [(rows, vectors, depth) for rows, vectors in TILES for depth in DEPTHS]
    calls = "".join(f'  report("{rows}x{vectors} depth {depth}", {name(rows, vectors, depth)}, '
                    f"{rows * vectors * depth});\n" for rows, vectors, depth in shapes)
    return f"""#include <stdio.h>
#include <stdlib.h>
#include "multiply_adds.h"
static float a[1 << 14] __attribute__((aligned(64))), b[1 << 15] __attribute__((aligned(64)));
static int by_value(const void *x, const void *y) {{
  const double p = *(const double *)x, q = *(const double *)y;
  return (p > q) - (p < q);
}}
static void report(const char *name, void (*tile)(const float *, const float *, long), long fmas) {{
  static double share[{SAMPLES}];
  const long times = {OPERATIONS} / fmas;
  for (int i = 0; i < {SAMPLES}; ++i) {{
    const double before = multiply_adds(4000), begin = now_seconds();
    tile(a, b, times);
    const double seconds = now_seconds() - begin, after = multiply_adds(4000);
    share[i] = 2e-9 * 16 * (double)fmas * (double)times / seconds / ((before + after) / 2);
  }}
  qsort(share, {SAMPLES}, sizeof *share, by_value);
  printf("%-20s%6.1f%%\\n", name, 100 * share[{SAMPLES} / 2]);
}}
{"".join(loop(*shape) for shape in shapes)}
int main(void) {{
  for (int i = 0; i < 1 << 14; ++i) a[i] = (float)rand() / RAND_MAX;
  for (int i = 0; i < 1 << 15; ++i) b[i] = (float)rand() / RAND_MAX;
{calls}  return 0;
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cpu", type=int, default=0, help="the core to run on")
    parser.add_argument("--realtime", action="store_true", help="SCHED_FIFO (needs root)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder) / "tiles.c", pathlib.Path(folder) / "tiles"
        source.write_text(program(), encoding="ascii")
        subprocess.run(["cc", "-O3", "-march=native", "-ffp-contract=fast", "-I", HOST, source,
                        "-o", binary], check=True)
        prefix = ["chrt", "-f", "1"] if arguments.realtime else []
        return subprocess.run([*prefix, "taskset", "-c", str(arguments.cpu), binary],
                              check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

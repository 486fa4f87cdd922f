"""--threads builds: the results have the bits of one thread on the host and on boards, by both
backends; the library deals its work out by a hook with a weak definition; without the flag nothing
of it is there."""
import json
import struct
import sys

from harness import ROOT, Test, main, snapshot

sys.path.insert(0, str(ROOT / "bench"))
import stub_cost  # noqa: E402
from harness import HLOCC  # noqa: E402

# Counts what the hook is given, and runs the last range first.
MAIN = """#include <stdio.h>
#include <string.h>
#include "net.h"
static union { unsigned char bytes[NET_ARENA_BYTES]; double aligned[8]; } arena __attribute__((aligned(NET_ARENA_ALIGN)));
static net_t model;
static int calls, backwards;
void hlocc_parallel_for(int32_t count, void (*body)(void *, int32_t), void *context);
void hlocc_parallel_for(int32_t count, void (*body)(void *, int32_t), void *context) {
  int32_t i;
  ++calls;
  for (i = 0; i < count; ++i) body(context, backwards ? count - 1 - i : i);
}
static float results[2][NET_RESULT0_BYTES / 4];
int main(void) {
  size_t i;
  if (net_init(&model, arena.bytes) != 0) return 1;
  for (backwards = 0; backwards < 2; ++backwards) {
    for (i = 0; i < NET_ARG0_BYTES / 4; ++i) net_arg0_data(&model)[i] = (float)((i * 37) % 101) / 50.0f - 1.0f;
    if (net_run(&model) != 0) return 2;
    memcpy(results[backwards], net_result0_data(&model), NET_RESULT0_BYTES);
  }
  printf("%d", calls);
  return memcmp(results[0], results[1], NET_RESULT0_BYTES) != 0;
}
"""


# Large enough to be dealt out to threads of an operating system, too.
LARGE = """HloModule m
ENTRY e {
  x = f32[200,200] parameter(0)
  ROOT y = f32[200,200] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
"""


class Threads(Test):
    def large(self):
        """A product that is worth a start of threads here, and its argument."""
        model, argument = self.folder / "large.hlo", self.folder / "x.npy"
        model.write_text(LARGE)
        header = "{'descr': '<f4', 'fortran_order': False, 'shape': (200, 200), }".ljust(117) + "\n"
        numbers = (i * 37 % 101 - 50 for i in range(200 * 200))
        argument.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.encode() +
                             struct.pack("<40000f", *numbers))
        return model, argument

    def compiled(self, model, *options):
        self.done("compile", snapshot(model), "-o", self.folder, "--name", "Net", "-q", *options)
        return self.manifest("net.json")

    def test_verify_on_the_host(self):
        models = [snapshot(name) for name in ("kws_dscnn", "cnn_digits", "gemm_64")]
        for backend, threads in (("cpu", 2), ("cpu", 5)):
            self.done("verify", *models, "--backend", backend, "--threads", threads)
        self.done("verify", models[1], "--backend", "c", "--threads", 2)
        model, argument = self.large()
        for backend in ("cpu", "c"):
            self.done("verify", model, "--input", f"x={argument}", "--backend", backend,
                      "--threads", 2)

    def test_boards_take_range_after_range(self):
        for target in ("cortex-m4f", "cortex-m0", "rv32imc", "cortex-a53"):
            with self.subTest(target):
                self.done("verify", snapshot("cnn_digits_int8"), "--target", target, "--threads", 2)
        self.done("verify", snapshot("mlp_digits"), "--target", "cortex-m4f", "--threads", 2,
                  "--backend", "c")

    def test_the_hook(self):
        for threads in (1, 2):
            manifest = self.compiled("gemm_64", "--target", "cortex-m4f", "--threads", threads)
            symbols = self.shell("arm-none-eabi-nm", self.folder / "libnet.a")
            self.assertEqual(" W hlocc_parallel_for" in symbols, threads > 1)
            self.assertEqual(manifest["options"]["threads"], threads if threads > 1 else False)
            self.assertEqual(manifest["stack_is_lower_bound"], threads > 1)
            self.assertEqual(
                manifest["undefined"],
                [symbol for symbol in manifest["undefined"] if "parallel" not in symbol])

    def test_one_thread_is_the_default(self):
        made = []
        for options in ([], ["--threads", 1]):
            self.compiled("kws_dscnn", "--target", "cortex-m4f", *options)
            made.append([(self.folder / name).read_bytes()
                         for name in ("libnet.a", "net.h", "net.json")])
        self.assertEqual(*made)

    def test_any_order(self):
        (self.folder / "main.c").write_text(MAIN)
        for options in (["--backend", "c", "--target", "host"], ["--target", "host"]):
            self.done("compile",
                      self.large()[0], "-o", self.folder, "--name", "Net", "-q", "--threads", 3,
                      *options)
            code = self.folder / ("net.c" if "c" in options else "libnet.a")
            self.shell("cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1",
                       self.folder / "main.c", code, "-I", self.folder, "-o", self.folder / "m")
            self.assertGreater(int(self.shell(self.folder / "m")), 0)

    def test_small_launches_stay_on_one_thread(self):
        self.compiled("ekf", "--target", "cortex-m4f", "--threads", 2)
        self.assertNotIn("hlocc_parallel_for",
                         self.shell("arm-none-eabi-nm", self.folder / "libnet.a"))

    def test_scratch_is_counted(self):
        """Ranges have scratch of their own, in the arena; the plan says how many there are."""
        one, two = (self.compiled("kws_dscnn", "--target", "cortex-m7", "--threads", threads)
                    for threads in (1, 2))
        self.assertGreaterEqual(two["arena_bytes"], one["arena_bytes"])
        plan = self.done("compile", snapshot("kws_dscnn"), "-o", self.folder, "--target",
                         "cortex-m7", "--threads", 2, "--print-after", "plan", "-q")
        self.assertIn(" ranges(2)", plan)
        layers = json.loads(
            self.done("analyze", snapshot("kws_dscnn"), "--target", "cortex-m7", "--threads", 2,
                      "--json"))
        self.assertEqual(layers["targets"][0]["arena_bytes"], two["arena_bytes"])

    def test_models_in_one_library(self):
        self.done("compile", f"A={snapshot('kws_dscnn')}", f"B={snapshot('gemm_64')}",
                  "--shared-arena", "--name", "acme::Both", "-o", self.folder, "--target",
                  "cortex-m4f", "--threads", 2, "-q")
        self.assertEqual(
            self.shell("arm-none-eabi-nm",
                       self.folder / "libboth.a").count(" W hlocc_parallel_for"), 1)

    def test_with_profile(self):
        self.compiled("kws_dscnn", "--target", "cortex-m4f", "--threads", 2, "--profile")
        symbols = self.shell("arm-none-eabi-nm", self.folder / "libnet.a")
        self.assertIn(" W hlocc_parallel_for", symbols)
        self.assertIn(" W hlocc_profile_step", symbols)

    def test_on_one_core_it_costs_little(self):
        counts = [
            stub_cost.instructions(HLOCC, snapshot("kws_dscnn"), "cortex-m4f",
                                   ["--threads", str(threads)], self.folder) for threads in (1, 2)
        ]
        self.assertLess(counts[1], 1.01 * counts[0])

    def test_mistakes(self):
        for threads in (0, 65, "x"):
            self.refused(2, "usage", "compile", snapshot("gemm_64"), "--threads", threads)


if __name__ == "__main__":
    main()

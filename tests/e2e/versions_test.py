"""Libraries of two versions of hlocc in one program: they link without a clash, both are right, and
doctor finds nothing wrong with either. tests/data/earlier has a library that an earlier version
made, with every hook that a library can bring; it stays as it is. What could clash is a name: each
that a library defines for others begins with the model's prefix, or is a weak hook that all
versions agree on."""
import subprocess

from harness import HLOCC, ROOT, Test, main, snapshot

BOARDS = ROOT / "toolchains" / "boards"
EARLIER = ROOT / "tests" / "data" / "earlier"
# The functions that a library calls and brings a weak definition of. Another meaning is another
# name.
HOOKS = {"hlocc_memcpy", "hlocc_parallel_for", "hlocc_profile_step"}
NM = {"cortex-m4f": "arm-none-eabi-nm", "x86_64-linux": "nm"}
# How the earlier one was made: hlocc compile model.hlo --name acme::Earlier --target T --threads 2
# --profile --emit lib,header
MODEL = """HloModule m
ENTRY e {
  x = f32[96,64] parameter(0)
  y = f32[64,96] parameter(1)
  ROOT z = f32[96,96] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
"""
MAIN = """#include "board.h"
#include "earlier.h"
#include "today.h"
static uint8_t arena_of_earlier[ACME_EARLIER_ARENA_BYTES] BOARD_BULK __attribute__((aligned(64)));
static uint8_t arena_of_today[ACME_TODAY_ARENA_BYTES] BOARD_BULK __attribute__((aligned(64)));
static acme_earlier_t earlier;
static acme_today_t today;
static float number(int i) { return (float)((i * 37) % 101 - 50); }
static int right(const float *z) {
  for (int row = 0; row < 96; ++row)
    for (int column = 0; column < 96; ++column) {
      float sum = 0;
      for (int k = 0; k < 64; ++k) sum += number(row * 64 + k) * number(k * 96 + column + 7);
      if (z[row * 96 + column] != sum) return 0;
    }
  return 1;
}
int main(void) {
  if (acme_earlier_init(&earlier, arena_of_earlier) != 0 || acme_today_init(&today, arena_of_today) != 0) return 1;
  for (int i = 0; i < 96 * 64; ++i) {
    acme_earlier_arg_x_data(&earlier)[i] = acme_today_arg_x_data(&today)[i] = number(i);
    acme_earlier_arg_y_data(&earlier)[i] = acme_today_arg_y_data(&today)[i] = number(i + 7);
  }
  if (acme_earlier_run(&earlier) != 0 || acme_today_run(&today) != 0) return 2;
  if (!right(acme_earlier_result0_data(&earlier))) return 3;
  return right(acme_today_result0_data(&today)) ? 0 : 4;
}
"""


class Versions(Test):
    def today(self, target, *flags):
        (self.folder / "model.hlo").write_text(MODEL)
        self.done("compile", self.folder / "model.hlo", "--name", "acme::Today", "-o", self.folder,
                  "--target", target, *flags)
        return self.folder / "libtoday.a"

    def test_earlier_and_today(self):
        (self.folder / "main.c").write_text(MAIN)
        for target in NM:
            library = EARLIER / target / "libearlier.a"
            for flags in ((), ("--threads", "2", "--profile")):
                today = self.today(target, *flags)
                for order in ((library, today), (today, library)):
                    with self.subTest(target=target, flags=flags, first=order[0].name):
                        program = self.folder / "main.elf"
                        self.shell(BOARDS / "link_firmware.sh", target, program,
                                   self.folder / "main.c", "-Werror", "-I", self.folder, "-I",
                                   EARLIER / target, *order)
                        self.shell(BOARDS / "run_board.sh", target, program)
                        for one, header in ((library, EARLIER / target / "earlier.h"),
                                            (today, self.folder / "today.h")):
                            self.assertIn(
                                "nothing is wrong",
                                self.done("doctor", program, "--library", one, "--header", header))

    def test_one_model_by_two_versions(self):
        """Two libraries of one name are two compiles of one model: one of them is linked, and who
        calls the other one is told so."""
        target = "cortex-m4f"
        (self.folder / "model.hlo").write_text(MODEL.replace("96", "80"))
        self.done("compile", self.folder / "model.hlo", "--name", "acme::Earlier", "-o",
                  self.folder, "--target", target)
        (self.folder / "main.c").write_text(
            '#include "board.h"\n#include "earlier.h"\nstatic uint8_t '
            'arena[ACME_EARLIER_ARENA_BYTES] BOARD_BULK __attribute__((aligned(64)));\n'
            "static acme_earlier_t m;\nint main(void) { return acme_earlier_init(&m, arena) || "
            "acme_earlier_run(&m); }\n"
        )
        program = self.folder / "main.elf"
        self.shell(BOARDS / "link_firmware.sh", target, program, self.folder / "main.c", "-I",
                   self.folder, self.folder / "libearlier.a", EARLIER / target / "libearlier.a")
        self.assertIn("nothing is wrong",
                      self.done("doctor", program, "--library", self.folder / "libearlier.a"))
        ran = subprocess.run(
            [HLOCC, "doctor", program, "--library", EARLIER / target / "libearlier.a"],
            capture_output=True,
            text=True,
            check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("it was linked with another compile of this model", ran.stdout)

    def test_names_for_others(self):
        """Defined symbols that are global: the model's own, or weak hooks."""
        made = [("mlp_digits", ()), ("kws_dscnn", ("--threads", "2")),
                ("kws_dscnn_int8", ("--threads", "2", "--profile")),
                ("cnn_digits_int8", ("--weights", "external")), ("lstm_scan", ("-Os", "--profile")),
                ("kws_gru_stream", ("--keep-arguments", )), ("topk_sort", ("-O3", )), ("mfcc", ())]
        for target, nm in NM.items():
            for model, flags in made:
                with self.subTest(target=target, model=model):
                    self.done("compile", snapshot(model), "--name", "acme::Net", "-o", self.folder,
                              "--target", target, *flags)
                    self.check_names(nm, self.folder / "libnet.a", ("acme_net_", ), "--threads"
                                     in flags, "--profile" in flags)
            self.done("compile", f"One={snapshot('mlp_digits')}",
                      f"Two={snapshot('cnn_digits_int8')}", "--shared-arena", "--name",
                      "acme::Both", "-o", self.folder, "--target", target)
            self.check_names(nm, self.folder / "libboth.a",
                             ("acme_both_", "acme_one_", "acme_two_"), False, False)
            self.check_names(nm, EARLIER / target / "libearlier.a", ("acme_earlier_",), True, True)

    def check_names(self, nm, library, prefixes, threads, profile):
        hooks, own = {}, 0
        for line in self.shell(nm, "-g", "--defined-only", library).splitlines():
            part = line.split()
            if len(part) != 3:
                continue
            if part[2].startswith(prefixes):
                own += 1
            else:
                hooks[part[2]] = part[1]
        self.assertGreaterEqual(own, 1)
        self.assertLessEqual(set(hooks), HOOKS)
        self.assertEqual({kind for kind in hooks.values()} - {"W", "V"}, set(), hooks)
        self.assertEqual("hlocc_profile_step" in hooks, profile)
        if not threads:
            self.assertNotIn("hlocc_parallel_for", hooks)


if __name__ == "__main__":
    main()

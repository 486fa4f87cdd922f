"""--profile builds: what a board counts comes back as a table with HLO's names and as a page; the
results are the same; without the flag nothing of it is there; dumps that are damaged or of
something else are refused."""
import json
import os
import pathlib
import re
import sys

from browser import BROWSER, VIEWS, fits, seen
from harness import HLOCC, ROOT, Test, main, snapshot

sys.path.insert(0, str(ROOT / "bench"))
import stub_cost  # noqa: E402

# SysTick and mcycle count the instructions that ran, whatever else this machine does.
os.environ["BOARD_TIME"] = "counted"
CLOCK = {"cortex-m4f": ["-DHLOCC_CLOCK=2"], "cortex-m0": [], "rv32imc": [], "cortex-a53": []}
MAIN = """#include "board.h"
#include "hlocc_clock.h"
#include "hlocc_profile.h"
#include "net.h"
static unsigned char arena[NET_ARENA_BYTES] __attribute__((aligned(NET_ARENA_ALIGN)));
static net_t model;
static hlocc_step_row rows[NET_PROFILE_STEPS];
static hlocc_steps steps[1];
HLOCC_PROFILE_STEPS(steps, 1)
static void to_board(void *context, const char *text, size_t bytes) {
  (void)context;
  board_write(text, bytes);
}
int main(void) {
  if (hlocc_clock_start() != HLOCC_CLOCK_OK || net_init(&model, arena) != 0) return 1;
  (void)net_run(&model); /* nobody counts yet */
  hlocc_steps_init(steps, rows, NET_PROFILE_STEPS, hlocc_clock_now, HLOCC_CLOCK_BITS);
  for (int i = 0; i < 5; ++i)
    if (net_run(&model) != 0) return 2;
  board_print("12:00:01.5 ");
  hlocc_steps_dump(steps, to_board, 0);
  return 0;
}
"""
# Each step's width in the line of a run, the bars below it, and the table sorted by ticks a run,
# least first and most first.
SHOWN = """
  const widths = what => [...page.querySelectorAll(what)].map(e => e.getBoundingClientRect().width);
  out.steps = widths(".map .step"); out.run = page.querySelector(".map").clientWidth;
  out.bars = widths(".steps .track b"); out.track = page.querySelector(".steps .track").clientWidth;
  out.before = numbers(6);
  press(6); out.down = numbers(6); press(6); out.up = numbers(6);
"""
DUMP = "hlocc-steps begin {name} {target} -O2 {hash} steps {steps} runs 2\n{lines}hlocc-steps end\n"


class Profile(Test):
    def dump_of(self, model, target, *options):
        """What the board prints after five runs."""
        self.done("compile", model, "-o", self.folder, "--name", "Net", "--profile", "--target",
                  target, *options)
        (self.folder / "main.c").write_text(MAIN)
        library = self.folder / ("net.c" if "c" in options else "libnet.a")
        self.shell(ROOT / "toolchains/boards/link_firmware.sh", target, self.folder / "m.elf",
                   self.folder / "main.c", "-Werror", "-I", self.folder, "-I",
                   ROOT / "runtime_stub", *CLOCK[target], library)
        text = self.shell(ROOT / "toolchains/boards/run_board.sh", target, self.folder / "m.elf")
        (self.folder / "dump.txt").write_text(text)
        return self.folder / "dump.txt"

    def test_boards(self):
        for target in CLOCK:
            with self.subTest(target):
                dump = self.dump_of(snapshot("mlp_digits"), target)
                self.assertIn(f"hlocc-steps begin net {target} -O2 ", dump.read_text())
                found = json.loads(
                    self.done("profile", dump, "--model", snapshot("mlp_digits"), "--json"))
                self.assertEqual((found["target"], found["runs"]), (target, 5))
                analysed = json.loads(
                    self.done("analyze", snapshot("mlp_digits"), "--target", target,
                              "--json"))["targets"][0]["layers"]
                self.assertEqual([one["hlo"] for one in found["steps"]],
                                 [one["hlo"] for one in analysed])
                self.assertEqual([one["expected_cycles"] for one in found["steps"]],
                                 [one["expected_cycles"] for one in analysed])
                if target != "cortex-a53":  # whose clock is this machine's
                    again = self.shell(ROOT / "toolchains/boards/run_board.sh", target,
                                       self.folder / "m.elf")
                    self.assertEqual(again, dump.read_text())
                for one in found["steps"]:
                    self.assertEqual(one["calls"], 5)
                    self.assertLessEqual(one["least"] * 5, one["total"])
                    self.assertGreaterEqual(one["most"] * 5, one["total"])
                self.assertAlmostEqual(sum(one["share"] for one in found["steps"]), 1, places=5)

    def test_loops_count_their_turns(self):
        dump = self.dump_of(snapshot("lstm_scan"), "cortex-a53")
        found = json.loads(self.done("profile", dump, "--model", snapshot("lstm_scan"), "--json"))
        calls = {one["calls"] for one in found["steps"]}
        self.assertIn(5 * 49, calls)
        self.assertTrue(all(one["calls"] % 5 == 0 for one in found["steps"]), calls)

    def test_backend_c(self):
        dump = self.dump_of(snapshot("mlp_digits"), "cortex-a53", "--backend", "c")
        told = self.done("profile", dump, "--model", snapshot("mlp_digits"), "--backend", "c",
                         "--clock", "62.5MHz")
        self.assertIn("5 runs", told)
        self.assertRegex(told, r"sum +\d+ ticks a run, \d+\.\d{3} ms")

    def test_levels_and_flags_belong_to_the_plan(self):
        dump = self.dump_of(snapshot("cnn_digits_int8"), "cortex-m4f", "-Os", "--keep-arguments")
        # The level is the dump's own; what else changed the plan has to be said.
        told = self.done("profile", dump, "--model", snapshot("cnn_digits_int8"),
                         "--keep-arguments")
        self.assertIn("at -Os", told)
        self.assertIn(
            "it is of net for cortex-m4f at -Os",
            self.refused(1, "mismatch", "profile", dump, "--model", snapshot("mlp_digits")))

    def test_without_the_flag_nothing_is_there(self):
        made = {}
        for flags in ((), ("--profile",), ()):
            self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--name", "Net",
                      "--target", "cortex-m4f", *flags)
            symbols = self.shell("arm-none-eabi-nm", self.folder / "libnet.a")
            self.assertEqual("hlocc_profile_step" in symbols, bool(flags))
            self.assertEqual("NET_PROFILE_STEPS" in (self.folder / "net.h").read_text(),
                             bool(flags))
            self.assertEqual(self.manifest("net.json")["options"]["profile"], bool(flags))
            made.setdefault(flags, []).append((self.folder / "libnet.a").read_bytes())
        self.assertEqual(*made[()])

    def test_cost_and_results(self):
        model = snapshot("cnn_digits_int8")
        plain = stub_cost.instructions(
            pathlib.Path(HLOCC).resolve(), model, "cortex-m4f", [], self.folder)
        results = (self.folder / "out").read_bytes()
        counted = stub_cost.instructions(pathlib.Path(HLOCC).resolve(),
                                         model,
                                         "cortex-m4f", ["--profile"],
                                         self.folder,
                                         counts=True)
        self.assertEqual((self.folder / "out").read_bytes(), results)
        self.assertGreater(counted, plain)
        self.assertLess(counted, 1.01 * plain)

    def dump(self, text):
        path = self.folder / "dump.txt"
        path.write_text(text)
        return path

    def identity(self, model="mlp_digits"):
        self.done("compile", snapshot(model), "-o", self.folder, "--name", "Net", "--profile",
                  "--target", "cortex-m4f", "--emit", "llvm,header")
        hash16 = re.search(r"net cortex-m4f -O2 ([0-9a-f]{16})",
                           (self.folder / "net.ll").read_text()).group(1)
        steps = int(
            re.search(r"NET_PROFILE_STEPS (\d+)", (self.folder / "net.h").read_text()).group(1))
        return hash16, steps

    def test_damaged_dumps(self):
        hash16, steps = self.identity()
        line = "hlocc-steps step {} calls 2 total {} least 50 most {}\n".format

        def text(lines, steps=steps):
            return DUMP.format(name="net",
                               target="cortex-m4f",
                               hash=hash16,
                               steps=steps,
                               lines=lines)
        model = snapshot("mlp_digits")
        right = self.dump("boot\r\n" + text(line(0, 120, 70).replace("\n", "\r\n")) + "bye\n")
        self.assertIn("2 runs", self.done("profile", right, "--model", model))
        # Of several parts the one that is the model's.
        other = text(line(0, 120, 70)).replace(hash16, "0" * 16)
        self.assertIn(
            "2 runs",
            self.done("profile", self.dump(other + text(line(0, 120, 70))), "--model", model))
        for wrong, told in (("", "holds no profile"), ("garbage\n\0\xff", "holds no profile"),
                            (text(line(0, 120, 70)).replace("hlocc-steps end\n", ""),
                             "cut short"), (text(line(steps, 120, 70)), f"step {steps} of {steps}"),
                            (text(line(0, 120, 70) * 2),
                             "stands there twice"), (text("hlocc-steps step 0 calls 2 total\n"),
                                                     "damaged"),
                            (text(line(0, 120, 7)), "took 50 ticks at least and 7 at most"),
                            (text("hlocc-steps step 0 calls x total 1 least 1 most 1\n"),
                             "damaged"), (text("", 99999999999), "damaged"),
                            (text(line(0, 120, 70), steps + 1),
                             f"has {steps + 1} steps, its plan {steps}"),
                            (text(line(0, 120, 70), steps - 1),
                             f"has {steps - 1} steps, its plan {steps}"),
                            (text("hlocc-steps hello\n"), "no line 'hello'"),
                            (text("") * 2 + "hlocc-steps end\n",
                             "did not begin"), (line(0, 120, 70), "before the profile begins")):
            with self.subTest(told):
                errors = self.refused(1, "format", "profile", self.dump(wrong), "--model", model)
                self.assertIn(told, errors)
                self.assertIn("note: ", errors)
                self.assertIn("dump.txt", errors)
        self.refused(1, "mismatch", "profile", self.dump(other), "--model", model)
        self.refused(1, "file", "profile", self.folder / "missing", "--model", model)
        self.refused(2, "usage", "profile", right)
        self.refused(2, "target", "profile", self.dump(text("").replace("cortex-m4f", "cortex-m9")),
                     "--model", model)

    def test_page(self):
        hash16, steps = self.identity()
        lines = "".join(
            f"hlocc-steps step {i} calls 2 total {1000 * (i + 1)} least 50 most {900 * (i + 1)}\n"
            for i in range(steps))
        dump = self.dump(
            DUMP.format(name="net", target="cortex-m4f", hash=hash16, steps=steps, lines=lines))
        self.done("profile", dump, "--model", snapshot("mlp_digits"), "--html",
                  self.folder / "p.html", "--clock", "1MHz")
        page = (self.folder / "p.html").read_text()
        self.assertNotIn("http", page)
        self.assertEqual(page.count('<div class="step'), steps)
        widths = [float(w) for w in re.findall(r'<div class="step[^>]*width:([0-9.]+)%', page)]
        self.assertAlmostEqual(sum(widths), 100, places=1)
        self.assertEqual(widths, sorted(widths))
        self.assertIn("ms", page)

    def test_page_in_a_browser(self):
        if not BROWSER:
            self.skipTest("chromium is not installed")
        hash16, steps = self.identity("kws_dscnn")
        # The first step takes most, the second one nearly nothing.
        ticks = [70000, 3] + [1000 * (i + 7) for i in range(steps - 2)]
        lines = "".join(f"hlocc-steps step {i} calls 2 total {2 * t} least {t - 1} most {t + 1}\n"
                        for i, t in enumerate(ticks))
        dump = self.dump(
            DUMP.format(name="net", target="cortex-m4f", hash=hash16, steps=steps, lines=lines))
        self.done("profile", dump, "--model", snapshot("kws_dscnn"), "--html",
                  self.folder / "p.html", "--clock", "80MHz")
        page = (self.folder / "p.html").read_text()
        self.assertNotRegex(page, r"(src|href)=|https?://|@import|url\(")
        told = json.loads(self.done("profile", dump, "--model", snapshot("kws_dscnn"),
                                    "--json"))["steps"]
        for width, dark in VIEWS:
            with self.subTest(width=width, dark=dark):
                found = seen(self, page, width, dark, SHOWN)
                fits(self, found, width, dark)
                self.assertEqual(found["before"], ticks)
                self.assertEqual((found["down"], found["up"]),
                                 (sorted(ticks, reverse=True), sorted(ticks)))
                self.assertEqual(len(found["steps"]), steps)
                for shown, one in zip(found["steps"], told):
                    # A box has borders and padding of 6 pixels, however short its step.
                    self.assertAlmostEqual(shown, max(6, one["share"] * found["run"]), delta=1)
                for shown, share in zip(found["bars"],
                                        sorted((one["share"] for one in told), reverse=True)):
                    self.assertAlmostEqual(shown, share * found["track"], delta=1)
                for text in (told[0]["hlo"][0], told[0]["kernel"], " ms", "2 runs of",
                             "What takes most"):
                    self.assertIn(text, found["text"])


if __name__ == "__main__":
    main()

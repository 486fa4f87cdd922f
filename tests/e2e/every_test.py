"""`--stream NAME --every N`: windows follow one another, N rows apart, and each result costs what
the new rows do. Results are those of a plain run of each window, integers bit for bit, here, in C
and on boards; a frame of a network of kws' widths takes a tenth of a window's instructions at most;
what depends on padding, strides that do not divide N and state are refused by name."""
import random
import struct

from harness import ROOT, Test, hlocc, main, npy, snapshot

CHANNELS, FEATURES, CLASSES = 64, 10, 12
BOARDS = ROOT / "toolchains" / "boards"
COUNT = ROOT / "bench" / "count" / "count.sh"


class Network:
    """Text of HLO: frames[1, height, width, 1], layers without padding along the frames (VALID),
    a mean over all of them, a dense layer. `element`: f32, or s8 with sums of 32 bits."""

    def __init__(self, element, height, width=FEATURES, seed=1):
        self.element, self.sums = element, "f32" if element == "f32" else "s32"
        self.random, self.lines, self.count = random.Random(seed), [], 0
        self.shape = [1, height, width, 1]
        self.value = "frames"
        self.add(self.element, self.shape, "parameter(0)", "frames")

    def add(self, element, shape, what, name=None):
        self.count += 1
        name = name or f"v{self.count}"
        self.lines.append(f"  {name} = {element}[{','.join(map(str, shape))}] {what}")
        return name

    def constant(self, element, shape):
        def nested(left):
            if left:
                return "{" + ", ".join(nested(left[1:]) for _ in range(left[0])) + "}"
            drawn = self.random.randrange(-8, 9)
            return str(drawn / 64 if element == "f32" else drawn)
        return self.add(element, shape, f"constant({nested(shape)})")

    def splat(self, element, shape, value):
        scalar = self.add(element, [], f"constant({value})")
        return self.add(element, shape, f"broadcast({scalar}), dimensions={{}}")

    def convolution(self, rows, columns, features, stride=(1, 1), pad="0_0", groups=1):
        _, height, width, channels = self.shape
        weights = self.constant(self.element, [rows, columns, channels // groups, features])
        low, high = map(int, pad.split("_"))
        beside = (columns - 1) // 2
        self.shape = [1, (height + low + high - rows) // stride[0] + 1,
                      (width + columns - 1 - columns) // stride[1] + 1, features]
        sums = self.add(
            self.sums, self.shape,
            f"convolution({self.value}, {weights}), window={{size={rows}x{columns} "
            f"stride={stride[0]}x{stride[1]} pad={pad}x{beside}_{columns - 1 - beside}}}, "
            f"dim_labels=b01f_01io->b01f, feature_group_count={groups}")
        self.value = self.relu(sums)
        return self

    def relu(self, sums):
        if self.element == "f32":
            return self.add("f32", self.shape,
                            f"maximum({sums}, {self.splat('f32', self.shape, 0)})")
        shift = self.splat("s32", self.shape, 5)
        small = self.add("s32", self.shape, f"shift-right-arithmetic({sums}, {shift})")
        low, high = (self.splat("s32", self.shape, bound) for bound in (0, 127))
        clamped = self.add("s32", self.shape, f"clamp({low}, {small}, {high})")
        return self.add("s8", self.shape, f"convert({clamped})")

    def separable(self, stride=1):
        return self.convolution(3, 3, self.shape[3], (stride, 1), groups=self.shape[3]).convolution(
            1, 1, self.shape[3])

    def classes(self):
        wide = self.add(self.sums, self.shape, f"convert({self.value})")
        zero = self.add(self.sums, [], "constant(0)")
        sums = self.add(self.sums, [1, self.shape[3]],
                        f"reduce({wide}, {zero}), dimensions={{1,2}}, to_apply=sum")
        weights = self.constant(self.sums, [self.shape[3], CLASSES])
        self.value = self.add(
            self.sums, [1, CLASSES],
            f"dot({sums}, {weights}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}")
        return self

    def text(self):
        lines = list(self.lines)
        last = next(i for i, line in enumerate(lines) if line.startswith(f"  {self.value} ="))
        lines[last] = "  ROOT " + lines[last].strip()
        sum_ = f"s {{ a = {self.sums}[] parameter(0)\n b = {self.sums}[] parameter(1)\n"
        return (f"HloModule causal\nsum{sum_[1:]} ROOT r = {self.sums}[] add(a, b) }}\n"
                "ENTRY e {\n" + "\n".join(lines) + "\n}\n")


def keywords(element):
    """As wide as MLPerf Tiny's keyword spotter: a frame makes a row in each layer."""
    net = Network(element, 49).convolution(10, 4, CHANNELS, (1, 2))
    for _ in range(4):
        net.separable()
    return net.classes()


def strided(element, height=41):
    """Strides of 2 and 3: a result each 6 rows, or a multiple."""
    return Network(element, height, 5, 7).convolution(4, 3, 6, (2, 1)).separable().convolution(
        3, 1, 4, (3, 1)).separable().classes()


PROGRAM = """
#include "board.h"
#include "plain.h"
#include "rows.h"
static unsigned char plain_arena[PLAIN_ARENA_BYTES] BOARD_BULK __attribute__((aligned(64)));
static unsigned char rows_arena[ROWS_ARENA_BYTES] BOARD_BULK __attribute__((aligned(64)));
static TYPE frames[2 * PLAIN_ARG0_COUNT] BOARD_BULK __attribute__((aligned(64)));
static plain_t plain;
static rows_t rows;
int main(void) {
  const size_t each = ROWS_ARG0_COUNT;
  size_t i, window;
  uint32_t seed = 1;
  for (i = 0; i < 2 * PLAIN_ARG0_COUNT; ++i)
    frames[i] = (TYPE)((int)((seed = seed * 1664525u + 1013904223u) >> 24) - 128);
  if (plain_init(&plain, plain_arena) != 0 || rows_init(&rows, rows_arena) != 0) return 1;
  if (rows_begin(&rows) != 0) return 2;
  if (rows_push_arg0(&rows, frames, ROWS_STREAM_ROWS) != 0) return 3;
  for (window = 1; window <= ROWS_STREAM_ROWS / ROWS_STREAM_EVERY; ++window) {
    const size_t first = window * ROWS_STREAM_EVERY;
    for (i = 0; i < PLAIN_ARG0_COUNT; ++i)
      plain_arg0_data(&plain)[i] = frames[first * each + i];
    board_measure_begin();
    if (plain_run(&plain) != 0) return 4;
    board_measure_end();
    if (rows_rows_left(&rows) != 0 || rows_end(&rows) != 0) return 5;
    board_measure_begin();
    i = (size_t)rows_push_arg0(&rows, frames + (first + ROWS_STREAM_ROWS - ROWS_STREAM_EVERY) * each,
                               ROWS_STREAM_EVERY);
    board_measure_end();
    if (i != 0) return 6;
    for (i = 0; i < PLAIN_RESULT0_COUNT; ++i)
      if (plain_result0_data(&plain)[i] != rows_result0_data(&rows)[i]) return 7;
  }
  board_print("every: right\\n");
  return 0;
}
"""


class Every(Test):
    def model(self, net, name="net"):
        path = self.folder / f"{name}.hlo.txt"
        path.write_text(net.text())
        return path

    def frames(self, net):
        height, width = (int(part) for part in net.lines[0].split(",")[1:3])
        drawn = random.Random(3)
        kind = {"f32": "<f4", "s8": "|i1"}[net.element]
        values = [drawn.randrange(-99, 100) for _ in range(height * width)]
        content = b"".join(
            struct.pack("<f", value / 50) if net.element == "f32" else
            struct.pack("b", value) for value in values)
        path = self.folder / "frames.npy"
        path.write_bytes(npy(kind, (1, height, width, 1), content))
        return path

    def verified(self, net, every, *way):
        ran = hlocc("verify", self.model(net), "--input", f"frames={self.frames(net)}", "--stream",
                    "frames", "--every", str(every), *way)
        self.assertEqual((ran.returncode, ran.stdout.decode()),
                         (0, "1 passed, 0 failed, 0 skipped\n"), ran.stderr.decode())

    def test_windows_follow_one_another(self):
        for way in ([], ["--backend", "c"], ["--target", "cortex-m4f"],
                    ["--target", "host", "--optimize=ram"]):
            for net, every in ((strided("s8"), 6), (strided("s8"), 12), (strided("f32", 43), 6)):
                with self.subTest(way=way, element=net.element, every=every):
                    self.verified(net, every, *way)

    def test_on_another_byte_order(self):
        self.verified(strided("s8"), 18, "--target", "s390x-linux")

    def test_rows_without_a_pool(self):
        # The result is a window of rows itself; more rows are made than it takes.
        net = Network("s8", 20, 4).convolution(3, 3, 5)
        net.shape[1] -= 2
        net.value = net.add("s8", net.shape, f"slice({net.value}), slice={{[0:1], [0:16], [0:4], "
                            "[0:5]}")
        for way in ([], ["--backend", "c"]):
            self.verified(net, 3, *way)

    def test_padding_that_no_result_sees(self):
        # Padded before the first row, and only the last rows count.
        net = Network("s8", 24, 4).convolution(3, 3, 5, pad="2_0").convolution(3, 3, 5, pad="2_0")
        net.shape[1] = 2
        net.value = net.add("s8", net.shape, f"slice({net.value}), slice={{[0:1], [22:24], [0:4], "
                            "[0:5]}")
        self.verified(net, 1)

    def counted(self, net, every, target, kind):
        model = self.model(net)
        self.done("compile", model, "--name", "Plain", "-o", self.folder, "--target", target, "-q")
        self.done("compile", model, "--name", "Rows", "-o", self.folder, "--target", target, "-q",
                  "--stream", "frames", "--every", str(every))
        self.assertEqual(self.manifest("rows.json")["stream"],
                         {"argument": 0, "axis": 1, "rows": 49, "every": every})
        (self.folder / "main.c").write_text(PROGRAM.replace("TYPE", kind))
        self.shell(BOARDS / "link_firmware.sh", target, self.folder / "main.elf",
                   self.folder / "main.c", "-Wall", "-Wextra", "-Werror", "-I", self.folder,
                   self.folder / "libplain.a", self.folder / "librows.a")
        printed = self.shell(COUNT, target, self.folder / "main.elf")
        self.assertIn("every: right", printed)
        counts = [int(line.split()[1]) for line in printed.splitlines() if line.startswith("insns")]
        window, frame = counts[0], max(counts[1::2])
        print(f"{target} {net.element}: a window {window} instructions, a result {frame}, arena "
              f"{self.manifest('plain.json')['arena_bytes']} and "
              f"{self.manifest('rows.json')['arena_bytes']} bytes")
        return window, frame

    def test_a_frame_costs_a_tenth(self):
        for element, kind in (("s8", "int8_t"), ("f32", "float")):
            window, frame = self.counted(keywords(element), 1, "cortex-m4f", kind)
            self.assertLessEqual(10 * frame, window)

    def refusal(self, model, every, code=1, kind="unsupported", stream="arg0"):
        return self.refused(code, kind, "compile", model, "-o", self.folder, "--stream", stream,
                            "--every", str(every))

    def test_refused(self):
        padded = self.model(Network("s8", 20, 4).convolution(3, 3, 5).convolution(
            3, 3, 5, pad="1_0").classes())
        told = self.refusal(padded, 1)
        self.assertRegex(told, r"--every 1: %v\d+: convolution pads 1 row before the first: ")
        self.assertIn("(VALID)", told)
        self.assertRegex(self.refusal(snapshot("kws_dscnn"), 2),
                         r"convolution pads \d+ rows before the first and \d+ rows behind the last")
        told = self.refusal(self.model(strided("s8")), 3)
        self.assertIn("makes a row of more rows than that, or of a number that does not divide it",
                      told)
        self.assertIn("want a multiple of 6", told)
        self.assertIn("a window has 41 rows, some would be in none",
                      self.refusal(self.model(strided("s8")), 42, 2, "usage"))
        self.assertIn("is state that each result changes",
                      self.refusal(snapshot("kws_gru_stream"), 1))
        self.assertIn("--every needs a --stream",
                      self.refused(2, "usage", "compile", padded, "--every", "2"))


if __name__ == "__main__":
    main()

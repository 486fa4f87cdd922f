"""`compile --stream`: rows are pushed one by one, in pieces of any size, and the results are those
of the plain model bit for bit, here, in C and on boards; windows that are begun anew, rows that are
too many or too few, and an arena that others used have their codes; the image is in no arena; what
cannot be streamed is refused with what would help. `verify --stream` pushes the rows of any case.
With $CORPUS, a folder of models, MLPerf Tiny's others are pushed, too."""
import json
import os
import pathlib
import shutil
import sys

from harness import ROOT, Test, hlocc, main, snapshot

BOARDS = ROOT / "toolchains" / "boards"
STRICT = ["-Wall", "-Wextra", "-Werror"]
# Both models in one program, on drawn images; rows come from a buffer that is written over
# afterwards.
PROGRAM = """
#include "board.h"
#include "plain.h"
#include "rows.h"
static unsigned char plain_arena[PLAIN_ARENA_BYTES] BOARD_BULK __attribute__((aligned(64)));
static unsigned char rows_arena[ROWS_ARENA_BYTES] BOARD_BULK __attribute__((aligned(64)));
static ARG_TYPE image[PLAIN_ARG0_COUNT] BOARD_BULK __attribute__((aligned(64)));
static ARG_TYPE some[PLAIN_ARG0_COUNT] BOARD_BULK __attribute__((aligned(64)));
static plain_t plain;
static rows_t rows;
static int failures;
static void check(int holds, const char *what) {
  size_t n = 0;
  if (holds) return;
  ++failures;
  while (what[n]) ++n;
  board_write("wrong: ", 7);
  board_write(what, n);
  board_write("\\n", 1);
}
static uint32_t seed = 1;
static uint32_t drawn(void) { return (seed = seed * 1664525u + 1013904223u) >> 8; }
static int push(size_t first, size_t count) {
  const size_t each = ROWS_ARG0_COUNT;
  size_t i;
  int code;
  for (i = 0; i < count * each; ++i) some[i] = image[first * each + i];
  code = rows_push_arg0(&rows, some, count);
  for (i = 0; i < count * each; ++i) some[i] = 0;
  return code;
}
static void window(size_t most) {
  size_t i, at = 0;
  for (i = 0; i < PLAIN_ARG0_COUNT; ++i) plain_arg0_data(&plain)[i] = image[i] = (ARG_TYPE)(SCALE * (int)(drawn() % 255) - 127 * SCALE);
  check(plain_run(&plain) == PLAIN_OK, "plain");
  check(rows_begin(&rows) == ROWS_OK, "begin");
  while (at < ROWS_STREAM_ROWS) {
    size_t count = drawn() % (most + 1);
    check(rows_end(&rows) == ROWS_ERROR_ROWS, "an end before the last row");
    if (count > ROWS_STREAM_ROWS - at) count = ROWS_STREAM_ROWS - at;
    check(push(at, count) == ROWS_OK, "push");
    at += count;
    check(rows_rows_left(&rows) == ROWS_STREAM_ROWS - at, "rows left");
  }
  check(rows_end(&rows) == ROWS_OK, "end");
  for (i = 0; i < PLAIN_RESULT0_COUNT; ++i)
    check(plain_result0_data(&plain)[i] == rows_result0_data(&rows)[i], "bits");
}
int main(void) {
  check(rows_push_arg0(&rows, image, 1) == ROWS_ERROR_NULL, "no instance");
  check(plain_init(&plain, plain_arena) == PLAIN_OK && rows_init(&rows, rows_arena) == ROWS_OK, "init");
  check(push(0, 1) == ROWS_ERROR_NOT_BEGUN && rows_end(&rows) == ROWS_ERROR_NOT_BEGUN, "rows before begin");
  window(1);
  check(push(0, 1) == ROWS_ERROR_ROWS, "a row behind the last");
  window(5);
  window(ROWS_STREAM_ROWS);
  /* Dropped in the middle; then too many rows, of which none is taken. */
  check(rows_begin(&rows) == ROWS_OK && push(0, 7) == ROWS_OK && push(0, ROWS_STREAM_ROWS - 6) == ROWS_ERROR_ROWS, "too many");
  check(rows_rows_left(&rows) == ROWS_STREAM_ROWS - 7, "none is taken");
  window(3);
  /* Another model with the same arena. */
  check(rows_begin(&rows) == ROWS_OK && push(0, 2) == ROWS_OK, "begin again");
  OTHER
  check(push(2, 1) == ROWS_ERROR_ARENA && push(2, 1) == ROWS_ERROR_NOT_BEGUN, "another model");
  check(plain_init(&plain, plain_arena) == PLAIN_OK, "init");
  window(4);
  if (failures == 0) board_write("stream: right\\n", 14);
  return failures != 0;
}
"""
SAME_ARENA = """{
    static unsigned char both[(PLAIN_ARENA_BYTES > ROWS_ARENA_BYTES ? PLAIN_ARENA_BYTES : ROWS_ARENA_BYTES)] BOARD_BULK
        __attribute__((aligned(64)));
    check(rows_init(&rows, both) == ROWS_OK && rows_begin(&rows) == ROWS_OK && push(0, 2) == ROWS_OK, "in one arena");
    check(plain_init(&plain, both) == PLAIN_OK && plain_run(&plain) == PLAIN_OK, "the other model");
  }"""


# The same in C++, with the names that tfcompile's users know.
CLASS = """
#include "rows.h"
int main() {
  static Rows::Static rows;
  static TYPE image[Rows::kArg0Count * 64];
  if (rows.push_arg0(image, 1) || rows.End()) return 1;
  if (!rows.Begin() || rows.rows_left() != ROWS_STREAM_ROWS) return 2;
  for (int i = 0; i < ROWS_STREAM_ROWS; ++i)
    if (rows.End() || !rows.push_arg0(image, 1)) return 3;
  if (!rows.End() || rows.push_arg0(image, 1)) return 4;
  return rows.error_msg()[0] == 't' && rows.result0_data() != nullptr ? 0 : 5;
}
"""
ADDED = """HloModule m
ENTRY e {
  frames = f32[12,4] parameter(0)
  bias = f32[4] parameter(1)
  weights = f32[4,3] constant({ {1,2,3}, {4,5,6}, {-1,0,1}, {2,2,2} })
  all = f32[12,4] broadcast(bias), dimensions={1}
  sum = f32[12,4] add(frames, all)
  ROOT products = f32[12,3] dot(sum, weights), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
"""
# In front of the board's compiler: a fault in the header of the library that takes rows.
SHIM = """#!{python}
import os, pathlib, sys
for word in sys.argv[1:]:
    header = pathlib.Path(word[2:]) / "hlocc_case_0.h"
    if word.startswith("-I") and header.exists():
        text = header.read_text()
        assert "++stream[1];" in text
        header.write_text(text.replace({good!r}, {bad!r}))
os.execv({compiler!r}, [{compiler!r}] + sys.argv[1:])
"""
VWW = ROOT / "tests" / "memory" / "vww_mobilenet.snapshot.pb"


class Stream(Test):
    def compiled(self, model, *more, preset="host", stream="arg0", rows=()):
        self.done("compile", model, "--name", "Plain", "-o", self.folder, "--target", preset, *more)
        self.done("compile", model, "--name", "Rows", "-o", self.folder, "--target", preset,
                  "--stream", stream, *more, *rows)
        return self.manifest("plain.json"), self.manifest("rows.json")

    def right(self, preset, kind="int8_t", scale="1", code="lib{}.a"):
        text = PROGRAM.replace("ARG_TYPE", kind).replace("SCALE",
                                                         scale).replace("OTHER", SAME_ARENA)
        (self.folder / "main.c").write_text(text)
        self.shell(BOARDS / "link_firmware.sh", preset, self.folder / "main.elf",
                   self.folder / "main.c", *STRICT, "-I", self.folder,
                   *[self.folder / code.format(name) for name in ("plain", "rows")])
        self.assertIn("stream: right",
                      self.shell(BOARDS / "run_board.sh", preset, self.folder / "main.elf"))

    def test_same_bits(self):
        for preset in ("host", "cortex-m4f", "cortex-m0", "rv32imc", "s390x-linux"):
            with self.subTest(preset):
                plain, rows = self.compiled(snapshot("kws_dscnn_int8"), preset=preset)
                self.assertEqual(plain["arguments"][0]["bytes"], 490)
                self.assertEqual(rows["arguments"][0]["bytes"], 10)
                self.assertEqual(rows["stream"], {"argument": 0, "axis": 1, "rows": 49})
                if preset == "cortex-m4f":
                    self.assertLessEqual(rows["arena_bytes"], 3557)
                self.right(preset)

    def test_same_bits_of_others(self):
        self.compiled(snapshot("kws_dscnn"), "--no-winograd")
        self.right("host", "float", "0.01f")
        self.compiled(snapshot("cnn_digits_int8"), rows=["--optimize=ram"])
        self.right("host")

    def verified(self, *words):
        ran = hlocc("verify", *words, "--stream", "arg0")
        return ran.returncode, ran.stdout.decode()

    def test_verify(self):
        cases = [snapshot(name) for name in ("kws_dscnn_int8", "cnn_digits_int8", "kws_dscnn",
                                             "kws_gru_stream")] + [VWW]
        for way in ([], ["--backend", "c"], ["--target", "host", "--optimize=ram"]):
            with self.subTest(way=way):
                self.assertEqual(self.verified(*cases, *way),
                                 (0, f"{len(cases)} passed, 0 failed, 0 skipped\n"))

    def test_verify_on_boards(self):
        cases = [snapshot("kws_dscnn_int8"), snapshot("cnn_digits_int8")]
        if "CORPUS" in os.environ:
            models = pathlib.Path(os.environ["CORPUS"]) / "models"
            cases += [models / f"{name}.snapshot.pb" for name in
                      ("vww_mobilenet_int8", "ic_resnet8_int8", "vww_mobilenet", "ic_resnet8")]
        for target in ("cortex-m4f", "s390x-linux"):
            with self.subTest(target):
                self.assertEqual(self.verified(*cases, "--target", target),
                                 (0, f"{len(cases)} passed, 0 failed, 0 skipped\n"))
        runner = f"{BOARDS}/run_board.sh cortex-m4f"
        self.assertEqual(
            self.verified(*cases[:1], "--target", "cortex-m4f", "--board", "cortex-m4f",
                          "--runner", runner), (0, "1 passed, 0 failed, 0 skipped\n"))

    def planted(self, good, bad):
        shims = self.folder / "shims"
        shims.mkdir(exist_ok=True)
        script, path = shims / "cc", os.environ["PATH"]
        script.write_text(SHIM.format(python=sys.executable, compiler=shutil.which("cc"),
                                      good=good, bad=bad))
        script.chmod(0o755)
        os.environ["PATH"] = f"{shims}:{path}"
        try:
            code, out = self.verified(snapshot("kws_dscnn_int8"), "--backend", "c")
        finally:
            os.environ["PATH"] = path
        self.assertEqual(code, 1, out)
        return out

    def test_verify_finds_faults(self):
        self.assertRegex(self.planted("rows += 10", "rows += 0"),
                         "rows pushed in pieces of drawn sizes: result0 .* from the plain run")
        self.assertRegex(self.planted("if (code != HLOCC_CASE_0_OK) return code;",
                                      "if (stream[1] > 40) return 77;"),
                         "rows pushed one at a time: push returned 77")
        # What is read when it is not there any more.
        self.assertRegex(self.planted("(const void *, rows)", "(const void *, rows - 10)"),
                         "rows pushed in pieces of drawn sizes: result0 |one at a time: result0 ")

    def test_verify_refuses(self):
        case = snapshot("kws_dscnn_int8")
        for words, told in ((["--guard"], "--guard and --stream"),
                            (["--backend", "interpreter"], "--stream is for compiled libraries")):
            self.assertIn(told, self.refused(2, "usage", "verify", case, "--stream", "arg0",
                                             *words))
        ran = hlocc("verify", case, "--stream", "image")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("FAILED kws_dscnn_int8: error[usage]: --stream image: no argument is called",
                      ran.stdout.decode())

    def test_in_c(self):
        self.compiled(snapshot("kws_dscnn_int8"), "--backend", "c")
        self.right("host", code="{}.c")

    def test_class(self):
        self.compiled(snapshot("kws_dscnn_int8"))
        (self.folder / "main.cpp").write_text(CLASS.replace("TYPE", "int8_t"))
        for standard in ("c++11", "c++20"):
            self.shell("g++",
                       f"-std={standard}",
                       *STRICT,
                       "-Wpedantic",
                       "-fno-exceptions",
                       "-fno-rtti",
                       "-I",
                       self.folder,
                       "main.cpp",
                       "librows.a",
                       "-o",
                       "main",
                       cwd=self.folder)
            self.shell(self.folder / "main")
        self.shell("gcc",
                   "-std=c99",
                   *STRICT,
                   "-Wpedantic",
                   "-ffreestanding",
                   "-fsyntax-only",
                   "rows.h",
                   cwd=self.folder)

    def test_other_arguments_are_held(self):
        (self.folder / "added.hlo.txt").write_text(ADDED)
        self.done("compile", self.folder / "added.hlo.txt", "--name", "Rows", "-o", self.folder,
                  "--stream", "frames=0")
        (self.folder / "main.c").write_text("""
#include "rows.h"
static unsigned char arena[ROWS_ARENA_BYTES] __attribute__((aligned(ROWS_ARENA_ALIGN)));
int main(void) {
  static rows_t rows;
  float row[4] = {1, 2, 3, 4};
  int i, k;
  if (rows_init(&rows, arena) != 0) return 1;
  for (k = 0; k < 4; ++k) rows_arg_bias_data(&rows)[k] = (float)(10 * k);
  if (rows_begin(&rows) != 0) return 2;
  for (i = 0; i < 12; ++i, row[0] += 1)
    if (rows_push_frames(&rows, row, 1) != 0) return 3;
  for (i = 0; i < 12; ++i)
    if (rows_result0_data(&rows)[3 * i] != (float)(i + 1) + 12 * 4 - 23 + 34 * 2) return 4;
  return rows_end(&rows);
}
""")
        self.shell("gcc",
                   *STRICT,
                   "-I",
                   self.folder,
                   "main.c",
                   "librows.a",
                   "-o",
                   "main",
                   cwd=self.folder)
        self.shell(self.folder / "main")

    def refusal(self, stream, code, kind, model=None, *more):
        return self.refused(code, kind, "compile", model or snapshot("kws_dscnn_int8"), "-o",
                            self.folder, "--stream", stream, *more)

    def test_analyze_plans_the_same(self):
        words = (snapshot("kws_dscnn_int8"), "--target", "cortex-m4f", "--stream", "arg0")
        self.done("compile", *words, "--name", "Rows", "-o", self.folder, "-q")
        found, made = json.loads(self.done("analyze", *words, "--json"))["targets"][0], json.loads(
            (self.folder / "rows.json").read_text())
        self.assertEqual(found["arena_bytes"], made["arena_bytes"])
        self.assertLess(found["arena_bytes"], 16000)

    def test_refused(self):
        self.assertIn("no argument is called x", self.refusal("x", 2, "usage"))
        self.assertIn("the axis is no number", self.refusal("arg0=rows", 2, "usage"))
        self.assertIn("has 4 dimensions", self.refusal("arg0=4", 2, "usage"))
        inner = self.refusal("arg0=2", 1, "unsupported")
        self.assertIn("dimension 2 is not the outermost", inner)
        self.assertIn(
            "stream dimension 1, or let the model take the argument with dimension 2 first and "
            "transpose it",
            inner)
        self.assertIn("has no rows there", self.refusal("arg0=0", 1, "unsupported"))
        self.assertIn("is donated",
                      self.refusal("arg1", 1, "unsupported", snapshot("kws_gru_stream")))
        whole = self.folder / "whole.hlo.txt"
        whole.write_text(
            "HloModule m\nENTRY e {\n  x = f32[8,4] parameter(0)\n"
            "  ROOT r = f32[8,4] reverse(x), dimensions={0}\n}\n"
        )
        told = self.refusal("x", 1, "unsupported", whole)
        self.assertIn("whole.hlo.txt:4: ", told)
        self.assertIn("%r: reverse wants all rows at once", told)
        self.assertIn(
            "--shared-arena and --stream",
            self.refusal("arg0", 2, "usage", None, snapshot("mlp_digits"), "--shared-arena",
                         "--name", "Both"))


if __name__ == "__main__":
    main()

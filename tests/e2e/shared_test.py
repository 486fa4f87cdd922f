"""Several models as one library with one arena, and libraries of their own side by side: the
results of all are right on four boards, the arena is the largest and not the sum, equal kernels are
there once, and what can't be is refused."""
import functools
import subprocess
import sys

from harness import ROOT, Test, hlocc, main, snapshot

sys.path.insert(0, str(ROOT / "bench"))
import snapshot as reader  # noqa: E402

BOARDS = ROOT / "toolchains" / "boards"
C_TYPES = {
    "f32": ("float", "hlocc_selftest_f32", "1e-4f, 2e-4f"),
    "s8": ("int8_t", "hlocc_selftest_integers", "1, 1, 0"),
    "s32": ("int32_t", "hlocc_selftest_integers", "4, 1, 0")
}
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-ffreestanding", "-fsyntax-only"]


def table(name, literal):
    """A literal of a snapshot as an array of C's, by its bytes."""
    kind, _, data = literal
    return f"static const unsigned char {name}[] __attribute__((aligned(4))) = {{{', '.join(str(b) for b in data)}}};\n", kind, len(
        data)


class Model:
    """A model of the tests as C sees it below a prefix."""

    def __init__(self, name, model):
        self.file, self.name, self.prefix = snapshot(model), name, f"acme_{name.lower()}_"
        self.arguments, self.results = reader.read_snapshot(self.file)

    def code(self):
        """Declarations, and a function that writes the inputs, runs, and holds the results against
        the snapshot's."""
        p, out, body = self.prefix, "", ""
        for i, literal in enumerate(self.arguments):
            text, _, size = table(f"{p}in{i}", literal)
            out += text
            body += f"  copy({p}arg{i}_data(&{p}model), {p}in{i}, {size});\n"
        body += f'  hlocc_selftest_true(test, "{self.name}-ran", {p}run(&{p}model) == 0);\n'
        for i, literal in enumerate(self.results):
            text, kind, size = table(f"{p}out{i}", literal)
            ctype, check, rule = C_TYPES[kind]
            out += text
            body += (
                f'  {check}(test, "{self.name}-{i}", {p}result{i}_data(&{p}model), (const {ctype} '
                f'*)(const void *){p}out{i}, '
                f"{size} / sizeof({ctype}), {rule});\n")
        return f"static {p}t {p}model;\n{out}static void {p}check(hlocc_selftest *test) {{\n{body}}}\n"


def program(models, headers, arena):
    text = '#include "board.h"\n#include "hlocc_selftest.h"\n' + "".join(f'#include "{header}"\n'
                                                                         for header in headers)
    text += """
static void to_board(void *context, const char *text, size_t bytes) {
  (void)context;
  board_write(text, bytes);
}
static void copy(void *to, const unsigned char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) ((unsigned char *)to)[i] = from[i];
}
"""
    text += "".join(model.code() for model in models)
    text += f"static unsigned char arena[{arena}] __attribute__((aligned(64)));\n"
    text += 'int main(void) {\n  hlocc_selftest test;\n  hlocc_selftest_begin(&test, "models", to_board, 0);\n'
    text += "".join(
        f'  hlocc_selftest_true(&test, "init", {m.prefix}init(&{m.prefix}model, arena) == 0);\n'
        for m in models)
    # One after the other, twice: each finds what the others left in the arena.
    text += "".join(f"  {m.prefix}check(&test);\n" for m in models * 2)
    return text + "  return hlocc_selftest_end(&test);\n}\n"


MLP = functools.partial(Model, "Mlp", "mlp_digits")
CNN = functools.partial(Model, "Cnn", "cnn_digits_int8")


class Shared(Test):
    def compiled(self, models, *more, name="acme::Both"):
        return self.done("compile", *[f"{m.name}={m.file}" for m in models], "--shared-arena",
                         "--name", name, "-o", self.folder, *more)

    def ran(self, preset, source, *libraries):
        (self.folder / "main.c").write_text(source)
        self.shell(BOARDS / "link_firmware.sh", preset, self.folder / "main.elf",
                   self.folder / "main.c", "-Werror", "-I", self.folder, "-I",
                   ROOT / "runtime_stub", *libraries)
        out = self.shell(BOARDS / "run_board.sh", preset, self.folder / "main.elf")
        self.assertRegex(out, r"hlocc-selftest end models passed \d+ failed 0")

    def test_right_on_boards(self):
        models = [MLP(), CNN()]
        for preset in ("cortex-m4f", "cortex-m0", "rv32imc", "cortex-a53"):
            with self.subTest(preset):
                told = self.compiled(models, "--target", preset)
                self.assertIn("acme::Mlp: arena ", told)
                self.assertEqual([n for n in self.files() if "both" in n],
                                 ["both.h", "both.json", "libboth.a"])
                both = self.manifest("both.json")
                self.assertEqual([one["name"] for one in both["models"]],
                                 ["acme::Mlp", "acme::Cnn"])
                sizes = [one["arena_bytes"] for one in both["models"]]
                self.assertEqual(both["arena_bytes"], max(sizes))
                self.ran(preset, program(models, ["both.h"], "ACME_BOTH_ARENA_BYTES"),
                         self.folder / "libboth.a")

    def test_large_weights(self):
        # A pool that goes around LLVM: both pools lie in one hole.
        models = [Model("Ad", "ad_autoencoder"), MLP()]
        self.compiled(models, "--target", "cortex-a53")
        self.assertGreater(self.manifest("both.json")["weights_bytes"], 1 << 20)
        self.ran("cortex-a53", program(models, ["both.h"], "ACME_BOTH_ARENA_BYTES"),
                 self.folder / "libboth.a")

    def test_apart_they_link_without_a_clash(self):
        models = [MLP(), CNN()]
        for m in models:
            self.done("compile", m.file, "--name", f"acme::{m.name}", "-o", self.folder, "--target",
                      "cortex-m4f")
        self.ran("cortex-m4f",
                 program(models, ["mlp.h", "cnn.h"], "ACME_MLP_ARENA_BYTES + ACME_CNN_ARENA_BYTES"),
                 self.folder / "libmlp.a", self.folder / "libcnn.a")
        # The same model under two names is two models.
        twice = [Model("One", "mlp_digits"), Model("Two", "mlp_digits")]
        for m in twice:
            self.done("compile", m.file, "--name", f"acme::{m.name}", "-o", self.folder, "--target",
                      "cortex-m4f")
        self.ran("cortex-m4f", program(twice, ["one.h", "two.h"], "ACME_ONE_ARENA_BYTES"),
                 self.folder / "libone.a", self.folder / "libtwo.a")

    def test_kernels_are_shared(self):
        one = MLP()
        self.done("compile", one.file, "--name", "acme::Mlp", "-o", self.folder, "--target",
                  "cortex-m4f")
        alone = self.manifest("mlp.json")
        self.compiled([one, Model("Other", "mlp_digits")], "--target", "cortex-m4f")
        both = self.manifest("both.json")
        symbols = self.shell("arm-none-eabi-nm", "--defined-only", self.folder / "libboth.a")
        kernels = [line.split()[-1] for line in symbols.splitlines() if "_k_" in line]
        self.assertEqual(len(kernels), len(set(kernels)))
        alone_symbols = self.shell("arm-none-eabi-nm", "--defined-only", self.folder / "libmlp.a")
        self.assertEqual(len(kernels), sum("_k_" in line for line in alone_symbols.splitlines()))
        self.assertLess(both["code_bytes"], 1.5 * alone["code_bytes"])
        self.assertEqual(both["models"][0]["arena_bytes"], alone["arena_bytes"])
        # What one says of itself is what it says alone.
        for key in ("arguments", "results", "interface", "run_symbol", "input_sha256"):
            self.assertEqual(both["models"][0][key], alone[key], key)

    def test_header(self):
        self.compiled([MLP(), CNN()], "--target", "host")
        use = "acme::Both::Arena arena;\nacme::Mlp mlp(arena.bytes);\nacme::Cnn cnn(arena.bytes);\nbool f() { return mlp.Run() && cnn.Run(); }\n"
        for compiler in ("gcc", "clang-19"):
            for language, flags in (("c", ["-std=c99"]),
                                    ("c++", ["-std=c++11", "-fno-exceptions", "-fno-rtti"])):
                self.shell(compiler, "-x", language, *flags, *STRICT, self.folder / "both.h")
        (self.folder / "use.cpp").write_text('#include "both.h"\n' + use)
        self.shell("g++", "-std=c++11", *STRICT, self.folder / "use.cpp")
        # A compiler for another core is refused, unless the one macro of the library says
        # otherwise.
        (self.folder / "use.c").write_text('#include "both.h"\n')
        wrong = ["gcc", "-m32", "-fsyntax-only", self.folder / "use.c"]
        self.assertNotEqual(subprocess.run(wrong, capture_output=True, check=False).returncode, 0)
        ran = subprocess.run([*wrong, "-DACME_BOTH_SKIP_TARGET_CHECK"],
                             capture_output=True,
                             text=True,
                             check=False)
        self.assertNotIn("was compiled for", ran.stderr)

    def test_other_files(self):
        self.compiled([MLP(), CNN()], "--target", "cortex-m4f", "--emit",
                      "lib,header,obj,asm,llvm,hlo,kernel,report", "--depfile",
                      self.folder / "both.d", "-q")
        self.assertEqual(
            self.files(),
            sorted([
                "both.d", "both.h", "both.html", "both.hlo.txt", "both.json", "both.kernel.txt",
                "both.ll", "both.o", "both.s", "libboth.a"
            ]))
        rule = (self.folder / "both.d").read_text()
        self.assertTrue(
            rule.endswith(f": {snapshot('mlp_digits')} {snapshot('cnn_digits_int8')}\n"), rule)
        page = (self.folder / "both.html").read_text()
        self.assertIn("acme::Mlp", page)
        self.assertIn("acme::Cnn", page)
        self.assertIn(
            "does not make it",
            self.refused(1, "unsupported", "compile", f"Mlp={MLP().file}", f"Cnn={CNN().file}",
                         "--shared-arena", "--name", "acme::Both", "-o", self.folder, "--emit",
                         "c"))

    def test_names_come_from_the_modules(self):
        # As the exporter called them, numbered where they are equal, and never from the files'
        # names.
        copy = self.folder / "other.pb"
        copy.write_bytes(snapshot("mlp_digits").read_bytes())
        made = []
        for file in (snapshot("mlp_digits"), copy):
            self.done("compile", file, snapshot("cnn_digits_int8"), file, "--shared-arena",
                      "--name", "acme::All", "-o", self.folder, "--target", "cortex-m4f")
            made.append([(self.folder / name).read_bytes()
                         for name in ("liball.a", "all.h", "all.json")])
        self.assertEqual(made[0], made[1])
        self.assertEqual([one["name"] for one in self.manifest("all.json")["models"]],
                         ["acme::MlpDigits", "acme::CnnDigitsInt8", "acme::MlpDigits2"])

    def test_names_of_leaves(self):
        self.compiled([MLP(), CNN()], "--target", "cortex-m4f", "--arg", "Mlp:0=pixels", "--result",
                      "Cnn:0=probs")
        both = self.manifest("both.json")["models"]
        self.assertEqual((both[0]["arguments"][0]["name"], both[1]["results"][0]["name"]),
                         ("pixels", "probs"))
        self.assertEqual(both[0]["results"][0]["name"], "")
        words = [
            f"Mlp={MLP().file}", f"Cnn={CNN().file}", "--shared-arena", "--name", "acme::Both",
            "-o", self.folder
        ]
        self.assertIn("here it is --arg Mlp:0=x",
                      self.refused(2, "usage", "compile", *words, "--arg", "0=x"))
        self.assertIn("no such leaf", self.refused(2, "usage", "compile", *words, "--arg",
                                                   "Mlp:7=x"))
        self.assertIn("the models are Mlp, Cnn",
                      self.refused(2, "usage", "compile", *words, "--result", "Gru:0=x"))

    def test_refusals(self):
        one, two = MLP().file, CNN().file
        out = ("--shared-arena", "-o", self.folder)
        self.assertIn("needs a --name", self.refused(2, "usage", "compile", one, two, *out))
        self.assertIn("needs two models",
                      self.refused(2, "usage", "compile", one, "--name", "A", *out))
        self.assertIn(
            "makes no libraries",
            self.refused(2, "usage", "compile", one, two, "--name", "A", "--backend", "c", *out))
        # acme_kws_arg_... would be names of both.
        self.assertIn(
            "could be names of",
            self.refused(2, "usage", "compile", f"Kws={one}", f"KwsArg={two}", "--name",
                         "acme::Both", *out))
        self.assertIn(
            "could be names of",
            self.refused(2, "usage", "compile", f"Kws={one}", f"Kws={two}", "--name", "acme::Both",
                         *out))
        self.assertIn(
            "could be names of",
            self.refused(2, "usage", "compile", f"Kws={one}", f"Both={two}", "--name", "acme::Both",
                         *out))
        self.assertIn(
            "keyword",
            self.refused(2, "usage", "compile", f"Kws={one}", f"class={two}", "--name",
                         "acme::Both", *out))
        self.done("compile", f"Kws={one}", f"Arg={two}", "--name", "acme::Both", *out)
        missing = self.folder / "missing.pb"
        self.assertIn(
            str(missing),
            self.refused(1, "file", "compile", one, f"Kws={missing}", "--name", "A", *out))

    def test_budgets_are_those_of_the_whole(self):
        self.compiled([MLP(), CNN()], "--target", "cortex-m4f")
        both = self.manifest("both.json")
        words = [
            f"Mlp={MLP().file}", f"Cnn={CNN().file}", "--shared-arena", "--name", "acme::Both",
            "-o", self.folder, "--target", "cortex-m4f"
        ]
        self.done("compile", *words, "--ram", both["arena_bytes"] + 100)
        told = self.refused(1, "budget", "compile", *words, "--ram", both["arena_bytes"])
        self.assertIn("acme::Both needs", told)
        self.assertFalse((self.folder / "libboth.a").exists())

    def test_doctor(self):
        models = [MLP(), CNN()]
        self.compiled(models, "--target", "cortex-m4f")
        self.ran("cortex-m4f", program(models, ["both.h"], "ACME_BOTH_ARENA_BYTES"),
                 self.folder / "libboth.a")
        told = self.done("doctor", self.folder / "main.elf", "--library", self.folder / "libboth.a",
                         "--header", self.folder / "both.h")
        self.assertIn("nothing is wrong", told)


if __name__ == "__main__":
    main()

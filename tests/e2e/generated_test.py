"""The generated files: names, sameness of bytes, and programs that link the library through the
header alone."""
import hashlib
import json
import os
import struct
import subprocess

from harness import MODELS, Test, hlocc, main, snapshot

# Reads the arguments as bytes from stdin, prints the results' bytes.
MAIN_C = """
#include <stdio.h>
#include "kws.h"
static unsigned char arena[ACME_KWS_ARENA_BYTES] __attribute__((aligned(ACME_KWS_ARENA_ALIGN)));
static acme_kws_t kws;
int main(void) {
  if (acme_kws_init(&kws, arena) != 0) return 1;
  float *in = acme_kws_arg_mfcc_data(&kws);
  if (fread(in, 1, ACME_KWS_ARG0_BYTES, stdin) != ACME_KWS_ARG0_BYTES) return 2;
  if (acme_kws_run(&kws) != 0) return 3;
  const float *p = acme_kws_result_probs_data(&kws);
  return fwrite(p, 1, ACME_KWS_RESULT0_BYTES, stdout) == ACME_KWS_RESULT0_BYTES ? 0 : 4;
}
"""

# The same through the class, twice, with buffers of the caller's that run must leave alone.
MAIN_CPP = """
#include <cstdio>
#include <cstring>
#include "kws.h"
static acme::Kws::Static kws;
alignas(64) static float mine[acme::Kws::kArg0Count], copy[acme::Kws::kArg0Count], probs[acme::Kws::kResult0Count];
int main() {
  if (fread(mine, 1, sizeof mine, stdin) != sizeof mine) return 1;
  memcpy(copy, mine, sizeof mine);
  kws.set_arg_mfcc_data(mine);
  kws.set_result_probs_data(probs);
  for (int turn = 0; turn < 2; ++turn)
    if (!kws.Run()) return 2;
  if (memcmp(copy, mine, sizeof mine) != 0) return 3;
  if (&kws.result_probs(0, 1) != probs + 1 || kws.results()[0] != probs) return 4;
  return fwrite(probs, 1, sizeof probs, stdout) == sizeof probs ? 0 : 5;
}
"""

CALLS = """HloModule calls
ENTRY main {
  x = f32[4] parameter(0)
  n = s32[2] parameter(1)
  y = f32[4] custom-call(x, n), custom_call_target="my_filter"
  ROOT r = f32[4] add(y, x)
}"""
CALLS_MAIN = """
#include "calls.h"
static unsigned char arena[CALLS_ARENA_BYTES] __attribute__((aligned(CALLS_ARENA_ALIGN)));
static calls_t calls;
void my_filter(const void *const *operands, void *const *results) {
  const float *x = operands[0];
  const int32_t *n = operands[1];
  float *y = results[0];
  for (int i = 0; i < 4; ++i) y[i] = x[3 - i] * (float)n[1];
}
int main(void) {
  if (calls_init(&calls, arena) != 0) return 1;
  for (int i = 0; i < 4; ++i) calls_arg_x_data(&calls)[i] = (float)i;
  calls_arg_n_data(&calls)[1] = 10;
  if (calls_run(&calls) != 0) return 2;
  for (int i = 0; i < 4; ++i)
    if (calls_result0_data(&calls)[i] != (float)(10 * (3 - i) + i)) return 3;
  return 0;
}
"""
NAMED = """HloModule gain
ENTRY main {{
  Arg_0.1 = f32[4] parameter(0), metadata={{op_name="{0}"}}
  Arg_1.2 = f32[4] parameter(1), metadata={{op_name="{1}"}}
  ROOT r = f32[4] subtract(Arg_0.1, Arg_1.2)
}}"""

STRICT = "-Wall -Wextra -Wpedantic -Werror -ffreestanding -fsyntax-only".split()


class Generated(Test):
    def compile_kws(self, *more):
        self.done("compile", snapshot("kws_dscnn"), "-o", self.folder, "--name", "acme::Kws",
                  "--arg", "0=mfcc", "--result", "0=probs", *more)

    def input_and_expected(self):
        """The snapshot's argument as bytes, and the interpreter's results."""
        out = self.folder / "expected"
        self.done("run", snapshot("kws_dscnn"), "--backend", "interpreter", "--output", f"{out}/")
        body = (out / "result0.npy").read_bytes()
        expected = body[10 + struct.unpack("<H", body[8:10])[0]:]
        data = snapshot("kws_dscnn").read_bytes()
        # The argument is the one LiteralProto field of its size: 490 floats, field 8, packed.
        at = data.rfind(b"\x42\xa8\x0f")
        self.assertGreater(at, 0)
        return data[at + 3:at + 3 + 1960], expected

    def check_outputs(self, got, expected):
        for a, b in zip(struct.unpack("<12f", got), struct.unpack("<12f", expected), strict=True):
            self.assertLessEqual(abs(a - b), 1e-5 + 1e-5 * abs(b))

    def run_program(self, source, compiler, *flags):
        main_file = self.folder / source[0]
        main_file.write_text(source[1])
        self.shell(*compiler, "-I", self.folder, main_file, self.folder / "libkws.a", "-o",
                   self.folder / "program", *flags)
        given, expected = self.input_and_expected()
        ran = subprocess.run([self.folder / "program"],
                             input=given,
                             capture_output=True,
                             check=False)
        self.assertEqual(ran.returncode, 0)
        self.check_outputs(ran.stdout, expected)

    def test_it_is_its_users(self):
        """Whatever text is generated says so near its top."""
        both = [
            "Kws=" + str(snapshot("kws_dscnn")), "Mlp=" + str(snapshot("mlp_digits")),
            "--shared-arena", "--name", "acme::Both"
        ]
        self.done("compile", snapshot("kws_dscnn"), "-o", self.folder, "--backend", "c", "--emit",
                  "c,header")
        self.done("compile", *both, "-o", self.folder, "--emit", "header")
        for name in ["kws_dscnn.h", "kws_dscnn.c", "both.h"]:
            head = (self.folder / name).read_text()[:400]
            self.assertIn("What hlocc generates belongs to its user", head)
            self.assertNotIn("SPDX", head)

    def test_c_program(self):
        self.compile_kws()
        self.assertEqual(self.files(), ["kws.h", "kws.json", "libkws.a"])
        self.run_program(("main.c", MAIN_C),
                         ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-O1"])

    def test_cpp_program(self):
        self.compile_kws("-O3")
        self.run_program(("main.cpp", MAIN_CPP),
                         ["g++", "-std=c++11", "-Wall", "-Wextra", "-Werror"])

    def test_kept_arguments(self):
        self.compile_kws("--keep-arguments")
        self.run_program(("main.c", MAIN_C), ["gcc", "-std=c99", "-O1"])
        self.assertTrue(self.manifest("kws.json")["options"]["keep_arguments"])

    def test_direct_convolutions(self):
        """--no-winograd leaves the plain filter and the plain form; levels that never transform it
        don't care."""
        taps = iter(range(9 * 16 * 16))
        filters = [[[[next(taps) * 37 % 101 - 50
                      for _ in range(16)]
                     for _ in range(16)]
                    for _ in range(3)]
                   for _ in range(3)]
        text = json.dumps(filters).replace("[", "{").replace("]", "}")
        model = self.folder / "conv.hlo"
        model.write_text(f"""HloModule conv
            ENTRY main {{
              a = f32[1,16,16,16] parameter(0)
              b = f32[3,3,16,16] constant({text})
              ROOT r = f32[1,16,16,16] convolution(a, b), window={{size=3x3 pad=1_1x1_1}}, dim_labels=b01f_01io->b01f
            }}""")

        def compiled(folder, *flags):
            self.done("compile", model, "-o", self.folder / folder, "--name", "Conv", "--target",
                      "cortex-a53", *flags)
            return (self.folder / folder /
                    "libconv.a").read_bytes(), self.manifest(f"{folder}/conv.json")

        fast, told = compiled("fast")
        self.assertEqual(fast, compiled("again")[0])
        self.assertTrue(told["options"]["winograd"])
        direct, told_direct = compiled("direct", "--no-winograd")
        self.assertNotEqual(fast, direct)
        self.assertFalse(told_direct["options"]["winograd"])
        self.assertEqual(told_direct["weights_bytes"], 9 * 16 * 16 * 4)
        self.assertEqual(told["weights_bytes"], 36 * 16 * 16 * 4)
        self.assertEqual(
            compiled("small", "-Os")[0],
            compiled("small_direct", "-Os", "--no-winograd")[0])

    def test_header_is_strict(self):
        self.compile_kws("--target", "cortex-m4f")
        flags = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", *STRICT]
        self.shell("arm-none-eabi-gcc", "-x", "c", "-std=c99", *flags, self.folder / "kws.h")
        self.shell("arm-none-eabi-g++", "-x", "c++", "-std=c++11", "-fno-exceptions", "-fno-rtti",
                   *flags, self.folder / "kws.h")

    def test_functions_of_the_user(self):
        """Declared in the header, named by a warning, the manifest and inspect; linked and run."""
        model = self.folder / "calls.hlo"
        model.write_text(CALLS)
        ran = hlocc("compile", model, "-o", self.folder, "--name", "Calls")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("warning: the model calls my_filter(f32[4], s32[2] -> f32[4])",
                      ran.stderr.decode())
        self.assertEqual(
            self.manifest("calls.json")["calls"], [{
                "symbol": "my_filter", "operands": [{"type": "f32", "count": 4}, {
                    "type": "s32", "count": 2
                }], "results": [{"type": "f32", "count": 4}]
            }])
        self.assertTrue(self.manifest("calls.json")["stack_is_lower_bound"])
        self.assertIn("calls    my_filter: f32[4], s32[2] -> f32[4], a function of yours",
                      self.done("inspect", model))
        self.assertEqual(
            json.loads(self.done("inspect", model, "--json"))["calls"][0]["symbol"], "my_filter")
        (self.folder / "main.c").write_text(CALLS_MAIN)
        self.shell("gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-I", self.folder,
                   self.folder / "main.c", self.folder / "libcalls.a", "-o",
                   self.folder / "program")
        self.shell(self.folder / "program")

    def test_callbacks_into_python(self):
        model = self.folder / "print.hlo"
        model.write_text(CALLS.replace("my_filter", "xla_ffi_python_cpu_callback"))
        self.assertIn("jax.debug.print",
                      self.refused(1, "unsupported", "compile", model, "-o", self.folder))
        self.assertIn("calls back into Python", self.done("inspect", model))

    def test_names_from_hlo(self):
        """s['gain'] in Python is arg_s_gain; --arg by HLO's name finds it wherever the next export
        puts it."""
        model = self.folder / "gain.hlo"
        order = ["s['gain']", "x"]
        for turn in (0, 1):
            model.write_text(NAMED.format(*order))
            self.done("compile", model, "-o", self.folder, "--name", "Gain", "--arg",
                      "s['gain']=gain")
            names = [leaf["name"] for leaf in self.manifest("gain.json")["arguments"]]
            self.assertEqual(names, ["gain", "x"] if turn == 0 else ["x", "gain"])
            order.reverse()
        self.done("compile", model, "-o", self.folder, "--name", "Gain")
        self.assertIn("gain_arg_s_gain_data(", (self.folder / "gain.h").read_text())
        self.assertRegex(self.done("inspect", model),
                         r"argument  1  s_gain \(s\['gain'\]\): f32\[4\]")
        errors = self.refused(2, "usage", "compile", model, "-o", self.folder, "--arg",
                              "s['gian']=gain")
        self.assertIn("did you mean `s['gain']`?", errors)

    def test_manifest(self):
        self.compile_kws("--target", "cortex-m4f")
        told = self.manifest("kws.json")
        for key in [
                "arena_bytes", "arena_align", "state_bytes", "weights_bytes", "code_bytes",
                "stack_bytes", "undefined", "options", "version"
        ]:
            self.assertIn(key, told)
        self.assertEqual(told["target"], "cortex-m4f")
        shape = json.loads((MODELS / "kws_dscnn.json").read_text())["arguments"][0]["shape"]
        (leaf,) = told["arguments"]
        facts = {
            "index": 0, "name": "mfcc", "type": "f32", "shape": shape, "bytes": 1960,
            "donated": False, "align": 4, "region": "arena", "count": 490,
            "strides": [490, 10, 1, 1]
        }
        self.assertEqual({key: leaf[key] for key in facts}, facts)
        self.assertEqual(told["input_sha256"],
                         hashlib.sha256(snapshot("kws_dscnn").read_bytes()).hexdigest())
        self.assertIn(f"#define acme_kws_run acme_kws_run_{told['interface']}",
                      (self.folder / "kws.h").read_text())
        self.assertFalse(told["stack_is_lower_bound"])
        self.assertGreater(told["weights_bytes"], 80000)
        for symbol in told["undefined"]:
            self.assertRegex(symbol, r"^(mem(cpy|set|move)|__aeabi_.*|__gnu_.*)$")

    def test_names_without_a_name(self):
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder)
        self.assertEqual(self.files(), ["libmlp_digits.a", "mlp_digits.h", "mlp_digits.json"])
        header = (self.folder / "mlp_digits.h").read_text()
        for part in ["class MlpDigits", "mlp_digits_run(", "MLP_DIGITS_ARENA_BYTES"]:
            self.assertIn(part, header)

    def test_several_targets(self):
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder / "out", "--target",
                  "cortex-m0", "--target", "rv32imac")
        self.assertEqual(self.files(self.folder / "out"), ["cortex-m0", "rv32imac"])
        self.assertEqual(self.files(self.folder / "out" / "rv32imac"),
                         ["libmlp_digits.a", "mlp_digits.h", "mlp_digits.json"])

    def test_stdin_and_kinds(self):
        data = snapshot("mlp_digits").read_bytes()
        self.done("compile",
                  "-",
                  "-o",
                  self.folder,
                  "--name",
                  "Mlp",
                  "--emit",
                  "obj,asm,llvm,hlo,kernel",
                  stdin=data)
        self.assertEqual(self.files(),
                         ["mlp.hlo.txt", "mlp.json", "mlp.kernel.txt", "mlp.ll", "mlp.o", "mlp.s"])

    def test_print_after(self):
        stages = hlocc("compile", snapshot("mlp_digits"), "--print-after", "?").stderr.decode()
        names = stages.split("stages are ")[1].strip().split(", ")
        for stage in names:
            out = self.done("compile", snapshot("mlp_digits"), "-o", self.folder, "--print-after",
                            stage, "--verify-each")
            self.assertGreater(len(out), 100, stage)

    def test_depfile(self):
        self.done("compile", snapshot("mlp_digits"), "-o", self.folder / "out", "--depfile",
                  self.folder / "deps.d")
        rule = (self.folder / "deps.d").read_text()
        self.assertIn(f"{self.folder}/out/libmlp_digits.a", rule.split(": ")[0])
        self.assertEqual(rule.split(": ")[1].strip(), str(snapshot("mlp_digits")))
        # What no file was made of depends on none.
        self.done("compile",
                  "-",
                  "-o",
                  self.folder / "out",
                  "--name",
                  "Mlp",
                  "--depfile",
                  self.folder / "deps.d",
                  stdin=snapshot("mlp_digits").read_bytes())
        self.assertEqual((self.folder / "deps.d").read_text().split(":")[1].strip(), "")

    def test_same_bytes_from_elsewhere(self):
        first, second = self.folder / "first", self.folder / "second"
        renamed = self.folder / "renamed.bin"
        renamed.write_bytes(snapshot("mlp_digits").read_bytes())
        flags = [
            "--name", "Mlp", "--target", "cortex-m4f", "--emit",
            "lib,header,obj,asm,llvm,hlo,kernel"
        ]
        self.done("compile", snapshot("mlp_digits"), "-o", first, *flags)
        second.mkdir()
        old = dict(os.environ)
        os.environ.update({"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"})
        try:
            self.done("compile", "../renamed.bin", *flags, cwd=second)
        finally:
            os.environ.clear()
            os.environ.update(old)
        self.assertEqual(self.files(first), self.files(second))
        for name in self.files(first):
            self.assertEqual((first / name).read_bytes(), (second / name).read_bytes(), name)

    def test_failure_writes_nothing(self):
        out = self.folder / "out"
        ran = hlocc("compile", snapshot("mlp_digits"), "-o", out, "--target", "host", "--emit",
                    "lib,c")
        self.assertEqual(ran.returncode, 1)
        self.assertFalse(out.exists())


main()

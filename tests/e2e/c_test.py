"""The C backend as its users meet it: files, strict warnings of every compiler here, sanitizers, determinism."""
import os
import shutil

from harness import HLOCC, Test, main, snapshot

STRICT = ["-std=c99", "-ffreestanding", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wcast-align",
          "-Werror"]
# Floats and integers, state, loops and branches, math functions, sorts, big constants.
NAMES = ["mlp_digits", "cnn_digits_int8", "kws_gru_stream", "topk_sort"]
COMPILERS = {
    "host": [["gcc", "-O1"], ["clang-19", "-O1"]],
    "cortex-m4f": [["arm-none-eabi-gcc", "-O1", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard",
                    "-mfpu=fpv4-sp-d16"]],
    "rv32imc": [["riscv64-unknown-elf-gcc", "-O1", "-march=rv32imc", "-mabi=ilp32"]],
}


class CBackend(Test):
    def compiled(self, name, target, *options):
        self.done("compile", snapshot(name), "-o", self.folder / target, "--backend", "c", "--target", target, "--name",
                  name, *options)
        return self.folder / target / f"{name}.c"

    def test_files_are_source_header_and_manifest(self):
        self.compiled("mlp_digits", "cortex-m4f")
        self.assertEqual(self.files(self.folder / "cortex-m4f"), ["mlp_digits.c", "mlp_digits.h", "mlp_digits.json"])
        self.refused(1, "unsupported", "compile", snapshot("mlp_digits"), "-o", self.folder, "--backend", "c", "--emit", "lib")

    def test_no_compiler_warns(self):
        for target, compilers in COMPILERS.items():
            for name in NAMES:
                source = self.compiled(name, target)
                for compiler in compilers:
                    if shutil.which(compiler[0]):
                        self.shell(*compiler, *STRICT, "-c", source, "-o", self.folder / "out.o")

    def test_text_is_the_same_every_time_and_fits_its_columns(self):
        for target in ("host", "cortex-m4f"):
            for name in ("mlp_digits", "cnn_digits_int8"):
                first = self.compiled(name, target).read_text()
                self.assertEqual(first, self.compiled(name, target).read_text())
                self.assertLessEqual(max(map(len, first.splitlines())), 120)

    def test_sanitizers_find_nothing(self):
        folder = self.folder / "bin"
        folder.mkdir()
        wrapper = folder / "cc"
        wrapper.write_text("#!/bin/sh\nexec /usr/bin/cc \"$@\" -O1 -fsanitize=address,undefined -fno-sanitize-recover=all\n")
        wrapper.chmod(0o755)
        told = self.shell("env", f"PATH={folder}:{os.environ['PATH']}", HLOCC, "verify", snapshot("mlp_digits"),
                          snapshot("topk_sort"), "--backend", "c")
        self.assertIn("2 passed, 0 failed, 0 skipped", told)

    def test_math_functions_that_are_called_serve_vectors(self):
        """At -Os a function of many uses is one function; loops over lanes call it lane by lane."""
        lines = ["x0 = f32[64] parameter(0)"]
        for i in range(40):
            lines.append(f"x{i + 1} = f32[64] {'tanh' if i % 2 else 'sine'}(x{i})")
        model = self.folder / "chain.hlo.txt"
        model.write_text("HloModule chain\nENTRY e {\n  " + "\n  ".join(lines[:-1]) + "\n  ROOT " + lines[-1] + "\n}\n")
        self.done("compile", model, "-o", self.folder, "--backend", "c", "--target", "cortex-a53", "--name", "chain", "-Os")
        source = self.folder / "chain.c"
        self.assertLess(source.stat().st_size, 40000)
        self.shell("gcc", "-Os", *STRICT, "-c", source, "-o", self.folder / "out.o")

    def test_kernels_say_what_they_compute(self):
        text = self.compiled("mlp_digits", "cortex-m4f").read_text()
        self.assertIn("computes ", text)
        self.assertIn("multiplications", text)
        self.assertRegex(text, r"0x1\.[0-9a-f]+p[+-][0-9]+f")


main()

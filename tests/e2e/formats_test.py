"""Object formats beside ELF: COFF and Mach-O as their own linkers and llvm-readobj take them, with
the names that programs of these systems use. None of them runs here; each is linked into an
executable, so that symbols, relocations and archives are right."""
import json
import re
import subprocess

from harness import Test, main, snapshot

MAIN = """#include "mlp_digits.h"
static unsigned char arena[MLP_DIGITS_ARENA_BYTES + 64];
static mlp_digits_t model;
int start(void) {
  unsigned char *aligned = arena + (64 - (uintptr_t)arena % 64) % 64;
  return mlp_digits_init(&model, aligned) + mlp_digits_run(&model) + (int)*mlp_digits_result0_data(&model);
}
"""
# What a system's library would bring.
LIBRARY = """#include <stddef.h>
int _fltused;
void* memcpy(void* to, const void* from, size_t n) { for (size_t i = 0; i < n; ++i) ((volatile char*)to)[i] = ((const char*)from)[i]; return to; }
void* memset(void* to, int c, size_t n) { for (size_t i = 0; i < n; ++i) ((volatile char*)to)[i] = (char)c; return to; }
"""
# By triple: files, what llvm-readobj calls the format, the prefix of symbols, the section of
# weights.
ROWS = {
    "x86_64-pc-windows-msvc": ("mlp_digits.lib", "mlp_digits.obj", "COFF-x86-64", "",
                               ".rdata$mlp_digits_weights"),
    "aarch64-pc-windows-msvc": ("mlp_digits.lib", "mlp_digits.obj", "COFF-ARM64", "",
                                ".rdata$mlp_digits_weights"),
    "x86_64-w64-windows-gnu": ("libmlp_digits.a", "mlp_digits.o", "COFF-x86-64", "",
                               ".rdata$mlp_digits_weights"),
    "aarch64-apple-darwin": ("libmlp_digits.a", "mlp_digits.o", "Mach-O arm64", "_", "__const"),
    "x86_64-apple-darwin": ("libmlp_digits.a", "mlp_digits.o", "Mach-O 64-bit x86-64", "_",
                            "__const"),
}


class Formats(Test):
    def compiled(self, triple, *options):
        folder = self.folder / triple
        self.done("compile", snapshot("mlp_digits"), "--target", triple, "-o", folder, "-q",
                  "--emit", "lib,obj,header", *options)
        return folder

    def linked(self, triple, folder, library, *inputs):
        """A program of the library and of C that Clang compiles against the header."""
        (folder / "main.c").write_text(MAIN)
        (folder / "library.c").write_text(LIBRARY)
        objects = []
        for source in ["main.c", "library.c", *inputs]:
            objects.append(folder / (str(source) + ".o"))
            self.shell("clang-19",
                       f"--target={triple}",
                       "-O1",
                       "-ffreestanding",
                       "-Wall",
                       "-Werror",
                       "-c",
                       folder / source,
                       "-I",
                       folder,
                       "-o",
                       objects[-1],
                       cwd=folder)
        program = folder / "program"
        if "darwin" in triple:
            arch = "arm64" if triple.startswith("aarch64") else "x86_64"
            self.shell("ld64.lld-19", "-arch", arch, "-platform_version", "macos", "11.0", "11.0",
                       "-dylib", *objects, folder / library, "-o", program)
        elif "msvc" in triple:
            self.shell("lld-link-19", "/entry:start", "/subsystem:console", "/nodefaultlib",
                       *objects, folder / library, f"/out:{program}")
        else:
            self.shell("ld.lld-19", "-m", "i386pep", "-e", "start", *objects, folder / library,
                       "-o", program)
        return program

    def test_objects_and_libraries_link(self):
        for triple, (library, obj, fmt, prefix, section) in ROWS.items():
            with self.subTest(triple=triple):
                folder = self.compiled(triple)
                self.assertEqual(self.files(folder),
                                 sorted([library, obj, "mlp_digits.h", "mlp_digits.json"]))
                facts = self.shell("llvm-readobj-19", "--sections", "--symbols", "--relocations",
                                   folder / obj)
                self.assertIn(f"Format: {fmt}\n", facts)
                self.assertRegex(facts, rf"Name: {re.escape(section)} \(")
                self.assertRegex(facts, rf"Name: {prefix}mlp_digits_run_[0-9a-f]{{16}}\b")
                self.assertNotRegex(facts, r"Name: (\.pdata|\.xdata|__compact_unwind|__eh_frame)")
                manifest = json.loads((folder / "mlp_digits.json").read_text())
                self.assertEqual(manifest["weights_bytes"], 68904)
                self.assertLessEqual(set(manifest["undefined"]),
                                     {"memcpy", "memset", "_fltused", "bzero"})
                archive = self.shell("llvm-readobj-19", "--file-headers", folder / library)
                self.assertIn(f"Format: {fmt}\n", archive)
                names = self.shell("llvm-nm-19", "--print-armap", folder / library)
                self.assertRegex(names, rf"{prefix}mlp_digits_run_[0-9a-f]{{16}} in mlp_digits\.o")
                program = self.shell("llvm-readobj-19", "--file-headers",
                                     self.linked(triple, folder, library))
                self.assertIn(f"Format: {fmt}\n", program)

    def test_the_same_bytes_every_time(self):
        for triple in ["x86_64-pc-windows-msvc", "aarch64-apple-darwin"]:
            folder = self.compiled(triple)
            first = [(folder / name).read_bytes() for name in self.files(folder)]
            self.compiled(triple)
            self.assertEqual(first, [(folder / name).read_bytes() for name in self.files(folder)])

    def test_weights_of_their_own_file(self):
        for triple, (library, *_) in ROWS.items():
            with self.subTest(triple=triple):
                folder = self.compiled(triple, "--weights", "external")
                program = self.linked(triple, folder, library, "mlp_digits_weights.S")
                self.assertIn((folder / "mlp_digits_weights.bin").read_bytes(),
                              program.read_bytes())

    def test_a_compile_that_fails_takes_the_library_of_an_earlier_one_away(self):
        folder = self.compiled("x86_64-pc-windows-msvc")
        told = self.refused(2, "usage", "compile", snapshot("mlp_digits"), "--target",
                            "aarch64-apple-darwin", "-o", folder, "--weights-section",
                            "seventeen_letters")
        self.assertEqual(self.files(folder), [])
        self.assertIn("what an earlier compile wrote is removed: ", told)
        self.assertIn(str(folder / "mlp_digits.h"), told)

    def test_sections_of_ones_own(self):
        folder = self.compiled("x86_64-pc-windows-msvc", "--weights-section", ".flash")
        self.assertIn("Name: .flash (",
                      self.shell("llvm-readobj-19", "--sections", folder / "mlp_digits.obj"))
        folder = self.compiled("aarch64-apple-darwin", "--weights-section", "sixteen_letters_")
        self.assertIn("Name: sixteen_letters_ (",
                      self.shell("llvm-readobj-19", "--sections", folder / "mlp_digits.o"))
        self.assertIn(
            "at most 16",
            self.refused(2, "usage", "compile", snapshot("mlp_digits"), "--target",
                         "aarch64-apple-darwin", "-o", self.folder, "--weights-section",
                         "seventeen_letters"))

    def test_the_header_refuses_another_compiler(self):
        folder = self.compiled("aarch64-apple-darwin")
        ran = subprocess.run([
            "clang-19", "--target=x86_64-apple-darwin", "-ffreestanding", "-fsyntax-only", "-x",
            "c", folder / "mlp_digits.h"
        ],
                             capture_output=True,
                             text=True,
                             check=False)
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("this is no compiler for AArch64", ran.stderr)


main()

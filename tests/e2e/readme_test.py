"""README's program in C and in C++, and the command that makes their model: as they stand there,
but for this machine. And its firmware, with the commands that link and run it, as they stand
there."""
import re
import shlex
import shutil
import subprocess

from harness import HLOCC, ROOT, Test, main, snapshot

README = (ROOT / "README.md").read_text(encoding="utf-8")
C_MAIN = """
#include <stdio.h>
int main(void) {
  static float features[ACME_KWS_ARG0_COUNT];
  printf("%d\\n", classify(features));
  return 0;
}
"""
CPP_MAIN = """#include <cstdio>
#include "kws.h"
using std::puts;
%s
int main() {
%s
  std::printf("%%d\\n", p >= 0 && p <= 1);
}
"""


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.S)


class Readme(Test):
    def make(self, *changed):
        shutil.copy(snapshot("kws_dscnn"), self.folder / "kws.pb")
        words = shlex.split(re.search(r"^    hlocc (compile kws\.pb .*)$", README, re.M)[1])
        for flag, value in changed:
            words[words.index(flag) + 1] = value
        return self.shell(HLOCC, *words, cwd=self.folder)


class Page(Test):
    def test_short_and_with_a_picture(self):
        self.assertLess(len(README.splitlines()), 150)
        (picture,) = re.findall(r"^!\[.*\]\((.*)\)$", README, re.M)
        self.assertLess((ROOT / picture).stat().st_size, 150 * 1000)
        for link in re.findall(r"\]\(([^)]+)\)", README):
            self.assertTrue((ROOT / link).exists(), link)


class Here(Readme):
    def setUp(self):
        super().setUp()
        self.make(("--target", "host"))

    def run_source(self, name, text, *compiler):
        (self.folder / name).write_text(text)
        self.shell(*compiler, "-Wall", "-Wextra", "-Werror", "-I", self.folder / "generated",
                   self.folder / name, self.folder / "generated" / "libkws.a", "-o",
                   self.folder / "program")
        return self.shell(self.folder / "program")

    def test_c(self):
        self.assertIn(int(self.run_source("main.c",
                                          blocks("c")[0] + C_MAIN, "gcc", "-std=c99")), range(12))

    def test_cpp(self):
        (program,) = blocks("cpp")
        globals_, statements = program.split("\n", 1)
        self.assertEqual(
            self.run_source("main.cpp", CPP_MAIN % (globals_, statements), "g++", "-std=c++11"),
            "1\n")


class Firmware(Readme):
    def test_the_firmware(self):
        """Fifteen lines, commands included; they are the lines that compile prints; the firmware
        says what the model says here."""
        told = self.make()
        program, firmware = blocks("c")
        (script,) = blocks("ld")
        commands = re.findall(r"^    ((?:arm-none-eabi-gcc|qemu-system-arm) .*)$", README, re.M)
        self.assertEqual(len(commands), 3)
        self.assertLessEqual(len((firmware + script).splitlines()) + len(commands), 15)
        for command in commands[:2]:
            self.assertIn(command.replace("-T firmware.ld", "-T SCRIPT.ld START.o") + "\n", told)
        (self.folder / "main.c").write_text(program + "\n" + firmware)
        (self.folder / "firmware.ld").write_text(script)
        for command in commands[:2]:
            self.shell(*shlex.split(command), "-Wall", "-Wextra", cwd=self.folder)
        # QEMU writes what the firmware says to stderr.
        ran = subprocess.run(shlex.split(commands[2], comments=True),
                             cwd=self.folder,
                             stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT,
                             text=True,
                             check=False)
        expected = commands[2].split("# ")[1]
        self.assertEqual((ran.stdout.strip(), ran.returncode), (expected, 0))
        self.make(("--target", "host"))
        (self.folder / "here.c").write_text(program + C_MAIN)
        self.shell("gcc",
                   "-I",
                   "generated",
                   "here.c",
                   "generated/libkws.a",
                   "-o",
                   "here",
                   cwd=self.folder)
        self.assertEqual(expected, "word " + chr(ord("A") + int(self.shell(self.folder / "here"))))


main()

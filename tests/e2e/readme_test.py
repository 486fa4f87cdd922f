"""README's program in C and in C++, and the command that makes their model: as they stand there, but for this machine."""
import re
import shlex
import shutil

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
    def setUp(self):
        super().setUp()
        shutil.copy(snapshot("kws_dscnn"), self.folder / "kws.pb")
        command = re.search(r"^    hlocc (compile kws\.pb .*)$", README, re.M)[1]
        words = shlex.split(command)
        words[words.index("--target") + 1] = "host"
        self.shell(HLOCC, *words, cwd=self.folder)

    def run_source(self, name, text, *compiler):
        (self.folder / name).write_text(text)
        self.shell(*compiler, "-Wall", "-Wextra", "-Werror", "-I", self.folder / "generated", self.folder / name,
                   self.folder / "generated" / "libkws.a", "-o", self.folder / "program")
        return self.shell(self.folder / "program")

    def test_c(self):
        (program,) = blocks("c")
        self.assertIn(int(self.run_source("main.c", program + C_MAIN, "gcc", "-std=c99")), range(12))

    def test_cpp(self):
        (program,) = blocks("cpp")
        globals_, statements = program.split("\n", 1)
        self.assertEqual(self.run_source("main.cpp", CPP_MAIN % (globals_, statements), "g++", "-std=c++11"), "1\n")


main()

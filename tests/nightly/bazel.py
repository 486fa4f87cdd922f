"""bazel.py HLOCC FOLDER: hlocc_library in a project of its own, by Debian's bazel-bootstrap and
with the network off.

Two models for three targets: every action runs in Bazel's sandbox, which has its inputs alone; the
libraries are those that `hlocc compile` writes; a program links one and runs; nothing is compiled
twice, and after one model changed only its cells are; a second checkout that shares Bazel's disk
cache, as machines do by remote execution, compiles nothing. Mistakes of the call end with a message
of ours. Exit status 77 without bazel.

Bazel 4.2.3 asks for rules_cc, rules_java and rules_proto even where no project does. The last two
are Debian's; its rules_cc is too new for its bazel, and the native rules stand in its place."""
import filecmp
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = {"Acme::KwsInt8": "kws_dscnn_int8", "ekf": "ekf"}
TARGETS = ["host", "cortex-m4f", "rv32imc"]
NATIVE = ["cc_binary", "cc_library", "cc_import", "cc_test", "cc_toolchain", "cc_toolchain_suite"]
WORKSPACE = """workspace(name = "project")
local_repository(name = "hlocc", path = "{root}/bazel")
load("@hlocc//:hlocc.bzl", "hlocc_tool")
hlocc_tool(name = "hlocc_tool", path = "{hlocc}")
"""
BUILD = """load("@hlocc//:hlocc.bzl", "hlocc_library")
hlocc_library(name = "kws", model = "kws.pb", targets = {targets}, cpp_class = "Acme::KwsInt8", flags = ["-Os", "--arg", "0=mfcc"])
hlocc_library(name = "ekf", model = "ekf.pb", targets = {targets})
cc_binary(name = "app", srcs = ["main.c"], deps = [":kws", ":ekf"])
"""
MAIN = """#include <stdio.h>
#include "ekf.h"
#include "kws_int8.h"
static _Alignas(ACME_KWS_INT8_ARENA_ALIGN) unsigned char kws_arena[ACME_KWS_INT8_ARENA_BYTES];
static _Alignas(EKF_ARENA_ALIGN) unsigned char ekf_arena[EKF_ARENA_BYTES];
static acme_kws_int8_t kws;
static ekf_t ekf;
int main(void) {
  const int failed = acme_kws_int8_init(&kws, kws_arena) || ekf_init(&ekf, ekf_arena) || acme_kws_int8_run(&kws) || ekf_run(&ekf);
  printf(failed ? "failed\\n" : "both models ran\\n");
  return failed;
}
"""


class Project:
    def __init__(self, folder, hlocc, rules, cache):
        self.folder, self.rules, self.cache = folder, rules, cache
        (folder / "p").mkdir(parents=True)
        for name, text in (("WORKSPACE", WORKSPACE.format(root=ROOT, hlocc=hlocc)),
                           ("BUILD", BUILD.format(targets=TARGETS)), ("main.c", MAIN)):
            (folder / "p" / name).write_text(text)
        shutil.copy(ROOT / "tests/data/models/kws_dscnn_int8.snapshot.pb", folder / "p/kws.pb")
        shutil.copy(ROOT / "tests/data/models/ekf.snapshot.pb", folder / "p/ekf.pb")

    def bazel(self, *words, code=0):
        debian = "/usr/share/bazel/rules"
        command = [
            "bazel", "--batch", f"--output_user_root={self.folder}/out", words[0], *words[1:],
            "--experimental_repository_disable_download",
            f"--override_repository=rules_cc={self.rules}",
            f"--override_repository=rules_java={debian}/java",
            f"--override_repository=rules_proto={debian}/proto", f"--disk_cache={self.cache}",
            "--symlink_prefix=b-", "--color=no", "--curses=no"
        ]
        ran = subprocess.run(command,
                             cwd=self.folder / "p",
                             capture_output=True,
                             text=True,
                             check=False)
        if (ran.returncode == 0) != (code == 0):
            sys.exit(f"{' '.join(words)}: exit code {ran.returncode}\n{ran.stderr}")
        return ran.stdout + ran.stderr

    def compiled(self, *words):
        """How many models Bazel compiled in a sandbox, and the words by which it says where actions
        came from."""
        said = self.bazel("build", *words, "--subcommands")
        told = re.findall(r"^INFO: \d+ process(?:es)?: .*", said, re.M)
        return len(re.findall(r"^SUBCOMMAND: # .*'Compiling \S+\.pb for", said, re.M)), told[-1]


def native_rules(folder):
    (folder / "cc").mkdir(parents=True)
    (folder / "WORKSPACE").touch()
    (folder / "cc/BUILD").touch()
    (folder / "cc/defs.bzl").write_text("".join(f"{name} = native.{name}\n" for name in NATIVE) +
                                        "compiler_flag = None\ncc_flags_supplier = None\n")
    return folder


def check(holds, what):
    if not holds:
        sys.exit(f"bazel: {what}")


def same_as_compile(project, hlocc, work):
    for target in TARGETS:
        for name, model, stem, flags in (("kws", "kws.pb", "kws_int8",
                                          ["--name", "Acme::KwsInt8", "-Os", "--arg",
                                           "0=mfcc"]), ("ekf", "ekf.pb", "ekf", [])):
            alone = work / target
            subprocess.run([
                hlocc, "compile", project.folder / "p" / model, "--target", target, "-o", alone,
                "-q", *flags
            ],
                           check=True)
            for file in (f"lib{stem}.a", f"{stem}.h", f"{stem}.json"):
                made = project.folder / "p/b-bin" / f"{name}_{target}_files" / file
                check(filecmp.cmp(made, alone / file, shallow=False),
                      f"{made} is not what `hlocc compile` writes")


def main():
    hlocc, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    if shutil.which("bazel") is None:
        print("there is no bazel: tests/install_packages.sh --for nightly")
        return 77
    subprocess.run(["chmod", "-R", "u+w", folder], check=False, stderr=subprocess.DEVNULL)
    shutil.rmtree(folder, ignore_errors=True)
    rules, cache = native_rules(folder / "rules_cc"), folder / "cache"
    first = Project(folder / "first", hlocc, rules, cache)
    count, told = first.compiled("//...")
    check(count == 6 and "linux-sandbox" in told,
          f"6 models should be compiled in a sandbox: {count}, {told}")
    same_as_compile(first, hlocc, folder / "alone")
    check("both models ran" in first.bazel("run", "//:app"), "the program does not run")
    count, told = first.compiled("//...")
    check(count == 0, f"nothing changed, and yet: {told}")
    (first.folder / "p/ekf.pb").write_bytes(
        (ROOT / "tests/data/models/pid_bank.snapshot.pb").read_bytes())
    count, _ = first.compiled("//:ekf_all", "//:kws_all")
    check(count == 3, f"one model of two changed, and {count} cells were compiled")
    second = Project(folder / "second", hlocc, rules, cache)
    count, told = second.compiled("//...")
    check("cache hit" in told and "linux-sandbox" not in told,
          f"another checkout compiles again what the cache has: {told}")
    wanted = second.bazel("cquery", "deps(//:app)", "--@hlocc//:target=rv32imc")
    check("//:kws_rv32imc_files" in wanted and "//:kws_host_files" not in wanted,
          "--@hlocc//:target does not choose")
    with open(second.folder / "p/BUILD", "a", encoding="utf-8") as file:
        file.write('hlocc_library(name = "none", model = "ekf.pb", targets = [])\n')
    check("targets is empty" in second.bazel("build", "//...", code=1),
          "no targets, and no word of it")
    print(
        "hlocc_library by bazel 4.2.3: 6 cells in a sandbox, the bytes of `hlocc compile`; 0 "
        "again, 3 after one model changed, 0 beside a shared cache"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

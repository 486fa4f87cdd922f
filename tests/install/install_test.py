"""install_test.py BUILD SOURCE: what `cmake --install` puts in place serves projects outside the
tree: one in C for this machine and a Cortex-M4F, one that embeds the compiler, and what plug-ins
include. The prefix is moved before it is used."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, SOURCE = sys.argv[1:3]
HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = f"{SOURCE}/tests/data/models/kws_dscnn.snapshot.pb"
ARM = f"""set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16")
"""


def run(*command, cwd=None):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("HLOCC", "CMAKE"))}
    return subprocess.run(command,
                          cwd=cwd,
                          env=environment,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT,
                          text=True)


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="hlocc_install")
        first, cls.prefix = f"{cls.folder}/first", f"{cls.folder}/prefix"
        done = run("cmake", "--install", BUILD, "--prefix", first)
        assert done.returncode == 0, done.stdout
        os.rename(first, cls.prefix)
        cls.hlocc = f"{cls.prefix}/bin/hlocc"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def done(self, *command, cwd=None):
        out = run(*command, cwd=cwd)
        self.assertEqual(out.returncode, 0, out.stdout)
        return out.stdout

    def project(self, name, *flags, source="project"):
        """Configured and built; the folders of the copy and of the build."""
        copy, build = f"{self.folder}/{name}", f"{self.folder}/{name}-build"
        shutil.copytree(f"{HERE}/{source}", copy)
        if source == "project":
            shutil.copy(MODEL, f"{copy}/kws.pb")
        self.done("cmake", "-S", copy, "-B", build, "-G", "Ninja",
                  f"-DCMAKE_PREFIX_PATH={self.prefix}", *flags)
        self.done("cmake", "--build", build)
        return copy, build

    def test_what_is_there(self):
        for name in [
                "bin/hlocc", "share/man/man1/hlocc.1", "share/bash-completion/completions/hlocc",
                "share/zsh/site-functions/_hlocc", "share/fish/vendor_completions.d/hlocc.fish",
                "share/hlocc/toolchains/cortex-m4f.cmake",
                "share/hlocc/toolchains/boards/run_board.sh",
                "share/hlocc/runtime_stub/hlocc_buffers.h",
                "share/hlocc/runtime_stub/hlocc_device.h", "share/hlocc/bazel/hlocc.bzl",
                "share/hlocc/bazel/WORKSPACE", "share/hlocc/bazel/BUILD.bazel",
                "share/cmake/hlocc/hloccConfig.cmake", "include/hlocc/compile.h",
                "include/hlocc/internal/kernel/program.h", "include/hlocc/internal/planning/plan.h",
                "include/hlocc/internal/target/target.h"
        ]:
            self.assertTrue(os.path.isfile(f"{self.prefix}/{name}"), name)
        self.assertTrue(
            os.access(f"{self.prefix}/share/hlocc/toolchains/boards/run_board.sh", os.X_OK))
        self.assertIn("hlocc", self.done(self.hlocc, "--version"))

    def test_documents(self):
        """What README and the pages name is there, too."""
        pages = f"{self.prefix}/share/doc/hlocc"
        named = set()
        for page in ["README.md", "SECURITY.md", "docs/installing.md", "docs/analyze.md"]:
            with open(f"{pages}/{page}", encoding="utf-8") as file:
                named |= set(re.findall(r"docs/[\w/]+\.md", file.read()))
        self.assertGreater(len(named), 12)
        for name in named:
            self.assertTrue(os.path.isfile(f"{pages}/{name}"), name)
        for name in sorted(os.listdir(f"{SOURCE}/docs/schemas")):
            with open(f"{self.prefix}/share/hlocc/schemas/{name}", encoding="utf-8") as file:
                self.assertEqual(json.load(file)["type"], "object", name)

    def test_the_commit(self):
        """A checkout has one, and a tarball none, even one that lies inside of another checkout;
        what did not change stays as it is."""
        tree, header = f"{self.folder}/tree", f"{self.folder}/commit.h"
        os.mkdir(tree)

        def written():
            self.done("cmake", f"-DSOURCE={tree}", f"-DFILE={header}", "-P",
                      f"{SOURCE}/cmake/commit.cmake")
            with open(header, encoding="utf-8") as file:
                return file.read().split('"')[1]

        def git(*words):
            self.done("git", "-c", "user.name=a", "-c", "user.email=a@b", *words, cwd=tree)

        git("init", "-q", "..")
        self.assertEqual(written(), "")
        with open(f"{tree}/file", "w", encoding="utf-8") as file:
            file.write("one")
        git("init", "-q")
        git("add", "file")
        git("commit", "-q", "-m", "one")
        commit = written()
        self.assertRegex(commit, "^[0-9a-f]{12}$")
        before = os.stat(header).st_mtime_ns
        self.assertEqual((written(), os.stat(header).st_mtime_ns), (commit, before))
        with open(f"{tree}/file", "w", encoding="utf-8") as file:
            file.write("two")
        self.assertEqual(written(), commit + "+")

    def test_packages_of_shared_builds_are_refused(self):
        with open(f"{BUILD}/CMakeCache.txt", encoding="utf-8") as file:
            static = "HLOCC_STATIC:BOOL=ON" in file.read()
        if static:
            self.skipTest("this build is linked statically")
        out = run("cpack", "--config", f"{BUILD}/CPackConfig.cmake", "-B",
                  f"{self.folder}/packages")
        self.assertNotEqual(out.returncode, 0)
        self.assertIn("Packages are made of static builds: cmake --preset package",
                      " ".join(out.stdout.split()))
        self.assertFalse(os.path.exists(f"{self.folder}/packages"))

    def test_own_project(self):
        copy, build = self.project("host")
        self.assertIn("100% tests passed, 0 tests failed out of 2", self.done("ctest", cwd=build))
        self.assertIn("the fastest of", self.done(f"{build}/kws_benchmark"))
        # Nothing to do twice; another model is compiled again.
        self.assertIn("no work to do", self.done("ninja", "-C", build))
        shutil.copy(f"{SOURCE}/tests/data/models/mlp_digits.snapshot.pb", f"{copy}/kws.pb")
        self.assertNotIn("no work to do", run("ninja", "-C", build).stdout)
        # The other machines' libraries, on request only.
        self.assertEqual(glob.glob(f"{build}/all.hlocc/*/*.a"), [])
        self.done("ninja", "-C", build, "all_generated")
        self.assertEqual(len(glob.glob(f"{build}/all.hlocc/*/libeverywhere.a")), 3)

    def test_own_project_for_a_cortex_m4f(self):
        toolchain = f"{self.prefix}/share/hlocc/toolchains/cortex-m4f.cmake"
        _, build = self.project("cross", f"-DCMAKE_TOOLCHAIN_FILE={toolchain}",
                                "-DCMAKE_BUILD_TYPE=MinSizeRel")
        self.assertIn("100% tests passed, 0 tests failed out of 2", self.done("ctest", cwd=build))
        self.assertIn("ARM", self.done("readelf", "-h", f"{build}/app"))

    def refused(self, toolchain, call, message):
        folder = tempfile.mkdtemp(dir=self.folder)
        shutil.copy(MODEL, f"{folder}/kws.pb")
        with open(f"{folder}/CMakeLists.txt", "w") as file:
            file.write("cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES C)\n"
                       f"find_package(hlocc CONFIG REQUIRED)\n{call}\n")
        with open(f"{folder}/toolchain.cmake", "w") as file:
            file.write(toolchain)
        out = run("cmake", "-S", folder, "-B", f"{folder}/b", "-G", "Ninja",
                  f"-DCMAKE_PREFIX_PATH={self.prefix}",
                  f"-DCMAKE_TOOLCHAIN_FILE={folder}/toolchain.cmake")
        if message is None:
            self.assertEqual(out.returncode, 0, out.stdout)
        else:
            self.assertNotEqual(out.returncode, 0)
            self.assertIn(message, " ".join(out.stdout.split()))

    def test_mistakes_in_the_call(self):
        self.refused(ARM, "hlocc_add_model(kws kws.pb)", "name the chip with TARGET")
        self.refused(ARM, "hlocc_add_model(kws kws.pb Kws cortex-m4f)", None)
        self.refused("", "hlocc_add_model(kws kws.pb)", None)
        self.refused("", "hlocc_add_model(kws missing.pb)", "there is no model")
        self.refused("", "hlocc_add_model(kws kws.pb Kws host GEN_TESTS)", "GEN_TESTS?")
        self.refused("", "hlocc_add_model(kws MODEL kws.pb TARGET cortex-m0 rv32imc GEN_TEST)",
                     "none of")
        self.refused("", "hlocc_add_model(kws MODEL kws.pb TARGET cortex-m0 host GEN_TEST)", None)

    def test_boards_are_the_installed_ones(self):
        self.assertIn("1 passed", self.done(self.hlocc, "verify", MODEL, "--target", "cortex-m4f"))
        row = f"{self.prefix}/share/hlocc/toolchains/boards/presets/cortex-m3.conf"
        os.rename(row, row + ".away")
        out = run(self.hlocc, "verify", MODEL, "--target", "cortex-m3").stdout
        os.rename(row + ".away", row)
        self.assertIn("there is no such board", out)
        self.assertNotIn("cortex-m3,", out)

    def test_the_compiler_embedded(self):
        # The library's own flags: a build with sanitizers needs them where it is linked.
        with open(f"{BUILD}/CMakeCache.txt", encoding="utf-8") as file:
            flags = re.search("^CMAKE_CXX_FLAGS:.*?=(.*)$", file.read(), re.M).group(1)
        _, build = self.project("embedded", f"-DCMAKE_CXX_FLAGS={flags}", source="embedded")
        self.assertIn("3 files", self.done(f"{build}/embedded"))

    def test_the_guide_to_devices(self):
        """The commands of docs/adding_a_backend.md, part 3, and what it says of lines."""
        with open(f"{SOURCE}/docs/adding_a_backend.md", encoding="utf-8") as file:
            page = file.read().split("\n## 3. ")[1]
        for name, lines in re.findall(r"`([^`]+)` \((\d+) lines\)", page):
            path = name if "/" in name else f"examples/plugin_minimal/{name}"
            with open(f"{SOURCE}/{path}", encoding="utf-8") as file:
                self.assertEqual(len(file.readlines()), int(lines), name)
        self.assertGreater(page.count(" lines)"), 10)
        commands = "".join(re.findall(r"^```sh\n(.*?)^```$", page, re.M | re.S)).splitlines()
        self.assertEqual(commands.pop(0), "cmake --install build --prefix PREFIX")
        work = f"{self.folder}/guide"
        os.mkdir(work)
        said = {}
        for command in commands:
            words = re.sub(r"\bWORK\b", work, re.sub(r"\bPREFIX\b", self.prefix, command)).split()
            words[0] = self.hlocc if words[0] == "hlocc" else words[0]
            out = run(*words, cwd=SOURCE)
            self.assertEqual(out.returncode, 0, command + "\n" + out.stdout)
            said[command] = out.stdout
        verified = "".join(text for command, text in said.items() if " verify " in f" {command} ")
        self.assertEqual(verified.count(" 0 failed, 0 skipped"), 5, verified)
        for pattern in [
                r"ops: host [1-9]\d*, minimal [1-9]\d*\n1 passed", r"ops: full [1-9]\d*\n",
                r"ops: full [1-9]\d*, host [1-9]\n"
        ]:
            self.assertRegex(verified, pattern)
        seen = next(text for command, text in said.items() if " inspect " in command)
        self.assertRegex(seen, r"runs     \S+ \(dot\) on minimal in hlocc_part_0\n")
        self.assertRegex(seen, r"runs     \S+ \(add\) on host: only matrix products\n")
        self.assertRegex(seen, r"\ndevice   minimal: [1-9] parts, [1-9]\d* bytes of its memory\n")
        self.check_plan_beside(f"{work}/npu-build/plugin_minimal.so",
                               f"{work}/full-build/plugin_full.so")
        steps = next(text for command, text in said.items() if " bench " in command)
        for word in [
                "minimal      hlocc_part_0", "minimal      to minimal, ",
                "host         wait for queue"
        ]:
            self.assertIn(word, steps)
        self.assertEqual(
            sorted(os.listdir(f"{work}/out")),
            ["libmlp_digits.a", "mlp_digits.h", "mlp_digits.json", "mlp_digits_part_0.bin"])
        # A model without products shows that the device is idle.
        idle = self.done(self.hlocc, "verify", f"{SOURCE}/tests/data/ops/unary_abs_f16.snapshot.pb",
                         "--plugin", f"{work}/npu-build/plugin_minimal.so")
        self.assertIn(", minimal 0\n", idle)
        self.assertIn("1 passed", self.done(self.hlocc, "verify", "--streams", "20", "--plugin",
                                            f"{work}/full-build/plugin_full.so"))

    def test_plug_ins_of_a_program_that_is_a_library(self):
        """As Python's wheel has it: hlocc is a few kilobytes beside libhlocc.so."""
        program = f"{BUILD}/hlocc_on_library"
        model = f"{SOURCE}/tests/data/models/mlp_digits.snapshot.pb"
        if not os.path.exists(program):
            self.skipTest("this build has no libhlocc.so")
        for name in ("minimal", "full"):
            build = f"{self.folder}/{name}-on-library"
            self.done("cmake", "-S", f"{self.prefix}/share/doc/hlocc/examples/plugin_{name}", "-B",
                      build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
            self.done("cmake", "--build", build)
            said = self.done(program, "verify", model, "--plugin", f"{build}/plugin_{name}.so")
            self.assertRegex(said, rf"ops: .*{name} [1-9]\d*.*\n1 passed")

    def check_plan_beside(self, minimal, full):
        """inspect's plan is that of what the host computes: less than the model's where products
        went, none where all went."""
        def plan(*flags):
            model = f"{SOURCE}/tests/data/models/mlp_digits.snapshot.pb"
            return json.loads(self.done(self.hlocc, "inspect", model, "--json", *flags))["plan"]

        for target in [(), ("--target", "cortex-m4f")]:
            alone, beside = plan(*target), plan("--plugin", minimal, *target)
            self.assertLess(beside["weights_bytes"], alone["weights_bytes"])
            self.assertNotIn("device", alone)
            self.assertEqual(beside["device"]["name"], "minimal")
            self.assertGreater(beside["device"]["parts"], 0)
            self.assertGreater(beside["device"]["bytes"], 0)
        self.assertIsNone(plan("--plugin", full))
        # A library has arguments and results of its own, whoever takes the rest.
        self.assertEqual(plan("--plugin", full, "--target", "cortex-m4f")["device"]["parts"], 1)

    def test_a_plug_in_that_fails(self):
        """The copy crashes or hangs when it is told to."""
        copy, build = f"{self.folder}/minimal", f"{self.folder}/minimal-build"
        shutil.copytree(f"{SOURCE}/examples/plugin_minimal", copy)
        with open(f"{copy}/minimal.cpp", encoding="utf-8") as file:
            text = file.read()
        asked = """#include <unistd.h>

#include <cstdlib>
#include <string>

static bool fails(const std::string& how) {
  return std::getenv("MINIMAL_FAILS") != nullptr && how == std::getenv("MINIMAL_FAILS");
}

"""
        for place, told in [
            ("Matrix c(",
             'if (fails("crash")) __builtin_trap();\n  while (fails("hang")) usleep(1000);\n'
             '  Matrix c('
             ),
            ("return Status();",
             'return fails("fault") ? Status(error(DiagnosticKind::kRun, "a parity error")) : '
             'Status();'
             ), ("64 << 20", '(fails("memory") ? 64 : 64 << 20)'),
            ("(void)manager", 'if (fails("load")) __builtin_trap();\n  (void)manager')
        ]:
            self.assertEqual(text.count(place), 1, place)
            text = text.replace(place, told)
        with open(f"{copy}/minimal.cpp", "w", encoding="utf-8") as file:
            file.write(asked + text)
        self.done("cmake", "-S", copy, "-B", build, "-G", "Ninja",
                  f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.done("cmake", "--build", build)
        plugin, model = f"{build}/plugin_minimal.so", f"{SOURCE}/tests/data/models/mlp_digits.snapshot.pb"
        # The other case, without a product, is not lost.
        plain = f"{SOURCE}/tests/data/ops/unary_abs_f16.snapshot.pb"

        def failed(how, *words):
            os.environ["MINIMAL_FAILS"] = how
            out = run(self.hlocc, *words, "--plugin", plugin)
            del os.environ["MINIMAL_FAILS"]
            self.assertEqual(out.returncode, 1, out.stdout)
            return out.stdout

        for how, said in [("crash", "FAILED mlp_digits: signal"),
                          ("hang", "FAILED mlp_digits: ran longer than 2 s"),
                          ("fault", "FAILED mlp_digits: error[run]: a parity error"),
                          ("memory", "FAILED mlp_digits: error[limit]: out of memory: ")]:
            told = failed(how, "verify", model, plain, "--case-seconds", "2")
            self.assertIn("1 passed, 1 failed, 0 skipped", told)
            self.assertIn(said, told)
        for words in [("verify", model), ("verify", "--streams", "1")]:
            self.assertIn(": signal", failed("load", *words))
        # Where nothing is compared it is the command's diagnostic.
        for verb in ["run", "bench"]:
            self.assertIn("error[run]: a parity error", failed("fault", verb, model))
            self.assertIn(" left in scratch", failed("memory", verb, model))

    def refused_plugin(self, source, *words, code=1):
        with open(f"{self.folder}/other.c", "w") as file:
            file.write(source)
        self.done("cc", "-shared", "-fPIC", "-o", f"{self.folder}/other.so",
                  f"{self.folder}/other.c")
        out = run(self.hlocc, "run", MODEL, "--plugin", f"{self.folder}/other.so")
        self.assertEqual(out.returncode, code, out.stdout)
        for word in words:
            self.assertIn(word, out.stdout)

    def test_plug_ins_that_are_none(self):
        with open(f"{self.prefix}/include/hlocc/device/abi.h") as file:
            number = file.read().split('"')[1]
        enter = "const char *hlocc_plugin_register(const char *abi, void *manager)"
        self.refused_plugin("int nothing;", "error[file]", "does not define hlocc_plugin_register")
        self.refused_plugin(f'{enter} {{ return "0123456789abcdef"; }}',
                            "error[target]",
                            "0123456789abcdef",
                            number,
                            code=2)
        self.refused_plugin(f"{enter} {{ return abi; }}", "error[file]", "registers no platform")
        out = run(self.hlocc, "run", MODEL, "--plugin", f"{self.folder}/missing.so")
        self.assertEqual(out.returncode, 1)
        self.assertIn("error[file]: --plugin", out.stdout)

    def test_headers_of_plug_ins(self):
        inside = f"{self.prefix}/include/hlocc/internal"
        names = sorted(os.path.relpath(name, inside) for room in ("kernel", "planning", "target")
                       for name in glob.glob(f"{inside}/{room}/**/*.h", recursive=True))
        self.assertGreater(len(names), 20)
        names += [
            f"hlocc/device/{os.path.basename(name)}"
            for name in glob.glob(f"{self.prefix}/include/hlocc/device/*.h")
        ]
        self.assertIn("hlocc/device/abi.h", names)
        with open(f"{self.folder}/all.cpp", "w") as file:
            file.writelines(f'#include "{name}"\n' for name in names)
        self.done("c++", "-std=c++20", "-fsyntax-only", "-I", inside, "-I",
                  f"{self.prefix}/include", f"{self.folder}/all.cpp")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

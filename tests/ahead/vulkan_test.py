"""vulkan_test.py HLOCC ROOT: models for a processor and a GPU beside it, compiled ahead of time;
the program that users write (vulkan.c), linked with the library, runs on this machine's Vulkan
device and gives the snapshot's results.
"""
import os
import pathlib
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "e2e"), str(HERE.parents[1] / "bench")]
import snapshot as snapshots  # noqa: E402
from harness import ROOT, Test, main, snapshot  # noqa: E402

STUB = ROOT / "runtime_stub"


def input_of(name):
    """The first argument's bytes."""
    arguments, _ = snapshots.read_snapshot(snapshot(name))
    return bytes(arguments[0][2])


class Vulkan(Test):
    def compile(self, name, target="host", device="vulkan-lavapipe", backend="vulkan"):
        folder = self.folder / f"{name}_{target}_{device}_{backend}"
        self.done("compile", snapshot(name), "--name", "Net", "--backend", backend, "--device",
                  device, "--target", target, "-o", folder)
        return folder

    def program(self, name, folder, compiler, library="libnet.a"):
        (folder / "input.h").write_text(
            f"static const unsigned char input[] = {{{', '.join(map(str, input_of(name)))}}};\n")
        program = folder / "program"
        self.shell(*compiler, "-O1", "-Wall", "-Wextra", "-Werror", "-I", folder, "-I", STUB, "-I",
                   STUB / "gpu", HERE / "vulkan.c", folder / library, "-ldl", "-lm", "-o", program)
        return program

    def expected(self, name):
        """What the program prints: as `run` has it on the same device."""
        out = self.folder / f"{name}_run"
        self.done("run", snapshot(name), "--backend", "vulkan", "--device", "vulkan-lavapipe",
                  "--output", f"{out}/")
        written = next(out.glob("*.npy")).read_bytes()
        answer = written[10 + struct.unpack("<H", written[8:10])[0]:].hex()
        return [answer] * 3 + ["run 108 the model is not open: init opens it"] + [answer] * 2

    def ran(self, *command, **more):
        ran = subprocess.run(command,
                             capture_output=True,
                             text=True,
                             env={**os.environ, "MESA_SHADER_CACHE_DISABLE": "1", **more},
                             check=False)
        return ran.returncode, ran.stdout.splitlines()

    def test_programs(self):
        for name in ("mlp_digits", "kws_dscnn_int8"):
            folder = self.compile(name)
            self.assertEqual(self.files(folder), ["libnet.a", "net.h", "net.json"])
            self.assertEqual(self.ran(self.program(name, folder, ["cc"])), (0, self.expected(name)))

    def test_a_program_of_c(self):
        folder = self.compile("mlp_digits", "host", "vulkan-lavapipe", "c")
        self.assertEqual(self.files(folder), ["net.c", "net.h", "net.json"])
        self.assertEqual(self.ran(self.program("mlp_digits", folder, ["cc"], "net.c")),
                         (0, self.expected("mlp_digits")))

    def test_cache_of_the_driver_s(self):
        """Written once; what is torn, of another build or no cache at all is ignored and written
        anew."""
        program = self.program("mlp_digits", self.compile("mlp_digits"), ["cc"])
        cache = self.folder / "digits.cache"
        answer = self.ran(program, cache)
        self.assertEqual(answer[0], 0)
        kept = cache.read_bytes()
        self.assertEqual(kept[:4], b"HVKC")
        for there, written in [(kept, False), (kept[:-1], True), (kept[:20], True), (b"", True),
                               (b"other", True), (kept[:4] + b"1234" + kept[8:], True),
                               (kept[:-4] + b"1234", True)]:
            cache.write_bytes(there)
            os.utime(cache, (1, 1))
            self.assertEqual(self.ran(program, cache), answer)
            self.assertEqual(cache.read_bytes(), kept)
            self.assertEqual(cache.stat().st_mtime != 1, written, there[:8])
        # A place that can't be written to is no failure.
        self.assertEqual(self.ran(program, self.folder / "none" / "x.cache"), answer)

    def test_no_device(self):
        program = self.program("mlp_digits", self.compile("mlp_digits"), ["cc"])
        none = {"VK_ICD_FILENAMES": "/nonexistent.json", "VK_DRIVER_FILES": "/nonexistent.json"}
        self.assertEqual(self.ran(program, **none)[0], 4)

    def test_faults_of_the_driver_s(self):
        """Each is an error of init's with a name; a lost device is one of run's, and init opens
        another."""
        program = self.program("kws_dscnn_int8", self.compile("kws_dscnn_int8"), ["cc"])
        faulty = self.folder / "faulty"
        faulty.mkdir()
        self.shell("cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", HERE / "faulty_vulkan.c",
                   "-ldl", "-o", faulty / "libvulkan.so.1")
        loaders = self.shell("/sbin/ldconfig", "-p").splitlines()
        real = next(line.split()[-1] for line in loaders
                    if line.split()[0] == "libvulkan.so.1" and "x86-64" in line)
        fault = {"LD_LIBRARY_PATH": str(faulty), "REAL_VULKAN": real}
        for name, code, said in [
            ("driver", 4, "init 101 no Vulkan driver"),
            ("device", 4, "init 102 no Vulkan device"),
            ("lacks", 1, "init 103 the Vulkan device lacks what the model's shaders need"),
            ("memory", 1, "init 104 the Vulkan device has too little memory"),
            ("shader", 1, "init 105 the Vulkan driver refuses a shader")]:
            self.assertEqual(self.ran(program, FAULT=name, **fault), (code, [said]))
        good = self.expected("kws_dscnn_int8")
        self.assertEqual(self.ran(program, FAULT="none", **fault), (0, good))
        lost = [good[0], "run 106 the Vulkan device is lost", *good[1:]]
        self.assertEqual(self.ran(program, FAULT="lost", **fault), (0, lost))

    def test_another_processor(self):
        folder = self.compile("mlp_digits", "cortex-a76-linux", "vulkan-v3d")
        self.program("mlp_digits", folder, ["aarch64-linux-gnu-gcc"])
        weights = self.manifest(f"{folder.name}/net.json")["weights_bytes"]
        self.assertGreater(weights, 10000)

    def test_the_header_says_what_becomes_of_subnormal_numbers(self):
        for device, word in (("vulkan-v3d", ""), ("vulkan-mali", "f32 below 2^-126 may be 0")):
            header = (self.compile("mlp_digits", device=device) / "net.h").read_text()
            self.assertEqual(device in header and "subnormal" in header, word != "")
            self.assertIn(word, header)

    def test_what_is_refused(self):
        model = snapshot("mlp_digits")
        self.assertIn(
            "did you mean `vulkan-v3d`",
            self.refused(2, "target", "compile", model, "--backend", "vulkan", "--device",
                         "vulkan-v3"))
        self.assertIn("--backend vulkan",
                      self.refused(2, "usage", "compile", model, "--device", "vulkan-v3d"))
        self.assertIn(
            "s390x-linux",
            self.refused(1, "unsupported", "compile", model, "--backend", "vulkan", "--target",
                         "s390x-linux", "-o", self.folder / "big"))


main()

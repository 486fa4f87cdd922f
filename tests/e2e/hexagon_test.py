"""Hexagon's code as others read it: every packet of a model's library is one that LLVM's
disassembler knows for the row's version, an older version's library has no newer instruction,
vectors are where the row has them and nowhere else; what runs where the emulator is missing."""
import os
import re
import shutil
import subprocess

from harness import HLOCC, Test, main, snapshot

ASSEMBLE = ["clang-19", "--target=hexagon-unknown-elf", "-c", "-x", "assembler", "-"]
VECTORS = "+hvxv67,+hvx-length128b"
# A load that came with V68, and vectors of floats, which did, too.
NEWER = "r0 = memw_aq(r1)\n"
FLOATS = "{ v0.sf = vadd(v1.sf,v2.sf) }\n"
IS_VECTOR = re.compile(r"\bv\d+(:\d+)?(\.\w+)? [+|&^]?= |vmem")


class Hexagon(Test):
    def setUp(self):
        super().setUp()
        for tool in ["llvm-objdump-19", "llvm-objcopy-19", "clang-19"]:
            if not shutil.which(tool):
                self.skipTest(f"{tool} is not installed")

    def packets(self, file, cpu, features=""):
        """What the disassembler says of the words, where it knows them; and how many it does
        not."""
        # The file's own attributes would add what it says that it has.
        plain = self.folder / "plain.o"
        self.shell("llvm-objcopy-19", "-R", ".hexagon.attributes", file, plain)
        text = self.shell("llvm-objdump-19", "-d", "--no-show-raw-insn", f"--mcpu={cpu}",
                          f"--mattr={features}", plain)
        lines = [
            line.split("\t", 1)[-1].strip()
            for line in text.splitlines()
            if re.match(r"\s+[0-9a-f]+:", line)
        ]
        return [line for line in lines if "<unknown>" not in line], sum("<unknown>" in line
                                                                        for line in lines)

    def library(self, target, model="cnn_digits_int8", *more):
        self.done("compile", snapshot(model), "--name", "Model", "--target", target, "-q", *more,
                  "-o", self.folder)
        return self.folder / "libmodel.a"

    def test_every_instruction_is_known(self):
        for model in ["cnn_digits_int8", "mlp_digits", "ekf"]:
            for version, features in [("67", ""), ("68", ""), ("73", ""), ("67", VECTORS)]:
                target = f"hexagon-v{version}" + ("-hvx" if features else "")
                known, unknown = self.packets(self.library(target, model), f"hexagonv{version}",
                                              features)
                self.assertGreater(len(known), 300, target)
                self.assertEqual(unknown, 0, (target, model))
                has_vectors = any(IS_VECTOR.search(line) for line in known)
                self.assertEqual(has_vectors,
                                 bool(features) and model == "cnn_digits_int8", (target, model))

    def test_what_is_newer_is_not_known_to_the_older(self):
        """The check above sees what it is there for."""
        for text, version, features in [(NEWER, "68", ""),
                                        (FLOATS, "68", "+hvxv68,+hvx-length128b,+hvx-qfloat")]:
            made = subprocess.run([
                *ASSEMBLE, f"-mcpu=hexagonv{version}", "-mhvx", "-mhvx-length=128B", "-mhvx-qfloat",
                "-mhvx-ieee-fp", "-o", self.folder / "newer.o"
            ],
                                  input=text.encode(),
                                  capture_output=True)
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertEqual(
                self.packets(self.folder / "newer.o", f"hexagonv{version}",
                             features + ",+hvx-ieee-fp")[1], 0)
            self.assertGreater(self.packets(self.folder / "newer.o", "hexagonv67", VECTORS)[1], 0)
        # Vectors are not known to the row without them.
        self.assertGreater(self.packets(self.library("hexagon-v67-hvx"), "hexagonv67")[1], 0)

    def test_vectors_that_the_processor_does_not_have(self):
        model = snapshot("mlp_digits")
        for more, words in [
            (["--cpu", "hexagonv60",
              "--features=+hvxv67,+hvx-length128b"], "hexagonv60 is older than V62"),
            (["--cpu", "hexagonv5",
              "--features=+hvxv60,+hvx-length128b"], "hexagonv5 is older than V60")
        ]:
            self.assertIn(
                words,
                self.refused(2, "target", "compile", model, "--target", "hexagon-v67", *more, "-o",
                             self.folder))
        for more in [["--features=+hvxv67,+hvx-length128b"],
                     ["--cpu", "hexagonv73", "--features=+hvxv73,+hvx-length128b"]]:
            self.done("compile", model, "--target", "hexagon-v67", *more, "-q", "-o", self.folder)

    def test_without_the_emulator(self):
        """Its tests are skipped by name, which is no success unless that is asked for."""
        tools = self.folder / "tools"
        tools.mkdir()
        for tool in ["clang-19", "ld.lld", "sh", "bash"]:
            if shutil.which(tool):
                (tools / tool).symlink_to(shutil.which(tool))
        for more, code in [([], 4), (["--allow-skips"], 0)]:
            ran = subprocess.run(
                [HLOCC, "verify", "--target", "hexagon-v67", *more,
                 snapshot("mlp_digits")],
                env={**os.environ, "PATH": str(tools)},
                capture_output=True,
                check=False)
            self.assertEqual(ran.returncode, code, ran.stderr)
            self.assertIn(b"skipped mlp_digits: qemu-hexagon is not installed", ran.stdout)


if __name__ == "__main__":
    main()

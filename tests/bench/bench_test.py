"""What the benches find out about a program: launches and multiply-accumulates, loops, times."""
import array
import pathlib
import random
import shutil
import struct
import sys
import tempfile
import unittest

HLOCC = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(sys.argv[2]).resolve()
MODELS = ROOT / "tests" / "data" / "models"
sys.path.insert(0, str(ROOT / "bench"))


import avr
import boards
import expected
import hotspots
import host_program
import kernels
import launches
import mca
import model_files
import package_models
import person_detect
import random_cases
import recurrent

KERNEL_TEXT = """program Bench {
  value %a: f32[4] temporary
  launch dot_0(in %x, in %w, out %a)  // dot.1, max.2
  while (%i = %zero) {  // while.6
    launch compare_1(in %i, out %c)  // lt.1
  } %c do {
    launch dot_0(in %a, in %w, out %b)  // dot.1
    next %b
  } -> %r
  launch convolution_2(in %r, out %y)  // conv.3
}
kernel dot_0(in in0: f32[4] arena) {
"""

HLO_TEXT = """HloModule m
ENTRY %e {
  %x = f32[2,8]{1,0} parameter(0)
  %w = f32[8,16]{1,0} constant({...})
  %dot.1 = f32[2,16]{1,0} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %k = f32[3,3,1,4]{3,2,1,0} constant({...})
  %im = f32[1,5,5,4]{3,2,1,0} parameter(1)
  ROOT %conv.3 = f32[1,5,5,4]{3,2,1,0} convolution(%im, %k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=4
}
"""


class RandomKernels(unittest.TestCase):
    def test_the_seed_decides(self):
        def draw(seed):
            made = random.Random(seed)
            return [case[0] for case in random_cases.draw(made, 20, 1, 1 << 30, 1 << 30)]
        self.assertEqual(draw(3), draw(3))
        self.assertNotEqual(draw(3), draw(4))

    def test_every_kind_compiles(self):
        made = random.Random(5)
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "m.hlo"
            for _, text, _, _ in random_cases.draw(made, 8, 500, 200_000, 1 << 17):
                model.write_text(text(), encoding="utf-8")
                done = boards.call(
                    [HLOCC, "compile", model, "-o", folder, "--target", "cortex-m4f"])
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_results_are_compared(self):
        made = random.Random(7)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for _, text, _, _ in random_cases.draw(made, 4, 500, 200_000, 1 << 17):
                (folder / "m.hlo").write_text(text(), encoding="utf-8")
                program = host_program.build_bare(HLOCC, folder / "m.hlo", [], folder)
                host_program.Timed([program, folder / "in", folder / "out"]).close()
                self.assertLess(kernels.worst_difference(HLOCC, folder / "m.hlo", folder), 1e-5)
            # And a wrong one is seen.
            data = bytearray((folder / "out").read_bytes())
            data[3] ^= 0x80
            (folder / "out").write_bytes(data)
            self.assertGreater(kernels.worst_difference(HLOCC, folder / "m.hlo", folder), 1e-5)


class Launches(unittest.TestCase):
    def test_a_loop_counts_its_turns(self):
        rows = launches.read_launches(KERNEL_TEXT, HLO_TEXT, trips=49)
        self.assertEqual(rows["dot_0"]["launches"], 50)
        self.assertEqual(rows["dot_0"]["macs"], 50 * 2 * 8 * 16)
        self.assertEqual(rows["compare_1"], {"launches": 49, "macs": 0, "hlo": ["lt.1"]})
        self.assertEqual(rows["convolution_2"]["macs"], 5 * 5 * 4 * 9)

    def test_shapes_in_words(self):
        rows = launches.read_launches(KERNEL_TEXT, HLO_TEXT)
        instructions = launches.read_instructions(HLO_TEXT)
        self.assertEqual(launches.shape_note(rows["convolution_2"], instructions),
                         "convolution 1x5x5x4 by 3x3x1x4 groups 4")


class Loops(unittest.TestCase):
    def test_only_innermost(self):
        texts = ["mov r0, r1", "vldr s0, [r1]", "bne 0x1 <f+0x1>", "adds r2, #0x1",
                 "bne 0x0 <f>", "bl 0x0 <f>"]
        code = [mca.Instruction(at, text, "f") for at, text in enumerate(texts)]
        self.assertEqual(mca.innermost_loops(code), [(1, 2)])
        self.assertIn("bne .Lloop", mca.as_assembly(code[1:3]))


class Expected(unittest.TestCase):
    def test_rank_correlation(self):
        self.assertEqual(expected.ranks([30, 10, 20]), [2, 0, 1])
        self.assertEqual(expected.ranks([5, 1, 5, 0]), [2.5, 1, 2.5, 0])
        self.assertAlmostEqual(expected.rank_correlation([1, 2, 3, 4], [10, 20, 30, 1000]), 1.0)
        self.assertAlmostEqual(expected.rank_correlation([1, 2, 3, 4], [4, 3, 2, 1]), -1.0)
        # 1 - 6 * (1 + 1) / (5 * 24)
        self.assertAlmostEqual(expected.rank_correlation([1, 2, 3, 4, 5], [2, 1, 3, 4, 5]), 0.9)
        self.assertEqual(expected.rank_correlation([1, 1, 1], [1, 2, 3]), 0.0)

    def test_a_model_on_a_board(self):
        """kws_dscnn's kernels differ by factors: any sane estimate orders them."""
        pairs = expected.pairs_of(HLOCC, MODELS / "kws_dscnn.snapshot.pb", "cortex-m4f", [])
        self.assertEqual(
            sorted(kernel for _, kernel, _, _ in pairs),
            ["convolution_0", "convolution_1", "convolution_2", "dot_4", "reduce_3", "rows_5"])
        self.assertGreater(expected.rank_correlation([p[2] for p in pairs], [p[3] for p in pairs]),
                           0.9)

    def test_models_on_other_targets(self):
        """All kernels of several models in one order; RV32 by instructions, as llvm-mca has no
        model of such cores."""
        for target, by_instructions in (("cortex-m7", False), ("x86_64-linux", False), ("rv32imafc",
                                                                                        True)):
            with self.subTest(target):
                pairs = [
                    pair for model in ("kws_dscnn", "cnn_digits_int8", "kws_gru_stream")
                    for pair in expected.pairs_of(HLOCC, MODELS / f"{model}.snapshot.pb", target,
                                                  [], by_instructions)
                ]
                self.assertGreater(len(pairs), 12)
                self.assertGreater(
                    expected.rank_correlation([p[2] for p in pairs], [p[3] for p in pairs]), 0.9)


class Avr(unittest.TestCase):
    def test_cycles_of_a_model(self):
        if shutil.which("avr-gcc") is None:
            self.skipTest("no avr-gcc")
        near = avr.cells_of(HLOCC, MODELS / "pid_bank.snapshot.pb")
        self.assertRegex(" ".join(near), r"^\d+,\d{3} \d+,\d{3} \d+ \d+ \d+,\d{3}$")
        self.assertLess(int(near[1].replace(",", "")), int(near[0].replace(",", "")))
        # Weights beyond 64 KB can't be read the short way.
        self.assertEqual(avr.cells_of(HLOCC, MODELS / "mlp_digits.snapshot.pb")[1], "(too large)")


class ModelFiles(unittest.TestCase):
    def test_how_far_results_are_apart(self):
        floats, bytes_ = array.array("f", [0.5, -8.0]).tobytes(), array.array("b", [1, -7])
        self.assertEqual(model_files.apart([("<f4", floats)], [floats]), "0.0e+00")
        moved = array.array("f", [0.5, -4.0]).tobytes()
        self.assertEqual(model_files.apart([("<f4", floats)], [moved]), "5.0e-01")
        small = array.array("f", [0.25, 0.0]).tobytes()
        self.assertEqual(model_files.apart([("<f4", small)], [bytes(8)]), "2.5e-01")
        self.assertEqual(model_files.apart([("|i1", bytes_.tobytes())], [bytes(2)]), "7 steps")
        halves = struct.pack("<2e", 2.0, 1.0)
        self.assertEqual(model_files.apart([("<f2", halves)], [struct.pack("<2e", 1.0, 1.0)]),
                         "5.0e-01")

    def test_numbers_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = package_models.npy(pathlib.Path(folder) / "x.npy", "<i8", (2,), bytes(range(16)))
            self.assertEqual(model_files.read_npy(path), ("<i8", bytes(range(16))))


class PersonDetect(unittest.TestCase):
    def test_one_channel_is_the_first_of_each_pixel(self):
        numbers = iter(range(216))
        weights = person_detect.nested(numbers, [3, 3, 3, 8])
        text = person_detect.one_channel(
            f"x = s8[1,96,96,3] parameter(0)\nw = s8[3,3,3,8]{{3,2,1,0}} constant({weights})\n")
        self.assertIn("x = s8[1,96,96,1]", text)
        self.assertIn("w = s8[3,3,1,8]{3,2,1,0} constant({{{{0, 1, 2, 3, 4, 5, 6, 7}}, "
                      "{{24, 25, ", text)
        self.assertTrue(text.rstrip().endswith("199}}}})"))


class Runs(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)

    def test_a_library_is_timed_and_compared(self):
        model = MODELS / "mlp_digits.snapshot.pb"
        program, row = host_program.build(HLOCC, model, [], self.folder)
        self.assertTrue(row["right"], row)
        self.assertGreater(row["compile_memory_bytes"], 1 << 20)
        timed = host_program.Timed([program, self.folder / "in", self.folder / "out"])
        answer = timed.ask(0.02)
        timed.close()
        self.assertLessEqual(answer["min_us"], answer["median_us"])
        self.assertGreater(answer["n"], 4)

    def test_state_and_samples(self):
        model = MODELS / "kws_gru_stream.snapshot.pb"
        _, row = host_program.build(HLOCC, model, [], self.folder)
        self.assertTrue(row["right"], row)

    def test_kernels_of_every_group(self):
        seen = set()
        for group, _, text, macs, bytes_ in kernels.cases():
            if group in seen or macs > 2e6:
                continue
            seen.add(group)
            (self.folder / "m.hlo").write_text(text())
            host_program.build_bare(HLOCC, self.folder / "m.hlo", [], self.folder / group)
            self.assertGreater(bytes_, 0)
        self.assertEqual(seen, {"gemm", "skinny", "gemv", "conv", "odd"})

    def test_cells_of_recurrent_networks(self):
        for cell in recurrent.CELLS:
            for steps in (0, 2):
                recurrent.write_snapshot(HLOCC, self.folder, cell, 3, 4, steps)
                _, row = host_program.build(HLOCC, self.folder / f"{cell}.snapshot.pb", [],
                                            self.folder)
                self.assertTrue(row["right"], (cell, steps, row))

    @unittest.skipUnless(shutil.which("qemu-system-arm") and shutil.which("arm-none-eabi-gcc"),
                         "no board here")
    def test_every_instruction_has_a_place(self):
        whole, costs = hotspots.on_board(HLOCC, MODELS / "mlp_digits.snapshot.pb", "cortex-m4f", [],
                                         self.folder)
        self.assertEqual(sum(costs.values()), whole)
        facts = hotspots.kernel_facts(self.folder, 1)
        self.assertEqual(sum(row["macs"] for row in facts.values()), 64 * 128 + 128 * 64 + 640)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

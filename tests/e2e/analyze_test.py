"""`hlocc analyze`, and the budgets and last lines of `compile`: every figure against what compile's
manifest, the object's sections and the plan say of the same model."""
import json
import re

from harness import ROOT, Test, hlocc, main, snapshot

VWW = ROOT / "tests" / "memory" / "vww_mobilenet.snapshot.pb"
IC = ROOT / "tests" / "memory" / "ic_resnet8.snapshot.pb"
FLOORS = {
    snapshot("kws_dscnn_int8"): 3866,
    snapshot("kws_dscnn"): 14696,
    snapshot("ad_autoencoder"): 5632,
    VWW: 115200,
    IC: 44544,
}


class Analyze(Test):
    def analysis(self, model, *flags):
        return json.loads(self.done("analyze", model, "--json", *flags))["targets"]

    def test_totals_are_those_of_the_manifest(self):
        for name in ("kws_dscnn_int8", "kws_gru_stream"):
            for target in ("cortex-m4f", "cortex-a53"):
                self.done("compile", snapshot(name), "--target", target, "-o", self.folder, "-q")
                told = self.manifest(f"{name}.json")
                found, = self.analysis(snapshot(name), "--target", target)
                for key in ("arena_bytes", "weights_bytes", "code_bytes", "stack_bytes",
                            "stack_is_lower_bound"):
                    self.assertEqual(found[key], told[key], (name, target, key))
                self.assertEqual(found["flash_bytes"], sum(found["sections"].values()))
                self.assertEqual(found["ram_bytes"], found["arena_bytes"] + found["instance_bytes"])
                self.assertGreaterEqual(found["instance_bytes"], told["state_bytes"])

    def test_curve(self):
        model = snapshot("kws_dscnn_int8")
        words = (model, "--target", "cortex-m4f", "--curve")
        page = self.folder / "page.html"
        found, = self.analysis(*words)
        points = found["curve"]
        self.assertIn(len(points), range(2, 11))
        for before, after in zip(points, points[1:]):
            self.assertLess(before["ram_bytes"], after["ram_bytes"])
            self.assertGreater(before["expected_cycles"], after["expected_cycles"])
        self.assertIn(found["arena_bytes"], [point["arena_bytes"] for point in points])
        self.assertLess(points[0]["arena_bytes"], found["arena_bytes"] / 2)
        # A budget of what the first takes is kept by as few bytes.
        self.done("compile", model, "--target", "cortex-m4f", "-o", self.folder, "-q",
                  "--ram-budget", points[0]["ram_bytes"])
        self.assertLessEqual(self.manifest("kws_dscnn_int8.json")["arena_bytes"],
                             points[0]["arena_bytes"])
        told = self.done("analyze", *words, "--html", page)
        self.assertIn("of the least", told)
        for point in points:
            self.assertRegex(told, f" {point['ram_bytes']} +{point['arena_bytes']} ")
        self.assertEqual(page.read_text().count("<circle "), len(points))
        self.assertNotIn("curve", self.analysis(model, "--target", "cortex-m4f")[0])
        self.assertIn("--curve and --stream do not go together",
                      self.refused(2, "usage", "analyze", *words, "--stream", "arg0"))

    def test_layers_add_up(self):
        found, = self.analysis(snapshot("kws_dscnn"), "--target", "cortex-m4f")
        layers = found["layers"]
        self.assertEqual(sum(layer["macs"] for layer in layers), found["macs"])
        self.assertEqual(sum(layer["expected_cycles"] for layer in layers),
                         found["expected_cycles"])
        # Weights count once, and so does the code of a kernel that layers share; what no layer has
        # is run's own code.
        kernels = sum(layer["flash_bytes"] for layer in layers)
        self.assertLess(kernels, found["flash_bytes"])
        self.assertGreater(kernels, found["flash_bytes"] - 1000)
        first, later = [layer for layer in layers if layer["kernel"] == "convolution_2"][:2]
        self.assertGreater(first["flash_bytes"], first["weights_bytes"])
        self.assertEqual(later["flash_bytes"], later["weights_bytes"])
        self.assertEqual(max(layer["alive_bytes"] for layer in layers), found["live_set_bound"])
        self.assertEqual(layers[found["peak_layer"]]["alive_bytes"], found["live_set_bound"])
        self.assertEqual(found["arena_gap_bytes"], found["arena_bytes"] - found["live_set_bound"])
        # The values of the memory map cover what is alive in each layer.
        for i, layer in enumerate(layers):
            held = set()
            for value in found["values"]:
                if value["first_layer"] <= i <= value["last_layer"]:
                    held.update(range(value["offset"], value["offset"] + value["bytes"]))
            self.assertEqual(len(held), layer["alive_bytes"], i)
            self.assertLess(max(held), found["arena_bytes"])

    def test_the_arena_is_optimal_or_has_a_gap(self):
        model = snapshot("ekf")
        for target, is_optimal in (("cortex-m4f", True), ("cortex-a53", False)):
            found, = self.analysis(model, "--target", target)
            gap = found["arena_gap_bytes"]
            self.assertEqual(gap, found["arena_bytes"] - found["live_set_bound"])
            self.assertEqual(gap == 0, is_optimal)
            self.assertLessEqual(found["order_bound"], found["arena_bytes"])
            self.assertEqual(found["optimal"], found["order_bound"] == found["arena_bytes"])
            told = self.done("analyze", model, "--target", target)
            self.assertEqual("arena    optimal: no order of these steps and no offsets" in told,
                             found["optimal"])
            self.assertEqual(f"{gap} bytes of the arena are gaps between values" in told,
                             not is_optimal)

    def test_the_row_wise_floor(self):
        """Counted by hand from the layers' shapes; no plan row by row is below it."""
        for model, floor in FLOORS.items():
            found, = self.analysis(model, "--target", "cortex-m4f", "--optimize=ram")
            self.assertEqual(found["row_floor"], floor, model)
            self.assertLessEqual(floor, found["arena_bytes"], model)
            told = self.done("analyze", model, "--target", "cortex-m4f")
            self.assertIn(f"rows     {floor} bytes would do", told)
        found, = self.analysis(snapshot("topk_sort"), "--target", "cortex-m4f")
        self.assertIsNone(found["row_floor"])

    def test_weights_of_two_layers_count_once(self):
        rows = ", ".join("{" + ", ".join(str((i * j) % 7 - 3)
                                         for j in range(64)) + "}"
                         for i in range(64))
        model = self.folder / "twice.hlo.txt"
        model.write_text(f"""HloModule twice
ENTRY e {{
  x = f32[64] parameter(0)
  w = f32[64,64] constant({{{rows}}})
  a = f32[64] dot(x, w), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}
  t = f32[64] tanh(a)
  ROOT b = f32[64] dot(t, w), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}
}}
""")
        found, = self.analysis(model, "--target", "cortex-m4f")
        weights = [
            layer["weights_bytes"] for layer in found["layers"] if layer["weights_bytes"] > 0
        ]
        self.assertEqual(weights, [found["weights_bytes"]] * 2)
        self.assertLess(sum(layer["flash_bytes"] for layer in found["layers"]),
                        found["flash_bytes"])

    def test_rows_are_those_of_inspect(self):
        found, = self.analysis(snapshot("kws_dscnn"), "--target", "cortex-m4f")
        told = json.loads(
            self.done("inspect", snapshot("kws_dscnn"), "--kernels", "--json", "--target",
                      "cortex-m4f"))["kernels"]
        same = ("kernel", "layer", "shape", "source", "hlo", "schedule", "tile", "bytes_read",
                "bytes_written", "expected_cycles", "in_loop", "runs")
        self.assertEqual([[layer[key] for key in same] for layer in found["layers"]],
                         [[row[key] for key in same] for row in told])

    def test_targets_side_by_side_and_time(self):
        text = self.done("analyze", snapshot("kws_dscnn"), "--target", "cortex-m4f", "--target",
                         "rv32imc", "--clock", "80MHz")
        self.assertRegex(text, r"^ +cortex-m4f +rv32imc\n")
        arena = re.search(r"^  arena +(\d+) +(\d+)$", text, re.M)
        cycles = re.search(r"^cycles, estimated +(\d+) +(\d+)$", text, re.M)
        time = re.search(r"^time, estimated +([0-9.]+) ms +([0-9.]+) s$", text, re.M)
        self.assertTrue(arena and cycles and time, text)
        self.assertAlmostEqual(float(time[1]), int(cycles[1]) / 80e3, delta=0.01)
        self.assertAlmostEqual(float(time[2]), int(cycles[2]) / 80e6, delta=0.01)
        self.assertIn("KwsDscnn for rv32imc", text)

    def test_budgets(self):
        model = snapshot("kws_dscnn")
        ran = hlocc("analyze", model, "--target", "cortex-m4f", "--ram", "48K", "--flash", "64K",
                    "--stack", "64")
        self.assertEqual(ran.returncode, 1)
        errors = ran.stderr.decode()
        for text in ("error[budget]", "bytes of RAM (arena 64000",
                     "the budget is 49152, 14860 are missing", "of flash (weights 90416",
                     "of stack", "the largest values at the peak: conv_general_dilated.",
                     "note: cure: ", "the largest in flash: "):
            self.assertIn(text, errors)
        self.done("analyze", model, "--target", "cortex-m4f", "--ram", "64K", "--flash", "100K",
                  "--stack", "1K")
        over = json.loads(
            hlocc("analyze", model, "--target", "cortex-m4f", "--ram", "48K",
                  "--json").stdout)["over_budget"]
        self.assertEqual(len(over), 1)
        # A chip whose memory is known needs no budget.
        self.refused(1, "budget", "analyze", model, "--target", "avr-mega2560")
        for wrong in (["--ram", "lots"], ["--flash", "-1"], ["--clock", "fast"]):
            self.refused(2, "usage", "analyze", model, *wrong)

    def test_cures_are_still_possible(self):
        one, = self.analysis(snapshot("kws_dscnn"), "--target", "cortex-m4f")
        size, = self.analysis(snapshot("kws_dscnn"), "--target", "cortex-m4f", "-Os")
        self.assertIn("-Os", "".join(one["flash_cures"]))
        self.assertNotIn("-Os", "".join(size["flash_cures"]))
        keep, = self.analysis(snapshot("mlp_digits"), "--target", "cortex-m4f", "--keep-arguments")
        self.assertIn("--keep-arguments", "".join(keep["ram_cures"]))
        leave, = self.analysis(snapshot("mlp_digits"), "--target", "cortex-m4f")
        self.assertNotIn("--keep-arguments", "".join(leave["ram_cures"]))

    def test_weights_may_be_left_out_of_the_file(self):
        model = self.folder / "elided.hlo"
        model.write_text(
            "HloModule m\n\nENTRY e {\n  x = f32[1,64] parameter(0)\n"
            "  w = f32[64,32] constant({...})\n"
            "  ROOT y = f32[1,32] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
            "}\n"
        )
        found, = self.analysis(model, "--target", "cortex-m4f")
        self.assertEqual(found["weights_bytes"], 64 * 32 * 4)
        self.assertIn("are not in the file", self.done("analyze", model, "--target", "cortex-m4f"))
        self.refused(1, "elided-constant", "compile", model, "-o", self.folder / "out")

    def test_code_of_another_compiler_is_not_known(self):
        found, = self.analysis(snapshot("kws_dscnn"), "--target", "cortex-m4f", "--backend", "c")
        self.assertIsNone(found["code_bytes"])
        self.assertIsNone(found["stack_bytes"])
        self.assertEqual(found["weights_bytes"], 90416)
        self.refused(1, "budget", "analyze", snapshot("kws_dscnn"), "--target", "cortex-m4f",
                     "--backend", "c", "--stack", "64K")

    def test_loops_are_said(self):
        text = self.done("analyze", snapshot("lstm_scan"), "--target", "cortex-m4f")
        found, = self.analysis(snapshot("lstm_scan"), "--target", "cortex-m4f")
        # The scan takes 49 steps, which its counter says.
        inside = [layer for layer in found["layers"] if layer["in_loop"]]
        self.assertTrue(inside)
        self.assertNotIn("stand in loops", text)
        for layer in inside:
            self.assertIn(f" ({layer['runs']} times)", text)
        self.assertEqual(sum(layer["macs"] * layer["runs"] for layer in found["layers"]),
                         found["macs"])

    def test_loops_that_end_by_data_count_once(self):
        model = self.folder / "until.hlo"
        model.write_text("""HloModule until
body { x = f32[8] parameter(0)
 ROOT y = f32[8] sine(x) }
condition { x = f32[8] parameter(0)
 s = f32[1] slice(x), slice={[0:1]}
 r = f32[] reshape(s)
 ROOT p = pred[] compare(r, f32[] constant(0.5)), direction=GT }
ENTRY e { x = f32[8] parameter(0)
 ROOT w = f32[8] while(x), condition=condition, body=body }
""")
        text = self.done("analyze", model, "--target", "cortex-m4f")
        found, = self.analysis(model, "--target", "cortex-m4f")
        self.assertEqual({layer["runs"] for layer in found["layers"] if layer["in_loop"]}, {None})
        self.assertIn("kernels stand in loops of unknown length", text)
        self.assertIn("(an iteration)", text)

    def test_a_larger_model(self):
        found, = self.analysis(VWW, "--target", "cortex-m4f")
        self.assertEqual(len(found["layers"]), 30)


class Compile(Test):
    def test_the_last_lines(self):
        out = self.done("compile", snapshot("kws_dscnn"), "--target", "cortex-m4f", "-o",
                        self.folder)
        told = self.manifest("kws_dscnn.json")
        lines = out.splitlines()
        self.assertEqual((lines[3], len(lines)), ("build with it:", 3 + 6))
        self.assertRegex(
            lines[0],
            rf"^cortex-m4f: RAM \d+ bytes \(arena {told['arena_bytes']}, instance \d+\), stack {told['stack_bytes']}$"
        )
        self.assertIn(f"weights {told['weights_bytes']}, code {told['code_bytes']}", lines[1])
        self.assertRegex(lines[2], r"^cortex-m4f: about \d+ cycles; most RAM is alive in .*; "
                                   r"the arena is optimal$")
        both = self.done("compile", snapshot("kws_dscnn"), "--target", "cortex-m4f", "--target",
                         "rv32imc", "-o", self.folder)
        self.assertEqual(len(both.splitlines()), 2 * (3 + 6))
        self.assertEqual(
            self.done("compile", snapshot("kws_dscnn"), "--target", "cortex-m4f", "-o", self.folder,
                      "-q"), "")
        self.assertNotIn(
            "cortex-m4f: RAM",
            self.done("compile", snapshot("kws_dscnn"), "--target", "cortex-m4f", "-o", self.folder,
                      "--json"))
        printed = self.done("compile", snapshot("kws_dscnn"), "--target", "cortex-m4f", "-o",
                            self.folder, "--print-after", "plan")
        self.assertNotIn("cortex-m4f: RAM", printed)

    def test_budgets_hold_or_nothing_is_written(self):
        compile_ = ["compile", snapshot("kws_dscnn"), "--target", "cortex-m4f", "-o", self.folder]
        self.done(*compile_, "--ram", "64012", "--flash", "96K")
        self.assertIn("libkws_dscnn.a", self.files())
        errors = self.refused(1, "budget", *compile_, "--ram", "64011", "--flash", "1K")
        self.assertIn("64012 bytes of RAM", errors)
        self.assertIn("bytes of flash", errors)
        self.assertNotIn("libkws_dscnn.a", self.files())
        config = self.folder / "kws.config"
        config.write_text('{\n  "target": "cortex-m4f",\n  "ram": "32K"\n}\n')
        self.refused(1, "budget", "compile", snapshot("kws_dscnn"), "-o", self.folder, "--config",
                     config)


if __name__ == "__main__":
    main()

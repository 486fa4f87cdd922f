"""Every verb's --json against the schemas that are installed (docs/schemas), and every verb's
errors."""
import copy
import hashlib
import json

import verbs
from harness import ROOT, Test, hlocc, main, snapshot
from json_schema import faults

ELIDED = "HloModule m\nENTRY e {\n x = f32[1,64] parameter(0)\n w = f32[64,10] constant({...})\n" \
         " ROOT d = f32[1,10] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n"
WEIGHTS = "HloModule m\nENTRY e {\n x = f32[2,64] parameter(0)\n w = f32[64,10] parameter(1)\n v = f32[10,4] parameter(2)\n" \
          " d = f32[2,10] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n t = f32[2,10] tanh(d)\n" \
          " ROOT e = f32[2,4] dot(t, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n"
CALLS = 'HloModule m\nENTRY e {\n x = f32[4] parameter(0)\n ROOT d = f32[2] custom-call(x), custom_call_target="my_filter"\n}\n'
ODD = "HloModule m\nENTRY e {\n a = f32[2,2] constant({{1, nan}, {-inf, 0.1}})\n b = c64[1] constant({(1, -nan)})\n" \
      " c = pred[] constant(true)\n d = u64[1] constant({18446744073709551615})\n e = f32[0,3] constant({})\n" \
      " f = s4[2] constant({-8, 7})\n g = f32[1] constant({nan(0x7)})\n k = bf16[1] constant({1e+30})\n" \
      " ROOT t = (f32[2,2], c64[1], pred[], u64[1], f32[0,3], s4[2], f32[1], bf16[1]) tuple(a, b, c, d, e, f, g, k)\n}\n"


def schema(name):
    return json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text())


class Schemas(Test):
    def setUp(self):
        super().setUp()
        verbs.prepare(self)
        self.commands = verbs.commands(self.folder)

    def check(self, name, *words, code=0):
        """`name`: of the schema, and of the verb where `words` do not begin with one."""
        words = words if words[0] in verbs.names() else (name, *words)
        ran = hlocc(*words, "--json")
        self.assertEqual(ran.returncode, code, ran.stderr)
        told = json.loads(ran.stdout)
        self.assertEqual(list(told)[0], "schema")
        rule = schema(name)
        self.assertEqual(faults(told, rule, rule), [], words)
        return told

    def test_every_verb(self):
        checked = set()
        for name, words in self.commands.items():
            verb = name.split("_")[0]
            if "--print-after" in words:  # stdout is that program's
                words = words[:words.index("--print-after")]
            self.check(verb, *[word for word in words if word != "--json"])
            checked.add(verb)
        self.assertEqual(checked, set(verbs.names()))

    def test_more_of_each(self):
        small, digits = self.folder / "small.hlo.txt", snapshot("mlp_digits")
        for name, text in (("elided", ELIDED), ("calls", CALLS), ("weights", WEIGHTS)):
            (self.folder / f"{name}.hlo.txt").write_text(text)
        both = [
            f"Kws={snapshot('kws_dscnn')}", f"Mlp={digits}", "--shared-arena", "--name",
            "acme::Both"
        ]
        two = self.check("compile", *both, "-o", self.folder / "both", "--target", "cortex-m3",
                         "--target", "rv32imc")
        self.assertEqual([row["target"] for row in two["targets"]], ["cortex-m3", "rv32imc"])
        self.assertIn(str(self.folder / "both" / "cortex-m3" / "libboth.a"),
                      two["targets"][0]["build"]["gcc"]["link"])
        self.check("bench", digits, "--repeat", "2", "--steps")
        for model in ("kws_dscnn", "lstm_scan", "kws_dscnn_int8", "pid_bank"):
            self.check("inspect", snapshot(model), "--kernels")
            self.check("analyze", snapshot(model), "--target", "cortex-m4f", "--target", "rv32imc",
                       "--clock", "80MHz")
        for model in (self.folder / "elided.hlo.txt", self.folder / "calls.hlo.txt"):
            self.check("inspect", model)
        self.assertEqual(
            self.check("inspect", self.folder / "weights.hlo.txt")["weight_arguments"], [1, 2])
        self.check("analyze", self.folder / "weights.hlo.txt")
        for backend in ("interpreter", "host"):
            self.check("inspect", small, "--backend", backend)
        self.check("analyze", small, "--target", "cortex-m4f", "--backend", "c")
        self.check("analyze", small, "--target", "cortex-m4f", "--ram", "4", code=1)
        self.check("verify", digits, self.folder / "none.pb", code=1)
        self.check("verify", digits, "--target", "cortex-m4f")
        for name in ("cortex-m4f", "stm32f407vg", "esp32", "host"):
            self.check("target", "targets", name)
        self.check("device", "targets", "vulkan-v3d")
        self.check("profile", *self.commands["profile"], "--clock", "80MHz")

    def test_what_was_written(self):
        out = self.folder / "out"
        files = self.check("compile", snapshot("mlp_digits"), "-o", out, "--target",
                           "cortex-m4f")["targets"][0]["files"]
        self.assertEqual(sorted(row["path"] for row in files),
                         sorted(str(path) for path in out.iterdir()))
        files += self.check("snapshot", snapshot("mlp_digits"), "-o", out / "s.pb")["files"]
        files += self.check("run", snapshot("mlp_digits"), "--output", out / "r.pb")["files"]
        self.assertEqual(len(files), 5)
        for row in files:
            with open(row["path"], "rb") as file:
                data = file.read()
            self.assertEqual((row["bytes"], row["sha256"]),
                             (len(data), hashlib.sha256(data).hexdigest()))

    def test_values(self):
        model = self.folder / "odd.hlo.txt"
        model.write_text(ODD)
        values = [
            row["values"]
            for row in self.check("run", "run", model, "--backend", "interpreter")["results"]
        ]
        self.assertEqual(values, [[[1, "nan"], ["-inf", 0.1]], [[1, "-nan"]], True,
                                  [18446744073709551615], [], [-8, 7], ["nan(0x7)"], [1e30]])

    def test_errors(self):
        rule = schema("error")
        for verb in verbs.names():
            for words in ([verb, "--no-such-flag",
                           "--json"], [verb, "--json", self.folder / "none", "x", "y"]):
                ran = hlocc(*words)
                if verb == "verify" and "x" in words:
                    continue  # each missing file is a failed case
                self.assertIn(ran.returncode, (1, 2), words)
                self.assertEqual(faults(json.loads(ran.stderr), rule, rule), [], words)

    def test_indices(self):
        rule = schema("index")
        for name in ("ops", "models", "regressions"):
            index = json.loads((ROOT / "tests" / "data" / name / "index.json").read_text())
            self.assertEqual(faults(index, rule, rule), [], name)
        self.assertEqual(
            len(faults({"cases": [{"name": "a", "tolerance": [{"rtoll": 1}]}]}, rule, rule)), 1)
        page = (ROOT / "docs" / "verify.md").read_text()
        for member in rule["$defs"]["rule"]["properties"]:
            self.assertIn(f"`{member}`", page)

    def test_the_check_itself(self):
        """What is printed and described passes; each damage is found."""
        good = self.check("compile", self.folder / "small.hlo.txt", "-o", self.folder / "out")
        rule = schema("compile")
        for damage in (lambda x: x.pop("models"), lambda x: x.update(schema=1),
                       lambda x: x.update(more=1), lambda x: x["targets"][0].update(ram_bytes=-1),
                       lambda x: x["targets"][0].update(stack_is_lower_bound=0),
                       lambda x: x["targets"][0]["files"][0].update(sha256="x"),
                       lambda x: x["targets"].append([])):
            bad = copy.deepcopy(good)
            damage(bad)
            self.assertEqual(len(faults(bad, rule, rule)), 1, bad)
        verdict = {"enum": ["passed", "failed"]}
        self.assertEqual(len(faults("odd", verdict, verdict)), 1)


main()

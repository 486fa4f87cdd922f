"""Weights that a model takes as arguments: the note about them, and --freeze, which makes constants
of them."""
import json
import math
import struct

from harness import Test, hlocc, main, npy, snapshot

MODEL = """HloModule mlp
relu { a = f32[2,32] parameter(0) z = f32[] constant(0) b = f32[2,32] broadcast(z), dimensions={} ROOT r = f32[2,32] maximum(a, b) }
ENTRY e {
  w1 = f32[32,64] parameter(0), metadata={op_name="params['w1']"}
  b1 = f32[32] parameter(1), metadata={op_name="params['b1']"}
  w2 = f32[32,10] parameter(2), metadata={op_name="params['w2']"}
  x = f32[2,64] parameter(3), metadata={op_name="x"}
  state = f32[2,32] parameter(4), metadata={op_name="state"}
  t = f32[64,32] transpose(w1), dimensions={1,0}
  p = f32[2,32] dot(x, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = f32[2,32] broadcast(b1), dimensions={1}
  h = f32[2,32] add(p, c)
  g = f32[2,32] add(h, state)
  k = f32[2,32] call(g), to_apply=relu
  q = f32[2,10] dot(k, w2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT out = (f32[2,10], f32[2,32]) tuple(q, g)
}
"""
ALIASED = MODEL.replace("HloModule mlp",
                        "HloModule mlp, input_output_alias={ {1}: (4, {}, may-alias) }")


def write_npy(path, shape, first=0):
    numbers = [math.sin(1 + 7 * first + i) for i in range(math.prod(shape))]
    path.write_bytes(npy("<f4", shape, struct.pack(f"<{len(numbers)}f", *numbers)))
    return path


class Freeze(Test):
    SHAPES = {"w1": (32, 64), "b1": (32,), "w2": (32, 10), "x": (2, 64), "state": (2, 32)}

    def setUp(self):
        super().setUp()
        self.model = self.folder / "mlp.hlo.txt"
        self.model.write_text(ALIASED)
        self.files_of = {
            name: write_npy(self.folder / f"{name}.npy", shape, i)
            for i, (name, shape) in enumerate(self.SHAPES.items())
        }

    def snapshot(self):
        given = [
            part for i, name in enumerate(self.SHAPES)
            for part in ("--input", f"{i}={self.files_of[name]}")
        ]
        self.done("snapshot", self.model, *given, "-o", self.folder / "mlp.snapshot.pb")
        return self.folder / "mlp.snapshot.pb"

    def weights(self, text):
        model = self.folder / "other.hlo.txt"
        model.write_text(text)
        return json.loads(self.done("inspect", model, "--json"))["weight_arguments"]

    def test_weights_among_the_arguments_are_noted(self):
        for verb in [("inspect",), ("analyze", "--target", "cortex-m4f")]:
            told = self.done(verb[0], self.model, *verb[1:])
            self.assertIn("the arguments params_w1, params_w2 are weights", told)
            self.assertIn("--freeze", told)
        ran = hlocc("compile", self.model, "--target", "cortex-m4f", "-o", self.folder)
        self.assertIn("note: the arguments params_w1, params_w2 are weights", ran.stderr.decode())
        self.assertEqual(
            hlocc("compile", self.model, "--target", "cortex-m4f", "-o", self.folder, "-q").stderr,
            b"")
        self.assertEqual(
            json.loads(self.done("analyze", self.model, "--json"))["weight_arguments"], [0, 2])

    def test_what_else_enters_products_is_not(self):
        """State, what has another use, what meets constants, products of a batch, two arguments
        alone, and a model's only one."""
        self.assertEqual(
            self.weights(
                MODEL.replace("tuple(q, g)", "tuple(q, k)").replace("call(g)", "call(state)")),
            [0, 2])
        self.assertEqual(
            self.weights(
                ALIASED.replace("(4, {}", "(2, {}").replace("{1}:", "{0}:").replace(
                    "f32[32,10] parameter(2)", "f32[32,10] parameter(2)").replace(
                        "f32[2,10]", "f32[32,10]").replace("dot(k, w2), lhs_contracting_dims={1}",
                                                           "dot(kk, w2), lhs_contracting_dims={0}").
                replace("  q = ",
                        "  kk = f32[32,32] broadcast(f32[] constant(1)), dimensions={}\n  q = ")),
            [])
        self.assertEqual(
            self.weights(
                "HloModule m\nENTRY e { a = f32[8,8] parameter(0) b = f32[8,8] parameter(1) ROOT c "
                "= f32[8,8] "
                "dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }\n"), [])
        self.assertEqual(
            self.weights(
                "HloModule m\nENTRY e { a = f32[8,8] parameter(0) b = f32[8,8] exponential(a) ROOT "
                "c = f32[8,8] "
                "dot(b, a), lhs_contracting_dims={1}, rhs_contracting_dims={0} }\n"), [])
        both = (
            "HloModule m\nENTRY e { a = f32[2,8,8] parameter(0) w = f32[2,8,8] parameter(1) b = "
            "f32[2,8,8] exponential(a) ROOT c = "
            "f32[2,8,8] dot(b, w), lhs_contracting_dims={2}, rhs_contracting_dims={1}@ }\n")
        self.assertEqual(
            self.weights(both.replace("@", ", lhs_batch_dims={0}, rhs_batch_dims={0}")), [])
        self.assertEqual(
            self.weights(
                both.replace("@", "").replace("2,8,8", "8,8").replace("={2}", "={1}").replace(
                    "rhs_contracting_dims={1}", "rhs_contracting_dims={0}")), [1])
        used = MODEL.replace("tuple(q, g)", "tuple(q, twice)").replace(
            "  ROOT", "  twice = f32[32,10] add(w2, w2)\n  ROOT").replace(
                "ROOT out = (f32[2,10], f32[2,32])", "ROOT out = (f32[2,10], f32[32,10])")
        self.assertEqual(self.weights(used), [0])
        for name in ("mlp_digits", "kws_gru_stream", "ekf", "gemm_64"):
            self.assertEqual(
                json.loads(self.done("inspect", snapshot(name), "--json"))["weight_arguments"], [],
                name)

    def test_filters_are_weights(self):
        self.assertEqual(
            self.weights(
                "HloModule m\nENTRY e { x = f32[1,8,8,3] parameter(0) w = f32[3,3,3,4] "
                "parameter(1) ROOT c = "
                "f32[1,6,6,4] convolution(x, w), window={size=3x3}, dim_labels=b01f_01io->b01f }\n"
            ), [1])

    def test_frozen_arguments_are_constants(self):
        """The same results as with the arguments; fewer of them, and the weights in flash."""
        case = self.snapshot()
        freeze = [
            "--freeze", f"params['w1']={self.files_of['w1']}", "--freeze",
            f"1={self.files_of['b1']}", "--freeze", f"arg2={self.files_of['w2']}"
        ]
        for how in [freeze, ["--freeze", "params*", "--from", case]]:
            ran = hlocc("compile", self.model, *how, "--target", "cortex-m4f", "-o", self.folder,
                        "--emit", "hlo,lib,header")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertEqual(
                ran.stderr.decode(),
                "note: --freeze made constants of params_w1, params_b1, params_w2; arguments "
                "are now 0 x, 1 state\n")
            told = self.manifest("mlp.json")
            self.assertEqual([leaf["hlo_name"] for leaf in told["arguments"]], ["x", "state"])
            self.assertEqual([leaf["donated"] for leaf in told["arguments"]], [False, True])
            self.assertGreaterEqual(told["weights_bytes"], 4 * (32 * 64 + 32 + 320))
            self.assertLess(told["arena_bytes"], 4096)
            out = self.folder / "frozen"
            self.done("run", self.folder / "mlp.hlo.txt", "--input", f"x={self.files_of['x']}",
                      "--input", f"state={self.files_of['state']}", "--output", f"{out}/")
            self.model.write_text(ALIASED)
            self.done("run", case, "--output", f"{self.folder}/given/")
            for name in ("result0.npy", "result1.npy"):
                self.assertEqual((out / name).read_bytes(),
                                 (self.folder / "given" / name).read_bytes())

    def test_freezes_that_are_refused(self):
        case, to = self.snapshot(), ["-o", self.folder / "out"]
        self.assertIn(
            "did you mean",
            self.refused(2, "usage", "compile", self.model, "--freeze",
                         f"arg7={self.files_of['x']}", *to))
        self.refused(1, "argument", "compile", self.model, "--freeze",
                     f"x={self.files_of['state']}", *to)
        self.assertIn(
            "donated",
            self.refused(2, "usage", "compile", self.model, "--freeze",
                         f"state={self.files_of['state']}", *to))
        self.assertIn("it says no values",
                      self.refused(2, "usage", "compile", self.model, "--freeze", "params*", *to))
        self.assertIn(
            "no argument is called so",
            self.refused(2, "usage", "compile", self.model, "--freeze", "parms*", "--from", case,
                         *to))
        self.assertIn(
            "no snapshot",
            self.refused(2, "usage", "compile", self.model, "--freeze", "params*", "--from",
                         self.model, *to))
        self.assertIn("there is no --freeze",
                      self.refused(2, "usage", "compile", self.model, "--from", case, *to))
        self.refused(1, "file", "compile", self.model, "--freeze", f"x={self.folder}/none.npy", *to)
        self.assertIn(
            "has no value of the shape",
            self.refused(1, "argument", "compile", self.model, "--freeze", "params*", "--from",
                         snapshot("gemm_64"), *to))
        self.model.write_text(MODEL)
        self.assertIn(
            "left without an argument",
            self.refused(2, "usage", "compile", self.model, "--freeze", "*", "--from", case, *to))
        self.model.write_text(
            "HloModule m\nENTRY e { s = (f32[32], f32[32]) parameter(0) a = f32[32] "
            "get-tuple-element(s), index=0 "
            "b = f32[32] get-tuple-element(s), index=1 ROOT r = f32[32] add(a, b) }\n")
        self.assertIn(
            "a part of a tuple",
            self.refused(2, "usage", "compile", self.model, "--freeze",
                         f"s.0={self.files_of['b1']}", *to))
        self.assertFalse((self.folder / "out").exists())

    def test_no_cure_asks_for_a_smaller_argument(self):
        model = self.folder / "large.hlo.txt"
        model.write_text(
            "HloModule m\nENTRY e { a = f32[4096] parameter(0) b = f32[4096] exponential(a) s = "
            "f32[64] slice(b), "
            "slice={[0:64]} r = f32[64] sine(s) c = f32[64] slice(a), slice={[64:128]} ROOT t = "
            "f32[64] add(r, c) }\n"
        )
        errors = self.refused(1, "budget", "compile", model, "--target", "cortex-m4f", "--ram",
                              "1K", "-o", self.folder)
        self.assertNotIn("a smaller a ", errors)


main()

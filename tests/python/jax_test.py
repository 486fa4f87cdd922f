"""JAX functions and jax.export's artefacts become modules that compute what JAX does, here and on a
board: names, parameters, state."""
import unittest

import jax
import jax.numpy as jnp
import numpy as np

import hlocc
from jax_cases import differs

RANDOM = np.random.default_rng(7)


def predict(params, x):
    for weights, bias in params:
        x = jnp.tanh(x @ weights + bias)
    return x


def step(state, x, gain=2.0):
    hidden = state["hidden"] * 0.5 + x * gain
    return {"hidden": hidden}, hidden.sum()


PARAMS = [(RANDOM.normal(size=(n, m)).astype("f4"), RANDOM.normal(size=m).astype("f4"))
          for n, m in ((8, 16), (16, 4))]
STATE = {"hidden": jax.ShapeDtypeStruct((4,), "float32")}
X4 = jax.ShapeDtypeStruct((4,), "float32")


class Jax(unittest.TestCase):
    def test_parameters_are_constants(self):
        module = hlocc.export(predict, PARAMS, jax.ShapeDtypeStruct((1, 8), "float32"))
        self.assertEqual([(leaf.name, leaf.shape) for leaf in module.arguments], [("x", (1, 8))])
        self.assertEqual(
            (module.name, module.notes),
            ("predict", ("argument 0 (params) is a constant of the model: 848 bytes", )))
        x = RANDOM.normal(size=(1, 8)).astype("f4")
        np.testing.assert_allclose(module.run(x), predict(PARAMS, x), rtol=1e-6, atol=1e-6)
        self.assertTrue(module.verify("cortex-m4f", [x]))
        self.assertEqual(module.analyze("cortex-m4f").weights_bytes, 848)
        opened = hlocc.export(jax.jit(predict), PARAMS, x, freeze=())
        self.assertEqual([leaf.name for leaf in opened.arguments],
                         ["params_0_0", "params_0_1", "params_1_0", "params_1_1", "x"])
        np.testing.assert_allclose(opened.run(*jax.tree_util.tree_leaves(PARAMS), x),
                                   module.run(x),
                                   rtol=1e-6)
        self.assertEqual(len(hlocc.export(predict, PARAMS, x, freeze=(0, 1), name="all").arguments),
                         0)
        # They are JAX's arrays: what is traced may choose among their rows.
        rows = hlocc.export(lambda p, i: p["table"][i], {"table": PARAMS[0][0]},
                            jax.ShapeDtypeStruct((3, ), "int32"))
        np.testing.assert_array_equal(rows.run([1, 0, 5]), PARAMS[0][0][[1, 0, 5]])

    def test_state(self):
        module = hlocc.export(step, STATE, X4, donate=(0,))
        self.assertEqual([(leaf.name, leaf.donated, leaf.partner) for leaf in module.arguments],
                         [("state_hidden", True, 0), ("x", False, None)])
        hidden, total = module.run(np.ones(4), np.arange(4))
        np.testing.assert_array_equal(hidden, [0.5, 2.5, 4.5, 6.5])
        self.assertEqual(total, 14)
        self.assertTrue(module.verify(["cortex-m0", "rv32imc"], [np.ones(4), np.arange(4)]))
        self.assertEqual(module.compile("cortex-m0").target, "cortex-m0")
        with self.assertRaises(hlocc.HloccError):
            hlocc.export(step, STATE, X4, donate=(0,), freeze=(0,))

    def test_names(self):
        module = hlocc.export(step, STATE, X4, names=["memory", "sample"])
        self.assertIn(
            b"arg_sample",
            next(file.data for file in module.compile("host").files if file.name.endswith(".h")))

    def test_artefacts_and_text(self):
        exported = jax.export.export(jax.jit(step))(STATE, X4)
        for module in (hlocc.export(exported),
                       hlocc.export(jax.jit(step).lower(STATE, X4).as_text())):
            hidden, total = module.run(np.ones(4), np.ones(4))
            np.testing.assert_array_equal(hidden, [2.5] * 4)
            self.assertEqual(total, 10)
        self.assertEqual(hlocc.export(exported).name, "step")

    def test_jit(self):
        traced = []

        @hlocc.jit(donate=(0,))
        def run(state, x, gain=2):
            traced.append(x.shape)
            hidden = state["hidden"] * 0.5 + x * gain
            return {"hidden": hidden}, (hidden.sum(), -x)

        state = {"hidden": np.ones(4, "f4")}
        for x in (np.arange(4, dtype="f4"), np.arange(4, dtype="f4")[::-1]):
            state, (total, negative) = run(state, x)
            self.assertIsInstance(total, np.ndarray)
            np.testing.assert_array_equal(negative, -x)
        np.testing.assert_array_equal(state["hidden"],
                                      0.5 * (0.5 + 2 * np.arange(4)) + 2 * np.arange(4)[::-1])
        count = len(traced)
        run(state, np.ones(4, "f4"))
        self.assertEqual(len(traced), count)  # known
        run({"hidden": np.ones((2, 4), "f4")}, np.ones(4, "f4"))
        self.assertGreater(len(traced), count)
        # Numbers of Python's take the type of what they meet; functions of nothing.
        self.assertEqual(hlocc.jit(lambda x, n: x * n)(np.ones(2, "f2"), 2).dtype, np.float16)
        self.assertEqual(hlocc.jit(lambda: jnp.arange(3))().tolist(), [0, 1, 2])
        self.assertEqual(hlocc.jit(lambda x: (), level="0")(1), ())
        with self.assertRaises(TypeError):
            hlocc.jit(lambda x: x)("text")

    def test_types(self):
        module = hlocc.export(
            lambda x: (x.astype(jnp.bfloat16) * 2, x > 0, x.astype(jnp.float8_e4m3fn), jnp.int4(x)),
            np.ones((2, 3), "f4"))
        x = np.linspace(-2, 3, 6, dtype="f4").reshape(2, 3)
        for got, wanted in zip(module.run(x), module.reference(x)):
            self.assertEqual(got.dtype, wanted.dtype)
            np.testing.assert_array_equal(got, wanted)
        self.assertTrue(module.verify("host", [x]))

    def test_differences_are_seen(self):
        """Of jax_cases.py: what of two results counts as equal."""
        x = np.array([1, -2, np.nan], "f4")
        self.assertEqual(differs((x, 3 * x), (x, 3 * x * np.float32(1 + 1e-6))), "")
        self.assertIn("values, by", differs((x,), (x * np.float32(1.001),)))
        self.assertIn("values", differs(x, np.array([1, -2, 3], "f4")))
        self.assertEqual(differs(np.float32([1e-9]), np.float32([0])), "")
        self.assertIn("values", differs(np.float32([1e-6]), np.float32([0])))
        self.assertIn("float32[3] for float64[3]", differs(x, x.astype("f8")))
        self.assertEqual(differs([x], (x,)), "structure")
        self.assertIn("int32 values", differs(np.int32([1, 2]), np.int32([1, 3])))
        self.assertIn("bool values", differs(np.array(True), np.array(False)))


if __name__ == "__main__":
    unittest.main()

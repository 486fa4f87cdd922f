"""hlocc.quantize: networks that are trained here, what each kind of layer loses, what stays in
floats and why, and that integers stay integers in what hlocc makes of them."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import hlocc
from networks import NETWORKS, accuracy, calibration, convolved, trained

RANDOM = np.random.default_rng(11)


def normal(*shape):
    return RANDOM.normal(size=shape).astype("f4")


def layers_of(quantized):
    return {layer.name: layer for layer in quantized.layers}


def stored_types(module, target):
    """Element type and size of what every launch stores, in order."""
    with tempfile.TemporaryDirectory(prefix="hlocc_quantize_") as folder:
        path = pathlib.Path(folder) / "m.pb"
        module.save(path)
        text = subprocess.run([
            os.environ["HLOCC_TOOL"], "compile", path, "--target", target, "-o", folder, "-q",
            "--print-after", "fuse"
        ],
                              capture_output=True,
                              text=True,
                              check=True)
    entry = (text.stdout + text.stderr).split("ENTRY")[1]
    return re.findall(r"= (\w+)\[[\d,]*\]\S* fusion\(", entry)


class Trained(unittest.TestCase):
    def test_accuracy_and_bytes(self):
        """Of each network: in 8 bits it loses at most 1 % of the inputs, in weights of 4 bits at
        most 4 %; hlocc's integers say what JAX's do."""
        print()
        for name in NETWORKS:
            function, params, *_ = trained(name)
            for weights, most_lost, most_bytes in (("int8", 0.01, 0.4), ("int4", 0.04, 0.3)):
                with self.subTest(network=name, weights=weights):
                    made = hlocc.quantize(function,
                                          params,
                                          calibration(name),
                                          weights=weights,
                                          tolerance=0.5,
                                          score=lambda run: accuracy(run, name))
                    print(f"{name} {weights}: {made}")
                    self.assertGreater(made.score_before, 0.9)
                    self.assertGreaterEqual(made.score_after, made.score_before - most_lost)
                    self.assertEqual(accuracy(made.module.run, name), made.score_after)
                    self.assertLess(made.bytes_after, most_bytes * made.bytes_before)
                    self.assertTrue(made.module.verify("cortex-m0", [calibration(name)[0]]))
                    self.assertEqual(
                        {layer.precision
                         for layer in made.layers
                         if layer.kind == "product"}, {weights})

    def test_flash(self):
        """Integers take less flash than floats, and weights of four bits less than bytes on chips
        without vectors; results are right there."""
        print()
        for name in ("digits", "convnet"):
            function, params, *_ = trained(name)
            given = calibration(name)
            modules = {
                "float": hlocc.export(function, params,
                                      given[0]), **{
                                          weights: hlocc.quantize(function,
                                                                  params,
                                                                  given,
                                                                  weights=weights,
                                                                  tolerance=0.5).module
                                          for weights in ("int8", "int4")
                                      }
            }
            for target in ("cortex-m0", "cortex-m4f", "rv32imc", "cortex-m55"):
                sizes = {weights: module.analyze(target) for weights, module in modules.items()}
                print(f"{name} {target}: " +
                      ", ".join(f"{weights} {size.flash_bytes}; {size.expected_cycles}"
                                for weights, size in sizes.items()))
                with self.subTest(network=name, target=target):
                    self.assertLess(sizes["int8"].flash_bytes, 0.65 * sizes["float"].flash_bytes)
                    self.assertLessEqual(sizes["int4"].flash_bytes, sizes["int8"].flash_bytes)
                    self.assertEqual(sizes["int4"].weights_bytes < sizes["int8"].weights_bytes,
                                     target != "cortex-m55")
                    self.assertTrue(modules["int4"].verify(target, [given[3]], rtol=1e-3,
                                                           atol=1e-4))

    def test_integers_stay_integers(self):
        """Between the first launch and the last product nothing is stored as floats, whether the
        chip has floats or not."""
        for name in NETWORKS:
            function, params, *_ = trained(name)
            module = hlocc.quantize(function, params, calibration(name, 20)).module
            for target in ("cortex-m0", "cortex-m4f", "cortex-m55", "host"):
                with self.subTest(network=name, target=target):
                    types = stored_types(module, target)
                    first_float = types.index("f32")
                    self.assertGreaterEqual(first_float, 3, types)
                    self.assertEqual(set(types[first_float:]), {"f32"}, types)
            float_types = stored_types(hlocc.export(function, params,
                                                    calibration(name)[0]), "cortex-m4f")
            self.assertEqual(set(float_types), {"f32"})


KINDS = {
    "product on the right": (lambda p, x: p["a"] @ x.T @ p["b"],
                             {"a": normal(6, 8), "b": normal(4, 3)}, (4, 8), 0.02),
    "batches": (lambda p, x: jnp.einsum("bij,bjk->bik", x, p) + 0.3, normal(3, 5,
                                                                            4), (3, 2, 5), 0.02),
    "two arrays": (lambda p, x: jnp.einsum("ij,kj->ik", jax.nn.relu(x @ p["a"]), x @ p["b"]),
                   {"a": normal(8, 8), "b": normal(8, 8)}, (4, 8), 0.03), "strides and borders": (
                       lambda p, x: convolved(jax.nn.relu(convolved(x, p["a"], 2)) + 1, p["b"]),
                       {"a": normal(3, 3, 2, 4), "b": normal(5, 5, 4, 3)}, (1, 9, 9, 2), 0.02),
    "dilated filters": (
        lambda p, x: lax.conv_general_dilated(x + 2,
                                              p, (1, 1), [(2, 1), (0, 3)],
                                              rhs_dilation=(2, 1),
                                              dimension_numbers=("NCHW", "OIHW", "NCHW")),
        normal(3, 2, 3,
               3), (1, 2, 9, 7), 0.02), "transposed": (lambda p, x: lax.conv_transpose(
                   x + 2, p, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
                                                       normal(3, 3, 2, 4), (1, 5, 5, 2), 0.02),
    "means": (lambda p, x: (jnp.mean(jnp.abs(x @ p), axis=1, keepdims=True) - 0.2) @ p,
              normal(6, 6), (2, 4, 6), 0.02),
    "windows with borders": (lambda p, x: convolved(
        lax.reduce_window(convolved(x, p) + 1, 0., lax.add, (1, 3, 3, 1),
                          (1, 2, 2, 1), "SAME") / 9, p), normal(3, 3, 2, 2), (1, 8, 8, 2), 0.02),
    "sums of two": (lambda p, x: (jax.nn.relu(x @ p - 2 *
                                              (x @ p[::-1])) - x @ p) @ p, normal(6,
                                                                                  6), (4, 6), 0.03),
    "products of two": (lambda p, x: (jax.nn.sigmoid(x @ p) * jnp.tanh(x @ p[::-1]) + 0.1) @ p,
                        normal(6, 6), (4, 6), 0.03),
    "functions": (
        lambda p, x: jax.nn.leaky_relu(jax.nn.gelu(jax.nn.silu(x @ p) * 1.5) @ p, 0.1) @ p,
        normal(6, 6) / 2, (4, 6), 0.03),
    "parts": (lambda p, x: jnp.concatenate([(x @ p)[:, :3],
                                            jnp.pad(x @ p, ((0, 0), (1, 2)), constant_values=0.5),
                                            jnp.flip(x @ p, 1)],
                                           axis=1) @ normal(18, 4), normal(6, 6), (4, 6), 0.03),
    "extremes": (lambda p, x: jnp.maximum(x @ p, x @ p[::-1]).reshape(2, 2, 6).max(axis=1) @ p,
                 normal(6, 6), (4, 6),
                 0.02), "a clamp on both sides": (lambda p, x: jnp.clip(x @ p, -0.5, 1.25) @ p,
                                                  normal(6, 6), (4, 6), 0.02),
    "a factor a channel behind a mean": (
        lambda p, x: (jnp.mean(jax.nn.relu(x @ p), 0) * jnp.arange(-2., 4).at[2].set(1.5) + 1) @ p,
        normal(6, 6), (4, 6), 0.03),
}


class Layers(unittest.TestCase):
    def test_kinds(self):
        """Each loses little, all but what is at the argument is in integers, and boards compute
        what JAX does with the same integers."""
        for name, (function, params, shape, most) in KINDS.items():
            with self.subTest(name):
                inputs = [normal(*shape) for _ in range(20)]
                made = hlocc.quantize(function, params, inputs, integer_io=False)
                self.assertLess(made.error, most)
                self.assertEqual([
                    layer.why for layer in made.layers if layer.precision == "float"
                    and layer.why not in ("it takes floats", "what reads it takes floats")
                ], [])
                self.assertTrue(any(layer.precision == "int8" for layer in made.layers))
                # Halves may be rounded either way where a product of floats is.
                got, wanted = made.module.run(inputs[0]), made.module.reference(inputs[0])[0]
                np.testing.assert_allclose(got, wanted, rtol=0, atol=0.02 * np.abs(wanted).max())
                self.assertTrue(
                    made.module.verify(["cortex-m0", "cortex-m55"], [inputs[0]],
                                       atol=0.02 * np.abs(wanted).max()))

    def test_integer_arguments_and_results(self):
        function, params, *_ = trained("digits")
        made = hlocc.quantize(function, params, calibration("digits"), integer_io=True)
        self.assertEqual(str(made.module), "hlocc.Module(mlp: s8[1,64] -> s8[1,10])")
        self.assertEqual(made.module.arguments[0].name, "x")
        x, (taken,), (given,) = calibration("digits")[0], made.inputs, made.outputs
        whole = np.clip(np.round(x / taken.step) + taken.zero, -128, 127).astype(np.int8)
        result = (made.module.run(whole).astype("f4") - given.zero) * given.step
        np.testing.assert_allclose(result, function(params, x), atol=0.05)

    def test_embeddings_and_integers(self):
        table, weights = normal(50, 8), normal(8, 4)
        made = hlocc.quantize(lambda p, words: jnp.tanh(p["table"][words] @ p["weights"]),
                              {"table": table, "weights": weights},
                              [RANDOM.integers(0, 50, 6).astype("i4") for _ in range(20)])
        self.assertLess(made.error, 0.02)
        self.assertEqual(layers_of(made)["gather.0"].precision, "int8")

    def test_structures(self):
        def function(params, features, more):
            y = features["x"] @ params
            return {"y": y, "z": jax.nn.relu(y) @ params, "given": more, "known": jnp.arange(3)}

        made = hlocc.quantize(function,
                              normal(6, 6), [({"x": normal(2, 6)}, normal(3)) for _ in range(10)],
                              name="acme")
        self.assertEqual(([leaf.name for leaf in made.module.arguments], made.module.name),
                         (["features_x", "more"], "acme"))
        x, more = normal(2, 6), normal(3)
        known, given, y, z = (made.module.run(x, more)[i] for i in (1, 0, 2, 3))
        np.testing.assert_array_equal(given, more)
        np.testing.assert_array_equal(known, [0, 1, 2])
        self.assertEqual((y.shape, z.shape), ((2, 6), (2, 6)))


class Precision(unittest.TestCase):
    def test_ranges(self):
        """One value of 9,600 is a hundred times as great: the percentile leaves it out."""
        inputs = [normal(1, 64) for _ in range(150)]
        inputs[7][0, 3] = 300
        weights = normal(64, 8)
        errors = {}
        for method in ("minmax", "percentile"):
            made = hlocc.quantize(lambda p, x: x @ p,
                                  weights,
                                  inputs,
                                  activations=method,
                                  percentile=99.9,
                                  tolerance=9)
            errors[method] = np.mean(
                [np.abs(made.module.run(x) - x @ weights) for x in inputs[20:]])
        self.assertLess(errors["percentile"], 0.3 * errors["minmax"])

    def test_what_loses_too_much_stays(self):
        """Of two products one is of numbers of very different sizes: it alone becomes wider, as the
        tolerance asks for."""
        def function(params, x):
            y = jax.nn.relu(x @ params["a"])
            return (y * params["scales"]) @ params["b"]

        params = {
            "a": normal(8, 32), "scales": np.logspace(-3, 3, 32, dtype="f4"),
            "b": (normal(32, 8).T / np.logspace(-3, 3, 32)).T.astype("f4")
        }
        inputs = [normal(4, 8) for _ in range(30)]
        loose = hlocc.quantize(function, params, inputs, tolerance=10)
        self.assertEqual([layer.precision for layer in loose.layers if layer.kind == "product"],
                         ["int8", "int8"])
        self.assertGreater(loose.error, 0.2)
        tight = hlocc.quantize(function, params, inputs, tolerance=0.05)
        self.assertLessEqual(tight.error, 0.05)
        wide = layers_of(tight)["dot_general.1"]
        self.assertEqual((wide.precision, layers_of(tight)["dot_general.0"].precision),
                         ("float", "int8"))
        self.assertEqual(wide.why, "it loses the most, and the network more than 0.05")
        self.assertEqual(wide.bytes_after, wide.bytes_before)

    def test_four_bits_become_eight(self):
        params = [normal(32, 32) / 6 for _ in range(3)]
        params[1][::5] *= 40
        function = lambda p, x: jnp.tanh(jnp.tanh(x @ p[0]) @ p[1]) @ p[2]
        inputs = [normal(2, 32) for _ in range(20)]
        narrow = hlocc.quantize(function, params, inputs, weights="int4", tolerance=9)
        mixed = hlocc.quantize(function,
                               params,
                               inputs,
                               weights="int4",
                               tolerance=0.9 * narrow.error)
        self.assertEqual({layer.precision
                          for layer in narrow.layers
                          if layer.kind == "product"}, {"int4"})
        self.assertEqual({layer.precision
                          for layer in mixed.layers
                          if layer.kind == "product"}, {"int4", "int8"})
        self.assertLessEqual(mixed.error, 0.9 * narrow.error)
        self.assertLess(narrow.bytes_after, mixed.bytes_after)

    def test_what_is_not_known_stays(self):
        def function(params, x):
            y = jnp.sort(x @ params, axis=-1) @ params
            return y / jnp.linalg.norm(y, axis=-1, keepdims=True)
        made = hlocc.quantize(function, normal(6, 6), [normal(4, 6) for _ in range(20)])
        rows = layers_of(made)
        self.assertEqual(rows["sort.0"].why, "sort is computed in floats")
        self.assertEqual([rows[f"dot_general.{i}"].precision for i in (0, 1)], ["int8", "int8"])
        self.assertIn("div is computed in floats", made.layers[-1].why)
        self.assertIn("sort is computed in floats", made._repr_html_())
        loop = hlocc.quantize(
            lambda p, x: lax.scan(lambda h, row:
                                  (jnp.tanh(h @ p + row), h), jnp.zeros(4), x)[0] @ p, normal(4, 4),
            [normal(5, 4)] * 3)
        self.assertEqual(layers_of(loop)["scan.0"].why, "scan is computed in floats")

    def test_what_is_kept(self):
        function, params, *_ = trained("digits")
        made = hlocc.quantize(function,
                              params,
                              calibration("digits", 20),
                              keep={"dot_general.0": "float", "dot_general.1": "int4"})
        self.assertEqual([layers_of(made)[f"dot_general.{i}"].precision for i in range(3)],
                         ["float", "int4", "int8"])
        self.assertEqual(layers_of(made)["dot_general.0"].why, "kept, as was asked for")

    def test_scopes_are_names(self):
        def function(params, x):
            with jax.named_scope("head"):
                return x @ params
        made = hlocc.quantize(function, normal(4, 4), [normal(2, 4)] * 3)
        self.assertEqual([layer.name for layer in made.layers], ["head/dot_general.0"])
        self.assertEqual(
            made.module.analyze("cortex-m4f").layers[-1].name.split("/")[0], "head.dot_general.0")

    def test_wishes_that_are_none(self):
        given = [normal(2, 4)]
        for words, named in (("weights='int2' is none of int8, int4", {"weights": "int2"}),
                             ("activations='max' is none of minmax, percentile, mse",
                              {"activations": "max"}), ("names no layer",
                                                        {"keep": {"dot.9": "int8"}}),
                             ("names no layer", {"keep": {"dot_general.0": "int16"}})):
            with self.assertRaisesRegex(hlocc.HloccError, words) as caught:
                hlocc.quantize(lambda p, x: x @ p, normal(4, 4), given, **named)
            self.assertEqual(caught.exception.kind, "usage")
        with self.assertRaisesRegex(hlocc.HloccError, "no calibration inputs"):
            hlocc.quantize(lambda p, x: x @ p, normal(4, 4), [])
        with self.assertRaisesRegex(hlocc.HloccError, "differ in shape"):
            hlocc.quantize(lambda p, x: x @ p, normal(4, 4), [normal(2, 4), normal(3, 4)])


if __name__ == "__main__":
    unittest.main()

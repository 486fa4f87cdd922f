"""frameworks_test.py torch|keras: models of PyTorch, or of Keras, become modules that compute what
they do, here and on boards."""
import os
import sys
import unittest

import numpy as np

import hlocc

os.environ["KERAS_BACKEND"] = "jax"
RANDOM = np.random.default_rng(3)


def normal(*shape):
    return RANDOM.normal(size=shape).astype("f4")


class Torch(unittest.TestCase):
    def test_models(self):
        import torch
        from torch import nn
        torch.manual_seed(1)
        convnet = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(),
                                nn.MaxPool2d(2), nn.Conv2d(4, 4, 3, groups=4), nn.ReLU6(),
                                nn.Flatten(), nn.Dropout(), nn.Linear(16, 5), nn.Softmax(-1))
        attention = nn.Sequential(
            nn.LayerNorm(8),
            nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, activation="gelu"))
        for name, model, shape in (("convnet", convnet, (1, 1, 8, 8)), ("attention", attention,
                                                                        (1, 5, 8))):
            with self.subTest(name):
                model.train()
                x = normal(*shape)
                module = hlocc.export(model, torch.from_numpy(x))
                self.assertTrue(model.training)
                self.assertEqual([leaf.shape for leaf in module.arguments], [shape])
                wanted, = module.reference(x)
                self.assertTrue(model.training)
                np.testing.assert_allclose(wanted,
                                           model.eval()(torch.from_numpy(x)).detach().numpy(),
                                           rtol=1e-5,
                                           atol=1e-6)
                np.testing.assert_allclose(module.run(x), wanted, rtol=1e-4, atol=1e-5)
                self.assertTrue(module.verify(["host", "cortex-m4f"], [x], rtol=1e-4, atol=1e-5))
                module.reference = lambda *leaves: [wanted + 1]
                self.assertFalse(module.verify("host", [x]))

    def test_several_arguments_and_results(self):
        import torch

        class Cell(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.cell = torch.nn.GRUCell(3, 4)

            def forward(self, sample, hidden):
                hidden = self.cell(sample, hidden)
                return hidden, hidden.sum()
        module = hlocc.export(Cell(), normal(1, 3), normal(1, 4), name="gru", donate=())
        self.assertEqual((module.name, [leaf.name for leaf in module.arguments]),
                         ("gru", ["sample", "hidden"]))
        given = normal(1, 3), normal(1, 4)
        for got, wanted in zip(module.run(*given), module.reference(*given)):
            np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-6)

    def test_what_torch_does_not_export(self):
        import torch

        class Hard(torch.nn.Module):
            def forward(self, x):
                return x * float(np.asarray(x.detach().cpu().numpy()).max())
        with self.assertRaises(hlocc.HloccError) as caught:
            hlocc.export(Hard(), normal(2))
        self.assertEqual(caught.exception.kind, "unsupported")
        self.assertIn("torch.onnx", caught.exception.message)


class Keras(unittest.TestCase):
    def test_models(self):
        import keras
        from keras import layers as l
        keras.utils.set_random_seed(1)
        convnet = keras.Sequential([
            l.Input((8, 8, 1)),
            l.Conv2D(4, 3, activation="relu"),
            l.BatchNormalization(),
            l.DepthwiseConv2D(3, padding="same"),
            l.MaxPooling2D(),
            l.Dropout(0.5),
            l.Flatten(),
            l.Dense(5, activation="softmax")
        ],
                                   name="digits")
        left, right = l.Input((6, 3)), l.Input((4,))
        recurrent = keras.Model([left, right],
                                l.Dense(2)(l.Concatenate()([l.GRU(4)(left), right])),
                                name="two")
        for model, shapes in ((convnet, [(1, 8, 8, 1)]), (recurrent, [(1, 6, 3), (1, 4)])):
            with self.subTest(model.name):
                module = hlocc.export(model)
                self.assertEqual((module.name, [leaf.shape for leaf in module.arguments]),
                                 (model.name, shapes))
                given = [normal(*shape) for shape in shapes]
                wanted = np.asarray(model(given if len(given) > 1 else given[0], training=False))
                np.testing.assert_allclose(module.reference(*given)[0],
                                           wanted,
                                           rtol=1e-5,
                                           atol=1e-6)
                np.testing.assert_allclose(module.run(*given), wanted, rtol=1e-4, atol=1e-5)
                self.assertTrue(module.verify("cortex-m4f", given, rtol=1e-4, atol=1e-5))
        self.assertEqual(
            hlocc.export(convnet, np.zeros((3, 8, 8, 1), "f4"), name="three").results[0].shape,
            (3, 5))

    def test_what_is_not_built(self):
        import keras
        model = keras.Sequential([keras.layers.Dense(3)])
        with self.assertRaises(hlocc.HloccError) as caught:
            hlocc.export(model)
        self.assertIn("has not been built", caught.exception.message)
        model(np.zeros((1, 4), "f4"))
        self.assertEqual(hlocc.export(model, np.zeros((2, 4), "f4")).results[0].shape, (2, 3))


if __name__ == "__main__":
    unittest.main(
        argv=[sys.argv[0], *[{"torch": "Torch", "keras": "Keras"}[name] for name in sys.argv[1:]]])

"""Scales of 8 and 4 bits: what they hold, and which of several loses the least."""
import unittest

import numpy as np

from hlocc._quantize import ranges

RANDOM = np.random.default_rng(2)


def loss(values, scale):
    return float((
        (np.clip(np.round(values / scale.step) + scale.zero, -128, 127) - scale.zero) * scale.step -
        values).__pow__(2).mean())


class Ranges(unittest.TestCase):
    def test_both_ends_and_zero_are_held(self):
        for low, high in ((-1, 3), (0.5, 2), (-7, -2), (0, 0), (-1e-30, 1e-30), (-3e8, 5)):
            scale = ranges.scale_of(low, high, False)
            self.assertGreater(scale.step, 0)
            self.assertTrue(-128 <= scale.zero <= 127)
            for value in (low, high, 0):
                self.assertLessEqual(abs((scale.number(value) - scale.zero) * scale.step - value),
                                     scale.step * 0.51)
            self.assertEqual(scale.number(0), scale.zero)
        self.assertEqual(ranges.scale_of(-1, 3, True), ranges.Scale(float(np.float32(3 / 127)), 0))
        self.assertEqual([ranges.scale_of(-1, 3, False).number(value) for value in (-100, 100)],
                         [-128, 127])

    def test_groups(self):
        values = [{0: np.array([1., 2.]), 1: np.array([-3.]), 2: np.array([]), 9: np.array([99.])},
                  {0: np.array([5.]), 1: np.array([0.]), 2: np.array([4.])}]
        self.assertEqual(ranges.of_groups(values, {0: 0, 1: 0, 2: 2}, "minmax", 0),
                         {0: (-3, 5), 2: (4, 4)})
        for method in ranges.RANGES:
            self.assertEqual(ranges.of_groups(values, {2: 2}, method, 99)[2],
                             (4, 4))  # one number has no distribution

    def test_percentile(self):
        values = [{0: np.append(RANDOM.uniform(-1, 1, 9990), [1000] * 10)}]
        low, high = ranges.of_groups(values, {0: 0}, "percentile", 99.5)[0]
        self.assertLess(high, 2)
        self.assertLess(low, -0.5)
        self.assertEqual(ranges.of_groups(values, {0: 0}, "percentile", 100)[0][1], 1000)

    def test_least_squares(self):
        """Of tails it leaves out some, of even numbers none; never worse than the whole range."""
        for name, values in (("tails", np.append(RANDOM.normal(size=200000),
                                                 9)), ("even", RANDOM.uniform(-1, 2, 20000))):
            whole, best = (ranges.of_groups([{0: values}], {0: 0}, method, 0)[0]
                           for method in ("minmax", "mse"))
            losses = [loss(values, ranges.scale_of(*ends, False)) for ends in (whole, best)]
            if name == "tails":
                self.assertLess(losses[1], 0.8 * losses[0])
            else:
                self.assertAlmostEqual(best[1] / whole[1], 1, delta=0.02)

    def test_weights(self):
        weights = RANDOM.normal(size=(64, 5)) * [[1, 10, 0.1, 0, 3]]
        eight, four = ranges.weight_steps(weights, (0,), 127), ranges.weight_steps(weights, (0,), 7)
        np.testing.assert_allclose(eight[0, [0, 1, 2, 4]] * 127,
                                   np.abs(weights).max(axis=0)[[0, 1, 2, 4]])
        self.assertEqual((eight.shape, eight[0, 3], four[0, 3]), ((1, 5), 1, 1))
        near = lambda step: (
            (np.clip(np.round(weights / step), -7, 7) * step - weights)**2).sum(axis=0)
        greatest = np.abs(weights).max(axis=0, keepdims=True) / 7 + (np.arange(5) == 3)
        self.assertTrue(np.all(near(four) <= near(greatest)))
        self.assertTrue(np.all(near(four)[[0, 1]] < near(greatest)[[0, 1]]))


if __name__ == "__main__":
    unittest.main()

"""Layers in integers, as HLO that hlocc's kernels take whole: products and sums of 8 bits in 32,
scaled once in floats, rounded to even, moved and clamped to 8 bits. (docs/numerics.md: chips
without floats compute that scale in integers.)"""
from __future__ import annotations

from typing import Any, Sequence

import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

from . import ops
from .layers import Layer
from .ranges import Scale, weight_steps

MOST = {"int8": 127, "int4": 7}


def quantized(real: Any, scale: Scale) -> Any:
    return _to_bytes(real * np.float32(1 / scale.step), scale.zero, -128, 127)


def dequantized(whole: Any, scale: Scale) -> Any:
    return _moved(whole, scale).astype(jnp.float32) * np.float32(scale.step)


def _moved(whole: Any, scale: Scale) -> Any:
    words = whole.astype(jnp.int32)
    return words - np.int32(scale.zero) if scale.zero else words


def _to_bytes(scaled: Any, zero: int, low: int, high: int) -> Any:
    """Floats in steps, rounded to even; low and high are of the integers."""
    rounded = lax.round(scaled, lax.RoundingMethod.TO_NEAREST_EVEN)
    moved = rounded + np.float32(zero) if zero else rounded
    return lax.convert_element_type(lax.clamp(np.float32(low), moved, np.float32(high)), jnp.int8)


def _limits(layer: Layer, scale: Scale) -> tuple[int, int]:
    low = -128 if layer.low == -np.inf else scale.number(layer.low)
    return low, max(low, 127 if layer.high == np.inf else scale.number(layer.high))


class Sum:
    """A layer's accumulator: its value is (acc + bias) * step, of 32 bits and floats."""

    def __init__(self, acc: Any, step: np.ndarray, bias: np.ndarray):
        self.acc, self.step, self.bias = acc, step, bias

    def whole(self) -> Any:
        bias = ops.same_along(np.asarray(self.bias).astype(np.int32))
        return self.acc + _spread(bias, self.acc.shape) if np.any(bias != 0) else self.acc

    def real(self, layer: Layer) -> Any:
        out = self.whole().astype(jnp.float32) * _spread(self.step.astype(np.float32),
                                                         self.acc.shape)
        return out if (layer.low, layer.high) == (-np.inf, np.inf) else jnp.clip(
            out, np.float32(layer.low), np.float32(layer.high))

    def bytes(self, layer: Layer, scale: Scale) -> Any:
        factor = ops.same_along((self.step / scale.step).astype(np.float32))
        return _to_bytes(self.whole().astype(jnp.float32) * _spread(factor, self.acc.shape),
                         scale.zero, *_limits(layer, scale))


def _spread(numbers: np.ndarray, shape: Sequence[int]) -> Any:
    """As few constants as there are, in every place."""
    numbers = ops.same_along(numbers)
    if numbers.size == 1:
        return numbers.reshape(())[()]
    numbers = numbers.reshape((1,) * (len(shape) - numbers.ndim) + numbers.shape)
    places = [axis for axis, size in enumerate(numbers.shape) if size != 1]
    return lax.broadcast_in_dim(numbers.reshape([numbers.shape[axis] for axis in places]), shape,
                                places)


def _rank(layer: Layer, shapes: Any) -> int:
    return len(shapes[layer.nodes[0].outputs[0]].shape)


def known_weights(layer: Layer, precision: str, taken: Scale,
                  shapes: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Integers, the accumulator's step and the bias without what the zero point adds, the last two
    in the result's dimensions. What scales the result is in the weights."""
    node, side, rank = layer.nodes[0], layer.side, _rank(layer, shapes)
    axes, weights = ops.contracted(node, side), np.asarray(node.inputs[side], np.float64)
    weights = weights * ops.from_results(node, side, layer.gain, rank)
    steps = weight_steps(weights, axes, MOST[precision])
    in_result = ops.in_results(node, side, steps, rank)
    # A bias that would not fit asks for coarser weights.
    bias = np.broadcast_to(np.asarray(layer.bias, np.float64),
                           np.broadcast_shapes(np.shape(layer.bias), in_result.shape))
    most = np.abs(bias).max(axis=tuple(i for i in range(rank) if in_result.shape[i] == 1),
                            keepdims=True) * 2.0**-30 / taken.step
    in_result = np.maximum(in_result, most)
    steps = ops.from_results(node, side, in_result, rank)
    whole = np.clip(np.round(weights / steps), -MOST[precision], MOST[precision]).astype(np.int8)
    step = in_result * taken.step
    return whole, step, np.round(bias / step)


def _zero_terms(layer: Layer, whole: np.ndarray, rank: int) -> np.ndarray:
    """The sum of each channel's weights."""
    sums = whole.astype(np.int64).sum(axis=ops.contracted(layer.nodes[0], layer.side),
                                      keepdims=True)
    return ops.in_results(layer.nodes[0], layer.side, sums, rank)


def product(layer: Layer, precision: str, x: Any, scale: Scale, shapes: Any, wide: bool) -> Sum:
    """Of bytes with weights that are known. wide: of the same numbers in 32 bits."""
    node, rank = layer.nodes[0], _rank(layer, shapes)
    whole, step, bias = known_weights(layer, precision, scale, shapes)
    bias = bias - scale.zero * _zero_terms(layer, whole, rank)
    weights = lax.convert_element_type(whole.astype(ml_dtypes.int4),
                                       jnp.int8) if precision == "int4" else whole
    if node.op == "conv_general_dilated":
        return Sum(_convolution(node.params, x, weights, scale.zero, wide), step, bias)
    left, right = (x, weights) if layer.side == 1 else (weights, x)
    return Sum(_dot(node.params, left, right, wide), step, bias)


def _words(array: Any, wide: bool) -> Any:
    return lax.convert_element_type(array, jnp.int32) if wide else array


def _dot(params: dict[str, Any], left: Any, right: Any, wide: bool) -> Any:
    return lax.dot_general(_words(left, wide),
                           _words(right, wide),
                           params["dimension_numbers"],
                           preferred_element_type=jnp.int32)


def _convolution(params: dict[str, Any], x: Any, weights: Any, zero: int, wide: bool) -> Any:
    """What lies beside the picture, or between its dilated points, is the zero point."""
    given = {
        name: params[name]
        for name in ("window_strides", "padding", "lhs_dilation", "rhs_dilation",
                     "dimension_numbers", "feature_group_count")
    }
    padding, dilation = given["padding"], given["lhs_dilation"]
    if zero and any(low or high or by != 1 for (low, high), by in zip(padding, dilation)):
        pads = [(0, 0, 0)] * x.ndim
        for axis, (low, high), by in zip(params["dimension_numbers"].lhs_spec[2:], padding,
                                         dilation):
            pads[axis] = (low, high, by - 1)
        x = lax.pad(x, np.int8(zero), pads)
        given.update(padding=((0, 0),) * len(padding), lhs_dilation=(1,) * len(padding))
    return lax.conv_general_dilated(_words(x, wide),
                                    _words(weights, wide),
                                    preferred_element_type=jnp.int32,
                                    **given)


def product_of_two(layer: Layer, arrays: Sequence[Any], scales: Sequence[Scale], wide: bool) -> Sum:
    """Neither has a zero point."""
    acc = _dot(layer.nodes[0].params, arrays[0], arrays[1], wide)
    return _scaled(layer, acc, scales[0].step * scales[1].step, 0)


def sum_of(layer: Layer, x: Any, scale: Scale) -> Sum:
    node = layer.nodes[0]
    if node.op == "reduce_sum":
        axes = tuple(node.params["axes"])
        count = int(np.prod([x.shape[axis] for axis in axes], dtype=np.int64))
        return _scaled(layer, lax.reduce(x.astype(jnp.int32), np.int32(0), lax.add, axes),
                       scale.step, scale.zero * count)
    given = {
        name: node.params[name]
        for name in ("window_dimensions", "window_strides", "base_dilation", "window_dilation")
    }
    padding = node.params["padding"]
    if scale.zero and any(low or high or by != 1
                          for (low, high), by in zip(padding, given["base_dilation"])):
        x = lax.pad(x, np.int8(scale.zero),
                    [(low, high, by - 1)
                     for (low, high), by in zip(padding, given["base_dilation"])])
        padding, given["base_dilation"] = ((0, 0),) * x.ndim, (1,) * x.ndim
    acc = lax.reduce_window(x.astype(jnp.int32), np.int32(0), lax.add, padding=padding, **given)
    return _scaled(layer, acc, scale.step, scale.zero * int(np.prod(given["window_dimensions"])))


def multiplied(layer: Layer, arrays: Sequence[Any], scales: Sequence[Scale]) -> Sum:
    acc = _moved(arrays[0], scales[0]) * _moved(arrays[1], scales[1])
    return _scaled(layer, acc, scales[0].step * scales[1].step, 0)


def _scaled(layer: Layer, acc: Any, step: float, offset: int) -> Sum:
    steps = np.asarray(layer.gain) * step
    bias = np.clip(np.round(np.asarray(layer.bias) / steps) - offset, -2.0 ** 30, 2.0 ** 30)
    return Sum(acc, steps, bias)


def pair(layer: Layer, arrays: Sequence[Any], scales: Sequence[Scale], given: Scale) -> Any:
    """(x - zx) * (sx / s) and (y - zy) * (sy / s), met, rounded and clamped."""
    sides = [
        _moved(array, scale).astype(jnp.float32) * np.float32(scale.step / given.step)
        for array, scale in zip(arrays, scales)
    ]
    met, = layer.nodes[0].run(sides)
    return _to_bytes(met, given.zero, *_limits(layer, given))


def rescaled(whole: Any, scale: Scale, given: Scale) -> Any:
    if scale == given:
        return whole
    return _to_bytes(
        _moved(whole, scale).astype(jnp.float32) * np.float32(scale.step / given.step), given.zero,
        -128, 127)


def moved(layer: Layer, operands: Sequence[Any], scale: Scale) -> list[Any]:
    """The operation as it is, on bytes: what it holds as numbers (a border, a table) is
    quantised."""
    node = layer.nodes[0]
    values = [
        quantized(np.asarray(value), scale)
        if not isinstance(known, int) and np.asarray(known).dtype == np.float32 else value
        for known, value in zip(node.inputs, operands)
    ]
    if node.op in ("reduce_window_max", "reduce_window_min"):
        edge, meet = (-128, lax.max) if node.op.endswith("max") else (127, lax.min)
        given = {
            name: node.params[name]
            for name in ("window_dimensions", "window_strides", "padding", "base_dilation",
                         "window_dilation")
        }
        return [lax.reduce_window(values[0], np.int8(edge), meet, **given)]
    return node.run(values)

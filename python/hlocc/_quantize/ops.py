"""What the quantiser knows of JAX's primitives, by name. What is in no row stays in floats."""
from __future__ import annotations

from typing import Any

import numpy as np

# Results have the operand's scale: elements are moved, repeated or chosen.
MOVES = ("reshape", "transpose", "broadcast_in_dim", "squeeze", "expand_dims", "slice", "rev",
         "pad", "copy", "copy_p", "reduce_max", "reduce_min", "reduce_window_max",
         "reduce_window_min", "gather", "dynamic_slice", "split")
# Sums of one array.
SUMS = ("reduce_sum", "reduce_window_sum")
# Of two arrays, in one pass over both.
PAIRS = ("add", "sub", "max", "min")
# Element by element: of one array and of numbers these are one function.
ELEMENTWISE = ("add", "sub", "mul", "div", "max", "min", "neg", "abs", "sign", "tanh", "logistic",
               "exp", "exp2", "log", "log1p", "expm1", "erf", "erfc", "erf_inv", "sin", "cos",
               "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "asinh", "acosh", "atanh",
               "floor", "ceil", "round", "sqrt", "rsqrt", "cbrt", "square", "pow", "integer_pow",
               "clamp", "select_n", "gt", "lt", "ge", "le", "eq", "ne", "and", "or", "not", "xor",
               "is_finite", "convert_element_type", "stop_gradient", "copy", "nextafter", "rem")


def same_along(array: np.ndarray) -> np.ndarray:
    """The array with one element along each dimension on which nothing depends."""
    for axis in range(array.ndim):
        first = np.take(array, [0], axis) if array.shape[axis] else array
        if array.shape[axis] > 1 and np.array_equal(np.broadcast_to(first, array.shape), array):
            array = first
    return array


def has_known_filter(node: Any) -> bool:
    """Of a convolution."""
    return isinstance(
        node.inputs[0],
        int) and not isinstance(node.inputs[1], int) and node.params["batch_group_count"] == 1


def weights_side(node: Any) -> int:
    """Which operand of a product of matrices is known; -1 if both are variables."""
    known = [not isinstance(value, int) for value in node.inputs]
    return known.index(True) if any(known) else -1


def contracted(node: Any, side: int) -> tuple[int, ...]:
    """Dimensions of the weights over which products are added up."""
    if node.op == "conv_general_dilated":
        out, _, *spatial = node.params["dimension_numbers"].rhs_spec
        return tuple(axis for axis in range(np.ndim(node.inputs[side])) if axis != out)
    return tuple(node.params["dimension_numbers"][0][side])


def in_results(node: Any, side: int, reduced: np.ndarray, rank: int) -> np.ndarray:
    """Numbers of the weights' shape, with one element along contracted dimensions, as they stand in
    the result."""
    if node.op == "conv_general_dilated":
        sizes = [1] * rank
        sizes[node.params["dimension_numbers"].out_spec[1]] = reduced.size
        return reduced.reshape(sizes)
    contracting, batches = node.params["dimension_numbers"]
    free = [
        axis for axis in range(reduced.ndim)
        if axis not in contracting[side] and axis not in batches[side]
    ]
    moved = np.transpose(reduced, [*batches[side], *free, *contracting[side]])
    batch, other = len(batches[0]), rank - len(batches[0]) - len(free)
    own = moved.shape[batch:batch + len(free)]
    return moved.reshape(*moved.shape[:batch],
                         *((1, ) * other + own if side == 1 else own + (1, ) * other))


def multiplies_weights(node: Any, side: int, numbers: np.ndarray, rank: int) -> bool:
    """Whether numbers in the result's dimensions depend on nothing but what the weights have
    dimensions for."""
    sizes = _channels(node, side, rank).shape
    return all(size in (1, own) for size, own in zip(_whole_rank(numbers, rank).shape, sizes))


def from_results(node: Any, side: int, numbers: np.ndarray, rank: int) -> np.ndarray:
    """The other way round: such numbers as they multiply the weights, with one element along
    contracted dimensions."""
    places = _channels(node, side, rank)
    spread = np.broadcast_to(_whole_rank(numbers, rank), places.shape).ravel()
    sizes = [
        1 if axis in contracted(node, side) else size
        for axis, size in enumerate(np.shape(node.inputs[side]))
    ]
    return spread[np.argsort(places.ravel())].reshape(sizes)


def _whole_rank(numbers: np.ndarray, rank: int) -> np.ndarray:
    numbers = same_along(np.asarray(numbers))
    return numbers.reshape((1,) * (rank - numbers.ndim) + numbers.shape)


def _channels(node: Any, side: int, rank: int) -> np.ndarray:
    """Of each channel of the weights its number, in the result's dimensions."""
    sizes = [
        1 if axis in contracted(node, side) else size
        for axis, size in enumerate(np.shape(node.inputs[side]))
    ]
    return in_results(node, side, np.arange(np.prod(sizes, dtype=int)).reshape(sizes), rank)

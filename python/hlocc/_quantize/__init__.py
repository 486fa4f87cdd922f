"""Post-training quantisation of JAX functions: floats become integers of 8 bits, weights of 8 or 4,
where that pays and loses little."""
from __future__ import annotations

import functools
from typing import Any, Callable, Iterable, Mapping

from .._errors import HloccError
from .report import Border, Quantized, QuantizedLayer

__all__ = ["Border", "Quantized", "QuantizedLayer", "quantize"]


def quantize(function: Callable[..., Any],
             params: Any,
             calibration: Iterable[Any],
             *,
             weights: str = "int8",
             activations: str = "minmax",
             percentile: float = 99.9,
             tolerance: float = 0.1,
             keep: Mapping[str, str] | None = None,
             score: Callable[[Callable[..., Any]], float] | None = None,
             integer_io: bool = False,
             name: str | None = None) -> Quantized:
    """The network `function(params, *inputs)` in integers, as a Module, and what that costs.

    params: a pytree of arrays, which become constants. calibration: inputs of the shapes that the
    module shall have: an array each, or a tuple of what the function takes behind params. 50 to 500
    that are like those to come. weights: "int8" or "int4", with a scale for each output channel and
    biases of 32 bits. activations: how their range of 8 bits follows from what the calibration
    inputs make of them: "minmax", "percentile" (without the share beyond `percentile`), "mse" (the
    least squared error). Each has a scale and a zero point. tolerance: of the results over the
    calibration inputs: the root of the mean square error over that of the values. While it is
    exceeded, the layer that loses the most by itself becomes wider: int4, int8, float. keep:
    precisions of layers by name (those of the report), whatever they lose:
    {"conv_general_dilated.0": "float"}. score: of a function that runs the network on inputs, a
    number: accuracy, say; called for the float network and for the one in integers. integer_io:
    arguments and results that are floats are integers of 8 bits, too; the report's `inputs` and
    `outputs` have their scales.

    Products, convolutions, sums, means, windows, sums and products of two arrays, functions of one,
    and what moves elements are known; all else, and what is cheap beside it, is computed in floats,
    and the report says why.

    Errors: HloccError of kind "usage", for calibration inputs of several shapes, none at all, or
    names that are none.
    """
    from . import ranges, search
    for given, known, what in ((weights, ("int8", "int4"), "weights"),
                               (activations, tuple(ranges.RANGES), "activations")):
        if given not in known:
            raise HloccError("usage", f"{what}={given!r} is none of {', '.join(known)}")
    samples = [sample if isinstance(sample, tuple) else (sample,) for sample in calibration]
    import jax
    import jax.numpy as jnp
    closed = functools.partial(function, jax.tree_util.tree_map(jnp.asarray, params))
    wish = search.Wish(weights, activations, percentile, tolerance, dict(keep or {}), integer_io)
    return search.quantized(closed, function, samples, wish, score, name)

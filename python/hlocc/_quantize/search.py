"""From a function and calibration inputs to a network in integers that loses little enough:
measured, and made wider where it loses the most."""
from __future__ import annotations

import dataclasses
import inspect
import math
from typing import Any, Callable, Iterator, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from .._errors import HloccError
from .._export import export
from . import ranges
from .graph import Graph, graph_of
from .layers import Finder, Layer
from .network import Network, weight_bytes
from .plan import WIDER, Plan, plan_of
from .report import Border, Quantized, QuantizedLayer


@dataclasses.dataclass(frozen=True)
class Wish:
    """As hlocc.quantize has them."""
    weights: str
    activations: str
    percentile: float
    tolerance: float
    keep: dict[str, str]
    integer_io: bool


class Search:
    def __init__(self, graph: Graph, samples: list[Sequence[np.ndarray]], wish: Wish):
        self.graph, self.samples, self.wish = graph, samples, wish
        self.layers = Finder(graph).layers()
        self.kept = self.named(wish.keep)
        self.narrowed: dict[int, str] = {}
        read = {variable
                for layer in self.layers
                for variable in (*layer.inputs, *layer.outputs)
                } | {v
                     for v in graph.outputs
                     if isinstance(v, int)}
        floats = jax.jit(lambda leaves: {
            variable: array
            for variable, array in graph.run(leaves).items()
            if variable in read
        })
        self.values = [{variable: np.asarray(array)
                        for variable, array in floats(sample).items()}
                       for sample in samples]

    def named(self, keep: dict[str, str]) -> dict[int, str]:
        numbers = {layer.name: i for i, layer in enumerate(self.layers)}
        for name, precision in keep.items():
            if name not in numbers or precision not in ("int4", "int8", "float"):
                raise HloccError(
                    "usage",
                    f"keep={{{name!r}: {precision!r}}} names no layer, or no precision",
                    notes=["layers: " + ", ".join(numbers), "precisions: int4, int8, float"])
        return {numbers[name]: precision for name, precision in keep.items()}

    def network(self) -> Network:
        plan = plan_of(self.graph, self.layers, self.wish.weights, {**self.narrowed, **self.kept},
                       self.wish.integer_io)
        ends = ranges.of_groups(self.values, plan.groups, self.wish.activations,
                                self.wish.percentile)
        for group, low, high in self.numbers(plan):
            ends[group] = min(ends[group][0], low), max(ends[group][1], high)
        return Network(
            self.graph, self.layers, plan,
            {group: ranges.scale_of(*ends[group], group in plan.symmetric)
             for group in ends})

    def numbers(self, plan: Plan) -> Iterator[tuple[int, float, float]]:
        """What layers that move elements hold themselves: borders, tables."""
        for number, layer in enumerate(self.layers):
            if plan.is_integer(number) and layer.kind == "move":
                for value in layer.nodes[0].inputs:
                    if not isinstance(value,
                                      int) and np.asarray(value).dtype == np.float32 and np.all(
                                          np.isfinite(value)):
                        yield plan.groups[layer.outputs[0]], float(np.min(value)), float(
                            np.max(value))

    def found(self) -> tuple[Network, dict[int, float], float]:
        """The narrowest network within the tolerance, what each layer loses, and what all of them
        do."""
        while True:
            network = self.network()
            error, losses = self.error(network), self.losses(network)
            open_ones = [i for i in losses if i not in self.kept]
            if error <= self.wish.tolerance or not open_ones:
                return network, losses, error
            worst = max(open_ones, key=lambda i: losses[i])
            self.narrowed[worst] = WIDER[network.plan.precisions[worst]]

    def losses(self, network: Network) -> dict[int, float]:
        measure = jax.jit(network.losses)
        sums: dict[int, np.ndarray] = {}
        for sample in self.samples:
            for number, pair in measure(sample).items():
                sums[number] = sums.get(number, np.zeros(2)) + np.asarray(pair, np.float64)
        return {number: _ratio(*pair) for number, pair in sums.items()}

    def error(self, network: Network) -> float:
        run, total = jax.jit(network.run), np.zeros(2)
        for sample, values in zip(self.samples, self.values):
            for place, got in zip(self.graph.outputs, run(sample)):
                if isinstance(place, int) and values[place].dtype == np.float32:
                    wanted = values[place].astype(np.float64)
                    total += [((np.asarray(got, np.float64) - wanted)**2).sum(), (wanted**2).sum()]
        return _ratio(*total)

    def rows(self, network: Network, losses: dict[int, float]) -> tuple[QuantizedLayer, ...]:
        """A row a layer; what stays in floats without a product is one row as far as it reaches."""
        out: list[QuantizedLayer] = []
        small: list[int] = []
        for number, layer in enumerate(self.layers):
            if not network.plan.is_integer(
                    number) and not layer.works and number not in self.narrowed:
                small.append(number)
                continue
            out += self.in_floats(network, small)
            small = []
            out.append(self.row(network, number, losses.get(number)))
        return tuple(out + self.in_floats(network, small))

    def row(self, network: Network, number: int, loss: float | None = None) -> QuantizedLayer:
        layer, precision = self.layers[number], network.plan.precisions[number]
        return QuantizedLayer(layer.name, layer.kind, self.graph.shapes[layer.outputs[0]].shape,
                              precision, self.why(network.plan, number), loss,
                              weight_bytes(layer, "float"), weight_bytes(layer, precision))

    def in_floats(self, network: Network, numbers: list[int]) -> list[QuantizedLayer]:
        rows = [self.row(network, number) for number in numbers]
        if len(rows) < 2:
            return rows
        reasons = [
            row.why
            for number, row in zip(numbers, rows)
            if self.layers[number].kind == "float" or number in self.kept
        ] or [rows[0].why]
        return [
            dataclasses.replace(rows[-1],
                                name=f"{rows[0].name} to {rows[-1].name}",
                                kind="float",
                                why="; ".join(dict.fromkeys(reasons)),
                                bytes_before=sum(row.bytes_before for row in rows),
                                bytes_after=sum(row.bytes_after for row in rows))
        ]

    def why(self, plan: Plan, number: int) -> str:
        """Of a layer in floats."""
        layer = self.layers[number]
        if plan.is_integer(number):
            return ""
        if layer.why:
            return layer.why
        if self.kept.get(number) == "float":
            return "kept, as was asked for"
        if self.narrowed.get(number) == "float":
            return f"it loses the most, and the network more than {self.wish.tolerance:g}"
        given = {
            v
            for i, other in enumerate(self.layers) if plan.is_integer(i) for v in other.outputs
        }
        return "what reads it takes floats" if given.issuperset(layer.inputs) else "it takes floats"


def _ratio(squares: float, of: float) -> float:
    return math.sqrt(squares / of) if of > 0 else 0.0 if squares == 0 else math.inf


def quantized(closed: Callable[..., Any], function: Any, samples: list[tuple[Any, ...]], wish: Wish,
              score: Callable[[Callable[..., Any]], float] | None, name: str | None) -> Quantized:
    if not samples:
        raise HloccError("usage", "there are no calibration inputs")
    kinds = [
        jax.tree_util.tree_map(lambda leaf: (np.shape(leaf), np.asarray(leaf).dtype), sample)
        for sample in samples
    ]
    if any(kind != kinds[0] for kind in kinds):
        raise HloccError("usage",
                         "calibration inputs differ in shape or type",
                         notes=[f"{kind}" for kind in dict.fromkeys(map(str, kinds))][:2])
    return _made(closed, function, [jax.tree_util.tree_map(_array, sample) for sample in samples],
                 wish, score, name)


def _array(leaf: Any) -> np.ndarray:
    """Of the type that JAX gives it."""
    return np.asarray(jnp.asarray(leaf))


def _made(closed: Callable[..., Any], function: Any, samples: list[tuple[Any, ...]], wish: Wish,
          score: Callable[[Callable[..., Any]], float] | None, name: str | None) -> Quantized:
    graph = graph_of(closed, samples[0])
    search = Search(graph, [jax.tree_util.tree_leaves(sample) for sample in samples], wish)
    network, losses, error = search.found()
    rows = search.rows(network, losses)

    def run(*inputs: Any) -> Any:
        return jax.tree_util.tree_unflatten(graph.tree,
                                            network.run(jax.tree_util.tree_leaves(inputs)))

    def exported(*inputs: Any) -> Any:
        return jax.tree_util.tree_unflatten(
            graph.tree, of_bytes.run(jax.tree_util.tree_leaves(inputs), wish.integer_io))
    of_bytes = dataclasses.replace(network, wide=False)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    if len(parameters) == len(samples[0]):
        exported.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [
                inspect.Parameter(parameter.name, inspect.Parameter.POSITIONAL_ONLY)
                for parameter in parameters
            ])
    exported.__name__ = getattr(function, "__name__", "model")
    leaves, tree = jax.tree_util.tree_flatten(samples[0])
    borders = [[_border(network, variable, wish.integer_io)
                for variable in place]
               for place in (graph.inputs, graph.outputs)]
    examples = [
        jax.ShapeDtypeStruct(leaf.shape, leaf.dtype if border.step is None else np.int8)
        for leaf, border in zip(leaves, borders[0])
    ]
    module = export(exported, *jax.tree_util.tree_unflatten(tree, examples), name=name, freeze=())
    wide = jax.jit(lambda *leaves: network.run(leaves, wish.integer_io))
    module.reference = lambda *arrays: list(map(np.asarray, wide(*arrays)))
    scores = (None, None) if score is None else (float(score(jax.jit(closed))),
                                                 float(score(jax.jit(run))))
    return Quantized(module, rows, error, sum(row.bytes_before for row in rows),
                     sum(row.bytes_after for row in rows), *scores, *map(tuple, borders))


def _border(network: Network, value: Any, integer_io: bool) -> Border:
    scale = network.scale(value) if integer_io and isinstance(value, int) else None
    return Border() if scale is None else Border(scale.step, scale.zero)

"""A planned network as a function that JAX traces: layers in integers and in floats, and what each
of them loses."""
from __future__ import annotations

import dataclasses
from typing import Any, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from . import integers, ops
from .graph import Graph
from .layers import Layer
from .plan import Plan
from .ranges import Scale


class Held:
    """A boundary's array: in bytes, in floats, or as one of them, made of the other when it is
    asked for."""

    def __init__(self, scale: Scale | None, real: Any = None, whole: Any = None):
        self._scale, self._real, self._whole = scale, real, whole

    @property
    def has_scale(self) -> bool:
        return self._scale is not None

    @property
    def scale(self) -> Scale:
        assert self._scale is not None
        return self._scale

    def real(self) -> Any:
        if self._real is None:
            self._real = integers.dequantized(self._whole, self.scale)
        return self._real

    def bytes(self) -> Any:
        if self._whole is None:
            self._whole = integers.quantized(self._real, self.scale)
        return self._whole


@dataclasses.dataclass
class Network:
    """wide: products take the same integers in 32 bits, for JAX to run: XLA has no fast ones of
    bytes on a CPU, and some that it cannot compile."""
    graph: Graph
    layers: list[Layer]
    plan: Plan
    scales: dict[int, Scale]  # of groups
    wide: bool = True

    def __post_init__(self) -> None:
        self.taken = {
            v
            for i, layer in enumerate(self.layers) if self.plan.is_integer(i) for v in layer.inputs
        }

    def scale(self, variable: int) -> Scale | None:
        group = self.plan.groups.get(variable)
        return None if group is None else self.scales.get(group)

    def held(self, variable: int, array: Any) -> Held:
        """An argument or a result of a layer, in floats or in bytes."""
        scale = self.scale(variable)
        return Held(scale, whole=array) if array.dtype == jnp.int8 and scale else Held(scale,
                                                                                       real=array)

    def run(self, leaves: Sequence[Any], integer_io: bool = False) -> list[Any]:
        """The results' leaves."""
        known = {
            variable: self.held(variable, leaf)
            for variable, leaf in zip(self.graph.inputs, leaves)
        }
        for number in range(len(self.layers)):
            known.update(self.computed(number, known))
        out: list[Any] = []
        for value in self.graph.outputs:
            if not isinstance(value, int):
                out.append(jnp.asarray(value))
            else:
                out.append(known[value].bytes(
                ) if integer_io and known[value].has_scale else known[value].real())
        return out

    def computed(self, number: int, known: dict[int, Held]) -> dict[int, Held]:
        layer = self.layers[number]
        with jax.named_scope(layer.name.replace("/", ".")):
            if not self.plan.is_integer(number):
                arrays = self.in_floats(
                    layer, {
                        variable: held.real()
                        for variable, held in known.items()
                        if variable in _read(layer)
                    })
            else:
                arrays = self.in_integers(number, known)
        return {
            variable: self.held(variable, array)
            for variable, array in zip(layer.outputs, arrays)
        }

    @staticmethod
    def in_floats(layer: Layer, known: dict[int, Any]) -> list[Any]:
        for node in layer.nodes:
            known.update(
                zip(node.outputs,
                    node.run([known[v] if isinstance(v, int) else v for v in node.inputs])))
        return [known[variable] for variable in layer.outputs]

    def in_integers(self, number: int, known: dict[int, Held]) -> list[Any]:
        layer = self.layers[number]
        held = [known[variable] for variable in layer.inputs]
        given = self.scales[self.plan.groups[layer.outputs[0]]]
        if layer.kind == "move":
            values = [
                known[v].bytes()
                if v in layer.inputs else known[v].real() if isinstance(v, int) else v
                for v in layer.nodes[0].inputs
            ]
            return integers.moved(layer, values, given)
        if layer.kind == "concatenate":
            parts = [integers.rescaled(one.bytes(), one.scale, given) for one in held]
            return layer.nodes[0].run(parts)
        if layer.kind == "function":
            real = self.in_floats(
                layer, {layer.inputs[0]: integers.dequantized(held[0].bytes(), held[0].scale)})
            return [integers.quantized(real[0], given)]
        arrays, scales = [one.bytes() for one in held], [one.scale for one in held]
        if layer.kind == "pair":
            return [integers.pair(layer, arrays, scales, given)]
        total = self.total(number, arrays, scales)
        return [total.bytes(layer, given) if self.ends_in_bytes(layer) else total.real(layer)]

    def ends_in_bytes(self, layer: Layer) -> bool:
        """Somebody computes with the bytes; else the accumulator is scaled to floats."""
        return layer.outputs[0] in self.taken

    def total(self, number: int, arrays: list[Any], scales: list[Scale]) -> integers.Sum:
        layer, shapes = self.layers[number], self.graph.shapes
        if layer.is_weighted:
            return integers.product(layer, self.plan.precisions[number], arrays[0], scales[0],
                                    shapes, self.wide)
        if layer.kind == "product":
            return integers.product_of_two(layer, arrays, scales, self.wide)
        if layer.kind == "sum":
            return integers.sum_of(layer, arrays[0], scales[0])
        return integers.multiplied(layer, arrays, scales)

    def losses(self, leaves: Sequence[Any]) -> dict[int, tuple[Any, Any]]:
        """Of each layer in integers, where it takes what the float network has: the squared error
        and the squared values, added up."""
        floats = self.graph.run(leaves)
        known = {
            variable: Held(self.scale(variable), real=array)
            for variable, array in floats.items()
        }
        out = {}
        for number, layer in enumerate(self.layers):
            if self.plan.is_integer(number) and layer.kind != "move":
                array, wanted = self.in_integers(number, known)[0], floats[layer.outputs[0]]
                if array.dtype == jnp.int8:
                    array = integers.dequantized(array,
                                                 self.scales[self.plan.groups[layer.outputs[0]]])
                out[number] = jnp.sum((array - wanted) ** 2), jnp.sum(wanted ** 2)
        return out


def _read(layer: Layer) -> set[int]:
    return {variable for node in layer.nodes for variable in node.variables}


def weight_bytes(layer: Layer, precision: str) -> int:
    """Of the weights and the bias as the network holds them."""
    node = layer.nodes[0]
    if not layer.is_weighted:
        numbers = [
            ops.same_along(np.asarray(value))
            for one in layer.nodes
            for value in one.inputs
            if not isinstance(value, int)
        ]
        return sum(array.nbytes for array in numbers if array.size > 1)
    weights = np.asarray(node.inputs[layer.side])
    bias = 0 if not np.any(layer.bias) else np.size(layer.bias)
    if precision == "float":
        return weights.nbytes + 4 * bias
    channels = weights.size // int(
        np.prod([weights.shape[axis] for axis in ops.contracted(node, layer.side)]))
    # With a factor a channel.
    return (weights.size + 1) // 2 * (1 if precision == "int4" else 2) + 4 * channels + 4 * bias

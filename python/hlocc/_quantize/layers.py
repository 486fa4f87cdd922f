"""Which operations become one integer layer: a product or sum with what scales, moves and clamps
its result; two arrays met; a function of one.

A variable that a layer takes or gives is a boundary: there it is an array of 8 bits if both sides
compute in integers, else one of floats."""
from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from . import ops
from .graph import Graph, Node


@dataclasses.dataclass
class Layer:
    """kind: "product", "sum", "multiply", "pair", "concatenate", "move", "function" or "float".

    inputs, outputs: boundaries. nodes: what it computes, in order. side: of a product, which
    operand is known, -1: none. gain, bias: of its sum, in the dimensions of the result. low, high:
    the result is clamped between them."""
    kind: str
    nodes: list[Node]
    inputs: list[int]
    outputs: list[int]
    side: int = -1
    gain: np.ndarray = dataclasses.field(default_factory=lambda: np.array(1.0))
    bias: np.ndarray = dataclasses.field(default_factory=lambda: np.array(0.0))
    low: float = -np.inf
    high: float = np.inf
    why: str = ""

    @property
    def name(self) -> str:
        return self.nodes[0].name

    @property
    def is_weighted(self) -> bool:
        return self.kind == "product" and self.side >= 0

    @property
    def works(self) -> bool:
        """Pays in integers whatever is around it."""
        return self.kind == "product"


class Finder:
    def __init__(self, graph: Graph):
        self.graph, self.readers = graph, graph.readers()
        self.results = {value for value in graph.outputs if isinstance(value, int)}
        self.made = {variable: node for node in graph.nodes for variable in node.outputs}
        self.roots: dict[int, int] = {variable: variable for variable in graph.inputs}
        self.taken: set[int] = set()  # nodes, by their first output

    def layers(self) -> list[Layer]:
        found = []
        for node in self.graph.nodes:
            if node.outputs[0] in self.taken:
                continue
            layer, root = self.layer_of(node), self.root_of(node)
            if layer is None and root is not None:
                self.roots[node.outputs[0]] = root
            if layer is None:
                continue
            found.append(layer)
            self.roots.update({variable: variable for variable in layer.outputs})
        return self.with_functions(found)

    def is_float(self, variable: int) -> bool:
        return self.graph.shapes[variable].dtype == np.float32

    def root_of(self, node: Node) -> int | None:
        """What one function of one array is made of: that array."""
        if node.op not in ops.ELEMENTWISE or len(node.outputs) != 1:
            return None
        roots = {self.roots[variable] for variable in node.variables}
        root = roots.pop() if len(roots) == 1 else None
        shape = self.graph.shapes[node.outputs[0]].shape
        return root if root is not None and self.is_float(
            root) and self.graph.shapes[root].shape == shape else None

    def layer_of(self, node: Node) -> Layer | None:
        """None for a part of a function."""
        floats = all(map(self.is_float, [*node.variables, *node.outputs]))
        if node.op == "conv_general_dilated" and floats and ops.has_known_filter(node):
            return self.summed(Layer("product", [node], node.variables, node.outputs, side=1))
        if node.op == "dot_general" and floats and len(node.outputs) == 1:
            return self.summed(
                Layer("product", [node], node.variables, node.outputs, side=ops.weights_side(node)))
        if node.op in ops.SUMS and floats:
            return self.summed(Layer("sum", [node], node.variables, node.outputs))
        if node.op in ops.MOVES and node.variables and all(map(self.is_float, node.outputs)):
            return self.moved(node)
        if node.op == "concatenate" and floats and len(node.variables) == len(node.inputs):
            return Layer("concatenate", [node], node.variables, node.outputs)
        if self.root_of(node) is not None:
            return None
        if floats and len(node.inputs) == len(node.variables) == 2:
            if node.op == "mul":
                return self.summed(Layer("multiply", [node], node.variables, node.outputs))
            if node.op in ops.PAIRS:
                return self.clamped(Layer("pair", [node], node.variables, node.outputs))
        return Layer("float", [node],
                     list(dict.fromkeys(node.variables)),
                     node.outputs,
                     why=f"{node.op} is computed in floats")

    def moved(self, node: Node) -> Layer:
        """Of one array of floats, or of a table that is known; what says where is none of it."""
        floats = [variable for variable in node.variables if self.is_float(variable)]
        known = not isinstance(node.inputs[0], int) and np.asarray(
            node.inputs[0]).dtype == np.float32
        if known and node.op in ("gather", "dynamic_slice"):
            return Layer("move", [node], [], node.outputs)
        if len(floats) == 1 and node.inputs[0] == floats[0]:
            return Layer("move", [node], floats, node.outputs)
        return Layer("float", [node],
                     list(dict.fromkeys(node.variables)),
                     node.outputs,
                     why=f"{node.op} is computed in floats")

    def reader(self, variable: int) -> Node | None:
        """The only one."""
        nodes = self.readers[variable]
        return nodes[0] if len(nodes) == 1 and variable not in self.results else None

    def summed(self, layer: Layer) -> Layer:
        """With what scales and moves its result."""
        while (node := self.reader(layer.outputs[0])) is not None and len(node.inputs) == 2 and len(
                node.variables) == 1:
            place = node.inputs.index(layer.outputs[0])
            other = ops.same_along(np.asarray(node.inputs[1 - place],
                                              np.float64)) if node.op in ("add", "sub", "mul",
                                                                          "div") else None
            if other is None or not self.absorbed(layer, node.op, place, other):
                break
            self.take(layer, node)
        return self.clamped(layer)

    def absorbed(self, layer: Layer, op: str, place: int, other: np.ndarray) -> bool:
        gain, bias = layer.gain, layer.bias
        if op == "add":
            bias = bias + other
        elif op == "sub":
            gain, bias = (gain, bias - other) if place == 0 else (-gain, other - bias)
        elif op == "mul":
            gain, bias = gain * other, bias * other
        elif place == 0 and np.all(other != 0):
            gain, bias = gain / other, bias / other
        else:
            return False
        rank = len(self.graph.shapes[layer.outputs[0]].shape)
        if layer.is_weighted and not ops.multiplies_weights(layer.nodes[0], layer.side, gain, rank):
            return False
        if not np.all(np.isfinite(gain)) or not np.all(np.isfinite(bias)) or not np.all(gain != 0):
            return False
        layer.gain, layer.bias = gain, bias
        return True

    def clamped(self, layer: Layer) -> Layer:
        """With the bounds of its result: relu and its like."""
        while (node := self.reader(layer.outputs[0])) is not None:
            bounds = _bounds(node, layer.outputs[0])
            if bounds is None:
                return layer
            low, high = bounds
            layer.low, layer.high = min(max(layer.low, low), high), max(min(layer.high, high), low)
            self.take(layer, node)
        return layer

    def take(self, layer: Layer, node: Node) -> None:
        layer.nodes.append(node)
        layer.outputs = node.outputs
        self.taken.add(node.outputs[0])

    def with_functions(self, found: list[Layer]) -> list[Layer]:
        """The boundaries that are functions of another one become layers, where they are first
        read."""
        out: list[Layer] = []
        known: set[int] = set()

        def add(variables: list[int]) -> None:
            for variable in variables:
                root = self.roots[variable]
                if root != variable and variable not in known:
                    known.add(variable)
                    out.append(Layer("function", self.between(root, variable), [root], [variable]))
        for layer in found:
            add(layer.inputs)
            out.append(layer)
        add([variable for variable in self.graph.outputs if isinstance(variable, int)])
        return out

    def between(self, root: int, variable: int) -> list[Node]:
        needed, nodes = {variable}, []
        for node in reversed(self.graph.nodes):
            if needed.intersection(
                    node.outputs) and node.outputs[0] != root and root not in node.outputs:
                needed.update(node.variables)
                nodes.append(node)
        return nodes[::-1]


def _bounds(node: Node, variable: int) -> tuple[float, float] | None:
    """What max, min or clamp with numbers leaves of an array."""
    known = [
        None if isinstance(value, int) else ops.same_along(np.asarray(value))
        for value in node.inputs
    ]
    if any(value is not None and value.size != 1
           for value in known) or node.variables != [variable]:
        return None
    numbers = [float(value.ravel()[0]) for value in known if value is not None]
    if node.op == "max":
        return numbers[0], np.inf
    if node.op == "min":
        return -np.inf, numbers[0]
    if node.op == "clamp" and known[1] is None:
        return numbers[0], numbers[1]
    return None

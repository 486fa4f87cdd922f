"""A JAX function as a flat list of operations: calls are taken apart, what depends on no argument
is an array, what nothing reads is gone."""
from __future__ import annotations

import dataclasses
from typing import Any, Callable, Sequence

import jax
import numpy as np

# Primitives that stand for the program that they carry.
_CALLS = ("jit", "pjit", "closed_call", "core_call", "custom_jvp_call", "custom_vjp_call",
          "custom_vjp_call_jaxpr", "remat", "remat2", "checkpoint")
_BODIES = ("jaxpr", "call_jaxpr", "fun_jaxpr")

# An operand: the number of a variable, or an array that is known.
Value = Any


@dataclasses.dataclass
class Node:
    """An operation of JAX's. Outputs that nothing reads have numbers, too. name: with the scopes
    that the program names, and counted."""
    name: str
    primitive: Any
    params: dict[str, Any]
    inputs: list[Value]
    outputs: list[int]

    @property
    def op(self) -> str:
        return self.primitive.name

    @property
    def variables(self) -> list[int]:
        return [value for value in self.inputs if isinstance(value, int)]

    def run(self, values: Sequence[Any]) -> list[Any]:
        out = self.primitive.bind(*values, **self.params)
        return list(out) if self.primitive.multiple_results else [out]


@dataclasses.dataclass
class Graph:
    """inputs: variables, a leaf of the arguments each. outputs: variables or arrays, a leaf each.
    shapes: of each variable."""
    nodes: list[Node]
    inputs: list[int]
    outputs: list[Value]
    shapes: dict[int, jax.ShapeDtypeStruct]
    tree: Any

    def readers(self) -> dict[int, list[Node]]:
        out: dict[int, list[Node]] = {variable: [] for variable in self.shapes}
        for node in self.nodes:
            for variable in dict.fromkeys(node.variables):
                out[variable].append(node)
        return out

    def run(self, leaves: Sequence[Any]) -> dict[int, Any]:
        """All variables, in floats as the function has them."""
        known = dict(zip(self.inputs, leaves))
        for node in self.nodes:
            known.update(
                zip(node.outputs,
                    node.run([known[v] if isinstance(v, int) else v for v in node.inputs])))
        return known


class _Builder:
    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.shapes: dict[int, jax.ShapeDtypeStruct] = {}

    def variable(self, aval: Any) -> int:
        number = len(self.shapes)
        self.shapes[number] = jax.ShapeDtypeStruct(aval.shape, aval.dtype)
        return number

    def walk(self, jaxpr: Any, constants: Sequence[Value],
             arguments: Sequence[Value]) -> list[Value]:
        known: dict[Any, Value] = {}

        def read(atom: Any) -> Value:
            return np.asarray(atom.val) if hasattr(atom, "val") else known[atom]
        known.update(zip(jaxpr.constvars, constants))
        known.update(zip(jaxpr.invars, arguments))
        for equation in jaxpr.eqns:
            inputs = [read(atom) for atom in equation.invars]
            known.update(zip(equation.outvars, self.outcome(equation, inputs)))
        return [read(atom) for atom in jaxpr.outvars]

    def outcome(self, equation: Any, inputs: list[Value]) -> list[Value]:
        primitive, params = equation.primitive, equation.params
        if primitive.name in _CALLS:
            body = next(params[name] for name in _BODIES if name in params)
            return self.walk(getattr(body, "jaxpr", body), getattr(body, "consts", ()), inputs)
        if not any(isinstance(value, int) for value in inputs) and not equation.effects:
            out = primitive.bind(*inputs, **params)
            return [np.asarray(value) for value in (out if primitive.multiple_results else [out])]
        outputs = [self.variable(atom.aval) for atom in equation.outvars]
        stack = str(equation.source_info.name_stack)
        self.nodes.append(
            Node(f"{stack}/{primitive.name}" if stack else primitive.name, primitive, params,
                 inputs, outputs))
        return list(outputs)


def graph_of(function: Callable[..., Any], examples: Sequence[Any]) -> Graph:
    """Of a function of positional pytrees."""
    closed, shape = jax.make_jaxpr(function, return_shape=True)(*examples)
    builder = _Builder()
    inputs = [builder.variable(atom.aval) for atom in closed.jaxpr.invars]
    outputs = builder.walk(closed.jaxpr, list(map(np.asarray, closed.consts)), inputs)
    needed = {value for value in outputs if isinstance(value, int)}
    kept = []
    for node in reversed(builder.nodes):
        if needed.intersection(node.outputs):
            needed.update(node.variables)
            kept.append(node)
    counts: dict[str, int] = {}
    for node in reversed(kept):
        count = counts[node.name] = counts.get(node.name, -1) + 1
        node.name += f".{count}"
    graph = Graph(kept[::-1], inputs, outputs, builder.shapes, jax.tree_util.tree_structure(shape))
    while _scale_first(graph):
        pass
    return graph


# Results have the operand's elements, each once or more often.
_VIEWS = ("reshape", "broadcast_in_dim", "squeeze", "expand_dims", "transpose")


def _scale_first(graph: Graph) -> bool:
    """One number that multiplies what a view has made of an array multiplies the array: a mean that
    keeps its dimensions is a sum and a factor."""
    readers, made = graph.readers(), {node.outputs[0]: node for node in graph.nodes}
    for node in graph.nodes:
        if node.op not in ("mul", "div") or len(
                node.variables) != 1 or (node.op == "div" and not isinstance(node.inputs[0], int)):
            continue
        place = 0 if isinstance(node.inputs[0], int) else 1
        view, number = made.get(node.inputs[place]), np.asarray(node.inputs[1 - place])
        if view is None or view.op not in _VIEWS or len(
                view.inputs) != 1 or node.inputs[place] in graph.outputs:
            continue
        if len(readers[view.outputs[0]]) != 1 or number.size == 0 or np.any(
                number != number.flat[0]):
            continue
        source = graph.shapes[view.inputs[0]]
        operands = [view.inputs[0], np.full(source.shape, number.flat[0], number.dtype)]
        scaled, moved = node.outputs[0], view.outputs[0]
        first = Node(node.name, node.primitive, node.params,
                     operands if place == 0 else operands[::-1], [moved])
        at = graph.nodes.index(view)
        graph.nodes[at:at +
                    1] = [first,
                          Node(view.name, view.primitive, view.params, [moved], [scaled])]
        graph.nodes.remove(node)
        graph.shapes[moved] = source
        return True
    return False

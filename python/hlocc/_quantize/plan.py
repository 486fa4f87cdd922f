"""Which layers compute in integers, and which boundaries share a scale."""
from __future__ import annotations

import dataclasses
from typing import Mapping

import numpy as np

from .graph import Graph
from .layers import Layer

# What a layer becomes that loses too much. int4 is of weights, whose activations have 8 bits.
WIDER = {"int4": "int8", "int8": "float"}


@dataclasses.dataclass(frozen=True)
class Plan:
    """precisions: of each layer, by its number. groups: of each boundary in 8 bits, the one that
    stands for all that share its scale. symmetric: those of them whose zero point is zero."""
    precisions: tuple[str, ...]
    groups: dict[int, int]
    symmetric: frozenset[int]

    def is_integer(self, number: int) -> bool:
        return self.precisions[number] != "float"


def plan_of(graph: Graph, layers: list[Layer], weights: str, kept: Mapping[int, str],
            integer_io: bool) -> Plan:
    """kept: layers that are told otherwise. What is cheap stays in floats beside floats: integers
    pay between products."""
    precisions = [
        kept.get(i, weights if layer.is_weighted else "int8") if layer.kind != "float" else "float"
        for i, layer in enumerate(layers)
    ]
    while True:
        given = {
            v
            for i, layer in enumerate(layers) if precisions[i] != "float" for v in layer.outputs
        } | set(graph.inputs if integer_io else ())
        taken = {
            v
            for i, layer in enumerate(layers) if precisions[i] != "float" for v in layer.inputs
        }
        taken |= {v for v in graph.outputs if isinstance(v, int)} if integer_io else set()
        lost = [i for i, layer in enumerate(layers) if precisions[i] != "float" and not layer.works
                and (not given.issuperset(layer.inputs) or not taken.intersection(layer.outputs))]
        if not lost:
            break
        for i in lost:
            precisions[i] = "float"
    shared = _shared(graph, layers, precisions, integer_io)
    symmetric = {
        shared[v]
        for i, layer in enumerate(layers)
        if precisions[i] != "float" and layer.kind == "product" and layer.side < 0
        for v in layer.inputs
    }
    return Plan(tuple(precisions), shared, frozenset(symmetric))


def _shared(graph: Graph, layers: list[Layer], precisions: list[str],
            integer_io: bool) -> dict[int, int]:
    leader: dict[int, int] = {}

    def find(variable: int) -> int:
        leader.setdefault(variable, variable)
        while leader[variable] != variable:
            variable = leader[variable]
        return variable
    for variable in (*graph.inputs, *graph.outputs) if integer_io else ():
        if isinstance(variable, int) and graph.shapes[variable].dtype == np.float32:
            find(variable)
    readers = graph.readers()
    for layer, precision in zip(layers, precisions):
        if precision == "float":
            continue
        for variable in (*layer.inputs, *layer.outputs):
            find(variable)
        if layer.kind == "move":
            for variable in (*layer.inputs, *layer.outputs[1:]):
                leader[find(variable)] = find(layer.outputs[0])
        if layer.kind == "concatenate":
            # What is only put together is made with the scale of the whole.
            for variable in layer.inputs:
                if len(readers[variable]) == 1 and variable not in graph.outputs:
                    leader[find(variable)] = find(layer.outputs[0])
    return {variable: find(variable) for variable in leader}

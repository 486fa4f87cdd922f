"""What hlocc.quantize returns."""
from __future__ import annotations

import dataclasses

from .. import _html
from .._module import Module


@dataclasses.dataclass(frozen=True)
class QuantizedLayer:
    """A layer of the network. precision: "int8", "int4" (weights; its inputs have 8 bits) or
    "float"; why: of a layer in floats. error: what its result loses where its inputs are the float
    network's: the root of the mean square error over that of the values, None where nothing is
    rounded. bytes: of weights and biases, in floats before."""
    name: str
    kind: str
    shape: tuple[int, ...]
    precision: str
    why: str = ""
    error: float | None = None
    bytes_before: int = 0
    bytes_after: int = 0


@dataclasses.dataclass(frozen=True)
class Border:
    """An argument or a result. Integers q of 8 bits stand for (q - zero) * step; a step of None: it
    has the type that the function gave it."""
    step: float | None = None
    zero: int = 0


@dataclasses.dataclass(frozen=True)
class Quantized:
    """module: the network in integers. error: of its results over the calibration inputs, the root
    of the mean square error over that of the values. bytes: of weights and biases. scores: what
    `score` said of the float network and of this one."""
    module: Module
    layers: tuple[QuantizedLayer, ...]
    error: float
    bytes_before: int
    bytes_after: int
    score_before: float | None = None
    score_after: float | None = None
    inputs: tuple[Border, ...] = ()
    outputs: tuple[Border, ...] = ()

    def __str__(self) -> str:
        kept = sum(layer.precision == "float" for layer in self.layers)
        scores = "" if self.score_before is None else f", score {self.score_before:.4g} to {self.score_after:.4g}"
        return (
            f"{self.module.name}: {len(self.layers)} layers, {kept} in floats, weights "
            f"{self.bytes_before} to {self.bytes_after} bytes, "
            f"error {self.error:.3g}{scores}")

    def _repr_html_(self) -> str:
        rows = [[
            layer.name, layer.kind, "x".join(map(str, layer.shape)), layer.precision,
            "" if layer.error is None else f"{layer.error:.2g}", layer.bytes_before,
            layer.bytes_after, layer.why
        ] for layer in self.layers]
        return f"<b>{_html.html.escape(str(self))}</b>" + _html.table(
            ["layer", "kind", "shape", "precision", "error", "bytes before", "after", "why"], rows)

"""Scales and zero points: of activations from what a few inputs make of them, of weights from
themselves."""
from __future__ import annotations

import dataclasses
from typing import Callable, Iterator, Mapping, Sequence

import numpy as np

BINS = 2048
# Of the range, which the search for the least squared error tries.
_SHARES = np.linspace(1, 0.2, 65)


@dataclasses.dataclass(frozen=True)
class Scale:
    """Integers q of 8 bits stand for (q - zero) * step."""
    step: float
    zero: int

    def number(self, value: float) -> int:
        """The integer nearest to a real number, within 8 bits."""
        return int(np.clip(np.round(value / self.step) + self.zero, -128, 127))


def scale_of(low: float, high: float, symmetric: bool) -> Scale:
    """That has both ends and zero."""
    low, high = min(float(low), 0.0), max(float(high), 0.0)
    if symmetric:
        return Scale(float(np.float32(max(high, -low) / 127 or 1.0)), 0)
    step = float(np.float32((high - low) / 255 or 1.0))
    return Scale(step, int(np.clip(np.round(-128 - low / step), -128, 127)))


def _whole(counts: np.ndarray, low: float, high: float, share: float) -> tuple[float, float]:
    return low, high


def _percentile(counts: np.ndarray, low: float, high: float, share: float) -> tuple[float, float]:
    """Without as many on each side as `share` percent leave."""
    edges = np.linspace(low, high, BINS + 1)
    sums = np.cumsum(counts) / counts.sum()
    left = (100 - share) / 200
    return float(edges[np.searchsorted(sums, left)]), float(
        edges[1 + min(BINS - 1, int(np.searchsorted(sums, 1 - left)))])


def _least_squares(counts: np.ndarray, low: float, high: float,
                   share: float) -> tuple[float, float]:
    edges = np.linspace(low, high, BINS + 1)
    middles = (edges[:-1] + edges[1:]) / 2

    def loss(part: float) -> float:
        scale = scale_of(low * part, high * part, False)
        near = (np.clip(np.round(middles / scale.step) + scale.zero, -128, 127) -
                scale.zero) * scale.step
        return float((counts * (near - middles) ** 2).sum())
    best = min(_SHARES, key=loss)
    return low * best, high * best


RANGES: dict[str, Callable[[np.ndarray, float, float, float], tuple[float, float]]] = {
    "minmax": _whole, "percentile": _percentile, "mse": _least_squares}


def of_groups(values: Sequence[Mapping[int, np.ndarray]], groups: Mapping[int, int], method: str,
              share: float) -> dict[int, tuple[float, float]]:
    """Of each group of boundaries, over what calibration inputs make of them: an array a
    boundary."""
    ends: dict[int, tuple[float, float]] = {}

    def arrays() -> Iterator[tuple[int, np.ndarray]]:
        for sample in values:
            yield from ((groups[variable], array)
                        for variable, array in sample.items()
                        if variable in groups and array.size)
    for group, array in arrays():
        low, high = ends.get(group, (np.inf, -np.inf))
        ends[group] = min(low, float(array.min())), max(high, float(array.max()))
    wide = {group
            for group, (low, high) in ends.items()
            if high > low} if method != "minmax" else set()
    counts = {group: np.zeros(BINS) for group in wide}
    for group, array in arrays() if wide else ():
        if group in wide:
            counts[group] += np.histogram(array, BINS, ends[group])[0]
    return {
        group: RANGES[method](counts[group], *ends[group], share) if group in wide else ends[group]
        for group in ends
    }


def weight_steps(weights: np.ndarray, axes: tuple[int, ...], most: int) -> np.ndarray:
    """A step for each channel: what is left of `weights` where `axes` are reduced. Of 8 bits that
    of the greatest weight; of 4, whose steps are coarse, that with the least squared error."""
    greatest = np.abs(weights).max(axis=axes, keepdims=True) / most
    greatest = np.where(greatest > 0, greatest, 1.0)
    if most > 7:
        return greatest
    tried = [greatest * share for share in _SHARES]
    losses = np.stack([
        ((np.clip(np.round(weights / step), -most, most) * step - weights)**2).sum(axis=axes,
                                                                                   keepdims=True)
        for step in tried
    ])
    return np.take_along_axis(np.stack(tried), losses.argmin(axis=0)[None], 0)[0]

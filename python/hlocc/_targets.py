"""The targets that the program knows."""
from __future__ import annotations

from ._results import Target
from ._tool import run


def targets() -> list[Target]:
    """Presets and chips, in the order of `hlocc targets`."""
    return [Target.of(row) for row in run("targets")["targets"]]

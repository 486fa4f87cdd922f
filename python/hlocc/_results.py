"""What the functions return: the program's JSON as dataclasses. Bytes are bytes, cycles are
estimates of the target's (docs/analyze.md)."""
from __future__ import annotations

import dataclasses
import pathlib
from typing import Any, Iterator

from . import _html


@dataclasses.dataclass(frozen=True)
class Leaf:
    """An argument or a result, an array. `type` is HLO's: f32, s8, pred, ...; a donated argument is
    state that the result `partner` replaces."""
    index: int
    name: str
    type: str
    shape: tuple[int, ...]
    donated: bool = False
    partner: int | None = None

    @classmethod
    def of(cls, row: dict[str, Any]) -> Leaf:
        return cls(row["index"],
                   row.get("name") or row.get("hlo_name") or "", row["type"], tuple(row["shape"]),
                   row["donated"], row["partner"])

    def __str__(self) -> str:
        return f"{self.type}[{','.join(map(str, self.shape))}]"


@dataclasses.dataclass(frozen=True)
class Target:
    """A row of `hlocc targets`; `facts` has all of it."""
    name: str
    triple: str
    cpu: str
    board: str
    bare_metal: bool
    facts: dict[str, Any] = dataclasses.field(repr=False, compare=False)

    @classmethod
    def of(cls, row: dict[str, Any]) -> Target:
        return cls(row["name"], row["triple"], row["cpu"], row["board"], row["bare_metal"], row)


@dataclasses.dataclass(frozen=True)
class Layer:
    """A launch of the library, in order, by the name that the model gives it."""
    name: str
    shape: str
    expected_cycles: int
    flash_bytes: int
    alive_bytes: int
    macs: int


@dataclasses.dataclass(frozen=True)
class Sizes:
    """What a library needs. ram_bytes: arena and instance; flash_bytes: weights and code;
    stack_bytes: of init and run, None where it is not known."""
    target: str
    ram_bytes: int
    arena_bytes: int
    instance_bytes: int
    flash_bytes: int
    weights_bytes: int
    code_bytes: int
    stack_bytes: int | None
    expected_cycles: int | None

    @staticmethod
    def members(row: dict[str, Any]) -> dict[str, Any]:
        return {field.name: row.get(field.name) for field in dataclasses.fields(Sizes)}


@dataclasses.dataclass(frozen=True)
class Analysis(Sizes):
    """Sizes, and where they come from; shows a memory map and a table of layers in notebooks."""
    layers: tuple[Layer, ...] = ()
    cures: tuple[str, ...] = ()
    facts: dict[str, Any] = dataclasses.field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, row: dict[str, Any]) -> Analysis:
        layers = tuple(
            Layer(layer["layer"], layer["shape"], layer["expected_cycles"], layer["flash_bytes"],
                  layer["alive_bytes"], layer["macs"]) for layer in row["layers"])
        return cls(**Sizes.members(row),
                   layers=layers,
                   cures=tuple(row["ram_cures"] + row["flash_cures"]),
                   facts=row)

    def __str__(self) -> str:
        return (
            f"{self.target}: RAM {self.ram_bytes} (arena {self.arena_bytes}), flash "
            f"{self.flash_bytes} (weights {self.weights_bytes}), "
            f"stack {self.stack_bytes}, about {self.expected_cycles} cycles in {len(self.layers)} "
            f"layers"
        )

    def _repr_html_(self) -> str:
        return _html.analysis(self)


@dataclasses.dataclass(frozen=True)
class File:
    """A generated file."""
    name: str
    data: bytes = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Library(Sizes):
    """A compiled model: library, header, manifest. `folder` is where they were written, None if
    nowhere."""
    files: tuple[File, ...] = ()
    folder: pathlib.Path | None = None
    build: dict[str, Any] | None = dataclasses.field(default=None, repr=False)

    def write(self, folder: str | pathlib.Path) -> list[pathlib.Path]:
        """Writes the files; the folder is made."""
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        paths = [pathlib.Path(folder) / file.name for file in self.files]
        for path, file in zip(paths, self.files):
            path.write_bytes(file.data)
        return paths

    def _repr_html_(self) -> str:
        return _html.library(self)


@dataclasses.dataclass(frozen=True)
class Case:
    """How one case came out. status: "passed", "failed", "skipped"; `why` says what differs, or why
    it was not run."""
    name: str
    status: str
    why: str
    target: str = ""


@dataclasses.dataclass(frozen=True)
class Verification:
    """True if all is right: `assert module.verify("cortex-m4f", [x])`. exit_code:
    docs/exit_codes.md."""
    cases: tuple[Case, ...]
    exit_code: int

    @classmethod
    def of(cls, told: dict[str, Any]) -> Verification:
        return cls(
            tuple(
                Case(row["name"], row["status"], row["why"], row.get("target", ""))
                for row in told["cases"]), told["exit_code"])

    def __bool__(self) -> bool:
        return self.exit_code == 0

    def _repr_html_(self) -> str:
        return _html.table(["case", "target", "status", "why"],
                           [[case.name, case.target, case.status, case.why] for case in self.cases])


@dataclasses.dataclass(frozen=True)
class Cell:
    """A model for a target. status: "compiled", "known", "failed", "left out"; `error` says why it
    failed; `verified`: "passed", "failed", "skipped" or None."""
    id: str
    model: str
    target: str
    status: str
    error: str
    verified: str | None
    ram_bytes: int | None
    flash_bytes: int | None
    stack_bytes: int | None
    expected_cycles: int | None

    @classmethod
    def of(cls, row: dict[str, Any]) -> Cell:
        sizes, error, verdict = row["sizes"], row["error"], row["verify"]
        return cls(
            row["id"], row["model"], row["target"], row["status"],
            f"error[{error['kind']}]: {error['message']}" if error else "",
            verdict["status"] if verdict else None, *[
                sizes.get(name)
                for name in ("ram_bytes", "flash_bytes", "stack_bytes", "expected_cycles")
            ])


@dataclasses.dataclass(frozen=True)
class MatrixReport:
    """Models by targets. True if no cell failed, no result is wrong, and no gate is broken; `facts`
    is the report of `hlocc matrix --report`."""
    cells: tuple[Cell, ...]
    broken_gates: tuple[str, ...]
    facts: dict[str, Any] = dataclasses.field(repr=False, compare=False)

    @classmethod
    def of(cls, told: dict[str, Any]) -> MatrixReport:
        return cls(tuple(map(Cell.of, told["cells"])), tuple(told["broken_gates"]), told)

    def __bool__(self) -> bool:
        return not self.broken_gates and all(cell.status != "failed" and cell.verified != "failed"
                                             for cell in self.cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)

    def __getitem__(self, id: str) -> Cell:
        return next(cell for cell in self.cells if cell.id == id)

    def _repr_html_(self) -> str:
        return _html.matrix(self)

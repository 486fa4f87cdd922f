"""Results as notebooks show them: plain HTML, without scripts, in the notebook's own colours."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Iterable

if TYPE_CHECKING:
    from ._results import Analysis, Library, MatrixReport

_SHADES = ["#4c78a8", "#72b7b2", "#eeca3b"]


def _number(value: Any) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def table(head: list[str], rows: Iterable[list[Any]]) -> str:
    """Columns of numbers are flush right; where there is no room the table is scrolled by itself,
    and the longest texts are broken."""
    lines = list(rows)
    numbers = [any(isinstance(row[i], int) for row in lines) for i in range(len(head))]

    def cells(row: list[Any], tag: str) -> str:
        return "".join(
            f'<{tag} style="text-align:{"right" if numbers[i] else "left"};{"min-width:16em" if len(_number(cell)) > 40 else "white-space:nowrap"}">'
            f"{html.escape(_number(cell))}</{tag}>" for i, cell in enumerate(row))
    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in lines)
    return f'<div style="overflow-x:auto"><table><thead><tr>{cells(list(head), "th")}</tr></thead><tbody>{body}</tbody></table></div>'


def _bar(label: str, parts: list[tuple[str, int]]) -> str:
    """A line of memory: its parts by size, and their bytes below."""
    total = max(1, sum(size for _, size in parts))
    pieces = "".join(
        f'<div title="{html.escape(name)}: {size:,} bytes" '
        f'style="width:{100 * size / total:.2f}%;background:{shade};height:14px"></div>'
        for (name, size), shade in zip(parts, _SHADES))
    legend = " &middot; ".join(
        f'<span style="color:{shade}">&#9632;</span> {html.escape(name)} {size:,}'
        for (name, size), shade in zip(parts, _SHADES))
    return (
        f'<div style="margin:4px 0;max-width:640px"><div>{html.escape(label)} {total:,} bytes</div>'
        f'<div style="display:flex;width:100%">{pieces}</div><div '
        f'style="font-size:smaller">{legend}</div></div>'
    )


def _sizes(sizes: Analysis | Library) -> str:
    return (
        f"<b>{html.escape(sizes.target)}</b>: stack {_number(sizes.stack_bytes)} bytes, about "
        f"{_number(sizes.expected_cycles)} cycles"
        + _bar("RAM", [("arena", sizes.arena_bytes), ("instance", sizes.instance_bytes)]) +
        _bar("Flash", [("weights", sizes.weights_bytes), ("code", sizes.code_bytes)]))


def analysis(found: Analysis) -> str:
    layers = table(["layer", "shape", "cycles", "MACs", "flash", "alive"], [[
        layer.name, layer.shape, layer.expected_cycles, layer.macs, layer.flash_bytes,
        layer.alive_bytes
    ] for layer in found.layers])
    cures = "".join(f"<li>{html.escape(cure)}</li>" for cure in found.cures)
    return _sizes(
        found
    ) + f"<details open><summary>{len(found.layers)} layers</summary>{layers}</details>" + (
        f"<ul>{cures}</ul>" if cures else "")


def library(made: Library) -> str:
    return _sizes(made) + table(["file", "bytes"], [[file.name, len(file.data)]
                                                    for file in made.files])


def matrix(report: MatrixReport) -> str:
    gates = "".join(f"<li>{html.escape(gate)}</li>" for gate in report.broken_gates)
    rows = [[
        cell.id, cell.ram_bytes, cell.flash_bytes, cell.stack_bytes, cell.expected_cycles,
        cell.error or ", ".join(filter(None, [cell.status, cell.verified]))
    ] for cell in report.cells]
    return table(["cell", "RAM", "flash", "stack", "cycles", "outcome"],
                 rows) + (f"<ul>{gates}</ul>" if gates else "")

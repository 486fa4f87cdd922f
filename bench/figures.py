"""figures.py: writes what boards.py measured into the tables of docs/.

Reads the rows that `boards.py --json` wrote, and `hlocc inspect` for bounds and copies, and
replaces the numbers in docs/figures_boards.md and in the boards' table of docs/performance.md. What
was not measured stays as it was; a row that came out wrong is refused.

    python3 bench/boards.py --hlocc build/hlocc --target ... --json rows.json MODELS/*.snapshot.pb
    python3 bench/figures.py --hlocc build/hlocc --models MODELS rows.json...
"""
import argparse
import json
import pathlib
import re
import sys

import boards

DOCS = boards.ROOT / "docs"
CHIP = "cortex-m4f"


def read_rows(files):
    rows = {}
    for file in files:
        for row in json.loads(file.read_text(encoding="utf-8")):
            if not (row.get("right") and row.get("stack_holds")):
                raise SystemExit(f"figures: {row['model']} on {row['target']} is not right")
            rows[row["model"], row["target"]] = row
    return rows


def millions(count):
    count /= 1e6
    return f"{count:.2f}" if count >= 0.05995 else f"{count:.4f}"


class Tables:
    def __init__(self, rows, peers, plans):
        self.rows, self.peers, self.plans = rows, peers, plans

    def first_models(self, cells):
        row, peer = self.rows.get((cells[0], CHIP)), self.peers.get((cells[0], CHIP))
        if row is None:
            return cells
        count, plan = row["instructions"], self.plans[cells[0]]
        best = [f"{peer[1]:,.0f} ({peer[0]})", f"{count / peer[1]:.2f}"] if peer else ["-", "-"]
        return [cells[0], f"{count:,}", *best, f"{row['arena_bytes']:,}", f"{plan['bound']:,}",
                f"{row['weights_bytes']:,}", f"{row['code_bytes']:,}", str(row["stack_bytes"])]

    def five_chips(self, line):
        words = line.split()
        if len(words) < 10 or tuple(words[:2]) not in self.rows:
            return line
        row, peer = self.rows[tuple(words[:2])], self.peers.get(tuple(words[:2]))
        count = row["instructions"]
        cells = [*words[:2], count, int(peer[1]) if peer else "-",
                 f"{count / peer[1]:.2f}" if peer else "-", row["arena_bytes"],
                 row["weights_bytes"], row["code_bytes"], row["stack_bytes"],
                 row["painted_bytes"], "right"]
        widths = (22, 15, 13, 13, 6, 9, 9, 8, 6, 7, 0)
        return " ".join(f"{cell:<{width}}" if i in (0, 1, 10) else f"{cell:>{width}}"
                        for i, (cell, width) in enumerate(zip(cells, widths)))

    def all_targets(self, cells, columns):
        return [cells[0]] + [
            millions(self.rows[cells[0], target]["instructions"])
            if (cells[0], target) in self.rows else old
            for target, old in zip(columns, cells[1:])]

    def memory(self, cells):
        row, plan = self.rows.get((cells[0], CHIP)), self.plans.get(cells[0])
        if row is None:
            return cells
        return [cells[0]] + [f"{number:,}" for number in (
            row["arena_bytes"], plan["bound"], row["code_bytes"], row["weights_bytes"],
            plan["state"], row["stack_bytes"], plan["copies"], plan["in_loops"])]

    def performance(self, cells):
        row, peer = self.rows.get(tuple(cells[:2])), self.peers.get(tuple(cells[:2]))
        if row is None or peer is None:
            return cells
        count, goal = row["instructions"], cells[5].replace(" (missed)", "")
        if goal != "-" and count / 1e6 > float(goal):
            goal += " (missed)"
        return [*cells[:2], f"{count / 1e6:.2f}", f"{peer[1] / 1e6:.2f}", f"{count / peer[1]:.2f}",
                goal, cells[6], f"{row['code_bytes']:,}", f"{row['arena_bytes']:,}", "right"]


def cells_of(line):
    return [cell.strip() for cell in line.split("|")[1:-1]]


def table_line(cells):
    return "| " + " | ".join(cells) + " |"


def rewrite_boards(text, tables):
    lines, header = [], []
    for line in text.split("\n"):
        cells = cells_of(line) if line.startswith("|") else []
        if cells and cells[0] == "model":
            header = cells
        elif cells and re.fullmatch(r"\w+", cells[0]):
            if header[1] == "instructions":
                line = table_line(tables.first_models(cells))
            elif header[1] == "arena":
                line = table_line(tables.memory(cells))
            elif header[1] == "tool" and (cells[0], CHIP) in tables.rows:
                row = tables.rows[cells[0], CHIP]
                line = table_line([*cells[:2], f"{row['arena_bytes']:,}",
                                   f"{row['code_bytes']:,}", str(row["stack_bytes"])])
            elif header[1] != "tool":
                line = table_line(tables.all_targets(cells, header[1:]))
        elif not cells:
            line = tables.five_chips(line)
        lines.append(line)
    return "\n".join(lines)


def rewrite_performance(text, tables):
    def line_of(match):
        return table_line(tables.performance(cells_of(match.group(0))))
    return re.sub(r"^\| \w+ \| [\w-]+ \| [\d.]+ \|.*\| right \|$", line_of, text, flags=re.M)


def inspect(hlocc, model):
    plan = json.loads(boards.must("inspect", boards.call(
        [hlocc, "inspect", model, "--json", "--target", CHIP])))["plan"]
    return {"bound": plan["live_set_bound"], "state": plan["state_bytes"],
            "copies": plan["copies"], "in_loops": plan["copies_in_loops"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="+", type=pathlib.Path, help="what boards.py --json wrote")
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--models", required=True, type=pathlib.Path, help="their folder")
    arguments = parser.parse_args()
    rows = read_rows(arguments.rows)
    plans = {name: inspect(arguments.hlocc, arguments.models / f"{name}.snapshot.pb")
             for name, target in rows if target == CHIP}
    tables = Tables(rows, boards.read_peers(), plans)
    for name, rewrite in (("figures_boards.md", rewrite_boards),
                          ("performance.md", rewrite_performance)):
        path = DOCS / name
        path.write_text(rewrite(path.read_text(encoding="utf-8"), tables), encoding="utf-8")
    print(f"{len(rows)} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())

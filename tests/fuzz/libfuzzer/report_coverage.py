#!/usr/bin/env python3
"""report_coverage.py LCOV MISSED [--least PERCENT]: a table of reached lines by file from what
llvm-cov exports, and the lines that were not reached, with their text, into MISSED. A line is
reached if any instantiation of it is. What no bytes reach (unreachable.txt beside this file, with
its reasons) is not counted. Exits with 1 below PERCENT, 2 if a row of that list fits nothing."""

import argparse
import sys
from collections import defaultdict
from pathlib import Path


def read_lcov(path: Path) -> dict:
    lines = defaultdict(dict)  # file -> line -> times
    file = None
    for row in path.read_text().splitlines():
        key, _, value = row.partition(":")
        if key == "SF":
            file = Path(value)
        elif key == "DA":
            number, times = value.split(",")[:2]
            lines[file][int(number)] = max(lines[file].get(int(number), 0), int(times))
    return lines


def unreachable(root: Path) -> dict:
    """file -> the numbers of the lines that no bytes reach."""
    out = defaultdict(set)
    for row in (Path(__file__).with_name("unreachable.txt")).read_text().splitlines():
        if not row or row.startswith("#"):
            continue
        name, begins, _ = (part.strip() for part in row.split(" | "))
        text = (root / name).read_text().splitlines()
        found = [n for n, line in enumerate(text) if line.strip().startswith(begins)]
        if len(found) != 1:
            print(f"unreachable.txt: {name} has {len(found)} lines that begin with '{begins}'",
                  file=sys.stderr)
            sys.exit(2)
        out[name] |= {n + 1 for n in range(found[0], end_of(text, found[0]) + 1)}
    return out


def end_of(text: list, begin: int) -> int:
    """The index of the last line of the function or of the statement that begins there."""
    depth = 0
    for n in range(begin, len(text)):
        depth += text[n].count("{") - text[n].count("}")
        if depth <= 0 and text[n].rstrip().endswith(("}", ";")):
            return n
    return len(text) - 1


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("lcov", type=Path)
    parser.add_argument("missed", type=Path)
    parser.add_argument("--least", type=float, default=0)
    arguments = parser.parse_args()
    reached = total = 0
    missed = []
    left_out = unreachable(Path(__file__).resolve().parents[3])
    print("| file | lines | reached |\n|---|---|---|")
    for file, lines in sorted(read_lcov(arguments.lcov).items()):
        name = "src/" + str(file).split("/src/")[-1]
        lines = {n: times for n, times in lines.items() if n not in left_out[name]}
        if not lines:
            continue
        hit = sum(times > 0 for times in lines.values())
        reached, total = reached + hit, total + len(lines)
        print(f"| `{name}` | {len(lines)} | {100 * hit / len(lines):.1f} % |")
        text = file.read_text().splitlines()
        missed += [
            f"{name}:{number}: {text[number - 1]}" for number, times in sorted(lines.items())
            if times == 0
        ]
    arguments.missed.write_text("\n".join(missed) + "\n")
    percent = 100 * reached / max(total, 1)
    print(f"| all | {total} | {percent:.1f} % |")
    return percent < arguments.least


if __name__ == "__main__":
    sys.exit(main())

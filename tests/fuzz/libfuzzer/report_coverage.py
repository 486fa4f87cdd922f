#!/usr/bin/env python3
"""report_coverage.py LCOV MISSED [--least PERCENT]: a table of reached lines by file from what
llvm-cov exports, and the lines that were not reached, with their text, into MISSED. A line is
reached if any instantiation of it is."""

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


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("lcov", type=Path)
    parser.add_argument("missed", type=Path)
    parser.add_argument("--least", type=float, default=0)
    arguments = parser.parse_args()
    reached = total = 0
    missed = []
    print("| file | lines | reached |\n|---|---|---|")
    for file, lines in sorted(read_lcov(arguments.lcov).items()):
        hit = sum(times > 0 for times in lines.values())
        reached, total = reached + hit, total + len(lines)
        name = "src/" + str(file).split("/src/")[-1]
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

"""profile.py PROFILE < symbols: the functions that executed instructions, the most first.

PROFILE is what the plug-in count.c wrote, "address count" a line; the symbols are `nm -n`'s.
"""
import bisect
import collections
import re
import sys


def read_symbols(lines):
    """[(address, name)] in order; Thumb's low bit and mapping symbols are dropped."""
    symbols = []
    for line in lines:
        match = re.match(r"([0-9a-f]+) [tTwW] (\S+)$", line)
        if match and not match.group(2).startswith("$"):
            symbols.append((int(match.group(1), 16) & ~1, match.group(2)))
    return sorted(symbols)


def main():
    symbols = read_symbols(sys.stdin)
    starts = [address for address, _ in symbols]
    counts = collections.Counter()
    for line in open(sys.argv[1], encoding="ascii"):
        address, count = line.split()
        at = bisect.bisect_right(starts, int(address, 16)) - 1
        counts[symbols[at][1] if at >= 0 else "?"] += int(count)
    total = sum(counts.values())
    for name, count in counts.most_common():
        print(f"{count:12d} {100 * count / total:5.1f}% {name}")


if __name__ == "__main__":
    main()

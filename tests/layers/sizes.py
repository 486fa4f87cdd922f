"""sizes.py ROOT [LIMIT]: no file of src/ and include/ has more than LIMIT lines (350), but those of
LONGER, each with its reason.
"""
import pathlib
import sys

LIMIT = 350
LONGER = {
    "src/target/presets.cpp": "a table",
    "src/costs/micro_kernels.cpp": "a table and what its rows cost",
}


def complaints(root, limit=LIMIT):
    """Files that are too long without a reason, and reasons of files that are short, a sentence
    each."""
    found, long = [], set()
    for folder in ("src", "include"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in {".h", ".cpp", ".cc"}:
                continue
            name, lines = path.relative_to(root).as_posix(), len(
                path.read_text(encoding="utf-8").splitlines())
            if lines > limit:
                long.add(name)
                if name not in LONGER:
                    found.append(
                        f"{name}: {lines} lines, and {limit} are the limit: split it by what it "
                        f"holds"
                    )
    return found + [
        f"{name}: is short now: take it out of LONGER" for name in sorted(set(LONGER) - long)
    ]


def main():
    found = complaints(pathlib.Path(sys.argv[1]).resolve(), *map(int, sys.argv[2:]))
    for sentence in found:
        print(sentence)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

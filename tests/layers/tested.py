"""tested.py ROOT: tests/README.md has a row for each folder of src/ that holds sources, and for no
other; each test that a row names is in the tree.
"""
import pathlib
import re
import sys

ROW = re.compile(r"^\| `([a-z_/]+)` \| (.+) \|$", re.M)


def complaints(root):
    """What is wrong with the table, a sentence each."""
    src, tests = root / "src", root / "tests"
    folders = {path.parent.relative_to(src).as_posix() for path in src.rglob("*.cpp")} - {"."}
    rows = dict(ROW.findall((tests / "README.md").read_text(encoding="utf-8")))
    found = [f"src/{folder} has no row" for folder in sorted(folders - set(rows))]
    found += [f"src/{folder} has a row but no sources" for folder in sorted(set(rows) - folders)]
    for folder, cell in rows.items():
        named = re.findall(r"`([^`]+)`", cell)
        found += [
            f"src/{folder}: there is no tests/{name}" for name in named
            if not list(tests.glob(name))
        ]
        if not named:
            found.append(f"src/{folder}: its row names no test")
    return found


def main():
    found = complaints(pathlib.Path(sys.argv[1]).resolve())
    for sentence in found:
        print(f"tests/README.md: {sentence}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

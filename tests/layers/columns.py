"""columns.py ROOT: no line of C, C++, Python or shell is longer than 100 columns. Text that a file
holds may be: a string of Python that reaches over the limit (a module, a message, a pattern), and
the C++ of tests and examples, which holds modules line by line as HLO writes them. Generated files,
goldens and tables (.def: one row, one line) are left alone.
"""
import io
import pathlib
import re
import sys
import tokenize

LIMIT = 100
FOLDERS = [
    ".ci", "bench", "cmake", "examples", "include", "python", "runtime_stub", "src", "tests",
    "toolchains"
]
CODE = {".h", ".hpp", ".cpp", ".cc", ".c"}
# Written by scripts or held against what the tool writes.
GENERATED = re.compile(r"(^|/)(golden|data|samples)/")
TEXTS = re.compile(r"^(tests|examples)/")


def lines_of_text(source):
    """Numbers of the lines on which a string of Python reaches over the limit."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.STRING:
            lines.update(range(token.start[0], token.end[0]))
            if token.end[1] > LIMIT:
                lines.add(token.end[0])
    return lines


def is_shell(path):
    return path.suffix == ".sh" or (not path.suffix and path.read_bytes()[:2] == b"#!")


def long_lines(path, name):
    """Pairs of number and columns."""
    source = path.read_text(encoding="utf-8")
    if path.suffix in CODE:
        exempt = range(1, source.count("\n") + 2) if TEXTS.match(name) else ()
    else:
        exempt = lines_of_text(source) if path.suffix == ".py" else ()
    return [(number, len(line)) for number, line in enumerate(source.splitlines(), 1)
            if len(line) > LIMIT and number not in exempt]


def check(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if GENERATED.search(name) or not path.is_file():
                continue
            if path.suffix in CODE or path.suffix == ".py" or is_shell(path):
                for number, columns in long_lines(path, name):
                    yield f"{name}:{number}: {columns} columns, and {LIMIT} are the limit"


def main():
    errors = list(check(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

"""functions.py ROOT [LIMIT]: no function of src/ and include/ has more than LIMIT lines (60), but
those of LONGER, each with its reason. Braces are matched in the text as clang-format leaves it.
"""
import pathlib
import re
import sys

LIMIT = 60
# Functions that are one thought, and would be harder to read in pieces.
LONGER = {
    ("lowering/ops/lanes_pass.cpp", "lanes_pass"): "a case for each op",
    ("target/presets.cpp", "make_presets"): "a table",
}
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'',
                   re.S)
NOT_A_FUNCTION = re.compile(
    r"^\s*(?:\[|(?:template\s*<[^{]*>\s*)?(?:namespace|class|struct|enum|union|extern)\b|"
    r"if|for|while|switch|else|do|return|case|default)\b|=\s*$|\[[^\]]*\]\s*(?:\([^)]*\))?\s*(?:mutable\s*)?"
    r"(?:->[^{]*)?$")
NAME = re.compile(r"([\w~]+(?:::[\w~]+)*|operator\S+)\s*\(")


def blanked(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def functions(text):
    """(name, first line, lines) of each function in a source text."""
    code = NOISE.sub(blanked, text)
    opened, start = [], 0
    for at, character in enumerate(code):
        if character in ";}" or (character == ":"
                                 and code[at - 6:at].strip() in ("public", "private")):
            if character == "}" and opened:
                head, line = opened.pop()
                name = function_name(head)
                if name:
                    yield name, line, code.count("\n", 0, at) + 2 - line
            start = at + 1
        elif character == "{":
            head = code[start:at]
            line = code.count("\n", 0, start + len(head) - len(head.lstrip())) + 1
            opened.append((head.strip(), line))
            start = at + 1


def function_name(head):
    if not head.endswith(
        (")", "const", "override", "noexcept")) and "->" not in head and ") :" not in head.replace(
            "\n", " "):
        return None
    if NOT_A_FUNCTION.search(head):
        return None
    match = NAME.search(head)
    return match.group(1) if match else None


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    limit = int(sys.argv[2]) if len(sys.argv) > 2 else LIMIT
    errors, known = [], set()
    for folder in ("src", "include"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in {".h", ".cpp", ".cc"}:
                continue
            name_of_file = path.relative_to(root / folder).as_posix()
            for name, line, lines in functions(path.read_text(encoding="utf-8")):
                if lines <= limit:
                    continue
                known.add((name_of_file, name))
                if (name_of_file, name) not in LONGER:
                    errors.append(
                        f"{folder}/{name_of_file}:{line}: {name} has {lines} lines, and {limit} "
                        f"are the limit"
                    )
    errors += [f"{file}: {name} is not longer than {limit} lines any more: strike it from LONGER"
               for file, name in LONGER if (file, name) not in known]
    print("\n".join(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

"""unity.py ROOT: names in anonymous namespaces are unique in their room, so that its files can be
compiled together (HLOCC_UNITY). The compiler would find most clashes too, but only in a build of
that kind, and only among the files that it happens to take at once. Functions may be overloaded,
but for those of the room's headers, which a name in an anonymous namespace hides; aliases and
namespaces may be written twice the same.
"""
import collections
import pathlib
import re
import sys

TYPE = re.compile(r"(?:template <[^>]*> )?(?:struct|class|enum class|enum|union) (\w+)[^;(]*$")
ALIAS = re.compile(r"(?:using|namespace) (\w+) = ")
FUNCTION = re.compile(r"(?:[\w:<>,&*\s\[\]]+?[ &*])?(\w+)\((.*)$")
VALUE = re.compile(r"(?:const|constexpr|static|thread_local)\b.*?\b(\w+)(?:\[\w*\])? ?[={]")
NEXT_VALUE = re.compile(r", (\w+)(?:\[\w*\])? = ")


IN_HEADERS = re.compile(
    r"inline (?:constexpr .*?\b(\w+)(?:\[\w*\])? ?[={]|(?:[\w:<>,&*\s]+?[ &*])(\w+)\()")


def parameter_types(text):
    """The types of a parameter list, as far as they tell overloads apart."""
    depth, types, one = 0, [], ""
    for character in text:
        depth += character in "(<[{"
        depth -= character in ")>]}"
        if depth < 0:
            break
        if character == "," and depth == 0:
            types.append(one)
            one = ""
        else:
            one += character
    return tuple(re.sub(r"\s*=.*|\b\w+$", "", kind.strip()).strip() for kind in [*types, one])


def definitions(path):
    """(namespace around, name, what makes it another one) -> line, of what stands in anonymous
    namespaces."""
    found = {}
    inside, around = False, ""
    text = re.sub(r"//[^\n]*", lambda match: match.group(0)
                  if "namespace" in match.group(0) else "", path.read_text(encoding="utf-8"))
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if line == "namespace {":
            inside = True
        elif line.startswith("namespace ") and line.endswith("{"):
            around = line.split()[1]
        elif line.startswith("}  // namespace"):
            inside = False
        if not inside or not line or line[0] in " }#":
            continue
        if match := ALIAS.match(line):
            found.setdefault((around, match.group(1), line), number)
        elif match := TYPE.match(line):
            found.setdefault((around, match.group(1), "type"), number)
        elif match := VALUE.match(line):
            if "(" not in line[: match.end(1)]:
                for name in (match.group(1), *NEXT_VALUE.findall(line)):
                    found.setdefault((around, name, "value"), number)
        elif (match := FUNCTION.match(line)) and match.group(1) not in {
                "TEST_CASE", "TEMPLATE_TEST_CASE", "static_assert"
        }:
            rest = " ".join([match.group(2), *lines[number : number + 6]])
            found.setdefault((around, match.group(1), parameter_types(rest)), number)
    return found


def header_names(path):
    """(namespace around, name) of what a header defines in one."""
    found, around = set(), ""
    for line in re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8")).splitlines():
        if line.startswith("namespace ") and line.rstrip().endswith("{"):
            around = line.split()[1]
        elif match := IN_HEADERS.match(line):
            found.add((around, match.group(1) or match.group(2)))
    return found


def room_of(path):
    """The folder whose files are compiled together: src/ROOM, src/backends/ROOM, tests/FOLDER."""
    return path.parts[: 3 if path.parts[1] == "backends" else 2]


def check(root):
    errors = []
    folders, in_headers = collections.defaultdict(list), collections.defaultdict(dict)
    for top in ("src", "tests"):
        for path in sorted((root / top).rglob("*.cpp")):
            folders[room_of(path.relative_to(root))].append(path)
        for path in sorted((root / top).rglob("*.h")):
            for key in header_names(path):
                in_headers[room_of(path.relative_to(root))].setdefault(key, path)
    for room, paths in folders.items():
        seen, names, aliases = {}, {}, {}
        for path in paths:
            for (around, name, kind), line in definitions(path).items():
                first = seen.setdefault((around, name, kind), path)
                clash = first != path and not str(kind).startswith(("using", "namespace"))
                # One alias may be written twice, but not of two things.
                if str(kind).startswith(("using", "namespace")):
                    other, text = aliases.setdefault((around, name), (path, kind))
                    if text != kind: first, clash = other, True
                # Functions may be overloaded, but not with something else.
                other, is_function = names.setdefault((around, name),
                                                      (path, isinstance(kind, tuple)))
                if other != path and is_function != isinstance(kind, tuple):
                    first, clash = other, True
                if (around, name) in in_headers[room]:
                    first, clash = in_headers[room][around, name], True
                if clash:
                    errors.append(
                        f"{path.relative_to(root)}:{line}: {name} stands in {first.name} too: name "
                        f"it after what it "
                        "is here, or share it")
    return errors


def main():
    errors = check(pathlib.Path(sys.argv[1]).resolve())
    print("\n".join(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

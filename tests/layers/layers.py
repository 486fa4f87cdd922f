"""layers.py ROOT: reads the #includes of src/ and include/ and proves the house rules of the
design.

Dependencies point down only, rooms on one floor do not see each other, no file includes itself in a
circle, backends never see HLO operations, and LLVM stays behind the backends that need it. With
--draw it prints who includes whom instead.
"""
import collections
import pathlib
import re
import sys

# From the ground up. A room sees the floors below its own, and itself.
FLOORS = [
    ["support"],
    ["target", "hlo"],
    ["ops", "kernel"],
    ["costs"],
    ["import", "interpreter", "lowering", "planning"],
    ["transforms", "backends", "package"],
    ["devices"],
    ["driver"],
]
FLOOR_OF = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}

# Some rooms see less than their floor allows.
SEES_ONLY = {"backends": {"support", "target", "hlo", "kernel", "planning"}}
# Of hlo/, backends may know types and shapes, but not what the operations are.
NOT_FOR_BACKENDS = re.compile(r"hlo/(opcode|module|attributes)")
# Inside backends/ each folder is a room of its own, and some are built on the shared LLVM library.
BACKENDS_ON_LLVM = {"cpu", "hexagon", "nvptx"}
LLVM_HEADER = re.compile(r"(llvm|llvm-c|lld|clang|mlir)/")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = {".h", ".cpp", ".cc", ".c", ".def", ".inc"}


def room_of(path):
    return path.split("/")[0]


def backend_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] == "backends" and len(parts) > 2 else None


class House:
    """The files of src/ and include/, each with its includes: [(line, resolved or None, text)]."""

    def __init__(self, root):
        self.files = {}
        folders = [root / "src", root / "include"]
        for folder in folders:
            for path in sorted(folder.rglob("*")):
                if path.suffix in SOURCES:
                    self.files[path.relative_to(folder).as_posix()] = path
        self.includes = {name: self._read(name, path) for name, path in self.files.items()}

    def _read(self, name, path):
        found = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                found.append((number, self._resolve(name, match.group(2)), match.group(2)))
        return found

    def _resolve(self, name, included):
        beside = (pathlib.PurePosixPath(name).parent / included).as_posix()
        for candidate in (included, beside):
            if candidate in self.files:
                return candidate
        return None


def broken_rule(name, included, text):
    """The rule that one include breaks, or None."""
    room = room_of(name)
    if LLVM_HEADER.match(text) and included is None:
        if backend_of(name) not in BACKENDS_ON_LLVM | {"llvm"}:
            return "LLVM's headers belong to the backends that generate code with it"
    if included is None or room not in FLOOR_OF:
        return None
    other = room_of(included)
    if other == room:
        ours, theirs = backend_of(name), backend_of(included)
        if ours and theirs and ours != theirs:
            if theirs != "common" and not (theirs == "llvm" and ours in BACKENDS_ON_LLVM):
                return f"backend {ours} must not see backend {theirs}"
        return None
    if other not in FLOOR_OF:
        return None
    if FLOOR_OF[other] == FLOOR_OF[room]:
        return f"{room} and {other} are on one floor and must not see each other"
    if FLOOR_OF[other] > FLOOR_OF[room]:
        return f"{room} is below {other}: dependencies point down only"
    if other not in SEES_ONLY.get(room, {other}):
        return f"{room} must not see {other}"
    if room == "backends" and NOT_FOR_BACKENDS.match(included):
        return "backends never see HLO operations"
    return None


def circles(house):
    """One path for each circle of includes that a depth-first walk meets."""
    state, found = {}, []

    def visit(name, path):
        state[name] = "open"
        for _, included, _ in house.includes[name]:
            if included is None or included == name:
                continue
            if state.get(included) == "open":
                found.append(path[path.index(included):] + [included])
            elif included not in state:
                visit(included, path + [included])
        state[name] = "done"

    for name in house.files:
        if name not in state:
            visit(name, [name])
    return found


def unknown_rooms(house, root):
    return sorted({room_of(name) for name, path in house.files.items()
                   if (root / "src") in path.parents and "/" in name} - set(FLOOR_OF))


def draw(house):
    arrows = collections.Counter()
    for name, includes in house.includes.items():
        for _, included, _ in includes:
            if included and room_of(included) != room_of(name):
                arrows[room_of(name), room_of(included)] += 1
    for level in reversed(FLOORS):
        for room in level:
            below = [f"{to} ({n})" for (origin, to), n in sorted(arrows.items()) if origin == room]
            print(f"{room:12s} -> {', '.join(below) or '-'}")


def check(house, root):
    errors = [f"src/{room}: a room that stands on no floor" for room in unknown_rooms(house, root)]
    for name, includes in house.includes.items():
        for number, included, text in includes:
            rule = broken_rule(name, included, text)
            if rule:
                errors.append(f"{name}:{number}: includes {text}: {rule}")
    errors += ["a circle of includes: " + " -> ".join(path) for path in circles(house)]
    return errors


def main():
    arguments = [a for a in sys.argv[1:] if a != "--draw"]
    root = pathlib.Path(arguments[0]).resolve()
    house = House(root)
    if "--draw" in sys.argv:
        draw(house)
        return 0
    errors = check(house, root)
    print("\n".join(errors) or f"{len(house.files)} files keep the rules")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

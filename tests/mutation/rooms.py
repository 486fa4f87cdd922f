"""Which tests belong to which room: the one table that mutate.py draws its programs from. `tests` are a room's own, programs
test_NAME; `whole` run what becomes of whole programs in that room, and are no room's own."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Room:
    name: str     # a folder below src/ (or the stub's): the longest that fits a file is its room
    tests: tuple
    whole: tuple = ()


ROOMS = [
    Room("support", ("support",)),
    Room("target", ("target",)),
    Room("hlo", ("hlo",)),
    Room("ops", ("ops",)),
    Room("kernel", ("kernel",), ("choices",)),
    Room("kernel/legalize", ("legalize", "kernel"), ("choices",)),
    Room("kernel/ranges", ("kernel",), ("choices",)),
    Room("kernel/share", ("kernel",), ("choices",)),
    Room("import", ("import",)),
    Room("interpreter", ("interpreter",)),
    Room("costs", ("costs",), ("choices",)),
    Room("lowering", ("lowering",), ("choices",)),
    Room("planning", ("planning",), ("choices",)),
    Room("transforms", ("transforms",), ("choices",)),
    Room("backends/common", ("backends_common",)),
    Room("backends/llvm", ("backends_llvm", "backends_cpu")),
    Room("backends/cpu", ("backends_cpu", "backends_llvm")),
    Room("backends/c", ("backends_c",)),
    Room("package", ("package",)),
    Room("devices", ("devices",)),
    Room("driver", ("driver",)),
    Room("runtime_stub", ("runtime_stub",)),  # headers in C, beside src/ (stub.py)
]
BY_NAME = {room.name: room for room in ROOMS}
# The rooms that --pick looks for programs of: what they choose is a digest of what becomes of a program.
PICKED = ["transforms", "lowering", "planning", "costs"]
# Where a program's folder is not called like it.
FOLDERS = {"support": "support_room", "target": "target_room"}


def room_of(path):
    """The room of a file, named as below src/."""
    return max((room for room in ROOMS if path.startswith(room.name + "/")), key=lambda room: len(room.name))


def source_of(path):
    """Where a file of a room stands in the tree."""
    return path if (path + "/").startswith("runtime_stub/") else f"src/{path}"


def programs_of(rooms):
    """The test programs of these rooms, each once."""
    return list(dict.fromkeys(name for room in rooms for name in (*room.tests, *room.whole)))

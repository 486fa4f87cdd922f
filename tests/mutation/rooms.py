"""Which tests belong to which room: the one table that mutate.py draws its programs from. `tests`
are a room's own, programs test_NAME; `whole` are programs that see what becomes of whole modules in
that room, `cases` the ways (CASES) by which `hlocc verify` runs the cases of tests/data through it:
neither is a room's own."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Room:
    name: str     # a folder below src/ (or the stub's): the longest that fits a file is its room
    tests: tuple
    whole: tuple = ()
    cases: tuple = ()


ROOMS = [
    Room("support", ("support", )),
    Room("target", ("target", )),
    Room("hlo", ("hlo", )),
    Room("ops", ("ops", )),
    Room("kernel", ("kernel", ), ("choices", )),
    Room("kernel/legalize", ("legalize", "kernel"), ("choices", )),
    Room("kernel/ranges", ("kernel", ), ("choices", )),
    Room("kernel/share", ("kernel", ), ("choices", )),
    Room("import", ("import", )),
    Room("import/build", ("import", "onnx", "tflite")),
    Room("import/onnx", ("import", "onnx")),
    Room("import/stablehlo", ("import", "stablehlo")),
    Room("import/tflite", ("import", "tflite")),
    Room("interpreter", ("interpreter", ), (), ("interpreter", )),
    Room("costs", ("costs", ), ("choices", )),
    Room("lowering", ("lowering", ), ("choices", )),
    Room("planning", ("planning", ), ("choices", )),
    Room("transforms", ("transforms", ), ("choices", )),
    Room("backends/common", ("backends_common", ), ("choices", ), ("jit", "c", "e2e")),
    Room("backends/llvm", ("backends_llvm", "backends_cpu"), ("choices", "legal_code"),
         ("jit", "cortex-m4f", "cortex-m55", "cortex-a53", "e2e")),
    Room("backends/cpu", ("backends_cpu", "backends_llvm"), (), ("jit", "cortex-m4f")),
    Room("backends/c", ("backends_c", ), ("choices", ), ("c", "e2e")),
    Room("backends/spirv", ("backends_spirv", ), (), ("vulkan", )),
    Room("package", ("package", ), ("choices", )),
    Room("devices", ("devices", ), (), ("remote-sim", "jit")),
    Room("driver", ("driver", ), (), ("interpreter", "e2e")),
    Room("runtime_stub", ("runtime_stub", )),  # headers in C, beside src/ (stub.py)
]
# How `verify` runs the cases of an index: flags, and into how many probes each of INDEXES is cut,
# so that a fault ends early. `e2e` are the tests of the whole tool.
CASES = {
    "e2e": None,
    "interpreter": ("--backend interpreter", 1),
    "jit": ("--backend cpu", 4),
    "remote-sim": ("--backend remote-sim", 4),
    "c": ("--backend c", 16),
    "vulkan": ("--backend vulkan", 4),
    "cortex-m4f": ("--target cortex-m4f", 4),
    "cortex-m55": ("--target cortex-m55", 4),
    "cortex-a53": ("--target cortex-a53", 4),
}
INDEXES = ("ops/index.json", "regressions/index.json", "models/index.json")
BY_NAME = {room.name: room for room in ROOMS}
# The rooms that --pick looks for programs of: what they choose is seen in the figures of what
# becomes of a program.
PICKED = ["transforms", "lowering", "planning", "costs"]
# Where a program's folder is not called like it.
FOLDERS = {"support": "support_room", "target": "target_room"}


def room_of(path):
    """The room of a file, named as below src/."""
    return max((room for room in ROOMS if path.startswith(room.name + "/")),
               key=lambda room: len(room.name))


def source_of(path):
    """Where a file of a room stands in the tree."""
    return path if (path + "/").startswith("runtime_stub/") else f"src/{path}"


def programs_of(rooms):
    """The test programs of these rooms, each once."""
    return list(dict.fromkeys(name for room in rooms for name in (*room.tests, *room.whole)))


def cases_of(rooms):
    """The ways in which cases are run through these rooms, each once."""
    return list(dict.fromkeys(way for room in rooms for way in room.cases))

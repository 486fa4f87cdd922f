"""calls.py: modules of one LAPACK call on a batch of matrices, as JAX writes them, run on this
machine or on a board; what they give comes back as matrices of Python's numbers."""
import pathlib
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import boards  # noqa: E402

# By the type of a matrix: LAPACK's letter, the types of eigenvalues and of eigenvectors, of a
# call's real numbers.
TYPES = {"f32": ("s", "f32", "c64", "f32"), "f64": ("d", "f64", "c128", "f64"),
         "c64": ("c", "c64", "c64", "f32"), "c128": ("z", "c128", "c128", "f64")}
# struct's code and numpy's name of an element, and how many numbers it is.
ELEMENTS = {
    "f32": ("f", "f4", 1), "f64": ("d", "f8", 1), "c64": ("f", "c8", 2), "c128": ("d", "c16", 2),
    "s32": ("i", "i4", 1)
}


def is_complex(kind):
    return kind.startswith("c")


def ulp(kind):
    return 2.0 ** -23 if kind in ("f32", "c64") else 2.0 ** -52


def least(kind):
    """The least number above 0."""
    return 2.0 ** -149 if kind in ("f32", "c64") else 2.0 ** -1074


class Array:
    """Bytes with a type and dimensions, in little-endian order."""

    def __init__(self, kind, dimensions, content):
        self.kind, self.dimensions, self.content = kind, list(dimensions), content

    @staticmethod
    def of(kind, dimensions, numbers):
        code, _, parts = ELEMENTS[kind]
        flat = [part for x in numbers for part in (x.real, x.imag)[:parts]]
        return Array(kind, dimensions, struct.pack(f"<{len(flat)}{code}", *flat))

    def numbers(self):
        code, _, parts = ELEMENTS[self.kind]
        flat = struct.unpack(f"<{len(self.content) // struct.calcsize(code)}{code}", self.content)
        return [complex(*pair) for pair in zip(flat[::2], flat[1::2])] if parts == 2 else list(flat)

    def items(self):
        """One list of numbers, or of rows, for each matrix of the batch; a number where there is
        one for each."""
        numbers, rank = self.numbers(), len(self.dimensions)
        if rank == 1:
            return numbers
        rows = [
            numbers[at:at + self.dimensions[-1]]
            for at in range(0, len(numbers), max(self.dimensions[-1], 1))
        ]
        if rank == 2:
            return rows
        return [rows[at:at + self.dimensions[1]] for at in range(0, len(rows), self.dimensions[1])]

    def swapped(self):
        size = struct.calcsize(ELEMENTS[self.kind][0])
        chunks = (self.content[at:at + size][::-1] for at in range(0, len(self.content), size))
        return Array(self.kind, self.dimensions, b"".join(chunks))

    def shape(self):
        return f"{self.kind}[{','.join(map(str, self.dimensions))}]"

    def write_npy(self, path):
        shape = "(" + "".join(f"{d}, " for d in self.dimensions) + ")"
        text = f"{{'descr': '<{ELEMENTS[self.kind][1]}', 'fortran_order': False, 'shape': {shape}, }}"
        text += " " * (63 - (10 + len(text)) % 64) + "\n"
        path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() +
                         self.content)


def read_npy(path):
    data = path.read_bytes()
    return data[10 + struct.unpack("<H", data[8:10])[0]:]


def empty(kind, *dimensions):
    return Array(kind, dimensions, b"")


class Call:
    """One custom call: its operands, the shapes of its results, its module."""

    def __init__(self, routine, kind, operands, results, options):
        self.routine, self.kind, self.operands, self.results = routine, kind, operands, results
        shapes = ", ".join(one.shape() for one in results)
        root = f"({shapes})" if len(results) > 1 else shapes
        lines = [f"  a{k} = {one.shape()} parameter({k})" for k, one in enumerate(operands)]
        names = ", ".join(f"a{k}" for k in range(len(operands)))
        self.text = (
            f"HloModule {routine}_{kind}\n\nENTRY main {{\n" + "\n".join(lines) +
            f"\n  ROOT r = {root} custom-call({names}), "
            f"custom_call_target=\"lapack_{TYPES[kind][0]}{routine}_ffi\", "
            f"api_version=API_VERSION_TYPED_FFI, backend_config={{{options}}}\n}}\n")

    def run_here(self, hlocc, folder, flags=()):
        """The results, by `hlocc run`."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "module.hlo").write_text(self.text, encoding="utf-8")
        command = [hlocc, "run", folder / "module.hlo", *flags, "--output", f"{folder}/"]
        for k, one in enumerate(self.operands):
            one.write_npy(folder / f"a{k}.npy")
            command += ["--input", f"{k}={folder / f'a{k}.npy'}"]
        boards.must("run", boards.call(command))
        return [
            Array(one.kind, one.dimensions, read_npy(folder / f"result{k}.npy"))
            for k, one in enumerate(self.results)
        ]

    def run_on_board(self, hlocc, target, folder, flags=(), count=False):
        """(results, instructions), by a program on the target's board; they are counted if asked
        for."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "module.hlo").write_text(self.text, encoding="utf-8")
        manifest = boards.compile_model(hlocc, folder / "module.hlo", target, list(flags), folder)
        swap = target in boards.BIG_ENDIAN
        content = b"".join((one.swapped() if swap else one).content for one in self.operands)
        instructions = 0
        if count:
            instructions, _ = boards.count_instructions(target, manifest, folder, content)
        else:
            self.run_program(target, manifest, folder, content)
        got, at, results = (folder / "out").read_bytes(), 0, []
        for one, leaf in zip(self.results, manifest["results"]):
            array = Array(one.kind, one.dimensions, got[at:at + leaf["bytes"]])
            results.append(array.swapped() if swap else array)
            at += leaf["bytes"]
        return results, instructions, manifest

    @staticmethod
    def run_program(target, manifest, folder, content):
        program = folder / "bench.elf"
        boards.must(
            "link",
            boards.call([
                boards.BOARDS / "link_firmware.sh", target, program,
                boards.write_main(folder, manifest), "-I", folder, folder / "libbench.a"
            ]))
        (folder / "in").write_bytes(content)
        boards.must(
            "run",
            boards.call(
                [boards.BOARDS / "run_board.sh", target, program, folder / "in", folder / "out"]))


def batch_of(kind, matrices):
    rows, columns = len(matrices[0]), len(matrices[0][0])
    return Array.of(kind, [len(matrices), rows, columns],
                    [x for a in matrices for row in a for x in row])


def geev(kind, matrices, left=True, right=True):
    count, n = len(matrices), len(matrices[0])
    _, values, vectors, _ = TYPES[kind]
    rows = [empty(values, count, n)] * (1 if is_complex(kind) else 2)
    letter = {True: 86, False: 78}
    return Call("geev", kind, [batch_of(kind, matrices)], [
        *rows, empty(vectors, count, n, n),
        empty(vectors, count, n, n),
        empty("s32", count)
    ], f"compute_left = {letter[left]} : ui8, compute_right = {letter[right]} : ui8")


def gees(kind, matrices, vectors=True):
    count, n = len(matrices), len(matrices[0])
    rows = [empty(kind, count, n)] * (1 if is_complex(kind) else 2)
    return Call("gees", kind, [batch_of(kind, matrices)], [
        empty(kind, count, n, n),
        empty(kind, count, n, n), *rows,
        empty("s32", count),
        empty("s32", count)
    ], f"mode = {86 if vectors else 78} : ui8, sort = 78 : ui8")


def geqp3(kind, matrices, marks=None):
    count, rows, columns = len(matrices), len(matrices[0]), len(matrices[0][0])
    marks = marks or [[0] * columns] * count
    return Call("geqp3", kind, [
        batch_of(kind, matrices),
        Array.of("s32", [count, columns], [x for row in marks for x in row])
    ], [
        empty(kind, count, rows, columns),
        empty("s32", count, columns),
        empty(kind, count, min(rows, columns))
    ], "")

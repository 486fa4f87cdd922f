"""A model whose weights take few different values, as a clustering exporter leaves them: each
constant of f32 or s8 of 256 elements or more gets its own values, at most as many as asked, by
k-means over its elements.

Writes a snapshot whose result is the interpreter's of the new weights:

    python3 bench/cluster_weights.py --hlocc build/hlocc --values 16 MODEL.snapshot.pb \
      -o OUT.snapshot.pb
    python3 bench/boards.py --hlocc build/hlocc --target cortex-m4f OUT.snapshot.pb
    python3 bench/boards.py --hlocc build/hlocc --target cortex-m4f \
      --option=--weights-compression=palettes OUT.snapshot.pb
"""
import argparse
import json
import pathlib
import shutil
import struct
import subprocess
import tempfile

import snapshot

FEWEST = 256
# Fields on the way from a snapshot to the instructions: the messages hlo, module, computations.
WAY = (1, 1, 3)
OF_COMPUTATION, LITERAL = 2, 8
CODES = {"f32": "f", "s8": "b"}


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def rewritten(data, change):
    """The message with each field of a length as `change(number, bytes)` says."""
    out, at = bytearray(), 0
    while at < len(data):
        first = at
        key, at = snapshot.read_varint(data, at)
        if key & 7 == 0:
            _, at = snapshot.read_varint(data, at)
        elif key & 7 == 2:
            size, at = snapshot.read_varint(data, at)
            new = change(key >> 3, data[at:at + size])
            at += size
            out += varint(key) + varint(len(new)) + new
            continue
        else:
            at += {1: 8, 5: 4}[key & 7]
        out += data[first:at]
    return bytes(out)


def centres(numbers, count):
    """At most `count` values that the numbers lie near: quantiles, moved to the means of those
    nearest to them, a few times."""
    ordered = sorted(numbers)
    found = sorted({ordered[(2 * n + 1) * len(ordered) // (2 * count)] for n in range(count)})
    for _ in range(8):
        sums, counts, at = [0.0] * len(found), [0] * len(found), 0
        for number in ordered:
            while at + 1 < len(found) and abs(found[at + 1] - number) < abs(found[at] - number):
                at += 1
            sums[at] += number
            counts[at] += 1
        found = [s / c if c else f for s, c, f in zip(sums, counts, found)]
    return found


def clustered(numbers, count, whole):
    found = centres(numbers, count)
    if whole:
        found = [round(value) for value in found]
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    out, at = [0] * len(numbers), 0
    for n in order:
        while at + 1 < len(found) and abs(found[at + 1] - numbers[n]) < abs(found[at] - numbers[n]):
            at += 1
        out[n] = found[at]
    return out


def new_literal(data, count):
    """The LiteralProto with its elements clustered, where it is of weights."""
    message = dict(snapshot.fields(data))
    kind, _ = snapshot.shape_of(message[1])
    name, field, size = snapshot.TYPES.get(kind, ("", 0, 1))
    if name not in CODES or len(message.get(field, b"")) < FEWEST * size:
        return data
    def change(number, content):
        if number != field:
            return content
        elements = len(content) // size
        numbers = struct.unpack(f"<{elements}{CODES[name]}", content)
        return struct.pack(f"<{elements}{CODES[name]}", *clustered(numbers, count, name == "s8"))
    return rewritten(data, change)


def with_clustered(data, count, way=WAY):
    def inside(number, content):
        if way and number == way[0]:
            return with_clustered(content, count, way[1:])
        if not way and number == OF_COMPUTATION:
            return rewritten(content, lambda n, literal: new_literal(literal, count)
                             if n == LITERAL else literal)
        return content
    return rewritten(data, inside)


def write_array(path, kind, sizes, content):
    code = {"pred": "|b1", "s8": "|i1", "u8": "|u1", "s32": "<i4", "f32": "<f4"}[kind]
    header = repr({"descr": code, "fortran_order": False, "shape": tuple(sizes)}).encode() + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + content)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--hlocc", default="build/hlocc")
    parser.add_argument("--values", type=int, default=16)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("-o", dest="out", type=pathlib.Path, required=True)
    given = parser.parse_args()
    arguments, _ = snapshot.read_snapshot(given.model)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = folder / "model.pb"
        model.write_bytes(with_clustered(given.model.read_bytes(), given.values))
        told = json.loads(subprocess.run([given.hlocc, "inspect", model, "--json"], check=True,
                                         capture_output=True).stdout)
        inputs = []
        for leaf, (kind, sizes, content) in zip(told["arguments"], arguments):
            write_array(folder / f"{leaf['index']}.npy", kind, sizes, content)
            inputs += ["--input", f"{leaf['name']}={folder}/{leaf['index']}.npy"]
        subprocess.run([given.hlocc, "snapshot", model, *inputs, "-o", given.out], check=True)
    rules = given.model.with_name(given.model.name.replace(".snapshot.pb", ".json"))
    if rules.exists():
        shutil.copyfile(rules, given.out.with_name(given.out.name.replace(".snapshot.pb", ".json")))


if __name__ == "__main__":
    main()

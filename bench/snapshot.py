"""Reads the literals of an HloSnapshot without protobuf: its arguments and its expected result.

A literal's array stands in the field that belongs to its element type, packed; text order is the
entry layout's order, which is also the order of the generated library's buffers.
"""
import struct

# Element type number -> (name, Literal's field number, bytes of one element of a pair or scalar).
# Signed and unsigned integers of 32 and 64 bits and preds are varints in the file.
TYPES = {
    1: ("pred", 2, 1), 2: ("s8", 15, 1), 3: ("s16", 17, 2), 4: ("s32", 4, 4), 5: ("s64", 5, 8),
    6: ("u8", 3, 1), 7: ("u16", 16, 2), 8: ("u32", 6, 4), 9: ("u64", 7, 8), 10: ("f16", 11, 2),
    11: ("f32", 8, 4), 12: ("f64", 9, 8), 15: ("c64", 12, 4), 16: ("bf16", 13, 2),
    18: ("c128", 18, 8),
}
TUPLE, TOKEN = 13, 17
VARINT_TYPES = {"pred", "s32", "s64", "u32", "u64"}


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Yields (number, value) of one message: an int, or bytes for anything with a length."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        if key & 7 == 0:
            value, at = read_varint(data, at)
        elif key & 7 == 2:
            size, at = read_varint(data, at)
            value = data[at:at + size]
            at += size
        else:
            size = {1: 8, 5: 4}[key & 7]
            value = data[at:at + size]
            at += size
        yield key >> 3, value


def shape_of(data):
    """(element type number, dimensions) of a Shape message."""
    kind, dimensions = 0, []
    for number, value in fields(data):
        if number == 2:
            kind = value
        elif number == 3 and isinstance(value, int):
            dimensions.append(value)
        elif number == 3:
            at = 0
            while at < len(value):
                dimension, at = read_varint(value, at)
                dimensions.append(dimension)
    return kind, dimensions


def integers(chunks, size):
    """Varints, single or packed, as little-endian integers of the given size."""
    values = []
    for chunk in chunks:
        if isinstance(chunk, int):
            values.append(chunk)
            continue
        at = 0
        while at < len(chunk):
            value, at = read_varint(chunk, at)
            values.append(value)
    mask = (1 << 8 * size) - 1
    return b"".join((value & mask).to_bytes(size, "little") for value in values)


def leaves(data):
    """The arrays of a LiteralProto, depth first, tokens dropped: [(type name, dims, bytes)]."""
    message = {}
    for number, value in fields(data):
        message.setdefault(number, []).append(value)
    kind, dimensions = shape_of(message[1][0])
    if kind == TOKEN:
        return []
    if kind == TUPLE:
        return [leaf for part in message.get(10, []) for leaf in leaves(part)]
    name, field, size = TYPES[kind]
    chunks = message.get(field, [])
    if name in VARINT_TYPES:
        content = integers(chunks, size)
    else:
        content = b"".join(chunks)
    return [(name, dimensions, content)]


def read_snapshot(path):
    """(arguments, results) of a snapshot file, each a list of leaves."""
    with open(path, "rb") as file:
        data = file.read()
    arguments, results = [], []
    for number, value in fields(data):
        if number == 2:
            arguments += leaves(value)
        elif number == 3:
            results += leaves(value)
    return arguments, results


def swapped(leaf):
    """The leaf's bytes in the other byte order."""
    name, _, content = leaf
    size = next(size for other, _, size in TYPES.values() if other == name)
    if size == 1:
        return content
    return b"".join(content[at:at + size][::-1] for at in range(0, len(content), size))


def floats(leaf):
    """The elements of a little-endian leaf as Python numbers (f32, f64 and integers only)."""
    name, _, content = leaf
    code = {"f32": "f", "f64": "d", "s8": "b", "u8": "B", "pred": "B", "s16": "h", "u16": "H",
            "s32": "i", "u32": "I", "s64": "q", "u64": "Q"}[name]
    return struct.unpack(f"<{len(content) // struct.calcsize(code)}{code}", content)

"""HloModuleProto written by hand, message by message: for files that no library would write."""


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def number(tag, value):
    return varint(tag << 3) + varint(value)


def field(tag, payload):
    return varint(tag << 3 | 2) + varint(len(payload)) + payload


SCALAR = number(2, 11)
TOKEN = number(2, 17)


def array_shape(*sizes):
    layout = b"".join(number(1, axis) for axis in reversed(range(len(sizes))))
    return number(2, 11) + b"".join(number(3, size) for size in sizes) + field(5, layout)


def tuple_shape(elements):
    return number(2, 13) + b"".join(field(4, element) for element in elements)


def instruction(opcode, shape, more=b"", operands=(), ident=2):
    return field(
        2,
        field(1, b"i%d" % ident) + field(2, opcode) + field(3, shape) + more + number(35, ident) +
        b"".join(number(36, operand) for operand in operands))


def parameter(shape, at=0):
    return instruction(b"parameter", shape, number(9, at), ident=at + 1)


def computation(body, root=1):
    return field(3, field(1, b"main") + body + number(5, 1) + number(6, root))


def module(body, root=1):
    """A module of one computation whose instructions are `body`."""
    return field(1, b"m") + field(2, b"main") + computation(body, root) + number(6, 1)

"""An HloSnapshot of a module, its arguments and its result, written field by field: the tests need
one file that has the HLO road, values, and what JAX made of them."""
import numpy

# Numbers of PrimitiveType, by numpy's names of types, and the field of LiteralProto that holds the
# elements.
TYPES = {
    "bool": (1, 2), "int8": (2, 15), "int16": (3, 17), "int32": (4, 4), "int64": (5, 5),
    "uint8": (6, 3), "uint16": (7, 16), "uint32": (8, 6), "uint64": (9, 7), "float16": (10, 11),
    "float32": (11, 8), "float64": (12, 9), "complex64": (15, 12), "bfloat16": (16, 13),
    "complex128": (18, 18), "float8_e5m2": (19, 19), "float8_e4m3fn": (20, 20),
    "float8_e4m3b11fnuz": (23, 23), "float8_e5m2fnuz": (24, 24), "float8_e4m3fnuz": (25, 25),
    "float8_e4m3": (28, 28), "float8_e3m4": (29, 29), "float8_e8m0fnu": (33, 33), "int4": (21, 21),
    "uint4": (22, 22), "int2": (26, 26), "uint2": (27, 27), "float4_e2m1fn": (32, 32),
}
VARINTS = {"bool", "int32", "int64", "uint32", "uint64"}


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def shape(array):
    number, _ = TYPES[array.dtype.name]
    layout = field(1, b"".join(varint(i) for i in reversed(range(array.ndim))))
    out = varint(2 << 3) + varint(number)
    out += field(3, b"".join(varint(size) for size in array.shape))
    return out + field(5, layout)


def literal(array):
    """A LiteralProto: shape, then the elements row by row."""
    array = numpy.asarray(array, order="C")
    name = array.dtype.name
    if name in VARINTS:
        payload = b"".join(varint(int(value)) for value in array.reshape(-1))
    else:
        payload = array.tobytes()
    return field(1, shape(array)) + field(TYPES[name][1], payload)


def tuple_literal(arrays):
    shapes = varint(2 << 3) + varint(13) + b"".join(
        field(4, shape(numpy.asarray(a))) for a in arrays)
    return field(1, shapes) + b"".join(field(10, literal(a)) for a in arrays)


def snapshot(module, arguments, results):
    """`module`: a serialized HloModuleProto; one result stands alone, several are a tuple."""
    out = field(1, field(1, module)) + b"".join(field(2, literal(a)) for a in arguments)
    return out + field(3, literal(results[0]) if len(results) == 1 else tuple_literal(results))

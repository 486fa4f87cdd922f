"""Large modules, in the shapes in which they come from front ends: what compile_time.py times and
the tests of growth compile.

    python3 bench/large_modules.py chain 1000 > chain.hlo.txt
    python3 bench/large_modules.py weights 100 -o weights.pb

KIND is chain (alternating tanh and sine), wide (branches beside one another), scan (an unrolled
recurrent cell), constants (thousands of small ones), mixed (random operations of every family),
convnet and mixer (training steps of a residual convolutional network and of an MLP-mixer, gradients
and momentum spelled out as JAX writes them): N instructions, roughly. `weights` is a proto of N
megabytes of constants, a matrix for every megabyte; in `folded_weights` each is multiplied by a
scale and contracted along its rows, so that other constants take their place. The same arguments
give the same bytes.
"""
import argparse
import math
import random
import struct
import sys

import large_forms
import large_training
from large_graph import Graph


def chain(count):
    graph = Graph("chain")
    x = graph.parameter(16)
    for at in range(count):
        x = graph.unary("sine" if at % 2 else "tanh", x)
    return graph.text(x)


def wide(count):
    """Branches of five operations from one argument, added up as a tree, every tenth a result of
    its own."""
    graph = Graph("wide")
    x = graph.parameter(8, 32)
    branches, results = [], []
    while len(graph.lines) < count:
        scale = graph.broadcast(graph.scalar(1 + len(branches) / 1024), x.shape)
        y = graph.binary("add", graph.unary("exponential", graph.binary("multiply", x, scale)),
                         scale)
        branches.append(y)
        if len(branches) % 10 == 0:
            results.append(graph.reduce(y, [1]))
    while len(branches) > 1:
        rest = branches[len(branches) & ~1:]
        branches = [graph.binary("add", a, b) for a, b in zip(branches[::2], branches[1::2])] + rest
    return graph.text(*results, branches[0])


def scan(count):
    """A gated recurrent cell per turn: slices of the inputs, one product each, outputs written into
    a stack."""
    graph = Graph("scan")
    turns, width = max(1, count // 16), 16
    inputs = graph.parameter(turns, width)
    state, weights = graph.parameter(1, width), graph.parameter(2 * width, 2 * width)
    stack = graph.broadcast(graph.scalar(0), (turns, width))
    for turn in range(turns):
        x = graph.slice(inputs, (turn, 0), (turn + 1, width))
        both = graph.concatenate([x, state], 1)
        gates = graph.dot(both, weights, [1], [0])
        update = graph.unary("logistic", graph.slice(gates, (0, 0), (1, width)))
        proposal = graph.unary("tanh", graph.slice(gates, (0, width), (1, 2 * width)))
        one = graph.broadcast(graph.scalar(1), update.shape)
        kept = graph.binary("multiply", graph.binary("subtract", one, update), state)
        state = graph.binary("add", graph.binary("multiply", update, proposal), kept)
        stack = graph.update(stack, state, [graph.integer(turn), graph.integer(0)])
    return graph.text(stack, state)


def constants(count):
    """Arrays of three to ten elements, each used once."""
    graph, draw = Graph("constants"), random.Random(5)
    sums = {size: graph.parameter(size) for size in range(3, 11)}
    while len(graph.lines) < count:
        size = draw.randint(3, 10)
        values = graph.constant([draw.randint(-99, 99) for _ in range(size)])
        sums[size] = graph.binary(draw.choice(["add", "multiply", "maximum"]), sums[size], values)
    return graph.text(*sums.values())


def mixed(count):
    """Operations of every family on a dozen values that nobody read yet, so that all count and
    lives stay short."""
    graph, draw = Graph("mixed"), random.Random(9)
    recent = [graph.parameter(6, 10), graph.parameter(10), graph.parameter(4, 6, 10)]
    unread = list(recent)
    while len(graph.lines) < count:
        x = unread[0] if len(unread) > 12 else draw.choice(recent[-40:])
        read = [x]
        kind = draw.randrange(10)
        if kind < 2:
            y = graph.unary(draw.choice(["tanh", "exponential", "negate", "abs", "rsqrt", "floor"]),
                            x)
        elif kind < 4:
            same = [
                value for value in [*unread[::-1], *recent[:-24:-1], x] if value.shape == x.shape
            ]
            read.append(same[0] if same[0] is not x or len(same) == 1 else same[1])
            y = graph.binary(draw.choice(["add", "multiply", "subtract", "maximum"]), *read)
        elif kind == 4:
            y = graph.transpose(x, draw.sample(range(len(x.shape)), len(x.shape)))
        elif kind == 5 and len(x.shape) > 1:
            y = graph.reduce(x, [draw.randrange(len(x.shape))])
        elif kind == 6 and len(x.shape) < 4 and math.prod(x.shape) < 400:
            y = graph.broadcast(x, (draw.randint(2, 6), *x.shape), range(1, len(x.shape) + 1))
        elif kind == 7 and len(x.shape) == 2:
            weights = graph.broadcast(graph.scalar(0.5), (x.shape[1], draw.randint(3, 12)))
            y = graph.dot(x, graph.unary("cosine", weights), [1], [0])
        elif kind == 8 and x.shape[0] > 2:
            low = draw.randint(0, 1)
            y = graph.slice(x, [low] + [0] * (len(x.shape) - 1),
                            [x.shape[0] - 1 + low, *x.shape[1:]])
        elif math.prod(x.shape) > 1000:
            y = graph.reduce(x, range(1, len(x.shape))) if len(x.shape) > 1 else graph.slice(
                x, [0], [9])
        else:
            y = graph.reshape(x, (math.prod(x.shape), )) if len(x.shape) > 2 else graph.concatenate(
                [x, x], 0)
        unread = [value for value in unread if value not in read] + [y]
        recent.append(y)
    return graph.text(*unread)


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def field(number, *chunks):
    """A field of a proto as a list of chunks: bytes of any length behind one another, or one
    integer."""
    if isinstance(chunks[0], int):
        return [varint(number << 3) + varint(chunks[0])]
    return [varint(number << 3 | 2) + varint(sum(map(len, chunks))), *chunks]


def write_weights(megabytes, out, is_folded):
    """x = tanh(dot(x, w)), a 512 x 512 matrix of f32 for every megabyte, as an HloModuleProto;
    tanh(dot(x, (w * scale)^T)) folded."""
    side = 512
    row = (4, side)
    values = random.Random(3)
    matrix = struct.pack("<1024f", *(values.uniform(-1, 1)
                                     for _ in range(1024))) * (side * side // 1024)

    def shape(*sizes):
        layout = [chunk for axis in reversed(range(len(sizes))) for chunk in field(1, axis)]
        dimensions = [chunk for size in sizes for chunk in field(3, size)]
        return [*field(2, 11), *dimensions, *field(5, b"", *layout)]

    def instruction(opcode, sizes, *more, operands=()):
        nonlocal last
        last += 1
        return field(2, *field(1, b"i%d" % last), *field(2, opcode), *field(3, *shape(*sizes)),
                     *more, *field(35, last),
                     *(chunk for operand in operands for chunk in field(36, operand)))

    last = 0
    body = []
    numbers = field(30, *field(1, 1), *field(2, 1 if is_folded else 0))
    if is_folded:
        body += instruction(b"constant", (),
                            *field(8, *field(1, *shape()), *field(8, struct.pack("<f", 0.75))))
        body += instruction(b"broadcast", (side, side), operands=(last,))
        scale = last
    body += instruction(b"parameter", row, *field(9, 0))
    for at in range(megabytes):
        x = last
        # The first element tells one matrix from another.
        literal = field(8, *field(1, *shape(side, side)),
                        *field(8, struct.pack("<f", 1 + at), matrix[4:]))
        body += instruction(b"constant", (side, side), *literal)
        if is_folded:
            body += instruction(b"multiply", (side, side), operands=(last, scale))
        body += instruction(b"dot", row, *numbers, operands=(x, last))
        body += instruction(b"tanh", row, operands=(last,))
    signature = field(4, *field(1, *shape(*row)), *field(2, *shape(*row)), *field(3, b"x"))
    entry = field(3, *field(1, b"main"), *body, *signature, *field(5, 1), *field(6, last))
    for chunk in [
            *field(1, b"weights"), *field(2, b"main"), *entry, *signature, *field(5, 1),
            *field(6, 1)
    ]:
        out.write(chunk)


KINDS = {"chain": chain, "wide": wide, "scan": scan, "constants": constants, "mixed": mixed,
         "convnet": large_training.convnet, "mixer": large_training.mixer, **large_forms.FORMS}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=[*KINDS, "weights", "folded_weights"])
    parser.add_argument("n", type=int)
    parser.add_argument("-o", dest="output")
    given = parser.parse_args()
    with (open(given.output, "wb") if given.output else sys.stdout.buffer) as out:
        if given.kind.endswith("weights"):
            write_weights(given.n, out, given.kind == "folded_weights")
        else:
            out.write(KINDS[given.kind](given.n).encode())


if __name__ == "__main__":
    main()

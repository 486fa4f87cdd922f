"""Training steps of a residual convolutional network and of an MLP-mixer, in the manner in which
JAX writes them: the forward pass, the gradients by the chain rule in reverse, momentum and update
for every parameter. Constants and their broadcasts are repeated at every use, as traced programs
do; every operation says in its metadata which layer it came from.
"""
import math

from large_graph import Graph


class Tape:
    """Operations that remember how gradients flow back through them."""

    def __init__(self, name):
        self.graph, self.steps, self.weights, self.gradients = Graph(name), [], [], {}

    def weight(self, *shape):
        value = self.graph.parameter(*shape)
        self.weights.append(value)
        return value

    def give(self, value, gradient):
        if value.name in self.gradients:
            gradient = self.graph.binary("add", self.gradients[value.name], gradient)
        self.gradients[value.name] = gradient

    def record(self, result, back):
        where = self.graph.where
        self.steps.append((result, back, where))
        return result

    def add(self, a, b):
        return self.record(self.graph.binary("add", a, b), lambda d:
                           (self.give(a, d), self.give(b, d)))

    def multiply(self, a, b):
        g = self.graph
        return self.record(
            g.binary("multiply", a, b), lambda d:
            (self.give(a, g.binary("multiply", d, b)), self.give(b, g.binary("multiply", d, a))))

    def subtract(self, a, b):
        g = self.graph
        return self.record(g.binary("subtract", a, b), lambda d:
                           (self.give(a, d), self.give(b, g.unary("negate", d))))

    def scale(self, x, factor):
        g = self.graph
        return self.record(g.binary("multiply", x, g.fill(factor, x.shape)),
                           lambda d: self.give(x, g.binary("multiply", d, g.fill(factor, x.shape))))

    def spread(self, x, shape, dimensions):
        g = self.graph
        rest = [axis for axis in range(len(shape)) if axis not in dimensions]
        return self.record(g.broadcast(x, shape, dimensions),
                           lambda d: self.give(x, g.reduce(d, rest)))

    def total(self, x, dimensions):
        g = self.graph
        kept = [axis for axis in range(len(x.shape)) if axis not in dimensions]
        return self.record(g.reduce(x, dimensions),
                           lambda d: self.give(x, g.broadcast(d, x.shape, kept)))

    def mean(self, x, dimensions):
        return self.scale(self.total(x, dimensions),
                          1 / math.prod(x.shape[axis] for axis in dimensions))

    def rsqrt(self, x):
        g = self.graph
        y = g.unary("rsqrt", x)

        def back(d):
            cube = g.binary("divide", y, x)
            self.give(x, g.binary("multiply", d, g.binary("multiply", cube, g.fill(-0.5, x.shape))))
        return self.record(y, back)

    def tanh(self, x):
        g = self.graph
        y = g.unary("tanh", x)

        def back(d):
            rest = g.binary("subtract", g.fill(1, x.shape), g.binary("multiply", y, y))
            self.give(x, g.binary("multiply", d, rest))
        return self.record(y, back)

    def relu(self, x):
        g = self.graph

        def back(d):
            zero = g.fill(0, x.shape)
            self.give(x, g.select(g.compare(x, zero, "GT"), d, g.fill(0, x.shape)))
        return self.record(g.binary("maximum", x, g.fill(0, x.shape)), back)

    def gelu(self, x):
        cube = self.multiply(self.multiply(x, x), x)
        inner = self.scale(self.add(x, self.scale(cube, 0.044715)), 0.7978845608)
        one = self.graph.fill(1, x.shape)
        return self.multiply(x, self.scale(self.add(self.tanh(inner), one), 0.5))

    def reshape(self, x, shape):
        g = self.graph
        return self.record(g.reshape(x, shape), lambda d: self.give(x, g.reshape(d, x.shape)))

    def swap(self, x):
        """The last two of three dimensions."""
        g = self.graph
        return self.record(g.transpose(x, (0, 2, 1)),
                           lambda d: self.give(x, g.transpose(d, (0, 2, 1))))

    def dense(self, x, w, bias):
        """Over the last dimension of x."""
        g, last = self.graph, len(x.shape) - 1

        def back(d):
            self.give(x, g.dot(d, w, [last], [1]))
            self.give(w, g.dot(x, d, list(range(last)), list(range(last))))
        y = self.record(g.dot(x, w, [last], [0]), back)
        return self.add(y, self.spread(bias, y.shape, [last]))

    def convolution(self, x, w, stride):
        """Channels last, SAME; w is [side, side, in, out]."""
        g, side = self.graph, w.shape[0]
        n, size, _, channels = x.shape
        out = -(-size // stride)
        total = max(0, (out - 1) * stride + side - size)
        low, high = total // 2, total - total // 2

        def back(d):
            more = size - ((out - 1) * stride + 1)
            turned = g.reverse(w, (0, 1))
            back_low = side - 1 - low
            self.give(
                x,
                g.convolution(d,
                              turned,
                              x.shape,
                              "b01f_01oi->b01f", (back_low, more + low),
                              lhs_dilate=stride))
            reach = (out - 1) * stride + side - size - low
            self.give(w, self.kernel_gradient(x, d, w.shape, (low, reach), stride))
        shape = (n, out, out, w.shape[3])
        return self.record(g.convolution(x, w, shape, "b01f_01io->b01f", (low, high), stride), back)

    def kernel_gradient(self, x, d, shape, pads, stride):
        """The batch is summed over, channels become the batch."""
        return self.graph.convolution(x, d, shape, "f01b_i01o->01bf", pads, rhs_dilate=stride)

    def normalize(self, x, dimensions):
        """Batch or layer normalisation: over `dimensions`, scale and offset along the last."""
        kept = [axis for axis in range(len(x.shape)) if axis not in dimensions]
        last = len(x.shape) - 1
        gain, offset = self.weight(x.shape[last]), self.weight(x.shape[last])
        centred = self.subtract(x, self.spread(self.mean(x, dimensions), x.shape, kept))
        variance = self.mean(self.multiply(centred, centred), dimensions)
        inverse = self.rsqrt(self.add(variance, self.graph.fill(1e-5, variance.shape)))
        normal = self.multiply(centred, self.spread(inverse, x.shape, kept))
        return self.add(self.multiply(normal, self.spread(gain, x.shape, [last])),
                        self.spread(offset, x.shape, [last]))

    def step(self, logits):
        """Cross entropy against labels, gradients of every weight, momentum and update; the
        module's text."""
        g = self.graph
        g.where = "loss"
        labels = g.parameter(*logits.shape)
        top = g.broadcast(g.reduce(logits, [1], "maximum"), logits.shape, [0])
        shifted = g.binary("subtract", logits, top)
        e = g.unary("exponential", shifted)
        total = g.reduce(e, [1])
        log = g.broadcast(g.unary("log", total), logits.shape, [0])
        loss = g.reduce(g.binary("multiply", labels, g.binary("subtract", log, shifted)), [0, 1])
        probability = g.binary("divide", e, g.broadcast(total, logits.shape, [0]))
        self.gradients[logits.name] = g.binary("subtract", probability, labels)
        for result, back, where in reversed(self.steps):
            g.where = f"transpose({where})"
            if result.name in self.gradients:
                back(self.gradients[result.name])
        g.where = "sgd"
        results = [loss]
        for weight in self.weights:
            momentum = g.parameter(*weight.shape)
            decayed = g.binary("multiply", momentum, g.fill(0.9, weight.shape))
            moved = g.binary("add", decayed, self.gradients[weight.name])
            step = g.binary("multiply", moved, g.fill(0.01, weight.shape))
            results += [moved, g.binary("subtract", weight, step)]
        return g.text(*results)


def convnet(count):
    """Bottleneck blocks in four stages; about 230 instructions a block of three convolutions."""
    tape, blocks = Tape("convnet"), max(1, round((count - 250) / 266))
    batch, size, channels = 2, 16, 8

    def normalized(x, side, features, stride):
        return tape.normalize(
            tape.convolution(x, tape.weight(side, side, x.shape[3], features), stride), [0, 1, 2])

    tape.graph.where = "stem"
    x = tape.relu(normalized(tape.graph.parameter(batch, size, size, 3), 3, channels, 1))
    for block in range(blocks):
        tape.graph.where = f"block{block}"
        stage = block * 4 // blocks
        stride = 2 if block and stage != (block - 1) * 4 // blocks else 1
        width = channels << stage
        y = tape.relu(normalized(x, 1, width // 2, 1))
        y = tape.relu(normalized(y, 3, width // 2, stride))
        y = normalized(y, 1, width, 1)
        if y.shape != x.shape:
            x = normalized(x, 1, width, stride)
        x = tape.relu(tape.add(y, x))
    tape.graph.where = "head"
    pooled = tape.mean(x, [1, 2])
    return tape.step(tape.dense(pooled, tape.weight(x.shape[3], 10), tape.weight(10)))


def mixer(count):
    """Blocks of token mixing and channel mixing with layer normalisation; about 290 instructions a
    block."""
    tape, blocks = Tape("mixer"), max(1, round((count - 130) / 292))
    batch, tokens, channels = 2, 16, 24

    def mlp(x, hidden):
        width = x.shape[2]
        y = tape.gelu(tape.dense(x, tape.weight(width, hidden), tape.weight(hidden)))
        return tape.dense(y, tape.weight(hidden, width), tape.weight(width))

    tape.graph.where = "stem"
    x = tape.dense(tape.graph.parameter(batch, tokens, 48), tape.weight(48, channels),
                   tape.weight(channels))
    for block in range(blocks):
        tape.graph.where = f"block{block}"
        x = tape.add(x, tape.swap(mlp(tape.swap(tape.normalize(x, [2])), 32)))
        x = tape.add(x, mlp(tape.normalize(x, [2]), 64))
    tape.graph.where = "head"
    pooled = tape.mean(tape.normalize(x, [2]), [1])
    return tape.step(tape.dense(pooled, tape.weight(channels, 10), tape.weight(10)))

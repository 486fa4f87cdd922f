"""The networks of the host bench as plain data, so that to_onnx.py and to_tflite.py can write the
same architecture for the libraries beside hlocc. Batch normalisation is folded and weights are
random: times do not depend on them. Shapes are channels-last, as in the models that hlocc gets.

A network is a list of operations; each has a `kind`, the `inputs` (names), one `output` name, and
what belongs to it (weights as NumPy arrays: convolutions in HWIO, matrices as [in, out]).
"""
import numpy


class Network:
    def __init__(self):
        self.inputs, self.operations, self.outputs, self.shapes = [], [], [], {}
        self.random = numpy.random.default_rng(7)

    def weights(self, *shape, fan=None):
        fan = fan or int(numpy.prod(shape[:-1]))
        return (self.random.standard_normal(shape) * numpy.sqrt(2 / fan)).astype(numpy.float32)

    def vector(self, size):
        return (self.random.standard_normal(size) * 0.05).astype(numpy.float32)

    def add_operation(self, kind, inputs, shape, **facts):
        name = f"v{len(self.operations)}"
        self.operations.append({"kind": kind, "inputs": inputs, "output": name, **facts})
        self.shapes[name] = list(shape)
        return name

    def input(self, *shape, tokens=0):
        name = f"in{len(self.inputs)}"
        value = self.random.integers(0, tokens, shape).astype(numpy.int32) if tokens else \
            self.random.uniform(-1, 1, shape).astype(numpy.float32)
        self.inputs.append((name, value))
        self.shapes[name] = list(shape)
        return name

    def conv(self, x, channels, size, stride=1, act=None, depthwise=False, bias=True, pads=None):
        """`pads` as ((top, bottom), (left, right)); the default keeps XLA's SAME."""
        size = (size, size) if isinstance(size, int) else size
        stride = (stride, stride) if isinstance(stride, int) else stride
        n, h, w, c = self.shapes[x]
        channels = c if depthwise else channels
        if pads is None:
            pads = tuple(same_pads(extent, k, s) for extent, k, s in zip((h, w), size, stride))
        out = [(extent + sum(pad) - k) // s + 1
               for extent, pad, k, s in zip((h, w), pads, size, stride)]
        kernel = self.weights(*size, 1 if depthwise else c, channels)
        return self.add_operation("conv", [x], [n, *out, channels], kernel=kernel,
                                  bias=self.vector(channels) if bias else None, stride=stride,
                                  pads=pads, act=act, depthwise=depthwise)

    def maxpool(self, x, size, stride, pads):
        n, h, w, c = self.shapes[x]
        out = [(extent + sum(pad) - size) // stride + 1 for extent, pad in zip((h, w), pads)]
        return self.add_operation("maxpool", [x], [n, *out, c], size=size, stride=stride, pads=pads)

    def mean(self, x):
        """Over rows and columns."""
        n, _, _, c = self.shapes[x]
        return self.add_operation("mean", [x], [n, c])

    def dense(self, x, out, act=None, bias=True):
        rows, columns = self.shapes[x]
        return self.add_operation("dense", [x], [rows, out], kernel=self.weights(columns, out),
                                  bias=self.vector(out) if bias else None, act=act)

    def add(self, a, b, act=None):
        return self.add_operation("add", [a, b], self.shapes[a], act=act)

    def softmax(self, x):
        return self.add_operation("softmax", [x], self.shapes[x])

    def gelu(self, x):
        return self.add_operation("gelu", [x], self.shapes[x])

    def tanh(self, x):
        return self.add_operation("tanh", [x], self.shapes[x])

    def layer_norm(self, x):
        size = self.shapes[x][-1]
        return self.add_operation("layer_norm", [x], self.shapes[x], scale=1 + self.vector(size),
                                  offset=self.vector(size))

    def embed(self, tokens, words, size):
        """The rows of a table, and a position added to each."""
        length = self.shapes[tokens][0]
        return self.add_operation("embed", [tokens], [length, size],
                                  table=self.weights(words, size, fan=8),
                                  positions=self.weights(length, size, fan=50))

    def attention(self, qkv, heads, mask):
        """`qkv` holds the three projections side by side; `mask` is added to the scores."""
        length, three = self.shapes[qkv]
        return self.add_operation("attention", [qkv], [length, three // 3], heads=heads, mask=mask)

    def mean_square(self, a, b):
        return self.add_operation("mean_square", [a, b], [self.shapes[a][0]])

    def lstm(self, x, hidden):
        """[steps, 1, features] -> the last state [1, hidden]."""
        features = self.shapes[x][2]
        return self.add_operation("lstm", [x], [1, hidden], hidden=hidden,
                                  kernel=self.weights(features, 4 * hidden),
                                  recurrent=self.weights(hidden, 4 * hidden, fan=2 * hidden),
                                  bias=self.vector(4 * hidden))


def same_pads(extent, size, stride):
    total = max(0, (-(-extent // stride) - 1) * stride + size - extent)
    return total // 2, total - total // 2


def kws_dscnn(n):
    x = n.conv(n.input(1, 49, 10, 1), 64, (10, 4), 2, "relu")
    for _ in range(4):
        x = n.conv(n.conv(x, 0, 3, 1, "relu", True), 64, 1, 1, "relu")
    return [n.softmax(n.dense(n.mean(x), 12))]


def vww_mobilenet(n):
    x = n.conv(n.input(1, 96, 96, 3), 8, 3, 2, "relu")
    for out, stride in [(16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2)] + \
            [(128, 1)] * 5 + [(256, 2), (256, 1)]:
        x = n.conv(n.conv(x, 0, 3, stride, "relu", True), out, 1, 1, "relu")
    return [n.softmax(n.dense(n.mean(x), 2))]


def ic_resnet8(n):
    x = n.conv(n.input(1, 32, 32, 3), 16, 3, 1, "relu")
    for out, stride in [(16, 1), (32, 2), (64, 2)]:
        y = n.conv(n.conv(x, out, 3, stride, "relu"), out, 3)
        x = n.add(y, x if stride == 1 else n.conv(x, out, 1, stride, bias=False), "relu")
    return [n.softmax(n.dense(n.mean(x), 10))]


def conv3x3_56x56x64(n):
    return [n.conv(n.input(1, 56, 56, 64), 64, 3, bias=False)]


def gemm(size):
    return lambda n: [n.dense(n.input(size, size), size, bias=False)]


def mlp_digits(n):
    x = n.dense(n.dense(n.input(1, 64), 128, "relu"), 64, "relu")
    return [n.dense(x, 10)]


def ad_autoencoder(n):
    first = x = n.input(1, 640)
    for size in (128, 128, 128, 128, 8, 128, 128, 128, 128):
        x = n.dense(x, size, "relu")
    x = n.dense(x, 640)
    return [x, n.mean_square(x, first)]


def lstm_scan(n):
    h = n.lstm(n.input(49, 1, 10), 64)
    return [n.dense(h, 12), h]


def transformer_blocks(n, x, count, width, heads, hidden, mask):
    for _ in range(count):
        y = n.attention(n.dense(n.layer_norm(x), 3 * width), heads, mask)
        x = n.add(x, n.dense(y, width))
        y = n.gelu(n.dense(n.layer_norm(x), hidden))
        x = n.add(x, n.dense(y, width))
    return x


def tiny_transformer(n):
    mask = numpy.where(numpy.tril(numpy.ones((64, 64))) > 0, 0, -1e9).astype(numpy.float32)
    x = n.embed(n.input(64, tokens=64), 64, 64)
    x = transformer_blocks(n, x, 2, 64, 4, 256, mask)
    return [n.dense(n.layer_norm(x), 64, bias=False)]


def bert_mini(n):
    mask = numpy.zeros((1, 128), numpy.float32)
    mask[0, 100:] = -1e9
    x = n.layer_norm(n.embed(n.input(128, tokens=8192), 8192, 256))
    return [transformer_blocks(n, x, 4, 256, 4, 1024, mask)]


def resnet18_224(n):
    x = n.conv(n.input(1, 224, 224, 3), 64, 7, 2, "relu", pads=((3, 3), (3, 3)))
    x = n.maxpool(x, 3, 2, ((1, 1), (1, 1)))
    around = ((1, 1), (1, 1))
    for out, stride in [(64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2),
                        (512, 1)]:
        y = n.conv(n.conv(x, out, 3, stride, "relu", pads=around), out, 3, pads=around)
        x = n.add(y, x if stride == 1 else n.conv(x, out, 1, stride, pads=((0, 0), (0, 0))), "relu")
    return [n.dense(n.mean(x), 1000)]


def mobilenet_v2_224(n):
    x, channels = n.conv(n.input(1, 224, 224, 3), 32, 3, 2, "relu6"), 32
    for factor, out, count, first in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
                                      (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]:
        for turn in range(count):
            stride = first if turn == 0 else 1
            y = x if factor == 1 else n.conv(x, channels * factor, 1, 1, "relu6")
            y = n.conv(n.conv(y, 0, 3, stride, "relu6", True), out, 1)
            x = n.add(x, y) if channels == out and turn > 0 else y
            channels = out
    return [n.dense(n.mean(n.conv(x, 1280, 1, 1, "relu6")), 1000)]


NETWORKS = {
    "kws_dscnn": kws_dscnn, "vww_mobilenet": vww_mobilenet, "ic_resnet8": ic_resnet8,
    "conv3x3_56x56x64": conv3x3_56x56x64, "tiny_transformer": tiny_transformer,
    "lstm_scan": lstm_scan, "mlp_digits": mlp_digits, "ad_autoencoder": ad_autoencoder,
    "gemm_64": gemm(64), "gemm_256": gemm(256), "gemm_512": gemm(512),
    "resnet18_224": resnet18_224, "mobilenet_v2_224": mobilenet_v2_224, "bert_mini": bert_mini,
}


INT8 = "_int8"


def has(name):
    return name.removesuffix(INT8) in NETWORKS


def network(name):
    """NAME_int8 is the same network, for libraries that quantise it."""
    made = Network()
    made.is_int8 = name.endswith(INT8)
    made.outputs = NETWORKS[name.removesuffix(INT8)](made)
    return made

"""Networks of UINT8, as converters wrote them until 2019: LiteRT's reference kernels run them."""
import numpy

SAME, RELU, RELU6 = 0, 1, 3


def weights(graph, random, shape, scale, zero):
    return graph.constant("u8", random.integers(0, 255, shape, endpoint=True), scale, zero)


def convolution(graph, random, op, x, w, out, activation=RELU6, **options):
    count = w[3] if op == "DEPTHWISE_CONV_2D" else w[0]
    inputs = [graph.input("u8", x, 0.05, 121), weights(graph, random, w, 0.01, 133),
              graph.constant("s32", random.integers(-4000, 4000, count), 0.05 * 0.01)]
    options = {
        "padding": SAME, "strideW": 1, "strideH": 1, "dilationWFactor": 1, "dilationHFactor": 1
    } | options
    graph.output(
        graph.op(op, inputs, ("u8", out, 0.05, 3), fusedActivationFunction=activation, **options))


def litert_unsigned_conv(graph, random):
    convolution(graph, random, "CONV_2D", (1, 7, 6, 3), (5, 3, 3, 3), (1, 7, 6, 5))


def litert_unsigned_depthwise(graph, random):
    convolution(graph,
                random,
                "DEPTHWISE_CONV_2D", (1, 7, 6, 3), (1, 3, 3, 6), (1, 7, 6, 6),
                depthMultiplier=2,
                activation=0)


def litert_unsigned_dense(graph, random):
    inputs = [graph.input("u8", (3, 20), 0.04, 100), weights(graph, random, (7, 20), 0.01, 90),
              graph.constant("s32", random.integers(-4000, 4000, 7), 0.04 * 0.01)]
    graph.output(
        graph.op("FULLY_CONNECTED", inputs, ("u8", (3, 7), 0.2, 77), fusedActivationFunction=0))


def pool(graph, op):
    x = graph.input("u8", (1, 7, 6, 3), 0.1, 3)
    graph.output(
        graph.op(op, [x], ("u8", (1, 4, 3, 3), 0.1, 3),
                 padding=SAME,
                 strideW=2,
                 strideH=2,
                 filterWidth=3,
                 filterHeight=3,
                 fusedActivationFunction=RELU6))


def litert_unsigned_average_pool(graph, random):
    pool(graph, "AVERAGE_POOL_2D")


def litert_unsigned_max_pool(graph, random):
    pool(graph, "MAX_POOL_2D")


def binary(graph, op, **options):
    x, y = graph.input("u8", (2, 3, 5), 0.07, 130), graph.input("u8", (2, 3, 5), 0.03, 99)
    graph.output(graph.op(op, [x, y], ("u8", (2, 3, 5), 0.09, 111), **options))


def litert_unsigned_add(graph, random):
    binary(graph, "ADD", fusedActivationFunction=RELU)


def litert_unsigned_sub(graph, random):
    binary(graph, "SUB")


def litert_unsigned_mul(graph, random):
    binary(graph, "MUL")


def unary(graph, op, scale, zero, x=(0.05, 120), **options):
    graph.output(
        graph.op(op, [graph.input("u8", (4, 10), *x)], ("u8", (4, 10), scale, zero), **options))


def litert_unsigned_softmax(graph, random):
    unary(graph, "SOFTMAX", 1 / 256, 0, beta=1.0)


def litert_unsigned_logistic(graph, random):
    unary(graph, "LOGISTIC", 1 / 256, 0)


def litert_unsigned_tanh(graph, random):
    unary(graph, "TANH", 1 / 128, 128)


def litert_unsigned_relu(graph, random):
    unary(graph, "RELU6", 0.05, 120)


def litert_unsigned_requantize(graph, random):
    unary(graph, "QUANTIZE", 0.07, 20)


def litert_unsigned_moves(graph, random):
    scale = (0.1, 37)
    x, y = graph.input("u8", (1, 4, 5, 2), *scale), graph.input("u8", (1, 4, 5, 1), *scale)
    x = graph.op("CONCATENATION", [x, y], ("u8", (1, 4, 5, 3)) + scale, axis=3)
    x = graph.op(
        "PAD",
        [x, graph.constant("s32", numpy.array([[0, 0], [1, 0], [0, 2], [0, 0]], numpy.int32))],
        ("u8", (1, 5, 7, 3)) + scale)
    x = graph.op("TRANSPOSE", [x, graph.constant("s32", numpy.array([0, 3, 1, 2], numpy.int32))],
                 ("u8", (1, 3, 5, 7)) + scale)
    x = graph.op("RESHAPE", [x, graph.constant("s32", numpy.array([3, 35], numpy.int32))],
                 ("u8", (3, 35)) + scale)
    graph.output(graph.op("DEQUANTIZE", [x], ("f32", (3, 35))))


def litert_unsigned_resize(graph, random):
    inputs = [
        graph.input("u8", (1, 4, 5, 2), 0.1, 7),
        graph.constant("s32", numpy.array([7, 9], numpy.int32))
    ]
    graph.output(graph.op("RESIZE_NEAREST_NEIGHBOR", inputs, ("u8", (1, 7, 9, 2), 0.1, 7)))


def litert_unsigned_mean(graph, random):
    inputs = [
        graph.input("u8", (2, 4, 5, 3), 0.1, 130),
        graph.constant("s32", numpy.array([1, 2], numpy.int32))
    ]
    graph.output(graph.op("MEAN", inputs, ("u8", (2, 3), 0.08, 100)))

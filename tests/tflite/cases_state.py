"""What is kept from run to run, resizing, and products of two computed arrays."""
import numpy

SAME, VALID, RELU = 0, 1, 1


def svdf(graph, random, kind, state_zero=0):
    state_scale, time_scale = (0.02, 0.01) if kind == "s8" else (0.0005, 0.0001)
    limit = 127 if kind == "s8" else 2000
    inputs = [graph.input("s8", (2, 6), 0.05, 4),
              graph.constant("s8", random.integers(-127, 127, (8, 6)), 0.01),
              graph.constant(kind, random.integers(-limit, limit, (8, 3)), time_scale),
              graph.constant("s32", random.integers(-300, 300, 4), state_scale * time_scale),
              graph.tensor(kind, (2, 24), state_scale, state_zero, variable=True, name="memory")]
    graph.output(
        graph.op("SVDF", inputs, ("s8", (2, 4), 0.02, -20), rank=2, fusedActivationFunction=RELU))


def case_svdf(graph, random):
    svdf(graph, random, "s8")


def case_svdf_zero_point(graph, random):
    svdf(graph, random, "s8", -7)


def case_svdf_s16(graph, random):
    svdf(graph, random, "s16")


def case_svdf_f32(graph, random):
    inputs = [
        graph.input("f32", (2, 6)),
        graph.constant("f32", random.normal(size=(8, 6))),
        graph.constant("f32", random.normal(size=(8, 3))),
        graph.constant("f32", random.normal(size=4)),
        graph.tensor("f32", (2, 24), variable=True)
    ]
    graph.output(graph.op("SVDF", inputs, ("f32", (2, 4)), rank=2, fusedActivationFunction=RELU))


def ring(graph, random, kind, zero, initial):
    """The last three inputs, joined; a subgraph says what they begin as."""
    scale = (0.1, zero) if kind == "s8" else ()
    start = graph.model.graph("start")
    handle = start.op("VAR_HANDLE", [], ("resource", (1,)), sharedName="ring", container="")
    start.op("ASSIGN_VARIABLE", [handle, start.constant(kind, initial, *scale)])
    graph.op("CALL_ONCE", [], initSubgraphIndex=1)
    handle = graph.op("VAR_HANDLE", [], ("resource", (1,)), sharedName="ring", container="")
    before = graph.op("READ_VARIABLE", [handle], (kind, (1, 2, 4)) + scale)
    after = graph.op("CONCATENATION", [before, graph.input(kind, (1, 1, 4), *scale)],
                     (kind, (1, 3, 4)) + scale,
                     axis=1)
    begin, one = (graph.constant("s32", numpy.array(v, numpy.int32))
                  for v in ([0, 1, 0], [1, 1, 1]))
    end = graph.constant("s32", numpy.array([1, 3, 4], numpy.int32))
    graph.op(
        "ASSIGN_VARIABLE",
        [handle,
         graph.op("STRIDED_SLICE", [after, begin, end, one], (kind, (1, 2, 4)) + scale)])
    graph.output(after)


def case_variable(graph, random):
    ring(graph, random, "s8", -128, numpy.full((1, 2, 4), -128, numpy.int8))


def case_variable_f32(graph, random):
    ring(graph, random, "f32", 0, random.normal(size=(1, 2, 4)).astype(numpy.float32))


def case_variable_zeros(graph, random):
    ring(graph, random, "s8", 0, numpy.zeros((1, 2, 4), numpy.int8))


def resize(graph, op, x, size, kind="s8", **options):
    scale = (0.1, 7) if kind == "s8" else ()
    inputs = [graph.input(kind, x, *scale), graph.constant("s32", numpy.array(size, numpy.int32))]
    graph.output(graph.op(op, inputs, (kind, (x[0], *size, x[3])) + scale, **options))


def case_resize_bilinear(graph, random):
    resize(graph, "RESIZE_BILINEAR", (2, 4, 5, 2), (7, 9))


def case_resize_bilinear_corners(graph, random):
    resize(graph, "RESIZE_BILINEAR", (1, 4, 5, 2), (7, 9), alignCorners=True)


def case_resize_bilinear_half(graph, random):
    resize(graph, "RESIZE_BILINEAR", (1, 4, 5, 2), (8, 3), halfPixelCenters=True)


def case_resize_bilinear_f32(graph, random):
    resize(graph, "RESIZE_BILINEAR", (1, 4, 5, 2), (7, 9), "f32")


def case_resize_bilinear_half_f32(graph, random):
    resize(graph, "RESIZE_BILINEAR", (1, 4, 5, 2), (8, 10), "f32", halfPixelCenters=True)


def case_resize_nearest(graph, random):
    resize(graph, "RESIZE_NEAREST_NEIGHBOR", (2, 4, 5, 2), (7, 9))


def case_resize_nearest_corners(graph, random):
    resize(graph, "RESIZE_NEAREST_NEIGHBOR", (1, 4, 5, 2), (7, 9), alignCorners=True)


def case_resize_nearest_half(graph, random):
    resize(graph, "RESIZE_NEAREST_NEIGHBOR", (1, 4, 5, 2), (9, 3), "f32", halfPixelCenters=True)


def matmul(graph, x, y, out, kind="s8", **options):
    scales = ((0.05, 3), (0.02, -8), (0.1, 5)) if kind == "s8" else ((), (), ())
    inputs = [graph.input(kind, x, *scales[0]), graph.input(kind, y, *scales[1])]
    graph.output(graph.op("BATCH_MATMUL", inputs, (kind, out) + scales[2], **options))


def litert_batch_matmul(graph, random):
    matmul(graph, (2, 3, 4), (2, 4, 5), (2, 3, 5))


def litert_batch_matmul_transposed(graph, random):
    matmul(graph, (2, 4, 3), (2, 5, 4), (2, 3, 5), adjX=True, adjY=True)


def litert_batch_matmul_broadcast_f32(graph, random):
    matmul(graph, (2, 3, 4), (4, 5), (2, 3, 5), "f32")


def transposed(graph, random, kind, x, w, y, padding=SAME, stride=2, bias=None, zero=6):
    zero = zero if kind == "s8" else 0
    scales = random.uniform(0.005, 0.02, w[0])
    of_x, of_y = ((0.05, zero), (0.1, -3 if kind == "s8" else 0)) if kind != "f32" else ((), ())
    weights = graph.constant("f32", random.normal(size=w)) if kind == "f32" else \
        graph.constant("s8", random.integers(-127, 127, w), scales)
    inputs = [
        graph.constant("s32", numpy.array(y, numpy.int32)), weights,
        graph.input(kind, x, *of_x)
    ]
    if bias == "f32":
        inputs.append(graph.constant("f32", random.normal(size=w[0])))
    elif bias:
        inputs.append(graph.constant(bias, random.integers(-3000, 3000, w[0]), 0.05 * scales))
    graph.output(
        graph.op("TRANSPOSE_CONV",
                 inputs, (kind, y) + of_y,
                 padding=padding,
                 strideW=stride,
                 strideH=stride))


def case_transpose_conv(graph, random):
    transposed(graph, random, "s8", (1, 3, 4, 2), (3, 3, 3, 2), (1, 6, 8, 3), bias="s32")


def case_transpose_conv_valid(graph, random):
    transposed(graph, random, "s8", (1, 3, 4, 2), (3, 2, 3, 2), (1, 6, 9, 3), padding=VALID, zero=0)


def case_transpose_conv_s16(graph, random):
    transposed(graph, random, "s16", (1, 3, 4, 2), (3, 3, 3, 2), (1, 6, 8, 3), bias="s64")


def case_transpose_conv_f32(graph, random):
    transposed(graph, random, "f32", (1, 3, 4, 2), (3, 5, 4, 2), (1, 6, 8, 3), bias="f32")


def lstm(graph, random, kind, x, units, time_major=False, clip=0.0, cell_power=-11):
    inputs_count = x[2]
    batch = x[1] if time_major else x[0]
    is_float = kind == "f32"
    of_x = () if is_float else (0.03, 5)
    of_hidden = () if is_float else (1 / 128, -3)

    def weights(width):
        if is_float:
            return graph.constant("f32", random.normal(size=(units, width)) * 0.5)
        return graph.constant("s8", random.integers(-127, 127, (units, width)), 0.008)
    inputs = [graph.input(kind, x, *of_x)] + [weights(inputs_count) for _ in range(4)] + \
        [weights(units) for _ in range(4)] + [-1] * 3
    for _ in range(4):
        inputs.append(graph.constant("f32", random.normal(size=units)) if is_float else
                      graph.constant("s32", random.integers(-3000, 3000, units), 0.03 * 0.008))
    inputs += [-1, -1, graph.tensor(kind, (batch, units), *of_hidden, variable=True),
               graph.tensor("f32", (batch, units), variable=True) if is_float else
               graph.tensor("s16", (batch, units), 2.0 ** cell_power, 0, variable=True)] + [-1] * 4
    graph.output(
        graph.op("UNIDIRECTIONAL_SEQUENCE_LSTM",
                 inputs, (kind, x[:2] + (units, )) + of_hidden,
                 timeMajor=time_major,
                 cellClip=clip,
                 fusedActivationFunction=4))


def case_lstm_f32(graph, random):
    lstm(graph, random, "f32", (2, 5, 3), 4)


def case_lstm_time_major_f32(graph, random):
    lstm(graph, random, "f32", (5, 2, 3), 4, True, 0.7)


def case_lstm(graph, random):
    lstm(graph, random, "s8", (2, 5, 3), 4)


def case_lstm_clip(graph, random):
    lstm(graph, random, "s8", (4, 1, 6), 7, True, 0.9, -14)

"""Convolutions, matrix products and pools."""
import numpy

SAME, VALID = 0, 1
NONE, RELU, RELU_N1_TO_1, RELU6 = 0, 1, 2, 3


def weights(random, shape):
    return random.integers(-127, 127, shape, endpoint=True)


def convolution(graph,
                random,
                x,
                w,
                out,
                kind="s8",
                zero=7,
                channels=0,
                bias="s32",
                scales=None,
                op="CONV_2D",
                activation=NONE,
                out_scale=0.06,
                **options):
    """Weights `w` of rows, columns and the rest as the operator has them."""
    count = w[channels]
    scales = random.uniform(0.002, 0.02, count) if scales is None else scales
    zero, out_zero = (0, 0) if kind == "s16" else (zero, -5)
    inputs = [
        graph.input(kind, x, 0.05, zero),
        graph.constant("s8",
                       weights(random, w),
                       scales,
                       dimension=channels if len(scales) > 1 else 0)
    ]
    if bias:
        inputs.append(graph.constant(bias, random.integers(-4000, 4000, count),
                                     0.05 * numpy.asarray(scales, numpy.float64)))
    options = {
        "padding": SAME, "strideW": 1, "strideH": 1, "dilationWFactor": 1, "dilationHFactor": 1
    } | options
    graph.output(
        graph.op(op,
                 inputs, (kind, out, out_scale, out_zero),
                 fusedActivationFunction=activation,
                 **options))


def case_conv_same(graph, random):
    convolution(graph, random, (1, 7, 6, 3), (5, 3, 3, 3), (1, 7, 6, 5))


def case_conv_stride(graph, random):
    convolution(graph,
                random, (1, 9, 8, 2), (4, 3, 2, 2), (1, 5, 4, 4),
                strideW=2,
                strideH=2,
                activation=RELU)


def case_conv_valid_dilated(graph, random):
    convolution(graph,
                random, (1, 9, 9, 2), (3, 3, 2, 2), (1, 5, 6, 3),
                padding=VALID,
                dilationHFactor=2,
                dilationWFactor=3,
                activation=RELU6,
                out_scale=0.03)


def case_conv_one_scale(graph, random):
    convolution(graph, random, (1, 5, 5, 4), (3, 1, 1, 4), (1, 5, 5, 3), scales=[0.01], bias=None)


def case_conv_relu_n1(graph, random):
    convolution(graph,
                random, (1, 5, 5, 4), (3, 1, 1, 4), (1, 5, 5, 3),
                activation=RELU_N1_TO_1,
                out_scale=0.01)


def case_conv_groups(graph, random):
    convolution(graph, random, (1, 5, 5, 6), (4, 3, 3, 3), (1, 5, 5, 4), padding=SAME)


def case_conv_left_shift(graph, random):
    convolution(graph,
                random, (2, 4, 4, 1), (3, 2, 2, 1), (2, 4, 4, 3),
                scales=[3.1, 0.7, 1e-12],
                out_scale=0.2)


def case_conv_s16(graph, random):
    convolution(graph,
                random, (1, 6, 5, 3), (4, 3, 3, 3), (1, 6, 5, 4),
                kind="s16",
                bias="s64",
                out_scale=0.9)


def case_conv_s16_bias32(graph, random):
    convolution(graph,
                random, (1, 6, 5, 3), (4, 3, 3, 3), (1, 6, 5, 4),
                kind="s16",
                bias="s32",
                out_scale=0.9)


def case_conv_s16_no_bias(graph, random):
    convolution(graph,
                random, (1, 6, 5, 3), (4, 3, 3, 3), (1, 6, 5, 4),
                kind="s16",
                bias=None,
                out_scale=0.9)


def float_convolution(graph, random, op, x, w, out, **options):
    channels = w[3] if op == "DEPTHWISE_CONV_2D" else w[0]
    inputs = [graph.input("f32", x), graph.constant("f32", random.normal(size=w)),
              graph.constant("f32", random.normal(size=channels))]
    options = {
        "padding": SAME, "strideW": 1, "strideH": 1, "dilationWFactor": 1, "dilationHFactor": 1
    } | options
    graph.output(graph.op(op, inputs, ("f32", out), **options))


def case_conv_f32(graph, random):
    float_convolution(graph,
                      random,
                      "CONV_2D", (1, 6, 7, 3), (4, 3, 2, 3), (1, 3, 4, 4),
                      strideW=2,
                      strideH=2,
                      fusedActivationFunction=RELU6)


def case_depthwise_f32(graph, random):
    float_convolution(graph,
                      random,
                      "DEPTHWISE_CONV_2D", (1, 6, 7, 3), (1, 3, 2, 6), (1, 6, 7, 6),
                      depthMultiplier=2,
                      fusedActivationFunction=RELU)


def depthwise(graph, random, *shapes, multiplier=1, **more):
    convolution(graph,
                random,
                *shapes,
                op="DEPTHWISE_CONV_2D",
                channels=3,
                depthMultiplier=multiplier,
                **more)


def case_depthwise_same(graph, random):
    depthwise(graph, random, (1, 7, 6, 5), (1, 3, 3, 5), (1, 7, 6, 5), zero=-128, activation=RELU)


def case_depthwise_multiplier(graph, random):
    depthwise(graph,
              random, (1, 7, 6, 2), (1, 3, 3, 6), (1, 4, 3, 6),
              multiplier=3,
              strideW=2,
              strideH=2)


def case_depthwise_valid_dilated(graph, random):
    depthwise(graph,
              random, (1, 8, 8, 3), (1, 3, 3, 3), (1, 4, 4, 3),
              padding=VALID,
              dilationHFactor=2,
              dilationWFactor=2)


def case_depthwise_s16(graph, random):
    depthwise(graph,
              random, (1, 7, 6, 3), (1, 3, 3, 3), (1, 7, 6, 3),
              kind="s16",
              bias="s64",
              out_scale=0.5)


def dense(graph,
          random,
          x,
          w,
          out,
          kind="s8",
          bias="s32",
          scales=(0.01, ),
          activation=NONE,
          out_scale=0.2,
          **options):
    out_zero = 0 if kind == "s16" else 12
    inputs = [graph.input(kind, x, 0.04, 0 if kind == "s16" else -9),
              graph.constant("s8", weights(random, w), scales)]
    if bias:
        inputs.append(
            graph.constant(bias, random.integers(-4000, 4000, w[0]), 0.04 * numpy.asarray(scales)))
    graph.output(graph.op("FULLY_CONNECTED", inputs, (kind, out, out_scale, out_zero),
                          fusedActivationFunction=activation, **options))


def case_dense(graph, random):
    dense(graph, random, (3, 20), (7, 20), (3, 7))


def case_dense_relu_no_bias(graph, random):
    dense(graph, random, (1, 33), (10, 33), (1, 10), bias=None, activation=RELU)


def case_dense_keeps_dimensions(graph, random):
    dense(graph, random, (2, 3, 8), (5, 8), (2, 3, 5), keepNumDims=True)


def case_dense_flattens(graph, random):
    dense(graph, random, (2, 3, 4), (5, 12), (2, 5))


def case_dense_by_channel(graph, random):
    dense(graph, random, (2, 12), (5, 12), (2, 5), scales=tuple(random.uniform(0.002, 0.02, 5)))


def case_dense_s16(graph, random):
    dense(graph, random, (2, 12), (5, 12), (2, 5), kind="s16", bias="s64", out_scale=0.5)


def case_dense_f32(graph, random):
    inputs = [graph.input("f32", (2, 9)), graph.constant("f32", random.normal(size=(4, 9))),
              graph.constant("f32", random.normal(size=4))]
    graph.output(graph.op("FULLY_CONNECTED", inputs, ("f32", (2, 4)), fusedActivationFunction=RELU))


def pool(graph, op, kind, x, out, scale=0.1, zero=3, **options):
    options = {"padding": SAME, "strideW": 2, "strideH": 2, "filterWidth": 3, "filterHeight": 3
               } | options
    scale, zero = (None, 0) if kind == "f32" else (scale, 0 if kind == "s16" else zero)
    graph.output(
        graph.op(op, [graph.input(kind, x, scale, zero)], (kind, out, scale, zero), **options))


def case_average_pool(graph, random):
    pool(graph, "AVERAGE_POOL_2D", "s8", (1, 7, 6, 3), (1, 4, 3, 3))


def case_average_pool_valid(graph, random):
    pool(graph,
         "AVERAGE_POOL_2D",
         "s8", (1, 7, 6, 3), (1, 3, 2, 3),
         padding=VALID,
         fusedActivationFunction=RELU)


def case_average_pool_s16(graph, random):
    pool(graph, "AVERAGE_POOL_2D", "s16", (1, 7, 6, 3), (1, 4, 3, 3))


def case_average_pool_f32(graph, random):
    pool(graph, "AVERAGE_POOL_2D", "f32", (1, 7, 6, 3), (1, 4, 3, 3), fusedActivationFunction=RELU6)


def case_max_pool(graph, random):
    pool(graph,
         "MAX_POOL_2D",
         "s8", (1, 7, 6, 3), (1, 4, 3, 3),
         fusedActivationFunction=RELU6,
         scale=0.05)


def case_max_pool_s16(graph, random):
    pool(graph, "MAX_POOL_2D", "s16", (1, 7, 6, 3), (1, 4, 3, 3))


def case_max_pool_f32(graph, random):
    pool(graph, "MAX_POOL_2D", "f32", (1, 7, 6, 3), (1, 3, 2, 3), padding=VALID)

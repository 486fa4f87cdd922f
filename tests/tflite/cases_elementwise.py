"""Functions of one array and of two."""
import numpy

NONE, RELU, RELU_N1_TO_1, RELU6 = 0, 1, 2, 3
X = (2, 3, 5)


def unary(graph, op, x=("s8", X, 0.07, 11), y=("s8", X, 0.05, -20), **options):
    graph.output(graph.op(op, [graph.input(*x)], y, **options))


def of_floats(graph, op, low=-4, high=4, **options):
    unary(graph, op, ("f32", X), ("f32", X), **options)
    return {0: (low, high)}


def case_relu(graph, random):
    unary(graph, "RELU")


def case_relu_f32(graph, random):
    of_floats(graph, "RELU")


def case_relu6(graph, random):
    unary(graph, "RELU6", y=("s8", X, 0.07, 11))


def case_relu6_f32(graph, random):
    return of_floats(graph, "RELU6", high=9)


def case_leaky_relu(graph, random):
    unary(graph, "LEAKY_RELU", alpha=0.3)


def case_leaky_relu_s16(graph, random):
    unary(graph, "LEAKY_RELU", ("s16", X, 0.07), ("s16", X, 0.05), alpha=-0.2)


def case_leaky_relu_f32(graph, random):
    of_floats(graph, "LEAKY_RELU", alpha=0.3)


def case_prelu(graph, random):
    alpha = graph.constant("s8", random.integers(-128, 127, (1, 1, 5)), 0.01, 3)
    graph.output(graph.op("PRELU", [graph.input("s8", X, 0.07, 11), alpha], ("s8", X, 0.05, -20)))


def case_prelu_f32(graph, random):
    alpha = graph.constant("f32", random.normal(size=(1, 1, 5)))
    graph.output(graph.op("PRELU", [graph.input("f32", X), alpha], ("f32", X)))


def bytes_of_all(graph, op, scale, zero, y, **options):
    """All 256 bytes, twice."""
    x = graph.input("s8", (16, 16), scale, zero)
    graph.output(graph.op(op, [x], ("s8", (16, 16)) + y, **options))


def case_logistic(graph, random):
    bytes_of_all(graph, "LOGISTIC", 0.043, -7, (1 / 256, -128))


def case_logistic_wide(graph, random):
    bytes_of_all(graph, "LOGISTIC", 0.3, 20, (1 / 256, -128))


def case_logistic_f32(graph, random):
    return of_floats(graph, "LOGISTIC", -9, 9)


def case_logistic_s16(graph, random):
    unary(graph, "LOGISTIC", ("s16", (300,), 1 / 4096), ("s16", (300,), 1 / 32768))


def case_logistic_s16_any_scale(graph, random):
    unary(graph, "LOGISTIC", ("s16", (300,), 0.0007), ("s16", (300,), 1 / 32768))


def case_tanh(graph, random):
    bytes_of_all(graph, "TANH", 0.031, 9, (1 / 128, 0))


def case_tanh_wide(graph, random):
    bytes_of_all(graph, "TANH", 0.5, -3, (1 / 128, 0))


def case_tanh_f32(graph, random):
    of_floats(graph, "TANH")


def case_tanh_s16(graph, random):
    unary(graph, "TANH", ("s16", (300,), 1 / 4096), ("s16", (300,), 1 / 32768))


def case_tanh_s16_half(graph, random):
    unary(graph, "TANH", ("s16", (300,), 1 / 2048), ("s16", (300,), 1 / 32768))


def case_tanh_s16_any_scale(graph, random):
    unary(graph, "TANH", ("s16", (300,), 0.0007), ("s16", (300,), 1 / 32768))


def case_hard_swish(graph, random):
    bytes_of_all(graph, "HARD_SWISH", 0.06, -5, (0.04, -100))


def case_hard_swish_small(graph, random):
    bytes_of_all(graph, "HARD_SWISH", 0.01, 30, (0.01, 10))


def case_hard_swish_f32(graph, random):
    of_floats(graph, "HARD_SWISH")


def case_elu(graph, random):
    bytes_of_all(graph, "ELU", 0.05, 10, (0.04, -90))


def case_elu_f32(graph, random):
    of_floats(graph, "ELU")


def case_exp_f32(graph, random):
    of_floats(graph, "EXP")


def case_log_f32(graph, random):
    return of_floats(graph, "LOG", 0.01, 9)


def case_sqrt_f32(graph, random):
    return of_floats(graph, "SQRT", 0, 9)


def case_rsqrt_f32(graph, random):
    return of_floats(graph, "RSQRT", 0.01, 9)


def case_rsqrt(graph, random):
    bytes_of_all(graph, "RSQRT", 0.05, -128, (0.02, -120))


def case_sin_f32(graph, random):
    of_floats(graph, "SIN")


def case_cos_f32(graph, random):
    of_floats(graph, "COS")


def case_floor_f32(graph, random):
    of_floats(graph, "FLOOR")


def case_ceil_f32(graph, random):
    of_floats(graph, "CEIL")


def case_round_f32(graph, random):
    values = graph.constant("f32", numpy.arange(-3, 4.5, 0.5))
    x = graph.op("ADD", [graph.input("f32", (1,)), values], ("f32", (15,)))
    graph.output(graph.op("ROUND", [x], ("f32", (15,))))
    return {0: (0, 0)}


def case_neg_f32(graph, random):
    of_floats(graph, "NEG")


def case_square_f32(graph, random):
    of_floats(graph, "SQUARE")


def case_abs_f32(graph, random):
    of_floats(graph, "ABS")


def case_abs(graph, random):
    unary(graph, "ABS")


def case_abs_same(graph, random):
    unary(graph, "ABS", y=("s8", X, 0.07, -4))


def case_abs_s16(graph, random):
    unary(graph, "ABS", ("s16", X, 0.07), ("s16", X, 0.05))


def litert_gelu(graph, random):
    of_floats(graph, "GELU")


def litert_gelu_approximate(graph, random):
    of_floats(graph, "GELU", approximate=True)


def litert_sign(graph, random):
    of_floats(graph, "SIGN")


def litert_relu_n1_to_1(graph, random):
    of_floats(graph, "RELU_N1_TO_1")


def litert_relu_0_to_1(graph, random):
    of_floats(graph, "RELU_0_TO_1")


def case_logical_not(graph, random):
    unary(graph, "LOGICAL_NOT", ("pred", X), ("pred", X))


def case_quantize(graph, random):
    unary(graph, "QUANTIZE", ("f32", X), ("s8", X, 0.02, 9))


def case_quantize_s16(graph, random):
    unary(graph, "QUANTIZE", ("f32", X), ("s16", X, 0.0002))


def case_requantize(graph, random):
    unary(graph, "QUANTIZE")


def case_requantize_same(graph, random):
    unary(graph, "QUANTIZE", y=("s8", X, 0.07, -4))


def case_requantize_to_s16(graph, random):
    unary(graph, "QUANTIZE", y=("s16", X, 0.0011))


def case_requantize_from_s16(graph, random):
    unary(graph, "QUANTIZE", ("s16", X, 0.0011), ("s8", X, 0.11, 5))


def case_requantize_to_u8(graph, random):
    unary(graph, "QUANTIZE", y=("u8", X, 0.06, 120))


def case_requantize_from_u8(graph, random):
    unary(graph, "QUANTIZE", ("u8", X, 0.06, 120), ("s8", X, 0.06, -8))


def case_requantize_to_s32(graph, random):
    unary(graph, "QUANTIZE", y=("s32", X, 0.001))


def case_dequantize(graph, random):
    unary(graph, "DEQUANTIZE", y=("f32", X))


def case_dequantize_s16(graph, random):
    unary(graph, "DEQUANTIZE", ("s16", X, 0.0013), ("f32", X))


def case_cast_to_f32(graph, random):
    unary(graph, "CAST", ("s32", X), ("f32", X))


def case_cast_to_s32(graph, random):
    unary(graph, "CAST", ("f32", X), ("s32", X))


def case_cast_s8_to_f32(graph, random):
    unary(graph, "CAST", ("s8", X), ("f32", X))


def binary(graph, op, a=("s8", X, 0.07, 11), b=("s8", X, 0.03, -6), y=("s8", X, 0.08, 2),
           **options):
    graph.output(graph.op(op, [graph.input(*a), graph.input(*b)], y, **options))


def two_floats(graph, op, b=X, result="f32", **options):
    binary(graph, op, ("f32", X), ("f32", b), (result, X), **options)


def case_add(graph, random):
    binary(graph, "ADD")


def case_add_relu(graph, random):
    binary(graph, "ADD", fusedActivationFunction=RELU)


def case_add_broadcast(graph, random):
    binary(graph, "ADD", b=("s8", (5,), 0.03, -6), fusedActivationFunction=RELU6)


def case_add_s16(graph, random):
    binary(graph, "ADD", ("s16", X, 0.0007), ("s16", X, 0.0003), ("s16", X, 0.0008))


def case_add_s32(graph, random):
    binary(graph, "ADD", ("s32", X), ("s32", X), ("s32", X))


def case_add_f32(graph, random):
    two_floats(graph, "ADD", (1, 3, 1), fusedActivationFunction=RELU6)


def case_add_constant(graph, random):
    other = graph.constant("s8", random.integers(-128, 127, X), 0.02, 5)
    graph.output(graph.op("ADD", [graph.input("s8", X, 0.07, 11), other], ("s8", X, 0.08, 2)))


def case_sub(graph, random):
    binary(graph, "SUB")


def case_sub_s16(graph, random):
    binary(graph, "SUB", ("s16", X, 0.0007), ("s16", X, 0.0003), ("s16", X, 0.0008))


def case_sub_f32(graph, random):
    two_floats(graph, "SUB")


def case_mul(graph, random):
    binary(graph, "MUL", y=("s8", X, 0.11, -9))


def case_mul_relu_broadcast(graph, random):
    binary(graph,
           "MUL",
           b=("s8", (3, 1), 0.03, -6),
           y=("s8", X, 0.11, -9),
           fusedActivationFunction=RELU)


def case_mul_s16(graph, random):
    binary(graph, "MUL", ("s16", X, 0.0007), ("s16", X, 0.0003), ("s16", X, 0.004))


def case_mul_s32(graph, random):
    binary(graph, "MUL", ("s32", X), ("s32", X), ("s32", X))


def case_mul_f32(graph, random):
    two_floats(graph, "MUL", (5,), fusedActivationFunction=RELU_N1_TO_1)


def case_div_f32(graph, random):
    two_floats(graph, "DIV")
    return {1: (0.5, 3)}


def case_maximum(graph, random):
    binary(graph, "MAXIMUM", b=("s8", X, 0.07, 11), y=("s8", X, 0.07, 11))


def case_maximum_f32(graph, random):
    two_floats(graph, "MAXIMUM", (5,))


def case_minimum(graph, random):
    binary(graph, "MINIMUM", b=("s8", (5,), 0.07, 11), y=("s8", X, 0.07, 11))


def case_minimum_f32(graph, random):
    two_floats(graph, "MINIMUM")


def case_squared_difference(graph, random):
    binary(graph, "SQUARED_DIFFERENCE", y=("s8", X, 0.3, -128))


def case_squared_difference_s16(graph, random):
    binary(graph, "SQUARED_DIFFERENCE", ("s16", X, 0.0007), ("s16", X, 0.0003), ("s16", X, 0.05))


def case_squared_difference_f32(graph, random):
    two_floats(graph, "SQUARED_DIFFERENCE", (3, 1))


def case_floor_div_f32(graph, random):
    two_floats(graph, "FLOOR_DIV")
    return {0: (-50, 50), 1: (1.5, 3)}


def case_floor_mod_f32(graph, random):
    two_floats(graph, "FLOOR_MOD")
    return {0: (-50, 50), 1: (-3, -1.5)}


def litert_floor_div_s32(graph, random):
    binary(graph, "FLOOR_DIV", ("s32", X), ("s32", X), ("s32", X))
    return {1: (-9, -1)}


def litert_floor_mod_s32(graph, random):
    binary(graph, "FLOOR_MOD", ("s32", X), ("s32", X), ("s32", X))
    return {1: (-9, -1)}


def litert_pow(graph, random):
    two_floats(graph, "POW")
    return {0: (0.1, 3)}


def litert_atan2(graph, random):
    two_floats(graph, "ATAN2")


def comparison(name):
    def of_bytes(graph, random):
        binary(graph, name, ("s8", (40,), 0.07, 11), ("s8", (40,), 0.06, 8), ("pred", (40,)))
        return {0: (-30, 30), 1: (-30, 30)}

    def of_reals(graph, random):
        two_floats(graph, name, result="pred")

    def of_words(graph, random):
        binary(graph, name, ("s32", X), ("s32", (5,)), ("pred", X))
        return {0: (-3, 3), 1: (-3, 3)}
    return of_bytes, of_reals, of_words


case_equal, case_equal_f32, case_equal_s32 = comparison("EQUAL")
case_not_equal, case_not_equal_f32, case_not_equal_s32 = comparison("NOT_EQUAL")
case_greater, case_greater_f32, case_greater_s32 = comparison("GREATER")
case_greater_equal, case_greater_equal_f32, case_greater_equal_s32 = comparison("GREATER_EQUAL")
case_less, case_less_f32, case_less_s32 = comparison("LESS")
case_less_equal, case_less_equal_f32, case_less_equal_s32 = comparison("LESS_EQUAL")


def case_logical_and(graph, random):
    binary(graph, "LOGICAL_AND", ("pred", X), ("pred", X), ("pred", X))


def case_logical_or(graph, random):
    binary(graph, "LOGICAL_OR", ("pred", X), ("pred", X), ("pred", X))


def case_add_n_f32(graph, random):
    inputs = [graph.input("f32", X) for _ in range(3)]
    graph.output(graph.op("ADD_N", inputs, ("f32", X)))


def case_softmax(graph, random):
    unary(graph, "SOFTMAX", ("s8", (7, 10), 0.1, 5), ("s8", (7, 10), 1 / 256, -128), beta=1.0)


def case_softmax_beta(graph, random):
    unary(graph, "SOFTMAX", ("s8", (3, 40), 0.02, 5), ("s8", (3, 40), 1 / 256, -128), beta=0.7)


def case_softmax_to_s16(graph, random):
    unary(graph, "SOFTMAX", ("s8", (7, 10), 0.1, 5), ("s16", (7, 10), 1 / 65536, -32768), beta=1.0)


def case_softmax_s16(graph, random):
    unary(graph, "SOFTMAX", ("s16", (7, 10), 0.0005), ("s16", (7, 10), 1 / 32768), beta=1.0)


def case_softmax_f32(graph, random):
    of_floats(graph, "SOFTMAX", beta=1.5)


def case_log_softmax_f32(graph, random):
    of_floats(graph, "LOG_SOFTMAX")



def case_l2_normalization_f32(graph, random):
    of_floats(graph, "L2_NORMALIZATION")

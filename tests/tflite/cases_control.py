"""Branches and loops, weights of four bits, and what else is small."""
import numpy

from cases_windows import NONE, RELU, SAME, VALID, pool


def case_if(graph, random):
    then, other = graph.model.graph("then"), graph.model.graph("else")
    for branch, op in ((then, "ADD"), (other, "SUB")):
        pair = [branch.input("f32", (2, 3)), branch.input("f32", (2, 3))]
        branch.output(branch.op(op, pair, ("f32", (2, 3))))
    inputs = [graph.input("pred", (1,)), graph.input("f32", (2, 3)), graph.input("f32", (2, 3))]
    graph.output(graph.op("IF", inputs, ("f32", (2, 3)), thenSubgraphIndex=1, elseSubgraphIndex=2))


def case_while(graph, random):
    """Doubles until the counter is 5."""
    condition, body = graph.model.graph("condition"), graph.model.graph("body")
    count, _ = condition.input("s32", (1,)), condition.input("f32", (3,))
    condition.output(condition.op("LESS", [count, condition.constant("s32", [5])], ("pred", (1,))))
    count, value = body.input("s32", (1,)), body.input("f32", (3,))
    body.output(body.op("ADD", [count, body.constant("s32", [1])], ("s32", (1,))),
                body.op("ADD", [value, value], ("f32", (3,))))
    out = [graph.tensor("s32", (1,)), graph.tensor("f32", (3,))]
    graph.op("WHILE", [graph.input("s32",
                                   (1, )), graph.input("f32", (3, ))],
             *out,
             condSubgraphIndex=1,
             bodySubgraphIndex=2)
    graph.output(*out)
    return {0: (0, 6)}


def narrow(graph, random, op, x, w, y, channels, **options):
    count = w[channels]
    inputs = [
        graph.input("s8", x, 0.05, 7),
        graph.constant("s4",
                       random.integers(-7, 7, w),
                       random.uniform(0.02, 0.2, count),
                       dimension=channels),
        graph.constant("s32", random.integers(-400, 400, count), 0.005)
    ]
    graph.output(graph.op(op, inputs, ("s8", y, 0.06, -5), fusedActivationFunction=NONE, **options))


def case_conv_s4(graph, random):
    narrow(graph,
           random,
           "CONV_2D", (1, 5, 4, 3), (5, 3, 3, 3), (1, 5, 4, 5),
           0,
           padding=SAME,
           strideW=1,
           strideH=1,
           dilationWFactor=1,
           dilationHFactor=1)


def case_depthwise_s4(graph, random):
    narrow(graph,
           random,
           "DEPTHWISE_CONV_2D", (1, 5, 4, 5), (1, 3, 3, 5), (1, 5, 4, 5),
           3,
           padding=SAME,
           strideW=1,
           strideH=1,
           dilationWFactor=1,
           dilationHFactor=1,
           depthMultiplier=1)


def case_dense_s4(graph, random):
    inputs = [
        graph.input("s8", (2, 9), 0.05, 7),
        graph.constant("s4", random.integers(-7, 7, (5, 9)), 0.1),
        graph.constant("s32", random.integers(-400, 400, 5), 0.005)
    ]
    graph.output(graph.op("FULLY_CONNECTED", inputs, ("s8", (2, 5), 0.06, -5)))


def case_l2_pool(graph, random):
    pool(graph, "L2_POOL_2D", "f32", (1, 7, 6, 3), (1, 4, 3, 3), fusedActivationFunction=RELU)


def case_l2_pool_valid(graph, random):
    pool(graph, "L2_POOL_2D", "f32", (1, 7, 6, 3), (1, 3, 2, 3), padding=VALID)


def litert_select(graph, random):
    inputs = [graph.input("pred", (3, 4)), graph.input("f32", (3, 4)), graph.input("f32", (3, 4))]
    graph.output(graph.op("SELECT", inputs, ("f32", (3, 4))))


def case_outputs(graph, random):
    x = graph.input("s8", (2, 3), 0.1, 7)
    graph.output(x, graph.constant("s8", numpy.arange(4), 0.1, 7),
                 graph.op("RELU", [x], ("s8", (2, 3), 0.1, 7)))

"""Operators that move elements, and reductions."""
import numpy

X = (2, 3, 4, 5)
S8 = (0.1, 7)


def moved(graph, op, y, *constants, x=X, kind="s8", **options):
    scale = S8 if kind == "s8" else ()
    inputs = [graph.input(kind, x, *scale)
              ] + [graph.constant("s32", numpy.array(one, numpy.int32)) for one in constants]
    graph.output(graph.op(op, inputs, (kind, y) + scale, **options))


def case_reshape(graph, random):
    moved(graph, "RESHAPE", (6, 20), [6, -1])


def case_reshape_by_option(graph, random):
    moved(graph, "RESHAPE", (6, 20), newShape=[-1, 20])


def case_reshape_by_result(graph, random):
    moved(graph, "RESHAPE", (2, 60))


def case_squeeze(graph, random):
    moved(graph, "SQUEEZE", (3, 4), x=(1, 3, 1, 4))


def case_squeeze_some(graph, random):
    moved(graph, "SQUEEZE", (3, 1, 4), x=(1, 3, 1, 4), squeezeDims=[-4])


def case_expand_dims(graph, random):
    moved(graph, "EXPAND_DIMS", (2, 3, 4, 5, 1), [-1])


def case_transpose(graph, random):
    moved(graph, "TRANSPOSE", (4, 2, 5, 3), [2, 0, 3, 1])


def case_pad(graph, random):
    moved(graph, "PAD", (2, 6, 4, 6), [[0, 0], [1, 2], [0, 0], [0, 1]])


def case_pad_f32(graph, random):
    moved(graph, "PAD", (2, 6, 4, 6), [[0, 0], [1, 2], [0, 0], [0, 1]], kind="f32")


def case_padv2(graph, random):
    inputs = [graph.input("s8", X, *S8), graph.constant("s32", [[0, 0], [1, 2], [0, 0], [0, 1]]),
              graph.constant("s8", [-3], *S8)]
    graph.output(graph.op("PADV2", inputs, ("s8", (2, 6, 4, 6)) + S8))


def case_mirror_pad_reflect(graph, random):
    moved(graph, "MIRROR_PAD", (2, 6, 4, 7), [[0, 0], [1, 2], [0, 0], [2, 0]], mode=0)


def case_mirror_pad_symmetric(graph, random):
    moved(graph, "MIRROR_PAD", (2, 6, 4, 7), [[0, 0], [1, 2], [0, 0], [2, 0]], mode=1)


def case_strided_slice(graph, random):
    moved(graph,
          "STRIDED_SLICE", (2, 2, 2, 3), [0, 0, 1, -1], [2, 3, 4, -6], [1, 2, 2, -2],
          endMask=8)


def case_strided_slice_shrinks(graph, random):
    moved(graph,
          "STRIDED_SLICE", (2, 4), [0, -1, 0, 2], [2, 0, 0, 3], [1, 1, 1, 1],
          shrinkAxisMask=10,
          endMask=4,
          beginMask=1)


def case_strided_slice_clamps(graph, random):
    moved(graph, "STRIDED_SLICE", (2, 3, 2, 5), [-9, 0, 2, 0], [9, 9, 99, 5], [1, 1, 1, 1])


def case_slice(graph, random):
    moved(graph, "SLICE", (1, 2, 4, 3), [1, 0, 0, 2], [1, 2, -1, 3])


def case_split(graph, random):
    axis = graph.constant("s32", numpy.array([2], numpy.int32))
    outputs = [("s8", (2, 3, 2, 5)) + S8 for _ in range(2)]
    made = [graph.tensor(*one) for one in outputs]
    graph.op("SPLIT", [axis, graph.input("s8", X, *S8)], *made, numSplits=2)
    graph.output(*made)


def case_split_v(graph, random):
    made = [graph.tensor("s8", (2, 3, n, 5), *S8) for n in (1, 3)]
    inputs = [graph.input("s8", X, *S8), graph.constant("s32", numpy.array([1, 3], numpy.int32)),
              graph.constant("s32", numpy.array([2], numpy.int32))]
    graph.op("SPLIT_V", inputs, *made, numSplits=2)
    graph.output(*made)


def case_concatenation(graph, random):
    inputs = [graph.input("s8", X, *S8), graph.input("s8", (2, 1, 4, 5), *S8)]
    graph.output(graph.op("CONCATENATION", inputs, ("s8", (2, 4, 4, 5)) + S8, axis=-3))


def case_concatenation_f32(graph, random):
    inputs = [
        graph.input("f32", (2, 3)),
        graph.input("f32", (1, 3)),
        graph.constant("f32", random.normal(size=(1, 3)))
    ]
    graph.output(graph.op("CONCATENATION", inputs, ("f32", (4, 3)), axis=0))


def case_pack(graph, random):
    inputs = [graph.input("s8", (3, 4), *S8) for _ in range(3)]
    graph.output(graph.op("PACK", inputs, ("s8", (3, 3, 4)) + S8, valuesCount=3, axis=1))


def case_unpack(graph, random):
    made = [graph.tensor("f32", (2, 4)) for _ in range(3)]
    graph.op("UNPACK", [graph.input("f32", (2, 3, 4))], *made, num=3, axis=1)
    graph.output(*made)


def case_gather(graph, random):
    moved(graph, "GATHER", (2, 2, 2, 4, 5), [[2, 0], [1, 2]], axis=1)


def case_gather_computed(graph, random):
    inputs = [graph.input("f32", (5, 3)), graph.input("s32", (4,))]
    graph.output(graph.op("GATHER", inputs, ("f32", (4, 3)), axis=0))
    return {1: (0, 4)}


def case_gather_nd(graph, random):
    moved(graph, "GATHER_ND", (3, 4, 5), [[0, 1], [1, 2], [1, 0]])


def case_broadcast_to(graph, random):
    moved(graph, "BROADCAST_TO", (2, 3, 4), [2, 3, 4], x=(3, 1))


def case_fill(graph, random):
    value = graph.input("f32", ())
    graph.output(
        graph.op("FILL", [graph.constant("s32", numpy.array([2, 3], numpy.int32)), value],
                 ("f32", (2, 3))))


def case_zeros_like(graph, random):
    moved(graph, "ZEROS_LIKE", X, kind="f32")


def case_shape_reshapes(graph, random):
    x = graph.input("s8", X, *S8)
    shape = graph.op("SHAPE", [x], ("s32", (4,)))
    one = graph.constant("s32", numpy.array([1], numpy.int32))
    first = graph.op("STRIDED_SLICE",
                     [shape, graph.constant("s32", numpy.array([0], numpy.int32)), one, one],
                     ("s32", ()),
                     shrinkAxisMask=1)
    packed = graph.op("PACK", [first, graph.constant("s32", numpy.array(60, numpy.int32))],
                      ("s32", (2, )),
                      valuesCount=2,
                      axis=0)
    graph.output(graph.op("RESHAPE", [x, packed], ("s8", (2, 60)) + S8), shape)


def case_broadcast_args(graph, random):
    a, b = (graph.constant("s32", numpy.array(one, numpy.int32)) for one in ([2, 1, 4], [3, 1]))
    shape = graph.op("BROADCAST_ARGS", [a, b], ("s32", (3,)))
    graph.output(shape, graph.op("NEG", [graph.input("f32", (2,))], ("f32", (2,))))


def case_select_v2(graph, random):
    inputs = [
        graph.input("pred", (3, 1)),
        graph.input("s8", (3, 4), *S8),
        graph.input("s8", (3, 4), *S8)
    ]
    graph.output(graph.op("SELECT_V2", inputs, ("s8", (3, 4)) + S8))


def case_depth_to_space(graph, random):
    moved(graph, "DEPTH_TO_SPACE", (1, 4, 6, 2), x=(1, 2, 3, 8), blockSize=2)


def case_space_to_depth(graph, random):
    moved(graph, "SPACE_TO_DEPTH", (1, 2, 3, 8), x=(1, 4, 6, 2), blockSize=2)


def litert_space_to_batch_nd(graph, random):
    moved(graph, "SPACE_TO_BATCH_ND", (6, 3, 2, 2), [2, 3], [[1, 1], [0, 2]], x=(1, 4, 4, 2))


def case_batch_to_space_nd(graph, random):
    moved(graph, "BATCH_TO_SPACE_ND", (1, 4, 4, 2), [2, 3], [[1, 1], [0, 2]], x=(6, 3, 2, 2))


def litert_tile(graph, random):
    moved(graph, "TILE", (4, 9), [2, 3], x=(2, 3), kind="f32")


def litert_reverse_v2(graph, random):
    moved(graph, "REVERSE_V2", X, [1], kind="f32")


def litert_rank(graph, random):
    x = graph.input("f32", X)
    graph.output(graph.op("RANK", [x], ("s32", ())), graph.op("NEG", [x], ("f32", X)))


def reduced(graph,
            op,
            y,
            axes,
            x=X,
            kind="s8",
            scale=(0.1, 7),
            result=(0.1, 7),
            out=None,
            **options):
    scales = (scale, result) if kind in ("s8", "s16") else ((), ())
    inputs = [
        graph.input(kind, x, *scales[0]),
        graph.constant("s32", numpy.array(axes, numpy.int32))
    ]
    graph.output(graph.op(op, inputs, (out or kind, y) + scales[1], **options))


def case_mean(graph, random):
    reduced(graph, "MEAN", (2, 5), [1, 2], result=(0.07, -3))


def case_mean_keeps(graph, random):
    reduced(graph, "MEAN", (2, 1, 1, 5), [1, 2], keepDims=True)


def case_mean_last(graph, random):
    reduced(graph, "MEAN", (2, 3, 4), [-1], result=(0.03, 4))


def case_mean_s16(graph, random):
    reduced(graph, "MEAN", (2, 5), [1, 2], kind="s16", scale=(0.001, 0), result=(0.0007, 0))


def case_mean_f32(graph, random):
    reduced(graph, "MEAN", (2, 5), [2, 1], kind="f32")


def case_sum(graph, random):
    reduced(graph, "SUM", (2, 3, 4), [3], result=(0.4, -3))


def case_sum_f32(graph, random):
    reduced(graph, "SUM", (3, 4, 5), [0], kind="f32")


def case_reduce_max(graph, random):
    reduced(graph, "REDUCE_MAX", (2, 3, 4, 1), [3], keepDims=True)


def case_reduce_max_f32(graph, random):
    reduced(graph, "REDUCE_MAX", (2, 4, 5), [1], kind="f32")


def litert_reduce_min(graph, random):
    reduced(graph, "REDUCE_MIN", (2, 4, 5), [1], kind="f32")


def litert_reduce_prod(graph, random):
    reduced(graph, "REDUCE_PROD", (2, 4, 5), [1], kind="f32")


def litert_reduce_any(graph, random):
    reduced(graph, "REDUCE_ANY", (2, 4, 5), [1], kind="pred")


def litert_reduce_all(graph, random):
    reduced(graph, "REDUCE_ALL", (2, 4, 5), [1], kind="pred")


def case_arg_max(graph, random):
    reduced(graph, "ARG_MAX", (2, 3, 5), [2], out="s32", result=(), outputType=2)


def case_arg_max_f32(graph, random):
    reduced(graph, "ARG_MAX", (2, 3, 4), [-1], kind="f32", out="s32", outputType=2)


def case_arg_min(graph, random):
    reduced(graph, "ARG_MIN", (3, 4, 5), [0], out="s32", result=(), outputType=2)


def case_cumsum_f32(graph, random):
    moved(graph, "CUMSUM", (3, 6), 1, x=(3, 6), kind="f32")


def case_cumsum_exclusive(graph, random):
    moved(graph, "CUMSUM", (3, 6), 1, x=(3, 6), kind="f32", exclusive=True)


def case_cumsum_reverse(graph, random):
    moved(graph, "CUMSUM", (3, 6), 0, x=(3, 6), kind="f32", reverse=True)


def case_cumsum_exclusive_reverse(graph, random):
    moved(graph, "CUMSUM", (3, 6), 1, x=(3, 6), kind="f32", reverse=True, exclusive=True)


def embedding(graph, random, kind, out, table):
    x = graph.input("s32", (5,))
    values = random.normal(size=(7, 2,
                                 3)) if kind == "f32" else random.integers(-128, 127, (7, 2, 3))
    graph.output(
        graph.op("EMBEDDING_LOOKUP", [x, graph.constant(kind, values, *table)],
                 (out, (5, 2, 3)) + table))
    return {0: (0, 6)}


def case_embedding_lookup(graph, random):
    return embedding(graph, random, "s8", "s8", (0.1, 0))


def case_embedding_lookup_hybrid(graph, random):
    return embedding(graph, random, "s8", "f32", (0.1, 0))


def case_embedding_lookup_f32(graph, random):
    return embedding(graph, random, "f32", "f32", ())


def updated(graph, kind, starts, scale):
    inputs = [
        graph.input(kind, (3, 4, 5), *scale),
        graph.input(kind, (2, 1, 3), *scale),
        graph.input(starts, (3, ))
    ]
    graph.output(graph.op("DYNAMIC_UPDATE_SLICE", inputs, (kind, (3, 4, 5)) + scale))
    return {2: (-2, 6)}


def case_dynamic_update_slice(graph, random):
    return updated(graph, "s8", "s32", (0.1, 3))


def case_dynamic_update_slice_f32(graph, random):
    return updated(graph, "f32", "s64", ())

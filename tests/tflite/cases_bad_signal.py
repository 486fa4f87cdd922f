"""Custom operators that are wrong in one thing: `bad_NAME(model, graph)`, as in cases_bad.py."""
import cases_bad
import numpy
from cases_signal import custom
from flatbuffers import flexbuffers


def signal(graph, name, inputs, *outputs, **options):
    """The one operator of the graph; inputs and outputs as kinds with shapes, constants as
    values."""
    graph.graph.operators, graph.graph.inputs, graph.graph.outputs = [], [], []
    operands = [
        graph.input(*one) if isinstance(one, tuple) else graph.constant("s16", one)
        for one in inputs
    ]
    results = [graph.tensor(*one, name="y") for one in outputs]
    custom(graph, name, operands, *results, **options)
    graph.output(*results)


def window(graph, **options):
    signal(graph, "SignalWindow", [("s16", (8,)), numpy.arange(8)], ("s16", (8,)), **options)


def bad_flex_missing(model, graph):
    window(graph, shifts=3)
    return "custom SignalWindow (version 1) of layer \"y\": lacks the option shift"


def bad_flex_limits(model, graph):
    window(graph, shift=32)
    return "the option shift is 32, where 0 to 31 make sense"


def bad_flex_kind(model, graph):
    window(graph, shift="3")
    return "the option shift is no integer"


def bad_flex_none(model, graph):
    window(graph, shift=3)
    graph.graph.operators[0].customOptions = []
    return "its options are no map of FlexBuffers: too short"


def bad_flex_vector(model, graph):
    window(graph, shift=3)
    graph.graph.operators[0].customOptions = list(flexbuffers.Dumps([3]))
    return "its options are no map of FlexBuffers: the root is something else"


def bad_window(model, graph):
    signal(graph, "SignalWindow", [("s16", (8,)), numpy.arange(3)], ("s16", (8,)), shift=3)
    return "the window does not divide the samples"


def bad_fft_length(model, graph):
    signal(graph, "SignalRfft", [("s16", (14,))], ("s16", (16,)), T=7, fft_length=14)
    return "fft_length 14 has a factor above 5"


def bad_fft_odd(model, graph):
    signal(graph, "SignalRfft", [("s16", (9,))], ("s16", (11,)), T=7, fft_length=9)
    return "fft_length is odd"


def bad_fft_samples(model, graph):
    signal(graph, "SignalRfft", [("s16", (40,))], ("s16", (34,)), T=7, fft_length=32)
    return "has more samples than fft_length"


def bad_irfft_samples(model, graph):
    signal(graph, "SignalIrfft", [("s16", (32,))], ("s16", (32,)), T=7, fft_length=32)
    return "has other sizes than its fft_length"


def bad_framer_step(model, graph):
    signal(graph,
           "SignalFramer", [("s16", (9, ))], ("s16", (4, 4)), ("pred", ()),
           frame_size=4,
           frame_step=2,
           prefill=True)
    return "frame_step does not divide the samples"


def bad_framer_prefill(model, graph):
    signal(graph,
           "SignalFramer", [("s16", (8, ))], ("s16", (4, 1)), ("pred", ()),
           frame_size=1,
           frame_step=2,
           prefill=True)
    return "frame_size is less than frame_step"


def bad_circular_buffer(model, graph):
    signal(graph, "CIRCULAR_BUFFER", [("s8", (1, 1, 2, 3))], ("s8", (1, 4, 2, 3)), cycles_max=2)
    return "a run ends here unless it is the 2th"


def filter_bank(graph, starts, widths):
    tables = [numpy.arange(8), numpy.arange(8), starts, [0, 0, 0], widths]
    signal(graph, "SignalFilterBank", [("u32", (9,))] + tables, ("u64", (2,)), num_channels=2)


def bad_filter_bank_places(model, graph):
    filter_bank(graph, [0, 5, 0], [2, 5, 1])
    return "channel 1 reaches beyond its frequencies or weights"


def bad_filter_bank_tables(model, graph):
    filter_bank(graph, [0, 5], [2, 4, 1])
    return "a table is shorter than num_channels + 1"


def bad_gains(model, graph):
    signal(graph,
           "SignalPCAN", [("u32", (3, )),
                          ("u32", (3, )), numpy.arange(124)], ("u32", (3, )),
           snr_shift=3)
    return "the table of gains has less than 125 numbers"


def detection(graph, **more):
    options = dict(max_detections=2,
                   max_classes_per_detection=1,
                   num_classes=2,
                   nms_score_threshold=0.5,
                   nms_iou_threshold=0.5,
                   y_scale=1.0,
                   x_scale=1.0,
                   h_scale=1.0,
                   w_scale=1.0)
    signal(graph, "TFLite_Detection_PostProcess", [("f32", (1, 6, 4)), ("f32", (1, 6, 3)),
                                                   ("f32", (6, 4))], ("f32", (1, 2, 4)),
           ("f32", (1, 2)), ("f32", (1, 2)), ("f32", (1, )), **(options | more))


def bad_unsigned(model, graph):
    graph.graph.operators, graph.graph.inputs, graph.graph.outputs = [], [], []
    y = graph.op("HARD_SWISH", [graph.input("u8", (4,), 0.1, 128)], ("u8", (4,), 0.1, 128))
    graph.output(y)
    return "quantised UINT8"


def bad_detection_classes(model, graph):
    detection(graph, num_classes=1)
    return "has scores of other classes"


def bad_detection_overlap(model, graph):
    detection(graph, nms_iou_threshold=1.5)
    return "nms_iou_threshold is not above 0 and at most 1"


def bad_detection_number(model, graph):
    detection(graph, y_scale="1")
    return "the option y_scale is no number"


def bad_detection_fast(model, graph):
    detection(graph, max_classes_per_detection=2)
    return "several classes of a detection (max_classes_per_detection)"


assert not set(name for name in vars() if name.startswith("bad_")) & set(vars(cases_bad))

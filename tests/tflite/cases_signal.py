"""Audio front ends: custom operators whose options are FlexBuffers."""
import numpy
from flatbuffers import flexbuffers

INT16, INT32, FLOAT32 = 7, 2, 0


def custom(graph, name, inputs, *outputs, **options):
    """FlexBuffers sort the names, and kernels count on it."""
    made = flexbuffers.Dumps(dict(sorted(options.items())))
    return graph.op(name, inputs, *outputs, custom=bytes(made))


def case_signal_window(graph, random):
    weights = graph.constant("s16", random.integers(0, 4096, 12))
    graph.output(
        custom(graph,
               "SignalWindow", [graph.input("s16", (2, 12)), weights], ("s16", (2, 12)),
               shift=12))


def case_signal_window_saturated(graph, random):
    weights = graph.constant("s16", random.integers(-32768, 32767, 12))
    graph.output(
        custom(graph,
               "SignalWindow", [graph.input("s16", (12, )), weights], ("s16", (12, )),
               shift=3))


def auto_scale(graph, random, count):
    x = graph.input("s16", (count,))
    y, bits = graph.tensor("s16", (count,)), graph.tensor("s32", ())
    custom(graph, "SignalFftAutoScale", [x], y, bits)
    graph.output(y, bits)


def case_signal_fft_auto_scale(graph, random):
    auto_scale(graph, random, 20)
    return {0: (-100, 90)}


def case_signal_fft_auto_scale_zeros(graph, random):
    auto_scale(graph, random, 6)
    return {0: (0, 0)}


def case_signal_fft_auto_scale_ends(graph, random):
    """-32768 and little else: kernels take negative numbers that rise behind it as magnitudes."""
    x = graph.input("s8", (8,))
    wide = graph.op("CAST", [x], ("s32", (8,)))
    least = graph.constant("s32", numpy.array([-32768], numpy.int32))
    shifted = graph.op("ADD", [wide, least], ("s32", (8,)))
    kept = graph.op("MAXIMUM", [shifted, least], ("s32", (8,)))
    small = graph.op("CAST", [kept], ("s16", (8,)))
    y, bits = graph.tensor("s16", (8,)), graph.tensor("s32", ())
    custom(graph, "SignalFftAutoScale", [small], y, bits)
    graph.output(y, bits)
    return {0: (-4, 3)}


def rfft(graph, kind, x, length, number):
    y = x[:-1] + (length + 2,)
    graph.output(
        custom(graph, "SignalRfft", [graph.input(kind, x)], (kind, y), T=number, fft_length=length))


def case_signal_rfft(graph, random):
    rfft(graph, "s16", (64,), 64, INT16)


def case_signal_rfft_padded(graph, random):
    rfft(graph, "s16", (2, 25), 32, INT16)


def case_signal_rfft_radices(graph, random):
    rfft(graph, "s16", (240,), 240, INT16)


def case_signal_rfft_odd_half(graph, random):
    rfft(graph, "s16", (3, 30), 30, INT16)


def case_signal_rfft_shortest(graph, random):
    rfft(graph, "s16", (4, 3), 4, INT16)


def case_signal_rfft_s32(graph, random):
    rfft(graph, "s32", (2, 60), 60, INT32)
    return {0: (-2**31, 2**31 - 1)}


def case_signal_rfft_f32(graph, random):
    rfft(graph, "f32", (2, 20), 32, FLOAT32)


def irfft(graph, kind, outer, length, number):
    x, y = outer + (length + 2,), outer + (length,)
    graph.output(
        custom(graph, "SignalIrfft", [graph.input(kind, x)], (kind, y), T=number,
               fft_length=length))


def case_signal_irfft(graph, random):
    irfft(graph, "s16", (), 64, INT16)


def case_signal_irfft_radices(graph, random):
    irfft(graph, "s16", (2,), 120, INT16)


def case_signal_irfft_odd_half(graph, random):
    irfft(graph, "s16", (3,), 10, INT16)


def case_signal_irfft_s32(graph, random):
    irfft(graph, "s32", (2,), 60, INT32)
    return {0: (-2**31, 2**31 - 1)}


def case_signal_irfft_f32(graph, random):
    irfft(graph, "f32", (2,), 32, FLOAT32)


def case_signal_energy(graph, random):
    graph.output(
        custom(graph,
               "SignalEnergy", [graph.input("s16", (22, ))], ("u32", (11, )),
               start_index=0,
               end_index=11))


def front_end(graph, random, first, clamping=True):
    """From samples to logarithms, as in tflite-micro's example; results from the operator called
    `first`."""
    channels, count = 5, 33
    x = graph.input("s16", (50,))
    weights = graph.constant("s16", (4095 * numpy.sin(numpy.arange(50) * numpy.pi / 50)).astype(
        numpy.int16))
    x = custom(graph, "SignalWindow", [x, weights], ("s16", (50,)), shift=12)
    scaled, bits = graph.tensor("s16", (50,)), graph.tensor("s32", ())
    custom(graph, "SignalFftAutoScale", [x], scaled, bits)
    x = custom(graph, "SignalRfft", [scaled], ("s16", (66,)), T=INT16, fft_length=64)
    x = custom(graph, "SignalEnergy", [x], ("u32", (count,)), start_index=2, end_index=30)
    widths = numpy.array([3, 4, 4, 6, 0, 8], numpy.int16)
    starts = (2 + numpy.cumsum(widths) - widths).astype(numpy.int16)
    weight_starts = (numpy.cumsum(widths) - widths).astype(numpy.int16)
    up = random.integers(0, 4096, widths.sum())
    tables = [
        graph.constant("s16", table) for table in (up, 4096 - up, starts, weight_starts, widths)
    ]
    x = custom(graph, "SignalFilterBank", [x] + tables, ("u64", (channels,)), num_channels=channels)
    x = root = custom(graph, "SignalFilterBankSquareRoot", [x, bits], ("u32", (channels,)))
    x, noise = graph.tensor("u32", (channels,)), graph.tensor("u32", (channels,))
    custom(graph,
           "SignalFilterBankSpectralSubtraction", [root],
           x,
           noise,
           smoothing=410,
           one_minus_smoothing=15974,
           alternate_smoothing=983,
           alternate_one_minus_smoothing=15401,
           min_signal_remaining=819,
           smoothing_bits=10,
           spectral_subtraction_bits=14,
           num_channels=channels,
           clamping=clamping)
    gains = graph.constant("s16", random.integers(-3000, 12000, 125))
    y = custom(graph, "SignalPCAN", [x, noise, gains], ("u32", (channels,)), snr_shift=6)
    z = custom(graph,
               "SignalFilterBankLog", [y], ("s16", (channels, )),
               output_scale=1600,
               input_correction_bits=3)
    graph.output(*{"root": [root], "noise": [x, noise], "all": [z, y]}[first])


def case_signal_filter_bank(graph, random):
    front_end(graph, random, "root")


def case_signal_noise(graph, random):
    front_end(graph, random, "noise")


def case_signal_noise_unclamped(graph, random):
    front_end(graph, random, "noise", False)


def case_signal_front_end(graph, random):
    front_end(graph, random, "all")


def case_signal_front_end_quiet(graph, random):
    front_end(graph, random, "all")
    return {0: (-3, 3)}


def case_signal_log(graph, random):
    x = graph.input("s32", (16,))
    wide = graph.op("CAST", [x], ("u32", (16,)))
    graph.output(
        custom(graph,
               "SignalFilterBankLog", [wide], ("s16", (16, )),
               output_scale=655,
               input_correction_bits=0))
    return {0: (0, 2**31 - 1)}


def case_signal_delay(graph, random):
    graph.output(
        custom(graph, "SignalDelay", [graph.input("s16", (2, 5))], ("s16", (2, 5)), delay_length=7))


def case_signal_delay_short(graph, random):
    graph.output(
        custom(graph, "SignalDelay", [graph.input("s16", (2, 5))], ("s16", (2, 5)), delay_length=3))


def where_valid(graph, y, valid, sizes):
    """What a kernel leaves in a result that is not valid depends on its memory."""
    zeros = graph.constant("s16", numpy.zeros(sizes, numpy.int16))
    graph.output(
        graph.op("SELECT_V2", [
            graph.op("RESHAPE", [valid, graph.constant("s32", numpy.ones(len(sizes)))],
                     ("pred", (1, ) * len(sizes))), y, zeros
        ], ("s16", sizes)), valid)


def framer(graph, x, size, step, prefill):
    sizes = x[:-1] + (x[-1] // step, size)
    y, valid = graph.tensor("s16", sizes), graph.tensor("pred", ())
    custom(graph,
           "SignalFramer", [graph.input("s16", x)],
           y,
           valid,
           frame_size=size,
           frame_step=step,
           prefill=prefill)
    where_valid(graph, y, valid, sizes)


def case_signal_framer(graph, random):
    framer(graph, (2, 6), 5, 2, False)


def case_signal_framer_late(graph, random):
    framer(graph, (4,), 15, 4, False)


def case_signal_framer_prefilled(graph, random):
    framer(graph, (2, 6), 5, 2, True)


def case_signal_framer_apart(graph, random):
    framer(graph, (12,), 3, 4, False)


def stacker(graph, channels, left, right, step):
    sizes = (channels * (left + right + 1),)
    y, valid = graph.tensor("s16", sizes), graph.tensor("pred", ())
    custom(graph,
           "SignalStacker", [graph.input("s16", (channels, ))],
           y,
           valid,
           num_channels=channels,
           stacker_left_context=left,
           stacker_right_context=right,
           stacker_step=step)
    where_valid(graph, y, valid, sizes)


def case_signal_stacker(graph, random):
    stacker(graph, 4, 2, 1, 2)


def case_signal_stacker_left(graph, random):
    stacker(graph, 3, 1, 0, 1)


def case_signal_stacker_right(graph, random):
    stacker(graph, 2, 0, 3, 4)


def overlap_add(graph, kind, x, step, number):
    y = x[:-2] + (x[-2] * step,)
    graph.output(
        custom(graph,
               "SignalOverlapAdd", [graph.input(kind, x)], (kind, y),
               T=number,
               frame_step=step))


def case_signal_overlap_add(graph, random):
    overlap_add(graph, "s16", (2, 3, 8), 3, INT16)


def case_signal_overlap_add_one(graph, random):
    overlap_add(graph, "s16", (1, 8), 4, INT16)


def case_signal_overlap_add_apart(graph, random):
    overlap_add(graph, "s16", (2, 4), 4, INT16)


def case_signal_overlap_add_f32(graph, random):
    overlap_add(graph, "f32", (3, 8), 2, FLOAT32)


def case_circular_buffer(graph, random):
    x = graph.input("s8", (1, 1, 2, 3), 0.1, -7)
    graph.output(custom(graph, "CIRCULAR_BUFFER", [x], ("s8", (1, 4, 2, 3), 0.1, -7), cycles_max=1))
    return {"before": 3}  # Before, the kernel has what its memory had.

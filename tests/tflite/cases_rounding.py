"""Integers as LiteRT computes them: `reference_NAME` with its reference kernels, `xnnpack_NAME`
with XNNPACK. The cases are those of other files; hlocc is asked for the rounding that the name
says."""
import cases_elementwise
import cases_windows

DENSE = "dense dense_relu_no_bias dense_keeps_dimensions dense_flattens dense_by_channel".split()
CONVOLUTIONS = (
    "conv_same conv_stride conv_valid_dilated conv_relu_n1 conv_groups depthwise_same "
    "depthwise_multiplier "
    "depthwise_valid_dilated").split()
BINARY = "add add_broadcast sub mul mul_relu_broadcast".split()

for name in DENSE + CONVOLUTIONS + BINARY:
    module = cases_elementwise if name in BINARY else cases_windows
    for peer in "reference", "xnnpack":
        globals()[f"{peer}_{name}"] = getattr(module, f"case_{name}")

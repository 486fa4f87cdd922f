// Two kernels written by hand in the kernel IR, the way a schedule would write them: they prove
// that the IR and its emission carry hand-written speed. The C they are held against is in this
// folder.
#pragma once
#include "kernel/kernel.h"

namespace hlocc::proof {

// c[m][n] = sum over k of a[m][k] * b[k][n] in f32, b packed in panels [n / (nv * lanes)][k][nv *
// lanes]: an outer product of mr rows by nv vectors, accumulators in registers. m is a multiple of
// mr, n of nv * lanes.
struct GemmShape {
  int m = 0, n = 0, k = 0;
  int mr = 4, nv = 2, lanes = 8;
};
kernel::Kernel gemm(const GemmShape& shape);

// One row of a pointwise convolution with its bias and relu, as prototypes for Cortex-A53 do it: 5
// pixels by 16 channels, the inputs of 4 channels at a time multiplied by lane. Weights are
// [channels / 16][bias 16, k by 16].
kernel::Kernel pointwise_row(int pixels, int channels);

}  // namespace hlocc::proof

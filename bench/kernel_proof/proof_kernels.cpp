// The kernels of proof_kernels.h, through kernel::Builder.
#include "proof_kernels.h"

#include "kernel/builder.h"
#include "support/text.h"

namespace hlocc::proof {
namespace {

using namespace kernel;

BufferId operand(Builder& b, const char* name, int64_t elements,
                 Direction direction = Direction::kIn) {
  return b.buffer(
      {.name = name, .element = Scalar::kF32, .elements = elements, .direction = direction});
}

}  // namespace

Kernel gemm(const GemmShape& s) {
  Builder b(cat("gemm_", s.mr, "x", s.nv));
  const int width = s.nv * s.lanes;
  const BufferId a = operand(b, "a", s.m * s.k), panels = operand(b, "b", s.k * s.n);
  const BufferId c = operand(b, "c", s.m * s.n, Direction::kOut);
  const Type vector{Scalar::kF32, static_cast<uint16_t>(s.lanes)};
  b.loop(s.n / width, [&](ValueId panel) {
    b.loop(Loop{.upper = Affine::constant(s.m), .step = s.mr}, [&](ValueId row) {
      const auto turn = [&](ValueId k, std::span<const ValueId> sums) {
        Values columns, next;
        for (int j = 0; j < s.nv; ++j)
          columns.push_back(
              b.load(panels, Affine::of(panel, s.k * width).plus(Affine::of(k, width, j * s.lanes)),
                     s.lanes));
        for (int i = 0; i < s.mr; ++i) {
          const ValueId left =
              b.splat(b.load(a, Affine::of(row, s.k, i * s.k).plus(Affine::of(k))), s.lanes);
          for (int j = 0; j < s.nv; ++j)
            next.push_back(b.mul_add(left, columns[j], sums[i * s.nv + j]));
        }
        return next;
      };
      const Values sums =
          b.loop(Loop{.upper = Affine::constant(s.k)}, Values(s.mr * s.nv, b.zero(vector)), turn);
      for (int i = 0; i < s.mr; ++i)
        for (int j = 0; j < s.nv; ++j)
          b.store(c, Affine::of(row, s.n, i * s.n + j * s.lanes).plus(Affine::of(panel, width)),
                  sums[i * s.nv + j]);
    });
  });
  return b.finish();
}

Kernel pointwise_row(int pixels, int channels) {
  Builder b("pointwise_row");
  constexpr int kLanes = 4, kVectors = 4, kWidth = kLanes * kVectors;
  const int block = kWidth * (1 + channels);
  const BufferId a = operand(b, "a", pixels * channels),
                 w = operand(b, "w", channels / kWidth * block);
  const BufferId o = operand(b, "o", pixels * channels, Direction::kOut);
  b.loop(channels / kWidth, [&](ValueId n) {
    Values bias, start;
    for (int j = 0; j < kVectors; ++j)
      bias.push_back(b.load(w, Affine::of(n, block, j * kLanes), kLanes));
    for (int p = 0; p < pixels; ++p) start.insert(start.end(), bias.begin(), bias.end());
    const auto turn = [&](ValueId k, std::span<const ValueId> carried) {
      Values inputs, sums(carried.begin(), carried.end());
      for (int p = 0; p < pixels; ++p)
        inputs.push_back(b.load(a, Affine::of(k, 1, p * channels), kLanes));
      for (int u = 0; u < kLanes; ++u) {
        Values weights;
        for (int j = 0; j < kVectors; ++j)
          weights.push_back(b.load(
              w, Affine::of(n, block, kWidth * (1 + u) + j * kLanes).plus(Affine::of(k, kWidth)),
              kLanes));
        for (int p = 0; p < pixels; ++p) {
          const ValueId left = b.shuffle(inputs[p], inputs[p], std::vector<int>(kLanes, u));
          for (int j = 0; j < kVectors; ++j)
            sums[p * kVectors + j] = b.mul_add(left, weights[j], sums[p * kVectors + j]);
        }
      }
      return sums;
    };
    const Values sums =
        b.loop(Loop{.upper = Affine::constant(channels), .step = kLanes}, start, turn);
    const ValueId zero = b.zero({Scalar::kF32, kLanes});
    for (int p = 0; p < pixels; ++p)
      for (int j = 0; j < kVectors; ++j)
        b.store(o, Affine::of(n, kWidth, p * channels + j * kLanes),
                b.binary(OpKind::kNativeMax, sums[p * kVectors + j], zero));
  });
  return b.finish();
}

}  // namespace hlocc::proof

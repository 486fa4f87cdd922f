// Rule of fft. fft_length is the length of the real or full complex signal; real transforms keep
// half of the spectrum. Of a complex signal XLA reads no length: one of 0 stands for the transform
// of no points, whose result is all zeros, and an empty signal may state any.
#include "ops/fft.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kFft>, const Site& site) {
  using hlo::FftType;
  const auto& fft = site.attributes<hlo::FftAttributes>();
  const Shape& operand = site.operand(0);
  const int rank = operand.rank(), transformed = static_cast<int>(fft.length.size());
  HLOCC_TRY(check_type(operand, fft.type == FftType::kRfft ? kFloats : kComplexes, "the operand"));
  HLOCC_TRY(check(transformed >= 1 && transformed <= 3 && transformed <= rank, kAttribute,
                  "fft_length has ", transformed,
                  " entries and must have 1 to 3, and no more than the operand has dimensions"));
  PrimitiveType type = operand.element_type;
  if (fft.type == FftType::kIrfft) type = real_type(type);
  if (fft.type == FftType::kRfft) {
    HLOCC_TRY(check(complex_type(type).has_value(), kType, "the operand has element type ", type,
                    " and must be f32 or f64"));
    type = *complex_type(type);
  }
  Shape result = with_type(operand, type);
  const bool is_complex = fft.type == FftType::kFft || fft.type == FftType::kIfft;
  const bool is_empty = operand.element_count() == 0;
  for (int i = 0; i < transformed; ++i) {
    const int d = rank - transformed + i;
    const int64_t length = fft.length[i], half = length / 2 + 1, size = operand.dimensions[d];
    const bool innermost = i == transformed - 1;
    HLOCC_TRY(check(length >= 0, kAttribute, "fft_length ", length, " must not be negative"));
    if (is_complex && (length == 0 || is_empty)) continue;
    // An empty signal has an empty spectrum, not one of length 0 / 2 + 1.
    const int64_t expected = fft.type == FftType::kIrfft && innermost && length > 0 ? half : length;
    HLOCC_TRY(check(size == expected, kShape, "dimension ", d, " of the operand has size ", size,
                    " and must have ", expected, " for fft_length ", length));
    result.dimensions[d] = fft.type == FftType::kRfft && innermost && length > 0 ? half : length;
  }
  return result;
}

}  // namespace hlocc::ops

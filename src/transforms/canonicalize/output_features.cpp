// A dot's result has its batch dimensions first, then the free ones of the left side, then of the
// right.
#include "transforms/canonicalize/output_features.h"

#include <vector>

namespace hlocc::transforms {

using hlo::Opcode;

std::optional<Features> output_features(const hlo::Instruction& contraction, int side,
                                        const hlo::Shape& weights) {
  if (contraction.opcode == Opcode::kConvolution) {
    const auto& a = contraction.get<hlo::ConvolutionAttributes>();
    if (side == 0) return std::nullopt;
    return Features{a.output_feature, a.kernel_output_feature};
  }
  const auto& a = contraction.get<hlo::DotAttributes>();
  const hlo::Dimensions& batch = side == 0 ? a.lhs_batch : a.rhs_batch;
  std::vector<bool> taken(static_cast<size_t>(weights.rank()), false);
  for (const hlo::Dimensions* list : {&batch, side == 0 ? &a.lhs_contracting : &a.rhs_contracting})
    for (const int64_t d : *list) taken[static_cast<size_t>(d)] = true;
  std::optional<Features> free;
  for (int64_t d = 0; d < weights.rank(); ++d) {
    if (taken[static_cast<size_t>(d)]) continue;
    if (free) return std::nullopt;
    const int64_t in_result = side == 0 ? std::ssize(batch) : contraction.shape.rank() - 1;
    free = Features{in_result, d};
  }
  return free;
}

int64_t products_of_an_element(const hlo::Instruction& contraction, const hlo::Shape& right) {
  int64_t products = 1;
  if (contraction.opcode == Opcode::kDot) {
    for (const int64_t d : contraction.get<hlo::DotAttributes>().rhs_contracting)
      products *= right.dimensions[static_cast<size_t>(d)];
    return products;
  }
  const auto& a = contraction.get<hlo::ConvolutionAttributes>();
  products = right.dimensions[static_cast<size_t>(a.kernel_input_feature)];
  for (const int64_t d : a.kernel_spatial) products *= right.dimensions[static_cast<size_t>(d)];
  return products;
}

}  // namespace hlocc::transforms

// nibble_weights: the known weights of a product of integers lie two to a byte where flash is
// constrained and all of them have four bits, as networks are quantised whose weights are the most
// of them. The kernel widens what it reads (lowering/contraction/scaled_right.h: some columns for
// many rows, or each weight for one), which takes longer than to read bytes: so many are never
// small by chance.
#include <algorithm>

#include "costs/weights.h"
#include "hlo/literal.h"
#include "transforms/build.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

// Fewer save less than the code that reads them takes.
constexpr int64_t kFewestNibbles = 1024;

bool has_four_bits(const Literal& weights) {
  const auto numbers = weights.data<int8_t>();
  return std::ranges::all_of(numbers, [](int8_t n) { return -8 <= n && n < 8; });
}

// Right sides that kernels read element by element of what they make: matrices, filters.
bool is_integer_product(const Rewriter& r, const Instruction& i) {
  if (i.shape.element_type != kS32) return false;
  if (i.opcode == Opcode::kDot) {
    const auto& numbers = i.get<hlo::DotAttributes>();
    return numbers.lhs_batch.empty() && r.shape(i.operands[1]).rank() == 2 &&
           numbers.rhs_contracting == Dimensions{0} && r.shape(i.operands[0]).rank() <= 2;
  }
  return i.opcode == Opcode::kConvolution &&
         i.get<hlo::ConvolutionAttributes>().feature_group_count == 1;
}

}  // namespace

Status nibble_weights(hlo::Module& module, const PassContext& context) {
  if (!costs::products_read_nibbles(context.target)) return {};
  const Rule rule = [](Rewriter& r, const Instruction& i) {
    if (!is_integer_product(r, i)) return hlo::kNone;
    const Literal* weights = constant_value(r, i.operands[1]);
    if (weights == nullptr || weights->type() != kS8 || weights->element_count() < kFewestNibbles ||
        !has_four_bits(*weights))
      return hlo::kNone;
    Literal nibbles = *weights;
    nibbles.set_shape(Shape::array(kS4, weights->shape().dimensions));
    Instruction product = i;
    product.operands[1] = convert(r, constant(r, std::move(nibbles)), kS8);
    return r.add(std::move(product));
  };
  HLOCC_TRY(rewrite(module, rule));
  return {};
}

}  // namespace hlocc::transforms

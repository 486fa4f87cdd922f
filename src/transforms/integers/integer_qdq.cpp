// integer_qdq: what quantised networks compute in floats between a dequantisation and the next
// quantisation, in integers. Products and sums of (q - z) * s are products and sums of the
// integers, times the product of the scales: a contraction or a sum of such values becomes one of
// integers, exact, with one scale behind it, which requantize then meets. Weights that are floats
// by now are bytes again. Maxima and minima keep their order under a scale and are taken of the
// integers too. Products of two arrays are exact as well, where no vectors of floats take them.
#include <cmath>
#include <cstdlib>
#include <limits>

#include "costs/requantize.h"
#include "costs/weights.h"
#include "ops/reducer.h"
#include "transforms/build.h"
#include "transforms/canonicalize/output_features.h"
#include "transforms/integers/quantized.h"
#include "transforms/integers/rewrite_each.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

// One side of a product.
struct Factor {
  const Quantized& value;
  std::optional<int64_t> in_result;  // where scales of output features lie
};

class IntegerQdq {
 public:
  IntegerQdq(Rewriter& r, const Target& target)
      : r_(r),
        values_(r, costs::packs_nibbles(target)),
        scales_in_floats_(costs::scales_in_floats(target)) {}

  InstructionId visit(const Instruction& i) {
    if (i.shape.element_type != kF32) return kNone;
    switch (i.opcode) {
      case Opcode::kConvolution:
      case Opcode::kDot: return product(i);
      case Opcode::kReduce:
      case Opcode::kReduceWindow: return reduction(i);
      case Opcode::kSlice: return dequantized_slice(r_, i);
      case Opcode::kMultiply: return product_of_elements(i);
      default: return kNone;
    }
  }

 private:
  std::optional<Factor> factor(const Instruction& i, int side) {
    const InstructionId id = i.operands[static_cast<size_t>(side)];
    if (values_.is_known(id)) {
      const std::optional<Features> features = output_features(i, side, r_.shape(id));
      const Quantized* const weights =
          values_.weights(id, features ? std::optional(features->in_weights) : std::nullopt);
      if (weights != nullptr)
        return Factor{*weights, features ? std::optional(features->in_result) : std::nullopt};
    }
    const Quantized* const value = values_.of(id);
    return value != nullptr ? std::optional(Factor{*value, std::nullopt}) : std::nullopt;
  }

  // The product of integers, times the scales.
  InstructionId product(const Instruction& i) {
    // What is computed at run time is read first: it tells most contractions that are none of
    // these.
    const int first = values_.is_known(i.operands[0]) ? 1 : 0;
    if (values_.is_known(i.operands[static_cast<size_t>(first)])) return kNone;
    const std::optional<Factor> one = factor(i, first);
    if (!one) return kNone;
    const std::optional<Factor> other = factor(i, 1 - first);
    if (!other) return kNone;
    if (one->value.most() * other->value.most() *
            products_of_an_element(i, r_.shape(i.operands[1])) >
        std::numeric_limits<int32_t>::max())
      return kNone;
    const std::optional<std::vector<float>> scales = scales_of(*one, *other);
    if (!scales) return kNone;
    InstructionId x = integers_of(r_, one->value), y = integers_of(r_, other->value);
    if (r_.type(x) != kS8 || r_.type(y) != kS8) {
      x = convert(r_, x, kS32);
      y = convert(r_, y, kS32);
    }
    Instruction sum = i;
    sum.operands = first == 0 ? std::vector<InstructionId>{x, y} : std::vector<InstructionId>{y, x};
    sum.shape.element_type = kS32;
    // How floats are to be multiplied means nothing now.
    if (sum.opcode == Opcode::kDot)
      std::get<hlo::DotAttributes>(sum.attributes).precision = {};
    else
      std::get<hlo::ConvolutionAttributes>(sum.attributes).precision = {};
    return scaled(r_.add(std::move(sum)), *scales, other->in_result);
  }

  // Two arrays, element by element; vectors of floats multiply them as fast as they are. Each is
  // stored as integers, not floats that were rounded.
  InstructionId product_of_elements(const Instruction& i) {
    if (scales_in_floats_) return kNone;
    const Quantized* sides[2];
    for (const size_t side : {0, 1}) {
      if (values_.is_known(i.operands[side])) return kNone;
      sides[side] = values_.of(i.operands[side]);
      if (sides[side] == nullptr || !is_integer(r_.type(sides[side]->whole))) return kNone;
    }
    const auto scale = static_cast<float>(sides[0]->scales[0] * sides[1]->scales[0]);
    // Of 16 bits each: words hold their products.
    if (!std::isnormal(scale)) return kNone;
    InstructionId whole[2];
    for (const size_t side : {0, 1}) whole[side] = convert(r_, integers_of(r_, *sides[side]), kS32);
    return scaled(binary(r_, Opcode::kMultiply, whole[0], whole[1]), {scale}, std::nullopt);
  }

  // None where a scale is no normal number.
  static std::optional<std::vector<float>> scales_of(const Factor& one, const Factor& other) {
    std::vector<float> scales;
    for (const double scale : other.value.scales) {
      scales.push_back(static_cast<float>(one.value.scales[0] * scale));
      if (!std::isnormal(scales.back())) return std::nullopt;
    }
    return scales;
  }

  InstructionId scaled(InstructionId whole, const std::vector<float>& scales,
                       std::optional<int64_t> in_result) {
    const Dimensions dimensions = r_.shape(whole).dimensions;
    const bool one = scales.size() == 1;
    const Dimensions sizes = one ? Dimensions{} : Dimensions{std::ssize(scales)};
    const Literal values = Literal::array<float>(kF32, sizes, scales);
    const InstructionId spread =
        broadcast_constant(r_, values, dimensions, one ? Dimensions{} : Dimensions{*in_result});
    return binary(r_, Opcode::kMultiply, convert(r_, whole, kF32), spread);
  }

  // Sums, maxima and minima from their identity.
  InstructionId reduction(const Instruction& i) {
    const std::optional<Opcode> reducer = ops::plain_reducer(r_.module().computations[i.called[0]]);
    const Literal* start = constant_value(r_, i.operands[1]);
    if (!reducer || !start || !ops::is_identity(*reducer, *start)) return kNone;
    const bool adds = *reducer == Opcode::kAdd;
    if (!adds && *reducer != Opcode::kMaximum && *reducer != Opcode::kMinimum) return kNone;
    // A window beyond the array would give the identity, which integers do not have.
    if (!adds && !each_holds_one(i)) return kNone;
    const Quantized* const value = values_.of(i.operands[0]);
    if (value == nullptr || !std::isnormal(static_cast<float>(value->scales[0]))) return kNone;
    if (adds && value->most() * terms_of_reduction(i) > std::numeric_limits<int32_t>::max())
      return kNone;
    InstructionId x = integers_of(r_, *value);
    if (adds) x = convert(r_, x, kS32);
    const PrimitiveType type = r_.type(x);
    Instruction whole = i;
    whole.operands = {x, constant(r_, *ops::identity_of(*reducer, type))};
    whole.called = {binary_computation(r_.module(), *reducer, type)};
    whole.shape.element_type = type;
    return scaled(r_.add(std::move(whole)), {static_cast<float>(value->scales[0])}, std::nullopt);
  }

  int64_t terms_of_reduction(const Instruction& i) const {
    int64_t terms = 1;
    if (i.opcode == Opcode::kReduceWindow) {
      for (const hlo::WindowDimension& d : i.get<hlo::WindowAttributes>().window.dimensions)
        terms *= d.size;
      return terms;
    }
    const Dimensions& sizes = r_.shape(i.operands[0]).dimensions;
    for (const int64_t d : i.get<hlo::DimensionsAttributes>().dimensions)
      terms *= sizes[static_cast<size_t>(d)];
    return terms;
  }

  // Whether every element of the result is made of at least one element.
  bool each_holds_one(const Instruction& i) const {
    if (r_.shape(i.operands[0]).element_count() == 0) return false;
    if (i.opcode == Opcode::kReduce) return true;
    for (const hlo::WindowDimension& d : i.get<hlo::WindowAttributes>().window.dimensions) {
      const int64_t reach = (d.size - 1) * d.window_dilation;
      if (d.base_dilation != 1 || d.padding_low > reach || d.padding_high > reach ||
          (d.window_dilation != 1 && (d.padding_low > 0 || d.padding_high > 0)))
        return false;
    }
    return true;
  }

  Rewriter& r_;
  QuantizedValues values_;
  const bool scales_in_floats_;
};

}  // namespace

Status integer_qdq(hlo::Module& module, const PassContext& context) {
  if (!context.target.options.integer_qdq) return {};
  HLOCC_TRY_ASSIGN(const bool changed, rewrite_each<IntegerQdq>(module, context.target));
  return changed ? simplify(module, context) : Status();
}

}  // namespace hlocc::transforms

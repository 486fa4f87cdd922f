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
#include "transforms/integers/dequantized.h"
#include "transforms/integers/known_arrays.h"
#include "transforms/integers/recovered_weights.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

// One side of a product.
struct Factor {
  Dequantized value;                 // of what is computed at run time
  std::optional<Literal> bytes;      // of weights
  std::vector<double> scales;        // one, or one for each output feature
  std::optional<int64_t> in_result;  // where these lie
  __int128 most = 0;                 // of the integers' magnitudes
};

__int128 most_of(const Range& range) { return std::max(-range.low, range.high); }

class IntegerQdq {
 public:
  IntegerQdq(Rewriter& r, const Target& target)
      : r_(r),
        ranges_(r),
        known_(r.module(), r.computation(), costs::packs_nibbles(target)),
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
  // Floats that are constants, or computed of constants that take no less than bytes would.
  std::optional<Literal> known_weights(InstructionId id) const {
    const std::optional<int64_t> bytes = known_.bytes(id);
    if (!bytes || *bytes < r_.shape(id).element_count()) return std::nullopt;
    return known_.value(id);
  }

  std::optional<Factor> factor(const Instruction& i, int side) {
    const InstructionId id = i.operands[static_cast<size_t>(side)];
    Factor out;
    if (const std::optional<Literal> known = known_weights(id)) {
      const std::optional<Features> features = output_features(i, side, r_.shape(id));
      std::optional<int64_t> dimension;
      if (features) dimension = features->in_weights;
      if (std::optional<RecoveredWeights> bytes = recovered_weights(*known, dimension)) {
        for (const int byte : bytes->bytes.data<int8_t>())
          out.most = std::max<__int128>(out.most, std::abs(byte));
        out.bytes = std::move(bytes->bytes);
        out.scales = std::move(bytes->scales);
        if (features) out.in_result = features->in_result;
        return out;
      }
    }
    const std::optional<Dequantized> value = dequantized(r_, id, ranges_);
    if (!value) return std::nullopt;
    out.value = *value;
    out.scales = {value->scale};
    out.most = most_of(value->range);
    return out;
  }

  bool is_known(InstructionId id) const { return known_.bytes(id).has_value(); }
  InstructionId integers(const Factor& factor) {
    return factor.bytes ? constant(r_, *factor.bytes) : integers_of(r_, factor.value);
  }

  // The product of integers, times the scales.
  InstructionId product(const Instruction& i) {
    // What is computed at run time is read first: it tells most contractions that are none of
    // these.
    const int first = is_known(i.operands[0]) ? 1 : 0;
    if (is_known(i.operands[static_cast<size_t>(first)])) return kNone;
    const std::optional<Factor> one = factor(i, first);
    if (!one) return kNone;
    const std::optional<Factor> other = factor(i, 1 - first);
    if (!other) return kNone;
    if (one->most * other->most * products_of_an_element(i, r_.shape(i.operands[1])) >
        std::numeric_limits<int32_t>::max())
      return kNone;
    const std::optional<std::vector<float>> scales = scales_of(*one, *other);
    if (!scales) return kNone;
    InstructionId x = integers(*one), y = integers(*other);
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
    std::optional<Dequantized> sides[2];
    for (const size_t side : {0, 1}) {
      if (is_known(i.operands[side])) return kNone;
      sides[side] = dequantized(r_, i.operands[side], ranges_);
      if (!sides[side] || !is_integer(r_.type(sides[side]->whole))) return kNone;
    }
    const auto scale = static_cast<float>(sides[0]->scale * sides[1]->scale);
    // Of 16 bits each: words hold their products.
    if (!std::isnormal(scale)) return kNone;
    InstructionId whole[2];
    for (const size_t side : {0, 1}) whole[side] = convert(r_, integers_of(r_, *sides[side]), kS32);
    return scaled(binary(r_, Opcode::kMultiply, whole[0], whole[1]), {scale}, std::nullopt);
  }

  // None where a scale is no normal number.
  static std::optional<std::vector<float>> scales_of(const Factor& one, const Factor& other) {
    std::vector<float> scales;
    for (const double scale : other.scales) {
      scales.push_back(static_cast<float>(one.scales[0] * scale));
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
    const std::optional<Dequantized> value = dequantized(r_, i.operands[0], ranges_);
    if (!value || !std::isnormal(static_cast<float>(value->scale))) return kNone;
    if (adds && most_of(value->range) * terms_of_reduction(i) > std::numeric_limits<int32_t>::max())
      return kNone;
    InstructionId x = integers_of(r_, *value);
    if (adds) x = convert(r_, x, kS32);
    const PrimitiveType type = r_.type(x);
    Instruction whole = i;
    whole.operands = {x, constant(r_, *ops::identity_of(*reducer, type))};
    whole.called = {binary_computation(r_.module(), *reducer, type)};
    whole.shape.element_type = type;
    return scaled(r_.add(std::move(whole)), {static_cast<float>(value->scale)}, std::nullopt);
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
    if (i.opcode == Opcode::kReduce) return terms_of_reduction(i) > 0;
    for (const hlo::WindowDimension& d : i.get<hlo::WindowAttributes>().window.dimensions) {
      const int64_t reach = (d.size - 1) * d.window_dilation;
      if (d.base_dilation != 1 || d.padding_low > reach || d.padding_high > reach ||
          (d.window_dilation != 1 && (d.padding_low > 0 || d.padding_high > 0)))
        return false;
    }
    return true;
  }

  Rewriter& r_;
  IntegerRanges ranges_;
  const KnownArrays known_;
  const bool scales_in_floats_;
};

}  // namespace

Status integer_qdq(hlo::Module& module, const PassContext& context) {
  if (!context.target.options.integer_qdq) return {};
  bool changed = false;
  for (ComputationId id : hlo::computation_order(module)) {
    std::optional<IntegerQdq> integers;
    const Rule rule = [&](Rewriter& r, const Instruction& i) {
      if (!integers) integers.emplace(r, context.target);
      return integers->visit(i);
    };
    HLOCC_TRY_ASSIGN(const bool some, Rewriter(module, id, rule).run());
    changed = changed || some;
  }
  hlo::compact(module);
  return changed ? simplify(module, context) : Status();
}

}  // namespace hlocc::transforms

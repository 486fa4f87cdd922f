// narrow_contractions: products of integers that were widened before they were multiplied take
// bytes as they were stored, or activations of 16 bits beside weights that are bytes. Networks
// written by hand convert both sides to s32, those of other tools take a zero point off as well;
// weights are constants of 32 bits by then. A zero point z of one side is -z times the sum of a
// feature's weights, known, which joins the bias: sums are the same, since they wrap alike. What is
// padded with zeros behind the zero point is padded with it in front.
#include <limits>

#include "costs/micro_kernels.h"
#include "hlo/along.h"
#include "transforms/build.h"
#include "transforms/canonicalize/output_features.h"
#include "transforms/integers/quantized.h"
#include "transforms/integers/rewrite_each.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

bool is_stored_byte(PrimitiveType type) { return type == kS8 || type == kU8; }
// A side of a product: bytes, or activations of 16 bits, moved by views and less a zero point; or
// known.
struct WidenedSide {
  Quantized value;
  bool changes = false;  // it is not the operand as it stands
};

class NarrowContractions {
 public:
  NarrowContractions(Rewriter& r, const Target& target) : r_(r), values_(r), target_(target) {}

  InstructionId visit(const Instruction& i) {
    const bool product = i.opcode == Opcode::kDot || i.opcode == Opcode::kConvolution;
    if (!product || (i.shape.element_type != kS32 && i.shape.element_type != kS64)) return kNone;
    const std::optional<WidenedSide> left = side_of(i.operands[0]), right = side_of(i.operands[1]);
    if (!left || !right || (!left->changes && !right->changes)) return kNone;
    if (!costs::products_of_bytes_pay(target_, is_known(*left) || is_known(*right))) return kNone;
    const bool wide = has_16_bits(*left) || has_16_bits(*right);
    // Of 16 bits are activations alone, and they have no zero point.
    if (wide && (left->value.zero() != 0 || right->value.zero() != 0 ||
                 (!is_known(*left) && !is_known(*right))))
      return kNone;
    if (i.shape.element_type == kS64 && !fits_32_bits(i, wide)) return kNone;
    if (left->value.zero() != 0 || right->value.zero() != 0) return without_zero(i, *left, *right);
    return widened(sum_of(i, stored_of(r_, left->value), stored_of(r_, right->value)),
                   i.shape.element_type);
  }

 private:
  std::optional<WidenedSide> side_of(InstructionId id) {
    const PrimitiveType type = r_.type(id);
    if (!hlo::is_integer(type)) return std::nullopt;
    const Quantized* const value = is_stored_byte(type) ? nullptr : values_.of(id);
    if (value != nullptr) return WidenedSide{*value, true};
    if (!is_stored_byte(type) && type != kS16) return std::nullopt;
    return WidenedSide{Quantized{.whole = id, .stored = type}};
  }

  InstructionId sum_of(const Instruction& i, InstructionId left, InstructionId right) {
    Instruction sum = i;
    sum.operands = {left, right};
    sum.shape.element_type = kS32;
    return r_.add(std::move(sum));
  }
  InstructionId widened(InstructionId sum, PrimitiveType type) {
    return type == kS32 ? sum : convert(r_, sum, type);
  }

  bool has_16_bits(const WidenedSide& side) const {
    return !side.value.known && side.value.stored == kS16;
  }
  bool is_known(const WidenedSide& side) const {
    return side.value.known || constant_value(r_, side.value.whole) != nullptr;
  }

  // No sum of products of bytes exceeds 32 bits, with a zero point of a byte's size; nor one of
  // numbers of 16 bits with bytes.
  bool fits_32_bits(const Instruction& i, bool wide) const {
    const int64_t most = wide ? int64_t{1} << 23 : 512 * 256;
    return products_of_an_element(i, r_.shape(i.operands[1])) <=
           std::numeric_limits<int32_t>::max() / most;
  }

  // The other side is known, so that its sums are.
  InstructionId without_zero(const Instruction& i, const WidenedSide& left,
                             const WidenedSide& right) {
    const int side = left.value.zero() != 0 ? 1 : 0;
    const Quantized &moved = side == 1 ? left.value : right.value,
                    &weights = side == 1 ? right.value : left.value;
    const Literal* known = weights.known ? &*weights.known : constant_value(r_, weights.whole);
    const int64_t zero = moved.zero();
    if (known == nullptr || !weights.steps.empty() ||
        (i.shape.element_type == kS64 && (zero < -256 || zero > 256)))
      return kNone;
    const std::optional<Features> features = output_features(i, side, known->shape());
    if (!features || has_batches(i)) return kNone;
    Instruction product = i;
    InstructionId x = stored_of(r_, moved);
    if (product.opcode == Opcode::kConvolution) {
      const std::optional<InstructionId> whole = padded(product, x, zero);
      if (!whole) return kNone;
      x = *whole;
    }
    const Literal terms = terms_of(*known, features->in_weights, zero);
    const InstructionId known_side = constant(r_, *known),
                        sum = side == 1 ? sum_of(product, x, known_side)
                                        : sum_of(product, known_side, x);
    const Dimensions dimensions = r_.shape(sum).dimensions;
    const InstructionId spread = broadcast_constant(r_, terms, dimensions, {features->in_result});
    return widened(binary(r_, Opcode::kAdd, sum, spread), i.shape.element_type);
  }

  static bool has_batches(const Instruction& i) {
    return i.opcode == Opcode::kDot && !i.get<hlo::DotAttributes>().lhs_batch.empty();
  }

  // What a window sees beside the image is zero behind the zero point, and the zero point in
  // front of it.
  std::optional<InstructionId> padded(Instruction& i, InstructionId x, int64_t zero) {
    auto& a = std::get<hlo::ConvolutionAttributes>(i.attributes);
    std::vector<hlo::PaddingDimension> pads(static_cast<size_t>(r_.shape(x).rank()));
    bool some = false;
    for (size_t d = 0; d < a.window.dimensions.size(); ++d) {
      hlo::WindowDimension& w = a.window.dimensions[d];
      if (w.base_dilation != 1) return std::nullopt;
      pads[static_cast<size_t>(a.input_spatial[d])] = {w.padding_low, w.padding_high, 0};
      some = some || w.padding_low != 0 || w.padding_high != 0;
      w.padding_low = w.padding_high = 0;
    }
    if (!some) return x;
    const PrimitiveType type = r_.type(x);
    if (!Range{zero, zero}.within(range_of_type(type))) return std::nullopt;
    return pad(r_, x, constant(r_, integer(type, static_cast<uint64_t>(zero))), std::move(pads));
  }

  // -zero times the sum of each feature's weights, in numbers that wrap.
  static Literal terms_of(const Literal& weights, int64_t feature, int64_t zero) {
    const hlo::Along features(weights.shape().dimensions, feature);
    std::vector<int64_t> terms(static_cast<size_t>(features.places));
    for (int64_t n = 0; n < weights.element_count(); ++n) {
      int64_t& term = terms[static_cast<size_t>(features.place(n))];
      term = static_cast<int64_t>(static_cast<uint64_t>(term) -
                                  static_cast<uint64_t>(zero) *
                                      static_cast<uint64_t>(integer_at(weights, n)));
    }
    return integers(kS32, {features.places}, terms);
  }

  Rewriter& r_;
  QuantizedValues values_;
  const Target& target_;
};

}  // namespace

Status narrow_contractions(hlo::Module& module, const PassContext& context) {
  HLOCC_TRY_ASSIGN(const bool changed, rewrite_each<NarrowContractions>(module, context.target));
  return changed ? simplify(module, context) : Status();
}

}  // namespace hlocc::transforms

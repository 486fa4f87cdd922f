// narrow_contractions: products of integers that were widened before they were multiplied take
// bytes as they were stored, or activations of 16 bits beside weights that are bytes. Networks
// written by hand convert both sides to s32, those of other tools take a zero point off as well;
// weights are constants of 32 bits by then. A zero point z of one side is -z times the sum of a
// feature's weights, known, which joins the bias: sums are the same, since they wrap alike. What is
// padded with zeros behind the zero point is padded with it in front.
#include <limits>

#include "costs/micro_kernels.h"
#include "transforms/build.h"
#include "transforms/canonicalize/output_features.h"
#include "transforms/integers/integer_ranges.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

// A side of a product: bytes, moved by views and less a zero point; or known.
struct Bytes {
  InstructionId stored = kNone;
  struct View {
    InstructionId id;
    // Of a pad: the number that it adds, as bytes are or, outside of the zero point, less it.
    int64_t added = 0;
    bool less_zero = false;
  };
  std::vector<View> views;  // from the outermost
  int64_t zero = 0;
  std::optional<Literal> known;
  bool changes = false;  // it is not the operand as it stands
};

bool is_stored_byte(PrimitiveType type) { return type == kS8 || type == kU8; }
// What is computed at run time may have 16 bits, beside bytes that are known.
bool is_stored(PrimitiveType type) { return is_stored_byte(type) || type == kS16; }

// Of integers, as all of a product of integers are.
std::optional<int64_t> integer_splat(const Rewriter& r, InstructionId id) {
  const std::optional<Literal> value = splat_value(r, id);
  if (!value) return std::nullopt;
  return integer_at(*value, 0);
}

// A constant whose numbers are all bytes with sign, as such.
std::optional<Literal> as_bytes(const Literal& literal) {
  if (literal.element_count() == 0) return std::nullopt;
  Literal bytes = Literal::zeros(Shape::array(kS8, literal.shape().dimensions));
  for (int64_t n = 0; n < literal.element_count(); ++n) {
    const int64_t value = integer_at(literal, n);
    if (value < -128 || value > 127) return std::nullopt;
    bytes.mutable_data<int8_t>()[n] = static_cast<int8_t>(value);
  }
  return bytes;
}

// What an instruction takes off its first operand, or adds to either.
struct ZeroPoint {
  InstructionId of;
  int64_t zero;
};
std::optional<ZeroPoint> zero_point_of(const Rewriter& r, const Instruction& i) {
  if (i.opcode != Opcode::kAdd && i.opcode != Opcode::kSubtract) return std::nullopt;
  if (const auto by = integer_splat(r, i.operands[1]))
    return ZeroPoint{i.operands[0], i.opcode == Opcode::kAdd ? -*by : *by};
  if (i.opcode == Opcode::kAdd)
    if (const auto by = integer_splat(r, i.operands[0])) return ZeroPoint{i.operands[1], -*by};
  return std::nullopt;
}

class NarrowContractions {
 public:
  NarrowContractions(Rewriter& r, const Target& target) : r_(r), target_(target) {}

  InstructionId visit(const Instruction& i) {
    const bool product = i.opcode == Opcode::kDot || i.opcode == Opcode::kConvolution;
    if (!product || (i.shape.element_type != kS32 && i.shape.element_type != kS64)) return kNone;
    const std::optional<Bytes> left = bytes_of(i.operands[0]), right = bytes_of(i.operands[1]);
    if (!left || !right || (!left->changes && !right->changes)) return kNone;
    if (!costs::products_of_bytes_pay(target_, is_known(*left) || is_known(*right))) return kNone;
    const bool wide = has_16_bits(*left) || has_16_bits(*right);
    // Of 16 bits are activations alone, and they have no zero point.
    if (wide && (left->zero != 0 || right->zero != 0 || (!is_known(*left) && !is_known(*right))))
      return kNone;
    if (i.shape.element_type == kS64 && !fits_32_bits(i, wide)) return kNone;
    if (left->zero != 0 || right->zero != 0) return without_zero(i, *left, *right);
    return widened(sum_of(i, built(*left), built(*right)), i.shape.element_type);
  }

 private:
  std::optional<Bytes> bytes_of(InstructionId id) {
    const PrimitiveType type = r_.type(id);
    if (!hlo::is_integer(type)) return std::nullopt;
    if (is_stored_byte(type)) return Bytes{.stored = id};
    if (std::optional<Bytes> widened = what_was_widened(id)) return widened;
    return type == kS16 ? std::optional(Bytes{.stored = id}) : std::nullopt;
  }

  std::optional<Bytes> what_was_widened(InstructionId id) {
    const PrimitiveType type = r_.type(id);
    Bytes out{.changes = true};
    if (const Literal* literal = constant_value(r_, id)) {
      out.known = as_bytes(*literal);
      return out.known ? std::optional(out) : std::nullopt;
    }
    for (bool has_zero = false;;) {
      const Instruction& i = r_[id];
      if (const std::optional<Bytes::View> view = view_of(id, !has_zero)) {
        out.views.push_back(*view);
        id = i.operands[0];
      } else if (const auto moved = has_zero ? std::nullopt : zero_point_of(r_, i)) {
        has_zero = true;
        out.zero = moved->zero;
        id = moved->of;
      } else if (i.opcode == Opcode::kConvert && is_stored(r_.type(i.operands[0]))) {
        out.stored = i.operands[0];
        return holds(out, type) ? std::optional(out) : std::nullopt;
      } else {
        return std::nullopt;
      }
    }
  }

  // Moves elements, or adds equal ones.
  std::optional<Bytes::View> view_of(InstructionId id, bool less_zero) const {
    const Instruction& i = r_[id];
    switch (i.opcode) {
      case Opcode::kReshape:
      case Opcode::kTranspose:
      case Opcode::kReverse:
      case Opcode::kSlice: return Bytes::View{id};
      case Opcode::kPad:
        if (const auto added = integer_splat(r_, i.operands[1]))
          return Bytes::View{id, *added, less_zero};
        return std::nullopt;
      default: return std::nullopt;
    }
  }

  // Nothing has wrapped in the wide type, and what pads add are bytes.
  bool holds(const Bytes& bytes, PrimitiveType wide) const {
    const Range stored = range_of_type(r_.type(bytes.stored));
    const Range less = {stored.low - bytes.zero, stored.high - bytes.zero};
    if (!stored.within(range_of_type(wide)) || !less.within(range_of_type(wide))) return false;
    for (const Bytes::View& view : bytes.views) {
      const __int128 added = stored_by(view, bytes.zero);
      if (!Range{added, added}.within(stored)) return false;
    }
    return true;
  }
  static __int128 stored_by(const Bytes::View& view, int64_t zero) {
    return __int128{view.added} + (view.less_zero ? zero : 0);
  }

  InstructionId built(const Bytes& bytes) {
    if (bytes.known) return constant(r_, *bytes.known);
    InstructionId id = bytes.stored;
    for (auto view = bytes.views.rbegin(); view != bytes.views.rend(); ++view) {
      Instruction moved = r_[view->id];
      moved.shape.element_type = r_.type(bytes.stored);
      moved.operands[0] = id;
      if (moved.opcode == Opcode::kPad)
        moved.operands[1] = constant(
            r_,
            integer(r_.type(bytes.stored), static_cast<uint64_t>(stored_by(*view, bytes.zero))));
      id = r_.add(std::move(moved));
    }
    return id;
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

  bool has_16_bits(const Bytes& bytes) const {
    return !bytes.known && r_.type(bytes.stored) == kS16;
  }
  bool is_known(const Bytes& bytes) const {
    return bytes.known || constant_value(r_, bytes.stored) != nullptr;
  }

  // No sum of products of bytes exceeds 32 bits, with a zero point of a byte's size; nor one of
  // numbers of 16 bits with bytes.
  bool fits_32_bits(const Instruction& i, bool wide) const {
    const int64_t most = wide ? int64_t{1} << 23 : 512 * 256;
    return products_of_an_element(i, r_.shape(i.operands[1])) <=
           std::numeric_limits<int32_t>::max() / most;
  }

  // The other side is known, so that its sums are.
  InstructionId without_zero(const Instruction& i, const Bytes& left, const Bytes& right) {
    const int side = left.zero != 0 ? 1 : 0;
    const Bytes &moved = side == 1 ? left : right, &weights = side == 1 ? right : left;
    const Literal* known = weights.known ? &*weights.known : constant_value(r_, weights.stored);
    if (known == nullptr || weights.zero != 0 || !weights.views.empty() ||
        (i.shape.element_type == kS64 && (moved.zero < -256 || moved.zero > 256)))
      return kNone;
    const std::optional<Features> features = output_features(i, side, known->shape());
    if (!features || has_batches(i)) return kNone;
    Instruction product = i;
    InstructionId x = built(moved);
    if (product.opcode == Opcode::kConvolution) {
      const std::optional<InstructionId> whole = padded(product, x, moved.zero);
      if (!whole) return kNone;
      x = *whole;
    }
    const Literal terms = terms_of(*known, features->in_weights, moved.zero);
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
    const Dimensions& sizes = weights.shape().dimensions;
    int64_t behind = 1;
    for (size_t d = static_cast<size_t>(feature) + 1; d < sizes.size(); ++d) behind *= sizes[d];
    const int64_t features = sizes[static_cast<size_t>(feature)];
    std::vector<int32_t> terms(static_cast<size_t>(features));
    std::vector<uint64_t> sums(static_cast<size_t>(features));
    for (int64_t n = 0; n < weights.element_count(); ++n)
      sums[static_cast<size_t>(n / behind % features)] +=
          static_cast<uint64_t>(integer_at(weights, n));
    for (size_t n = 0; n < sums.size(); ++n)
      terms[n] =
          static_cast<int32_t>(static_cast<uint32_t>(0 - static_cast<uint64_t>(zero) * sums[n]));
    return Literal::array<int32_t>(kS32, {features}, terms);
  }

  Rewriter& r_;
  const Target& target_;
};

}  // namespace

Status narrow_contractions(hlo::Module& module, const PassContext& context) {
  const Rule rule = [&](Rewriter& r, const Instruction& i) {
    return NarrowContractions(r, context.target).visit(i);
  };
  HLOCC_TRY_ASSIGN(const bool changed, rewrite(module, rule));
  return changed ? simplify(module, context) : Status();
}

}  // namespace hlocc::transforms

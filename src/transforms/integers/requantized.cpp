// See requantized.h. One function a part: affine (by the form of its products), rounding (by the
// rows of costs/roundings.def), clamp.
#include "transforms/integers/requantized.h"

#include <bit>

#include "transforms/integers/quantized_step.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;
using costs::ChannelIntegers, costs::Requantization, costs::Rounding;

// A number in every place of an array like x.
InstructionId every(Rewriter& r, InstructionId x, int64_t value) {
  return splat(r, integer(r.type(x), static_cast<uint64_t>(value)), r.shape(x).dimensions);
}
InstructionId shifted(Rewriter& r, InstructionId x, int64_t by) {
  return by == 0 ? x : binary(r, Opcode::kShiftRightArithmetic, x, every(r, x, by));
}

// --- the rows of costs/roundings.def; nothing may overflow with half of 2^shift added ---
InstructionId down(Rewriter& r, InstructionId sum, int shift) { return shifted(r, sum, shift); }
InstructionId with_ties(Rewriter& r, InstructionId sum, int shift, bool to_even) {
  if (shift == 0) return sum;
  const InstructionId odd = binary(r, Opcode::kAnd, shifted(r, sum, shift), every(r, sum, 1));
  const InstructionId half = every(r, sum, (int64_t{1} << (shift - 1)) - (to_even ? 1 : 0));
  const InstructionId moved = binary(r, Opcode::kAdd, sum, half);
  return shifted(r, binary(r, to_even ? Opcode::kAdd : Opcode::kSubtract, moved, odd), shift);
}
InstructionId halves_to_even(Rewriter& r, InstructionId sum, int shift) {
  return with_ties(r, sum, shift, true);
}
InstructionId halves_to_odd(Rewriter& r, InstructionId sum, int shift) {
  return with_ties(r, sum, shift, false);
}
// Floats are rounded to an integer that is too great by `more`.
InstructionId converted(Rewriter& r, InstructionId x, int64_t&) {
  return convert(r, unary(r, Opcode::kRoundNearestEven, x), kS32);
}
InstructionId last_bits(Rewriter& r, InstructionId x, int64_t& more) {
  more = std::bit_cast<int32_t>(costs::kRounder);
  const Dimensions dimensions = r.shape(x).dimensions;
  const InstructionId rounder = splat(r, Literal::scalar(kF32, costs::kRounder), dimensions);
  return bitcast_convert(r, binary(r, Opcode::kAdd, x, rounder), Shape::array(kS32, dimensions));
}

// By enumerator; null for what the other rounds.
constexpr InstructionId (*kShifts[])(Rewriter&, InstructionId, int) = {
#define HLOCC_ROUNDING(enumerator, function) function,
#define HLOCC_FLOAT_ROUNDING(enumerator, function, most) nullptr,
#include "costs/roundings.def"
};
constexpr InstructionId (*kFloatRoundings[])(Rewriter&, InstructionId, int64_t&) = {
#define HLOCC_ROUNDING(enumerator, function) nullptr,
#define HLOCC_FLOAT_ROUNDING(enumerator, function, most) function,
#include "costs/roundings.def"
};

class RequantizationBuilder {
 public:
  RequantizationBuilder(Rewriter& r, const Requantization& form, RequantizedArrays of,
                        const Shape& shape)
      : r_(r), form_(form), of_(std::move(of)), shape_(shape) {}

  InstructionId build() {
    if (!form_.table.empty())
      return looked_up(r_, of_.arrays[0],
                       integers(shape_.element_type, {std::ssize(form_.table)}, form_.table));
    if (of_.arrays.empty()) return convert(r_, spread(form_.offsets), shape_.element_type);
    return clamped(!form_.scales.empty()   ? in_floats()
                   : form_.form.inside     ? with_offset_inside()
                   : form_.form.wide       ? in_64_bits()
                   : of_.arrays.size() > 1 ? of_several()
                                           : in_words());
  }

 private:
  InstructionId add(InstructionId a, InstructionId b) { return binary(r_, Opcode::kAdd, a, b); }
  InstructionId multiply(InstructionId a, InstructionId b) {
    return binary(r_, Opcode::kMultiply, a, b);
  }
  InstructionId rounded(InstructionId sum, int shift) {
    return kShifts[static_cast<size_t>(form_.rounding)](r_, sum, shift);
  }
  InstructionId word(InstructionId x) { return convert(r_, x, kS32); }

  // A number for each channel, or one for all.
  InstructionId spread(const ChannelIntegers& values, PrimitiveType type = kS32) {
    const Dimensions sizes = values.size() == 1 ? Dimensions{} : of_.sizes;
    const Dimensions mapping = values.size() == 1 ? Dimensions{} : of_.mapping;
    return broadcast_constant(r_, integers(type, sizes, values), shape_.dimensions, mapping);
  }

  // As a multiplication: a shift would have to guard against amounts that only we know to be small.
  InstructionId moved(InstructionId x) {
    const int before = form_.form.before;
    return before == 0 ? x : multiply(x, every(r_, x, int64_t{1} << before));
  }

  InstructionId high_word(InstructionId x) {
    const InstructionId factor = convert(r_, spread(form_.factors[0]), kS64);
    if (!form_.form.inside) x = moved(x);
    const InstructionId product = multiply(convert(r_, x, kS64), factor);
    return convert(r_, shifted(r_, product, 32), kS32);
  }

  InstructionId in_pieces(InstructionId x) {
    InstructionId sum = kNone;
    const FixedForm& form = form_.form;
    for (int piece = 0; piece < form.pieces; ++piece) {
      ChannelIntegers parts;
      for (const int64_t factor : form_.factors[0]) {
        const int64_t upper = factor >> (form.bits * piece);
        const bool is_last = piece + 1 == form.pieces;
        parts.push_back(is_last ? upper : upper & ((int64_t{1} << form.bits) - 1));
      }
      const InstructionId product = multiply(x, spread(parts));
      sum = sum == kNone ? product : add(product, shifted(r_, sum, form.bits));
    }
    return sum;
  }

  InstructionId in_words() {
    InstructionId x = word(of_.arrays[0]);
    const InstructionId exact = x;
    for (const ChannelIntegers& late : form_.corrections)
      x = add(x, word(compare(r_, exact, spread(late), hlo::Direction::kEq)));
    InstructionId sum = form_.form.pieces == 0 ? high_word(x) : in_pieces(x);
    sum = add(sum, spread(form_.offsets));
    if (form_.form.bent)
      sum = add(sum, binary(r_, Opcode::kAnd, shifted(r_, x, 31), spread(form_.bends)));
    return rounded(sum, form_.shift - form_.form.part());
  }

  // Words hold the products of several arrays.
  InstructionId of_several() {
    const InstructionId offset = offset_of_pair();
    InstructionId sum = kNone;
    for (size_t n = 0; n < of_.arrays.size(); ++n) {
      const InstructionId factor = spread(form_.factors[n]);
      const InstructionId product = multiply(word(of_.arrays[n]), factor);
      sum = sum == kNone ? add(product, offset) : add(sum, product);
    }
    return rounded(sum, form_.shift);
  }
  InstructionId offset_of_pair() {
    InstructionId offset = spread(form_.offsets);
    for (const Requantization::Exception& e : form_.exceptions) {
      const InstructionId number = word(of_.arrays[e.of_first ? 0 : 1]);
      const InstructionId holds =
          compare(r_, number, every(r_, number, e.number), hlo::Direction::kEq);
      offset = select(r_, holds, every(r_, number, e.offset), offset);
    }
    return offset;
  }

  InstructionId in_64_bits() {
    InstructionId sum = kNone;
    for (size_t n = 0; n < of_.arrays.size(); ++n) {
      const InstructionId product =
          multiply(convert(r_, of_.arrays[n], kS64), convert(r_, spread(form_.factors[n]), kS64));
      sum = sum == kNone ? product : add(sum, product);
    }
    sum = add(sum, spread(form_.offsets, kS64));
    return word(rounded(sum, form_.shift));
  }

  // A bias becomes part of the offset.
  InstructionId with_offset_inside() {
    InstructionId x = word(of_.arrays[0]);
    ChannelIntegers offsets = form_.offsets;
    if (std::optional<BiasedSum> sum = biased_sum(r_, x, of_.mapping, of_.sizes)) {
      x = sum->unbiased;
      of_.mapping = sum->mapping;
      of_.sizes = sum->sizes;
      if (offsets.size() == 1) offsets.resize(sum->bias.size(), offsets.front());
      // In numbers that wrap, as the sums do.
      for (size_t at = 0; at < offsets.size(); ++at)
        offsets[at] += sum->bias[at] << form_.form.before;
    }
    InstructionId high = high_word(add(moved(x), spread(offsets)));
    if (form_.form.bent) {
      const InstructionId is_below =
          compare(r_, high, every(r_, high, form_.turn), hlo::Direction::kLt);
      high = add(high, select(r_, is_below, spread(form_.bends), every(r_, high, 0)));
    }
    return rounded(high, form_.shift - form_.form.part());
  }

  InstructionId in_floats() {
    const InstructionId scales = broadcast_constant(
        r_, Literal::array<float>(kF32, of_.sizes, form_.scales), shape_.dimensions, of_.mapping);
    int64_t more = 0;
    const InstructionId product = multiply(convert(r_, of_.arrays[0], kF32), scales);
    const InstructionId whole =
        kFloatRoundings[static_cast<size_t>(form_.rounding)](r_, product, more);
    const int64_t offset = form_.offsets[0] - more;
    return offset == 0 ? whole : add(whole, every(r_, whole, offset));
  }

  InstructionId clamped(InstructionId x) {
    x = binary(r_, Opcode::kMaximum, x, every(r_, x, form_.low));
    x = binary(r_, Opcode::kMinimum, x, every(r_, x, form_.high));
    if (form_.zero != 0) x = add(x, every(r_, x, form_.zero));
    return convert(r_, x, shape_.element_type);
  }

  using FixedForm = costs::FixedForm;
  Rewriter& r_;
  const Requantization& form_;
  RequantizedArrays of_;
  const Shape& shape_;
};

}  // namespace

InstructionId requantized(Rewriter& r, const Requantization& form, RequantizedArrays of,
                          const Shape& shape) {
  return RequantizationBuilder(r, form, std::move(of), shape).build();
}

InstructionId looked_up(Rewriter& r, InstructionId bytes, Literal values) {
  const Dimensions dimensions = r.shape(bytes).dimensions;
  const InstructionId place =
      r.type(bytes) == kU8 ? bytes : bitcast_convert(r, bytes, Shape::array(kU8, dimensions));
  hlo::GatherAttributes gather;
  gather.collapsed_slice_dims = gather.start_index_map = {0};
  gather.index_vector_dim = static_cast<int64_t>(dimensions.size());
  gather.slice_sizes = {1};
  return r.add(Opcode::kGather, {constant(r, std::move(values)), place}, std::move(gather));
}

std::optional<BiasedSum> biased_sum(const Rewriter& r, InstructionId id, const Dimensions& mapping,
                                    const Dimensions& sizes) {
  const Instruction& sum = r[id];
  if (sum.opcode != Opcode::kAdd || r.type(id) != kS32) return std::nullopt;
  for (const int place : {0, 1}) {
    const std::optional<ChannelConstant> constant = channel_constant(r, sum.operands[place]);
    if (!constant) continue;
    const Dimensions& own = constant->values.shape().dimensions;
    if (product(sizes) != 1 && mapping != constant->mapping) continue;
    return BiasedSum{sum.operands[1 - place], whole_numbers(constant->values), constant->mapping,
                     own};
  }
  return std::nullopt;
}

}  // namespace hlocc::transforms

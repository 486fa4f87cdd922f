// requantize: what quantised networks do with an accumulator (scale, round, add a zero point,
// clamp), as one fixed-point multiplication. Models spell it in floats or in 64 bits; a core
// without vectors computes a float in a dozen instructions, or in a hundred where there is no float
// unit. The spelling is read as a step function of at most 255 steps a channel, and the cheapest
// fixed-point form that equals the same step function replaces it; where none does, the spelling
// stays. Vectors that convert floats to the nearest integer in one instruction keep a float's one
// scale, and leave the rest to integers.
#include <bit>

#include "costs/requantize.h"
#include "transforms/build.h"
#include "transforms/integers/channel_fits.h"
#include "transforms/integers/fixed_ties.h"
#include "transforms/integers/requantize_pairs.h"
#include "transforms/integers/requantize_sums.h"
#include "transforms/integers/rounded_floats.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

class Requantizer {
 public:
  Requantizer(Rewriter& r, const Target& target) : r_(r), ranges_(r), target_(target) {}

  InstructionId visit(const Instruction& i) {
    if (i.opcode != Opcode::kConvert) return kNone;
    const int bits = hlo::type_bits(i.shape.element_type);
    if (bits == 16) return of_several(i);
    if (bits != 8) return kNone;
    std::optional<MonotoneChain> chain = monotone_chain(r_, i, ranges_);
    if (!chain) return of_several(i);
    const bool is_real = chain->is_real(), in_floats = costs::float_scale_pays(target_, is_real);
    if (!in_floats && !costs::fixed_point_pays(target_, is_real)) return kNone;
    // Pieces of a factor have no room for larger sums.
    const bool has_one_offset = costs::has_long_multiply(target_) || in_floats;
    const std::optional<ChannelFits> channels = channel_fits(r_, *chain, ranges_, has_one_offset);
    if (!channels) return of_several(i);
    const InstructionId made = channels->are_flat() ? level(*chain, *channels, i.shape)
                                                    : in_one_form(*chain, *channels, i.shape);
    return made == kNone ? of_several(i) : made;
  }

 private:
  // In integers or in floats, whichever is less.
  InstructionId in_one_form(MonotoneChain& chain, const ChannelFits& channels, const Shape& shape) {
    const std::vector<ChannelFit>& fits = channels.fits;
    const int most = costs::most_corrections(target_);
    const bool in_floats = costs::float_scale_pays(target_, chain.is_real()),
               in_integers = costs::fixed_point_pays(target_, chain.is_real()),
               converts = costs::rounds_vectors(target_),
               long_multiply = costs::has_long_multiply(target_);
    std::optional<FixedPoint> fixed;
    // Products of 64 bits halve the lanes of what is no contraction.
    if (in_integers && costs::offset_goes_inside(target_) &&
        (!chain.is_real() || is_of_contraction(chain)))
      fixed = fit_inside(fits);
    if (!fixed && in_floats && in_integers && !converts)
      fixed = fit(fits, long_multiply, std::min(most, costs::kCheaperThanFloats));
    if (in_floats && !fixed)
      if (const auto floats = fit_rounded_floats(fits, converts ? kMostConverted : kMostRounded)) {
        take_biases(chain, channels);
        return built(chain, *floats, shape);
      }
    if (!in_integers) return kNone;
    if (!fixed) fixed = fit(fits, long_multiply, most);
    // One instruction rounds to even where no correction is worth it.
    if (!fixed && most != 0) fixed = fit_ties(fits);
    if (!fixed) return kNone;
    take_biases(chain, channels);
    return built(chain, *fixed, shape);
  }

  bool is_of_contraction(const MonotoneChain& chain) const {
    const std::optional<BiasedSum> sum = biased_sum(r_, chain);
    const Opcode made_by = r_[sum ? sum->unbiased : chain.base].opcode;
    return made_by == Opcode::kConvolution || made_by == Opcode::kDot;
  }

  // The one number of each channel.
  InstructionId level(const MonotoneChain& chain, const ChannelFits& channels, const Shape& shape) {
    std::vector<int64_t> numbers;
    for (const ChannelFit& fit : channels.fits) numbers.push_back(fit.function.first);
    return convert(r_, spread(chain, numbers, shape.dimensions), shape.element_type);
  }

  void take_biases(MonotoneChain& chain, const ChannelFits& channels) {
    if (channels.unbiased == kNone) return;
    const Dimensions dimensions = r_.shape(chain.base).dimensions;
    chain.base =
        binary(r_, Opcode::kAdd, channels.unbiased, spread(chain, channels.biases, dimensions));
  }

  // What is made of more than one array, or equals no step function that a fixed-point number does.
  InstructionId of_several(const Instruction& i) {
    const InstructionId pair = requantized_pair(r_, i, ranges_, target_);
    return pair == kNone ? requantized_sum(r_, i, ranges_, target_) : pair;
  }

  // A number for each channel, or one for all.
  InstructionId spread(const MonotoneChain& chain, std::span<const int64_t> values,
                       const Dimensions& dimensions) {
    const std::vector<int32_t> words(values.begin(), values.end());
    return broadcast_constant(r_, Literal::array<int32_t>(kS32, chain.sizes, words), dimensions,
                              chain.mapping);
  }

  // `value`, or x shifted by it, in every place.
  InstructionId every(int64_t value, const Dimensions& dimensions) {
    return splat(r_, Literal::scalar(kS32, static_cast<int32_t>(value)), dimensions);
  }
  InstructionId shifted(InstructionId x, int64_t by, Opcode opcode) {
    const Dimensions dimensions = r_.shape(x).dimensions;
    return by == 0 ? x : binary(r_, opcode, x, every(by, dimensions));
  }

  // As a multiplication: a shift would have to guard against amounts that only we know to be small.
  InstructionId moved(InstructionId x, int before) {
    const Dimensions dimensions = r_.shape(x).dimensions;
    return before == 0 ? x
                       : binary(r_, Opcode::kMultiply, x, every(int64_t{1} << before, dimensions));
  }

  InstructionId high_word(const MonotoneChain& chain, const FixedPoint& fixed, InstructionId x,
                          int before) {
    const Dimensions dimensions = r_.shape(x).dimensions;
    const InstructionId factor = convert(r_, spread(chain, fixed.factors, dimensions), kS64);
    const InstructionId wide = convert(r_, moved(x, before), kS64);
    const InstructionId product = binary(r_, Opcode::kMultiply, wide, factor);
    const InstructionId word = splat(r_, Literal::scalar(kS64, int64_t{32}), dimensions);
    return convert(r_, binary(r_, Opcode::kShiftRightArithmetic, product, word), kS32);
  }

  InstructionId in_pieces(const MonotoneChain& chain, const FixedPoint& fixed, InstructionId x) {
    const Dimensions dimensions = r_.shape(x).dimensions;
    InstructionId sum = kNone;
    for (int piece = 0; piece < fixed.form.pieces; ++piece) {
      std::vector<int64_t> factors;
      for (const int64_t factor : fixed.factors) {
        const int64_t upper = factor >> (fixed.form.bits * piece);
        const bool is_last = piece + 1 == fixed.form.pieces;
        factors.push_back(is_last ? upper : upper & ((int64_t{1} << fixed.form.bits) - 1));
      }
      const InstructionId product =
          binary(r_, Opcode::kMultiply, x, spread(chain, factors, dimensions));
      if (sum != kNone) sum = shifted(sum, fixed.form.bits, Opcode::kShiftRightArithmetic);
      sum = sum == kNone ? product : binary(r_, Opcode::kAdd, product, sum);
    }
    return sum;
  }

  // What is multiplied where the offset is part of it, with a bias that becomes part of the offset.
  InstructionId with_offset(MonotoneChain& chain, FixedPoint& fixed) {
    InstructionId x = r_.type(chain.base) == kS32 ? chain.base : convert(r_, chain.base, kS32);
    std::vector<int64_t> offsets = fixed.offsets;
    if (const std::optional<BiasedSum> sum = biased_sum(r_, chain)) {
      x = sum->unbiased;
      chain.mapping = sum->bias.mapping;
      chain.sizes = sum->bias.values.shape().dimensions;
      const auto channels = static_cast<size_t>(product(chain.sizes));
      for (std::vector<int64_t>* numbers : {&fixed.factors, &fixed.bends, &offsets})
        if (numbers->size() == 1) numbers->resize(channels, numbers->front());
      // In numbers that wrap, as the sums do.
      for (size_t at = 0; at < channels; ++at)
        offsets[at] += integer_at(sum->bias.values, static_cast<int64_t>(at)) << fixed.form.before;
    }
    const Dimensions dimensions = r_.shape(x).dimensions;
    return binary(r_, Opcode::kAdd, moved(x, fixed.form.before),
                  spread(chain, offsets, dimensions));
  }

  InstructionId built_inside(MonotoneChain& chain, FixedPoint fixed, const Shape& shape) {
    const Dimensions dimensions = shape.dimensions;
    const InstructionId sum = with_offset(chain, fixed);
    InstructionId high = high_word(chain, fixed, sum, /*before=*/0);
    if (fixed.form.bent) {
      const InstructionId is_below =
          compare(r_, high, every(fixed.turn, dimensions), hlo::Direction::kLt);
      high = binary(
          r_, Opcode::kAdd, high,
          select(r_, is_below, spread(chain, fixed.bends, dimensions), every(0, dimensions)));
    }
    high = shifted(high, fixed.shift - fixed.form.part(), Opcode::kShiftRightArithmetic);
    return clamped(high, fixed.low, fixed.high, shape);
  }

  InstructionId built(MonotoneChain& chain, const FixedPoint& fixed, const Shape& shape) {
    if (fixed.form.inside) return built_inside(chain, fixed, shape);
    const Dimensions dimensions = shape.dimensions;
    InstructionId x = r_.type(chain.base) == kS32 ? chain.base : convert(r_, chain.base, kS32);
    const InstructionId exact = x;
    for (const std::vector<int64_t>& late : fixed.corrections) {
      const InstructionId is_late =
          compare(r_, exact, spread(chain, late, dimensions), hlo::Direction::kEq);
      x = binary(r_, Opcode::kAdd, x, convert(r_, is_late, kS32));
    }
    InstructionId sum = fixed.form.pieces == 0 ? high_word(chain, fixed, x, fixed.form.before)
                                               : in_pieces(chain, fixed, x);
    sum = binary(r_, Opcode::kAdd, sum, spread(chain, fixed.offsets, dimensions));
    if (fixed.form.bent)
      sum = binary(r_, Opcode::kAdd, sum,
                   binary(r_, Opcode::kAnd, shifted(x, 31, Opcode::kShiftRightArithmetic),
                          spread(chain, fixed.bends, dimensions)));
    sum = rounded_shift(r_, sum, fixed.shift - fixed.form.part(), fixed.ties);
    return clamped(sum, fixed.low, fixed.high, shape);
  }

  InstructionId built(const MonotoneChain& chain, const RoundedFloats& floats, const Shape& shape) {
    const Dimensions& dimensions = shape.dimensions;
    const InstructionId scale = broadcast_constant(
        r_, Literal::array<float>(kF32, chain.sizes, floats.scales), dimensions, chain.mapping);
    const InstructionId product =
        binary(r_, Opcode::kMultiply, convert(r_, chain.base, kF32), scale);
    const InstructionId whole =
        costs::rounds_vectors(target_) ? converted(product) : last_bits(product);
    const int64_t offset =
        floats.offset -
        (costs::rounds_vectors(target_) ? 0 : int64_t{std::bit_cast<int32_t>(kRounder)});
    const InstructionId sum =
        offset == 0 ? whole : binary(r_, Opcode::kAdd, whole, every(offset, dimensions));
    return clamped(sum, floats.low, floats.high, shape);
  }

  InstructionId converted(InstructionId x) {
    return convert(r_, unary(r_, Opcode::kRoundNearestEven, x), kS32);
  }
  // The nearest even integer, too great by the bits of kRounder.
  InstructionId last_bits(InstructionId x) {
    const Dimensions dimensions = r_.shape(x).dimensions;
    const InstructionId sum =
        binary(r_, Opcode::kAdd, x, splat(r_, Literal::scalar(kF32, kRounder), dimensions));
    return bitcast_convert(r_, sum, Shape::array(kS32, dimensions));
  }

  InstructionId clamped(InstructionId x, int64_t low, int64_t high, const Shape& shape) {
    x = binary(r_, Opcode::kMaximum, x, every(low, shape.dimensions));
    x = binary(r_, Opcode::kMinimum, x, every(high, shape.dimensions));
    return convert(r_, x, shape.element_type);
  }

  Rewriter& r_;
  IntegerRanges ranges_;
  const Target& target_;
};

}  // namespace

Status requantize(hlo::Module& module, const PassContext& context) {
  for (ComputationId id : hlo::computation_order(module)) {
    std::optional<Requantizer> requantizer;
    const Rule rule = [&](Rewriter& r, const Instruction& i) {
      if (!requantizer) requantizer.emplace(r, context.target);
      return requantizer->visit(i);
    };
    HLOCC_TRY(Rewriter(module, id, rule).run());
    // When what ends in integers again is known.
    const Rule tables = [&](Rewriter& r, const Instruction& i) {
      return dear_function_of_bytes(r, i, context.target);
    };
    HLOCC_TRY(Rewriter(module, id, tables).run());
  }
  hlo::compact(module);
  return simplify(module, context);
}

}  // namespace hlocc::transforms

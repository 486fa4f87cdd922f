// rng as Philox over the instance's counter. XLA draws the key anew for each compilation; ours is
// always the same, so that the same firmware gives the same numbers from a fresh start. One block
// an element: the first two words make a uniform number, the last two the angle that a normal one
// needs.
#include <cmath>
#include <numbers>

#include "hlo/small_float.h"
#include "transforms/build.h"
#include "transforms/expand/expansions.h"
#include "transforms/expand/random_blocks.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

// The interpreter's, too.
constexpr uint64_t kKey = 0x5AFE5EED;

struct Blocks {
  InstructionId first, second;  // u64 arrays of the result's dimensions
};

Blocks draw(Rewriter& r, const Dimensions& dimensions) {
  const int64_t count = product(dimensions);
  const InstructionId state = r.add(hlo::make(
      Opcode::kRngGetAndUpdateState, Shape::array(kU64, {2}), {}, hlo::RngStateAttributes{count}));
  const auto word = [&](int64_t i) { return reshape(r, slice(r, state, 0, i, i + 1), {}); };
  const InstructionId numbers = reshape(r, block_numbers(r, count), dimensions);
  const auto x =
      philox(r, constant(r, Literal::scalar(kU64, kKey)), plus(r, {word(0), word(1)}, numbers));
  return {joined_words(r, x[0], x[1]), joined_words(r, x[2], x[3])};
}

InstructionId spread_number(Rewriter& r, PrimitiveType type, double value, InstructionId like) {
  return splat(r, number(type, value), Dimensions(r.shape(like).dimensions));
}

// A fraction in [0, 1) of so many random bits.
InstructionId fraction(Rewriter& r, InstructionId bits, int count, PrimitiveType type) {
  const InstructionId by =
      splat(r, Literal::scalar(kU64, uint64_t(64 - count)), Dimensions(r.shape(bits).dimensions));
  const InstructionId whole = convert(r, binary(r, Opcode::kShiftRightLogical, bits, by), type);
  return binary(r, Opcode::kMultiply, whole,
                spread_number(r, type, std::ldexp(1.0, -count), whole));
}

int mantissa_bits(PrimitiveType type) {
  if (type == kF64) return 53;
  if (type == kF32) return 23;
  return hlo::small_float_format(type)->mantissa_bits;
}

// low + bits % (high - low), all in 64 bits; an empty range gives low.
InstructionId uniform_integer(Rewriter& r, const Instruction& instruction, const Blocks& blocks) {
  const Dimensions dimensions = instruction.shape.dimensions;
  const InstructionId low = convert(r, instruction.operands[0], kU64);
  const InstructionId range =
      binary(r, Opcode::kSubtract, convert(r, instruction.operands[1], kU64), low);
  const InstructionId zero = constant(r, Literal::scalar(kU64, uint64_t{0}));
  const InstructionId empty = compare(r, range, zero, hlo::Direction::kEq);
  const InstructionId rest =
      binary(r, Opcode::kRemainder, blocks.first, broadcast(r, range, dimensions));
  const InstructionId inside =
      select(r, broadcast(r, empty, dimensions), zeros(r, kU64, dimensions), rest);
  return convert(r, binary(r, Opcode::kAdd, broadcast(r, low, dimensions), inside),
                 instruction.shape.element_type);
}

// sqrt(-2 log u) cos(2 pi v), by Box and Muller.
InstructionId normal(Rewriter& r, const Blocks& blocks, PrimitiveType type) {
  const InstructionId smallest = spread_number(r, type, 1e-7, blocks.first);
  const InstructionId u =
      binary(r, Opcode::kMaximum, fraction(r, blocks.first, 53, type), smallest);
  const InstructionId angle = binary(r, Opcode::kMultiply, fraction(r, blocks.second, 53, type),
                                     spread_number(r, type, 2 * std::numbers::pi, u));
  const InstructionId square =
      binary(r, Opcode::kMultiply, math(r, Opcode::kLog, u), spread_number(r, type, -2, u));
  return binary(r, Opcode::kMultiply, math(r, Opcode::kSqrt, square), math(r, Opcode::kCos, angle));
}

}  // namespace

InstructionId expand_rng(Rewriter& r, const Instruction& instruction) {
  const PrimitiveType type = instruction.shape.element_type;
  const Dimensions dimensions = instruction.shape.dimensions;
  const Blocks blocks = draw(r, dimensions);
  if (!is_float(type)) return uniform_integer(r, instruction, blocks);
  const PrimitiveType wide = type == kF64 ? kF64 : kF32;
  const InstructionId a = convert(r, instruction.operands[0], wide),
                      b = convert(r, instruction.operands[1], wide);
  const bool is_normal =
      instruction.get<hlo::RngAttributes>().distribution == hlo::RngDistribution::kNormal;
  const InstructionId unit =
      is_normal ? normal(r, blocks, wide) : fraction(r, blocks.first, mantissa_bits(type), wide);
  const InstructionId factor = is_normal ? b : binary(r, Opcode::kSubtract, b, a);
  const InstructionId scaled = binary(r, Opcode::kMultiply, unit, broadcast(r, factor, dimensions));
  return convert(r, binary(r, Opcode::kAdd, scaled, broadcast(r, a, dimensions)), type);
}

}  // namespace hlocc::transforms

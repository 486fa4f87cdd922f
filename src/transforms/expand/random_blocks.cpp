// ThreeFry and Philox, unrolled into elementwise ops that become one kernel.
#include "transforms/expand/random_blocks.h"

#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

// Words of one shape, so that rounds read like the algorithm.
class Words {
 public:
  Words(Rewriter& r, const Dimensions& dimensions) : r_(r), dimensions_(dimensions) {}
  InstructionId of(uint32_t value) { return splat(r_, Literal::scalar(kU32, value), dimensions_); }
  InstructionId spread(InstructionId scalar) { return broadcast(r_, scalar, dimensions_); }
  InstructionId add(InstructionId a, InstructionId b) { return binary(r_, Opcode::kAdd, a, b); }
  InstructionId exclusive_or(InstructionId a, InstructionId b) {
    return binary(r_, Opcode::kXor, a, b);
  }
  InstructionId rotated(InstructionId x, uint32_t by) {
    return binary(r_, Opcode::kOr, binary(r_, Opcode::kShiftLeft, x, of(by)),
                  binary(r_, Opcode::kShiftRightLogical, x, of(32 - by)));
  }
  // Low and high word of x * factor.
  InstructionId low_product(InstructionId x, uint32_t factor) {
    return binary(r_, Opcode::kMultiply, x, of(factor));
  }
  InstructionId high_product(InstructionId x, uint32_t factor) {
    return high_word(r_, binary(r_, Opcode::kMultiply, convert(r_, x, kU64),
                                splat(r_, Literal::scalar(kU64, uint64_t{factor}), dimensions_)));
  }

 private:
  Rewriter& r_;
  Dimensions dimensions_;
};

}  // namespace

InstructionId low_word(Rewriter& r, InstructionId x) { return convert(r, x, kU32); }

InstructionId high_word(Rewriter& r, InstructionId x) {
  const InstructionId by =
      splat(r, Literal::scalar(kU64, uint64_t{32}), Dimensions(r.shape(x).dimensions));
  return convert(r, binary(r, Opcode::kShiftRightLogical, x, by), kU32);
}

InstructionId joined_words(Rewriter& r, InstructionId first, InstructionId second) {
  const InstructionId by =
      splat(r, Literal::scalar(kU64, uint64_t{32}), Dimensions(r.shape(first).dimensions));
  const InstructionId high = binary(r, Opcode::kShiftLeft, convert(r, second, kU64), by);
  return binary(r, Opcode::kOr, convert(r, first, kU64), high);
}

InstructionId block_numbers(Rewriter& r, int64_t count) { return iota(r, kU64, {count}, 0); }

Counters plus(Rewriter& r, Counters counter, InstructionId numbers) {
  const Dimensions dimensions = r.shape(numbers).dimensions;
  const InstructionId start = broadcast(r, counter.low, dimensions);
  const InstructionId low = binary(r, Opcode::kAdd, start, numbers);
  const InstructionId carry = convert(r, compare(r, low, start, hlo::Direction::kLt), kU64);
  return {low, binary(r, Opcode::kAdd, broadcast(r, counter.high, dimensions), carry)};
}

std::array<InstructionId, 2> threefry(Rewriter& r, InstructionId key, InstructionId counters) {
  constexpr uint32_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  Words w(r, Dimensions(r.shape(counters).dimensions));
  const InstructionId k0 = w.spread(low_word(r, key)), k1 = w.spread(high_word(r, key));
  const InstructionId keys[3] = {k0, k1, w.exclusive_or(w.exclusive_or(k0, k1), w.of(0x1BD11BDA))};
  InstructionId x0 = w.add(low_word(r, counters), k0), x1 = w.add(high_word(r, counters), k1);
  for (uint32_t group = 0; group < 5; ++group) {
    for (uint32_t by : rotations[group % 2]) {
      x0 = w.add(x0, x1);
      x1 = w.exclusive_or(w.rotated(x1, by), x0);
    }
    x0 = w.add(x0, keys[(group + 1) % 3]);
    x1 = w.add(x1, w.add(keys[(group + 2) % 3], w.of(group + 1)));
  }
  return {x0, x1};
}

std::array<InstructionId, 4> philox(Rewriter& r, InstructionId key, Counters counters) {
  constexpr uint32_t m0 = 0xD2511F53, m1 = 0xCD9E8D57, w0 = 0x9E3779B9, w1 = 0xBB67AE85;
  Words w(r, Dimensions(r.shape(counters.low).dimensions));
  const InstructionId k0 = w.spread(low_word(r, key)), k1 = w.spread(high_word(r, key));
  std::array<InstructionId, 4> x = {low_word(r, counters.low), high_word(r, counters.low),
                                    low_word(r, counters.high), high_word(r, counters.high)};
  for (uint32_t round = 0; round < 10; ++round) {
    const InstructionId round0 = w.add(k0, w.of(round * w0)), round1 = w.add(k1, w.of(round * w1));
    x = {w.exclusive_or(w.exclusive_or(w.high_product(x[2], m1), x[1]), round0),
         w.low_product(x[2], m1),
         w.exclusive_or(w.exclusive_or(w.high_product(x[0], m0), x[3]), round1),
         w.low_product(x[0], m0)};
  }
  return x;
}

}  // namespace hlocc::transforms

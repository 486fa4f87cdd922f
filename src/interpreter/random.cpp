// Random numbers: rng-bit-generator bit for bit as XLA's, rng from our own seed through the run's
// counter.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "interpreter/families.h"
#include "interpreter/philox.h"
#include "interpreter/strided.h"
#include "interpreter/values.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;

// The bits of each element, low bits first where fewer are needed, and the state afterwards.
struct Bits {
  std::vector<uint64_t> elements;
  std::vector<uint64_t> state;
};

// ThreeFry fills 32-bit elements in pairs: the shape is halved along its first even dimension (if
// there is none, along the largest, rounded up), and the two words of block i go to places 2j and
// 2j+1 there. 64-bit elements take a block each.
Bits threefry_bits(const Shape& shape, std::span<const uint64_t> state) {
  const int64_t count = shape.element_count();
  Bits bits{std::vector<uint64_t>(static_cast<size_t>(count)), {state.begin(), state.end()}};
  const uint64_t key = state[0], counter = state[1];
  if (hlo::type_bits(shape.element_type) == 64) {
    for (int64_t i = 0; i < count; ++i) {
      const auto words = threefry(key, counter + static_cast<uint64_t>(i));
      bits.elements[i] = words[0] | uint64_t{words[1]} << 32;
    }
    bits.state[1] = counter + static_cast<uint64_t>(count);
    return bits;
  }
  if (shape.dimensions.empty()) {
    bits.elements[0] = threefry(key, counter)[0];
    bits.state[1] = counter + 1;
    return bits;
  }
  const Dimensions& extents = shape.dimensions;
  size_t split = 0;
  while (split < extents.size() && extents[split] % 2 != 0) ++split;
  if (split == extents.size()) {
    split = 0;
    for (size_t d = 1; d < extents.size(); ++d)
      if (extents[d] > extents[split]) split = d;
  }
  Dimensions half = extents;
  half[split] = (extents[split] + 1) / 2;
  const int64_t blocks = product(half);
  const Dimensions strides = hlo::row_major_strides(extents);
  Dimensions index(half.size(), 0);
  for (int64_t block = 0; block < blocks; ++block, next_index(index, half)) {
    const auto words = threefry(key, counter + static_cast<uint64_t>(block));
    const int64_t at = dot(index, strides) + index[split] * strides[split];
    bits.elements[at] = words[0];
    if (2 * index[split] + 1 < extents[split]) bits.elements[at + strides[split]] = words[1];
  }
  bits.state[1] = counter + static_cast<uint64_t>(blocks);
  return bits;
}

// A state of three words is (key, counter low, counter high); with two, the key stands in for the
// high part.
Bits philox_bits(const Shape& shape, std::span<const uint64_t> state) {
  const int64_t count = shape.element_count();
  Bits bits{std::vector<uint64_t>(static_cast<size_t>(count)), {state.begin(), state.end()}};
  const uint64_t key = state[0];
  const Counter128 counter{state[1], state.size() > 2 ? state[2] : state[0]};
  const bool is_wide = hlo::type_bits(shape.element_type) == 64;
  const int64_t words = is_wide ? 2 * count : count, blocks = (words + 3) / 4;
  for (int64_t block = 0; block < blocks; ++block) {
    const auto x = philox(key, counter.plus(static_cast<uint64_t>(block)));
    for (int64_t w = 0; w < 4 && 4 * block + w < words; ++w) {
      const int64_t at = 4 * block + w;
      if (!is_wide) {
        bits.elements[at] = x[w];
      } else {
        bits.elements[at / 2] |= uint64_t{x[w]} << (at % 2 * 32);
      }
    }
  }
  const Counter128 next = counter.plus(static_cast<uint64_t>(blocks));
  bits.state[1] = next.low;
  if (state.size() > 2) bits.state[2] = next.high;
  return bits;
}

}  // namespace

Result<Literal> evaluate(Op<Opcode::kRngBitGenerator>, Context&, const Instruction& instruction,
                         Operands operands) {
  if (operands[0].type() != PrimitiveType::kU64 || operands[0].element_count() < 2)
    return unsupported(instruction, "a state that is not u64[2] or u64[3]");
  const auto algorithm = instruction.get<hlo::RngBitGeneratorAttributes>().algorithm;
  const Shape& shape = instruction.shape.tuple[1];
  const auto state = operands[0].data<uint64_t>();
  const Bits bits = algorithm == hlo::RngAlgorithm::kThreeFry ? threefry_bits(shape, state)
                                                              : philox_bits(shape, state);
  // Integers are cut; a float gets the bits as its code.
  Literal result = Literal::zeros(shape);
  const size_t width = static_cast<size_t>(hlo::storage_bytes(shape.element_type));
  std::byte* out = result.mutable_bytes().data();
  for (size_t i = 0; i < bits.elements.size(); ++i)
    for (size_t b = 0; b < width; ++b) {
      const size_t at = std::endian::native == std::endian::little ? b : width - 1 - b;
      out[i * width + at] = static_cast<std::byte>(bits.elements[i] >> (8 * b));
    }
  if (is_native(shape.element_type)) settle(shape.element_type, out, shape.element_count());
  return Literal::make_tuple(
      {Literal::array<uint64_t>(PrimitiveType::kU64, operands[0].shape().dimensions, bits.state),
       result});
}

// The 128-bit counter before delta is added.
Result<Literal> evaluate(Op<Opcode::kRngGetAndUpdateState>, Context& context,
                         const Instruction& instruction, Operands) {
  RunState& state = context.state;
  Literal result = Literal::zeros(instruction.shape);
  const std::span<uint64_t> words = result.mutable_data<uint64_t>();
  words[0] = state.rng_low;
  if (words.size() > 1) words[1] = state.rng_high;
  const Counter128 next = Counter128{state.rng_low, state.rng_high}.plus(
      static_cast<uint64_t>(instruction.get<hlo::RngStateAttributes>().delta));
  state.rng_low = next.low;
  state.rng_high = next.high;
  return result;
}

namespace {

// The key of rng: XLA draws one for each compilation, so that its numbers can't be reproduced; ours
// are the same always.
constexpr uint64_t rng_key = 0x5AFE5EED;

// A fraction in [0, 1) of as many bits as the type's mantissa holds.
double fraction(uint64_t bits, PrimitiveType type) {
  if (type == PrimitiveType::kF64) return std::ldexp(static_cast<double>(bits >> 11), -53);
  const int mantissa = is_native(type) ? 23 : hlo::small_float_format(type)->mantissa_bits;
  return std::ldexp(static_cast<double>(bits >> (64 - mantissa)), -mantissa);
}

}  // namespace

// uniform: [a, b); normal: mean a, standard deviation b, by Box and Muller.
Result<Literal> evaluate(Op<Opcode::kRng>, Context& context, const Instruction& instruction,
                         Operands operands) {
  const auto distribution = instruction.get<hlo::RngAttributes>().distribution;
  const Shape& shape = instruction.shape;
  const PrimitiveType type = shape.element_type;
  const int64_t count = shape.element_count();
  const Counter128 counter{context.state.rng_low, context.state.rng_high};
  const Counter128 next = counter.plus(static_cast<uint64_t>(count));
  context.state = {next.low, next.high};
  const auto block = [&](int64_t i) {
    const auto x = philox(rng_key, counter.plus(static_cast<uint64_t>(i)));
    return std::pair{x[0] | uint64_t{x[1]} << 32, x[2] | uint64_t{x[3]} << 32};
  };
  if (hlo::is_integer(type) || hlo::is_pred(type)) {
    const int64_t low = hlo::integer_at(operands[0], 0);
    const uint64_t range =
        static_cast<uint64_t>(hlo::integer_at(operands[1], 0)) - static_cast<uint64_t>(low);
    std::vector<int64_t> values(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i)
      values[i] = static_cast<int64_t>(static_cast<uint64_t>(low) +
                                       (range == 0 ? 0 : block(i).first % range));
    return literal_from(shape, values);
  }
  if (!hlo::is_float(type)) return unsupported(instruction, "a complex distribution");
  const double a = values_as<double>(operands[0])[0], b = values_as<double>(operands[1])[0];
  std::vector<double> values(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    const auto [first, second] = block(i);
    if (distribution == hlo::RngDistribution::kUniform) {
      values[i] = fraction(first, type) * (b - a) + a;
    } else {
      const double u = std::max(fraction(first, PrimitiveType::kF64), 1e-7),
                   v = fraction(second, PrimitiveType::kF64);
      values[i] = std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v) * b + a;
    }
  }
  return literal_from(shape, values);
}

}  // namespace hlocc::interpreter

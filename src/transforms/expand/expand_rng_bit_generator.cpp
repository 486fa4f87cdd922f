// rng-bit-generator as integer ops, bit for bit what XLA gives: which word of which block lands in
// which element is part of the meaning of a program that was trained or tested with these bits.
#include "transforms/build.h"
#include "transforms/expand/expansions.h"
#include "transforms/expand/random_blocks.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

InstructionId state_word(Rewriter& r, InstructionId state, int64_t i) {
  return reshape(r, slice(r, state, 0, i, i + 1), {});
}

InstructionId state_of(Rewriter& r, const std::vector<InstructionId>& words) {
  std::vector<InstructionId> vectors;
  for (InstructionId word : words) vectors.push_back(reshape(r, word, {1}));
  return concatenate(r, std::move(vectors), 0);
}

InstructionId plus_blocks(Rewriter& r, InstructionId counter, int64_t blocks) {
  return binary(r, Opcode::kAdd, counter,
                constant(r, Literal::scalar(kU64, static_cast<uint64_t>(blocks))));
}

// Arrays of one shape as neighbours along a new last dimension, in one row.
InstructionId interleaved(Rewriter& r, const std::vector<InstructionId>& words) {
  const int64_t count = r.shape(words[0]).element_count();
  std::vector<InstructionId> columns;
  for (InstructionId word : words) columns.push_back(reshape(r, word, {count, 1}));
  return reshape(r, concatenate(r, std::move(columns), 1),
                 {count * static_cast<int64_t>(words.size())});
}

// Elements are the low bits of words.
InstructionId cut(Rewriter& r, InstructionId words, const Shape& shape) {
  return convert(r, reshape(r, words, shape.dimensions), shape.element_type);
}

struct Generated {
  InstructionId state, bits;
};

// The first even dimension, else the largest (the first of them).
size_t split_dimension(const Dimensions& dimensions) {
  size_t largest = 0;
  for (size_t d = 0; d < dimensions.size(); ++d) {
    if (dimensions[d] % 2 == 0) return d;
    if (dimensions[d] > dimensions[largest]) largest = d;
  }
  return largest;
}

// 32-bit words: the shape is halved along one dimension, and the two words of a block are
// neighbours there.
InstructionId threefry_words(Rewriter& r, InstructionId key, InstructionId counter,
                             const Dimensions& dimensions, int64_t& blocks) {
  const Dimensions extents = dimensions.empty() ? Dimensions{1} : dimensions;
  const int64_t split = static_cast<int64_t>(split_dimension(extents));
  Dimensions half = extents;
  half[split] = (extents[split] + 1) / 2;
  blocks = product(half);
  const InstructionId numbers = reshape(r, block_numbers(r, blocks), half);
  const auto words = threefry(r, key, plus(r, {counter, counter}, numbers).low);
  const InstructionId both = concatenate(
      r, {unsqueeze(r, words[0], split + 1), unsqueeze(r, words[1], split + 1)}, split + 1);
  Dimensions doubled = half;
  doubled[split] *= 2;
  return slice(r, reshape(r, both, doubled), split, 0, extents[split]);
}

Generated threefry_bits(Rewriter& r, InstructionId state, const Shape& shape) {
  const InstructionId key = state_word(r, state, 0), counter = state_word(r, state, 1);
  int64_t blocks = shape.element_count();
  InstructionId bits;
  if (hlo::type_bits(shape.element_type) == 64) {
    const auto words = threefry(r, key, plus(r, {counter, counter}, block_numbers(r, blocks)).low);
    bits = joined_words(r, words[0], words[1]);
  } else {
    bits = threefry_words(r, key, counter, shape.dimensions, blocks);
  }
  return {state_of(r, {key, plus_blocks(r, counter, blocks)}), cut(r, bits, shape)};
}

// A state of three words is (key, counter low, counter high); with two, the key stands in for the
// high part.
Generated philox_bits(Rewriter& r, InstructionId state, const Shape& shape) {
  const bool is_long = r.shape(state).dimensions[0] > 2;
  const InstructionId key = state_word(r, state, 0);
  const Counters counter{state_word(r, state, 1), is_long ? state_word(r, state, 2) : key};
  const bool is_wide = hlo::type_bits(shape.element_type) == 64;
  const int64_t count = shape.element_count(), words = is_wide ? 2 * count : count,
                blocks = (words + 3) / 4;
  const auto x = philox(r, key, plus(r, counter, block_numbers(r, blocks)));
  const InstructionId row =
      is_wide ? interleaved(r, {joined_words(r, x[0], x[1]), joined_words(r, x[2], x[3])})
              : interleaved(r, {x[0], x[1], x[2], x[3]});
  const Counters next =
      plus(r, counter, constant(r, Literal::scalar(kU64, static_cast<uint64_t>(blocks))));
  std::vector<InstructionId> state_words{key, next.low};
  if (is_long) state_words.push_back(next.high);
  return {state_of(r, state_words), cut(r, slice(r, row, 0, 0, count), shape)};
}

}  // namespace

InstructionId expand_rng_bit_generator(Rewriter& r, const Instruction& instruction) {
  const bool is_threefry =
      instruction.get<hlo::RngBitGeneratorAttributes>().algorithm == hlo::RngAlgorithm::kThreeFry;
  const Shape shape = instruction.shape.tuple[1];
  if (shape.element_count() == 0)
    return tuple(r, {instruction.operands[0], zeros(r, shape.element_type, shape.dimensions)});
  const Generated generated = is_threefry ? threefry_bits(r, instruction.operands[0], shape)
                                          : philox_bits(r, instruction.operands[0], shape);
  return tuple(r, {generated.state, generated.bits});
}

}  // namespace hlocc::transforms

// Vectors that are held in words of 32 bits: which types and chips, and which word a shuffle takes.
#include "kernel/legalize/packed_words.h"

#include <catch2/catch.hpp>

#include "kernel/legalize/questions.h"
#include "legalize/harness.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

using enum Scalar;

struct Picked {
  Type from;
  std::vector<int> lanes;
  int word, interleaved;
};

}  // namespace

TEST_CASE("bytes and 16 bits are held in words where they fill them") {
  const std::pair<Type, bool> rows[] = {
      {{kS8, 4}, true},    {{kU8, 8}, true},    {{kS16, 2}, true},  {{kU16, 6}, true},
      {{kS8, 6}, false},   {{kS8, 2}, false},   {{kS16, 3}, false}, {{kS16, 1}, false},
      {{kS32, 1}, false},  {{kS32, 2}, false},  {{kS64, 2}, false}, {{kS4, 8}, false},
      {{kF16, 2}, false},  {{kBF16, 4}, false}, {{kF32, 4}, false}, {{kF8E5M2, 4}, false},
      {{kPred, 4}, false},
  };
  Target target = target_named("cortex-m0");
  target.isa = {};
  target.vector_bits = 0;
  const auto holds = [&] { return holds_words({target, {kS32, 4}, {kS32, 4}, {}}); };
  for (const auto& [type, fills] : rows) {
    INFO(to_string(type));
    CHECK(fills_words(type) == fills);
    CHECK(!is_held_in_words(target, type));
  }
  CHECK(!holds());
  target.isa.add(Isa::kDsp);
  for (const auto& [type, fills] : rows) CHECK(is_held_in_words(target, type) == fills);
  CHECK(holds());
  target.vector_bits = 128;
  for (const auto& [type, fills] : rows) CHECK(!is_held_in_words(target, type));
  CHECK(!holds());
}

TEST_CASE("a shuffle takes a word where its lanes are one, in order or with the middle exchanged") {
  const Type bytes{kU8, 8}, halves{kS16, 4};
  const Picked rows[] = {
      {bytes, {0, 1, 2, 3}, 0, -1},
      {bytes, {4, 5, 6, 7}, 1, -1},
      {bytes, {0, 2, 1, 3}, -1, 0},
      {bytes, {4, 6, 5, 7}, -1, 1},
      {bytes, {8, 9, 10, 11}, -1, -1},
      {bytes, {8, 10, 9, 11}, -1, -1},
      {bytes, {1, 2, 3, 4}, -1, -1},
      {bytes, {2, 4, 3, 5}, -1, -1},
      {bytes, {0, 1, 2, 4}, -1, -1},
      {bytes, {0, 2, 1, 4}, -1, -1},
      {bytes, {-1, 1, 2, 3}, -1, -1},
      {bytes, {0, 1}, -1, -1},
      {bytes, {0, 1, 2, 3, 4, 5, 6, 7}, -1, -1},
      {{kS8, 6}, {0, 1, 2, 3}, -1, -1},
      {{kS8, 6}, {0, 2, 1, 3}, -1, -1},
      {halves, {0, 1}, 0, -1},
      {halves, {2, 3}, 1, -1},
      {halves, {4, 5}, -1, -1},
      {halves, {1, 2}, -1, -1},
      {halves, {1, 0}, -1, -1},
      {halves, {0, 1, 2, 3}, -1, -1},
      {halves, {0, 2, 1, 3}, -1, -1},
      {{kS16, 3}, {0, 1}, -1, -1},
      {{kF16, 4}, {0, 1}, -1, -1},
      {{kS32, 4}, {0}, -1, -1},
      {{kS32, 4}, {0, 1, 2, 3}, -1, -1},
      {{kS64, 2}, {0}, -1, -1},
      {{kS4, 8}, {0, 1, 2, 3, 4, 5, 6, 7}, -1, -1},
  };
  for (const Picked& row : rows) {
    INFO(to_string(row.from) << ", lanes " << join(row.lanes, " "));
    CHECK(picked_word(row.from, row.lanes) == row.word);
    CHECK(picked_interleaved_word(row.from, row.lanes) == row.interleaved);
  }
}

}  // namespace hlocc::kernel

// Which values share a place: what lies deeper in loops goes first, and drawn sets of values, lives
// and wishes, whose blocks are digests.
#include "planning/merge.h"

#include "planning/random_programs.h"
#include "support/text.h"

namespace hlocc::planning {
namespace {

struct MergeCase {
  Program program;
  Draft draft{.program = &program};
  Liveness liveness;

  Id value(int64_t elements, Intervals taken, ValueRole role = ValueRole::kTemporary) {
    draft.values.push_back(
        {.name = "v", .element = Scalar::kS8, .elements = elements, .role = role});
    draft.copy_of.push_back(kernel::kNone);
    draft.scratch.push_back(false);
    liveness.taken.push_back(std::move(taken));
    return static_cast<Id>(draft.values.size() - 1);
  }
};

// Value `from` may go to one of two, which are there at once: at these depths, of so many bytes.
bool first_wins(int64_t bytes, int depth, int64_t other_bytes, int other_depth) {
  MergeCase c;
  const Id from = c.value(1, {{0, 2}}), first = c.value(bytes, {{2, 4}}),
           second = c.value(other_bytes, {{2, 4}});
  // Of two that weigh the same the one that is named first wins: this is the other one.
  c.liveness.moves = {{from, second, other_depth}, {from, first, depth}};
  const Blocks blocks = merge(c.draft, c.liveness, {.alignment = 1});
  CHECK(blocks.same_place(from, first) != blocks.same_place(from, second));
  return blocks.same_place(from, first);
}

TEST_CASE("a copy in a loop weighs as much as eight outside") {
  CHECK(first_wins(8, 0, 7, 0));
  CHECK_FALSE(first_wins(7, 0, 7, 0));
  CHECK(first_wins(1, 1, 7, 0));
  CHECK_FALSE(first_wins(1, 1, 8, 0));
  CHECK(first_wins(1, 8, 7, 7));
  // From eight loops on all weigh the same.
  CHECK_FALSE(first_wins(4, 9, 5, 8));
  CHECK(first_wins(6, 9, 5, 8));
}

TEST_CASE("values share a place in one block, at one offset") {
  Blocks blocks;
  blocks.block_of = {0, 0, 0, 1, -1, -1};
  blocks.offset_of = {0, 0, 16, 0, 0, 0};
  CHECK(blocks.same_place(0, 1));
  CHECK_FALSE(blocks.same_place(0, 2));
  CHECK_FALSE(blocks.same_place(0, 3));
  CHECK_FALSE(blocks.same_place(4, 5));
}

// How much memory is shared, and what the blocks hold.
tests::Figures figures_of(const Blocks& blocks) {
  tests::Figures figures;
  figures.add("values", static_cast<int64_t>(blocks.block_of.size()));
  for (const int block : blocks.block_of) figures.add("placed", block >= 0);
  for (const int64_t offset : blocks.offset_of) figures.add("bytes in front", offset);
  for (const Block& block : blocks.blocks) {
    figures.add("blocks", !block.members.empty());
    figures.add("with state", block.state != kernel::kNone);
    figures.add("in the arena only", block.arena_only);
    figures.add("with arguments", block.argument);
    figures.add("with results", block.result);
  }
  return figures;
}

TEST_CASE("blocks of drawn values") {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    MergeCase c;
    const int count = 3 + random.below(7);
    for (int i = 0; i < count; ++i) {
      static const std::vector<ValueRole> roles = {ValueRole::kTemporary, ValueRole::kTemporary,
                                                   ValueRole::kTemporary, ValueRole::kTemporary,
                                                   ValueRole::kArgument,  ValueRole::kState,
                                                   ValueRole::kConstant};
      static const std::vector<int64_t> sizes = {0, 4, 8, 16, 16, 16, 17, 32, 48};
      const int begin = random.below(12), length = 1 + random.below(4);
      Intervals taken = {{begin, begin + length}};
      if (random.below(4) == 0) taken.push_back({begin + length + 2, begin + length + 4});
      const int64_t size = random.of(sizes);
      const Id id = c.value(size, std::move(taken), random.of(roles));
      c.draft.values.back().leaf = random.below(3) == 0 ? kernel::kNone : i;
      if (id > 0 && random.below(6) == 0)
        c.draft.copy_of.back() = random.below(static_cast<size_t>(id));
    }
    const auto any = [&] { return random.below(static_cast<size_t>(count)); };
    for (int n = random.below(5); n > 0; --n) {
      const Id from = any(), to = any();
      c.liveness.moves.push_back({from, to, random.below(3)});
    }
    static const std::vector<int64_t> distances = {0, 0, 0, 1, 16, 20};
    for (int n = random.below(6); n > 0; --n) {
      const Id operand = any(), result = any();
      const int64_t ahead = random.of(distances);
      c.liveness.in_place.push_back({operand, result, ahead, random.below(3)});
      Permit permit{random.below(14), ahead, random.below(4) == 0};
      c.liveness.permits[{operand, result}].push_back(permit);
      permit.time += 1;
      c.liveness.permits[{operand, result}].push_back(permit);
    }
    // Leaves of the program that no argument is donated to.
    for (int n = random.below(3); n > 0; --n) {
      const Id id = any();
      if (c.draft.values[static_cast<size_t>(id)].role == ValueRole::kTemporary)
        c.draft.finals.push_back(id);
    }
    MergeOptions options{.keep_arguments = random.below(4) == 0,
                         .alignment = random.below(2) == 0 ? 16 : 4};
    if (random.below(4) == 0) options.apart.insert(0);
    const Blocks blocks = merge(c.draft, c.liveness, options);
    tests::add_figures("plans", figures_of(blocks));
  }
}

TEST_CASE("no run of a join is copied over itself, where a whole has equal parts") {
  for (const auto& [seed, bits] : {std::pair<uint64_t, int>{179, 128}, {300, 0}, {300, 128}}) {
    INFO("seed " << seed);
    Target target;
    target.vector_bits = bits;
    planned_and_valid(Generator::joining(seed), target);
  }
}

}  // namespace
}  // namespace hlocc::planning

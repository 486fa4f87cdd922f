// The arena in several memories: what goes into the fast one, that plans of random programs compute
// the same wherever their values lie, and that the validator knows what lies where.
#include "planning/memories.h"

#include "planning/random_programs.h"

namespace hlocc::planning {
namespace {

Divided wanted(int64_t bytes, double accesses, int begin, int end, bool is_constant = false) {
  return {{{{{{begin, end}}, 0, bytes}}, 4}, accesses, is_constant};
}

Target with_memories(int64_t fast, int64_t slow) {
  Target target;
  target.options.memories = {{"fast", fast}, {"slow", slow}};
  return target;
}

const ArenaPiece& piece_of(const Plan& plan, Id id) {
  const int slot = plan.place_in_piece(plan.places[static_cast<size_t>(id)].offset).slot;
  return slot == 0 ? plan.pieces.back() : plan.pieces[static_cast<size_t>(slot) - 1];
}

}  // namespace

TEST_CASE("what is read most for its bytes lies in the fast memory") {
  const std::vector<MemoryRoom> memories = {{100, 0}, {1000, 2}};
  const Division made =
      divide({wanted(100, 200, 0, 4), wanted(60, 300, 0, 4), wanted(40, 250, 0, 4)}, memories, 0);
  CHECK(made.memory_of == std::vector<int>{1, 0, 0});
  CHECK(made.bytes == std::vector<int64_t>{100, 100});
  CHECK(made.waited == 400);
  CHECK(made.missing == 0);
}

TEST_CASE("a large value that is worth more than the dense ones is tried, too") {
  const Division made =
      divide({wanted(10, 30, 0, 4), wanted(95, 200, 0, 4)}, {{100, 0}, {1000, 2}}, 0);
  CHECK(made.memory_of == std::vector<int>{1, 0});
}

TEST_CASE("values of different times share the fast memory") {
  const Division made = divide({wanted(100, 10, 0, 2), wanted(100, 20, 2, 4), wanted(100, 1, 1, 3)},
                               {{100, 0}, {100, 1}}, 0);
  CHECK(made.memory_of == std::vector<int>{0, 0, 1});
  CHECK(made.bytes == std::vector<int64_t>{100, 100});
}

TEST_CASE("between three memories, and what waits alike") {
  const Division made = divide({wanted(80, 10, 0, 2), wanted(80, 30, 0, 2), wanted(80, 20, 0, 2)},
                               {{80, 0}, {80, 1}, {80, 5}}, 0);
  CHECK(made.memory_of == std::vector<int>{2, 0, 1});
  CHECK(made.waited == 20 + 50);
}

TEST_CASE("what does not fit into the slow memory pushes more into the fast one") {
  // By accesses the small one would be in the fast memory, and the rest too large for the other.
  const std::vector<Divided> items = {wanted(40, 1000, 0, 2), wanted(100, 1, 0, 2),
                                      wanted(100, 1, 0, 2)};
  CHECK(divide(items, {{100, 0}, {140, 1}}, 0).missing == 0);
  const Division none = divide(items, {{100, 0}, {139, 1}}, 0);
  CHECK(none.missing == 1);
}

TEST_CASE("constants go where they are taken, if that is faster than flash") {
  const std::vector<Divided> items = {wanted(50, 100, 0, 4, true), wanted(50, 10, 0, 4)};
  const Division kept = divide(items, {{50, 0, true}, {500, 2}}, 3);
  CHECK(kept.memory_of == std::vector<int>{0, 1});
  CHECK(kept.waited == 20);
  CHECK(divide(items, {{50, 0, false}, {500, 2}}, 3).memory_of == std::vector<int>{kInFlash, 0});
  CHECK(divide(items, {{50, 3, true}, {500, 3}}, 3).memory_of == std::vector<int>{kInFlash, 0});
  // One that is never read is not worth its copy.
  CHECK(divide({wanted(50, 0, 0, 4, true)}, {{50, 0, true}, {500, 2}}, 3).memory_of ==
        std::vector<int>{kInFlash});
}

TEST_CASE("a constant that is hardly ever read is worth its copy, an unread one is not") {
  CHECK(divide({wanted(50, 0.5, 0, 4, true)}, {{50, 0, true}, {500, 2}}, 3).memory_of ==
        std::vector<int>{0});
}

TEST_CASE("which piece holds an offset, and where constants were copied to") {
  Plan plan;
  plan.pieces = {{"a", 400, 100}, {"b", 512, 16}, {"c", 528, 0}, {"last", 0, 400}};
  const auto slot = [&](int64_t offset) { return plan.place_in_piece(offset).slot; };
  CHECK(slot(0) == 0);
  CHECK(slot(399) == 0);
  CHECK(slot(400) == 1);
  CHECK(slot(499) == 1);
  CHECK(slot(500) == 0);
  CHECK(slot(512) == 2);
  CHECK(slot(527) == 2);
  CHECK(slot(528) == 3);
  CHECK(slot(529) == 0);
  CHECK(plan.place_in_piece(515).offset == 3);
  plan.kept = {{0, 0, 8, 1}, {8, 8, 8, 2}};
  CHECK(plan.kept_at(0) == &plan.kept[0]);
  CHECK(plan.kept_at(4) == nullptr);
  CHECK(plan.kept_at(8) == &plan.kept[1]);
  CHECK(plan.kept_at(9) == nullptr);
  CHECK(plan.argument_alignment(0) == 1);
  plan.argument_alignments = {4};
  CHECK(plan.argument_alignment(0) == 4);
  CHECK(plan.argument_alignment(1) == 1);
}

TEST_CASE("a plan has a piece in each memory, and values in loops weigh more") {
  ProgramMaker m;
  const Id x = m.argument(100);
  const Id s = m.stir(x, 50), t = m.stir(s, 400);
  m.result(m.stir(t, 10));
  const Plan plan = checked(m.program, with_memories(500, 4000));
  REQUIRE(plan.pieces.size() == 2);
  CHECK(plan.pieces[0].name == "fast");
  CHECK(plan.pieces[0].room == 500);
  CHECK(plan.pieces[0].bytes <= 500);
  CHECK(plan.pieces[1].begin == 0);
  CHECK(plan.pieces[0].begin % plan.arena_align == 0);
  CHECK(piece_of(plan, t).name == "slow");
  CHECK(piece_of(plan, s).name == "fast");
  CHECK(plan.waits < plan.waits_in_last);
  CHECK(plan.missing_bytes() == 0);
  CHECK(planned(m.program, with_memories(500, 1000)).missing_bytes() > 0);
}

TEST_CASE("without --memory a plan has no pieces") {
  ProgramMaker m;
  m.result(m.scale(m.argument(100)));
  const Plan plan = checked(m.program);
  CHECK(plan.pieces.empty());
  CHECK(plan.place_in_piece(123).slot == 0);
  CHECK(plan.place_in_piece(123).offset == 123);
}

TEST_CASE("a memory that holds nothing has a byte of its own") {
  ProgramMaker m;
  m.result(m.scale(m.argument(100)));
  const Plan plan = checked(m.program, with_memories(1000, 1000));
  CHECK(plan.pieces[0].bytes == 400);
  CHECK(plan.pieces[1].bytes == 1);
  const Plan other = checked(m.program, with_memories(10, 1000));
  CHECK(other.pieces[0].bytes == 1);
  CHECK(other.pieces[1].bytes == 400);
  CHECK(other.place_in_piece(399).slot == 0);
  CHECK(other.place_in_piece(other.pieces[0].begin).slot == 1);
}

TEST_CASE("plans of random programs in two memories compute what the programs compute") {
  int both = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    INFO("seed " << seed);
    const Program program = seed % 3 == 0 ? Generator::joining(seed) : Generator(seed).run();
    const int64_t whole = planned(program).arena_bytes;
    Target target = with_memories(std::max<int64_t>(whole / 3, 4), 2 * whole + 64);
    target.options.weights_memory = seed % 2 == 0 ? "fast" : "";
    target.options.keep_arguments = seed % 5 == 0;
    const Plan plan = checked(program, target);
    CHECK(plan.missing_bytes() == 0);
    CHECK(plan.pieces[0].bytes <= std::max<int64_t>(plan.pieces[0].room, 1));
    both += plan.pieces[0].bytes > 1 && plan.pieces[1].bytes > 1;
  }
  CHECK(both > 50);
}

TEST_CASE("constants that init copies lie apart from all else") {
  ProgramMaker m;
  const Id c = m.constant({1, 2, 3, 4, 5, 6, 7, 8}), d = m.constant({9, 9, 9, 9, 9, 9, 9, 9});
  m.result(m.combine(m.combine(m.argument(8), c), d));
  Target target = with_memories(72, 1000);
  target.options.weights_memory = "fast";
  const Plan plan = checked(m.program, target);
  REQUIRE(!plan.kept.empty());
  for (const KeptConstant& kept : plan.kept) {
    CHECK(plan.kept_at(kept.from) == &kept);
    CHECK(plan.place_in_piece(kept.to).slot == 1);
  }
  CHECK(plan.kept_at(plan.kept.back().from + 1) == nullptr);
  // Both have room.
  target.options.memories[0].bytes = 1000;
  CHECK(checked(m.program, target).kept.size() == 2);
  target.options.weights_memory.clear();
  CHECK(checked(m.program, target).kept.empty());
}

TEST_CASE("the validator refuses what does not lie in one memory") {
  ProgramMaker m;
  const Id c = m.constant({1, 2, 3, 4, 5, 6, 7, 8});
  const Id s = m.stir(m.combine(m.argument(8), c), 100);
  m.result(m.stir(s, 8));
  // Nobody reads the one, nobody names the other, which takes no room.
  const Id unread = m.argument(4);
  m.value(5000);
  Target target = with_memories(80, 1000);
  target.options.weights_memory = "fast";
  const Plan good = checked(m.program, target);
  REQUIRE(good.kept.size() == 1);
  const auto refuses = [&](const auto& change, const char* message) {
    Plan plan = good;
    change(plan);
    const Status status = validate(m.program, plan);
    REQUIRE_FALSE(status);
    CHECK_THAT(status.error().message, Catch::Contains(message));
  };
  refuses([](Plan& p) { p.pieces.pop_back(); }, "does not begin the arena");
  refuses([](Plan& p) { p.pieces[1].begin = 16; }, "does not begin the arena");
  refuses([](Plan& p) { p.pieces.erase(p.pieces.begin()); }, "does not begin the arena");
  refuses([](Plan& p) { p.pieces[0].begin = 0; }, "share bytes");
  refuses([](Plan& p) { p.pieces[0].begin = -16; }, "is no part of the arena");
  refuses([](Plan& p) { p.pieces[0].bytes = 0; }, "is no part of the arena");
  refuses([](Plan& p) { p.pieces[0].begin += 4; }, "is no part of the arena");
  refuses([](Plan& p) { p.pieces[0].bytes += 64; }, "is no part of the arena");
  refuses([](Plan& p) { p.pieces[1].bytes -= 1; }, "does not lie in one memory");
  refuses(
      [&](Plan& p) {
        p.places[static_cast<size_t>(unread)].offset = p.pieces[1].bytes - 4;
        p.pieces[1].bytes -= 1;
        p.places[static_cast<size_t>(s)].offset = 0;
      },
      "does not lie in one memory");
  refuses([](Plan& p) { p.kept[0].bytes -= 4; }, "from where it does not lie");
  refuses([](Plan& p) { p.kept[0].to = 0; }, "is copied to where");
  refuses([](Plan& p) { p.kept[0].to = p.arena_bytes; }, "is not copied into one memory");
  refuses([](Plan& p) { p.kept[0].from += 4; }, "from where it does not lie");
  refuses([](Plan& p) { p.kept[0].value = 99; }, "no constant");
  refuses([&](Plan& p) { p.kept[0].value = s; }, "no constant");
  refuses([](Plan& p) { p.kept.push_back(p.kept[0]); }, "not copied in their order");
}

}  // namespace hlocc::planning

// The search over decisions at its bounds: how many attempts each kind of search has, what the plan
// that was found costs, and what is tried where a byte is over or missing
// (driver/pipeline/decisions.cpp).
#include "driver/pipeline/decisions.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "kernel/window_spacing.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using Change = std::function<void(Target&)>;

Target small_chip(const Change& change = [](Target&) {}) {
  Target out = *preset("cortex-m4f");
  change(out);
  return out;
}

const Change kBudgetOfOne = [](Target& target) { target.options.ram_budget = 1; };
const Change kForRam = [](Target& target) { target.options.optimize_ram = true; };
const Change kStreamed = [](Target& target) { target.options.stream = StreamOption{}; };

// Attempts whose arenas and cycles are those of a list, the last again and again.
struct ListedAttempts {
  std::vector<std::pair<int64_t, double>> all;
  size_t calls = 0;

  Attempting function() {
    return [this](const Decisions&) -> Result<std::optional<Planned>> {
      const auto& [arena, cycles] = all[std::min(calls++, all.size() - 1)];
      std::optional<Planned> out(std::in_place);
      out->plan.arena_bytes = arena;
      out->plan.waits = cycles;
      return out;
    };
  }
};

constexpr Move kManyMore[] = {
    {"many more", [](const Planned&, const Decisions& from, const Target&) {
       return std::vector<Decisions>(40, from);
     }}};

TEST_CASE("each kind of search has its number of attempts") {
  struct Row {
    Change change;
    size_t attempts;
  };
  const Row rows[] = {
      {[](Target&) {}, 3},
      {kBudgetOfOne, 18},
      {[](Target& target) {
         target.options.memories = {{"fast"}, {"slow"}};
       },
       18},
      {kForRam, 10},
      {kStreamed, 7},
      {[](Target& target) { kForRam(target), kStreamed(target); }, 14},
      {[](Target& target) { kBudgetOfOne(target), kStreamed(target); }, 22},
  };
  for (const Row& row : rows)
    for (const size_t instructions : {size_t{2000}, size_t{2001}}) {
      ListedAttempts attempts{{{100, 1}}};
      const Search found = tests::require(search_decisions(attempts.function(), {}, instructions,
                                                           small_chip(row.change), kManyMore));
      CHECK(attempts.calls == (instructions == 2000 ? row.attempts : 1));
      CHECK(found.attempts.size() == attempts.calls);
      CHECK(found.attempts[0].score.has_value() == (instructions == 2000));
    }
}

TEST_CASE("the best of a search is the last that was kept, and each keeps its own score") {
  ListedAttempts attempts{{{5, 9}, {3, 9}, {4, 9}}};
  const Search found =
      tests::require(search_decisions(attempts.function(), {}, 10, small_chip(), kManyMore));
  std::string scores;
  for (const Attempt& one : found.attempts)
    scores += cat(one.score->arena, " of ", std::llround(one.score->plain_cycles),
                  one.kept ? " kept;" : ";");
  CHECK(scores == "5 of 9 kept;3 of 9 kept;4 of 9;");
  CHECK(found.best.plan.arena_bytes == 3);
  CHECK(found.best.price.empty());
}

TEST_CASE("less RAM has a price, in words, where it was asked for") {
  const auto price = [](const Change& change, std::vector<std::pair<int64_t, double>> all,
                        size_t instructions = 10) {
    ListedAttempts attempts{std::move(all)};
    return tests::require(search_decisions(attempts.function(), {}, instructions,
                                           small_chip(change), kManyMore))
        .best.price;
  };
  const std::string rest = ", 0 MACs (+0 %), 0 operations of code (+0 %)";
  struct Row {
    double before, now;
    const char* told;
  };
  const Row rows[] = {
      {100, 150, "150 cycles expected (+50 %)"}, {100, 100, "100 cycles expected (+0 %)"},
      {100, 99, "99 cycles expected (-1 %)"},    {1, 2, "2 cycles expected (+100 %)"},
      {0, 0, "0 cycles expected (+0 %)"},        {0, 7, "7 cycles expected (+0 %)"}};
  for (const Row& row : rows)
    CHECK(price(kForRam, {{1000, row.before}, {300, row.now}}) ==
          cat("arena 300 bytes for 1000: ", row.told, rest));
  CHECK(price(kBudgetOfOne, {{1000, 1}, {300, 1}}) ==
        cat("arena 300 bytes for 1000: 1 cycles expected (+0 %)", rest));
  // Nobody asked; nothing is less; nothing to compare with.
  CHECK(price([](Target&) {}, {{1000, 1}, {300, 1}}).empty());
  CHECK(price(kForRam, {{1000, 2}, {1000, 1}}).empty());
  CHECK(price(kForRam, {{1000, 1}}, 2001).empty());
  const Change roomy = [](Target& target) { target.options.ram_budget = 5000; };
  CHECK(price(roomy, {{1000, 2}, {1001, 1}}).empty());
}

TEST_CASE("attempts say what was decided, and by how much they exceed a budget") {
  const auto told = [](const Decisions& decisions) {
    return to_text(std::vector<Attempt>{{"x", decisions, std::nullopt, false}});
  };
  const std::string end = "): nothing to compare with\n";
  CHECK(told({}) == "x (several results a kernel" + end);
  CHECK(told({.stream_end = 1}) == "x (several results a kernel, end 1" + end);
  CHECK(told({.stream_end = 2}) == "x (several results a kernel, end 2" + end);
  CHECK(told({.join_results = false,
              .winograd = false,
              .row_strips = true,
              .rows_above = 0,
              .packed_bytes = 7}) ==
        "x (one results a kernel, no Winograd, strips, rows above 0 bytes, packed rows in 7 bytes" +
            end);
  const std::string score = "arena 5 bytes, 2 cycles expected, 3 operations of code";
  CHECK(to_text(Score{.arena = 5, .cycles = 1.5, .code = 3}) == score);
  CHECK(to_text(Score{.arena = 5, .cycles = 1.5, .code = 3, .over = 1}) ==
        score + ", 1 bytes over the budget");
}

TEST_CASE("of two that are the same neither is better, whatever counts") {
  const Score one{.arena = 5, .cycles = 4, .code = 3, .over = 2, .missing = 1, .plain_cycles = 4};
  const Change none = [](Target&) {}, size = [](Target&t) { t.options.level = Level::kOs; },
               large = [](Target&t) { t.ram_constrained = false; };
  for (const Change& change : {none, kBudgetOfOne, kForRam, kStreamed, size, large})
    CHECK_FALSE(is_better(one, one, small_chip(change)));
  // A budget of one byte is a budget: what is over it counts first.
  CHECK(is_better({.arena = 9, .cycles = 9, .over = 1}, {.arena = 1, .cycles = 1, .over = 2},
                  small_chip(kBudgetOfOne)));
}

std::vector<Decisions> moved(std::string_view name, const Planned& planned, const Decisions& from,
                             const Target& target) {
  const auto found = std::ranges::find(moves(), name, &Move::name);
  REQUIRE(found != moves().end());
  return found->next(planned, from, target);
}

TEST_CASE("less is tried from the first byte that is over or missing") {
  Planned planned;
  planned.plan.arena_bytes = 1000;
  planned.program.kernels.resize(1);
  planned.program.kernels[0].choice.algorithm = kernel::Algorithm::kWinograd;
  for (const int64_t over : {0, 1}) {
    Target target = small_chip();
    target.options.ram_budget = ram_of(planned, target) - over;
    CHECK(moved("rows in strips", planned, {}, target).empty() == (over == 0));
    CHECK(moved("least scratch", planned, {}, target).empty() == (over == 0));
    // Where a streamed chain ends is no answer to a budget.
    CHECK(moved("rows in strips", planned, {.stream_end = 2}, target).empty() == (over == 0));
  }
  for (const int64_t room : {10, 9}) {
    planned.plan.pieces = {{"fast", 0, 10, room}, {"slow", 10, 5, 5}};
    CHECK(moved("rows in strips", planned, {}, small_chip()).empty() == (room == 10));
    CHECK(moved("least scratch", planned, {}, small_chip()).empty() == (room == 10));
    CHECK(moved("loops over rows, to the budget", planned, {}, small_chip()).empty());
    CHECK(moved("loops over rows", planned, {}, small_chip()).empty() == (room == 10));
  }
}

TEST_CASE("a step that launches nothing has no packed rows") {
  Planned planned;
  planned.program.kernels.resize(1);
  planned.program.kernels[0].choice.micro_kernel = kernel::MicroKernel::kDotAccumulate2;
  planned.program.kernels[0].buffers = {
      {.element = kernel::Scalar::kS8, .elements = 400, .direction = kernel::Direction::kScratch}};
  planned.program.steps = {{kernel::Copy{0, 1}}};
  CHECK(moved("fewer packed rows", planned, {}, small_chip(kForRam)).empty());
  planned.program.steps.push_back({kernel::Launch{.kernel = 0}});
  const std::vector<Decisions> parts = moved("fewer packed rows", planned, {}, small_chip(kForRam));
  CHECK(parts == std::vector<Decisions>{
                     {.packed_bytes = 300}, {.packed_bytes = 200}, {.packed_bytes = 180}});
}

TEST_CASE("a stream whose windows follow one another has one end") {
  Planned planned;
  const std::string ends = "another end of the streamed chain";
  planned.program.stream = kernel::StreamSteps{.state = 0};
  kernel::ProgramValue state{.element = kernel::Scalar::kS32, .elements = 2};
  state.data = std::make_shared<const std::vector<std::byte>>(8);
  planned.program.values = {state};
  CHECK(moved(ends, planned, {}, small_chip(kStreamed)).size() == 4);
  kernel::space_windows(planned.program, 3);
  CHECK(moved(ends, planned, {}, small_chip(kStreamed)).empty());
}

}  // namespace
}  // namespace hlocc::driver

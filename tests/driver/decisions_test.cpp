// The search over decisions: what is better on which chip, how many attempts there are, and that
// the best one stays.
#include "driver/pipeline/decisions.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "support/budget.h"

namespace hlocc::tests {
namespace {

using driver::is_better;
using driver::Planned;
using driver::Score;

Target for_size(Target target) {
  target.options.level = Level::kOs;
  return target;
}

const driver::Move& move_named(std::string_view name) {
  const auto found = std::ranges::find(driver::moves(), name, &driver::Move::name);
  REQUIRE(found != driver::moves().end());
  return *found;
}

// An attempt whose arena is as large as a table says for its number of calls; 0: that comes to an
// earlier one's program.
struct Attempts {
  std::vector<int64_t> arenas;
  int calls = 0;
  driver::Attempting function() {
    return [this](const Decisions&) -> Result<std::optional<Planned>> {
      if (calls >= static_cast<int>(arenas.size()))
        return error(DiagnosticKind::kInternal, "one attempt too many");
      std::optional<Planned> planned(std::in_place);
      planned->plan.arena_bytes = arenas[static_cast<size_t>(calls++)];
      if (planned->plan.arena_bytes == 0) planned.reset();
      return planned;
    };
  }
};

constexpr driver::Move kTwoMore[] = {
    {"two more",
     [](const Planned&, const Decisions& from, const Target&) -> std::vector<Decisions> {
       return {from, from};
     }},
    {"and one", [](const Planned&, const Decisions& from, const Target&) -> std::vector<Decisions> {
       return {from};
     }}};

}  // namespace

TEST_CASE("what is better: code at -Os, arena where RAM is constrained, cycles elsewhere") {
  const Target small = *preset("cortex-m4f"), large = *preset("cortex-a53");
  const Score small_arena{.arena = 10, .cycles = 9, .code = 9},
      fast{.arena = 11, .cycles = 8, .code = 9}, short_code{.arena = 12, .cycles = 10, .code = 8};
  CHECK(is_better(small_arena, fast, small));
  CHECK_FALSE(is_better(fast, small_arena, small));
  CHECK(is_better(fast, small_arena, large));
  CHECK_FALSE(is_better(small_arena, fast, large));
  CHECK(is_better(short_code, small_arena, for_size(small)));
  CHECK(is_better(small_arena, fast, for_size(large)));
  // Of equal arenas the faster; of equals neither.
  // What has room in its memories comes first.
  CHECK(is_better({.arena = 99, .missing = 0}, {.arena = 10, .missing = 1}, small));
  CHECK_FALSE(is_better({.arena = 10, .missing = 1}, {.arena = 99, .missing = 0}, small));
  CHECK(is_better({.arena = 10, .cycles = 8}, {.arena = 10, .cycles = 9}, small));
  CHECK_FALSE(is_better(fast, fast, small));
}

TEST_CASE("at most three attempts, one of large modules, and the best stays") {
  const Target target = *preset("cortex-m4f");
  Attempts attempts{.arenas = {5, 3, 4}};
  const Result<driver::Search> found =
      search_decisions(attempts.function(), {}, 2000, target, kTwoMore);
  REQUIRE(found);
  CHECK(attempts.calls == 3);
  CHECK(found->best.plan.arena_bytes == 3);
  REQUIRE(found->attempts.size() == 3);
  CHECK(found->attempts[0].score);
  CHECK(found->attempts[1].kept);
  CHECK_FALSE(found->attempts[2].kept);
  CHECK(to_text(found->attempts).find("two more (several results a kernel): arena 3 bytes") !=
        std::string::npos);

  Attempts large{.arenas = {5}};
  const Result<driver::Search> only =
      search_decisions(large.function(), {}, 2001, target, kTwoMore);
  REQUIRE(only);
  CHECK(large.calls == 1);
  CHECK_FALSE(only->attempts[0].score);
  CHECK(to_text(only->attempts).find("nothing to compare with, kept") != std::string::npos);

  Attempts failing{.arenas = {5}};
  CHECK_FALSE(search_decisions(failing.function(), {}, 100, target, kTwoMore));
}

TEST_CASE("what comes to the program of an earlier attempt is none") {
  const Target target = *preset("cortex-m4f");
  Attempts attempts{.arenas = {5, 0, 4, 3}};
  const Result<driver::Search> found =
      search_decisions(attempts.function(), {}, 2000, target, kTwoMore);
  REQUIRE(found);
  // Three attempts beside it.
  CHECK(attempts.calls == 4);
  CHECK(found->attempts.size() == 3);
  CHECK(found->best.plan.arena_bytes == 3);
}

TEST_CASE("no more is tried once half of all work is done, and the best stays") {
  const Target target = *preset("cortex-m4f");
  for (const int64_t spent : {50, 51}) {
    Budget budget({.work = 100});
    const BudgetScope scope(&budget);
    budget.spend(spent);
    Attempts attempts{.arenas = {5, 3, 4}};
    const Result<driver::Search> found =
        search_decisions(attempts.function(), {}, 2000, target, kTwoMore);
    REQUIRE(found);
    CHECK(attempts.calls == (spent == 50 ? 3 : 1));
  }
}

TEST_CASE("a module that is too large to search has one result a kernel where RAM is constrained") {
  const Target small = *preset("cortex-m4f"), large = *preset("cortex-a53");
  CHECK(driver::first_decisions(2000, small).join_results);
  CHECK_FALSE(driver::first_decisions(2001, small).join_results);
  CHECK(driver::first_decisions(2001, large).join_results);
}

TEST_CASE("kernels of several results are tried apart where RAM is constrained") {
  Planned planned;
  kernel::Kernel kernel;
  kernel.buffers = {{.direction = kernel::Direction::kOut}};
  planned.program.kernels = {kernel};
  const driver::Move& move = move_named("one result a kernel");
  const Target small = *preset("cortex-m4f"), large = *preset("cortex-a53");
  CHECK(move.next(planned, {}, small).empty());
  planned.program.kernels[0].buffers.push_back({.direction = kernel::Direction::kInOut});
  CHECK(move.next(planned, {}, small).size() == 1);
  CHECK_FALSE(move.next(planned, {}, small)[0].join_results);
  CHECK(move.next(planned, {.join_results = false}, small).empty());
  CHECK(move.next(planned, {}, large).empty());
}

TEST_CASE("chains whose rows are streamed are tried with other ends") {
  Target target = *preset("cortex-m4f");
  const driver::Move& move = move_named("another end of the streamed chain");
  CHECK(move.next({}, {}, target).empty());
  target.options.stream = StreamOption{};
  const std::vector<Decisions> ends = move.next({}, {}, target);
  REQUIRE(ends.size() == 4);
  for (size_t i = 0; i < ends.size(); ++i) CHECK(ends[i].stream_end == static_cast<int>(i + 1));
}

TEST_CASE("with a budget of RAM the fastest that keeps it is best") {
  Target target = *preset("cortex-m4f");
  target.options.ram_budget = 100;
  const Score fits{.arena = 90, .cycles = 9}, fits_fast{.arena = 99, .cycles = 8},
      near{.arena = 101, .cycles = 1, .over = 1}, far{.arena = 105, .cycles = 1, .over = 5};
  CHECK(is_better(fits_fast, fits, target));
  CHECK_FALSE(is_better(fits, fits_fast, target));
  CHECK(is_better(fits, near, target));
  CHECK(is_better(near, far, target));
  // At -Os, too.
  CHECK(is_better(fits_fast, fits, for_size(target)));
}

TEST_CASE("of two that come to the same neither is better, whatever counts") {
  const Score one{.arena = 9, .cycles = 9, .code = 9};
  Target small = *preset("cortex-m4f"), budget = small, ram = small, stream = small;
  budget.options.ram_budget = 1;
  ram.options.optimize_ram = true;
  stream.options.stream = StreamOption{};
  for (const Target& target : {small, budget, ram, stream, for_size(small), *preset("cortex-a53")})
    CHECK_FALSE(is_better(one, one, target));
  // A byte is a budget: of as many bytes above it the fastest.
  CHECK(is_better({.arena = 9, .cycles = 1, .over = 8}, {.arena = 8, .cycles = 2, .over = 8},
                  budget));
}

TEST_CASE("where RAM is all that counts, the smallest arena is best") {
  Target target = *preset("host");
  target.options.optimize_ram = true;
  const Score small{.arena = 90, .cycles = 9}, fast{.arena = 91, .cycles = 1},
      both{.arena = 90, .cycles = 8};
  CHECK(is_better(small, fast, target));
  CHECK(is_better(both, small, target));
  CHECK(is_better(small, fast, for_size(target)));
  // What takes too long beside the plan as it comes counts as larger, by a fifth.
  const auto timed = [](int64_t arena, double cycles) {
    return Score{.arena = arena, .cycles = cycles, .plain_cycles = 100};
  };
  CHECK(is_better(timed(119, 106), timed(100, 107), target));
  CHECK(is_better(timed(100, 107), timed(121, 106), target));
  CHECK(is_better(timed(100, 106), timed(119, 100), target));
  // Beyond a tenth as more of it, a percent for each percent: 120 * 1.2 = 144, 100 * (1.2 + 0.24).
  CHECK(is_better(timed(119, 110), timed(100, 134), target));
  CHECK(is_better(timed(100, 133), timed(120, 110), target));
  CHECK(is_better(timed(100, 110), timed(101, 107), target));
}

TEST_CASE("where RAM is all that counts, more rows at a time and fewer packed ones are tried") {
  Target target = *preset("cortex-m4f");
  const driver::Move &faster = move_named("more rows at a time"),
                     &packed = move_named("fewer packed rows");
  Planned planned;
  planned.plan.arena_bytes = 1000;
  const Decisions least{.rows_above = 0};
  CHECK(faster.next(planned, least, target).empty());
  target.options.optimize_ram = true;
  CHECK(faster.next(planned, {}, target).empty());
  CHECK(faster.next(planned, least, target) ==
        std::vector<Decisions>{{.rows_above = 1150}, {.rows_above = 1300}, {.rows_above = 1450}});

  kernel::Kernel kernel;
  kernel.buffers = {
      {.element = kernel::Scalar::kS16, .elements = 600, .direction = kernel::Direction::kScratch}};
  planned.program.kernels = {kernel};
  planned.program.steps = {{kernel::Launch{.kernel = 0}}};
  CHECK(packed.next(planned, least, target).empty());
  planned.program.kernels[0].choice.micro_kernel = kernel::MicroKernel::kDotAccumulate2;
  CHECK(packed.next(planned, least, target) ==
        std::vector<Decisions>{{.rows_above = 0, .packed_bytes = 900},
                               {.rows_above = 0, .packed_bytes = 600},
                               {.rows_above = 0, .packed_bytes = 540}});
  CHECK(packed.next(planned, {.packed_bytes = 900}, target).empty());
  target.options.optimize_ram = false;
  CHECK(packed.next(planned, least, target).empty());
  target.options.ram_budget = 1;
  CHECK(packed.next(planned, {}, target).size() == 3);
}

TEST_CASE(
    "loops over rows are tried for a budget, and as many as can be where that is not enough") {
  Target target = *preset("cortex-m4f");
  const driver::Move &to_budget = move_named("loops over rows, to the budget"),
                     &least = move_named("loops over rows");
  Planned planned;
  planned.plan.arena_bytes = 1000;
  CHECK(to_budget.next(planned, {}, target).empty());
  CHECK(least.next(planned, {}, target).empty());
  target.options.ram_budget = 500;
  // The estimate of what fits is not exact.
  const std::vector<Decisions> limits = to_budget.next(planned, {}, target);
  CHECK(limits ==
        std::vector<Decisions>{
            {.rows_above = 600}, {.rows_above = 500}, {.rows_above = 438}, {.rows_above = 375}});
  // With what is fastest beside, and with what took least so far.
  const Decisions no_winograd{.winograd = false, .row_strips = true};
  const std::vector<Decisions> both = to_budget.next(planned, no_winograd, target);
  REQUIRE(both.size() == 8);
  CHECK(both[1] == Decisions{.winograd = false, .rows_above = 600});
  CHECK(to_budget.next(planned, {.rows_above = 500}, target).empty());
  CHECK(least.next(planned, {.rows_above = 500}, target)[0] == Decisions{.rows_above = 0});
  CHECK(least.next(planned, {.rows_above = 0}, target).empty());
  // Without a budget only where RAM is all that counts.
  target.options.ram_budget = 0;
  target.options.optimize_ram = true;
  CHECK(to_budget.next(planned, {}, target).empty());
  CHECK(least.next(planned, {}, target)[0] == Decisions{.rows_above = 0});
}

TEST_CASE("once the plan as it comes exceeds a budget, what fits is not the last that is tried") {
  Target target = *preset("cortex-m4f");
  target.options.ram_budget = 5000;
  Planned fits;
  fits.plan.arena_bytes = 100;
  for (const char* name : {"rows in strips", "loops over rows, to the budget", "loops over rows"}) {
    CHECK(move_named(name).next(fits, {}, target).empty());
    CHECK_FALSE(move_named(name).next(fits, {.winograd = false}, target).empty());
  }
}

TEST_CASE("a budget counts arena and instance, to the byte") {
  Target target = *preset("cortex-m4f");
  Planned planned;
  planned.plan.arena_bytes = 1000;
  const int64_t ram = driver::ram_of(planned, target);
  CHECK(ram > 1000);
  target.options.ram_budget = ram;
  driver::Search search{planned, {}, {{"as it comes", {}, score_of(planned, target), true}}};
  CHECK(score_of(planned, target).over == 0);
  CHECK(driver::check_ram_budget(search, target));
  for (const driver::Move& move : driver::moves()) CHECK(move.next(planned, {}, target).empty());

  target.options.ram_budget = ram - 1;
  CHECK(score_of(planned, target).over == 1);
  search.attempts[0].score = score_of(planned, target);
  const Status failure = driver::check_ram_budget(search, target);
  REQUIRE_FALSE(failure);
  CHECK(failure.error().kind == DiagnosticKind::kBudget);
  CHECK(failure.error().message.find("1 are missing") != std::string::npos);
  CHECK(failure.error().notes[0] == "tried: as it comes, arena 1000");
  CHECK(to_text(search.attempts).find("1 bytes over the budget") != std::string::npos);
}

TEST_CASE("what is tried for a budget") {
  const Target free = *preset("cortex-m4f");
  Target target = free;
  target.options.ram_budget = 1;
  const driver::Move &apart = move_named("one result a kernel"),
                     &least = move_named("least scratch"), &strips = move_named("rows in strips");
  Planned planned;
  planned.plan.arena_bytes = 1000;
  planned.program.kernels = {kernel::Kernel{}};
  // Nothing stands there that takes scratch for speed.
  CHECK(least.next(planned, {}, target).empty());
  planned.program.kernels[0].choice.algorithm = kernel::Algorithm::kWinograd;
  REQUIRE(least.next(planned, {}, target).size() == 1);
  CHECK(least.next(planned, {}, target)[0] == Decisions{.winograd = false});
  CHECK(least.next(planned, {.winograd = false}, target).empty());
  planned.program.kernels[0].buffers = {{.direction = kernel::Direction::kOut},
                                        {.direction = kernel::Direction::kOut}};
  CHECK(least.next(planned, {}, target)[0] == Decisions{.join_results = false, .winograd = false});
  CHECK(apart.next(planned, {}, target).empty());
  CHECK(strips.next(planned, {}, target)[0] == Decisions{.row_strips = true});
  CHECK(strips.next(planned, {.row_strips = true}, target).empty());
  // Without a budget nothing of it.
  CHECK(least.next(planned, {}, free).empty());
  CHECK(strips.next(planned, {}, free).empty());
  CHECK(apart.next(planned, {}, free).size() == 1);
}

}  // namespace hlocc::tests

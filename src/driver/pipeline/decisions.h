// Decisions that are searched: what the driver may change between attempts, what an attempt comes
// to, and which it keeps. An attempt is a pipeline from fusion to plan, so there are few of them.
// The search is deterministic; `--print-after decisions` prints what it tried.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/program.h"
#include "planning/plan.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::driver {

// A program whose every value has its place: all that a backend needs.
struct Planned {
  kernel::Program program;
  planning::Plan plan;
  // Of less RAM: what it costs beside the plan as it comes, in words.
  std::string price;
  // Where it was asked for: what the model would take row by row (transforms/rows/row_floor.h).
  std::optional<int64_t> row_floor;
};

// What an attempt comes to: bytes of arena and those above the budget of RAM, expected cycles and
// products of a run (costs/kernel_work.h), and operations in the code of all kernels and launches,
// which stand for its size.
struct Score {
  int64_t arena = 0;
  double cycles = 0, products = 0;
  int64_t code = 0;
  int64_t over = 0;
  int64_t missing = 0;  // of several memories, what the last one lacks
  // Cycles of the plan as it comes; 0: those are not known.
  double plain_cycles = 0;
};
Score score_of(const Planned& planned, const Target& target);
// Arena and instance, as `--ram-budget` counts them.
int64_t ram_of(const Planned& planned, const Target& target);
// Of several memories, fewer bytes that are missing. Where RAM has a budget, fewer bytes above it,
// then fewer cycles; with --optimize=ram fewer of the bytes that count (costs/smallest_arena.h).
// Else, at -Os and -Oz less code, then less arena; where RAM is constrained less arena, then fewer
// cycles; elsewhere fewer cycles.
bool is_better(const Score& a, const Score& b, const Target& target);

// A pipeline from fusion to plan with these decisions; none where it would come to the same program
// as an earlier one.
using Attempting = std::function<Result<std::optional<Planned>>(const Decisions&)>;

// Other decisions that are worth an attempt, seeing what came of the ones that it starts from.
struct Move {
  std::string_view name;
  std::vector<Decisions> (*next)(const Planned& planned, const Decisions& from,
                                 const Target& target);
};
std::span<const Move> moves();

struct Attempt {
  std::string move;  // "as it comes" of the first
  Decisions decisions;
  std::optional<Score> score;  // none of an only attempt: it is compared with nothing
  bool kept = false;
};
struct Search {
  Planned best;
  Decisions decisions;
  std::vector<Attempt> attempts;
};
// Larger modules have one attempt.
inline constexpr size_t kMostSearchedInstructions = 2000;
// What the search begins with, and all that a larger module gets.
Decisions first_decisions(size_t instructions, const Target& target);
// Tries the first decisions and what the moves make of the best so far: at most three attempts,
// more where less RAM is asked for; what is no new program is none. The first failure ends it.
// With a budget of RAM the fastest one that keeps it; the first, if that does.
Result<Search> search_decisions(const Attempting& attempt, const Decisions& first,
                                size_t instructions, const Target& target,
                                std::span<const Move> table = moves());
std::string to_text(const Score& score);
// A line an attempt.
std::string to_text(const std::vector<Attempt>& attempts);
// An error (kBudget) that says how near the best attempt comes to `--ram-budget`, and what was
// tried, if it exceeds that.
Status check_ram_budget(const Search& search, const Target& target);

}  // namespace hlocc::driver

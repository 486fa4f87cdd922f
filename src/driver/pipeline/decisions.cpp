// See decisions.h.
#include "driver/pipeline/decisions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "costs/smallest_arena.h"
#include "driver/analyze/analysis.h"
#include "driver/analyze/launch_table.h"
#include "driver/pipeline/budgets.h"
#include "kernel/instance.h"
#include "kernel/window_spacing.h"
#include "support/budget.h"
#include "support/check.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// Beside the one that is best by estimate.
constexpr int kMostStreamEnds = 4;

int64_t ops_of(const kernel::Region& region) {
  int64_t count = static_cast<int64_t>(region.ops.size());
  for (const kernel::Op& op : region.ops)
    for (const kernel::Region& inner : op.regions) count += ops_of(inner);
  return count;
}

bool has_several_results(const kernel::Kernel& kernel) {
  return std::ranges::count_if(kernel.buffers, [](const kernel::Buffer& buffer) {
           return buffer.direction == kernel::Direction::kOut ||
                  buffer.direction == kernel::Direction::kInOut;
         }) > 1;
}

// Kernels with several results save passes over memory, and keep all that they make alive at once.
std::vector<Decisions> one_result_a_kernel(const Planned& planned, const Decisions& from,
                                           const Target& target) {
  if (!target.ram_constrained || !from.join_results || target.options.ram_budget > 0) return {};
  if (!std::ranges::any_of(planned.program.kernels, has_several_results)) return {};
  Decisions apart = from;
  apart.join_results = false;
  return {apart};
}

int64_t over_budget(const Planned& planned, const Target& target) {
  const int64_t budget = target.options.ram_budget;
  return budget == 0 ? 0 : std::max<int64_t>(0, ram_of(planned, target) - budget);
}

// With a budget, whether the plan as it comes exceeds it. Then all else is tried: the first that
// fits need not be the fastest. Of several memories, whether the plan lacks room.
bool is_searched(const Planned& planned, Decisions from, const Target& target) {
  if (planned.plan.missing_bytes() > 0) return true;
  if (target.options.ram_budget == 0) return false;
  from.stream_end = 0;
  return over_budget(planned, target) > 0 || !(from == Decisions{});
}

bool has_winograd(const kernel::Kernel& kernel) {
  return kernel.choice.algorithm == kernel::Algorithm::kWinograd;
}

// Without what keeps scratch or results alive for the sake of speed.
std::vector<Decisions> least_scratch(const Planned& planned, const Decisions& from,
                                     const Target& target) {
  if (over_budget(planned, target) == 0 && planned.plan.missing_bytes() == 0) return {};
  Decisions least = from;
  if (std::ranges::any_of(planned.program.kernels, has_winograd)) least.winograd = false;
  if (std::ranges::any_of(planned.program.kernels, has_several_results)) least.join_results = false;
  return least == from ? std::vector<Decisions>{} : std::vector{least};
}

// What lies between convolutions comes and goes row by row.
std::vector<Decisions> rows_in_strips(const Planned& planned, const Decisions& from,
                                      const Target& target) {
  if (!is_searched(planned, from, target) || from.row_strips) return {};
  Decisions strips = from;
  strips.row_strips = true;
  return {strips};
}

// Loops over rows for each limit: with what is fastest beside, and with what took least so far.
std::vector<Decisions> with_rows(const Decisions& from, std::span<const int64_t> limits) {
  std::vector<Decisions> out;
  for (const int64_t limit : limits) {
    const Decisions fast{.rows_above = limit, .stream_end = from.stream_end};
    Decisions small = from;
    small.row_strips = false;
    small.rows_above = limit;
    out.push_back(fast);
    if (!(small == fast)) out.push_back(small);
  }
  return out;
}

// Chains of convolutions as loops over rows: as few as the budget wants. What planning adds to the
// estimate is not known before, nor what it leaves.
std::vector<Decisions> rows_to_budget(const Planned& planned, const Decisions& from,
                                      const Target& target) {
  if (!is_searched(planned, from, target) || from.rows_above) return {};
  const int64_t budget = target.options.ram_budget;
  if (budget == 0) return {};
  return with_rows(
      from, std::array{budget + budget / 5, budget, budget - budget / 8, budget - budget / 4});
}

// As many as take least.
std::vector<Decisions> least_rows(const Planned& planned, const Decisions& from,
                                  const Target& target) {
  if (from.rows_above == 0) return {};
  if (is_searched(planned, from, target)) return with_rows(from, std::array{int64_t{0}});
  if (!target.options.optimize_ram) return {};
  Decisions rows = from;
  rows.rows_above = 0;
  return {rows};
}

// More rows at a time, in the bytes that --optimize=ram gives for time.
std::vector<Decisions> faster_rows(const Planned& planned, const Decisions& from,
                                   const Target& target) {
  if (!target.options.optimize_ram || from.rows_above != 0) return {};
  std::vector<Decisions> out;
  for (const double more : {1.15, 1.3, 1.45}) {
    out.push_back(from);
    out.back().rows_above = std::llround(more * static_cast<double>(planned.plan.arena_bytes));
  }
  return out;
}

// Of the launch whose rows of packed products take most in the arena.
int64_t packed_bytes(const Planned& planned) {
  int64_t most = 0;
  kernel::for_each_step(planned.program.steps, [&](const kernel::Step& step) {
    const auto* launch = std::get_if<kernel::Launch>(&step.what);
    if (launch == nullptr) return;
    const kernel::Kernel& kernel = planned.program.kernels[static_cast<size_t>(launch->kernel)];
    if (!kernel.choice.micro_kernel) return;
    for (const kernel::Buffer& scratch : kernel::arena_scratch(kernel, *launch))
      most = std::max(most, scratch.elements * kernel::scalar_bytes(scratch.element));
  });
  return most;
}

// Fewer rows of the widest product in scratch at a time.
std::vector<Decisions> fewer_packed_rows(const Planned& planned, const Decisions& from,
                                         const Target& target) {
  const bool is_wanted = target.options.optimize_ram || is_searched(planned, from, target);
  const int64_t most = packed_bytes(planned);
  if (!is_wanted || from.packed_bytes || most == 0) return {};
  std::vector<Decisions> out;
  for (const double part : {0.75, 0.5, 0.45}) {
    out.push_back(from);
    out.back().packed_bytes = std::llround(part * static_cast<double>(most));
  }
  return out;
}

// A chain whose rows come one by one ends elsewhere.
std::vector<Decisions> other_ends(const Planned& planned, const Decisions& from,
                                  const Target& target) {
  std::vector<Decisions> out;
  // Where windows follow one another there is one end.
  const bool has_ends = target.options.stream && kernel::window_spacing(planned.program) == 0;
  for (int end = 1; has_ends && end <= kMostStreamEnds; ++end) {
    out.push_back(from);
    out.back().stream_end = end;
  }
  return out;
}

constexpr Move kMoves[] = {{"another end of the streamed chain", other_ends},
                           {"one result a kernel", one_result_a_kernel},
                           {"least scratch", least_scratch},
                           {"rows in strips", rows_in_strips},
                           {"loops over rows, to the budget", rows_to_budget},
                           {"loops over rows", least_rows},
                           {"more rows at a time", faster_rows},
                           {"fewer packed rows", fewer_packed_rows}};

std::string named(const Decisions& decisions) {
  return cat(
      decisions.join_results ? "several" : "one", " results a kernel",
      decisions.winograd ? "" : ", no Winograd", decisions.row_strips ? ", strips" : "",
      decisions.rows_above ? cat(", rows above ", *decisions.rows_above, " bytes") : "",
      decisions.packed_bytes ? cat(", packed rows in ", *decisions.packed_bytes, " bytes") : "",
      decisions.stream_end > 0 ? cat(", end ", decisions.stream_end) : "");
}

}  // namespace

Score score_of(const Planned& planned, const Target& target) {
  Score score{.arena = planned.plan.arena_bytes,
              .cycles = planned.plan.waits,
              .missing = planned.plan.missing_bytes()};
  for (const LaunchRow& row : launch_table(planned.program, planned.program.steps, target)) {
    score.cycles += row.times() * row.cycles;
    score.products += row.times() * row.products;
    // A call with its arguments.
    constexpr int64_t kCall = 4;
    score.code += kCall;
  }
  for (const kernel::Kernel& kernel : planned.program.kernels) score.code += ops_of(kernel.body);
  score.over = over_budget(planned, target);
  return score;
}

int64_t ram_of(const Planned& planned, const Target& target) {
  return planned.plan.arena_bytes + kernel::instance_layout(planned.program.signature,
                                                            planned.plan.state_bytes,
                                                            target.pointer_bits)
                                        .bytes();
}

bool is_better(const Score& a, const Score& b, const Target& target) {
  if (a.missing != b.missing) return a.missing < b.missing;
  if (target.options.ram_budget > 0)
    return std::tuple(a.over, a.cycles) < std::tuple(b.over, b.cycles);
  if (target.options.optimize_ram) {
    const auto rank = [](const Score& score) {
      return std::tuple(costs::bytes_that_count(score.arena, score.cycles, score.plain_cycles),
                        score.cycles);
    };
    return rank(a) < rank(b);
  }
  if (target.options.stream) return std::tuple(a.arena, a.cycles) < std::tuple(b.arena, b.cycles);
  if (target.options.for_size()) return std::tuple(a.code, a.arena) < std::tuple(b.code, b.arena);
  if (target.ram_constrained) return std::tuple(a.arena, a.cycles) < std::tuple(b.arena, b.cycles);
  return a.cycles < b.cycles;
}

std::span<const Move> moves() { return kMoves; }

namespace {

std::string beside(const char* what, double now, double before) {
  const double more = before > 0 ? 100 * (now - before) / before : 0;
  return cat(std::llround(now), " ", what, " (", more < 0 ? "" : "+", std::llround(more), " %)");
}

// Only where less RAM was asked for.
Search priced(Search search, const Score& best, const Target& target) {
  const std::optional<Score>& first = search.attempts[0].score;
  const bool is_asked = target.options.optimize_ram || target.options.ram_budget > 0;
  if (is_asked && first && best.arena < first->arena)
    search.best.price = cat("arena ", best.arena, " bytes for ", first->arena, ": ",
                            beside("cycles expected", best.cycles, first->cycles), ", ",
                            beside("MACs", best.products, first->products), ", ",
                            beside("operations of code", static_cast<double>(best.code),
                                   static_cast<double>(first->code)));
  return search;
}

}  // namespace

Decisions first_decisions(size_t instructions, const Target& target) {
  // With one result a kernel, values live no longer than they must: what a large module, which is
  // not searched, gets where RAM is constrained.
  return {.join_results = !target.ram_constrained || instructions <= kMostSearchedInstructions};
}

Result<Search> search_decisions(const Attempting& attempt, const Decisions& first,
                                size_t instructions, const Target& target,
                                std::span<const Move> table) {
  const bool has_room = target.options.ram_budget > 0 || !target.options.memories.empty();
  const size_t usual = has_room ? 18 : target.options.optimize_ram ? 10 : 3;
  const size_t ends = target.options.stream ? kMostStreamEnds : 0;
  const size_t most = instructions > kMostSearchedInstructions ? 1 : usual + ends;
  HLOCC_TRY_ASSIGN(std::optional<Planned> planned, attempt(first));
  HLOCC_CHECK(planned.has_value(), "a first attempt that is no new program");
  Search out{*std::move(planned), first, {{"as it comes", first, std::nullopt, true}}};
  Score best;
  for (const Move& move : table) {
    for (const Decisions& next : move.next(out.best, out.decisions, target)) {
      // What has taken half of all work is not tried once more.
      if (out.attempts.size() >= most || !may_search(0))
        return priced(std::move(out), best, target);
      if (out.attempts.size() == 1) {
        best = score_of(out.best, target);
        best.plain_cycles = best.cycles;
        out.attempts[0].score = best;
      }
      HLOCC_TRY_ASSIGN(std::optional<Planned> other, attempt(next));
      if (!other) continue;
      Score score = score_of(*other, target);
      score.plain_cycles = out.attempts[0].score->cycles;
      const bool kept = is_better(score, best, target);
      out.attempts.push_back({std::string(move.name), next, score, kept});
      if (!kept) continue;
      out.best = *std::move(other);
      out.decisions = next;
      best = score;
    }
  }
  return priced(std::move(out), best, target);
}

std::string to_text(const Score& score) {
  return cat("arena ", score.arena, " bytes, ", static_cast<int64_t>(std::llround(score.cycles)),
             " cycles expected, ", score.code, " operations of code",
             score.over > 0 ? cat(", ", score.over, " bytes over the budget") : "");
}

std::string to_text(const std::vector<Attempt>& attempts) {
  std::string out;
  for (const Attempt& one : attempts)
    out += cat(one.move, " (", named(one.decisions),
               "): ", one.score ? to_text(*one.score) : "nothing to compare with",
               one.kept ? ", kept" : "", "\n");
  return out;
}

Status check_ram_budget(const Search& search, const Target& target) {
  const int64_t over = over_budget(search.best, target), ram = ram_of(search.best, target),
                arena = search.best.plan.arena_bytes;
  if (over == 0) return {};
  Diagnostic failure =
      error(DiagnosticKind::kBudget,
            cat(target.name, ": the smallest plan that was found takes ", ram,
                " bytes of RAM (arena ", arena, ", instance ", ram - arena, "): the budget is ",
                target.options.ram_budget, ", ", over, " are missing"));
  for (const Attempt& one : search.attempts)
    if (one.score) failure.notes.push_back(cat("tried: ", one.move, ", arena ", one.score->arena));
  failure.notes.push_back(
      cat("the arena cannot be smaller than ", search.best.plan.live_set_bound,
          " bytes, whatever the order of the steps: so much is needed at the same time"));
  const Analysis found = analyse(search.best.program, search.best.plan, {}, target);
  if (const std::string held = what_holds(found); !held.empty()) failure.notes.push_back(held);
  return failure;
}

}  // namespace hlocc::driver

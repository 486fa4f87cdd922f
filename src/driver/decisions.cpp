// See decisions.h.
#include "driver/decisions.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "driver/launch_table.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

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
  if (!target.dear_ram || !from.join_results) return {};
  if (!std::ranges::any_of(planned.program.kernels, has_several_results)) return {};
  Decisions apart = from;
  apart.join_results = false;
  return {apart};
}

constexpr Move kMoves[] = {{"one result a kernel", one_result_a_kernel}};

}  // namespace

Score score_of(const Planned& planned, const Target& target) {
  Score score{.arena = planned.plan.arena_bytes};
  for (const LaunchRow& row : launch_table(planned.program, planned.program.steps, target)) {
    score.cycles += row.cycles;
    // A call with its arguments.
    constexpr int64_t kCall = 4;
    score.code += kCall;
  }
  for (const kernel::Kernel& kernel : planned.program.kernels) score.code += ops_of(kernel.body);
  return score;
}

bool is_better(const Score& a, const Score& b, const Target& target) {
  if (target.options.for_size()) return std::tuple(a.code, a.arena) < std::tuple(b.code, b.arena);
  if (target.dear_ram) return std::tuple(a.arena, a.cycles) < std::tuple(b.arena, b.cycles);
  return a.cycles < b.cycles;
}

std::span<const Move> moves() { return kMoves; }

Decisions first_decisions(size_t instructions, const Target& target) {
  // With one result a kernel, values live no longer than they must: what a large module, which is
  // not searched, gets where RAM is dear.
  return {.join_results = !target.dear_ram || instructions <= kMostSearchedInstructions};
}

Result<Search> search_decisions(const std::function<Result<Planned>(const Decisions&)>& attempt,
                                const Decisions& first, size_t instructions, const Target& target,
                                std::span<const Move> table) {
  constexpr size_t kMostAttempts = 3;
  const size_t most = instructions > kMostSearchedInstructions ? 1 : kMostAttempts;
  HLOCC_TRY_ASSIGN(Planned planned, attempt(first));
  Search out{std::move(planned), first, {{"as it comes", first, std::nullopt, true}}};
  Score best;
  for (const Move& move : table) {
    for (const Decisions& next : move.next(out.best, out.decisions, target)) {
      if (out.attempts.size() >= most) return out;
      if (out.attempts.size() == 1) out.attempts[0].score = best = score_of(out.best, target);
      HLOCC_TRY_ASSIGN(Planned other, attempt(next));
      const Score score = score_of(other, target);
      const bool kept = is_better(score, best, target);
      out.attempts.push_back({std::string(move.name), next, score, kept});
      if (!kept) continue;
      out.best = std::move(other);
      out.decisions = next;
      best = score;
    }
  }
  return out;
}

std::string to_text(const Score& score) {
  return cat("arena ", score.arena, " bytes, ", static_cast<int64_t>(std::llround(score.cycles)),
             " cycles expected, ", score.code, " operations of code");
}

std::string to_text(const std::vector<Attempt>& attempts) {
  std::string out;
  for (const Attempt& one : attempts)
    out += cat(one.move, one.decisions.join_results ? " (several" : " (one",
               " results a kernel): ", one.score ? to_text(*one.score) : "nothing to compare with",
               one.kept ? ", kept" : "", "\n");
  return out;
}

}  // namespace hlocc::driver

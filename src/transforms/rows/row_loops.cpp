// Where memory is wanted: chains of convolutions, pools and what lies between them are computed row
// by row. Why it pays: of an array between two of them only the rows that a window sees are alive.
//
// The arrays that convolutions, pools and reductions read, and results, are the places where a
// chain may begin or end. They stand in the order of the program; a walk over them finds the
// cheapest way to the last, where each step is one array, made as a whole, or a loop over all up to
// another.
#include "transforms/rows/row_loops.h"

#include <algorithm>
#include <set>

#include "transforms/pass.h"
#include "transforms/rows/global_pools.h"
#include "transforms/rows/lost_forms.h"
#include "transforms/rows/row_loop.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Module;
using hlo::Opcode;

namespace {

constexpr size_t kMostPlaces = 100;
constexpr int64_t kMostRows = 8;  // of the exit an iteration
// What an iteration costs beside its rows, as bytes that are moved: branches, calls, the ends of
// tiles.
constexpr int64_t kIteration = 2000;
// What a multiply-add costs beside a byte that is moved.
constexpr double kLostProduct = 1;

bool reads_rows(const Instruction& i) {
  return i.opcode == Opcode::kConvolution || i.opcode == Opcode::kReduceWindow ||
         i.opcode == Opcode::kReduce;
}

// Kernels take padding along.
InstructionId before_padding(const Computation& c, InstructionId id) {
  while (c[id].opcode == Opcode::kPad) id = c[id].operands[0];
  return id;
}

std::vector<InstructionId> places_of(const Module& module, const Computation& c) {
  std::set<InstructionId> places;
  for (InstructionId id = 0; id < static_cast<InstructionId>(c.instructions.size()); ++id) {
    if (!reads_rows(c[id])) continue;
    const InstructionId read = before_padding(c, c[id].operands[0]);
    if (c[read].opcode != Opcode::kConstant) places.insert(read);
    if (reduces_rows(module, c, c[id])) places.insert(id);
  }
  const Instruction& root = c.root_instruction();
  const auto add_result = [&](InstructionId id) {
    if (c[id].shape.is_array() && c[id].shape.rank() > 2) places.insert(id);
  };
  add_result(c.root);
  if (root.opcode == Opcode::kTuple) std::ranges::for_each(root.operands, add_result);
  return {places.begin(), places.end()};
}

struct LoopOfChain {
  size_t from = 0, to = 0;
  Iteration iteration;
  RowSchedule schedule;
  int64_t cost = 0;  // in bytes that are moved
};

struct Way {
  int64_t peak = INT64_MAX;
  int64_t moved = 0;                  // in bytes, and what iterations cost beside
  size_t from = 0;                    // the place before
  const LoopOfChain* loop = nullptr;  // from there to here; none: this array alone
};

class Choice {
 public:
  Choice(const Module& module, const Computation& c, const Target& target)
      : module_(module), c_(c), target_(target), users_(c.users()), places_(places_of(module, c)) {
    if (places_.size() < 2 || places_.size() > kMostPlaces) return;
    find_last_readers();
    for (size_t from = 0; from < places_.size(); ++from)
      for (size_t to = from + 1; to < places_.size(); ++to) add_loops(from, to);
  }

  // Each way's peak is below `most` where that can be.
  std::vector<Way> ways(int64_t most) const {
    std::vector<Way> best(places_.size());
    best[0] = {.peak = alive_at(0)};
    for (size_t to = 1; to < places_.size(); ++to) {
      improve(best[to], best[to - 1], {alive_at(to), 0, to - 1}, most);
      for (const LoopOfChain& loop : loops_)
        if (loop.to == to)
          improve(best[to], best[loop.from], {bytes_of(loop), loop.cost, loop.from, &loop}, most);
    }
    return best;
  }

  std::vector<RowSchedule> within(int64_t limit) const {
    std::vector<RowSchedule> out;
    if (loops_.empty()) return out;
    const int64_t least = ways(0).back().peak;
    // What is nearly as small may move far less.
    const std::vector<Way> best = ways(std::max(limit, least + least / 64));
    for (size_t at = places_.size() - 1; at > 0; at = best[at].from)
      if (best[at].loop != nullptr) out.push_back(with_results_ahead(*best[at].loop));
    std::ranges::reverse(out);
    return out;
  }

 private:
  std::optional<RowSchedule> schedule(size_t from, size_t to, const Iteration& iteration) const {
    auto loop = schedule_rows(module_, c_, users_, places_[from], places_[to], iteration);
    if (loop && target_.options.keep_arguments && c_[loop->entrance].opcode == Opcode::kParameter)
      loop->is_over_entrance = false;
    return loop;
  }

  void add_loops(size_t from, size_t to) {
    const auto add = [&](const Iteration& iteration) {
      auto loop = schedule(from, to, iteration);
      if (!loop) return;
      const double lost = products_lost(module_, c_, *loop, target_);
      const int64_t cost = loop->bytes_moved() + kIteration * loop->iterations +
                           static_cast<int64_t>(kLostProduct * lost);
      loops_.push_back({from, to, iteration, *std::move(loop), cost});
    };
    const std::optional<RowSchedule> by_rows = schedule(from, to, {});
    if (!by_rows || !holds_all(*by_rows, from, to)) return;
    int64_t most = 1;
    for (const StoredRows& stored : by_rows->stored) most = std::max(most, stored.rate);
    add({});
    for (int64_t iterations = 2; iterations <= most; iterations *= 2) {
      add({.iterations = iterations});
      for (int64_t from = 1; from < most; from *= 2)
        add({.iterations = iterations, .together = 2, .together_from = from});
    }
    for (int64_t rows = 2; rows <= kMostRows; ++rows) add({.rows = rows});
  }

  // A shortcut's convolution whose result takes fewer bytes than its input's rows that wait for it
  // is computed as soon as these are there.
  RowSchedule with_results_ahead(const LoopOfChain& loop) const {
    constexpr int64_t kMostAhead = 3;
    const auto rank = [](const RowSchedule& rows) {
      return std::pair(rows.bytes(), rows.bytes_moved());
    };
    RowSchedule best = loop.schedule;
    Iteration iteration = loop.iteration;
    for (const InstructionId result : shortcut_results(loop.schedule)) {
      for (int64_t rows = 1; rows <= kMostAhead; ++rows) {
        Iteration other = iteration;
        other.ahead[result] = rows;
        auto made = schedule(loop.from, loop.to, other);
        if (!made || made->is_over_entrance != best.is_over_entrance || rank(*made) >= rank(best))
          continue;
        best = *std::move(made);
        iteration = std::move(other);
      }
    }
    return best;
  }

  // Of each convolution that is not alone in reading its input: the smallest array that elementwise
  // ops make of it alone.
  std::vector<InstructionId> shortcut_results(const RowSchedule& loop) const {
    std::vector<InstructionId> out;
    for (const auto& [id, dimension] : loop.dimension)
      if (c_[id].opcode == Opcode::kConvolution && users_[c_[id].operands[0]].size() > 1)
        out.push_back(smallest_of(id, loop));
    return out;
  }

  InstructionId smallest_of(InstructionId convolution, const RowSchedule& loop) const {
    const auto last_user = [&](InstructionId id) {
      return users_[id].empty() ? static_cast<InstructionId>(users_.size())
                                : std::ranges::max(users_[id]);
    };
    std::set<InstructionId> made{convolution};
    InstructionId smallest = convolution, open = last_user(convolution);
    for (InstructionId id = convolution + 1; id <= open && id <= loop.exit; ++id) {
      const auto is_made = [&](InstructionId operand) { return made.contains(operand); };
      const auto is_other = [&](InstructionId operand) {
        return loop.dimension.contains(operand) && !is_made(operand);
      };
      if (std::ranges::none_of(c_[id].operands, is_made)) continue;
      if (!is_elementwise(c_[id]) || std::ranges::any_of(c_[id].operands, is_other)) break;
      made.insert(id);
      // All else that was made goes into it.
      if (id >= open && c_[id].shape.byte_size() < c_[smallest].shape.byte_size()) smallest = id;
      open = std::max(open, last_user(id));
    }
    return smallest;
  }

  // Up to which place an array is alive: the one whose making reads it last.
  void find_last_readers() {
    for (size_t p = 0; p < places_.size(); ++p) {
      size_t last = p;
      std::vector<InstructionId> open{places_[p]};
      std::set<InstructionId> seen;
      while (!open.empty()) {
        const InstructionId id = open.back();
        open.pop_back();
        for (InstructionId user : users_[id]) {
          if (!seen.insert(user).second) continue;
          const auto place = std::ranges::lower_bound(places_, user);
          if (place == places_.end()) continue;
          last = std::max(last, static_cast<size_t>(place - places_.begin()));
          if (*place != user) open.push_back(user);
        }
      }
      last_reader_.push_back(last);
    }
  }

  // All places between are inside of the chain.
  bool holds_all(const RowSchedule& loop, size_t from, size_t to) const {
    for (size_t p = from + 1; p < to; ++p)
      if (!loop.dimension.contains(places_[p])) return false;
    return true;
  }

  int64_t bytes(size_t p) const { return c_[places_[p]].shape.byte_size(); }

  // While place `p` is made; what is not made of places comes for nothing.
  int64_t alive_at(size_t p) const {
    int64_t sum = bytes(p);
    for (size_t q = 0; q < p; ++q)
      if (last_reader_[q] >= p) sum += bytes(q);
    return sum;
  }

  int64_t bytes_of(const LoopOfChain& loop) const {
    int64_t sum = loop.schedule.bytes();
    if (!loop.schedule.is_over_entrance) sum += bytes(loop.to);
    for (size_t q = 0; q <= loop.from; ++q)
      if (last_reader_[q] > loop.from) sum += bytes(q);
    return sum;
  }

  static void improve(Way& best, const Way& before, Way step, int64_t most) {
    step.peak = std::max(before.peak, step.peak);
    step.moved += before.moved;
    const auto rank = [&](const Way& way) {
      return std::pair(std::max(way.peak, most), way.moved);
    };
    if (rank(step) < rank(best)) best = step;
  }

  const Module& module_;
  const Computation& c_;
  const Target& target_;
  std::vector<std::vector<InstructionId>> users_;
  std::vector<InstructionId> places_;
  std::vector<size_t> last_reader_;
  std::vector<LoopOfChain> loops_;
};

}  // namespace

std::vector<RowSchedule> choose_row_loops(const Module& module, const Computation& computation,
                                          int64_t limit, const Target& target) {
  return Choice(module, computation, target).within(limit);
}

Status row_loops(Module& module, const PassContext& context) {
  const std::optional<int64_t> limit = context.target.decisions.rows_above;
  if (!limit) return {};
  if (reduce_global_pools(module, module.entry)) hlo::compact(module);
  std::vector<RowSchedule> loops =
      choose_row_loops(module, module.entry_computation(), *limit, context.target);
  // From the last to the first: a loop takes another place than the chain that it replaces.
  std::ranges::reverse(loops);
  for (const RowSchedule& loop : loops) make_row_loop(module, module.entry, loop);
  if (!loops.empty()) hlo::compact(module);
  return {};
}

}  // namespace hlocc::transforms

// See memories.h. Greedy by density, and by orders that put size first for what would not fit
// otherwise; each item at the lowest free place of the first memory that has one. Then items that
// lie in the slowest memory are moved ahead in the order, as long as that pays.
#include "planning/memories.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "costs/memories.h"
#include "planning/occupied.h"
#include "planning/packing_problem.h"
#include "planning/run_counts.h"

namespace hlocc::planning {
namespace {

// Steps of effort of the packing that a try ends with, and of the last one.
constexpr int64_t kTryEffort = 20'000;
constexpr int kMoves = 120;  // items moved ahead, at most

int64_t time_of(const Item& item) {
  int64_t sum = 0;
  for (const Rectangle& part : item.parts)
    for (const Interval& t : part.times) sum += t.end - t.begin;
  return std::max<int64_t>(sum, 1);
}

class Divider {
 public:
  Divider(const std::vector<Divided>& items, const std::vector<MemoryRoom>& memories,
          double flash_waits)
      : items_(items), memories_(memories), flash_waits_(flash_waits) {
    for (const Divided& one : items) plain_.push_back(one.item);
    problem_.emplace(make_problem(plain_));
  }

  Division run() {
    Division best;
    std::vector<int> order;
    for (const std::vector<int>& tried : orders()) {
      Division made = in_order(tried, kTryEffort);
      if (order.empty() || is_better(made, best)) best = std::move(made), order = tried;
    }
    move_ahead(order, best);
    return in_order(order, kFullEffort);
  }

 private:
  int last() const { return static_cast<int>(memories_.size()) - 1; }
  int64_t extent(size_t i) const { return problem_->high[i] - problem_->low[i]; }

  static bool is_better(const Division& a, const Division& b) {
    return std::tuple(a.missing, a.waited) < std::tuple(b.missing, b.waited);
  }

  std::vector<std::vector<int>> orders() const {
    const size_t n = items_.size();
    std::vector<double> density(n), worth(n), area(n), size(n);
    for (size_t i = 0; i < n; ++i) {
      const auto bytes = static_cast<double>(std::max<int64_t>(extent(i), 1));
      worth[i] = items_[i].accesses;
      size[i] = items_[i].is_constant ? 0 : bytes;
      area[i] = size[i] * static_cast<double>(time_of(items_[i].item));
      density[i] = worth[i] / bytes / static_cast<double>(time_of(items_[i].item));
    }
    std::vector<double> by_byte(n);
    for (size_t i = 0; i < n; ++i)
      by_byte[i] = worth[i] / static_cast<double>(std::max<int64_t>(extent(i), 1));
    std::vector<std::vector<int>> out;
    for (const std::vector<double>* key : {&density, &by_byte, &worth, &area, &size}) {
      std::vector<int> order(n);
      std::iota(order.begin(), order.end(), 0);
      std::ranges::stable_sort(order, std::ranges::greater(),
                               [&](int i) { return (*key)[static_cast<size_t>(i)]; });
      out.push_back(std::move(order));
    }
    return out;
  }

  // True if the memory may hold the item at all.
  bool takes(int memory, const Divided& item) const {
    const MemoryRoom& room = memories_[static_cast<size_t>(memory)];
    return !item.is_constant ||
           (room.takes_constants && item.accesses > 0 && room.waits < flash_waits_);
  }

  Division in_order(const std::vector<int>& order, int64_t effort) const {
    Division out{std::vector<int>(items_.size(), last()), std::vector<int64_t>(items_.size(), 0),
                 std::vector<int64_t>(memories_.size(), 0)};
    for (size_t i = 0; i < items_.size(); ++i)
      if (items_[i].is_constant) out.memory_of[i] = kInFlash;
    std::vector<Occupied> taken(memories_.size());
    for (const int item : order) {
      const auto i = static_cast<size_t>(item);
      for (int m = 0; m < static_cast<int>(memories_.size()); ++m) {
        if (m == last() || !takes(m, items_[i])) continue;
        Occupied& occupied = taken[static_cast<size_t>(m)];
        const int64_t base = occupied.lowest_free(problem_->simple[i], problem_->lowest[i]);
        if (base + problem_->high[i] > memories_[static_cast<size_t>(m)].bytes) continue;
        occupied.add(problem_->simple[i], base);
        out.memory_of[i] = m;
        out.bases[i] = base;
        break;
      }
    }
    for (int m = 0; m <= last(); ++m) pack_memory(m, effort, out);
    const auto rest = static_cast<size_t>(last());
    out.missing = std::max<int64_t>(0, out.bytes[rest] - memories_[rest].bytes);
    for (size_t i = 0; i < items_.size(); ++i)
      out.waited +=
          items_[i].accesses * (out.memory_of[i] == kInFlash
                                    ? flash_waits_
                                    : memories_[static_cast<size_t>(out.memory_of[i])].waits);
    return out;
  }

  // What was put into the memory, packed anew; the places found one by one stay where that is no
  // better.
  void pack_memory(int memory, int64_t effort, Division& out) const {
    const auto m = static_cast<size_t>(memory);
    std::vector<Item> items;
    std::vector<size_t> which;
    int64_t found = 0;
    for (size_t i = 0; i < items_.size(); ++i) {
      if (out.memory_of[i] != memory) continue;
      items.push_back(plain_[i]);
      which.push_back(i);
      found = std::max(found, out.bases[i] + problem_->high[i]);
    }
    const bool is_placed = memory != last();
    const Packing packing = pack(items, effort);
    out.bytes[m] = is_placed ? std::min(found, packing.bytes) : packing.bytes;
    if (is_placed && found <= packing.bytes) return;
    for (size_t k = 0; k < which.size(); ++k) out.bases[which[k]] = packing.bases[k];
  }

  // Items outside of the first memory, the ones that wait longest first, are tried at the front.
  void move_ahead(std::vector<int>& order, Division& best) const {
    std::vector<int> waiting;
    for (size_t i = 0; i < items_.size(); ++i)
      if (best.memory_of[i] != 0 && items_[i].accesses > 0) waiting.push_back(static_cast<int>(i));
    std::ranges::stable_sort(waiting, std::ranges::greater(),
                             [&](int i) { return items_[static_cast<size_t>(i)].accesses; });
    const size_t most = std::min<size_t>(kMoves, 50'000 / (items_.size() + 1));
    if (waiting.size() > most) waiting.resize(most);
    for (const int item : waiting) {
      std::vector<int> tried = order;
      const auto at = std::ranges::find(tried, item);
      std::rotate(tried.begin(), at, at + 1);
      Division made = in_order(tried, kTryEffort);
      if (is_better(made, best)) best = std::move(made), order = std::move(tried);
    }
  }

  const std::vector<Divided>& items_;
  const std::vector<MemoryRoom>& memories_;
  double flash_waits_;
  std::vector<Item> plain_;
  std::optional<PackingProblem> problem_;
};

}  // namespace

Division divide(const std::vector<Divided>& items, const std::vector<MemoryRoom>& memories,
                double flash_waits) {
  return Divider(items, memories, flash_waits).run();
}

std::vector<double> accesses_of(const Draft& draft, const Target& target) {
  using namespace kernel;
  std::vector<double> out(draft.values.size(), 0);
  const auto runs = run_counts(*draft.program, draft.steps);
  // How often rows are pushed is known here alone.
  std::set<const Step*> of_rows;
  for (const Step& step : draft.steps)
    if (draft.program->stream && takes_rows(*draft.program, step))
      for_each_step(std::get<WhileStep>(step.what).body,
                    [&](const Step& inner) { of_rows.insert(&inner); });
  const auto add = [&](Id id, double count) { out[static_cast<size_t>(id)] += count; };
  for_each_step(draft.steps, [&](const Step& step) {
    const auto found = runs.find(&step);
    auto times = found == runs.end() ? 0.0 : static_cast<double>(found->second.value_or(1));
    if (of_rows.contains(&step)) times = static_cast<double>(draft.program->stream->iterations);
    if (const auto* launch = std::get_if<Launch>(&step.what)) {
      const Kernel& kernel = draft.program->kernels[static_cast<size_t>(launch->kernel)];
      const std::vector<double> each = costs::launch_accesses(kernel, *launch, target);
      for (size_t i = 0; i < launch->operands.size() && i < each.size(); ++i)
        add(launch->operands[i], times * each[i]);
    } else if (std::holds_alternative<UserCall>(step.what)) {
      for (const auto& ids :
           {reads_of(step, draft.program->kernels), writes_of(step, draft.program->kernels)})
        for (const Id id : ids)
          add(id, times * std::ceil(static_cast<double>(draft.value(id).bytes()) / 4));
    }
  });
  return out;
}

}  // namespace hlocc::planning

// Running mapped kernels (kernel/mapped.h). Threads of a group come to each barrier one after the
// other: what stands between two of them runs thread by thread, each with registers of its own, and
// what holds a barrier runs with all threads at once, node by node. Groups and threads come in an
// order that is drawn anew for each phase, from numbers that are the same in each run.
#include <algorithm>
#include <numeric>

#include "kernel/evaluate/compiled_kernel.h"
#include "kernel/mapped.h"
#include "kernel/ranges/group_watch.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

constexpr std::byte kUnwrittenByte{0xa5};

// Knuth's MMIX generator; the high bits are the random ones.
uint64_t next_random(uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

void shuffle_numbers(std::vector<size_t>& numbers, uint64_t& state) {
  for (size_t i = numbers.size(); i > 1; --i)
    std::swap(numbers[i - 1], numbers[next_random(state) % i]);
}

std::vector<size_t> numbers_below(int64_t end) {
  std::vector<size_t> numbers(static_cast<size_t>(end));
  std::iota(numbers.begin(), numbers.end(), size_t{0});
  return numbers;
}

}  // namespace

void CompiledKernel::watch_groups(std::span<const std::span<std::byte>> buffers) {
  groups_ = nullptr;
  if (!std::ranges::any_of(body_.nodes, &Node::waits)) return;
  auto watch = std::make_unique<GroupWatch>(kernel_, buffers);
  watch_ = groups_ = watch.get();
  own_watch_ = std::move(watch);
}

void CompiledKernel::note_op(const Node& node) {
  if (groups_ != nullptr) groups_->at_op(node.number);
}

bool CompiledKernel::run_groups(const Node& node) {
  const MappedLoops loops = *mapped_loops(kernel_);
  threads_.assign(static_cast<size_t>(loops.threads), registers_);
  order_ = numbers_below(loops.threads);
  std::vector<size_t> groups = numbers_below(loops.groups);
  random_ = 1;
  shuffle_numbers(groups, random_);
  for (const size_t group : groups) {
    begin_group(loops, static_cast<int64_t>(group));
    if (!run_together(node.blocks[0].nodes) || !end_phase()) return false;
  }
  return true;
}

bool CompiledKernel::end_phase() {
  if (groups_->barrier()) return true;
  fault_ = groups_->fault();
  return false;
}

void CompiledKernel::begin_group(const MappedLoops& loops, int64_t group) {
  groups_->begin_group(group);
  shuffle();
  const auto set = [&](std::span<const Op* const> nest, int64_t number, size_t thread) {
    const std::vector<int64_t> counters = counters_at(nest, number);
    for (size_t i = 0; i < nest.size(); ++i)
      threads_[thread][static_cast<size_t>(slot_[nest[i]->regions[0].arguments[0]])] =
          static_cast<uint64_t>(counters[i]);
  };
  for (size_t thread = 0; thread < threads_.size(); ++thread) {
    set(loops.grid, group, thread);
    set(loops.group, static_cast<int64_t>(thread), thread);
  }
  own_.resize(kernel_.buffers.size());
  for (size_t i = 0; i < own_.size(); ++i) {
    const Buffer& buffer = kernel_.buffers[i];
    const auto bytes = static_cast<size_t>(buffer.elements * scalar_bytes(buffer.element));
    if (buffer.space == Space::kStack) own_[i].assign(bytes * threads_.size(), kUnwrittenByte);
    if (buffer.space == Space::kShared) std::fill_n(views_[i].data, bytes, kUnwrittenByte);
  }
}

void CompiledKernel::shuffle() { shuffle_numbers(order_, random_); }

// In and out again.
void CompiledKernel::swap_thread(size_t thread) { std::swap(registers_, threads_[thread]); }

bool CompiledKernel::each_thread(const std::function<bool()>& work) {
  for (const size_t thread : order_) {
    groups_->begin_thread(static_cast<int>(thread));
    for (size_t i = 0; i < own_.size(); ++i)
      if (!own_[i].empty())
        views_[i].data = own_[i].data() + own_[i].size() / order_.size() * thread;
    swap_thread(thread);
    const bool goes_on = work();
    swap_thread(thread);
    if (!goes_on) return false;
  }
  return true;
}

bool CompiledKernel::run_together(const std::vector<Node>& nodes) {
  for (auto next = nodes.begin(); next != nodes.end();) {
    if (next->waits) {
      if (!come_together(*next++)) return false;
      continue;
    }
    const auto end = std::find_if(next, nodes.end(), [](const Node& node) { return node.waits; });
    const auto stretch = [&] {
      return std::all_of(next, end, [this](const Node& node) { return run(node); });
    };
    if (!each_thread(stretch)) return false;
    next = end;
  }
  return true;
}

bool CompiledKernel::come_together(const Node& node) {
  switch (node.action) {
    case Action::kBarrier: shuffle(); return end_phase();
    case Action::kGroups: return run_together(node.blocks[0].nodes);
    case Action::kLoop: return loop_together(node);
    case Action::kIf: return branch_together(node);
    default: fault_ = "a barrier in a loop that each thread ends by itself"; return false;
  }
}

std::optional<int64_t> CompiledKernel::common(const std::function<int64_t()>& value,
                                              const char* what) {
  std::optional<int64_t> found;
  const bool agree = each_thread([&] {
    const int64_t own = value();
    if (found && *found != own) return false;
    found = own;
    return true;
  });
  if (agree) return found;
  fault_ = cat("threads of a group differ in ", what, " around a barrier");
  return std::nullopt;
}

bool CompiledKernel::move_each(const std::vector<std::pair<int, int>>& pairs) {
  return each_thread([&] { return move(pairs), true; });
}

bool CompiledKernel::loop_together(const Node& node) {
  const auto lower = common([&] { return address(node.at); }, "the begin of a loop");
  const auto upper = common([&] { return address(node.upper); }, "the end of a loop");
  if (!lower || !upper) return false;
  move_each(node.enter);
  for (int64_t i = *lower; i < *upper; i += node.stride) {
    each_thread([&] {
      registers_[static_cast<size_t>(node.counter)] = static_cast<uint64_t>(i);
      return true;
    });
    if (!run_together(node.blocks[0].nodes)) return false;
    move_each(node.blocks[0].next);
  }
  return move_each(node.leave);
}

bool CompiledKernel::branch_together(const Node& node) {
  const auto taken = common(
      [&] {
        return static_cast<int64_t>(registers_[static_cast<size_t>(node.operand[0])] != 0 ? 0 : 1);
      },
      "a condition");
  if (!taken) return false;
  const Block& way = node.blocks[static_cast<size_t>(*taken)];
  return run_together(way.nodes) && move_each(way.next);
}

}  // namespace hlocc::kernel

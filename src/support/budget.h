// What a file may cost: work, in units that are the same on every machine, and memory, in bytes. A
// kilobyte can ask for more than any machine has (calls that double at each level, constants of
// gigabytes that are computed), so everything that may grow faster than its file asks here first.
// Work that is needed ends in a diagnostic (kLimit) that names what grew; a search that is optional
// stops and keeps the best that it has (docs/design/009_budget.md).
//
// The budget is that of the innermost BudgetScope of this thread, as with WorkingOn; without one
// nothing is limited, which is how a model that was asked for is run.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>

#include "support/result.h"

namespace hlocc {

// What the user said of it; 0: what the size of the input allows.
struct Limits {
  int64_t work = 0, memory = 0;
};

class Budget {
 public:
  // Counters saturate: what a file claims may be any number.
  static constexpr int64_t kMost = int64_t{1} << 62;
  static int64_t saturated(int64_t a, int64_t b) { return a > kMost - b ? kMost : a + b; }

  // `times`: how often what is read will be compiled, for several targets.
  explicit Budget(const Limits& wanted = {}, int64_t times = 1);

  // A file of so many bytes is worked on from here on: limits that were not set grow with it.
  void add_input(int64_t bytes);
  // A file of so many bytes is about to be read: it fits twice, whatever becomes of it.
  void make_room_for_file(int64_t bytes);

  int64_t work_limit() const { return limits_.work; }
  int64_t memory_limit() const { return limits_.memory; }
  int64_t work() const { return work_; }
  int64_t memory() const { return memory_; }
  int64_t most_memory() const { return most_memory_; }

  void spend(int64_t units);
  // The same, and whether there is more: false once all is spent, but not where an UnrefusedScope
  // says that there was no answer.
  bool take(int64_t units);
  bool has(int64_t bytes) const;
  void hold(int64_t bytes) {  // negative: given back
    memory_ = std::max<int64_t>(saturated(memory_, bytes), 0);
    most_memory_ = std::max(most_memory_, memory_);
  }
  // An allocation: its bytes, and the work of the code that asked for them.
  void allocated(int64_t bytes) {
    work_ += kAllocationWork + bytes / kBytesPerUnit;
    hold(bytes);
  }
  bool work_is_over() const { return work_ > limits_.work; }
  // An eighth beyond what callers that ask are refused: by those that do not, with `bytes` more.
  // What follows a refusal, words for the user, has an eighth of its own.
  bool memory_is_far_over(int64_t bytes = 0) const {
    return saturated(memory_, bytes) > limits_.memory + limits_.memory / 8;
  }
  bool work_is_far_over() const {
    return work_ > std::max(limits_.work, refused_at_) + limits_.work / 8;
  }

  // `what` grew: the diagnostics, with what is being worked on and the cure.
  Diagnostic work_exceeded(std::string_view what) const;
  Diagnostic memory_exceeded(std::string_view what) const;

  // What ends the process when an allocation is far over and no caller could tell; may be empty.
  std::function<void(const Diagnostic&)> end_process;

 private:
  friend class UnrefusedScope;
  void set_limits();

  // An allocation stands for the steps of the code that asked for it.
  static constexpr int64_t kAllocationWork = 40, kBytesPerUnit = 16;
  Limits wanted_, limits_;
  int unrefused_ = 0;
  int64_t refused_at_ = 0;  // the work at the first refusal
  int64_t times_ = 1, files_ = 0, input_bytes_ = 0, largest_file_ = 0;
  int64_t work_ = 0, memory_ = 0, most_memory_ = 0;
};

// Installs a budget for this thread, or none, until the scope ends.
class BudgetScope {
 public:
  explicit BudgetScope(Budget* budget);
  ~BudgetScope();
  BudgetScope(const BudgetScope&) = delete;
  BudgetScope& operator=(const BudgetScope&) = delete;

 private:
  Budget* before_;
};

// Until it ends, work and memory of this thread's budget are counted and not refused: for what is
// small and has no way to answer, such as the helper computations of a rewrite.
class UnrefusedScope {
 public:
  UnrefusedScope();
  ~UnrefusedScope();
  UnrefusedScope(const UnrefusedScope&) = delete;
  UnrefusedScope& operator=(const UnrefusedScope&) = delete;

 private:
  Budget* budget_;
};

// That of the innermost scope; null without one.
Budget* current_budget();

// Work that is done now, needed or not: false once there is no more.
bool spend_work(int64_t units);
// Whether memory that is about to be taken is there. It is counted when it is allocated.
bool has_memory(int64_t bytes);
// The same for what may be left out: false where half of all is gone, so that what is needed finds
// the rest.
bool may_search(int64_t units);
bool may_hold(int64_t bytes);

// Work and memory that are needed: kLimit once there is no more. `what` is called for the name of
// what grew: "computation %main", "the plan".
template <typename What>
Status charge_work(int64_t units, What&& what) {
  return spend_work(units) ? Status() : Status(current_budget()->work_exceeded(what()));
}
template <typename What>
Status charge_memory(int64_t bytes, What&& what) {
  return has_memory(bytes) ? Status() : Status(current_budget()->memory_exceeded(what()));
}

}  // namespace hlocc

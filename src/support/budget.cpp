// See budget.h.
#include "support/budget.h"

#include <algorithm>
#include <utility>

#include "support/text.h"
#include "support/working_on.h"

namespace hlocc {
namespace {

// What a file gets, however small, and what each of its bytes adds: docs/design/009_budget.md has
// the measurements that they come from.
constexpr int64_t kFileWork = 4'000'000'000, kByteWork = 4'000;
constexpr int64_t kFileMemory = int64_t{640} << 20, kByteMemory = 128;
Budget*& installed() {
  thread_local Budget* budget = nullptr;
  return budget;
}

Diagnostic exceeded(std::string_view what, int64_t limit, std::string_view resource,
                    std::string_view flag, int64_t input_bytes) {
  Diagnostic out = error(DiagnosticKind::kLimit, cat(what, " takes more than the ", limit, " ",
                                                     resource, " that are allowed"));
  if (input_bytes > 0) out.notes.push_back(cat("the input has ", input_bytes, " bytes"));
  for (const std::string& place : worked_on()) out.notes.push_back(cat("while working on ", place));
  return std::move(out).note(
      cat("--limits ", flag, "=", Budget::saturated(limit, limit), " allows twice as much"));
}

}  // namespace

Budget::Budget(const Limits& wanted, int64_t times)
    : wanted_(wanted), times_(std::clamp<int64_t>(times, 1, 1 << 10)) {
  add_input(0);
  files_ = 0;
}

void Budget::add_input(int64_t bytes) {
  files_ = std::min<int64_t>(files_ + 1, 1 << 20);
  input_bytes_ = std::min<int64_t>(saturated(input_bytes_, bytes), int64_t{1} << 40);
  set_limits();
}

void Budget::make_room_for_file(int64_t bytes) {
  largest_file_ = std::max(largest_file_, std::min(bytes, int64_t{1} << 40));
  set_limits();
}

void Budget::set_limits() {
  limits_.work =
      wanted_.work > 0
          ? wanted_.work
          : times_ * std::min(std::max<int64_t>(files_, 1) * kFileWork + input_bytes_ * kByteWork,
                              kMost >> 12);
  limits_.memory = wanted_.memory > 0
                       ? wanted_.memory
                       : std::max(kFileMemory, 2 * largest_file_) + input_bytes_ * kByteMemory;
}

void Budget::spend(int64_t units) {
  work_ = saturated(work_, std::clamp<int64_t>(units, 0, kMost));
}

bool Budget::take(int64_t units) {
  spend(units);
  if (!work_is_over() || unrefused_ > 0) return true;
  if (refused_at_ == 0) refused_at_ = work_;
  return false;
}

bool Budget::has(int64_t bytes) const {
  return unrefused_ > 0 || saturated(memory_, bytes) <= limits_.memory;
}

Diagnostic Budget::work_exceeded(std::string_view what) const {
  return exceeded(what, limits_.work, "units of work", "work", input_bytes_);
}

Diagnostic Budget::memory_exceeded(std::string_view what) const {
  return exceeded(what, limits_.memory, "bytes of memory", "memory", input_bytes_);
}

BudgetScope::BudgetScope(Budget* budget) : before_(std::exchange(installed(), budget)) {}
BudgetScope::~BudgetScope() { installed() = before_; }

UnrefusedScope::UnrefusedScope() : budget_(installed()) {
  if (budget_ != nullptr) ++budget_->unrefused_;
}
UnrefusedScope::~UnrefusedScope() {
  if (budget_ != nullptr) --budget_->unrefused_;
}

Budget* current_budget() { return installed(); }

bool spend_work(int64_t units) {
  Budget* budget = installed();
  return budget == nullptr || budget->take(units);
}

bool has_memory(int64_t bytes) {
  const Budget* budget = installed();
  return budget == nullptr || budget->has(bytes);
}

bool may_search(int64_t units) {
  Budget* budget = installed();
  if (budget == nullptr) return true;
  budget->spend(units);
  return budget->work() <= budget->work_limit() / 2;
}

bool may_hold(int64_t bytes) {
  const Budget* budget = installed();
  return budget == nullptr ||
         Budget::saturated(budget->memory(), bytes) <= budget->memory_limit() / 2;
}

}  // namespace hlocc

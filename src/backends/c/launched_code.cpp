// See launched_code.h.
#include "backends/c/launched_code.h"

#include <algorithm>
#include <set>

#include "support/text.h"

namespace hlocc::backends {

LaunchedCode::LaunchedCode(const planning::Plan& plan, const KernelTable& table,
                           const Weights& weights)
    : plan_(plan), table_(table), weights_(weights) {
  std::set<std::string> used;
  for (const EmittedKernel& one : table.emitted) used.insert(one.symbol);
  std::set<int> named;
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    const auto* launch = std::get_if<kernel::Launch>(&step.what);
    if (launch == nullptr) return;
    const int row = table.of_kernel()[static_cast<size_t>(launch->kernel)];
    std::vector<Held> held = held_by(*launch);
    if (const auto known = find(row, held); known != functions_.end())
      return void(++functions_[static_cast<size_t>(known - functions_.begin())].calls);
    const std::string& first = table.emitted[static_cast<size_t>(row)].symbol;
    std::string symbol = first;
    if (!named.insert(row).second)
      for (int number = 2; !used.insert(symbol).second; ++number)
        symbol = cat(first, "_from_", number);
    functions_.push_back({row, symbol, std::move(held), 1, &step.origin});
  });
  std::stable_sort(functions_.begin(), functions_.end(),
                   [](const auto& a, const auto& b) { return a.row < b.row; });
}

std::vector<Held> LaunchedCode::held_by(const kernel::Launch& launch) const {
  std::vector<Held> out;
  for (const kernel::ProgramValueId id : launch.operands) {
    const WeightArray* array = weights_.find(address_of(plan_, id));
    out.push_back(array == nullptr    ? Held::kMemory
                  : array->parts == 1 ? Held::kArray
                                      : Held::kParts);
  }
  return out;
}

const std::string& LaunchedCode::symbol_of(const kernel::Launch& launch) const {
  const int row = table_.of_kernel()[static_cast<size_t>(launch.kernel)];
  return find(row, held_by(launch))->symbol;
}

std::vector<LaunchedFunction>::const_iterator LaunchedCode::find(
    int row, const std::vector<Held>& held) const {
  return std::ranges::find_if(
      functions_, [&](const LaunchedFunction& one) { return one.row == row && one.held == held; });
}

}  // namespace hlocc::backends

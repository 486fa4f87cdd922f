// Kernels of the same code text share a row; what one of them may not promise, none does.
#include "backends/common/kernel_table.h"

#include <map>

#include "backends/common/sharing.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

std::string unique_symbol(const std::string& wanted, std::set<std::string>& used) {
  std::string symbol = wanted;
  for (int number = 2; !used.insert(symbol).second; ++number) symbol = cat(wanted, "_", number);
  return symbol;
}

void count_uses(const planning::Plan& plan, const std::vector<int>& of_kernel, KernelTable& table) {
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    const auto* launch = std::get_if<kernel::Launch>(&step.what);
    if (launch == nullptr) return;
    EmittedKernel& row = table.emitted[of_kernel[launch->kernel]];
    if (row.uses++ == 0) row.first_use = &step.origin;
  });
}

}  // namespace

std::set<kernel::KernelId> launched_kernels(const planning::Plan& plan) {
  std::set<kernel::KernelId> launched;
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    if (const auto* launch = std::get_if<kernel::Launch>(&step.what))
      launched.insert(launch->kernel);
  });
  return launched;
}

kernel::Origin first_with_lines(const kernel::Steps& steps) {
  kernel::Origin first;
  kernel::for_each_step(steps, [&](const kernel::Step& step) {
    if (first.source.empty() && !step.origin.source.empty()) first = step.origin;
  });
  return first;
}

KernelTable table_of_kernels(const Library& library) {
  KernelTable table;
  std::map<std::string, int> rows;
  std::set<std::string> used;
  for (size_t unit = 0; unit < library.units.size(); ++unit) {
    const kernel::Program& program = *library.units[unit].program;
    const planning::Plan& plan = *library.units[unit].plan;
    const std::vector<std::vector<bool>> unshared = unshared_buffers(program, plan);
    std::vector<int>& of_kernel = table.of_unit.emplace_back(program.kernels.size(), -1);
    for (const kernel::KernelId id : launched_kernels(plan)) {
      const kernel::Kernel& kernel = program.kernels[id];
      const auto [row, is_new] =
          rows.emplace(kernel::code_key(kernel), static_cast<int>(table.emitted.size()));
      of_kernel[id] = row->second;
      if (is_new) {
        const std::string wanted = cat(library.prefix, "k_", to_c_identifier(kernel.name));
        table.emitted.push_back({unit, id, unique_symbol(wanted, used), unshared[id]});
        continue;
      }
      std::vector<bool>& promised = table.emitted[row->second].unshared;
      for (size_t i = 0; i < promised.size(); ++i) promised[i] = promised[i] && unshared[id][i];
    }
    count_uses(plan, of_kernel, table);
  }
  return table;
}

}  // namespace hlocc::backends

// See constants_by_type.h.
#include "planning/constants_by_type.h"

#include "kernel/nibbles.h"

namespace hlocc::planning {

std::map<std::string, int64_t> constants_by_type(const Plan& plan) {
  std::map<int64_t, const kernel::ProgramValue*> at;
  for (size_t i = 0; i < plan.values.size(); ++i) {
    if (plan.places[i].region != Region::kConstant) continue;
    const kernel::ProgramValue*& known = at[plan.places[i].offset];
    if (known == nullptr || known->bytes() < plan.values[i].bytes()) known = &plan.values[i];
  }
  std::map<std::string, int64_t> bytes;
  for (const auto& [offset, value] : at)
    if (value->bytes() > 0) bytes[std::string(kernel::held_type(*value))] += value->bytes();
  return bytes;
}

}  // namespace hlocc::planning

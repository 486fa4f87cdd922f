// The figures are those of GCC 12's libgcc, rounded up to the next step or two, for other versions
// are not the same to the byte; the library's own copy may be a libc's, and is taken for newlib's
// with room for others.
#include "backends/common/helper_stack.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "target/memory_functions.h"

namespace hlocc::backends {
namespace {

struct HelperRow {
  std::string_view prefix;
  int64_t bytes;
};

// Cores without Thumb-2: everything is compiled from C for the registers r0 to r7.
constexpr HelperRow kArmV6M[] = {
    {"__aeabi_idiv", 24},  {"__aeabi_uidiv", 24}, {"__aeabi_fadd", 40}, {"__aeabi_fsub", 40},
    {"__aeabi_frsub", 40}, {"__aeabi_fmul", 48},  {"__aeabi_fdiv", 48}, {"__aeabi_fcmp", 40},
    {"__aeabi_i2f", 32},   {"__aeabi_ui2f", 32},  {"__aeabi_f2iz", 32}, {"__aeabi_f2uiz", 48},
    {"__aeabi_f2d", 32},   {"__aeabi_lmul", 40},  {"__aeabi_", 112},    {kOwnCopy, 32},
};
constexpr HelperRow kArm[] = {
    {"__aeabi_f2ulz", 64}, {"__aeabi_f2lz", 64}, {"__aeabi_f2d", 16},  {"__aeabi_f", 24},
    {"__aeabi_i2", 16},    {"__aeabi_ui2", 16},  {"__aeabi_dadd", 24}, {"__aeabi_dsub", 24},
    {"__aeabi_dmul", 40},  {"__aeabi_ddiv", 24}, {"__aeabi_dcmp", 16}, {"__aeabi_lmul", 16},
    {"__aeabi_", 64},      {kOwnCopy, 32},
};
constexpr HelperRow kRiscv[] = {
    {"__mulsi3", 16}, {"__muldi3", 32}, {"__add", 48},   {"__sub", 48}, {"__fix", 48},
    {"__float", 48},  {"__extend", 48}, {"__trunc", 48}, {"__", 80},    {kOwnCopy, 32},
};

std::span<const HelperRow> rows_for(const Target& target, const CoreNeeds& core) {
  if (!target.bare_metal) return {};
  if (core.family == CoreFamily::kRiscv) return kRiscv;
  if (core.family != CoreFamily::kArm) return {};
  return core.has(CoreFact::kArmThumb2) ? std::span<const HelperRow>(kArm)
                                        : std::span<const HelperRow>(kArmV6M);
}

}  // namespace

std::optional<int64_t> helper_stack(const Target& target, const CoreNeeds& core,
                                    const std::string& symbol) {
  if (!is_allowed_symbol(target, symbol)) return std::nullopt;
  for (const HelperRow& row : rows_for(target, core))
    if (symbol.starts_with(row.prefix)) return row.bytes;
  return std::nullopt;
}

}  // namespace hlocc::backends

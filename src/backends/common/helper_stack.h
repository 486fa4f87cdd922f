// The stack that library helpers of the compiler's take (soft float, division, memcpy): they are
// known to the linker alone, so that their frames were read off disassembled libraries once.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "target/core_facts.h"
#include "target/target.h"

namespace hlocc::backends {

// The most that a call of the helper takes, what it calls itself included; nothing where that is
// not known.
std::optional<int64_t> helper_stack(const Target& target, const CoreNeeds& core,
                                    const std::string& symbol);

}  // namespace hlocc::backends

// Constants whose values a file leaves out: `constant({...})` in text, no literal in a proto. Who
// asks about a program's size only gets numbers in their place, of which no pass knows anything.
#pragma once
#include <optional>

#include "hlo/literal.h"
#include "support/result.h"

namespace hlocc::import {

// In all; more is refused.
inline constexpr int64_t kMaxElidedBytes = int64_t{1} << 30;

struct Elided {
  // Else the first one is an error.
  bool allowed = false;
  // So far.
  int64_t count = 0, bytes = 0;
};

// Numbers that are neither zero nor one nor alike, the same for the same file. None: not allowed,
// or more than kMaxElidedBytes in all. kLimit: more than the memory that there is.
Result<std::optional<hlo::Literal>> stand_in(const hlo::Shape& shape, Elided& elided);

}  // namespace hlocc::import

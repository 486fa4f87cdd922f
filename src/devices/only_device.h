// Platforms of one device: any number but 0 is asked for in vain.
#pragma once
#include <string>

#include "support/result.h"
#include "support/text.h"

namespace hlocc::device {

inline Status only_device(const std::string& platform, int ordinal) {
  if (ordinal == 0) return {};
  return error(DiagnosticKind::kArgument, cat(platform, " has no device ", ordinal));
}

}  // namespace hlocc::device

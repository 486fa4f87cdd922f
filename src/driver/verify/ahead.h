// `verify --target T`: cases are compiled ahead of time, linked many at a time into one program for
// the target's board (or this machine), run there, and their results compared here.
#pragma once
#include <vector>

#include "driver/verify/board.h"
#include "driver/verify/rules.h"
#include "driver/verify/verdict.h"

namespace hlocc::driver {

struct AheadOptions {
  bool guard = false;  // each case runs between guards as well (guard.h)
  std::string stream;  // NAME[=AXIS]: rows of that argument are pushed, too (stream_case.h)
  int64_t every = 0;   // --every N
};
// One outcome a case, in order.
Result<std::vector<CaseOutcome>> verify_ahead(const std::vector<Case>& cases, const Target& target,
                                              const AheadOptions& options = {},
                                              const BeginCase& begin = nullptr);

}  // namespace hlocc::driver

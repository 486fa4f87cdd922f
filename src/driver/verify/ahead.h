// `verify --target T`: cases are compiled ahead of time, linked many at a time into one program for
// the target's board (or this machine), run there, and their results compared here.
#pragma once
#include <vector>

#include "driver/verify/board.h"
#include "driver/verify/rules.h"
#include "driver/verify/verdict.h"

namespace hlocc::driver {

// One outcome a case, in order. `guard`: each case runs between guards as well (guard.h).
Result<std::vector<CaseOutcome>> verify_ahead(const std::vector<Case>& cases, const Target& target,
                                              bool guard = false, const BeginCase& begin = nullptr);

}  // namespace hlocc::driver

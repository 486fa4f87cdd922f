// The short form of asynchronous ops: "x-start(...)", "x-update(...)", "x-done(...)" where x is any
// opcode stand for async-start around a computation that holds x alone, and for the rest of its
// pair.
#pragma once
#include <optional>

#include "import/text/computation.h"

namespace hlocc::import {

enum class AsyncPhase { kNone, kStart, kUpdate, kDone };

struct AsyncOpcode {
  // For a short form: that of the wrapped op (start), or of the rest of the pair.
  hlo::Opcode opcode;
  AsyncPhase phase = AsyncPhase::kNone;
};
std::optional<AsyncOpcode> find_opcode(std::string_view word);

// Wraps what was read as a plain op into a computation of its own (start). Updates and dones find
// theirs through the start.
Status finish_async(TextModule& text, const hlo::Computation& scope, AsyncPhase phase,
                    hlo::Instruction& instruction);

}  // namespace hlocc::import

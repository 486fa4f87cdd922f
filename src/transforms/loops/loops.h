// Questions about while loops that several passes ask. The state of a loop is the one parameter of
// its body and condition, a tuple wherever front ends write loops.
#pragma once
#include <optional>

#include "transforms/rewriter.h"

namespace hlocc::transforms {

// Index of the state element that this instruction of a body or condition is, or -1.
int64_t state_element(const Computation& computation, InstructionId id);

// The state is only ever taken apart.
bool takes_state_apart(const Computation& computation);

// A loop over a tuple whose body builds the next tuple: what passes that change the state can deal
// with.
bool has_open_state(const Module& module, const Instruction& loop);

// The body hands element `i` on as it got it.
bool is_handed_on(const Computation& body, int64_t i);

// What a get-tuple-element takes out of a tuple at hand, as changed loops leave behind; kNone for
// all else.
InstructionId out_of_tuple(Rewriter& r, const Instruction& instruction);

// How often a loop iterates whose condition compares a counter with a constant; the loop's operand
// is in the new computation.
std::optional<int64_t> trip_count(Rewriter& r, const Instruction& loop);

}  // namespace hlocc::transforms

// What every reader does last: the checks on how a module hangs together that no single instruction
// shows, and the order in which it is handed out. All walks keep their own stack, because chains in
// a file may be longer than ours.
#pragma once
#include "hlo/module.h"
#include "support/result.h"

namespace hlocc::import {

// Expects valid indices everywhere. Checks that each computation has a root and parameters 0 ..
// n-1, that neither operands nor calls form a cycle; settles buffers and hidden run-time sizes;
// enters `parameters`; puts operands before users and callees before callers, leaving what is in
// order already as it stands (the order of a file is its schedule). Nothing is dropped. Without
// `has_entry_layout` the entry layouts are taken from the entry's parameters and root, else they
// are held against these.
Status finish_module(hlo::Module& module, bool has_entry_layout);

// The part of it that the text reader needs as soon as a computation is read, because others infer
// shapes from it.
Status enter_parameters(const hlo::Module& module, hlo::Computation& computation);

}  // namespace hlocc::import

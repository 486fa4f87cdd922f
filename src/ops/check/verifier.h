// The verifier: does a module keep the rules of HLO? It stands behind the readers and between any
// two passes; what passes it, the interpreter and lowering may rely on. Stated shapes, attributes,
// types, signatures, ids and orders are all checked; what XLA accepts is accepted, unbounded
// dimensions apart.
#pragma once
#include "hlo/module.h"
#include "support/result.h"

namespace hlocc::ops {

// The first broken rule, located, with a note that says what would help.
Status verify(const hlo::Module& module);

}  // namespace hlocc::ops

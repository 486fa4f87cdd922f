// What ends an evaluation ahead of time whose share of the budget is spent.
#pragma once
#include "hlo/module.h"
#include "support/diagnostic.h"

namespace hlocc::interpreter {

Diagnostic out_of_work(const hlo::Computation& computation);

}  // namespace hlocc::interpreter

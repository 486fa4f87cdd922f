// Arguments for a module that brings none.
#pragma once
#include <vector>

#include "hlo/literal.h"
#include "hlo/module.h"

namespace hlocc::driver {

// One literal an entry parameter, the same in every run: floats in [-1, 1), preds 0 or 1, integers
// in [0, 8), which any table or axis that they index can bear.
std::vector<hlo::Literal> random_arguments(const hlo::Module& module);

}  // namespace hlocc::driver

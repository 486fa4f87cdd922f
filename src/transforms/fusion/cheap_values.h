// Values that cost little to compute again where they are read.
#pragma once
#include <vector>

#include "hlo/module.h"

namespace hlocc::transforms {

// A few cheap operations on indices and single constants, as the masks of attention are: computed
// where it is used, it costs no more than to read it.
bool is_index_formula(const hlo::Computation& c, hlo::InstructionId id);

// By instruction: made of constants by a few cheap operations. Weights that the model holds in
// fewer bytes are, which constant folding leaves so.
std::vector<bool> cheaply_known(const hlo::Computation& c);

}  // namespace hlocc::transforms

// Arguments that are weights: what jax.jit(f).lower(params, x) makes of a network's parameters.
// They lie in RAM and are given anew for every run, where constants lie in flash and are laid out
// for the kernels; compile, analyze and inspect say so.
#pragma once
#include <string>
#include <vector>

#include "hlo/module.h"

namespace hlocc::driver {

// Leaves of the entry's parameters that enter contractions, and nothing else, as the side that does
// not vary with the batch: filters, and matrices on the side where all other matrices stand that
// meet computed values. Views (reshape, transpose, copy, convert, broadcast, ...) and calls are
// looked through. Donated leaves are state, and a model's only argument is its input.
std::vector<int> weight_arguments(const hlo::Module& module);

// The note about them and its cure; empty where there are none.
std::string note_of_weight_arguments(const hlo::Module& module);

}  // namespace hlocc::driver

// Which kernels GCC may round once where they round twice. Its vectorizer makes FMADDSUB of lanes
// whose products are added and subtracted in turn, whatever -ffp-contract says (GCC 12 on x86).
#pragma once
#include "kernel/kernel.h"

namespace hlocc::backends {

// A scalar of floats is taken from what is a product, or may be one: a value that was stored
// before, or comes out of a loop or a branch.
bool subtracts_from_products(const kernel::Kernel& kernel);

}  // namespace hlocc::backends

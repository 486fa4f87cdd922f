// One kernel for several of one skeleton: the integers in which they differ become expressions of
// integer parameters.
#pragma once
#include <span>

#include "kernel/share/relations.h"
#include "kernel/share/skeleton.h"

namespace hlocc::kernel {

// Parameters of the kernels themselves come first, those of `relations` after them. The buffers are
// as large as the largest.
Kernel make_shared_kernel(std::span<const Skeleton* const> alike, const Relations& relations);

}  // namespace hlocc::kernel

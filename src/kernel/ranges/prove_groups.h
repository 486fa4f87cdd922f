// Whether the threads of a mapped kernel (kernel/mapped.h) leave one another's elements of operands
// alone, those of other groups and those of their own: proved by playing all accesses to operands
// that are written.
#pragma once
#include "kernel/ranges/prove_ranges.h"

namespace hlocc::kernel {

// `integers` and `overlaps`: the launch's. A kernel that writes more than kMostAccesses elements is
// not proved. `fault`, if it is not null: why there is no proof.
RangesProof prove_groups(const Kernel& kernel, std::span<const int64_t> integers,
                         std::span<const Overlap> overlaps, std::string* fault = nullptr);

}  // namespace hlocc::kernel

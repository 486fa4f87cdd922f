// What a part of a kernel reads of a buffer: a run of elements that begins where values say that
// are visible around the part, and is as long as what varies within it asks for.
//
//   loop %k = 0 to 64 step 1 { load w[64*%n + %k] }      reads 64 elements from 64*%n on
#pragma once
#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace hlocc::kernel {

struct Footprint {
  Affine first;
  int64_t elements = 0;
};

class Footprints {
 public:
  Footprints(const Kernel& kernel, BufferId buffer) : kernel_(kernel), buffer_(buffer) {}

  bool reads(const Op& op) const;
  // Of an op, or of all ops of a region, in values that are visible around it; all of the buffer
  // where that is not known. Nothing where it is not read.
  std::optional<Footprint> of(const Op& op) const;
  // The values that the region defines on entry are visible.
  std::optional<Footprint> of(const Region& region) const;

 private:
  Footprint whole() const;
  Footprint joined(const Footprint& a, const Footprint& b) const;
  Footprint of_load(const Op& op) const;
  // Without the values that are defined inside: counters of known loops go all their way.
  Footprint outside(Footprint inner, const std::vector<ValueId>& defined, const Op* loop) const;

  const Kernel& kernel_;
  BufferId buffer_;
};

// The iterations of a loop, and its first and last counter; none where they are not known, or none.
struct LoopRange {
  int64_t count = 0, first = 0, last = 0;
};
std::optional<LoopRange> known_range(const Loop& loop);

}  // namespace hlocc::kernel

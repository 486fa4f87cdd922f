// How the reduction of a contraction is cut into iterations of a loop, for each kind of
// micro-kernel.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/type.h"
#include "target/target.h"

namespace hlocc::costs {

struct MicroKernel;  // micro_kernels.h

// The reduction of one tile: `count` steps, of which a step of the micro-kernel takes `k_step`.
struct DepthForm {
  int64_t count = 0;
  int k_step = 1;
  int cells = 1, lanes = 1;  // of the tile
  kernel::Scalar sum = kernel::Scalar::kF32;
  bool is_complex = false;
  bool left_contiguous = false;
  int64_t wanted =
      0;  // steps that an iteration should take, where it divides their number; 0: what is
          // fastest
};

// Iterations of so many steps over [begin, end); the first `repeated` steps of it were taken before
// and count as zero.
struct DepthRun {
  int64_t begin = 0, end = 0, steps = 1;
  int64_t repeated = 0;
};
struct DepthCut {
  std::vector<DepthRun> runs;
  // Sums of each cell, which steps of an iteration go to one after the other, so that multiply-adds
  // don't wait for one another; added up at the end.
  int sums = 1;
  bool whole_vectors = false;  // a row's next `lanes` elements are loaded together
};

// One step of the reduction after the other.
DepthCut cut_in_steps(const MicroKernel& kernel, const DepthForm& form, const Target& target);
// Vectors along the reduction; the last one ends with it, though it begins in the one before.
DepthCut cut_in_vectors(const MicroKernel& kernel, const DepthForm& form, const Target& target);
// Whether the first of several iterations of so many k steps stands in front of the loop: products
// that begin a sum need no zero there.
bool begins_apart(const Target& target, int64_t k_steps);
// Whether the segments of a reduction of so many k steps are spelled out: their loop takes two more
// pointers, and with them registers of others.
bool spells_out_segments(const Target& target, int64_t k_steps);
// K steps of several steps. The reduction is filled up to whole ones.
DepthCut cut_in_k_steps(const MicroKernel& kernel, const DepthForm& form, const Target& target);

}  // namespace hlocc::costs

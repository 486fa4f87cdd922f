// What is left of a kernel without its integers. Two kernels of equal skeletons run the same ops
// in the same order and differ in numbers only: bounds of loops, offsets and scales of addresses,
// scalar constants, sizes of buffers.
//
//   load x[64*%1 + %3 + 2]     and  load x[32*%1 + %3 + 1]     give
//   load x[#0*%1 + #1*%3 + #2] with {64, 1, 2} and {32, 1, 1}
#pragma once
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/share/relations.h"

namespace hlocc::kernel {

struct Skeleton {
  // The kernel, its values numbered in the order of their definition, every scalar constant made
  // anew for each use, and the place of each number in `integers` where the number was.
  Kernel kernel;
  std::vector<int64_t> integers;
  std::vector<Use> uses;  // by place
  // By value: a scalar constant whose number is in `integers`.
  std::vector<bool> numbered;
  bool crowded = false;  // has a loop whose sums fill the registers
  // Of kernels alike: equal keys, equal skeletons.
  std::string key;
};
// word_bits: integers of that width can be handed to a kernel, and so can other scalars as wide.
// crowding_sums: what stands in loops that carry as many sums of 32-bit integers keeps its numbers
// (they are part of the key): a tile of sums fills the registers that run-time distances want.
Skeleton skeleton_of(const Kernel& kernel, int word_bits, int crowding_sums);

}  // namespace hlocc::kernel

// Kernels for many threads. Loops over the grid deal their iterations out to groups of threads,
// loops over the group those inside to the threads of one; what stands inside of all of them is a
// thread's. Threads of a group share memory (Space::kShared) and wait for one another at barriers.
// Groups know nothing of each other.
//
//   grid loop %i = 0 to 64 step 16 {
//     group loop %t = 0 to 16 step 1 {
//       store tile[%t], load x[%i + %t]
//       barrier
//       store y[%i + %t], load tile[15 - %t]
//     }
//   }
//
// A group's threads must all come to each barrier, as often and in one order. So it stands in loops
// and branches that are the same for all of them: whose bounds and conditions hang on parameters,
// counters of the grid and of such loops, and numbers alone. A barrier orders shared memory; an
// element of an operand that one thread writes is no other thread's.
#pragma once
#include <optional>
#include <span>

#include "kernel/kernel.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::kernel {

inline constexpr size_t kMostMappedLoops = 3;  // of the grid, and of the group

struct MappedLoops {
  std::vector<const Op*> grid, group;  // outermost first
  int64_t groups = 1, threads = 1;     // of a launch, of a group
};
// None where no loop is mapped. The kernel is verified.
std::optional<MappedLoops> mapped_loops(const Kernel& kernel);
// Iterations of a loop of known bounds.
int64_t iterations_of(const Loop& loop);
// The counters of nested loops in iteration `number` of all; the innermost counts fastest.
std::vector<int64_t> counters_at(std::span<const Op* const> loops, int64_t number);
// Of a group, with elements of less than four bytes held in four.
int64_t shared_bytes(const Kernel& kernel);

// The rules above; part of verify (verifier.h).
Status verify_mapping(const Kernel& kernel);
// What the target allows: mapped loops at all, so many threads and groups, so much shared memory;
// part of verify_legal.
Status verify_mapping_on(const Kernel& kernel, const Target& target);

}  // namespace hlocc::kernel

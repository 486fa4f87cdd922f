// Tiles of contractions in groups of threads (kernel/mapped.h): which block of the result a group
// computes, how many steps of the reduction it brings to shared memory at a time, and which part of
// the block is a thread's.
#pragma once
#include <cstdint>
#include <optional>

#include "kernel/type.h"
#include "target/target.h"

namespace hlocc::costs {

struct SharedTile {
  int64_t rows = 0, columns = 0, depth = 0;  // of a group
  int64_t thread_rows = 1, thread_columns = 1;

  int64_t row_threads() const { return rows / thread_rows; }
  int64_t column_threads() const { return columns / thread_columns; }
  int64_t threads() const { return row_threads() * column_threads(); }
  // Elements of shared memory, of both sides.
  int64_t shared() const { return (rows + columns) * depth; }
};

struct SharedProduct {
  kernel::Scalar sum = kernel::Scalar::kF32;  // the type of its sums, and of what is shared
  int64_t batches = 1, rows = 1, columns = 1, depth = 1;
};

// None where the target has no groups of threads, where the product is too small to share anything,
// or where no tile fits the target's registers, shared memory and groups.
std::optional<SharedTile> choose_shared_tile(const Target& target, const SharedProduct& product);

}  // namespace hlocc::costs

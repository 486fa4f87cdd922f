// Whether the ranges of a split kernel may run in any order and at the same time and still leave
// the bytes that the kernel itself does. Proved by playing all accesses of all ranges: no element
// that one writes is read or written by another, and scratch holds only what the same iteration of
// a split loop wrote, or what each range writes for itself before and no split loop writes. Where
// lowering gives its word on scratch (Loop::own_scratch), an iteration may find there what it
// likes.
#pragma once
#include <cstdint>
#include <span>

#include "kernel/program.h"
#include "kernel/ranges/split_kernel.h"

namespace hlocc::kernel {

enum class RangesProof : uint8_t {
  kNone,
  kApart,    // if results lie apart from operands
  kInPlace,  // also with each result in the place of the operands that overlaps of 0 bytes name
};

// A kernel that accesses more elements than this is not played to the end, and not proved.
inline constexpr int64_t kMostAccesses = int64_t{1} << 24;

// `integers`: the launch's, without the range. `changes`, if it is not null: of the proved ranges
// (RaceWatch::changes).
RangesProof prove_ranges(const SplitKernel& split, std::span<const int64_t> integers,
                         std::span<const Overlap> overlaps, int64_t* changes = nullptr);

}  // namespace hlocc::kernel

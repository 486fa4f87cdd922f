// Micro-kernels: the inner steps that a contraction can be made of (kernel/micro_kernels.def). A
// row says what it can serve, which tile it takes there and what that costs. The cheapest row that
// claims a contraction is taken.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "costs/depth.h"
#include "kernel/choice.h"
#include "kernel/type.h"
#include "target/target.h"

namespace hlocc::costs {

// A contraction as policy sees it: result[m, n] = sum over k of left(m, k) * right(k, n).
struct ContractionForm {
  kernel::Scalar left = kernel::Scalar::kF32, right = kernel::Scalar::kF32,
                 sum = kernel::Scalar::kF32;
  int64_t rows = 1, depth = 1, columns = 1;
  bool left_contiguous = false;  // a row's steps lie side by side in memory
  bool right_known = false;      // at compile time
  // Steps that a row has and the one before has not, where rows of a tile share the others in
  // scratch (a tile's rows divide `line`); 0: they share none.
  int64_t further = 0, line = 1;
};

// In which form a micro-kernel reads its left side: as it lies, or from scratch to which the rows
// of a tile are brought first: bytes, bytes + 128 without sign, numbers of 16 bits, or those with
// the second and third of four interleaved (as the even and the odd bytes of a word are spread).
enum class LeftForm : uint8_t { kInPlace, kBytes, kBiased, kHalves, kInterleaved };
constexpr bool are_halves(LeftForm form) {
  return form == LeftForm::kHalves || form == LeftForm::kInterleaved;
}
// How known weights lie: as they come, as numbers of 16 bits, or as bytes + 128 without sign.
enum class RightForm : uint8_t { kBytes, kHalves, kBiased };

// Bytes of scratch that a kernel has in the stack, where RAM is constrained.
constexpr int64_t kScratchInStack = 1020;

struct MicroTile {
  int rows = 1, vectors = 1, lanes = 1;  // lanes of a vector of sums, along columns
  int k_step = 1;                        // steps of the reduction that a step of the tile takes
};
struct MicroCost {
  double cycles = 0;
  int64_t scratch = 0, weights = 0;  // bytes
};

struct MicroKernel {
  kernel::MicroKernel id;
  int k_step;     // steps of the reduction that one step of the tile takes; 0: a vector of them
  LeftForm left;  // of signed bytes
  RightForm right;
  bool (*claims)(const ContractionForm& form, const Target& target);
  MicroTile (*tile)(const ContractionForm& form, const Target& target);
  MicroCost (*cost)(const ContractionForm& form, const MicroTile& tile, const Target& target);
  DepthCut (*cut)(const MicroKernel& kernel, const DepthForm& form,
                  const Target& target) = cut_in_k_steps;

  // Bytes that come several steps at a time, packed beforehand.
  bool takes_k_steps() const { return k_step > 1; }
  std::string_view name() const { return kernel::micro_kernel_name(id); }
};
// By kernel::MicroKernel.
std::span<const MicroKernel> micro_kernels();
// What serves every contraction: a column of the left side by a row of the right one, step by step.
const MicroKernel& outer_product();
// Rows by columns that both lie along the reduction: a vector of sums for each result, whose lanes
// are added up at the end.
const MicroKernel& inner_product();

struct MicroChoice {
  const MicroKernel* kernel = nullptr;
  LeftForm left = LeftForm::kInPlace;
  kernel::Scalar bytes = kernel::Scalar::kS8;  // of the left side
  MicroTile tile;
  MicroCost cost;

  // "dot_accumulate_2 3x2, 61000 cycles"
  std::string to_string() const;
};
// Whether each segment of the reduction that lies apart in memory begins with a k step of its own
// in scratch: where loads reach so little that a k step's rows lie side by side, or k steps have an
// order.
bool segments_fill_k_steps(const MicroKernel& kernel, const Target& target);
// Of rows that share steps in scratch: whether those of two neighbours lie side by side, so that
// one load brings a half of both. It takes more bytes than Decisions::packed_bytes may allow.
bool rows_lie_in_pairs(const ContractionForm& form, int rows, const Target& target);
// The cheapest row that claims the form, or the wanted one if it does.
MicroChoice choose_micro_kernel(const ContractionForm& form, const Target& target,
                                std::optional<kernel::MicroKernel> wanted = {},
                                std::span<const MicroKernel> table = micro_kernels());

// Whether products of bytes had better take them as they are stored than as 32 bits: where RAM is
// costly, where there are no vectors, whose loads widen a byte for nothing, and, if one side is
// known, where a row of k steps serves them.
bool products_of_bytes_pay(const Target& target, bool one_known);

}  // namespace hlocc::costs

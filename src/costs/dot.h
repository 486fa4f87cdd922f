// The algorithms of dots, each with its plan, as convolution.h has those of convolutions; and which
// way round the sides of a product should lie.
#pragma once
#include "costs/micro_kernels.h"
#include "costs/plans.h"
#include "costs/reduction_lanes.h"
#include "costs/shared_tiles.h"
#include "hlo/attributes.h"
#include "hlo/shape.h"

namespace hlocc::costs {

// A dot, and what surrounds it in the kernel that it becomes.
struct DotSite {
  const hlo::DotAttributes& attributes;
  const hlo::Shape &left, &right, &output;
  kernel::Scalar sum = kernel::Scalar::kF32;  // the type of its sums
  bool left_in_memory = false;
  bool right_known = false;  // at compile time, and read as it is
  int row_lanes = 1;         // of vectors along rows of the left side, for all types of the kernel

  // The right side is [depth, columns].
  bool has_right_matrix() const {
    return right.rank() == 2 && attributes.rhs_batch.empty() &&
           attributes.rhs_contracting == hlo::Dimensions{0};
  }
  // Rows of the left side lie along the reduction.
  bool has_left_rows() const {
    return attributes.lhs_contracting == hlo::Dimensions{left.rank() - 1};
  }
  bool is_complex() const { return hlo::is_complex(output.element_type); }
};

// In groups of threads; sides of any dimension numbers.
struct SharedDotPlan {
  SharedProduct size;
  SharedTile tile;
  static std::optional<SharedDotPlan> of(const DotSite& site, const Target& target);
};
struct PackedDotPlan {
  MicroChoice choice;
  // By the cheapest micro-kernel, if it takes several steps at once; or by the wanted one.
  static std::optional<PackedDotPlan> of(const DotSite& site, const Target& target,
                                         std::optional<kernel::MicroKernel> wanted = {},
                                         std::span<const MicroKernel> table = micro_kernels());
};
struct TiledDotPlan {
  ReductionLanes reduction_lanes;  // columns with lanes along the reduction
  static std::optional<TiledDotPlan> of(const DotSite& site, const Target& target);
};
using DotPlan = OneOf<void
#define HLOCC_DOT(Name, text) , Name##Plan
#include "kernel/algorithms.def"
                      >;
// The first plan that there is.
DotPlan plan_dot(const DotSite& site, const Target& target);
kernel::Algorithm algorithm_of(const DotPlan& plan);

// Which way round the sides of a product should lie: transforms/canonicalize/canonicalize_dot.cpp
// asks. Sides are f32 and not known at compile time, if not said otherwise.

// A right side [columns, depth] is better brought to [depth, columns]. `is_made`: a transpose makes
// it, so that the order of its elements is free, whatever its type; `is_f32`: its type.
bool is_better_moved(const Target& target, int64_t rows, int64_t depth, bool is_made, bool is_f32);
// A left side may lie as [depth, rows] without harm: a step of a tile takes neighbours in memory.
bool reads_turned(const Target& target);
// It stays so: not where rows or columns are few, whose lanes would rather run along the reduction.
bool stays_turned(const Target& target, int64_t rows, int64_t columns);
// The product is better made the other way round, with a transpose of the result alone: a known
// right side that is narrow, or one that lies the other way round too, and a smaller left one.
bool is_better_turned(int64_t rows, int64_t depth, int64_t columns, bool right_is_known);

}  // namespace hlocc::costs

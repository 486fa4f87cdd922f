// See dot.h.
#include "costs/dot.h"

#include <algorithm>

#include "support/check.h"

namespace hlocc::costs {
namespace {

// Of the last free dimension of the right side.
int64_t columns_of(const DotSite& site) {
  const auto is_free = [&](int64_t d) {
    return std::ranges::count(site.attributes.rhs_batch, d) == 0 &&
           std::ranges::count(site.attributes.rhs_contracting, d) == 0;
  };
  for (int64_t d = site.right.rank() - 1; d >= 0; --d)
    if (is_free(d)) return site.right.dimensions[d];
  return 1;
}

}  // namespace

std::optional<SharedDotPlan> SharedDotPlan::of(const DotSite& site, const Target& target) {
  if (target.style != KernelStyle::kSimt || site.is_complex()) return std::nullopt;
  SharedDotPlan plan{.size = {.sum = site.sum}};
  const auto times = [](int64_t& size, const hlo::Shape& shape, const hlo::Dimensions& dimensions) {
    for (const int64_t d : dimensions) size *= shape.dimensions[d];
  };
  const hlo::DotAttributes& a = site.attributes;
  times(plan.size.batches, site.left, a.lhs_batch);
  times(plan.size.depth, site.left, a.lhs_contracting);
  const int64_t each = plan.size.batches * plan.size.depth;
  if (each == 0) return std::nullopt;
  plan.size.rows = site.left.element_count() / each;
  plan.size.columns = site.right.element_count() / each;
  const std::optional<SharedTile> tile = choose_shared_tile(target, plan.size);
  if (!tile) return std::nullopt;
  plan.tile = *tile;
  return plan;
}

std::optional<PackedDotPlan> PackedDotPlan::of(const DotSite& site, const Target& target,
                                               std::optional<kernel::MicroKernel> wanted,
                                               std::span<const MicroKernel> table) {
  if (site.is_complex() || !site.has_right_matrix() || !site.has_left_rows() ||
      site.left.rank() > 2 || !site.attributes.lhs_batch.empty())
    return std::nullopt;
  const ContractionForm form{.left = kernel::scalar_of(hlo::real_type(site.left.element_type)),
                             .right = kernel::scalar_of(hlo::real_type(site.right.element_type)),
                             .sum = site.sum,
                             .rows = site.left.rank() == 1 ? 1 : site.left.dimensions[0],
                             .depth = site.right.dimensions[0],
                             .columns = site.right.dimensions[1],
                             .left_contiguous = site.left_in_memory,
                             .right_known = site.right_known};
  PackedDotPlan plan{choose_micro_kernel(form, target, wanted, table)};
  return plan.choice.kernel->takes_k_steps() ? std::optional(plan) : std::nullopt;
}

std::optional<TiledDotPlan> TiledDotPlan::of(const DotSite& site, const Target& target) {
  if (site.has_right_matrix()) {
    const hlo::PrimitiveType type = site.right.element_type;
    const bool packs = site.right_known && !hlo::is_complex(type) && hlo::type_bits(type) >= 8;
    if (!packs || !site.has_left_rows()) return TiledDotPlan();
    const int64_t depth = site.right.dimensions[0];
    return TiledDotPlan{
        choose_reduction_lanes(target, site.sum, depth, depth, site.right.dimensions[1])};
  }
  const bool both_have_rows = site.has_left_rows() && site.attributes.rhs_contracting ==
                                                          hlo::Dimensions{site.right.rank() - 1};
  if (!both_have_rows || site.is_complex() || site.sum == kernel::Scalar::kPred ||
      site.row_lanes == 1)
    return TiledDotPlan();
  return TiledDotPlan{{site.row_lanes, columns_of(site)}};
}

DotPlan plan_dot(const DotSite& site, const Target& target) {
#define HLOCC_DOT(Name, text) \
  if (auto plan = Name##Plan::of(site, target)) return *std::move(plan);
#include "kernel/algorithms.def"
  HLOCC_CHECK(false, "a dot without a plan");
  return {};
}

kernel::Algorithm algorithm_of(const DotPlan& plan) {
  static constexpr kernel::Algorithm kRows[] = {
#define HLOCC_DOT(Name, text) kernel::Algorithm::k##Name,
#include "kernel/algorithms.def"
  };
  return kRows[plan.index()];
}

// Where vectors and caches make an outer product faster: adding up the lanes of each sum takes as
// long as some hundred steps of the reduction, a transpose as long as eight rows.
bool is_better_moved(const Target& target, int64_t rows, int64_t depth, bool is_made, bool is_f32) {
  constexpr int64_t kFewRows = 4, kManyRows = 48, kDepthOfRow = 5;
  if (is_made) return rows >= kFewRows;
  const bool pays =
      rows >= kManyRows || (target.out_of_order && rows >= kFewRows && depth <= kDepthOfRow * rows);
  return pays && target.has_cache() && target.vector_bits > 0 && !target.options.for_size() &&
         is_f32;
}

bool reads_turned(const Target& target) {
  return target.out_of_order && target.vector_bits > 0 && !target.options.for_size();
}

bool stays_turned(const Target& target, int64_t rows, int64_t columns) {
  constexpr int64_t kFewest = 4;
  return rows >= kFewest && columns >= kFewest && reads_turned(target);
}

bool is_better_turned(int64_t rows, int64_t depth, int64_t columns, bool right_is_known) {
  constexpr int64_t kNarrow = 8, kManyRows = 16;
  return right_is_known ? columns <= kNarrow && rows >= kManyRows : rows <= depth;
}

}  // namespace hlocc::costs

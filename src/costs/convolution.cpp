// See convolution.h.
#include "costs/convolution.h"

#include <algorithm>
#include <numeric>

#include "costs/code.h"
#include "ops/finite.h"
#include "ops/window_math.h"
#include "support/check.h"
#include "support/rounding.h"

namespace hlocc::costs {
namespace {

bool any_window(const ConvolutionSite& site, bool (*asks)(const hlo::WindowDimension&)) {
  return std::ranges::any_of(site.form.attributes.window.dimensions, asks);
}
bool is_empty(const ConvolutionSite& site) {
  return site.form.input.element_count() == 0 || site.form.filter.element_count() == 0;
}

// Vectors after which the repetition of so many features meets the vectors' again.
int64_t period(int64_t features, int64_t lanes) { return std::lcm(features, lanes) / lanes; }

}  // namespace

bool ConvolutionSite::features_last() const {
  return form.attributes.output_feature == form.output.rank() - 1 &&
         form.attributes.kernel_output_feature == form.filter.rank() - 1;
}

bool ConvolutionSite::filter_is_row_major() const {
  const hlo::ConvolutionAttributes& a = form.attributes;
  const int64_t rank = form.filter.rank();
  bool row_major = a.kernel_input_feature == rank - 2;
  for (int d = 0; d < spatial(); ++d)
    row_major = row_major && a.kernel_spatial[d] == d && !window(d).window_reversal;
  return row_major;
}

bool is_depthwise(const ConvolutionSite& site, const Target& target) {
  constexpr int64_t kMostInVectors = 4;
  const int64_t most = target.vector_bits > 0 ? kMostInVectors : 1;
  return site.groups() > 1 && site.group_inputs() == 1 && site.group_outputs() <= most &&
         site.features_last() && !site.is_complex() &&
         site.form.attributes.input_feature == site.form.input.rank() - 1;
}

bool allows_winograd(const ConvolutionSite& site) {
  const hlo::ConvolutionAttributes& a = site.form.attributes;
  if (a.input_spatial != hlo::Dimensions{1, 2} || a.output_spatial != hlo::Dimensions{1, 2} ||
      a.kernel_spatial != hlo::Dimensions{0, 1} || a.input_feature != 3 || a.output_feature != 3 ||
      a.kernel_output_feature != 3)
    return false;
  if (a.feature_group_count != 1 || a.batch_group_count != 1) return false;
  if (any_window(site, [](const hlo::WindowDimension& w) {
        return w.size != 3 || w.stride != 1 || w.window_dilation != 1 || w.base_dilation != 1 ||
               w.window_reversal;
      }))
    return false;
  for (const hlo::Shape* shape : {&site.form.output, &site.form.input, &site.form.filter})
    if (shape->element_type != hlo::PrimitiveType::kF32 || shape->element_count() == 0)
      return false;
  return site.filter != nullptr;
}

std::optional<WinogradPlan> WinogradPlan::of(const ConvolutionSite& site, const Target& target) {
  if (!allows_winograd(site)) return std::nullopt;
  const hlo::Dimensions& out = site.form.output.dimensions;
  const hlo::WindowDimension& rows = site.window(0);
  const WinogradSize size{
      .batch = out[0],
      .height = out[1],
      .width = out[2],
      .inputs = site.form.input.dimensions[3],
      .outputs = out[3],
      .stored = site.stored,
      .executions = site.executions,
      .is_inside_rows = site.executions > 1 && rows.padding_low == 0 && rows.padding_high == 0};
  return plan_winograd(size, program_size(site.module), target);
}

std::optional<ChannelsFirstPlan> ChannelsFirstPlan::of(const ConvolutionSite& site,
                                                       const Target& target) {
  if (!serves_channels_first(site.form, target) || !site.masks_pass || !site.input_in_memory ||
      !site.filter_in_memory || site.filter == nullptr || !ops::is_finite(*site.filter))
    return std::nullopt;
  return ChannelsFirstPlan{choose_channels_first_tile(target,
                                                      site.window(0).size * site.window(1).size,
                                                      site.group_outputs(), site.output_extent(1))};
}

namespace {

// No product of the convolution is one of a zero that the program does not have, or none of those
// makes a difference.
bool may_multiply_zeros(const ConvolutionSite& site) {
  if (!kernel::is_float(site.sum)) return true;
  if (site.filter != nullptr && site.filter_in_memory && ops::is_finite(*site.filter)) return true;
  for (int d = 0; d < site.spatial(); ++d) {
    const auto [first, end] =
        ops::windows_inside(site.window(d), site.input_extent(d), site.output_extent(d));
    if (site.window(d).base_dilation > 1 || first > 0 || end < site.output_extent(d)) return false;
  }
  return true;
}

}  // namespace

std::optional<SharedTilesPlan> SharedTilesPlan::of(const ConvolutionSite& site,
                                                   const Target& target) {
  if (target.style != KernelStyle::kSimt || site.is_complex() || is_empty(site) ||
      site.groups() != 1 || site.form.attributes.batch_group_count != 1 ||
      !may_multiply_zeros(site))
    return std::nullopt;
  const int64_t columns = site.group_outputs();
  SharedTilesPlan plan{.size = {.sum = site.sum,
                                .rows = site.form.output.element_count() / columns,
                                .columns = columns,
                                .depth = site.form.filter.element_count() / columns}};
  const std::optional<SharedTile> tile = choose_shared_tile(target, plan.size);
  if (!tile) return std::nullopt;
  plan.tile = *tile;
  return plan;
}

std::optional<PlainPlan> PlainPlan::of(const ConvolutionSite& site, const Target&) {
  const bool serves =
      site.spatial() == 0 || is_empty(site) || !site.features_last() ||
      site.form.attributes.batch_group_count > 1 ||
      any_window(site, [](const hlo::WindowDimension& w) { return w.base_dilation > 1; });
  return serves ? std::optional(PlainPlan()) : std::nullopt;
}

std::optional<PointwisePlan> PointwisePlan::of(const ConvolutionSite& site, const Target&) {
  const hlo::ConvolutionAttributes& a = site.form.attributes;
  if (any_window(site, [](const hlo::WindowDimension& w) { return !ops::is_trivial(w); }) ||
      site.groups() != 1 || a.output_batch != 0 || a.input_feature != site.form.input.rank() - 1 ||
      a.input_spatial != a.output_spatial || !std::ranges::is_sorted(a.input_spatial) ||
      !site.pixels_count || !site.sources_count)
    return std::nullopt;
  return PointwisePlan();
}

std::optional<FlatPlan> FlatPlan::of(const ConvolutionSite& site, const Target& target) {
  constexpr int64_t kLongestPeriod = 8;
  const hlo::ConvolutionAttributes& a = site.form.attributes;
  const int64_t features = site.groups(), rank = site.form.output.rank();
  if (site.is_complex() || site.group_inputs() != 1 || site.group_outputs() != 1 ||
      site.sum == kernel::Scalar::kPred)
    return std::nullopt;
  if (kernel::is_float(site.sum) && site.sum != kernel::Scalar::kF64 && !target.float_vectors)
    return std::nullopt;
  const int lanes = target.lanes(std::max(kernel::scalar_bits(site.sum), 32)),
            last = site.spatial() - 1;
  if (features >= lanes || period(features, lanes) > kLongestPeriod) return std::nullopt;
  if (a.input_feature != rank - 1 || a.output_feature != rank - 1 ||
      a.input_spatial.back() != rank - 2 || a.output_spatial.back() != rank - 2 ||
      site.window(last).stride != 1)
    return std::nullopt;
  const auto [first, end] =
      ops::windows_inside(site.window(last), site.input_extent(last), site.output_extent(last));
  if ((end - first) * features < 2 * lanes || !site.elements_count) return std::nullopt;
  const bool repeats = site.filter_is_row_major() && site.filter_in_memory &&
                       site.filter != nullptr && hlo::type_bits(site.form.filter.element_type) >= 8;
  return features == 1 || repeats ? std::optional(FlatPlan{lanes}) : std::nullopt;
}

std::optional<DepthwisePlan> DepthwisePlan::of(const ConvolutionSite& site, const Target& target) {
  if (!is_depthwise(site, target)) return std::nullopt;
  return DepthwisePlan{stacked_taps(site, target)};
}

std::optional<DensePlan> DensePlan::of(const ConvolutionSite&, const Target&) {
  return DensePlan();
}

namespace {

// Where rows of scratch lie one after the other and segments are made of whole k steps, a window
// may begin at any column.
int64_t columns_to_share(const PackedPlan& packed, const ConvolutionSite& site,
                         const Target& target) {
  const MicroChoice& choice = packed.choice;
  const int last = static_cast<int>(site.spatial()) - 1;
  const hlo::WindowDimension& w = site.window(last);
  const bool in_halves = choice.left == LeftForm::kInterleaved && choice.tile.rows % 2 == 0 &&
                         site.group_inputs() % choice.kernel->k_step == 0;
  if (!packed.row_taps || (segments_fill_k_steps(*choice.kernel, target) && !in_halves) ||
      choice.kernel->right == RightForm::kBiased || target.options.for_size())
    return 0;
  const int64_t columns = (choice.tile.rows - 1) * w.stride + w.size;
  const bool overlap = w.stride < w.size && choice.tile.rows > 1;
  return overlap && site.output_extent(last) % choice.tile.rows == 0 &&
                 w.size * site.group_inputs() % choice.kernel->k_step == 0
             ? columns
             : 0;
}

// Of a pixel's window, the steps of columns that the window of the pixel before has not, where
// columns have whole k steps of four.
int64_t further_steps(const ConvolutionSite& site, int64_t depth) {
  const hlo::WindowDimension& w = site.window(static_cast<int>(site.spatial()) - 1);
  return w.stride < w.size && site.group_inputs() % 4 == 0 ? depth / w.size * w.stride : 0;
}

// Rows of scratch may begin anywhere, in steps that other pixels' bytes may fill up. Of long steps
// a tile's windows are as soon brought by themselves.
bool may_bring_rows(const PackedPlan& packed, const ConvolutionSite& site, const Target& target) {
  constexpr int kLongestStep = 4;
  const MicroChoice& choice = packed.choice;
  const int last = site.spatial() - 1;
  if (!packed.row_taps || choice.kernel->k_step > kLongestStep || site.spatial() > 2 ||
      target.ram_constrained || target.options.for_size() || are_halves(choice.left) ||
      segments_fill_k_steps(*choice.kernel, target))
    return false;
  const hlo::WindowDimension& w = site.window(last);
  if (w.size <= w.stride || w.padding_low < 0) return false;
  // Each row of taps begins a k step.
  const int64_t k_step = choice.kernel->k_step, taps = w.size * site.group_inputs(),
                rows = site.spatial() == 1 ? 1 : site.window(0).size,
                whole = round_up(rows * taps, k_step), apart = rows * round_up(taps, k_step);
  return apart - whole <= whole / 3;
}

// Tiles that are nearly as high and divide a row.
int rows_that_divide(int rows, int64_t width) {
  int fewer = rows;
  while (width % fewer != 0) --fewer;
  return fewer;
}

// As many rows as make those that two blocks share few, and stay in the nearest cache.
int64_t rows_of_block(const ConvolutionSite& site, const Target& target) {
  if (site.spatial() == 1) return 1;
  constexpr int64_t kSmall = 16 << 10;
  const hlo::WindowDimension &tall = site.window(0), &wide = site.window(1);
  const int64_t reach = (tall.size - 1) * tall.window_dilation + 1,
                line =
                    ((site.output_extent(1) - 1) * wide.stride + wide.size) * site.group_inputs(),
                room = std::max(target.cache(0) / 2, kSmall);
  int64_t best = 1;
  for (int64_t rows = 2; rows <= site.output_extent(0); ++rows) {
    const int64_t brought = (rows - 1) * tall.stride + reach;
    if (brought * line > room || best * tall.stride >= 4 * reach) break;
    if (site.output_extent(0) % rows == 0) best = rows;
  }
  return best;
}

}  // namespace

std::optional<PackedPlan> PackedPlan::of(const ConvolutionSite& site, const Target& target) {
  // Taps at a border are spelled out where they begin within a unit.
  const hlo::ConvolutionAttributes& a = site.form.attributes;
  const int64_t rank = site.form.input.rank(), last = site.spatial() - 1;
  if (site.groups() != 1 || site.is_complex() || !site.filter_is_row_major() ||
      a.output_feature != site.form.output.rank() - 1 || a.input_batch != 0 ||
      a.input_spatial != a.output_spatial)
    return std::nullopt;
  PackedPlan packed;
  packed.neighbours = site.input_in_memory && a.input_feature == rank - 1;
  packed.pointwise = packed.neighbours && PointwisePlan::of(site, target);
  packed.row_taps = packed.neighbours && site.window(static_cast<int>(last)).window_dilation == 1 &&
                    site.input_extent(static_cast<int>(last)) > 1 &&
                    a.input_spatial.back() == rank - 2;
  const int64_t columns = site.group_outputs(), depth = site.form.filter.element_count() / columns;
  const ContractionForm form{
      .left = kernel::scalar_of(hlo::real_type(site.form.input.element_type)),
      .right = kernel::scalar_of(hlo::real_type(site.form.filter.element_type)),
      .sum = site.sum,
      .rows = site.form.output.element_count() / columns,
      .depth = depth,
      .columns = columns,
      .left_contiguous = packed.pointwise,
      .right_known = site.filter != nullptr && site.filter_in_memory,
      .further = packed.row_taps ? further_steps(site, depth) : 0,
      .line = site.output_extent(static_cast<int>(last))};
  packed.choice = choose_micro_kernel(form, target);
  const MicroKernel& row = *packed.choice.kernel;
  if (!row.takes_k_steps()) return std::nullopt;
  const bool spelled = packed.row_taps && segments_fill_k_steps(row, target) &&
                       site.group_inputs() % row.k_step != 0;
  if (spelled && site.window(static_cast<int>(last)).size > kWidestUnrolled) return std::nullopt;
  if (may_bring_rows(packed, site, target)) {
    const int rows = packed.choice.tile.rows,
              fewer = rows_that_divide(rows, site.output_extent(static_cast<int>(last)));
    if (2 * fewer > rows) {
      packed.choice.tile.rows = fewer;
      packed.block = rows_of_block(site, target);
      return packed;
    }
  }
  packed.shared_columns = columns_to_share(packed, site, target);
  packed.in_pairs = packed.shared_columns > 0 && packed.choice.left == LeftForm::kInterleaved &&
                    rows_lie_in_pairs(form, packed.choice.tile.rows, target);
  return packed;
}

namespace {

ConvolutionPlan first_plan(const ConvolutionSite& site, const Target& target) {
#define HLOCC_CONVOLUTION(Name, text, outside) \
  if (auto plan = Name##Plan::of(site, target)) return *std::move(plan);
#include "kernel/algorithms.def"
  HLOCC_CHECK(false, "a convolution without a plan");
  return {};
}

}  // namespace

ConvolutionPlan plan_convolution(const ConvolutionSite& site, const Target& target) {
  ConvolutionPlan plan = first_plan(site, target);
  HLOCC_CHECK(site.outside == 0 || serves_outside(plan),
              "a convolution by an algorithm that has zeros beside its input");
  return plan;
}

kernel::Algorithm algorithm_of(const ConvolutionPlan& plan) {
  static constexpr kernel::Algorithm kRows[] = {
#define HLOCC_CONVOLUTION(Name, text, outside) kernel::Algorithm::k##Name,
#include "kernel/algorithms.def"
  };
  return kRows[plan.index()];
}

bool serves_outside(const ConvolutionPlan& plan) {
  // Pairs of taps take a number for what is not there.
  if (const auto* depthwise = std::get_if<DepthwisePlan>(&plan)) return depthwise->stacked == 2;
  static constexpr bool kServes[] = {
#define HLOCC_CONVOLUTION(Name, text, outside) outside,
#include "kernel/algorithms.def"
  };
  return kServes[plan.index()];
}

}  // namespace hlocc::costs

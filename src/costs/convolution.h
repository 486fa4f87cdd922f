// The algorithms by which a convolution can be emitted (kernel/algorithms.def). Each has a plan:
// all that is decided of a convolution before it is emitted, which lowering/convolution/ is handed.
// `hlocc inspect --kernels` shows which one was taken.
#pragma once
#include "costs/channels_first.h"
#include "costs/depthwise_windows.h"
#include "costs/micro_kernels.h"
#include "costs/plans.h"
#include "costs/shared_tiles.h"
#include "costs/winograd.h"
#include "hlo/literal.h"
#include "kernel/choice.h"
#include "kernel/type.h"

namespace hlocc::costs {

// A canonical convolution, and what surrounds it in the kernel that it becomes.
struct ConvolutionSite {
  ConvolutionForm form;
  kernel::Scalar sum = kernel::Scalar::kF32;  // the type of its sums
  const hlo::Module& module;
  // The filter, where it is known at compile time; whether it is read as it is, by no op between.
  const hlo::Literal* filter = nullptr;
  bool filter_in_memory = false, input_in_memory = false;
  int64_t outside = 0;      // what stands beside the input, where windows reach
  bool masks_pass = false;  // masks cost nothing for all that the kernel reads and writes
  // What follows asks only for features by index, so that pixels may be counted through; so does
  // what makes the input and the filter; all of it only for the element itself, so that elements
  // may.
  bool pixels_count = false, sources_count = true, elements_count = false;
  // Pixels of each output feature that are stored, if a pool takes the others; 0: all.
  int64_t stored = 0;
  double executions = 1;  // in a run

  int spatial() const { return static_cast<int>(form.attributes.window.dimensions.size()); }
  const hlo::WindowDimension& window(int d) const { return form.attributes.window.dimensions[d]; }
  int64_t input_extent(int d) const {
    return form.input.dimensions[form.attributes.input_spatial[d]];
  }
  int64_t output_extent(int d) const {
    return form.output.dimensions[form.attributes.output_spatial[d]];
  }
  int64_t groups() const { return form.attributes.feature_group_count; }
  int64_t group_inputs() const {
    return form.filter.dimensions[form.attributes.kernel_input_feature];
  }
  int64_t group_outputs() const {
    return form.filter.dimensions[form.attributes.kernel_output_feature] / groups();
  }
  bool is_complex() const { return hlo::is_complex(form.output.element_type); }
  // Features are the last dimension of the result and of the filter.
  bool features_last() const;
  // The filter lies as [taps, input features, output features], and taps count upwards.
  bool filter_is_row_major() const;
};

// A few features of each input fill vectors together; more fill their own, and scalars need no
// company.
bool is_depthwise(const ConvolutionSite& site, const Target& target);
// The form that Winograd's schedule serves: features last, 3x3 without steps or dilation, one
// group, f32, a known filter.
bool allows_winograd(const ConvolutionSite& site);

// Plans. `of` gives none where the algorithm does not serve the convolution, or does not pay.
struct ChannelsFirstPlan {
  ChannelsFirstTile tile;
  static std::optional<ChannelsFirstPlan> of(const ConvolutionSite& site, const Target& target);
};
// In groups of threads, as a product whose rows are pixels.
struct SharedTilesPlan {
  SharedProduct size;
  SharedTile tile;
  static std::optional<SharedTilesPlan> of(const ConvolutionSite& site, const Target& target);
};
struct PlainPlan {
  static std::optional<PlainPlan> of(const ConvolutionSite& site, const Target& target);
};
// A convolution of bytes by known bytes as a product whose rows are the windows of its pixels,
// where a micro-kernel that takes several steps at once is the cheapest.
struct PackedPlan {
  MicroChoice choice;
  bool neighbours = false;  // features of the input lie side by side in memory
  bool row_taps = false;    // so do the taps along a row: they are one segment of the reduction
  bool pointwise = false;   // 1x1: so do all steps
  // A tile's pixels are neighbours, whose windows overlap: their columns are brought to scratch
  // once, so many of them.
  int64_t shared_columns = 0;
  bool in_pairs = false;  // those of two pixels side by side (rows_lie_in_pairs)
  // Rows of the result whose windows are brought together: rows of the input with what stands
  // beside them, each of them once. 0: windows are brought tile by tile.
  int64_t block = 0;

  static std::optional<PackedPlan> of(const ConvolutionSite& site, const Target& target);
};
struct PointwisePlan {
  static std::optional<PointwisePlan> of(const ConvolutionSite& site, const Target& target);
};
struct FlatPlan {
  int lanes = 1;  // of a vector of sums
  static std::optional<FlatPlan> of(const ConvolutionSite& site, const Target& target);
};
struct DepthwisePlan {
  int stacked = 1;  // taps one above the other that one instruction multiplies (stacked_taps)
  static std::optional<DepthwisePlan> of(const ConvolutionSite& site, const Target& target);
};
struct DensePlan {
  static std::optional<DensePlan> of(const ConvolutionSite& site, const Target& target);
};

// One of them, in the order of their rows.
using ConvolutionPlan = OneOf<void
#define HLOCC_CONVOLUTION(Name, text, outside) , Name##Plan
#include "kernel/algorithms.def"
                              >;

// The first plan that there is. One with zeros beside its input only where the site has zeros
// there.
ConvolutionPlan plan_convolution(const ConvolutionSite& site, const Target& target);
kernel::Algorithm algorithm_of(const ConvolutionPlan& plan);
// Something else than zero may stand beside the input.
bool serves_outside(const ConvolutionPlan& plan);

}  // namespace hlocc::costs

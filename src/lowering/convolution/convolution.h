// What the schedules of a convolution share: its attributes, the taps that fall on input elements,
// loads and stores by batch, spatial position and feature. Convolutions come canonical
// (transforms/canonicalize_convolution): features last.
#pragma once
#include "costs/convolution.h"
#include "lowering/contraction/contraction.h"
#include "lowering/contraction/scaled_right.h"
#include "lowering/contraction/weights.h"
#include "lowering/emitter/loop_ops.h"
#include "lowering/emitter/taps.h"

namespace hlocc::lowering {

struct Convolution {
  Emitter& e;
  hlo::InstructionId id;
  const hlo::Instruction& i;
  const hlo::ConvolutionAttributes& attributes;
  const hlo::Shape &input, &filter, &output;
  kernel::Scalar sum;
  bool complex;
  costs::ConvolutionSite site;  // as policy sees it
  // Known numbers s32[features] that sums begin with; `id` is their sum with the convolution.
  hlo::InstructionId bias = hlo::kNone;
  // The filter in another order, set before its first load, or not at all.
  std::optional<Weights> weights = std::nullopt;
  std::optional<kernel::BufferId> pairs = std::nullopt;  // depthwise_pairs.h
  // The filter of a tile's features, where the kernel makes it anew of what it is stored as.
  std::optional<MadePanel> made = std::nullopt;
  // Of a convolution whose result, or what follows it, does not go to the group's root: where it
  // goes instead.
  std::function<void(const Index&)> store = nullptr;
  // Where a row of the outermost dimension lies, if its input is not a whole array.
  std::function<Affine(const Affine&)> input_row = nullptr;

  int spatial() const { return static_cast<int>(attributes.window.dimensions.size()); }
  const hlo::WindowDimension& window(int d) const { return attributes.window.dimensions[d]; }
  int64_t input_extent(int d) const { return input.dimensions[attributes.input_spatial[d]]; }
  int64_t output_extent(int d) const { return output.dimensions[attributes.output_spatial[d]]; }
  // Features of the filter that belong to one group.
  int64_t group_inputs() const { return filter.dimensions[attributes.kernel_input_feature]; }
  int64_t group_outputs() const {
    return filter.dimensions[attributes.kernel_output_feature] / groups();
  }
  int64_t groups() const { return attributes.feature_group_count; }
  bool depthwise() const { return costs::is_depthwise(site, e.target()); }

  // Taps of dimension d for output position o (base dilation 1).
  Taps taps(int d, const Affine& o) const;
  // Output positions of dimension d whose whole window lies inside the input: [first, last).
  std::pair<int64_t, int64_t> inside(int d) const;

  Element load_input(const Affine& batch, const std::vector<Affine>& at, const Affine& feature,
                     int lanes) const;
  Element load_filter(const std::vector<Affine>& taps, const Affine& in, const Affine& out,
                      int lanes) const;
  // Vector `v` of a tile of a group's output features, as the tile's micro-kernel reads it.
  Element load_filter(const std::vector<Affine>& taps, const Affine& in, const Affine& group,
                      const Tile& tile, int v) const;
  // The output features that are inner products over the input features.
  Along features_along() const;
  // The place of input feature `in` under these taps in the reduction over all taps and features.
  Affine step_of(const std::vector<Affine>& taps, const Affine& in) const;
  // What the sums of so many features begin with.
  kernel::ValueId load_bias(const Affine& feature, int lanes) const {
    return e.b.load(e.input_buffer(bias), feature, lanes);
  }
  void pack_filter(const std::vector<ColumnRun>& runs);
  // Room for `made`, where the filter is no array in memory; the convolution must not move then.
  void reserve_panel(const std::vector<ColumnRun>& runs);
  Element converted(Element x) const;
  void finish(const Affine& batch, const std::vector<Affine>& at, const Affine& feature, int lanes,
              Element value) const;
};

Convolution convolution_of(Emitter& e, hlo::InstructionId id);
// Whether there is an emitter for a row of costs::convolution_ways().
bool has_emitter(std::string_view way);

// Any window, one output element at a time: taps are tested against the input and its dilation
// holes.
void convolve_plain(const Convolution& convolution);

}  // namespace hlocc::lowering

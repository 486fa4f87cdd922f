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

// Weights of a depthwise convolution where so many taps one above the other lie together.
struct StackedWeights {
  kernel::BufferId buffer = kernel::kNone;
  int taps = 2;
};

// A convolution's site, as policy sees it, and the kernel that it is emitted in.
struct Convolution : costs::ConvolutionSite {
  Emitter& e;
  hlo::InstructionId id;
  const hlo::Instruction& i;
  // Known numbers s32[features] that sums begin with; `id` is their sum with the convolution.
  hlo::InstructionId bias = hlo::kNone;
  // The filter in another order, set before its first load, or not at all.
  std::optional<Weights> weights = std::nullopt;
  std::optional<StackedWeights> stacked = std::nullopt;  // stacked_taps.h
  // The filter of a tile's features, where the kernel makes it anew of what it is stored as.
  std::optional<MadePanel> made = std::nullopt;
  // Of a convolution whose result, or what follows it, does not go to the group's root: where it
  // goes instead.
  std::function<void(const Index&)> store = nullptr;
  // Where a row of the outermost dimension lies, if its input is not a whole array.
  std::function<Affine(const Affine&)> input_row = nullptr;

  bool depthwise() const { return costs::is_depthwise(*this, e.target()); }

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
  ReductionLanes reduction_lanes() const;
  // The place of input feature `in` under these taps in the reduction over all taps and features.
  Affine step_of(const std::vector<Affine>& taps, const Affine& in) const;
  // Sums begin with what known numbers the result is added to. Not where the tiles are large: the
  // numbers of their columns would wait in registers, or in the stack, around the whole reduction,
  // unless they begin with numbers of each column anyway (`corrected`).
  void begin_with_bias(bool corrected = false);
  // What the sums of so many features begin with.
  kernel::ValueId load_bias(const Affine& feature, int lanes) const {
    return e.b.load(e.input_buffer(bias), feature, lanes);
  }
  // Whether elements of the input may be counted past the end of a dimension: memory is read there,
  // or what the kernel makes of it element by element.
  bool input_counts() const;
  void pack_filter(const std::vector<ColumnRun>& runs);
  // Room for `made`, where the filter is no array in memory; the convolution must not move then.
  void reserve_panel(const std::vector<ColumnRun>& runs);
  Element converted(Element x) const;
  void finish(const Affine& batch, const std::vector<Affine>& at, const Affine& feature, int lanes,
              Element value) const;
};

Convolution convolution_of(Emitter& e, hlo::InstructionId id);
// Any window, one output element at a time: taps are tested against the input and its dilation
// holes.
void emit(Convolution& c, const costs::PlainPlan& plan);

}  // namespace hlocc::lowering

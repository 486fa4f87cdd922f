// A convolution over an input with zeros between its elements (base dilation: a transposed
// convolution, or the gradient of a strided one) without the zeros. With dilation s, outputs whose
// positions are equal modulo s meet the same taps of the kernel, every s-th: each of the s phases
// is a plain convolution of the input as it lies, and the results are shuffled into one another.
//
//   input [n, 14, 14, c], kernel [4, 4, c, k], dilation 2
//   -> convolution by [2, 2, c, 2 * 2 * k] -> [n, 15, 15, 2, 2, k] -> [n, 30, 30, k] -> [n, 28, 28,
//   k]
//
// Where the kernel's size is a multiple of s in each dilated dimension, all phases are one
// convolution with s times the features; else each is one of its own, so that no tap is made up.
// Outputs may have to be computed beyond the border, where phases begin at different places.
#include "transforms/build.h"
#include "transforms/canonicalize/contractions.h"

namespace hlocc::transforms {
namespace {

using hlo::ConvolutionAttributes, hlo::WindowDimension;

// More phases than this are too much code.
constexpr int64_t kMostPhases = 16;

// One spatial dimension: `phases` is its dilation, 1 where there is none.
struct Axis {
  int64_t phases = 1, taps = 1, outputs = 1, crop = 0;
  WindowDimension window;  // without dilation; sizes and high padding are for `taps` taps
  // Outputs of one phase, and the taps that phase `at` meets: first, first + phases, ...
  int64_t steps() const { return (crop + outputs + phases - 1) / phases; }
  int64_t first(int64_t at) const { return phases - 1 - at; }
  int64_t taps_of(int64_t at) const {
    return first(at) < taps ? (taps - first(at) + phases - 1) / phases : 0;
  }
};

Axis axis_of(const WindowDimension& w, int64_t outputs) {
  Axis axis{w.base_dilation, w.size, outputs, 0, w};
  if (w.base_dilation == 1) return axis;
  // So many outputs are put in front that every phase begins at the same place of the input.
  const int64_t s = w.base_dilation;
  axis.crop = ((s - 1 - w.padding_low) % s + s) % s;
  axis.window.base_dilation = 1;
  axis.window.padding_low = (w.padding_low + axis.crop - (s - 1)) / s;
  return axis;
}

// The window with so many taps that gives steps() outputs from `inputs` elements.
WindowDimension window_of(const Axis& axis, int64_t taps, int64_t inputs) {
  if (axis.phases == 1) return axis.window;
  WindowDimension window = axis.window;
  window.size = taps;
  window.padding_high = axis.steps() - 1 + taps - inputs - window.padding_low;
  return window;
}

class Phases {
 public:
  Phases(Rewriter& r, PrimitiveType type, InstructionId input, InstructionId kernel,
         const ConvolutionAttributes& attributes, std::vector<Axis> axes)
      : r_(r),
        type_(type),
        input_(input),
        kernel_(kernel),
        attributes_(attributes),
        axes_(std::move(axes)),
        batch_(r.shape(input).dimensions[0]),
        features_(r.shape(kernel).dimensions.back()) {}

  InstructionId run() {
    bool even = true;
    for (const Axis& axis : axes_) even = even && axis.taps % axis.phases == 0;
    return even ? together() : one_by_one();
  }

 private:
  int64_t spatial() const { return static_cast<int64_t>(axes_.size()); }
  int64_t phases() const {
    int64_t all = 1;
    for (const Axis& axis : axes_) all *= axis.phases;
    return all;
  }

  // [batch, steps..., features]
  InstructionId convolve(InstructionId kernel) {
    const Dimensions taps = r_.shape(kernel).dimensions, inputs = r_.shape(input_).dimensions;
    ConvolutionAttributes a = attributes_;
    Dimensions sizes{batch_};
    for (int64_t d = 0; d < spatial(); ++d) {
      a.window.dimensions[d] = window_of(axes_[d], taps[d], inputs[d + 1]);
      sizes.push_back(axes_[d].steps());
    }
    sizes.push_back(taps.back());
    return r_.add(hlo::make(Opcode::kConvolution, Shape::array(type_, sizes), {input_, kernel},
                            std::move(a)));
  }

  // Splits each spatial dimension of the kernel into taps and phases, and takes the phases to the
  // features: [taps..., in, groups, phases..., out / groups] in the end.
  InstructionId together() {
    const int64_t n = spatial(), groups = attributes_.feature_group_count;
    const Dimensions given = r_.shape(kernel_).dimensions;
    Dimensions split, reversed, order, merged;
    for (int64_t d = 0; d < n; ++d) {
      reversed.push_back(2 * d + 1);
      order.push_back(2 * d);
      merged.push_back(axes_[d].taps / axes_[d].phases);
      split.insert(split.end(), {merged.back(), axes_[d].phases});
    }
    split.insert(split.end(), {given[n], groups, features_ / groups});
    order.insert(order.end(), {2 * n, 2 * n + 1});
    order.insert(order.end(), reversed.begin(), reversed.end());
    order.push_back(2 * n + 2);
    merged.insert(merged.end(), {given[n], phases() * features_});
    const InstructionId taps = reverse(r_, reshape(r_, kernel_, split), reversed);
    return shuffle(convolve(reshape(r_, transpose(r_, taps, order), merged)), groups);
  }

  InstructionId one_by_one() {
    std::vector<InstructionId> parts;
    for (int64_t at = 0; at < phases(); ++at) parts.push_back(phase(at));
    return shuffle(concatenate(r_, parts, spatial() + 1), 1);
  }

  // Phase number `at`, the last dimension's counting fastest.
  InstructionId phase(int64_t at) {
    hlo::SliceAttributes part;
    part.limits = r_.shape(kernel_).dimensions;
    part.starts.assign(part.limits.size(), 0);
    part.strides.assign(part.limits.size(), 1);
    bool empty = false;
    Dimensions sizes{batch_};
    for (int64_t d = spatial() - 1; d >= 0; --d) {
      const Axis& axis = axes_[d];
      part.strides[d] = axis.phases;
      part.starts[d] = axis.phases == 1 ? 0 : axis.first(at % axis.phases);
      empty = empty || (axis.phases > 1 && axis.taps_of(at % axis.phases) == 0);
      at /= axis.phases;
    }
    for (const Axis& axis : axes_) sizes.push_back(axis.steps());
    sizes.push_back(features_);
    if (empty) return zeros(r_, type_, sizes);
    return convolve(r_.add(Opcode::kSlice, {kernel_}, std::move(part)));
  }

  // [batch, steps..., groups, phases..., features] with the phases behind their steps, cropped.
  InstructionId shuffle(InstructionId x, int64_t groups) {
    const int64_t n = spatial();
    Dimensions split{batch_}, order{0}, merged{batch_};
    for (int64_t d = 0; d < n; ++d) {
      split.push_back(axes_[d].steps());
      order.insert(order.end(), {d + 1, n + 2 + d});
      merged.push_back(axes_[d].steps() * axes_[d].phases);
    }
    split.push_back(groups);
    for (const Axis& axis : axes_) split.push_back(axis.phases);
    split.push_back(features_ / groups);
    order.insert(order.end(), {n + 1, 2 * n + 2});
    merged.push_back(features_);
    x = reshape(r_, transpose(r_, reshape(r_, x, split), order), merged);
    for (int64_t d = 0; d < n; ++d)
      x = slice(r_, x, d + 1, axes_[d].crop, axes_[d].crop + axes_[d].outputs);
    return x;
  }

  Rewriter& r_;
  PrimitiveType type_;
  InstructionId input_, kernel_;
  const ConvolutionAttributes& attributes_;
  std::vector<Axis> axes_;
  int64_t batch_, features_;
};

}  // namespace

InstructionId convolution_without_dilation(Rewriter& r, const Shape& shape, InstructionId input,
                                           InstructionId kernel,
                                           const ConvolutionAttributes& attributes) {
  if (shape.element_count() == 0 || r.shape(input).element_count() == 0) return kNone;
  std::vector<Axis> axes;
  int64_t phases = 1;
  for (size_t d = 0; d < attributes.window.dimensions.size(); ++d) {
    const WindowDimension& w = attributes.window.dimensions[d];
    if (w.base_dilation > 1 && (w.stride > 1 || w.window_dilation > 1)) return kNone;
    if (w.base_dilation > kMostPhases / phases) return kNone;
    phases *= w.base_dilation;
    axes.push_back(axis_of(w, shape.dimensions[d + 1]));
  }
  if (phases == 1) return kNone;
  return Phases(r, shape.element_type, input, kernel, attributes, std::move(axes)).run();
}

}  // namespace hlocc::transforms

// See chains.h. Random modules are too small for these schedules, and rarely of their form.
#include "fuzz/chains.h"

#include <algorithm>

#include "fuzz/proposals.h"

namespace hlocc::fuzz {
namespace {

constexpr PrimitiveType kType = PrimitiveType::kF32;
// Elements of the picture with the most features: beyond what schedules take for small.
constexpr int64_t kLeast = 104 << 10, kMost = 140 << 10;

class Chain {
 public:
  explicit Chain(Builder& b) : b_(b) {}

  std::vector<Id> grow() { return results_with(b_.random.chance(65) ? tiled() : pooled()); }

 private:
  std::vector<Id> results_with(Id x) {
    if (x == kNone) x = b_.fresh(kType, {});
    std::vector<Id> results{x};
    if (b_.random.chance(12)) results.push_back(b_.random.of(b_.values()));
    return results;
  }

  // A depthwise convolution, the 1x1 behind it, mostly another in front of it.
  Id tiled() {
    const int64_t features = b_.random.of(std::vector<int64_t>{16, 24, 33, 64, 96, 130});
    const int64_t width = b_.random.between(5, 60), batch = b_.random.chance(80) ? 1 : 2;
    const bool expand = b_.random.chance(75), first_layer = expand && b_.random.chance(25);
    const int64_t height =
        (b_.random.between(kLeast, kMost) / (features * width * batch) + 1) * (first_layer ? 4 : 1);
    const int64_t inputs = b_.random.of(std::vector<int64_t>{1, 3, 4, first_layer ? 2 : 17});
    Id x = b_.fresh(kType, {batch, height, width, expand ? inputs : features});
    // Of stride 2, lest the exact sums are Winograd's.
    if (expand)
      x = after(first_layer ? convolved(x, 3, 2, features, 1) : convolved(x, 1, 1, features, 1));
    x = after(convolved(x, b_.random.of(std::vector<int64_t>{3, 3, 3, 5, 2, 7}),
                        b_.random.of(std::vector<int64_t>{1, 1, 2, 3}), features, features));
    if (x != kNone)
      x = after(convolved(x, 1, b_.random.chance(95) ? 1 : 2,
                          b_.random.of(std::vector<int64_t>{1, 4, 16, 24, 40}), 1));
    return x;
  }

  // A dense convolution and the pool behind it.
  Id pooled() {
    const int64_t features = b_.random.of(std::vector<int64_t>{4, 15, 16, 24, 40, 64});
    const int64_t width = b_.random.between(4, 70), batch = b_.random.chance(80) ? 1 : 2,
                  stride = b_.random.between(1, 2);
    const int64_t height = b_.random.between(kLeast, kMost) / (features * width * batch) + 1;
    Id x = b_.fresh(kType, {batch, height * stride, width * stride,
                            b_.random.of(std::vector<int64_t>{1, 2, 3, 5})});
    return after(pool(after(
        convolved(x, b_.random.of(std::vector<int64_t>{1, 2, 3, 5, 7}), stride, features, 1))));
  }
  Id pool(Id x) {
    if (x == kNone) return kNone;
    hlo::WindowAttributes a;
    a.window.dimensions.resize(4);
    const int64_t size = b_.random.between(2, 4), stride = b_.random.between(1, 3);
    for (int d : {1, 2}) {
      hlo::WindowDimension& w = a.window.dimensions[static_cast<size_t>(d)];
      w.size = b_.random.chance(90) ? size : b_.random.between(1, 5);
      w.stride = stride;
      w.padding_low = b_.random.chance(60) ? 0 : b_.random.between(0, w.size - 1);
      w.padding_high = b_.random.chance(60) ? 0 : b_.random.between(0, w.size - 1);
      w.window_dilation = b_.random.chance(95) ? 1 : 2;
    }
    // Sums and maxima are exact whatever their order; products of a window soon are not.
    const Opcode op = b_.random.of(
        std::vector<Opcode>{Opcode::kMaximum, Opcode::kMaximum, Opcode::kAdd, Opcode::kMinimum});
    b_.begin({Shape::scalar(kType), Shape::scalar(kType)});
    const ComputationId reducer = b_.finish(b_.emit(op, {0, 1}));
    return b_.emit(Opcode::kReduceWindow, {x, initial_value(b_, kType)}, a, {reducer});
  }

  // A square window; kNone where the dice fell badly.
  Id convolved(Id x, int64_t size, int64_t stride, int64_t outputs, int64_t groups) {
    if (x == kNone) return kNone;
    hlo::ConvolutionAttributes a;
    a.input_batch = a.output_batch = 0;
    a.input_feature = a.output_feature = a.kernel_output_feature = 3;
    a.kernel_input_feature = 2;
    a.input_spatial = a.output_spatial = {1, 2};
    a.kernel_spatial = {0, 1};
    a.feature_group_count = groups;
    for (int d = 0; d < 2; ++d) {
      hlo::WindowDimension w;
      w.size = size;
      w.stride = stride;
      if (size > 1) {
        w.padding_low = b_.random.between(0, size - 1);
        w.padding_high = b_.random.between(0, size - 1);
        w.window_dilation = b_.random.chance(92) ? 1 : 2;
        w.window_reversal = b_.random.chance(6);
      }
      a.window.dimensions.push_back(w);
    }
    const int64_t inputs = b_.dims(x)[3] / groups;
    return b_.emit(Opcode::kConvolution, {x, known({size, size, inputs, outputs})}, a, {},
                   Shape::array(kType, {0, 0, 0, 0}));
  }

  // Weights: mostly constants, as in networks.
  Id known(const Dimensions& dims) {
    const Id made = b_.fresh(kType, dims);
    if (!b_.random.chance(60) || b_[made].opcode != Opcode::kParameter) return made;
    return b_.constant(random_literal(Shape::array(kType, dims), Fill::kSmall, b_.random));
  }

  Id spread(Id x, const Dimensions& dims) {
    return b_.emit(Opcode::kBroadcast, {x},
                   hlo::DimensionsAttributes{b_.rank(x) == 0 ? Dimensions{} : Dimensions{3}}, {},
                   Shape::array(kType, dims));
  }

  // Biases, norms, activations, residuals.
  Id after(Id x) {
    if (x == kNone) return kNone;
    const Dimensions dims = b_.dims(x);
    for (int64_t steps = b_.random.between(0, 4); steps > 0; --steps) {
      static const std::vector<Opcode> ops = {Opcode::kAdd,      Opcode::kAdd,
                                              Opcode::kSubtract, Opcode::kMultiply,
                                              Opcode::kMaximum,  Opcode::kMinimum};
      const Opcode op = b_.random.of(ops);
      const int64_t kind = b_.random.below(10);
      Id other = kNone;
      if (kind < 6) {
        other = spread(known({dims[3]}), dims);
      } else if (kind < 9) {
        other = spread(b_.scalar(kType, static_cast<double>(b_.random.between(-1, 6))), dims);
      } else {
        other = b_.value_like(kType, dims);
      }
      x = b_.random.chance(80) ? b_.emit(op, {x, other}) : b_.emit(op, {other, x});
    }
    return x;
  }

  Builder& b_;
};

}  // namespace

Program random_chain(uint64_t seed) {
  Random random(seed);
  Knobs knobs;
  knobs.max_elements = 1 << 20;
  // Long sums of fractions differ by more than noise on single operations shows.
  knobs.fill = Fill::kSmall;
  knobs.layouts = false;
  Builder b(random, knobs);
  return b.take(Chain(b).grow());
}

}  // namespace hlocc::fuzz

// Which elements of a dimension a resized one is made of, and how much of each: numbers, which are
// known when the model is read.
#pragma once
#include <string>
#include <vector>

#include "import/onnx/op.h"

namespace hlocc::import::onnx {

struct Resample {
  enum class Mode : uint8_t { kNearest, kLinear, kCubic };
  Mode mode = Mode::kNearest;
  // coordinate_transformation_mode and nearest_mode, as ONNX calls them.
  std::string coordinates = "half_pixel", nearest = "round_prefer_floor";
  float cubic = -0.75f, outside_value = 0;
  bool excludes_outside = false, antialiases = false;
};

struct Side {
  int64_t in = 1, out = 1;
  double scale = 1;          // out / in, as the model says it
  double low = 0, high = 1;  // the region, of tf_crop_and_resize
};

// Of each element of the result as many taps: where they come from, and their weights.
struct Taps {
  std::vector<std::vector<int64_t>> places;  // [tap][element]
  std::vector<std::vector<double>> weights;
  std::vector<bool> is_outside;  // of each element: it is outside_value
};

Taps taps_of(const Resample& how, const Side& side);

// x with `axis` resampled.
InstructionId resampled(Builder& b, InstructionId x, int64_t axis, const Resample& how,
                        const Taps& taps);

}  // namespace hlocc::import::onnx

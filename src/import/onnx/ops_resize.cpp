// Resize and Upsample: sizes or scales are known when the model is read, and so is which elements
// each result is made of.
#include <algorithm>
#include <cmath>

#include "import/build/numbers.h"
#include "import/onnx/ops.h"
#include "import/onnx/sampling.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;

constexpr int64_t kMostSize = 1 << 24;

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Result<Resample::Mode> mode_of(const Op& op) {
  const std::string mode = op.text("mode", "nearest");
  if (mode == "nearest") return Resample::Mode::kNearest;
  if (mode == "linear" || mode == "bilinear") return Resample::Mode::kLinear;
  if (mode == "cubic") return Resample::Mode::kCubic;
  return op.wrong(cat("mode is \"", mode, "\""));
}

Result<Resample> resample_of(const Op& op) {
  Resample out;
  HLOCC_TRY_ASSIGN(out.mode, mode_of(op));
  out.coordinates =
      op.text("coordinate_transformation_mode", op.opset() < 11 ? "asymmetric" : "half_pixel");
  out.nearest = op.text("nearest_mode", op.opset() < 11 ? "floor" : "round_prefer_floor");
  out.cubic = op.real("cubic_coeff_a", -0.75f);
  out.outside_value = op.real("extrapolation_value");
  out.excludes_outside = op.flag("exclude_outside");
  out.antialiases = op.flag("antialias");
  if (!is_one_of(out.coordinates,
                 {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                  "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"}))
    return op.wrong(cat("coordinate_transformation_mode is \"", out.coordinates, "\""));
  if (!is_one_of(out.nearest, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}))
    return op.wrong(cat("nearest_mode is \"", out.nearest, "\""));
  return out;
}

// Which operand is what, and that it is there.
struct Operands {
  int roi, scales, sizes;  // -1: none
};

Operands operands_of_resize(const Op& op) {
  if (op.opset() < 11) return {-1, 1, -1};
  return {op.has(1) ? 1 : -1, op.has(2) ? 2 : -1, op.has(3) ? 3 : -1};
}

// Sizes for some axes by one factor for all of them, where the attribute says so.
Status keep_ratio(const Op& op, std::vector<Side>& sides, const Dimensions& axes) {
  const std::string policy = op.text("keep_aspect_ratio_policy", "stretch");
  if (policy == "stretch") return {};
  if (policy != "not_larger" && policy != "not_smaller")
    return op.wrong(cat("keep_aspect_ratio_policy is \"", policy, "\""));
  double scale = sides[axes[0]].scale;
  for (const int64_t d : axes)
    scale =
        policy == "not_larger" ? std::min(scale, sides[d].scale) : std::max(scale, sides[d].scale);
  for (const int64_t d : axes) {
    const double size = std::round(scale * static_cast<double>(sides[d].in));
    if (!(size <= kMostSize)) return op.wrong("a scale out of range");
    sides[d].scale = scale;
    sides[d].out = static_cast<int64_t>(size);
  }
  return {};
}

Result<std::vector<Side>> sides_of(const Op& op) {
  const Dimensions x = op.sizes(0);
  const Operands which = operands_of_resize(op);
  std::vector<Side> sides;
  for (const int64_t size : x) sides.push_back({size, size});
  Dimensions axes = counting(static_cast<int64_t>(x.size()));
  if (op.has_attribute("axes")) {
    axes = op.integers("axes");
    for (int64_t& d : axes) {
      HLOCC_TRY_ASSIGN(d, op.axis(d, static_cast<int64_t>(x.size())));
    }
  }
  const auto one_each = [&](size_t count, const char* what) -> Status {
    if (count == axes.size()) return {};
    return op.wrong(cat(count, " ", what, " for ", axes.size(), " dimensions"));
  };
  std::vector<double> scales;
  if (which.scales >= 0) {
    HLOCC_TRY_ASSIGN(scales, op.reals(which.scales, "the scales"));
  }
  if (!scales.empty()) {
    HLOCC_TRY(one_each(scales.size(), "scales"));
    for (size_t i = 0; i < axes.size(); ++i) {
      Side& side = sides[axes[i]];
      side.scale = scales[i];
      const double size = std::floor(static_cast<double>(side.in) * scales[i]);
      if (!(scales[i] > 0) || !(size < kMostSize)) return op.wrong(cat("a scale out of range"));
      if (op.text("coordinate_transformation_mode") == "align_corners" &&
          op.text("mode", "nearest") != "nearest" &&
          size != static_cast<double>(side.in) * scales[i])
        return op.unsupported("align_corners with scales that give no whole size")
            .note("ONNX and ONNX Runtime disagree about it: sizes in place of scales help");
      side.out = static_cast<int64_t>(size);
    }
  } else {
    if (which.sizes < 0) return op.wrong("has neither scales nor sizes");
    HLOCC_TRY_ASSIGN(const Dimensions sizes, op.integers(which.sizes, "the sizes"));
    HLOCC_TRY(one_each(sizes.size(), "sizes"));
    for (size_t i = 0; i < axes.size(); ++i) {
      Side& side = sides[axes[i]];
      if (sizes[i] < 0 || sizes[i] > kMostSize) return op.wrong(cat("a size of ", sizes[i]));
      side.out = sizes[i];
      side.scale = static_cast<double>(side.out) / static_cast<double>(side.in);
    }
    if (!axes.empty()) HLOCC_TRY(keep_ratio(op, sides, axes));
  }
  if (which.roi >= 0 && op.text("coordinate_transformation_mode") == "tf_crop_and_resize") {
    HLOCC_TRY_ASSIGN(const std::vector<double> roi, op.reals(which.roi, "the region"));
    if (roi.size() != 2 * axes.size()) return op.wrong("a region for another number of dimensions");
    for (size_t i = 0; i < axes.size(); ++i) {
      sides[axes[i]].low = roi[i];
      sides[axes[i]].high = roi[axes.size() + i];
    }
  }
  return sides;
}

Status resize_by(const Op& op, const Resample& how) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const std::vector<Side> sides, sides_of(op));
  InstructionId x = op.value(0);
  const PrimitiveType type = op.type(0);
  const bool is_nearest = how.mode == Resample::Mode::kNearest;
  const bool by_floats = !is_nearest && !hlo::is_float(type);
  if (by_floats) x = b.convert(x, kF32);
  for (size_t d = 0; d < sides.size(); ++d) {
    const Side& side = sides[d];
    const bool is_whole = side.low == 0 && side.high == 1;
    if (side.scale == 1 && is_whole) continue;
    if (side.in < 1) return op.wrong("an operand without elements");
    if (side.out < 1) {
      x = b.slice(x, static_cast<int64_t>(d), 0, 0);
      continue;
    }
    if (!is_nearest && side.out * (how.antialiases ? side.in : 1) > kMostSize)
      return op.unsupported("windows so large");
    x = resampled(b, x, static_cast<int64_t>(d), how, taps_of(how, side));
  }
  return op.set(by_floats ? b.convert(x, type) : x);
}

}  // namespace

Status resize(const Op& op) {
  HLOCC_TRY_ASSIGN(const Resample how, resample_of(op));
  return resize_by(op, how);
}

// What Resize was before opset 10.
Status upsample(const Op& op) {
  Resample how;
  HLOCC_TRY_ASSIGN(how.mode, mode_of(op));
  how.coordinates = "asymmetric";
  how.nearest = "floor";
  return resize_by(op, how);
}

}  // namespace hlocc::import::onnx::ops

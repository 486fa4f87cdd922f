// GridSample: elements between those of an image, at places that are computed when the model runs.
#include <cmath>

#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

enum class Outside : uint8_t { kZeros, kBorder, kReflection };

struct Sampling {
  int taps = 1;  // a side
  bool aligns = false;
  Outside outside = Outside::kZeros;
};

Result<Sampling> sampling_of(const Op& op) {
  Sampling out;
  const std::string mode = op.text("mode", "linear"), padding = op.text("padding_mode", "zeros");
  out.aligns = op.flag("align_corners");
  if (mode == "linear" || mode == "bilinear")
    out.taps = 2;
  else if (mode == "cubic" || mode == "bicubic")
    out.taps = 4;
  else if (mode != "nearest")
    return op.wrong(cat("mode is \"", mode, "\""));
  if (padding == "border")
    out.outside = Outside::kBorder;
  else if (padding == "reflection")
    out.outside = Outside::kReflection;
  else if (padding != "zeros")
    return op.wrong(cat("padding_mode is \"", padding, "\""));
  return out;
}

class Sampler {
 public:
  Sampler(Builder& b, const Sampling& how) : b_(b), how_(how) {}

  struct Tap {
    InstructionId index = 0;  // within the side, s32
    std::optional<InstructionId> weight;
  };

  // The taps along a side of `size` elements, of places from -1 to 1.
  std::vector<Tap> taps(InstructionId place, int64_t size) const {
    const auto count = static_cast<double>(size);
    InstructionId x = b_.with(Opcode::kAdd, place, 1);
    x = how_.aligns
            ? b_.with(Opcode::kMultiply, x, (count - 1) / 2)
            : b_.with(Opcode::kMultiply,
                      b_.with(Opcode::kSubtract, b_.with(Opcode::kMultiply, x, count), 1), 0.5);
    if (how_.taps == 1) x = b_.unary(Opcode::kRoundNearestEven, x);
    // Cubic taps are cut to the border one by one, as ONNX Runtime has it.
    if (how_.outside == Outside::kBorder && how_.taps < 4) x = b_.clamp(x, 0, count - 1);
    if (how_.outside == Outside::kReflection) x = reflected(x, count);
    if (how_.taps == 1) return {{index(x, count), weight_at(x, std::nullopt, count)}};
    const InstructionId low = b_.unary(Opcode::kFloor, x);
    const InstructionId part = b_.binary(Opcode::kSubtract, x, low);
    std::vector<Tap> out;
    for (int i = 0; i < how_.taps; ++i) {
      const int offset = how_.taps == 2 ? i : i - 1;
      const InstructionId at = b_.with(Opcode::kAdd, low, offset);
      out.push_back({index(at, count), weight_at(at, share(part, offset), count)});
    }
    return out;
  }

 private:
  // To and fro between the borders.
  InstructionId reflected(InstructionId x, double count) const {
    const double low = how_.aligns ? 0 : -0.5, width = how_.aligns ? count - 1 : count;
    if (width == 0) return b_.like(x, 0);
    const InstructionId far = b_.unary(Opcode::kAbs, b_.with(Opcode::kSubtract, x, low));
    const InstructionId times =
        b_.unary(Opcode::kFloor, b_.with(Opcode::kMultiply, far, 1 / width));
    const InstructionId rest =
        b_.binary(Opcode::kSubtract, far, b_.with(Opcode::kMultiply, times, width));
    const InstructionId is_odd =
        b_.compare(b_.with(Opcode::kRemainder, times, 2), b_.like(times, 0), Direction::kNe);
    const InstructionId back = b_.binary(Opcode::kSubtract, b_.like(rest, low + width), rest);
    return b_.select(is_odd, back, b_.with(Opcode::kAdd, rest, low));
  }

  InstructionId index(InstructionId at, double count) const {
    if (how_.outside == Outside::kReflection) at = reflected(at, count);
    return b_.convert(b_.clamp(at, 0, count - 1), kS32);
  }

  // The tap's weight, nothing where it lies outside of an image with zeros around it.
  std::optional<InstructionId> weight_at(InstructionId at, std::optional<InstructionId> weight,
                                         double count) const {
    if (how_.outside != Outside::kZeros) return weight;
    const InstructionId is_inside =
        b_.binary(Opcode::kAnd, b_.compare(at, b_.like(at, 0), Direction::kGe),
                  b_.compare(at, b_.like(at, count - 1), Direction::kLe));
    return b_.select(is_inside, weight ? *weight : b_.like(at, 1), b_.like(at, 0));
  }

  InstructionId share(InstructionId part, int offset) const {
    const InstructionId d = offset <= 0 ? b_.with(Opcode::kAdd, part, -offset)
                                        : b_.binary(Opcode::kSubtract, b_.like(part, offset), part);
    const auto times = [&](InstructionId x, double by) {
      return b_.with(Opcode::kMultiply, x, by);
    };
    if (how_.taps == 2) return b_.binary(Opcode::kSubtract, b_.like(d, 1), d);
    constexpr double kA = -0.75;
    const InstructionId d2 = b_.binary(Opcode::kMultiply, d, d);
    const InstructionId d3 = b_.binary(Opcode::kMultiply, d2, d);
    const bool is_near = offset == 0 || offset == 1;
    InstructionId y = is_near ? b_.binary(Opcode::kSubtract, times(d3, kA + 2), times(d2, kA + 3))
                              : b_.binary(Opcode::kSubtract, times(d3, kA), times(d2, 5 * kA));
    if (is_near) return b_.with(Opcode::kAdd, y, 1);
    y = b_.binary(Opcode::kAdd, y, times(d, 8 * kA));
    return b_.with(Opcode::kSubtract, y, 4 * kA);
  }

  Builder& b_;
  const Sampling& how_;
};

}  // namespace

// X: batch, channels, sides; grid: batch, sides of the result, the place in X, last side first.
Status grid_sample(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Sampling how, sampling_of(op));
  const Dimensions x = op.sizes(0), grid = op.sizes(1);
  const auto sides = static_cast<int64_t>(x.size()) - 2;
  const auto rank = static_cast<int64_t>(grid.size());
  if (sides < 1 || sides > 3 || rank != sides + 2 || grid.back() != sides || grid[0] != x[0])
    return op.wrong(cat("a grid of ", b.shape(op.value(1)), " for ", b.shape(op.value(0))));
  if (!hlo::is_float(op.type(0)) || !hlo::is_float(op.type(1))) return op.unsupported_types();
  const Dimensions points(grid.begin(), grid.end() - 1);
  int64_t pixels = 1;
  for (int64_t d = 0; d < sides; ++d) pixels *= x[d + 2];
  if (pixels < 1 || pixels > INT32_MAX / std::max<int64_t>(x[0], 1))
    return op.unsupported("an image of so many elements");
  // Rows of channels, which a flat place takes.
  Dimensions channels_last = counting(sides + 2);
  channels_last.erase(channels_last.begin() + 1);
  channels_last.push_back(1);
  const InstructionId rows =
      b.reshape(b.transpose(op.value(0), channels_last), {x[0] * pixels, x[1]});
  const Sampler sampler(b, how);
  struct Part {
    InstructionId place = 0;
    std::optional<InstructionId> weight;
  };
  std::vector<Part> parts = {
      {b.with(Opcode::kMultiply, b.iota(kS32, points, 0), static_cast<double>(pixels)), {}}};
  int64_t stride = pixels;
  for (int64_t d = 0; d < sides; ++d) {
    stride /= x[d + 2];
    const InstructionId place =
        b.reshape(b.slice(op.value(1), rank - 1, sides - 1 - d, sides - d), points);
    std::vector<Part> next;
    for (const Sampler::Tap& tap : sampler.taps(b.convert(place, kF32), x[d + 2]))
      for (const Part& part : parts) {
        const InstructionId step =
            b.with(Opcode::kMultiply, tap.index, static_cast<double>(stride));
        std::optional<InstructionId> weight = part.weight ? part.weight : tap.weight;
        if (part.weight && tap.weight)
          weight = b.binary(Opcode::kMultiply, *part.weight, *tap.weight);
        next.push_back({b.binary(Opcode::kAdd, part.place, step), weight});
      }
    parts = std::move(next);
  }
  InstructionId sum = hlo::kNone;
  for (const Part& part : parts) {
    InstructionId y = b.convert(b.take(rows, part.place, 0), kF32);
    if (part.weight)
      y = b.binary(Opcode::kMultiply, y, b.broadcast(*part.weight, b.sizes(y), counting(rank - 1)));
    sum = sum == hlo::kNone ? y : b.binary(Opcode::kAdd, sum, y);
  }
  Dimensions channels_first = counting(rank - 1);
  channels_first.insert(channels_first.begin() + 1, rank - 1);
  return op.set(b.transpose(b.convert(sum, op.type(0)), channels_first));
}

}  // namespace hlocc::import::onnx::ops

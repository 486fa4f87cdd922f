// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR over rows and columns: which elements, and their
// parts, are known.
#include <algorithm>
#include <cmath>

#include "import/build/numbers.h"
#include "import/tflite/ops.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;

struct Side {
  int64_t in, out;
};
struct Resize {
  Side rows, columns;
  bool align_corners, half_pixel;
};

Result<Resize> resize_of(const Op& op, Field align_corners, Field half_pixel) {
  HLOCC_TRY(op.require(2, 2));
  HLOCC_TRY(op.require_rank(0, 4));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> to, op.integers(1, "the size"));
  const Dimensions x = op.sizes(0);
  if (op.b.failure()) return *op.b.failure();
  if (to.size() != 2 || to[0] < 1 || to[1] < 1 || to[0] > INT16_MAX || to[1] > INT16_MAX ||
      x[1] < 1 || x[2] < 1 || x[1] > INT16_MAX || x[2] > INT16_MAX)
    return op.wrong("sizes out of range");
  const Tensor &in = op.in(0), &out = op.out();
  if (in.type != out.type) return op.unsupported_types();
  if (in.scale() != out.scale() || in.zero_point() != out.zero_point())
    return op.unsupported("a result of another scale than the operand");
  return Resize{
      {x[1], to[0]}, {x[2], to[1]}, op.options.flag(align_corners), op.options.flag(half_pixel)};
}

// Between which elements each result lies, and how far behind the lower one: in floats, or in
// 1024ths.
struct Places {
  std::vector<int64_t> lower, upper, part;
  std::vector<float> real_part;
};

Places places_of_reals(const Side& side, const Resize& r) {
  float scale = static_cast<float>(side.in) / static_cast<float>(side.out);
  if (r.align_corners && side.out > 1)
    scale = static_cast<float>(side.in - 1) / static_cast<float>(side.out - 1);
  Places out;
  for (int64_t i = 0; i < side.out; ++i) {
    const auto at = static_cast<float>(i);
    const float place = r.half_pixel ? (at + 0.5f) * scale - 0.5f : at * scale;
    out.lower.push_back(std::max<int64_t>(static_cast<int64_t>(std::floor(place)), 0));
    out.upper.push_back(std::min<int64_t>(static_cast<int64_t>(std::ceil(place)), side.in - 1));
    out.real_part.push_back(place - static_cast<float>(out.lower.back()));
  }
  return out;
}

Places places_of_integers(const Side& side, const Resize& r) {
  constexpr int64_t kOne = 1 << 10;
  int64_t scale = (kOne * side.in + side.out / 2) / side.out;
  if (r.align_corners && side.out > 1)
    scale = (kOne * (side.in - 1) + (side.out - 1) / 2) / (side.out - 1);
  Places out;
  for (int64_t i = 0; i < side.out; ++i) {
    const int64_t place = r.half_pixel ? i * scale + scale / 2 - (1 << 9) : i * scale;
    out.lower.push_back(std::max<int64_t>(place / kOne, 0));
    out.upper.push_back(std::min<int64_t>((place + kOne - 1) / kOne, side.in - 1));
    out.part.push_back(place - kOne * out.lower.back());
  }
  return out;
}

// The lower ones may lie behind the operand where both ways of counting are asked for.
bool are_within(const Places& places, int64_t in) {
  return std::all_of(places.lower.begin(), places.lower.end(), [&](int64_t at) { return at < in; });
}

InstructionId taken(Builder& b, InstructionId x, const std::vector<int64_t>& places,
                    int64_t dimension) {
  const auto count = static_cast<int64_t>(places.size());
  return b.take(x, b.constant(literal_of(kS32, places, {count})), dimension);
}

// The parts of one side, along its dimension of y.
InstructionId parts(Builder& b, const Places& places, InstructionId y, int64_t dimension) {
  if (places.real_part.empty()) return b.along(places.part, b.type(y), b.sizes(y), dimension);
  const auto count = static_cast<int64_t>(places.real_part.size());
  const Literal literal = Literal::array<float>(kF32, {count}, places.real_part);
  return b.broadcast(b.constant(literal), b.sizes(y), {dimension});
}

// The four elements around each place by their parts; `one` is a whole part.
InstructionId between(Builder& b, InstructionId x, const Places& rows, const Places& columns,
                      double one) {
  InstructionId sum = hlo::kNone;
  for (const bool down : {false, true})
    for (const bool right : {false, true}) {
      const InstructionId row = taken(b, x, down ? rows.upper : rows.lower, 1);
      const InstructionId corner = taken(b, row, right ? columns.upper : columns.lower, 2);
      const auto weight = [&](const Places& places, int64_t dimension, bool far) {
        const InstructionId part = parts(b, places, corner, dimension);
        return far ? part : b.binary(Opcode::kSubtract, b.like(corner, one), part);
      };
      const InstructionId weighed =
          b.binary(Opcode::kMultiply, b.binary(Opcode::kMultiply, corner, weight(rows, 1, down)),
                   weight(columns, 2, right));
      sum = sum == hlo::kNone ? weighed : b.binary(Opcode::kAdd, sum, weighed);
    }
  return sum;
}

}  // namespace

Status resize_bilinear(const Op& op) {
  using Fields = schema::ResizeBilinearOptions;
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Resize r,
                   resize_of(op, Fields::align_corners, Fields::half_pixel_centers));
  const PrimitiveType type = op.type(0);
  if (type != kF32 && type != kS8) return op.unsupported_types();
  const bool is_float = type == kF32;
  const auto places = is_float ? places_of_reals : places_of_integers;
  const Places rows = places(r.rows, r), columns = places(r.columns, r);
  if (!are_within(rows, r.rows.in) || !are_within(columns, r.columns.in))
    return op.wrong("places beyond the operand");
  if (is_float) return op.set(between(b, op.value(0), rows, columns, 1));
  // Of 20 bits behind the point, to nearest, halves away from zero.
  const InstructionId sum = between(b, b.convert(op.value(0), kS32), rows, columns, 1 << 10);
  const InstructionId half = b.select(b.compare(sum, b.like(sum, 0), hlo::Direction::kGt),
                                      b.like(sum, 1 << 19), b.like(sum, -(1 << 19)));
  const InstructionId y = b.with(Opcode::kDivide, b.binary(Opcode::kAdd, sum, half), 1 << 20);
  return op.set(b.convert(y, kS8));
}

Status resize_nearest(const Op& op) {
  using Fields = schema::ResizeNearestNeighborOptions;
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Resize r,
                   resize_of(op, Fields::align_corners, Fields::half_pixel_centers));
  const auto nearest = [&](const Side& side) {
    float scale = static_cast<float>(side.in) / static_cast<float>(side.out);
    if (r.align_corners && side.out > 1)
      scale = static_cast<float>(side.in - 1) / static_cast<float>(side.out - 1);
    std::vector<int64_t> out;
    for (int64_t i = 0; i < side.out; ++i) {
      const float place = (static_cast<float>(i) + (r.half_pixel ? 0.5f : 0.0f)) * scale;
      const float whole = r.align_corners ? std::round(place) : std::floor(place);
      out.push_back(std::clamp<int64_t>(static_cast<int64_t>(whole), 0, side.in - 1));
    }
    return out;
  };
  return op.set(taken(b, taken(b, op.value(0), nearest(r.rows), 1), nearest(r.columns), 2));
}

}  // namespace hlocc::import::tflite::ops

// Pools: the greatest, the mean or the norm of windows.
#include <cmath>

#include "import/build/numbers.h"
#include "import/onnx/ops.h"
#include "import/onnx/windows.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;

Result<Windows> pool_windows(const Op& op) {
  const Dimensions x = op.sizes(0);
  HLOCC_TRY_ASSIGN(const Dimensions kernel, kernel_shape(op, x));
  return windows_of(op, x, kernel, op.flag("ceil_mode"));
}

Dimensions spatial(const Op& op) {
  Dimensions out = counting(op.rank(0));
  out.erase(out.begin(), out.begin() + std::min<std::ptrdiff_t>(2, std::ssize(out)));
  return out;
}

// Over all of a channel, which becomes one element.
InstructionId over_channel(const Op& op, Opcode opcode, InstructionId x) {
  Builder& b = op.b;
  Dimensions sizes = b.sizes(x);
  for (size_t d = 2; d < sizes.size(); ++d) sizes[d] = 1;
  return b.reshape(b.reduce(opcode, x, spatial(op)), sizes);
}

int64_t elements_of_channel(const Op& op) {
  int64_t count = 1;
  for (const int64_t d : spatial(op)) count *= op.sizes(0)[d];
  return count;
}

// How many elements each window has: those of the operand, or of its padding, too.
InstructionId counts(const Op& op, const Windows& windows, bool with_pads) {
  Builder& b = op.b;
  Dimensions sizes = op.sizes(0);
  sizes[0] = sizes[1] = 1;
  Windows inside = windows;
  for (size_t i = 0; i < windows.sides.size() && with_pads; ++i) {
    sizes[i + 2] +=
        windows.sides[i].padding_low + windows.sides[i].padding_high - windows.beyond[i];
    inside.sides[i].padding_low = 0;
    inside.sides[i].padding_high = windows.beyond[i];
  }
  return b.reduce_window(Opcode::kAdd, b.number(op.type(0), 1, sizes), whole_window(inside));
}

bool is_padded(const Windows& windows) {
  for (const hlo::WindowDimension& side : windows.sides)
    if (side.padding_low != 0 || side.padding_high != 0) return true;
  return false;
}

// The place of each window's greatest element in the operand, found offset by offset.
Result<InstructionId> places_of_greatest(const Op& op, const Windows& windows, InstructionId y) {
  constexpr int64_t kMostOffsets = 1024;
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const Dimensions sizes = b.sizes(x);
  const bool by_columns = op.flag("storage_order");
  Dimensions order = sizes, strides = hlo::row_major_strides(sizes);
  if (by_columns && sizes.size() == 4) {
    strides[2] = 1;
    strides[3] = sizes[2];
  } else if (by_columns && sizes.size() > 4) {
    return op.unsupported("storage_order of more than two spatial dimensions");
  }
  InstructionId place = b.number(kS32, 0, sizes);
  for (size_t d = 0; d < sizes.size(); ++d)
    place = b.binary(Opcode::kAdd, place,
                     b.with(Opcode::kMultiply, b.iota(kS32, sizes, static_cast<int64_t>(d)),
                            static_cast<double>(strides[d])));
  std::vector<hlo::PaddingDimension> pads(sizes.size());
  int64_t offsets = 1;
  for (size_t i = 0; i < windows.sides.size(); ++i) {
    pads[i + 2] = {windows.sides[i].padding_low, windows.sides[i].padding_high, 0};
    offsets *= windows.sides[i].size;
    if (offsets > kMostOffsets) return op.unsupported("places of windows so large");
  }
  place = b.pad(place, b.number(kS32, -1), pads);
  const InstructionId values = b.pad(x, b.number(b.type(x), -INFINITY), pads);
  InstructionId found = b.number(kS32, INT32_MAX, b.sizes(y));
  Dimensions at(windows.sides.size(), 0);
  for (int64_t n = 0; n < offsets; ++n) {
    Dimensions starts(sizes.size(), 0), limits = b.sizes(values), steps(sizes.size(), 1);
    for (size_t i = 0; i < at.size(); ++i) {
      const hlo::WindowDimension& side = windows.sides[i];
      starts[i + 2] = at[i] * side.window_dilation;
      steps[i + 2] = side.stride;
      limits[i + 2] =
          starts[i + 2] + (b.size(y, static_cast<int64_t>(i) + 2) - 1) * side.stride + 1;
    }
    const InstructionId own = b.slice(values, starts, limits, steps),
                        own_place = b.slice(place, starts, limits, steps);
    const InstructionId is_first = b.binary(
        Opcode::kAnd, b.compare(own, y, hlo::Direction::kEq),
        b.binary(Opcode::kAnd, b.compare(own_place, b.like(own_place, 0), hlo::Direction::kGe),
                 b.compare(found, b.like(found, INT32_MAX), hlo::Direction::kEq)));
    found = b.select(is_first, own_place, found);
    for (size_t d = at.size(); d-- > 0 && ++at[d] == windows.sides[d].size;) at[d] = 0;
  }
  return b.convert(found, kS64);
}

// (sum of |x|^p)^(1/p)
InstructionId power(Builder& b, InstructionId x, int64_t p) {
  if (p == 1) return b.unary(Opcode::kAbs, x);
  if (p == 2) return b.binary(Opcode::kMultiply, x, x);
  return b.with(Opcode::kPower, b.unary(Opcode::kAbs, x), static_cast<double>(p));
}
InstructionId root(Builder& b, InstructionId x, int64_t p) {
  if (p == 1) return x;
  if (p == 2) return b.math(Opcode::kSqrt, x);
  return b.with(Opcode::kPower, x, 1.0 / static_cast<double>(p));
}

}  // namespace

Status max_pool(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Windows windows, pool_windows(op));
  const InstructionId y = b.reduce_window(Opcode::kMaximum, op.value(0), whole_window(windows));
  op.set(0, y);
  op.flag("storage_order");
  if (!op.wants(1)) return {};
  if (!hlo::is_float(op.type(0))) return op.unsupported("places of integers");
  HLOCC_TRY_ASSIGN(const InstructionId places, places_of_greatest(op, windows, y));
  op.set(1, places);
  return {};
}

Status average_pool(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Windows windows, pool_windows(op));
  const bool with_pads = op.flag("count_include_pad");
  const InstructionId sum = b.reduce_window(Opcode::kAdd, op.value(0), whole_window(windows));
  int64_t area = 1, beyond = 0;
  for (size_t i = 0; i < windows.sides.size(); ++i) {
    area *= windows.sides[i].size;
    beyond += windows.beyond[i];
  }
  if (!is_padded(windows) || (with_pads && beyond == 0))
    return op.set(b.with(Opcode::kDivide, sum, static_cast<double>(area)));
  Dimensions mapping = counting(op.rank(0));
  const InstructionId count = b.broadcast_to(counts(op, windows, with_pads), b.sizes(sum));
  return op.set(b.binary(Opcode::kDivide, sum, count));
}

Status lp_pool(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Windows windows, pool_windows(op));
  const int64_t p = op.integer("p", 2);
  if (!hlo::is_float(op.type(0))) return op.unsupported_types();
  if (p < 1) return op.wrong(cat("p is ", p));
  const InstructionId sum =
      b.reduce_window(Opcode::kAdd, power(b, op.value(0), p), whole_window(windows));
  return op.set(root(b, sum, p));
}

Status global_average_pool(const Op& op) {
  if (op.rank(0) < 3) return op.wrong("the operand has no spatial dimension");
  return op.set(op.b.with(Opcode::kDivide, over_channel(op, Opcode::kAdd, op.value(0)),
                          static_cast<double>(elements_of_channel(op))));
}

Status global_max_pool(const Op& op) {
  if (op.rank(0) < 3) return op.wrong("the operand has no spatial dimension");
  return op.set(over_channel(op, Opcode::kMaximum, op.value(0)));
}

Status global_lp_pool(const Op& op) {
  const int64_t p = op.integer("p", 2);
  if (op.rank(0) < 3) return op.wrong("the operand has no spatial dimension");
  if (!hlo::is_float(op.type(0))) return op.unsupported_types();
  if (p < 1) return op.wrong(cat("p is ", p));
  return op.set(root(op.b, over_channel(op, Opcode::kAdd, power(op.b, op.value(0), p)), p));
}

// What MaxPool took, back to its places.
Status max_unpool(const Op& op) {
  Builder& b = op.b;
  const Dimensions x = op.sizes(0);
  HLOCC_TRY_ASSIGN(const Dimensions kernel, kernel_shape(op, x));
  HLOCC_TRY_ASSIGN(const Dimensions strides, side_numbers(op, "strides", kernel.size(), 1));
  HLOCC_TRY_ASSIGN(const Dimensions pads, side_numbers(op, "pads", 2 * kernel.size(), 0));
  Dimensions sizes = x;
  for (size_t i = 0; i < kernel.size(); ++i)
    sizes[i + 2] = (x[i + 2] - 1) * strides[i] + kernel[i] - pads[i] - pads[kernel.size() + i];
  const InstructionId none = b.number(op.type(0), 0, sizes);
  const int64_t count = b.shape(op.value(1)).element_count();
  hlo::ScatterAttributes how;
  how.inserted_window_dims = how.scatter_dims_to_operand_dims = {0};
  how.index_vector_dim = 1;
  const InstructionId done =
      b.scatter(b.reshape(none, {b.shape(none).element_count()}),
                b.reshape(b.convert(op.value(1), kS32), {count, 1}),
                b.reshape(op.value(0), {count}), std::move(how), std::nullopt);
  const InstructionId y = b.reshape(done, sizes);
  if (!op.has(2)) return op.set(y);
  // Places count within what MaxPool read; the output shape adds zeros behind it.
  HLOCC_TRY_ASSIGN(const Dimensions wanted, op.integers(2, "the output shape"));
  if (wanted.size() != sizes.size()) return op.wrong("an output shape of other dimensions");
  std::vector<hlo::PaddingDimension> behind;
  for (size_t d = 0; d < sizes.size(); ++d) behind.push_back({0, wanted[d] - sizes[d], 0});
  return op.set(b.pad(y, b.number(op.type(0), 0), std::move(behind)));
}

}  // namespace hlocc::import::onnx::ops

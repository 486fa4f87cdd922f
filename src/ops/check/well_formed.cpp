// Checks of single shapes, with a stack of its own: nesting comes from the file.
#include "ops/check/well_formed.h"

#include <algorithm>

#include "ops/check/checks.h"
#include "support/checked_math.h"

namespace hlocc::ops {
namespace {

Status check_layout(const Shape& shape, std::string_view what) {
  const Dimensions& order = shape.layout.minor_to_major;
  if (!order.empty()) {
    HLOCC_TRY(check(static_cast<int>(order.size()) == shape.rank(), kAttribute, "the layout ",
                    Listed{order}, " of ", what, " ", shape, " must order ", shape.rank(),
                    " dimensions"));
    HLOCC_TRY(check_dimensions(order, shape.rank(), cat("the layout of ", what)));
  }
  const int bits = shape.layout.element_bits, own = type_bits(shape.element_type);
  return check(bits == 0 || bits == own || bits == 8 * storage_bytes(shape.element_type),
               kAttribute, "the layout of ", what, " packs ", shape.element_type, " into ", bits,
               " bits an element");
}

Status check_array_shape(const Shape& shape, std::string_view what) {
  HLOCC_TRY(check(shape.dynamic.empty() || shape.dynamic.size() == shape.dimensions.size(), kShape,
                  what, " has dynamic flags for another rank than its own, ", shape.rank()));
  int64_t bytes = storage_bytes(shape.element_type);
  for (int64_t size : shape.dimensions) {
    if (size == hlo::kUnboundedSize)
      return error(kUnsupported, cat(what, " ", shape, " has an unbounded dimension"))
          .note(
              "export the program with a bound for every dynamic dimension, or with static shapes");
    HLOCC_TRY(check(size >= 0, kShape, what, " has the negative dimension ", size));
    // Zero hides the other sizes from the product, but their strides are still computed.
    bytes = checked_multiply(bytes, std::max<int64_t>(size, 1)).value_or(INT64_MAX);
    HLOCC_TRY(
        check(bytes <= kMaxShapeBytes, kLimit, what, " ", shape, " takes more than 2^47 bytes"));
  }
  return check_layout(shape, what);
}

}  // namespace

int64_t held_bytes(const Shape& shape) {
  int64_t bytes =
      static_cast<int64_t>(sizeof(Shape) + 2 * sizeof(int64_t) * shape.dimensions.size());
  for (const Shape& element : shape.tuple) bytes += held_bytes(element);
  return bytes;
}

Status check_well_formed(const Shape& shape, std::string_view what) {
  std::vector<std::pair<const Shape*, int>> stack{{&shape, 0}};
  int64_t bytes = 0;
  while (!stack.empty()) {
    const auto [part, depth] = stack.back();
    stack.pop_back();
    HLOCC_TRY(
        check(depth <= kMaxTupleDepth, kLimit, what, " nests tuples deeper than ", kMaxTupleDepth));
    if (part->is_array()) {
      HLOCC_TRY(check_array_shape(*part, what));
      bytes += part->byte_size();
      HLOCC_TRY(check(bytes <= kMaxShapeBytes, kLimit, what, " takes more than 2^47 bytes"));
    }
    HLOCC_TRY(check(part->is_array() || part->dimensions.empty(), kShape, what,
                    " has dimensions but is no array"));
    HLOCC_TRY(check(part->is_tuple() || part->tuple.empty(), kShape, what,
                    " has elements but is no tuple"));
    for (const Shape& element : part->tuple) stack.push_back({&element, depth + 1});
  }
  return {};
}

}  // namespace hlocc::ops

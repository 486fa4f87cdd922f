// A shape that makes sense by itself: sizes that fit, flags and layouts that match the dimensions.
#pragma once
#include "hlo/shape.h"
#include "support/result.h"

namespace hlocc::ops {

// No array may be larger than this, so that no address computation of ours can overflow.
inline constexpr int64_t kMaxShapeBytes = int64_t{1} << 47;

// Deeper tuples would overflow the stack of recursive code; protobuf's own limit is 100.
inline constexpr int kMaxTupleDepth = 100;

// `what` names the shape in the message: "the shape", "the entry result".
Status check_well_formed(const hlo::Shape& shape, std::string_view what);

// What the shape itself takes in this process, elements of tuples included.
int64_t held_bytes(const hlo::Shape& shape);

}  // namespace hlocc::ops

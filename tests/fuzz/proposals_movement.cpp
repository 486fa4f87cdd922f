// Data movement: dimensions, strides, paddings and positions at random, out of bounds where the op
// says what that means.
#include <algorithm>

#include "fuzz/proposals.h"

namespace hlocc::fuzz {
namespace {

Id broadcast(Builder& b, PrimitiveType type) {
  const Id x = b.value(type, 0, 3);
  Dimensions out = b.dims(x);
  hlo::DimensionsAttributes map;
  std::vector<bool> is_new(out.size(), false);
  for (int64_t more = b.random.between(b.rank(x) == 0 ? 0 : 1, 2); more > 0; --more)
    is_new.insert(is_new.begin() + b.random.below(static_cast<int64_t>(is_new.size()) + 1), true);
  Dimensions result;
  size_t from = 0;
  for (size_t d = 0; d < is_new.size(); ++d) {
    if (!is_new[d]) map.dimensions.push_back(static_cast<int64_t>(d));
    result.push_back(is_new[d] ? b.random_size() : out[from++]);
  }
  return b.emit(Opcode::kBroadcast, {x}, map, {}, Shape::array(type, result));
}

// Dimensions of the same product: prime factors dealt out anew, and ones.
Dimensions regrouped(Builder& b, int64_t count) {
  Dimensions out(static_cast<size_t>(b.random.between(count == 1 ? 0 : 1, 4)), 1);
  if (count == 0) out[static_cast<size_t>(b.random.below(static_cast<int64_t>(out.size())))] = 0;
  for (int64_t p = 2; count > 1; ++p)
    for (; count % p == 0; count /= p)
      out[static_cast<size_t>(b.random.below(static_cast<int64_t>(out.size())))] *= p;
  return out;
}

Id reshape(Builder& b, PrimitiveType type) {
  const Id x = b.value(type);
  return b.emit(Opcode::kReshape, {x}, {}, {},
                Shape::array(type, regrouped(b, b.shape(x).element_count())));
}

Id transpose(Builder& b, PrimitiveType type) {
  const Id x = b.value(type, 1);
  hlo::DimensionsAttributes order;
  for (int d = 0; d < b.rank(x); ++d) order.dimensions.push_back(d);
  b.random.shuffle(order.dimensions);
  return b.emit(Opcode::kTranspose, {x}, order);
}

Id reverse(Builder& b, PrimitiveType type) {
  const Id x = b.value(type, 1);
  hlo::DimensionsAttributes which;
  for (int d = 0; d < b.rank(x); ++d)
    if (b.random.chance(60)) which.dimensions.push_back(d);
  return b.emit(Opcode::kReverse, {x}, which);
}

Id slice(Builder& b, PrimitiveType type) {
  const Id x = b.value(type, 1);
  hlo::SliceAttributes slice;
  for (int64_t size : b.dims(x)) {
    const int64_t start = b.random.chance(40) ? 0 : b.random.between(0, size);
    slice.starts.push_back(start);
    slice.limits.push_back(b.random.chance(50) ? size : b.random.between(start, size));
    slice.strides.push_back(b.random.chance(60) ? 1 : b.random.between(1, 4));
  }
  return b.emit(Opcode::kSlice, {x}, slice);
}

PrimitiveType start_type(Builder& b) {
  static const std::vector<PrimitiveType> types = {
      PrimitiveType::kS32, PrimitiveType::kS32, PrimitiveType::kS32, PrimitiveType::kS64,
      PrimitiveType::kU32, PrimitiveType::kU64, PrimitiveType::kS8,  PrimitiveType::kU8,
      PrimitiveType::kS16, PrimitiveType::kU16};
  return b.random.of(types);
}

// One start index a dimension, sometimes far outside.
std::vector<Id> starts(Builder& b, const Dimensions& dims) {
  const PrimitiveType type = start_type(b);
  std::vector<Id> out;
  for (int64_t size : dims)
    out.push_back(b.random.chance(85) ? b.indices(type, {}, -2, size + 2) : b.fresh(type, {}));
  return out;
}

Dimensions smaller(Builder& b, const Dimensions& dims) {
  Dimensions out;
  for (int64_t size : dims)
    out.push_back(b.random.chance(40)
                      ? size
                      : b.random.between(size > 0 && b.random.chance(95) ? 1 : 0, size));
  return out;
}

Id dynamic_slice(Builder& b, PrimitiveType type) {
  const Id x = b.value(type);
  std::vector<Id> operands = starts(b, b.dims(x));
  operands.insert(operands.begin(), x);
  return b.emit(Opcode::kDynamicSlice, operands,
                hlo::DynamicSliceAttributes{smaller(b, b.dims(x))});
}

Id dynamic_update_slice(Builder& b, PrimitiveType type) {
  const Id x = b.value(type);
  std::vector<Id> operands = starts(b, b.dims(x));
  operands.insert(operands.begin(), {x, b.value_like(type, smaller(b, b.dims(x)))});
  return b.emit(Opcode::kDynamicUpdateSlice, operands);
}

// Loops of one size over arrays of several: parts of some and others whole, read by one op, and
// updates at one place. Where kernels are shared, these are the ones that may be.
Id alike(Builder& b, PrimitiveType type) {
  const Dimensions part = b.random_dims(1, 2);
  Dimensions starts(part.size());
  for (int64_t& start : starts) start = b.random.between(0, 2);
  const bool updates = b.random.chance(40);
  Id last = kNone;
  for (int64_t count = b.random.between(2, 4); count > 0; --count) {
    const bool whole = !updates && b.random.chance(30);
    Dimensions dims = part;
    for (size_t d = 0; d < dims.size() && !whole; ++d)
      dims[d] += starts[d] + b.random.between(0, 3);
    const Id x = b.fresh(type, dims);
    if (updates) {
      std::vector<Id> operands = {x, b.value_like(type, part)};
      for (const int64_t start : starts)
        operands.push_back(b.scalar(PrimitiveType::kS32, static_cast<double>(start)));
      last = b.emit(Opcode::kDynamicUpdateSlice, operands);
      continue;
    }
    Id read = x;
    if (!whole) {
      hlo::SliceAttributes slice{starts, starts, Dimensions(part.size(), 1)};
      for (size_t d = 0; d < part.size(); ++d) slice.limits[d] += part[d];
      read = b.emit(Opcode::kSlice, {x}, slice);
    }
    if (read != kNone) last = b.emit(Opcode::kAdd, {read, read});
  }
  return last;
}

Id concatenate(Builder& b, PrimitiveType type) {
  const Id x = b.value(type, 1);
  const int64_t along = b.random.below(b.rank(x));
  std::vector<Id> operands = {x};
  for (int64_t more = b.random.between(0, 3); more > 0; --more) {
    Dimensions dims = b.dims(x);
    if (b.random.chance(60)) dims[static_cast<size_t>(along)] = b.random_size();
    operands.push_back(b.value_like(type, dims));
  }
  b.random.shuffle(operands);
  return b.emit(Opcode::kConcatenate, operands, hlo::DimensionsAttributes{{along}});
}

Id pad(Builder& b, PrimitiveType type) {
  const Id x = b.value(type);
  hlo::PadAttributes pad;
  for (int d = 0; d < b.rank(x); ++d)
    pad.dimensions.push_back({b.random.between(-2, 3), b.random.between(-2, 3),
                              b.random.chance(70) ? 0 : b.random.between(1, 2)});
  return b.emit(Opcode::kPad, {x, b.value_like(type, {})}, pad);
}

// To a type of equal, narrower or wider elements.
Id bitcast_convert(Builder& b, PrimitiveType type) {
  const PrimitiveType to = b.random.of(all_types());
  const int from_bits = hlo::is_pred(type) ? 8 : hlo::type_bits(type),
            to_bits = hlo::is_pred(to) ? 8 : hlo::type_bits(to);
  // The bits of a predicate other than 0 and 1 have no meaning.
  if (hlo::is_pred(to)) return kNone;
  // The bits of a computed NaN are open.
  const auto bits_known = [&](const Dimensions& dims) {
    return is_integer(type) ? b.value_like(type, dims) : b.fresh(type, dims);
  };
  if (to_bits <= from_bits)
    return b.emit(Opcode::kBitcastConvert, {bits_known(b.random_dims(0, 3))}, {}, {},
                  Shape::array(to, {}));
  Dimensions dims = b.random_dims(0, 2);
  dims.push_back(to_bits / from_bits);
  return b.emit(Opcode::kBitcastConvert, {bits_known(dims)}, {}, {}, Shape::array(to, {}));
}

Id iota(Builder& b, PrimitiveType type) {
  const Dimensions dims = b.random_dims(1, 3);
  return b.emit(Opcode::kIota, {},
                hlo::IotaAttributes{b.random.below(static_cast<int64_t>(dims.size()))}, {},
                Shape::array(type, dims));
}

Id copy(Builder& b, PrimitiveType type) {
  const Id x = b.value(type);
  Shape declared = Shape::array(type, b.dims(x));
  for (int d = b.rank(x) - 1; d >= 0; --d) declared.layout.minor_to_major.push_back(d);
  b.random.shuffle(declared.layout.minor_to_major);
  return b.emit(Opcode::kCopy, {x}, {}, {}, declared);
}

Id barrier(Builder& b, PrimitiveType type) {
  const Id x = b.value(type);
  const Id tuple = b.emit(Opcode::kTuple, {x, b.like(x)}, {});
  return element(b, b.emit(Opcode::kOptBarrier, {tuple}, {}), b.random.below(2));
}

// Of two elements, the second perhaps a tuple again.
Id tuple_constant(Builder& b, PrimitiveType type) {
  const auto array = [&] {
    return random_literal(
        Shape::array(b.random.chance(50) ? type : PrimitiveType::kS32, b.random_dims(0, 2)),
        Fill::kSmall, b.random);
  };
  Literal second = array();
  const bool nested = b.random.chance(40);
  if (nested) second = Literal::make_tuple({array(), std::move(second)});
  const Id tuple = b.constant(Literal::make_tuple({array(), std::move(second)}));
  if (tuple == kNone) return kNone;
  if (b.random.chance(50)) return element(b, tuple, 0);
  const Id inner = element(b, tuple, 1);
  return nested ? element(b, inner, b.random.below(2)) : inner;
}

}  // namespace

void add_movement(std::vector<Proposal>& rows) {
  rows.push_back({"broadcast", 8, broadcast});
  rows.push_back({"reshape", 8, reshape});
  rows.push_back({"transpose", 8, transpose});
  rows.push_back({"reverse", 5, reverse});
  rows.push_back({"slice", 8, slice});
  rows.push_back({"dynamic-slice", 6, dynamic_slice});
  rows.push_back({"dynamic-update-slice", 6, dynamic_update_slice});
  rows.push_back({"concatenate", 8, concatenate});
  rows.push_back({"pad", 8, pad});
  rows.push_back({"bitcast-convert", 4, bitcast_convert});
  rows.push_back({"iota", 4, iota});
  rows.push_back({"copy", 2, copy});
  rows.push_back({"opt-barrier", 1, barrier});
  rows.push_back({"alike", 5, alike});
  rows.push_back({"tuple constant", 2, tuple_constant});
}

}  // namespace hlocc::fuzz

// Index ops that move data: each turns the index of its result into indices of its operands.
#include <algorithm>

#include "lowering/emitter/dispatch.h"
#include "lowering/emitter/index_ops.h"
#include "lowering/emitter/strided_view.h"
#include "support/text.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;
using kernel::kNone;
using kernel::OpKind;
using kernel::Predicate;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

namespace {

// An index of the operand's rank with the lanes of `index`, no lane dimension yet.
Index blank(const Index& index, int rank) {
  Index out;
  out.at.resize(rank);
  out.lanes = index.lanes;
  return out;
}

// Row-major position -> index in `dimensions`.
std::vector<Affine> delinearize(Emitter& e, Affine position, const hlo::Dimensions& dimensions) {
  std::vector<Affine> at(dimensions.size());
  for (int d = static_cast<int>(dimensions.size()) - 1; d > 0; --d) {
    auto [quotient, remainder] = e.divmod(position, dimensions[d]);
    at[d] = remainder;
    position = quotient;
  }
  if (!at.empty()) at[0] = dimensions[0] == 1 ? Affine{} : position;
  return at;
}

}  // namespace

Element element(Op<Opcode::kConstant>, Emitter& e, const Instruction& i, const Index& index) {
  const hlo::Literal& value = i.get<hlo::ConstantAttributes>().value;
  const int lanes = index.has_lanes() ? index.lanes : 1;
  const bool uniform = [&] {
    const size_t width = hlo::storage_bytes(value.type());
    const auto bytes = value.bytes();
    for (size_t at = width; at + width <= bytes.size(); at += width)
      if (std::memcmp(bytes.data(), bytes.data() + at, width) != 0) return false;
    return true;
  }();
  if (uniform) return e.constant(value, 0, lanes);
  const Affine at = e.position(i.shape, index);
  if (at.is_constant() && lanes == 1) return e.constant(value, at.offset);
  e.fail(error(DiagnosticKind::kInternal,
               cat("the constant %", i.name, " is inside a group instead of in memory")));
  return e.zero(i.shape, lanes);
}

Element element(Op<Opcode::kIota>, Emitter& e, const Instruction& i, const Index& index) {
  const int dimension = static_cast<int>(i.get<hlo::IotaAttributes>().dimension);
  kernel::Builder& b = e.b;
  const kernel::Scalar to = e.scalar(i.shape);
  const ValueId base = b.value_of(index.at[dimension]);
  Element out;
  if (index.lane_dim == dimension) {
    const Type wide{Scalar::kS32, static_cast<uint16_t>(index.lanes)};
    const ValueId position =
        b.add(b.splat(b.convert(base, Scalar::kS32), index.lanes), b.lane_index(wide));
    out.re = b.convert(position, to);
  } else {
    out.re =
        b.splat(b.convert(b.convert(base, Scalar::kS32), to), index.has_lanes() ? index.lanes : 1);
  }
  if (hlo::is_complex(i.shape.element_type)) out.im = b.zero(b.type(out.re));
  return out;
}

Element element(Op<Opcode::kReplicaId>, Emitter& e, const Instruction& i, const Index&) {
  return e.zero(i.shape);
}
Element element(Op<Opcode::kPartitionId>, Emitter& e, const Instruction& i, const Index&) {
  return e.zero(i.shape);
}

Element element(Op<Opcode::kCopy>, Emitter& e, const Instruction& i, const Index& index) {
  return e.operand(i, 0, index);
}

Element element(Op<Opcode::kBroadcast>, Emitter& e, const Instruction& i, const Index& index) {
  const hlo::Shape& from = e.shape(i.operands[0]);
  if (index.flat) {
    // Flat groups hold broadcasts of single elements only.
    Index one = blank(index, from.rank());
    return e.splat(e.operand(i, 0, one), index.has_lanes() ? index.lanes : 1);
  }
  const hlo::Dimensions& map = i.get<hlo::DimensionsAttributes>().dimensions;
  Index at = blank(index, from.rank());
  for (int d = 0; d < from.rank(); ++d) {
    at.at[d] = index.at[map[d]];
    if (map[d] == index.lane_dim) at.lane_dim = d;
  }
  return e.splat(e.operand(i, 0, at), index.has_lanes() ? index.lanes : 1);
}

Element element(Op<Opcode::kReshape>, Emitter& e, const Instruction& i, const Index& index) {
  const hlo::Shape& from = e.shape(i.operands[0]);
  if (index.flat) return e.operand(i, 0, index);
  Index at = blank(index, from.rank());
  for (const ReshapeRun& run : reshape_runs(from.dimensions, i.shape.dimensions)) {
    const hlo::Dimensions to_dims(i.shape.dimensions.begin() + run.to_begin,
                                  i.shape.dimensions.begin() + run.to_end);
    const hlo::Dimensions from_dims(from.dimensions.begin() + run.from_begin,
                                    from.dimensions.begin() + run.from_end);
    const hlo::Dimensions strides = hlo::row_major_strides(to_dims);
    Affine position;
    for (size_t d = 0; d < to_dims.size(); ++d)
      position = position.plus(index.at[run.to_begin + d].times(strides[d]));
    const std::vector<Affine> split = delinearize(e, position, from_dims);
    std::copy(split.begin(), split.end(), at.at.begin() + run.from_begin);
    // Of the runs that begin before the lanes' dimension, the last one has it.
    if (index.lane_dim >= static_cast<int>(run.to_begin))
      at.lane_dim = static_cast<int>(run.from_end) - 1;
  }
  return e.operand(i, 0, at);
}

Element element(Op<Opcode::kBitcast>, Emitter& e, const Instruction& i, const Index& index) {
  return element(Op<Opcode::kReshape>{}, e, i, index);
}

Element element(Op<Opcode::kTranspose>, Emitter& e, const Instruction& i, const Index& index) {
  const hlo::Dimensions& map = i.get<hlo::DimensionsAttributes>().dimensions;
  Index at = blank(index, static_cast<int>(map.size()));
  for (size_t d = 0; d < map.size(); ++d) {
    at.at[map[d]] = index.at[d];
    if (static_cast<int>(d) == index.lane_dim) at.lane_dim = static_cast<int>(map[d]);
  }
  return e.operand(i, 0, at);
}

Element element(Op<Opcode::kReverse>, Emitter& e, const Instruction& i, const Index& index) {
  Index at = index;
  for (int64_t d : i.get<hlo::DimensionsAttributes>().dimensions)
    at.at[d] = index.at[d].times(-1).plus(i.shape.dimensions[d] - 1);
  return e.operand(i, 0, at);
}

Element element(Op<Opcode::kSlice>, Emitter& e, const Instruction& i, const Index& index) {
  const auto& slice = i.get<hlo::SliceAttributes>();
  Index at = index;
  for (size_t d = 0; d < slice.starts.size(); ++d)
    at.at[d] =
        index.at[d].times(slice.strides.empty() ? 1 : slice.strides[d]).plus(slice.starts[d]);
  return e.operand(i, 0, at);
}

ValueId clamped_start(Emitter& e, ValueId start, int64_t limit) {
  kernel::Builder& b = e.b;
  const Type type = b.type(start);
  const int bits = kernel::scalar_bits(type.scalar);
  const bool sign = kernel::is_signed(type.scalar);
  // The bound may not fit a narrow index type: then the type itself is the bound.
  const int value_bits = sign ? bits - 1 : bits;
  if (sign) start = b.max(start, b.constant_int(type, 0));
  if (static_cast<uint64_t>(limit) < ~uint64_t{0} >> (64 - value_bits))
    start = b.min(start, b.constant_int(type, limit));
  return b.convert(start, Scalar::kIndex);
}

Element element(Op<Opcode::kDynamicSlice>, Emitter& e, const Instruction& i, const Index& index) {
  const hlo::Shape& from = e.shape(i.operands[0]);
  Index at = index;
  for (int d = 0; d < from.rank(); ++d) {
    const int64_t limit = from.dimensions[d] - i.shape.dimensions[d];
    if (limit == 0) continue;
    const ValueId start = e.operand(i, 1 + d, Index::scalar()).re;
    at.at[d] = index.at[d].plus(Affine::of(clamped_start(e, start, limit)));
  }
  return e.operand(i, 0, at);
}

Element element(Op<Opcode::kConcatenate>, Emitter& e, const Instruction& i, const Index& index) {
  const int dimension = static_cast<int>(i.get<hlo::DimensionsAttributes>().dimensions[0]);
  kernel::Builder& b = e.b;
  const bool complex = hlo::is_complex(i.shape.element_type);
  // Nested branches: position < end of operand 0 ? ... : position < end of operand 1 ? ...
  const std::function<Element(size_t, int64_t)> from = [&](size_t n, int64_t begin) -> Element {
    Index at = index;
    at.at[dimension] = index.at[dimension].plus(-begin);
    if (n + 1 == i.operands.size()) return e.operand(i, static_cast<int>(n), at);
    const int64_t extent = e.shape(i.operands[n]).dimensions[dimension];
    if (extent == 0) return from(n + 1, begin);
    const ValueId here =
        b.compare(Predicate::kLt, b.value_of(index.at[dimension]), b.index(begin + extent));
    const auto parts = [&](const Element& v) {
      return complex ? kernel::Values{v.re, v.im} : kernel::Values{v.re};
    };
    const kernel::Values out = e.if_else(
        here, [&] { return parts(e.operand(i, static_cast<int>(n), at)); },
        [&] { return parts(from(n + 1, begin + extent)); });
    return complex ? Element{out[0], out[1]} : Element{out[0]};
  };
  return from(0, 0);
}

Element element(Op<Opcode::kPad>, Emitter& e, const Instruction& i, const Index& index) {
  const auto& pad = i.get<hlo::PadAttributes>();
  const hlo::Shape& from = e.shape(i.operands[0]);
  kernel::Builder& b = e.b;
  Index at = index;
  ValueId inside = kNone;
  const auto require = [&](ValueId condition) {
    inside = inside == kNone ? condition : b.logical_and(inside, condition);
  };
  for (int d = 0; d < from.rank(); ++d) {
    const auto& p = pad.dimensions[d];
    Affine position = index.at[d].plus(-p.low);
    if (p.low > 0) require(b.compare(Predicate::kGe, b.value_of(position), b.index(0)));
    const int64_t extent =
        from.dimensions[d] == 0 ? 0 : (from.dimensions[d] - 1) * (p.interior + 1) + 1;
    if (p.high > 0 || from.dimensions[d] == 0)
      require(b.compare(Predicate::kLt, b.value_of(position), b.index(extent)));
    if (p.interior > 0) {
      const ValueId value = b.value_of(position);
      const Type type{Scalar::kIndex, 1};
      const ValueId step = b.index(p.interior + 1);
      const ValueId whole = b.op(OpKind::kNativeDiv, type, {value, step});
      require(b.compare(Predicate::kEq, b.mul(whole, step), value));
      position = Affine::of(whole);
    }
    at.at[d] = position;
  }
  const Element filler =
      e.splat(e.operand(i, 1, Index::scalar()), index.has_lanes() ? index.lanes : 1);
  if (inside == kNone) return e.operand(i, 0, at);
  const bool complex = filler.is_complex();
  const auto parts = [&](const Element& v) {
    return complex ? kernel::Values{v.re, v.im} : kernel::Values{v.re};
  };
  const kernel::Values out = e.if_else(
      inside, [&] { return parts(e.operand(i, 0, at)); }, [&] { return parts(filler); });
  return complex ? Element{out[0], out[1]} : Element{out[0]};
}

// c128 as two c64 and back: each double is a pair of floats, the low half first.
Element bitcast_complex(Emitter& e, const Instruction& i, const Index& index, bool narrower) {
  kernel::Builder& b = e.b;
  const Type wide{Scalar::kU64, 1};
  const ValueId half = b.constant_int(wide, 32);
  Index at = index;
  if (narrower) {
    const Affine part = at.at.back();
    at.at.pop_back();
    const Element x = e.operand(i, 0, at);
    const ValueId first = b.compare(kernel::Predicate::kEq, b.value_of(part), b.index(0));
    const ValueId bits = b.bitcast(b.select(first, x.re, x.im), Scalar::kU64);
    const auto to_float = [&](ValueId low) {
      return b.bitcast(b.convert(low, Scalar::kU32), Scalar::kF32);
    };
    return {to_float(bits), to_float(b.op(OpKind::kNativeShr, wide, {bits, half}))};
  }
  const auto to_double = [&](int64_t part) {
    Index from = index;
    from.at.push_back(Affine::constant(part));
    const Element x = e.operand(i, 0, from);
    const auto bits = [&](ValueId half_bits) {
      return b.convert(b.bitcast(half_bits, Scalar::kU32), Scalar::kU64);
    };
    const ValueId high = b.op(OpKind::kNativeShl, wide, {bits(x.im), half});
    return b.bitcast(b.binary(OpKind::kOr, bits(x.re), high), Scalar::kF64);
  };
  return {to_double(0), to_double(1)};
}

Element element(Op<Opcode::kBitcastConvert>, Emitter& e, const Instruction& i, const Index& index) {
  const hlo::Shape& from = e.shape(i.operands[0]);
  kernel::Builder& b = e.b;
  // A pred is a byte, 0 or 1.
  const auto bits_of = [](hlo::PrimitiveType type) {
    return hlo::is_pred(type) ? 8 : hlo::type_bits(type);
  };
  const int from_bits = bits_of(from.element_type), to_bits = bits_of(i.shape.element_type);
  const kernel::Scalar to = e.scalar(i.shape);
  const auto integer_of = [](int bits) { return kernel::unsigned_of_width(bits); };
  const auto to_integer = [&](ValueId x) {
    return hlo::is_pred(from.element_type) ? b.convert(x, Scalar::kU8)
                                           : b.bitcast(x, integer_of(from_bits));
  };
  const auto to_result = [&](ValueId x) {
    return to == Scalar::kPred ? b.convert(x, to) : b.bitcast(x, to);
  };
  if (from_bits == to_bits) {
    Element x = e.operand(i, 0, index);
    if (x.is_complex()) return {b.bitcast(x.re, to), b.bitcast(x.im, to)};
    return {to_result(to_integer(x.re))};
  }
  if (hlo::is_complex(from.element_type)) return bitcast_complex(e, i, index, from_bits > to_bits);
  if (from_bits > to_bits) {
    // The new minor dimension counts parts from the low end, on every byte order.
    Index at = index;
    const Affine part = at.at.back();
    at.at.pop_back();
    const ValueId bits = to_integer(e.operand(i, 0, at).re);
    const Type type = b.type(bits);
    const ValueId shift = b.convert(b.mul(b.value_of(part), b.index(to_bits)), type.scalar);
    const ValueId low =
        b.convert(b.op(OpKind::kNativeShr, type, {bits, shift}), integer_of(to_bits));
    return {to_result(low)};
  }
  const Type type{integer_of(to_bits), 1};
  ValueId bits = b.zero(type);
  for (int64_t part = 0; part < to_bits / from_bits; ++part) {
    Index at = index;
    at.at.push_back(Affine::constant(part));
    const ValueId piece = b.convert(to_integer(e.operand(i, 0, at).re), type.scalar);
    bits =
        b.binary(OpKind::kOr, bits,
                 b.op(OpKind::kNativeShl, type, {piece, b.constant_int(type, part * from_bits)}));
  }
  return {to_result(bits)};
}

}  // namespace hlocc::lowering

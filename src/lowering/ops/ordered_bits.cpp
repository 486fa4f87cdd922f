// See ordered_bits.h. The bits of negative numbers are turned around (all but the sign), which
// makes the order that of signed integers: -NaN, -inf .. -0, +0 .. +inf, +NaN. Counted from the
// first that may lose on, it is one of unsigned integers in which all NaNs stand together.
#include "lowering/ops/ordered_bits.h"

#include "kernel/legalize/table.h"
#include "ops/reducer.h"

namespace hlocc::lowering {

using kernel::OpKind;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

namespace {

// Turns negative numbers around, and back.
ValueId turned(kernel::Builder& b, ValueId bits) {
  const Type type = b.type(bits), sign_type{Scalar::kS32, type.lanes};
  const ValueId sign = b.binary(OpKind::kShrArithmetic, b.bitcast(bits, Scalar::kS32),
                                b.constant_int(sign_type, 31));
  const ValueId mask =
      b.binary(OpKind::kShrLogical, b.bitcast(sign, Scalar::kU32), b.constant_int(type, 1));
  return b.binary(OpKind::kXor, bits, mask);
}

}  // namespace

std::optional<OrderedBits> OrderedBits::of(const Emitter& e, const hlo::Computation& reducer,
                                           int lanes) {
  const auto plain = ops::plain_reducer(reducer);
  if (plain != hlo::Opcode::kMaximum && plain != hlo::Opcode::kMinimum) return std::nullopt;
  if (reducer.root_instruction().shape.element_type != hlo::PrimitiveType::kF32)
    return std::nullopt;
  const Type type{Scalar::kF32, static_cast<uint16_t>(lanes)};
  if (kernel::decide(OpKind::kMax, type, type, e.target()).keep) return std::nullopt;
  OrderedBits bits;
  bits.greatest_ = plain == hlo::Opcode::kMaximum;
  return bits;
}

ValueId OrderedBits::encode(kernel::Builder& b, ValueId number) const {
  const ValueId bits = turned(b, b.bitcast(number, Scalar::kU32));
  return b.sub(bits, b.constant_int(b.type(bits), first()));
}

ValueId OrderedBits::decode(kernel::Builder& b, ValueId bits) const {
  const ValueId number = turned(b, b.add(bits, b.constant_int(b.type(bits), first())));
  return b.bitcast(number, Scalar::kF32);
}

}  // namespace hlocc::lowering

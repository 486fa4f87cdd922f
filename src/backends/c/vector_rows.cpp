// See vector_rows.h.
#include "backends/c/vector_rows.h"

#include "backends/c/c_text.h"

namespace hlocc::backends {
namespace {

using kernel::OpKind;
using kernel::Scalar;
using kernel::Type;

constexpr unsigned kSignedLanes = 1, kUnsignedLanes = 2, kFloatLanes = 4;
constexpr unsigned kWholeLanes = 3, kAllLanes = 7;
constexpr VectorRow kVectorRows[] = {
    {OpKind::kAdd, kAllLanes, "add", "vaddq_@S(a, b)"},
    {OpKind::kSub, kAllLanes, "sub", "vsubq_@S(a, b)"},
    {OpKind::kMul, kAllLanes, "mul", "vmulq_@S(a, b)"},
    {OpKind::kDiv, kFloatLanes, "div", "a / b"},
    {OpKind::kMulHi, kSignedLanes, "multiply_high", "vmulhq_@S(a, b)"},
    {OpKind::kMulAdd, kFloatLanes, "mul_add", "vfmaq_@S(c, a, b)"},
    {OpKind::kNeg, kSignedLanes | kFloatLanes, "neg", "vnegq_@S(a)"},
    {OpKind::kAbs, kSignedLanes | kFloatLanes, "abs", "vabsq_@S(a)"},
    {OpKind::kClz, kWholeLanes, "clz", "vclzq_@S(a)"},
    {OpKind::kAnd, kWholeLanes, "and", "vandq_@S(a, b)"},
    {OpKind::kOr, kWholeLanes, "or", "vorrq_@S(a, b)"},
    {OpKind::kXor, kWholeLanes, "xor", "veorq_@S(a, b)"},
    {OpKind::kNot, kWholeLanes, "not", "vmvnq_@S(a)"},
    {OpKind::kNativeMin, kWholeLanes, "min", "vminq_@S(a, b)"},
    {OpKind::kNativeMax, kWholeLanes, "max", "vmaxq_@S(a, b)"},
    {OpKind::kNativeMin, kFloatLanes, "min", "vbslq_@S(vcltq_@S(a, b), a, b)",
     "vpselq_@S(a, b, vcmpgtq_@S(b, a))"},
    {OpKind::kNativeMax, kFloatLanes, "max", "vbslq_@S(vcgtq_@S(a, b), a, b)",
     "vpselq_@S(a, b, vcmpgtq_@S(a, b))"},
    {OpKind::kNativeShl, kSignedLanes, "shl",
     "vreinterpretq_s32_u32(vreinterpretq_u32_s32(a) << (uint32_t)b)"},
    {OpKind::kNativeShl, kUnsignedLanes, "shl", "a << b"},
    {OpKind::kNativeShr, kWholeLanes, "shr", "a >> b"},
    {OpKind::kBitcast, kAllLanes, "bits", "vreinterpretq_@S_@F(a)"},
    {OpKind::kNativeConvert, kAllLanes, "convert", "vcvtq_@S_@F(a)"},
    {OpKind::kSelect, kAllLanes, "select", "vbslq_@S(p, a, b)", "vpselq_@S(a, b, p)"},
};
// By kernel::Predicate. MVE's LT and LE are true of NaN.
constexpr VectorCompareRow kCompares[] = {
    {"eq", "vceqq_@F(a, b)", "vcmpeqq_@F(a, b)"},
    {"ne", "vmvnq_u32(vceqq_@F(a, b))", "vcmpneq_@F(a, b)"},
    {"lt", "vcltq_@F(a, b)", "vcmpgtq_@F(b, a)"},
    {"le", "vcleq_@F(a, b)", "vcmpgeq_@F(b, a)"},
    {"gt", "vcgtq_@F(a, b)", "vcmpgtq_@F(a, b)"},
    {"ge", "vcgeq_@F(a, b)", "vcmpgeq_@F(a, b)"},
};

unsigned lanes_of(Scalar scalar) {
  if (scalar == Scalar::kF32) return kFloatLanes;
  return kernel::is_signed(scalar) ? kSignedLanes : kUnsignedLanes;
}

}  // namespace

const VectorRow* vector_row(OpKind kind, Type type) {
  for (const VectorRow& row : kVectorRows)
    if (row.kind == kind && (row.classes & lanes_of(type.scalar)) != 0) return &row;
  return nullptr;
}

std::string with_types(std::string_view text, Type type, Type from) {
  return filled(text,
                [&](char letter) { return type_suffix((letter == 'S' ? type : from).scalar); });
}

const VectorCompareRow& vector_compare(kernel::Predicate predicate) {
  return kCompares[static_cast<size_t>(predicate)];
}

}  // namespace hlocc::backends

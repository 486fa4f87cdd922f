// Saturation: four numbers of 32 bits that are shifted, clamped to bytes and stored, what quantised
// networks end each element with. MVE and NEON narrow with saturation, and shift on the way.
#include "kernel/legalize/table.h"
#include "kernel/op_types.h"
#include "kernel/raise/idioms.h"

namespace hlocc::kernel {
namespace {

constexpr int64_t kLow = -128, kHigh = 127;

// The other side of a minimum or maximum with that number; else kNone.
ValueId beside(const RaiseSite& site, ValueId value, OpKind op, OpKind native, int64_t number) {
  const Op* made = site.made(value, op);
  if (made == nullptr) made = site.made(value, native);
  if (made == nullptr) return kNone;
  for (const size_t side : {0, 1})
    if (site.number(made->operands[side]) == number) return made->operands[1 - side];
  return kNone;
}

// x of min(max(x, -128), 127), in either order of the two; else kNone. Both are `inside`.
ValueId clamped(const RaiseSite& site, ValueId value, std::vector<ValueId>& inside) {
  using enum OpKind;
  const auto least = [&](ValueId of) { return beside(site, of, kMin, kNativeMin, kHigh); };
  const auto most = [&](ValueId of) { return beside(site, of, kMax, kNativeMax, kLow); };
  const ValueId below = least(value), above = most(value);
  const ValueId between = below != kNone ? below : above;
  if (between == kNone) return kNone;
  inside = {value, between};
  return below != kNone ? most(between) : least(between);
}

// SQDMULH is twice mulhi, and shifted by one more. The lowest number times itself, which it clamps,
// is beyond a byte as long as no more is shifted out.
void double_high_product(RaiseSite& site, ValueId& x, RoundedShift& by,
                         std::vector<ValueId>& inside) {
  const Op* const high = site.made(x, OpKind::kMulHi);
  const Type type = site.types[x];
  if (high == nullptr || by.shift == kMostSaturatedShift ||
      !decide(OpKind::kMulHiDoubled, type, type, site.target).keep)
    return;
  inside.push_back(x);
  x = site.append({.kind = OpKind::kMulHiDoubled, .operands = high->operands}, type);
  ++by.shift;
}

}  // namespace

bool raise_saturate(RaiseSite& site) {
  const Access& access = site.op.access();
  const Type type = site.types[access.stored];
  const bool plain =
      access.lane_stride == 1 && access.lane_indices == kNone && access.mask == kNone;
  if (!plain || !decide(OpKind::kSaturate, type, type, site.target).keep) return false;
  const Op* const narrowed = site.made(access.stored, OpKind::kConvert);
  const Type wide = type.with(Scalar::kS32);
  if (narrowed == nullptr || site.types[narrowed->operands[0]] != wide) return false;
  std::vector<ValueId> inside;
  ValueId x = clamped(site, narrowed->operands[0], inside);
  if (x == kNone) return false;
  RoundedShift by;
  const Op* shifted = site.made(x, OpKind::kShrArithmetic);
  if (shifted == nullptr) shifted = site.made(x, OpKind::kNativeShr);
  if (shifted != nullptr) {
    const auto amount = site.number(shifted->operands[1]);
    if (amount && *amount >= 0 && *amount <= kMostSaturatedShift) {
      by.shift = static_cast<int>(*amount);
      inside.push_back(x);
      x = shifted->operands[0];
    }
  }
  double_high_product(site, x, by, inside);
  inside.push_back(access.stored);
  site.bypassed.insert(site.bypassed.end(), inside.begin(), inside.end());
  Access stored = access;
  stored.stored = site.append({.kind = OpKind::kSaturate, .operands = {x}, .payload = by}, type);
  site.finish({.kind = OpKind::kStore, .operands = {stored.stored}, .payload = stored});
  return true;
}

}  // namespace hlocc::kernel

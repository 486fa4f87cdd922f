// Reductions over lanes whose step is no single instruction: halves are folded with the op itself,
// which the next pass rewrites in turn. The order is that of ops.def's "pairwise halves". And bytes
// that are spread where no instruction does it.
#include "kernel/legalize/expansions.h"
#include "kernel/legalize/small_floats.h"
#include "kernel/legalize/sub_byte.h"
#include "support/check.h"

namespace hlocc::kernel {
namespace {

OpKind step_of(OpKind reduction) {
  using enum OpKind;
  switch (reduction) {
    case kReduceAdd: return kAdd;
    case kReduceMul: return kMul;
    case kReduceMin: return kMin;
    case kReduceMax: return kMax;
    case kReduceAnd: return kAnd;
    case kReduceOr: return kOr;
    default: check_failed(__FILE__, __LINE__, "reduction", "not a reduction");
  }
}

// Lanes first, first + 1, ... below the end, filled up with any to `count`.
Expr lanes_from(Expr vector, int first, int count) {
  std::vector<int> lanes;
  for (int i = first; i < first + count; ++i) lanes.push_back(i < vector.type().lanes ? i : -1);
  return {vector.builder(), vector.builder().shuffle(vector.id(), vector.id(), std::move(lanes))};
}

// One step on operands of the reduction's own type, held in another.
Expr step(const Site& site, OpKind kind, Expr a, Expr b) {
  const Scalar scalar = site.type.scalar;
  if (is_small_float(scalar))
    return encode_small(decode_small(a, scalar).binary(kind, decode_small(b, scalar)), scalar);
  const Expr result = a.binary(kind, b);
  return is_sub_byte(scalar) ? wrap_sub_byte(result, scalar) : result;
}

}  // namespace

Expr expand_reduce(const Site& site) {
  const OpKind kind = step_of(site.op.kind);
  Expr vector = site.operand(0);
  while (vector.type().lanes > 1) {
    const int lanes = vector.type().lanes, half = (lanes + 1) / 2;
    const Expr low = lanes_from(vector, 0, half);
    Expr folded = step(site, kind, low, lanes_from(vector, half, half));
    // Of an odd number of lanes the middle one waits.
    if (lanes % 2 != 0) {
      const Expr middle(site.builder, site.builder.extract(low.id(), half - 1));
      folded = {site.builder, site.builder.insert(folded.id(), middle.id(), half - 1)};
    }
    vector = folded;
  }
  return vector;
}

Expr expand_spread_bytes(const Site& site) {
  const int first = 4 * std::get<Lane>(site.op.payload).index;
  const ValueId bytes = site.operands[0];
  return Expr(site.builder,
              site.builder.shuffle(bytes, bytes, {first, first + 2, first + 1, first + 3}))
      .convert(site.type.scalar);
}

// As integers whose order is that of floats with -0 < +0. A NaN of either sign is the end of that
// order which wins, and comes out as a NaN. The last steps keep a register's lanes: what leaves it
// for a smaller one loses time.
Expr expand_keyed_reduce(const Site& site) {
  const Expr vector = site.operand(0);
  const Width& w = width_of(vector);
  const auto flipped = [&](Expr bits) {
    return bits ^ ((bits >> (w.bits - 1)) & bits.like_bits(w.sign_bit() - 1));
  };
  const bool greater = site.op.kind == OpKind::kReduceMax;
  const OpKind step = greater ? OpKind::kNativeMax : OpKind::kNativeMin;
  const Expr bits = vector.as_signed();
  Expr key = select(is_nan(vector), bits.like_bits(greater ? w.sign_bit() - 1 : w.sign_bit()),
                    flipped(bits));
  for (int lanes = key.type().lanes; lanes * w.bits > 128; lanes /= 2)
    key = lanes_from(key, 0, lanes / 2).binary(step, lanes_from(key, lanes / 2, lanes / 2));
  const int lanes = key.type().lanes;
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    std::vector<int> turned;
    for (int i = 0; i < lanes; ++i) turned.push_back((i + distance) % lanes);
    key = key.binary(step, {site.builder, site.builder.shuffle(key.id(), key.id(), turned)});
  }
  return {site.builder, site.builder.extract(flipped(key).as_float().id(), 0)};
}

// Vectors of truth values have odd layouts on many machines; as integers they are reduced anywhere.
Expr expand_pred_reduce(const Site& site) {
  const Expr pred = site.operand(0);
  const bool all = site.op.kind == OpKind::kReduceAnd || site.op.kind == OpKind::kReduceMul ||
                   site.op.kind == OpKind::kReduceMin;
  const Expr flags = select(pred, pred.like(1, Scalar::kU32), 0);
  return Expr(site.builder,
              site.builder.reduce(all ? OpKind::kReduceAnd : OpKind::kReduceOr, flags.id())) != 0;
}

}  // namespace hlocc::kernel

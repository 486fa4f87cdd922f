// See drawn.h.
#include "forms/drawn.h"

#include <algorithm>
#include <map>

namespace hlocc::backends {
namespace {

using namespace kernel;
using enum Scalar;

constexpr int64_t kElements = 4096;
constexpr Type kIndexType{kIndex, 1}, kSum{kS32, 1}, kTruth{kPred, 1};

Type lanes_of(Scalar scalar, int lanes) { return {scalar, static_cast<uint16_t>(lanes)}; }
bool is_small(Scalar scalar) { return is_integer(scalar) && scalar_bits(scalar) <= 16; }

class Maker {
 public:
  Maker(uint64_t seed, Drawn family) : draw_(seed), family_(family), b_("drawn") {}

  Kernel make() {
    pick_types();
    if (draw_.one_in(4)) {
      parameter_ = b_.parameter();
      most_[parameter_] = 3;
    }
    ops(4 + draw_.below(10));
    for (int n = 1 + draw_.below(3); n > 0; --n) store();
    return b_.finish();
  }

 private:
  void pick_types() {
    const std::vector<Scalar> scalars =
        family_ == Drawn::kScalars ? std::vector{kS32, kU32, kF32, kU8, kS64, kF64, kS16, kIndex}
        : family_ == Drawn::kWords ? std::vector{kS32, kU32, kF32, kS32, kF32}
        : family_ == Drawn::kUnits
            ? std::vector{kS32}
            : std::vector{kS8, kU8, kS16, kU16, kS32, kU32, kF32, kS32, kF32, kS64, kF64, kIndex};
    const std::vector<int> lanes = family_ == Drawn::kScalars ? std::vector{1}
                                   : family_ == Drawn::kWords ? std::vector{4, 4, 8, 16}
                                   : family_ == Drawn::kUnits ? std::vector{1, 4, 4, 8, 16}
                                                              : std::vector{1, 2, 3, 4, 4, 8, 16};
    count_ = draw_.of(lanes);
    for (int n = 0; n < 2; ++n) types_.push_back(lanes_of(draw_.of(scalars), count_));
    if (draw_.one_in(2)) {
      const Scalar other = draw_.of(scalars);
      types_.push_back(lanes_of(other, draw_.of(lanes)));
    }
    byte_ = draw_.of({kS8, kU8});
  }

  BufferId input(Scalar scalar) { return buffer_of(inputs_, scalar, Direction::kIn); }
  BufferId output(Scalar scalar) {
    return buffer_of(outputs_, scalar, draw_.one_in(2) ? Direction::kOut : Direction::kInOut);
  }
  BufferId buffer_of(std::map<Scalar, BufferId>& known, Scalar scalar, Direction direction) {
    const auto found = known.find(scalar);
    if (found != known.end()) return found->second;
    Buffer buffer{.name = std::string(direction == Direction::kIn ? "x_" : "y_") +
                          std::string(scalar_name(scalar)),
                  .element = scalar,
                  .elements = kElements,
                  .direction = direction,
                  .alignment = draw_.of({0, 0, 4, 8})};
    buffer.alignment = buffer.alignment == 0 ? 0 : std::max(buffer.alignment, scalar_bytes(scalar));
    return known[scalar] = b_.buffer(buffer);
  }

  // Where so many lanes lie inside: counters whose most is known, and an offset.
  Affine place(int lanes, int64_t stride) {
    Affine at;
    int64_t most = 0;
    for (const auto& [value, limit] : most_)
      if (draw_.one_in(2)) {
        const int64_t scale = draw_.of({1, 1, 2, 4, 4, 8, 16, -1});
        at = at.plus(Affine::of(value, scale));
        if (scale < 0) at = at.plus(limit);
        most += (scale < 0 ? 1 : scale) * limit;
      }
    const int64_t reach = (lanes - 1) * (stride < 0 ? -stride : stride);
    at = at.plus(draw_.of({0, 0, 0, 1, 2, 4, 8, 16}));
    if (stride < 0) at = at.plus(reach);
    return at;
  }

  Access access(BufferId buffer, int lanes) {
    Access out{.buffer = buffer};
    const bool plain = family_ == Drawn::kWords || family_ == Drawn::kUnits;
    if (lanes > 1 && draw_.one_in(plain ? 12 : 5)) out.lane_stride = draw_.of({0, -1, 2, 3, -2});
    out.at = place(lanes, out.lane_stride);
    if (lanes > 1 && draw_.one_in(plain ? 20 : 8)) {
      const ValueId places = read(lanes_of(kS32, lanes));
      out.lane_indices = draw_.one_in(2) ? places : b_.convert(places, kIndex);
      out.lane_stride = 1;
    }
    if (draw_.one_in(plain ? 15 : 7))
      out.mask = lanes > 1 && draw_.one_in(2) ? truth(lanes) : truth(1);
    return out;
  }

  ValueId read(Type type) {
    const BufferId from = input(type.scalar);
    return b_.load(from, place(type.lanes, 1), type.lanes);
  }
  void write(ValueId stored, int64_t stride = 1) {
    const BufferId to = output(b_.type(stored).scalar);
    b_.store(to, place(b_.type(stored).lanes, 1), stored, stride);
  }

  ValueId load(Type type) {
    if (type.scalar == kIndex) return known(b_.convert(load(type.with(kS32)), kIndex));
    const auto written = outputs_.find(type.scalar);
    const bool again = written != outputs_.end() && draw_.one_in(4);
    Access from = access(again ? written->second : input(type.scalar), type.lanes);
    if (from.mask != kNone && draw_.one_in(2)) from.otherwise = value(type);
    return known(b_.load(from, type.lanes));
  }

  void store() {
    ValueId stored = known_.empty() ? load(draw_.of(types_)) : draw_.of(known_);
    if (b_.type(stored).scalar == kIndex) stored = b_.convert(stored, kS32);
    Access to = access(output(b_.type(stored).scalar), b_.type(stored).lanes);
    to.stored = stored;
    b_.store(to);
  }

  ValueId known(ValueId id) {
    if (b_.type(id).scalar != kIndex || b_.type(id).is_vector()) known_.push_back(id);
    return id;
  }

  // One that there is, or a new one.
  ValueId value(Type type) {
    std::vector<ValueId> fitting;
    for (const ValueId id : known_)
      if (b_.type(id) == type) fitting.push_back(id);
    if (!fitting.empty() && !draw_.one_in(4))
      return draw_.one_in(2) ? fitting.back() : draw_.of(fitting);
    if (type.scalar == kPred) return truth(type.lanes);
    if (draw_.one_in(5)) return b_.constant_int(type, draw_.of({1, 2, 5, 0, 100}));
    if (type.is_vector() && draw_.one_in(8)) return b_.splat(value(type.scalar_type()), type.lanes);
    return load(type);
  }

  ValueId truth(int lanes) {
    if (draw_.one_in(4)) return known(read(lanes_of(kPred, lanes)));
    const Type type = lanes_of(types_[0].scalar == kPred ? kS32 : types_[0].scalar, lanes);
    const ValueId left = value(type), right = value(type);
    return b_.compare(draw_.of({Predicate::kEq, Predicate::kNe, Predicate::kLt, Predicate::kLe,
                                Predicate::kGt, Predicate::kGe}),
                      left, right);
  }

  void compute(Type type) {
    const ValueId a = value(type);
    if (type.scalar == kPred) {
      const ValueId other = value(type);
      known(draw_.one_in(4)
                ? b_.unary(OpKind::kNot, a)
                : b_.binary(draw_.of({OpKind::kAnd, OpKind::kOr, OpKind::kXor}), a, other));
      return;
    }
    if (draw_.one_in(7)) return (void)known(one_of(type, a));
    if (draw_.one_in(7)) {
      const ValueId pred = truth(type.is_vector() && draw_.one_in(2) ? type.lanes : 1);
      return (void)known(b_.select(pred, a, value(type)));
    }
    if (is_float(type.scalar) && draw_.one_in(4)) {
      const ValueId factor = value(type);
      return (void)known(b_.mul_add(a, factor, value(type)));
    }
    if (is_integer(type.scalar) && draw_.one_in(6)) return (void)known(shifted(type, a));
    if (type.scalar == kS32 && draw_.one_in(8)) return (void)known(scaled(a));
    const std::vector<OpKind> floats = {OpKind::kAdd, OpKind::kSub, OpKind::kMul,
                                        OpKind::kNativeMin, OpKind::kNativeMax},
                              whole = {OpKind::kAdd,       OpKind::kSub,       OpKind::kMul,
                                       OpKind::kAnd,       OpKind::kOr,        OpKind::kXor,
                                       OpKind::kNativeMin, OpKind::kNativeMax, OpKind::kAdd,
                                       OpKind::kMul},
                              places = {OpKind::kAdd, OpKind::kSub, OpKind::kMul};
    const OpKind kind = draw_.of(is_float(type.scalar)   ? floats
                                 : type.scalar == kIndex ? places
                                                         : whole);
    known(b_.op(kind, type, {a, value(type)}));
  }

  ValueId one_of(Type type, ValueId a) {
    if (type.scalar == kF32 && draw_.one_in(3)) return b_.unary(OpKind::kRoundEven, a);
    if (type.scalar == kIndex) return b_.unary(OpKind::kNeg, a);
    if (is_unsigned(type.scalar)) return b_.unary(OpKind::kNot, a);
    return b_.unary(draw_.of({OpKind::kNeg, OpKind::kAbs}), a);
  }
  // By a number, or by one that is not known.
  ValueId shifted(Type type, ValueId a) {
    const OpKind kind = draw_.of({OpKind::kNativeShl, OpKind::kNativeShr});
    const ValueId by = b_.constant_int(type, draw_.of({1, 3, 7}));
    return b_.op(kind, type, {a, draw_.one_in(3) ? b_.logical_and(value(type), by) : by});
  }
  ValueId scaled(ValueId a) {
    const Type type = b_.type(a);
    if (draw_.one_in(3)) return b_.op(OpKind::kMulHi, type, {a, value(type)});
    const ValueId other = value(type);
    return b_.mul_shift_right(
        a, other, {draw_.of<int64_t>({0, 0, 1, 1 << 20}), draw_.of({1, 31, 32, 33, 40, 63})});
  }

  // Between numbers of as many lanes.
  void convert(Type type) {
    const ValueId from = value(type);
    if (type.scalar == kF32 && draw_.one_in(3))
      return (void)known(b_.bitcast(from, draw_.of({kS32, kU32})));
    if (is_float(type.scalar) && draw_.one_in(2))
      return (void)known(b_.convert(from, draw_.of({kS32, kU32, kF64, kF32})));
    if (is_float(type.scalar)) return;
    const Scalar to = draw_.of({kS32, kU32, kS8, kU8, kS16, kU16, kF32, kS64, kF64, kIndex, kPred});
    known(to == kPred ? b_.convert(from, to)
                      : b_.op(OpKind::kNativeConvert, type.with(to), {from}));
  }

  // Bytes or halves become numbers of 32 bits, and these bytes again.
  void widen(Type type) {
    if (!is_integer(type.scalar) || scalar_bits(type.scalar) != 32)
      type = type.with(draw_.of({kS32, kU32}));
    const Scalar from = draw_.one_in(6) ? kS16 : byte_;
    const ValueId bytes = draw_.one_in(4) ? value(type.with(from)) : read(type.with(from));
    const Scalar to = draw_.one_in(5)   ? kF32
                      : draw_.one_in(8) ? draw_.of({kS32, kU32})
                      : is_signed(from) ? kS32
                                        : kU32;
    known(b_.op(OpKind::kNativeConvert, type.with(to), {bytes}));
    if (draw_.one_in(3)) known(bytes);
  }
  void narrow(Type type) {
    const Scalar from = draw_.one_in(4) ? draw_.of({kS32, kU32}) : is_signed(byte_) ? kS32 : kU32;
    const ValueId bytes = b_.op(OpKind::kNativeConvert, type.with(byte_), {value(type.with(from))});
    if (draw_.one_in(3))
      known(b_.op(OpKind::kNativeConvert, type.with(draw_.of({kF32, kS32, kU32})), {bytes}));
    if (!draw_.one_in(3))
      write(bytes);
    else
      known(bytes);
  }

  void cross(Type type) {
    const ValueId a = value(type);
    const int lane = draw_.below(type.lanes);
    switch (draw_.below(5)) {
      case 0: known(b_.extract(a, lane)); break;
      case 1: known(b_.insert(a, value(type.scalar_type()), lane)); break;
      case 2: {
        const ValueId other = value(type);
        known(b_.shuffle(a, other, order(type.lanes)));
        break;
      }
      case 3:
        known(b_.op(draw_.of({OpKind::kReduceAdd, OpKind::kReduceMul, OpKind::kReduceMin,
                              OpKind::kReduceMax}),
                    type.scalar_type(), {a}));
        break;
      default:
        known(type.scalar == kPred || is_float(type.scalar) ? b_.splat(b_.extract(a, lane), 4)
                                                            : b_.lane_index(type));
    }
  }
  std::vector<int> order(int lanes) {
    std::vector<int> out;
    for (int n = 0; n < lanes; ++n) out.push_back(draw_.below(2 * lanes));
    return out;
  }

  // Products of bytes or halves with the sums that fit them.
  void multiply() {
    const Scalar left = draw_.of({kS8, kU8, kU8, kS16}),
                 right =
                     left == kS16 ? draw_.of({kS16, kS16, kS16, kU16}) : draw_.of({kS8, kS8, kU8});
    const int group = draw_.one_in(6) ? 2 : 32 / scalar_bits(left);
    const bool one = count_ == 1 || draw_.one_in(4);
    const int lanes = one ? 1 : draw_.of({4, 8, 16, count_}),
              count = one ? draw_.of({4, 8, 16}) : group * lanes;
    ValueId a = kNone, w = read(lanes_of(right, count));
    if (one) {
      a = read(lanes_of(left, count));
      if (draw_.one_in(3) && count >= 4) {
        const int words = 32 / scalar_bits(left), at = draw_.of({0, words, 1});
        std::vector<int> part;
        for (int n = 0; n < words; ++n) part.push_back(std::min(at + n, count - 1));
        if (words == 4 && draw_.one_in(2)) std::swap(part[1], part[2]);
        if (draw_.one_in(8)) std::swap(part[0], part[static_cast<size_t>(words) - 1]);
        a = b_.shuffle(a, a, part);
        w = b_.shuffle(w, w, part);
        if (words == 4 && draw_.one_in(2)) {
          a = b_.op(OpKind::kNativeConvert, lanes_of(kS16, 4), {a});
          w = b_.op(OpKind::kNativeConvert, lanes_of(kS16, 4), {w});
        }
      }
      if (is_small(b_.type(a).scalar) && draw_.one_in(4)) known(draw_.one_in(2) ? a : w);
    } else {
      const ValueId unit = read(lanes_of(left, group));
      std::vector<int> repeated;
      for (int n = 0; n < count; ++n) repeated.push_back(n % group);
      if (draw_.one_in(6)) repeated[static_cast<size_t>(draw_.below(count))] = group - 1;
      a = group == 1 ? b_.splat(unit, count) : b_.shuffle(unit, unit, repeated);
      if (draw_.one_in(6)) known(draw_.one_in(2) ? unit : a);
    }
    known(b_.dot_accumulate(value(lanes_of(kS32, lanes)), a, w));
  }

  // A tile of sums of products: as small cores add them up.
  void tile() {
    const Scalar scalar = draw_.one_in(4) ? kF32 : draw_.of({kS32, kU32});
    const int sums = draw_.of({2, 3, 4, 5});
    std::vector<ValueId> left, right;
    for (int n = 0; n < sums; ++n) {
      left.push_back(value({scalar, 1}));
      right.push_back(value({scalar, 1}));
    }
    for (int n = 0; n < sums; ++n) {
      const ValueId product = b_.mul(left[static_cast<size_t>(n)], right[static_cast<size_t>(n)]);
      if (draw_.one_in(6)) known(product);
      const ValueId sum = value({scalar, 1});
      known(draw_.one_in(2) ? b_.add(sum, product) : b_.add(product, sum));
    }
  }

  // Eight bytes beside each other are put far from each other.
  void spread() {
    const ValueId bytes =
        draw_.one_in(4) ? b_.constant_int(lanes_of(byte_, 8), 3) : read(lanes_of(byte_, 8));
    write(bytes, draw_.of({2, 3, 42, 1}));
    if (draw_.one_in(4)) known(bytes);
  }

  Values carried() {
    Values out;
    for (int n = draw_.of({0, 1, 1, 2, 3}); n > 0; --n)
      out.push_back(value(draw_.one_in(8)   ? lanes_of(byte_, count_)
                          : draw_.one_in(4) ? kSum
                                            : draw_.of(types_)));
    return out;
  }
  // One of each type: what is carried on, or comes out of a branch.
  Values like(const Values& others) {
    Values out;
    for (const ValueId id : others) out.push_back(value(b_.type(id)));
    return out;
  }
  template <typename Fill>
  void inside(const Fill& fill) {
    const size_t before = known_.size();
    const auto most = most_;
    ++depth_;
    fill();
    --depth_;
    known_.resize(before);
    most_ = most;
  }

  void loop() {
    const int64_t first = draw_.of({0, 0, 0, 1}), count = draw_.of({1, 2, 3, 4}),
                  step = draw_.of({1, 1, 2, 4});
    Loop how{.lower = Affine::constant(first),
             .upper = Affine::constant(first + count * step),
             .step = step,
             .kept = draw_.one_in(4)};
    if (parameter_ != kNone && draw_.one_in(3)) how.upper = Affine::of(parameter_, 1, 1);
    const Values before = carried();
    const Values after = b_.loop(how, before, [&](ValueId counter, std::span<const ValueId> now) {
      Values out;
      inside([&] {
        most_[counter] = first + (count + 4) * step;
        for (const ValueId id : now) known(id);
        ops(2 + draw_.below(5));
        if (draw_.one_in(2)) store();
        out = like(before);
      });
      return out;
    });
    for (const ValueId id : after) known(id);
  }

  void branch() {
    const ValueId pred = truth(1);
    if (draw_.one_in(3)) {
      b_.if_then(pred, [&] { inside([&] { ops(1 + draw_.below(3)), store(); }); });
      return;
    }
    const Values shapes = carried();
    const auto side = [&] {
      Values out;
      inside([&] {
        ops(draw_.below(4));
        if (draw_.one_in(3)) store();
        out = like(shapes);
      });
      return out;
    };
    for (const ValueId id : b_.if_else(pred, side, side)) known(id);
  }

  void until() {
    Values before = carried();
    before.push_back(b_.constant_int(kSum, 0));
    const ValueId end = b_.constant_int(kSum, draw_.of({1, 2, 4}));
    const Values after = b_.while_loop(
        before,
        [&](std::span<const ValueId> now) {
          ValueId out = kNone;
          inside([&] {
            for (const ValueId id : now.first(now.size() - 1)) known(id);
            if (draw_.one_in(3)) ops(2);
            out = b_.compare(Predicate::kLt, now.back(), end);
          });
          return out;
        },
        [&](std::span<const ValueId> now) {
          Values out;
          inside([&] {
            for (const ValueId id : now.first(now.size() - 1)) known(id);
            ops(1 + draw_.below(4));
            out = like(Values(before.begin(), before.end() - 1));
            out.push_back(b_.add(now.back(), b_.constant_int(kSum, 1)));
          });
          return out;
        });
    for (const ValueId id : after) known(id);
  }

  void ops(int count) {
    for (; count > 0; --count) op();
  }
  void op() {
    const Type type = draw_.one_in(7) ? draw_.of(types_).scalar_type() : draw_.of(types_);
    const int what = draw_.below(20);
    if (draw_.one_in(40)) return b_.prefetch(input(kS32), place(1, 1));
    if (what < 2) return (void)load(type);
    if (what < 4) return store();
    if (what < 5) return convert(type);
    if (what < 6 && type.is_vector() && scalar_bits(type.scalar) <= 32) return cross(type);
    if (what < 7 && depth_ < 3) return loop();
    if (what < 8 && depth_ < 3) return draw_.one_in(2) ? branch() : until();
    if (what < 9 && family_ == Drawn::kScalars) return tile();
    if (what < 12 && family_ == Drawn::kUnits) return multiply();
    if (what < 10 && family_ != Drawn::kScalars) return widen(type);
    if (what < 12 && family_ == Drawn::kWords) return draw_.one_in(5) ? spread() : narrow(type);
    compute(draw_.one_in(10) ? type.with(kPred) : type);
  }

  Draw draw_;
  Drawn family_;
  Builder b_;
  std::vector<Type> types_;
  Scalar byte_ = kS8;
  int count_ = 1, depth_ = 0;
  ValueId parameter_ = kNone;
  std::vector<ValueId> known_;
  std::map<ValueId, int64_t> most_;  // places, and the largest number of each
  std::map<Scalar, BufferId> inputs_, outputs_;
};

}  // namespace

Kernel drawn_kernel(uint64_t seed, Drawn family) { return Maker(seed, family).make(); }

Target with_changes(Target target, uint64_t seed) {
  Draw draw(seed);
  if (draw.one_in(6)) target.fma = !target.fma;
  if (draw.one_in(6)) target.out_of_order = !target.out_of_order;
  if (draw.one_in(6)) target.vector_rounding = !target.vector_rounding;
  return target;
}

}  // namespace hlocc::backends

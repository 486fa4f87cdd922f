// Small kernels of tests that ask which ops a part of C's writer takes: a builder whose loads and
// stores have arrays of their own, and the ops of a kernel as a line of text.
#pragma once
#include "kernel/builder.h"
#include "support/text.h"

namespace hlocc::backends::small {

using namespace kernel;

constexpr Type typed(Scalar scalar, int lanes) { return {scalar, static_cast<uint16_t>(lanes)}; }

struct Small : Builder {
  Small() : Builder("small") {}
  BufferId array(Scalar element, Direction direction = Direction::kIn) {
    return buffer({.name = cat("x", kernel().buffers.size()),
                   .element = element,
                   .elements = 4096,
                   .direction = direction});
  }
  ValueId read(Type type, int64_t stride = 1) {
    return load(array(type.scalar), Affine::constant(0), type.lanes, stride);
  }
  void write(ValueId value, int64_t stride = 1) {
    store(array(type(value).scalar, Direction::kOut), Affine::constant(0), value, stride);
  }
  ValueId converted(ValueId value, Scalar to) {
    return op(OpKind::kNativeConvert, type(value).with(to), {value});
  }
  ValueId less_than_three() {
    return compare(Predicate::kLt, read({Scalar::kS32, 1}), constant_int({Scalar::kS32, 1}, 3));
  }
};
using Make = std::function<void(Small&)>;

inline Kernel kernel_of(const Make& make) {
  Small b;
  make(b);
  return b.finish();
}

// The ops in order, those that `takes` says with a star, a region in brackets. What is constant or
// the same in all lanes is left out.
template <typename Takes>
std::string marked(const Region& region, const Takes& takes) {
  std::string out;
  for (const Op& op : region.ops) {
    const bool is_free =
        op.kind == OpKind::kConstant || op.kind == OpKind::kSplat || op.kind == OpKind::kLaneIndex;
    if (is_free && !takes(op)) continue;
    out += cat(out.empty() ? "" : " ", takes(op) ? "*" : "", op_name(op.kind));
    for (const Region& inner : op.regions) out += cat(" (", marked(inner, takes), ")");
  }
  return out;
}

// z = f(x, y), and z = f(x).
inline Make of_two(OpKind kind, Type type) {
  return [=](Small& b) {
    const ValueId x = b.read(type), y = b.read(type);
    b.write(b.op(kind, type, {x, y}));
  };
}
inline Make of_one(OpKind kind, Type type, Type to) {
  return [=](Small& b) { b.write(b.op(kind, to, {b.read(type)})); };
}

// Sums of products with numbers of their own of units that all lanes share.
struct UnitProduct {
  Type sum{Scalar::kS32, 8};
  Scalar left = Scalar::kU8, right = Scalar::kS8;
  int group = 4, unit = 4, last = -1;
  bool kept = false, yielded = false, second = false, strided = false, added = false;
};
inline Make product(const UnitProduct& how) {
  return [=](Small& b) {
    const int count = how.sum.lanes * how.group;
    const Type type = typed(how.left, how.unit);
    ValueId unit = b.read(type, how.strided ? 2 : 1);
    if (how.added) unit = b.add(unit, unit);
    std::vector<int> lanes;
    for (int n = 0; n < count; ++n) lanes.push_back(n % how.unit);
    if (how.last >= 0) lanes.back() = how.last;
    const ValueId all = b.shuffle(how.second ? b.read(type) : unit, unit, lanes);
    const ValueId sum = b.read(how.sum), right = b.read(typed(how.right, count));
    b.write(b.dot_accumulate(sum, all, right));
    if (how.kept) b.write(unit);
    if (!how.yielded) return;
    b.write(b.if_else(
        b.less_than_three(), [&] { return Values{unit}; },
        [&] { return Values{b.read(type)}; })[0]);
  };
}

}  // namespace hlocc::backends::small

// The kernels of border.h, written with the builder.
#include "lowering/program/border.h"

#include "kernel/builder.h"

namespace hlocc::lowering {

using kernel::Affine;
using kernel::BufferId;
using kernel::Builder;
using kernel::OpKind;
using kernel::Scalar;
using kernel::ValueId;

namespace {

// How the elements of a packed leaf lie in its bytes.
struct Packing {
  explicit Packing(const hlo::Shape& leaf)
      : element(kernel::scalar_of(leaf.element_type)),
        bits(leaf.layout.element_bits),
        each(8 / bits),
        count(leaf.element_count()),
        bytes((count + each - 1) / each) {}
  Scalar element;
  int64_t bits, each, count, bytes;

  // Calls body(byte, elements in it); the last byte may hold fewer.
  void for_each_byte(Builder& b, const std::function<void(Affine, int64_t)>& body) const {
    b.loop(count / each, [&](ValueId byte) { body(Affine::of(byte), each); });
    if (count % each != 0) body(Affine::constant(count / each), count % each);
  }
};

ValueId shifted(Builder& b, OpKind kind, ValueId x, int64_t by) {
  return by == 0 ? x : b.binary(kind, x, b.constant_int(b.type(x), by));
}

ValueId unpacked(Builder& b, const Packing& packing, ValueId byte, int64_t place) {
  const int64_t above = 8 - packing.bits * (place + 1), below = 8 - packing.bits;
  ValueId x = shifted(b, OpKind::kShl, byte, above);
  if (!kernel::is_signed(packing.element)) {
    x = shifted(b, OpKind::kShrLogical, x, below);
    if (!kernel::is_float(packing.element)) return b.convert(x, packing.element);
    return b.bitcast(b.convert(x, kernel::unsigned_of_width(static_cast<int>(packing.bits))),
                     packing.element);
  }
  return b.convert(shifted(b, OpKind::kShrArithmetic, b.bitcast(x, Scalar::kS8), below),
                   packing.element);
}

ValueId packed(Builder& b, const Packing& packing, ValueId x, int64_t place) {
  if (kernel::is_float(packing.element))
    x = b.bitcast(x, kernel::unsigned_of_width(static_cast<int>(packing.bits)));
  const ValueId mask = b.constant_int({Scalar::kU8, 1}, (1 << packing.bits) - 1);
  return shifted(b, OpKind::kShl, b.logical_and(b.convert(x, Scalar::kU8), mask),
                 packing.bits * place);
}

}  // namespace

bool is_packed(const hlo::Shape& leaf) { return leaf.layout.element_bits % 8 != 0; }

kernel::Kernel unpack_kernel(const hlo::Shape& leaf) {
  const Packing packing(leaf);
  Builder b("unpack");
  const BufferId in = b.buffer({.name = "in",
                                .element = Scalar::kU8,
                                .elements = packing.bytes,
                                .direction = kernel::Direction::kIn});
  const BufferId out = b.buffer({.name = "out",
                                 .element = packing.element,
                                 .elements = packing.count,
                                 .direction = kernel::Direction::kOut});
  packing.for_each_byte(b, [&](const Affine& at, int64_t elements) {
    const ValueId byte = b.load(in, at);
    for (int64_t k = 0; k < elements; ++k)
      b.store(out, at.times(packing.each).plus(k), unpacked(b, packing, byte, k));
  });
  return b.finish();
}

kernel::Kernel pack_kernel(const hlo::Shape& leaf) {
  const Packing packing(leaf);
  Builder b("pack");
  const BufferId in = b.buffer({.name = "in",
                                .element = packing.element,
                                .elements = packing.count,
                                .direction = kernel::Direction::kIn});
  const BufferId out = b.buffer({.name = "out",
                                 .element = Scalar::kU8,
                                 .elements = packing.bytes,
                                 .direction = kernel::Direction::kOut});
  packing.for_each_byte(b, [&](const Affine& at, int64_t elements) {
    ValueId byte = b.zero({Scalar::kU8, 1});
    for (int64_t k = 0; k < elements; ++k)
      byte = b.logical_or(byte, packed(b, packing, b.load(in, at.times(packing.each).plus(k)), k));
    b.store(out, at, byte);
  });
  return b.finish();
}

kernel::Kernel random_state_kernel(uint64_t delta) {
  Builder b("random_state");
  const BufferId state = b.buffer({.name = "state",
                                   .element = Scalar::kU64,
                                   .elements = 2,
                                   .direction = kernel::Direction::kInOut});
  const BufferId out = b.buffer({.name = "out",
                                 .element = Scalar::kU64,
                                 .elements = 2,
                                 .direction = kernel::Direction::kOut});
  const ValueId low = b.load(state, Affine::constant(0)), high = b.load(state, Affine::constant(1));
  b.store(out, Affine::constant(0), low);
  b.store(out, Affine::constant(1), high);
  const ValueId next = b.add(low, b.constant_bits({Scalar::kU64, 1}, delta));
  const ValueId carry = b.convert(b.compare(kernel::Predicate::kLt, next, low), Scalar::kU64);
  b.store(state, Affine::constant(0), next);
  b.store(state, Affine::constant(1), b.add(high, carry));
  return b.finish();
}

}  // namespace hlocc::lowering

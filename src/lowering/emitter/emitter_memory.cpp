// Loads and stores: complex elements are pairs side by side, and of a row's last vector a mask may
// leave some lanes out.
#include "lowering/emitter/emitter.h"
#include "support/check.h"

namespace hlocc::lowering {

using hlo::InstructionId;
using kernel::kNone;
using kernel::Scalar;
using kernel::ValueId;

Affine Emitter::position(const hlo::Shape& shape, const Index& index) const {
  if (index.flat) return shape.element_count() == 1 ? Affine{} : index.at[0];
  const hlo::Dimensions strides = hlo::row_major_strides(shape.dimensions);
  Affine at;
  for (size_t d = 0; d < strides.size(); ++d)
    if (shape.dimensions[d] != 1) at = at.plus(index.at[d].times(strides[d]));
  return at;
}

Element Emitter::load(kernel::BufferId buffer, const hlo::Shape& shape, const Index& index) {
  return load_at(buffer, hlo::is_complex(shape.element_type), position(shape, index),
                 index.has_lanes() ? index.lanes : 1);
}

// `at` counts elements, of which complex ones are two numbers each.
Element Emitter::load_at(kernel::BufferId buffer, bool complex, Affine at, int lanes) {
  if (!complex) return {b.load({.buffer = buffer, .at = at, .mask = mask_of(lanes)}, lanes)};
  at = at.times(2);
  if (lanes > 1) return load_pairs(buffer, at, lanes);
  return {b.load(buffer, at), b.load(buffer, at.plus(1))};
}

Element Emitter::load_input(InstructionId external, const Affine& at, int lanes) {
  const hlo::PrimitiveType type = shape(external).element_type;
  if (const auto packed = nibbles_.find(external); packed != nibbles_.end())
    return load_nibbles(packed->second, scalar(shape(external)), at, lanes);
  return load_at(input_buffer(external), hlo::is_complex(type), at, lanes);
}

// The low half of a byte is shifted up first, so that the last shift extends the sign of either.
Element Emitter::load_nibbles(kernel::BufferId buffer, Scalar type, const Affine& at, int lanes) {
  const auto [byte, half] = divmod(at, 2);
  const bool known = half.is_constant();
  if (lanes > 1 && (!known || half.offset != 0)) {
    Element out = splat(load_nibbles(buffer, type, at, 1), lanes);
    for (int lane = 1; lane < lanes; ++lane)
      out.re = b.insert(out.re, load_nibbles(buffer, type, at.plus(lane), 1).re, lane);
    return out;
  }
  const kernel::Type bytes{Scalar::kU8, static_cast<uint16_t>(lanes)};
  ValueId value = b.load(buffer, byte, lanes > 1 ? lanes / 2 : 1), up = kNone;
  if (lanes > 1) {
    std::vector<int> twice;
    std::vector<uint64_t> shifts;
    for (int lane = 0; lane < lanes; ++lane) {
      twice.push_back(lane / 2);
      shifts.push_back(lane % 2 == 0 ? 4 : 0);
    }
    value = b.shuffle(value, value, twice);
    up = b.constant_lanes(bytes, shifts);
  } else if (known) {
    up = b.constant_int(bytes, half.offset == 0 ? 4 : 0);
  } else {
    up = b.convert(b.value_of(half.times(-4).plus(4)), Scalar::kU8);
  }
  value = b.binary(kernel::OpKind::kShl, value, up);
  const bool has_sign = kernel::is_signed(type);
  if (has_sign) value = b.bitcast(value, Scalar::kS8);
  const auto down = has_sign ? kernel::OpKind::kShrArithmetic : kernel::OpKind::kShrLogical;
  value = b.binary(down, value, b.constant_int(b.type(value), 4));
  return {b.convert(value, type)};
}

// Pairs lie side by side: two vectors as memory has them hold the parts of one vector's worth of
// lanes.
Element Emitter::load_pairs(kernel::BufferId buffer, const Affine& at, int lanes) {
  const ValueId low = b.load(buffer, at, lanes), high = b.load(buffer, at.plus(lanes), lanes);
  std::vector<int> real, imaginary;
  for (int lane = 0; lane < lanes; ++lane) {
    real.push_back(2 * lane);
    imaginary.push_back(2 * lane + 1);
  }
  return {b.shuffle(low, high, real), b.shuffle(low, high, imaginary)};
}

void Emitter::store_pairs(kernel::BufferId buffer, const Affine& at, int lanes, Element value) {
  for (int half = 0; half < 2; ++half) {
    std::vector<int> order;
    for (int lane = half * lanes / 2; lane < (half + 1) * lanes / 2; ++lane)
      order.insert(order.end(), {lane, lanes + lane});
    b.store(buffer, at.plus(half * lanes), b.shuffle(value.re, value.im, order));
  }
}

void Emitter::store(kernel::BufferId buffer, const hlo::Shape& shape, const Index& index,
                    Element value) {
  const int64_t count = parts(shape);
  const Affine at = position(shape, index).times(count);
  value = splat(value, index.lanes);
  if (count == 2 && index.lanes > 1) return store_pairs(buffer, at, index.lanes, value);
  b.store({.buffer = buffer,
           .at = at,
           .lane_stride = count,
           .stored = value.re,
           .mask = mask_of(index.lanes)});
  if (count == 2) b.store(buffer, at.plus(1), value.im, count);
}

void Emitter::with_active_lanes(int active, int lanes, const std::function<void()>& body) {
  HLOCC_CHECK(active_ == 0, "masks in masks");
  active_ = active;
  active_of_ = lanes;
  body();
  active_ = 0;
}

ValueId Emitter::mask_of(int lanes, bool backwards) {
  if (active_ == 0 || lanes != active_of_) return kNone;
  std::vector<uint64_t> active(lanes);
  for (int lane = 0; lane < active_; ++lane) active[backwards ? lanes - 1 - lane : lane] = 1;
  return b.constant_lanes({Scalar::kPred, static_cast<uint16_t>(lanes)}, active);
}

bool Emitter::masks_pass() const {
  const auto passes = [&](InstructionId id) {
    const hlo::PrimitiveType type = shape(id).element_type;
    return !hlo::is_complex(type) && hlo::type_bits(type) >= 32;
  };
  for (const auto& [id, position] : group_.externals)
    if (!passes(id)) return false;
  for (InstructionId root : group_.roots)
    if (!passes(root)) return false;
  return target_.masked_vectors;
}

void Emitter::store_root(int root, const Index& index) {
  const InstructionId id = group_.roots[root];
  store(output_buffer(root), shape(id), index, element(id, index));
}

void Emitter::store_roots(InstructionId id, const Index& index, Element value) {
  bind(id, index, value);
  store_roots(index);
  unbind(id);
}

void Emitter::store_roots(const Index& index) {
  std::vector<Element> values;
  for (InstructionId root : group_.roots) values.push_back(element(root, index));
  for (size_t r = 0; r < values.size(); ++r)
    store(outputs_[r], shape(group_.roots[r]), index, values[r]);
}

}  // namespace hlocc::lowering

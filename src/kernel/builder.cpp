// Builder: regions, constants and memory ops. Folding of arithmetic is in builder_fold.cpp, control
// in builder_control.cpp.
#include "kernel/builder.h"

#include <algorithm>

#include "support/check.h"
#include "support/text.h"

namespace hlocc::kernel {

Builder::Builder(std::string name) {
  kernel_.name = std::move(name);
  open_.push_back({&kernel_.body, 0});
  scope_open_.push_back(true);
}

Kernel Builder::finish() {
  HLOCC_CHECK(open_.size() == 1, "kernel finished inside a region");
  // Bound buffers come first whatever the order of declaration was; see Kernel::buffers.
  bool scratch = false;
  for (const Buffer& buffer : kernel_.buffers) {
    HLOCC_CHECK(!scratch || buffer.direction == Direction::kScratch,
                "scratch declared before operand " + buffer.name);
    scratch |= buffer.direction == Direction::kScratch;
  }
  Kernel done = std::move(kernel_);
  kernel_ = {};
  open_.assign(1, {&kernel_.body, 0});
  scope_open_.assign(1, true);
  scope_of_.clear();
  constants_.clear();
  made_.clear();
  return done;
}

BufferId Builder::buffer(Buffer buffer) {
  kernel_.buffers.push_back(std::move(buffer));
  return static_cast<BufferId>(kernel_.buffers.size() - 1);
}

ValueId Builder::parameter() {
  HLOCC_CHECK(open_.size() == 1, "a parameter declared inside a region");
  kernel_.parameters.push_back(new_value({Scalar::kIndex, 1}));
  return kernel_.parameters.back();
}

ValueId Builder::new_value(Type type) {
  kernel_.types.push_back(type);
  scope_of_.push_back(open_.back().serial);
  constants_.emplace_back();
  return static_cast<ValueId>(kernel_.types.size() - 1);
}

Values Builder::new_values_like(std::span<const ValueId> values) {
  Values made;
  for (const ValueId value : values) made.push_back(new_value(type(value)));
  return made;
}

void Builder::check_visible(ValueId value) const {
  HLOCC_CHECK(value >= 0 && value < static_cast<ValueId>(kernel_.types.size()),
              cat("no such value ", value));
  HLOCC_CHECK(scope_open_[scope_of_[value]],
              cat("value ", value, " used outside the region that defines it"));
}

void Builder::append_op(Op op) {
  for (const ValueId operand : op.operands) check_visible(operand);
  open_.back().region->ops.push_back(std::move(op));
}

ValueId Builder::append(Op op, Type type) {
  const ValueId result = new_value(type);
  op.results = {result};
  append_op(std::move(op));
  return result;
}

// --- constants ---

ValueId Builder::make_constant(Type type, std::vector<uint64_t> lanes) {
  if (std::ranges::all_of(lanes, [&](uint64_t lane) { return lane == lanes[0]; })) lanes.resize(1);
  HLOCC_CHECK(lanes.size() == 1 || lanes.size() == type.lanes, "a constant with too few lanes");
  Values& known = made_[{type.scalar, type.lanes, lanes}];
  // Regions that were left are never entered again.
  std::erase_if(known, [&](ValueId value) { return !scope_open_[scope_of_[value]]; });
  if (!known.empty()) return known.front();
  const ValueId value = append({.kind = OpKind::kConstant, .payload = Constant{lanes}}, type);
  constants_[value] = std::move(lanes);
  known.push_back(value);
  return value;
}

ValueId Builder::constant_bits(Type type, uint64_t bits) {
  return make_constant(type, {canonical_bits(type.scalar, bits)});
}
ValueId Builder::constant_float(Type type, double value) {
  return make_constant(type, {bits_of_double(type.scalar, value)});
}
ValueId Builder::constant_int(Type type, int64_t value) {
  return make_constant(type, {bits_of_int(type.scalar, value)});
}

ValueId Builder::constant_lanes(Type type, std::vector<uint64_t> lanes) {
  for (uint64_t& lane : lanes) lane = canonical_bits(type.scalar, lane);
  return make_constant(type, std::move(lanes));
}

const std::vector<uint64_t>* Builder::constant_of(ValueId value) const {
  return constants_[value].empty() ? nullptr : &constants_[value];
}

uint64_t Builder::constant_lane(ValueId value, int lane) const {
  const std::vector<uint64_t>& lanes = constants_[value];
  return lanes.size() == 1 ? lanes[0] : lanes[lane];
}

std::optional<uint64_t> Builder::constant_value(ValueId value) const {
  const std::vector<uint64_t>* lanes = constant_of(value);
  if (lanes == nullptr || lanes->size() != 1) return std::nullopt;
  return lanes->front();
}

// --- memory ---

Affine Builder::without_constants(const Affine& affine) const {
  Affine result = Affine::constant(affine.offset);
  for (const Affine::Term& term : affine.terms) {
    const auto known = constant_value(term.value);
    result = known ? result.plus(static_cast<int64_t>(*known) * term.scale)
                   : result.plus(Affine::of(term.value, term.scale));
  }
  check_bound(result);
  return result;
}

void Builder::check_bound(const Affine& affine) const {
  for (const Affine::Term& term : affine.terms) {
    check_visible(term.value);
    HLOCC_CHECK(type(term.value) == (Type{Scalar::kIndex, 1}),
                "an address term that is no index scalar");
  }
}

Access Builder::checked(Access access) const {
  HLOCC_CHECK(access.buffer >= 0 && access.buffer < static_cast<BufferId>(kernel_.buffers.size()),
              "no such buffer");
  access.at = without_constants(access.at);
  return access;
}

ValueId Builder::load(BufferId buffer, const Affine& at, int lanes, int64_t lane_stride) {
  return load(Access{.buffer = buffer, .at = at, .lane_stride = lane_stride}, lanes);
}

ValueId Builder::gather(BufferId buffer, const Affine& at, ValueId lane_indices) {
  return load(Access{.buffer = buffer, .at = at, .lane_indices = lane_indices},
              type(lane_indices).lanes);
}

ValueId Builder::load(Access access, int lanes) {
  access = checked(access);
  Op op{.kind = OpKind::kLoad};
  for (const ValueId value : {access.lane_indices, access.mask, access.otherwise})
    if (value != kNone) op.operands.push_back(value);
  const Scalar element = kernel_.buffers[access.buffer].element;
  op.payload = std::move(access);
  return append(std::move(op), {element, static_cast<uint16_t>(lanes)});
}

void Builder::store(BufferId buffer, const Affine& at, ValueId value, int64_t lane_stride) {
  store(Access{.buffer = buffer, .at = at, .lane_stride = lane_stride, .stored = value});
}

void Builder::store(Access access) {
  access = checked(access);
  HLOCC_CHECK(type(access.stored).scalar == kernel_.buffers[access.buffer].element,
              "a store of another type");
  Op op{.kind = OpKind::kStore};
  for (const ValueId value : {access.stored, access.lane_indices, access.mask})
    if (value != kNone) op.operands.push_back(value);
  op.payload = std::move(access);
  append_op(std::move(op));
}

void Builder::prefetch(BufferId buffer, const Affine& at) {
  append_op({.kind = OpKind::kPrefetch, .payload = checked(Access{.buffer = buffer, .at = at})});
}

// --- index arithmetic ---

ValueId Builder::value_of(const Affine& affine) {
  const Affine plain = without_constants(affine);
  if (plain.is_constant()) return index(plain.offset);
  ValueId sum = kNone;
  for (const Affine::Term& term : plain.terms) {
    const ValueId product = mul(term.value, index(term.scale));
    sum = sum == kNone ? product : add(sum, product);
  }
  return add(sum, index(plain.offset));
}

}  // namespace hlocc::kernel

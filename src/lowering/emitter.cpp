// Buffers, loops, index arithmetic and the memo of the emitter. What each op does is in the family files.
#include "lowering/emitter.h"

#include <algorithm>

#include "lowering/dispatch.h"
#include "support/check.h"
#include "support/text.h"

namespace hlocc::lowering {

using hlo::InstructionId;
using hlo::Instruction;
using hlo::Opcode;
using kernel::kNone;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;
using kernel::Values;

namespace {

int64_t parts(const hlo::Shape& shape) { return hlo::is_complex(shape.element_type) ? 2 : 1; }

kernel::Buffer buffer_of(const hlo::Shape& shape, kernel::Direction direction, const std::string& name) {
  kernel::Buffer buffer;
  buffer.name = name;
  buffer.element = kernel::scalar_of(hlo::real_type(shape.element_type));
  buffer.elements = shape.element_count() * parts(shape);
  buffer.direction = direction;
  return buffer;
}

}  // namespace

// Values that a region computes are dead outside it, so the memo goes back to what it was when a region closes.
class MemoScope {
 public:
  explicit MemoScope(Emitter& emitter) : emitter_(emitter), saved_(emitter.memo_) {}
  ~MemoScope() { emitter_.memo_ = std::move(saved_); }

 private:
  Emitter& emitter_;
  decltype(Emitter::memo_) saved_;
};

Emitter::Emitter(const Group& group, const Target& target, std::string kernel_name)
    : b(std::move(kernel_name)), group_(group), target_(target) {
  inputs_.resize(group.externals.size());
  std::vector<InstructionId> order(group.externals.size());
  for (const auto& [id, position] : group.externals) order[position] = id;
  for (size_t i = 0; i < order.size(); ++i)
    if (shape(order[i]).is_array())
      inputs_[i] = b.buffer(buffer_of(shape(order[i]), kernel::Direction::kIn, cat("in", i)));
  for (InstructionId root : group.roots)
    for (const hlo::Shape& leaf : hlo::leaf_shapes(shape(root)))
      outputs_.push_back(b.buffer(buffer_of(leaf, kernel::Direction::kOut, cat("out", outputs_.size()))));
}

kernel::Kernel Emitter::finish() {
  kernel::Kernel kernel = b.finish();
  kernel.origin = group_.origin;
  return kernel;
}

void Emitter::fail(Diagnostic diagnostic) {
  if (!failure) failure = std::move(diagnostic);
}

Scalar Emitter::scalar(const hlo::Shape& shape) const { return kernel::scalar_of(hlo::real_type(shape.element_type)); }

kernel::BufferId Emitter::input_buffer(InstructionId external) const { return inputs_[group_.externals.at(external)]; }

kernel::BufferId Emitter::scratch(std::string name, Scalar element, int64_t elements, int alignment) {
  kernel::Buffer buffer;
  buffer.name = std::move(name);
  buffer.element = element;
  buffer.elements = elements;
  buffer.direction = kernel::Direction::kScratch;
  buffer.alignment = alignment;
  return b.buffer(buffer);
}

const hlo::Literal* Emitter::constant_of(InstructionId external) const {
  const auto known = group_.constants.find(external);
  return known == group_.constants.end() ? nullptr : known->second;
}

kernel::BufferId Emitter::derived_constant(std::string name, Scalar element, std::vector<std::byte> data, int alignment) {
  for (const kernel::Buffer& buffer : b.kernel().buffers)
    HLOCC_CHECK(buffer.direction != kernel::Direction::kScratch, "a derived constant behind scratch");
  kernel::Buffer buffer;
  buffer.name = cat("derived", derived_.size());
  buffer.element = element;
  buffer.elements = static_cast<int64_t>(data.size()) / kernel::scalar_bytes(element);
  buffer.direction = kernel::Direction::kIn;
  buffer.alignment = alignment;
  derived_.push_back({std::move(name), element, std::make_shared<const std::vector<std::byte>>(std::move(data))});
  return b.buffer(buffer);
}

// --- elements ---

Element Emitter::splat(Element value, int lanes) {
  if (lanes == 1) return value;
  value.re = b.splat(value.re, lanes);
  if (value.is_complex()) value.im = b.splat(value.im, lanes);
  return value;
}

Element Emitter::extract(Element value, int lane) {
  value.re = b.extract(value.re, lane);
  if (value.is_complex()) value.im = b.extract(value.im, lane);
  return value;
}

namespace {
// The lane of the vector at `vector` that the single element at `one` is.
std::optional<int> lane_of(const Index& vector, const Index& one) {
  if (!vector.has_lanes() || one.has_lanes() || one.lanes > 1 || vector.at.size() != one.at.size()) return std::nullopt;
  for (size_t d = 0; d < one.at.size(); ++d)
    if (static_cast<int>(d) != vector.lane_dim && one.at[d] != vector.at[d]) return std::nullopt;
  const Affine& first = vector.at[vector.lane_dim];
  const Affine& at = one.at[vector.lane_dim];
  const int64_t lane = at.offset - first.offset;
  if (at.terms != first.terms || lane < 0 || lane >= vector.lanes) return std::nullopt;
  return static_cast<int>(lane);
}
}  // namespace

Element Emitter::element(InstructionId id, const Index& index) {
  if (const auto bound = bound_.find(id); bound != bound_.end())
    for (const auto& [at, value] : bound->second) {
      if (at == index) return value;
      if (const auto lane = lane_of(at, index)) return extract(value, *lane);
    }
  // Lanes that all see one element are computed once, as a scalar.
  if (!index.has_lanes() && index.lanes > 1) {
    Index one = index;
    one.lanes = 1;
    one.lane_dim = kNone;
    return splat(element(id, one), index.lanes);
  }
  std::vector<std::pair<Index, Element>>& known = memo_[id];
  for (const auto& [at, value] : known)
    if (at == index) return value;
  const Element value = compute(id, index);
  memo_[id].push_back({index, value});
  return value;
}

Element Emitter::compute(InstructionId id, const Index& index) {
  const Instruction& instruction = group_[id];
  if (const auto kept = kept_.find(id); kept != kept_.end()) {
    const auto& [buffer, shape] = kept->second;
    return index.has_lanes() && index.lane_dim != shape.rank() - 1 ? by_lanes(id, index) : load(buffer, shape, index);
  }
  if (group_.is_external(id)) {
    if (index.has_lanes() && !index.flat && index.lane_dim != instruction.shape.rank() - 1) return by_lanes(id, index);
    return load(input_buffer(id), instruction.shape, index);
  }
  if (index.has_lanes() && !index.flat && !vectorizable(id, index.lane_dim)) return by_lanes(id, index);
  if (const std::optional<StridedView>& seen = view(id); seen && !index.flat) {
    Affine at = Affine::constant(seen->offset);
    for (size_t d = 0; d < seen->strides.size(); ++d)
      if (seen->strides[d] != 0) at = at.plus(index.at[d].times(seen->strides[d]));
    const bool complex = hlo::is_complex(instruction.shape.element_type);
    const int lanes = index.has_lanes() ? index.lanes : 1;
    if (lanes == 1 || seen->strides[index.lane_dim] == 1) return load_at(input_buffer(seen->input), complex, at, lanes);
    std::vector<int> backwards;
    for (int lane = lanes; lane-- > 0;) backwards.push_back(lane);
    const ValueId forwards = b.load({.buffer = input_buffer(seen->input), .at = at.plus(1 - lanes), .mask = mask_of(lanes, true)}, lanes);
    return {b.shuffle(forwards, forwards, backwards)};
  }
  return dispatch_element(*this, instruction, index);
}

// The slow but always right way to make a vector: lane after lane.
Element Emitter::by_lanes(InstructionId id, const Index& index) {
  Element out;
  const int lanes = active_ > 0 && index.lanes == active_of_ ? active_ : index.lanes;
  for (int lane = 0; lane < lanes; ++lane) {
    Index one = index;
    one.lanes = 1;
    one.lane_dim = kNone;
    one.at[index.lane_dim] = index.at[index.lane_dim].plus(lane);
    const Element part = element(id, one);
    if (lane == 0) {
      out = splat(part, index.lanes);
      continue;
    }
    out.re = b.insert(out.re, part.re, lane);
    if (part.is_complex()) out.im = b.insert(out.im, part.im, lane);
  }
  return out;
}

void Emitter::bind(InstructionId id, Places places) {
  // Consumers that were computed from an older binding are stale.
  memo_.clear();
  views_.clear();
  vectorizable_.clear();
  bound_.insert_or_assign(id, std::move(places));
}

void Emitter::keep(InstructionId id, kernel::BufferId buffer, const hlo::Shape& shape) {
  forget(id);
  kept_.insert_or_assign(id, std::make_pair(buffer, shape));
}

void Emitter::forget(InstructionId id) {
  memo_.clear();
  views_.clear();
  vectorizable_.clear();
  kept_.erase(id);
}

Element Emitter::zero(const hlo::Shape& shape, int lanes) {
  Element value;
  value.re = b.zero(type(shape, lanes));
  if (hlo::is_complex(shape.element_type)) value.im = b.zero(type(shape, lanes));
  return value;
}

Element Emitter::constant(const hlo::Literal& literal, int64_t position, int lanes) {
  const int64_t count = parts(literal.shape());
  const int64_t width = hlo::storage_bytes(literal.type()) / count;
  const auto bits_of = [&](int64_t part) {
    uint64_t bits = 0;
    // Assembled byte by byte in the order of value, whatever this machine's byte order is.
    const std::byte* at = literal.bytes().data() + (position * count + part) * width;
    switch (width) {
      case 1: bits = static_cast<uint64_t>(*reinterpret_cast<const uint8_t*>(at)); break;
      case 2: { uint16_t v; std::memcpy(&v, at, 2); bits = v; break; }
      case 4: { uint32_t v; std::memcpy(&v, at, 4); bits = v; break; }
      default: std::memcpy(&bits, at, 8); break;
    }
    return bits;
  };
  Element value;
  value.re = b.constant_bits(type(literal.shape(), lanes), bits_of(0));
  if (count == 2) value.im = b.constant_bits(type(literal.shape(), lanes), bits_of(1));
  return value;
}

// --- memory ---

Affine Emitter::position(const hlo::Shape& shape, const Index& index) const {
  if (index.flat) return shape.element_count() == 1 ? Affine{} : index.at[0];
  const hlo::Dimensions strides = hlo::row_major_strides(shape.dimensions);
  Affine at;
  for (size_t d = 0; d < strides.size(); ++d)
    if (shape.dimensions[d] != 1) at = at.plus(index.at[d].times(strides[d]));
  return at;
}

Element Emitter::load(kernel::BufferId buffer, const hlo::Shape& shape, const Index& index) {
  const bool one = index.flat && shape.element_count() == 1;
  const int lanes = index.has_lanes() && !one ? index.lanes : 1;
  const Element value = load_at(buffer, hlo::is_complex(shape.element_type), position(shape, index), lanes);
  return one ? splat(value, index.lanes) : value;
}

// `at` counts elements, of which complex ones are two numbers each.
Element Emitter::load_at(kernel::BufferId buffer, bool complex, Affine at, int lanes) {
  if (!complex) return {b.load({.buffer = buffer, .at = at, .mask = mask_of(lanes)}, lanes)};
  at = at.times(2);
  if (lanes > 1) return load_pairs(buffer, at, lanes);
  return {b.load(buffer, at), b.load(buffer, at.plus(1))};
}

// Pairs lie side by side: two vectors as memory has them hold the parts of one vector's worth of lanes.
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
    for (int lane = half * lanes / 2; lane < (half + 1) * lanes / 2; ++lane) order.insert(order.end(), {lane, lanes + lane});
    b.store(buffer, at.plus(half * lanes), b.shuffle(value.re, value.im, order));
  }
}

void Emitter::store(kernel::BufferId buffer, const hlo::Shape& shape, const Index& index, Element value) {
  const int64_t count = parts(shape);
  const Affine at = position(shape, index).times(count);
  if (index.lanes > 1) value = splat(value, index.lanes);
  if (count == 2 && index.lanes > 1) return store_pairs(buffer, at, index.lanes, value);
  b.store({.buffer = buffer, .at = at, .lane_stride = count, .stored = value.re, .mask = mask_of(index.lanes)});
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
    return !shape(id).is_array() || (!hlo::is_complex(shape(id).element_type) && hlo::type_bits(shape(id).element_type) >= 32);
  };
  for (const auto& [id, position] : group_.externals)
    if (!passes(id)) return false;
  for (InstructionId root : group_.roots)
    if (!shape(root).is_array() || !passes(root)) return false;
  return target_.masked_vectors;
}

void Emitter::store_root(int root, const Index& index) {
  const InstructionId id = group_.roots[root];
  store(output_buffer(root), shape(id), index, element(id, index));
}

void Emitter::store_roots(const Index& index) {
  std::vector<Element> values;
  for (InstructionId root : group_.roots) values.push_back(element(root, index));
  for (size_t r = 0; r < values.size(); ++r) store(outputs_[r], shape(group_.roots[r]), index, values[r]);
}

// --- loops ---

void Emitter::loop(int64_t count, const std::function<void(Affine)>& body, int64_t step, kernel::LoopKind kind) {
  if (count <= 0) return;
  if (count <= step) return body(Affine::constant(0));
  kernel::Loop info;
  info.kind = kind;
  info.lower = Affine::constant(0);
  info.upper = Affine::constant(count);
  info.step = step;
  b.loop(info, [&](ValueId counter) {
    ranges_[counter] = {0, (count - 1) / step * step};
    MemoScope scope(*this);
    body(Affine::of(counter));
  });
}

Values Emitter::loop(int64_t lower, int64_t upper, int64_t step, Values carried,
                     const std::function<Values(Affine, std::span<const ValueId>)>& body, bool kept) {
  if (upper <= lower && !kept) return carried;
  if (upper - lower <= step && !kept) return body(Affine::constant(lower), carried);
  kernel::Loop info;
  info.kept = kept;
  info.lower = Affine::constant(lower);
  info.upper = Affine::constant(upper);
  info.step = step;
  return b.loop(info, std::move(carried), [&](ValueId counter, std::span<const ValueId> values) {
    ranges_[counter] = {lower, lower + std::max<int64_t>(upper - 1 - lower, 0) / step * step};
    MemoScope scope(*this);
    return body(Affine::of(counter), values);
  });
}

Values Emitter::loop(const Affine& lower, const Affine& upper, Values carried,
                     const std::function<Values(Affine, std::span<const ValueId>)>& body) {
  if (lower.is_constant() && upper.is_constant()) return loop(lower.offset, upper.offset, 1, std::move(carried), body);
  kernel::Loop info;
  info.lower = lower;
  info.upper = upper;
  return b.loop(info, std::move(carried), [&](ValueId counter, std::span<const ValueId> values) {
    MemoScope scope(*this);
    return body(Affine::of(counter), values);
  });
}

void Emitter::loop_over(const hlo::Dimensions& dimensions, const std::function<void(const std::vector<Affine>&)>& body) {
  for (int64_t extent : dimensions)
    if (extent == 0) return;
  std::vector<Affine> at;
  const std::function<void()> next = [&] {
    if (at.size() == dimensions.size()) return body(at);
    loop(dimensions[at.size()], [&](Affine counter) {
      at.push_back(counter);
      next();
      at.pop_back();
    });
  };
  next();
}

Values Emitter::if_else(ValueId pred, const kernel::Builder::Branch& yes, const kernel::Builder::Branch& no) {
  const auto scoped = [this](const kernel::Builder::Branch& branch) {
    return [this, &branch] {
      MemoScope scope(*this);
      return branch();
    };
  };
  return b.if_else(pred, scoped(yes), scoped(no));
}

std::optional<Emitter::Range> Emitter::range_of(const Affine& affine) const {
  Range range{affine.offset, affine.offset};
  for (const Affine::Term& term : affine.terms) {
    const auto known = ranges_.find(term.value);
    if (known == ranges_.end()) return std::nullopt;
    const int64_t a = known->second.low * term.scale, z = known->second.high * term.scale;
    range.low += std::min(a, z);
    range.high += std::max(a, z);
  }
  return range;
}

std::pair<Affine, Affine> Emitter::divmod(const Affine& value, int64_t divisor) {
  if (divisor == 1) return {value, Affine{}};
  Affine quotient, remainder;
  for (const Affine::Term& term : value.terms) {
    if (term.scale % divisor == 0) {
      quotient = quotient.plus(Affine::of(term.value, term.scale / divisor));
    } else {
      remainder = remainder.plus(Affine::of(term.value, term.scale));
    }
  }
  int64_t whole = value.offset / divisor, rest = value.offset % divisor;
  if (rest < 0) rest += divisor, whole -= 1;
  quotient.offset = whole;
  remainder.offset = rest;
  if (const auto range = range_of(remainder); range && range->low >= 0 && range->high < divisor) return {quotient, remainder};
  // Counters don't split evenly: divide at run time.
  const ValueId whole_value = b.value_of(value);
  const ValueId by = b.index(divisor);
  const Type type{Scalar::kIndex, 1};
  const ValueId q = b.op(kernel::OpKind::kNativeDiv, type, {whole_value, by});
  const ValueId r = b.sub(whole_value, b.mul(q, by));
  ranges_[r] = {0, divisor - 1};
  if (const auto range = range_of(value)) ranges_[q] = {range->low / divisor, range->high / divisor};
  return {Affine::of(q), Affine::of(r)};
}

// --- vectors ---

int Emitter::preferred_lanes(int64_t extent) const {
  if (target_.vector_bits == 0) return 1;
  int bits = 8;
  for (InstructionId id : inner_instructions(group_)) {
    const hlo::PrimitiveType type = hlo::real_type(shape(id).element_type);
    if (!hlo::is_array_type(type)) continue;
    // One op without vectors makes the whole group scalar.
    if (hlo::is_float(type) && type != hlo::PrimitiveType::kF64 && !target_.float_vectors) return 1;
    bits = std::max(bits, hlo::type_bits(type));
  }
  bits = std::max(bits, 32);
  int lanes = target_.lanes(bits);
  while (lanes > extent) lanes /= 2;
  return std::max(lanes, 1);
}

const std::optional<StridedView>& Emitter::view(InstructionId id) const {
  const auto known = views_.find(id);
  return known != views_.end() ? known->second : views_[id] = find_view(id);
}

std::optional<StridedView> Emitter::find_view(InstructionId id) const {
  if (bound_.count(id) || kept_.count(id)) return std::nullopt;
  const Instruction& instruction = group_[id];
  if (group_.is_external(id)) return whole_view(id, instruction.shape);
  if (instruction.operands.empty()) return std::nullopt;
  switch (instruction.opcode) {
    case Opcode::kSlice:
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kReverse: break;
    default: return std::nullopt;
  }
  const std::optional<StridedView>& operand = view(instruction.operands[0]);
  return operand ? view_through(instruction, shape(instruction.operands[0]), *operand) : std::nullopt;
}

bool Emitter::vectorizable(InstructionId id, int lane_dim) const {
  if (lane_dim == kNone) return true;
  const Instruction& instruction = group_[id];
  if (group_.is_external(id) || kept_.count(id)) return lane_dim == instruction.shape.rank() - 1;
  // The hero's value is bound before anyone asks for it.
  if (hlo::info(instruction.opcode).lowering == hlo::Service::kLoopOp) return !hlo::is_complex(instruction.shape.element_type);
  // Remembered, because groups are graphs with many paths to one instruction.
  const auto key = std::make_pair(id, lane_dim);
  if (const auto known = vectorizable_.find(key); known != vectorizable_.end()) return known->second;
  const std::optional<StridedView>& seen = view(id);
  const bool backwards = seen && seen->strides[lane_dim] == -1 && !hlo::is_complex(instruction.shape.element_type);
  const bool answer = seen ? seen->strides[lane_dim] == 1 || backwards : lanes_pass(*this, instruction, lane_dim);
  vectorizable_[key] = answer;
  return answer;
}

}  // namespace hlocc::lowering

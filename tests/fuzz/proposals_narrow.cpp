// Narrow integers where their ends show: counters that wrap around, and positions in arrays that
// are larger than the index type can say.
#include "fuzz/proposals.h"

namespace hlocc::fuzz {
namespace {

PrimitiveType narrow_type(Builder& b) {
  static const std::vector<PrimitiveType> types = {
      PrimitiveType::kS8,  PrimitiveType::kS8,  PrimitiveType::kU8, PrimitiveType::kU8,
      PrimitiveType::kS16, PrimitiveType::kU16, PrimitiveType::kS4, PrimitiveType::kU4};
  return b.random.of(types);
}

int64_t wrapped(PrimitiveType type, int64_t value) {
  const int bits = hlo::type_bits(type);
  if (bits >= 64) return value;
  const int64_t cut = value & ((int64_t{1} << bits) - 1);
  return is_signed(type) && (cut >> (bits - 1)) != 0 ? cut - (int64_t{1} << bits) : cut;
}

bool holds(hlo::Direction direction, int64_t a, int64_t b) {
  switch (direction) {
    case hlo::Direction::kEq: return a == b;
    case hlo::Direction::kNe: return a != b;
    case hlo::Direction::kLt: return a < b;
    case hlo::Direction::kLe: return a <= b;
    case hlo::Direction::kGt: return a > b;
    case hlo::Direction::kGe: return a >= b;
  }
  return false;
}

struct Counter {
  PrimitiveType type;
  int64_t first, step, limit;
  hlo::Direction direction;
  bool subtracts, mirrored;

  // How many turns, up to `most`; more if it never ends.
  int64_t turns(int64_t most) const {
    int64_t at = first, count = 0;
    for (; count <= most && holds(direction, at, limit); ++count)
      at = wrapped(type, subtracts ? at - step : at + step);
    return count;
  }
};

hlo::Direction mirrored(hlo::Direction direction) {
  using enum hlo::Direction;
  switch (direction) {
    case kLt: return kGt;
    case kLe: return kGe;
    case kGt: return kLt;
    case kGe: return kLe;
    default: return direction;
  }
}

Counter random_counter(Builder& b) {
  static const std::vector<hlo::Direction> directions = {
      hlo::Direction::kLt, hlo::Direction::kLt, hlo::Direction::kLe, hlo::Direction::kGt,
      hlo::Direction::kGe, hlo::Direction::kNe, hlo::Direction::kEq};
  Counter c;
  c.type = narrow_type(b);
  const auto any = [&] { return wrapped(c.type, static_cast<int64_t>(b.random.bits())); };
  c.first = b.random.chance(40) ? 0 : any();
  // Steps that jump over the end of the type, and small ones beside it.
  c.step = b.random.chance(60) ? any() : wrapped(c.type, b.random.between(1, 3));
  c.limit =
      b.random.chance(30)
          ? wrapped(c.type, (int64_t{1} << (hlo::type_bits(c.type) - (is_signed(c.type) ? 1 : 0))) -
                                b.random.between(1, 3))
          : any();
  c.direction = b.random.of(directions);
  c.subtracts = b.random.chance(25);
  c.mirrored = b.random.chance(25);
  return c;
}

// A loop whose counter may wrap, over an array that every turn changes.
Id wrapping_loop(Builder& b, PrimitiveType type) {
  if (!b.in_entry() || type == PrimitiveType::kPred || is_complex(type)) return kNone;
  constexpr int64_t kMost = 200;
  Counter c = random_counter(b);
  for (int tries = 0; tries < 8 && c.turns(kMost) > kMost; ++tries) c = random_counter(b);
  if (c.turns(kMost) > kMost) return kNone;
  const std::vector<Id> state = {b.scalar(c.type, static_cast<double>(c.first)),
                                 b.value(type, 0, 2), b.scalar(PrimitiveType::kS32, 0)};
  const Shape array = b.shape(state[1]);
  const Shape tuple =
      Shape::make_tuple({Shape::scalar(c.type), Shape::array(type, array.dimensions),
                         Shape::scalar(PrimitiveType::kS32)});

  b.begin({tuple});
  const Id limit = b.scalar(c.type, static_cast<double>(c.limit)), at = element(b, 0, 0);
  const hlo::CompareAttributes test{c.mirrored ? mirrored(c.direction) : c.direction,
                                    comparison_type(c.type, false)};
  const ComputationId condition =
      b.finish(b.emit(Opcode::kCompare,
                      c.mirrored ? std::vector<Id>{limit, at} : std::vector<Id>{at, limit}, test));

  b.begin({tuple});
  const Id i = element(b, 0, 0), x = element(b, 0, 1), count = element(b, 0, 2);
  const Id step = b.scalar(c.type, static_cast<double>(c.step));
  const Id next = c.subtracts
                      ? b.emit(Opcode::kSubtract, {i, step})
                      : b.emit(Opcode::kAdd, b.random.chance(70) ? std::vector<Id>{i, step}
                                                                 : std::vector<Id>{step, i});
  const Id here =
      b.emit(Opcode::kBroadcast, {b.emit(Opcode::kConvert, {i}, {}, {}, Shape::scalar(type))},
             hlo::DimensionsAttributes{}, {}, Shape::array(type, array.dimensions));
  static const std::vector<Opcode> ops = {Opcode::kMaximum, Opcode::kMinimum, Opcode::kAdd};
  const Id y = b.emit(
      is_float(type) ? ops[static_cast<size_t>(b.random.below(2))] : b.random.of(ops), {x, here});
  const Id more = b.emit(Opcode::kAdd, {count, b.scalar(PrimitiveType::kS32, 1)});
  const ComputationId body = b.finish(b.emit(Opcode::kTuple, {next, y, more}, {}));

  const Id out = b.emit(Opcode::kWhile, {b.emit(Opcode::kTuple, state, {})}, {}, {body, condition});
  return out == kNone ? out : element(b, out, b.random.below(3));
}

// An array that has more elements along its first dimension than narrow types count, and positions
// around their ends.
struct Large {
  Id x = kNone;
  int64_t size = 0, window = 1;
  PrimitiveType index = PrimitiveType::kS8;
};

Large large_array(Builder& b, PrimitiveType type) {
  static const std::vector<int64_t> sizes = {100, 126, 127, 128, 129, 130, 150, 200,
                                             254, 255, 256, 257, 258, 300, 380};
  static const std::vector<PrimitiveType> types = {PrimitiveType::kS8,  PrimitiveType::kS8,
                                                   PrimitiveType::kU8,  PrimitiveType::kU8,
                                                   PrimitiveType::kS16, PrimitiveType::kS64};
  Large out;
  out.size = b.random.of(sizes);
  out.window = b.random.between(1, 3);
  out.index = b.random.of(types);
  const Dimensions dims = b.random.chance(70) ? Dimensions{out.size} : Dimensions{out.size, 2};
  if (out.size * (dims.size() == 2 ? 2 : 1) <= b.max_elements()) out.x = b.value_like(type, dims);
  return out;
}

Id positions(Builder& b, PrimitiveType type, const Dimensions& dims) {
  static const std::vector<int64_t> edges = {-129, -128, -127, -2,  -1,  0,   1,
                                             2,    99,   125,  126, 127, 128, 129,
                                             200,  253,  254,  255, 256, 257, 300};
  Literal literal = Literal::zeros(Shape::array(type, dims));
  for (int64_t i = 0; i < literal.element_count(); ++i)
    set_number(literal, i, static_cast<double>(wrapped(type, b.random.of(edges))));
  return b.in_entry() && b.random.chance(80) ? b.parameter(std::move(literal))
                                             : b.constant(std::move(literal));
}

Id narrow_slice(Builder& b, PrimitiveType type) {
  const Large in = large_array(b, type);
  if (in.x == kNone) return kNone;
  Dimensions sizes = b.dims(in.x);
  sizes[0] = b.random.chance(80) ? in.window : b.random.between(1, in.size);
  std::vector<Id> operands = {in.x};
  const bool updates = b.random.chance(40);
  if (updates) operands.push_back(b.value_like(type, sizes));
  for (size_t d = 0; d < sizes.size(); ++d) operands.push_back(positions(b, in.index, {}));
  return updates ? b.emit(Opcode::kDynamicUpdateSlice, operands)
                 : b.emit(Opcode::kDynamicSlice, operands, hlo::DynamicSliceAttributes{sizes});
}

// Windows along the first dimension of a large array, at a list of positions.
Id narrow_gather(Builder& b, PrimitiveType type) {
  const Large in = large_array(b, type);
  if (in.x == kNone) return kNone;
  const int64_t count = b.random.between(1, 9);
  const Id at = positions(b, in.index, {count, 1});
  Dimensions window = b.dims(in.x), updates = window;
  window[0] = updates[0] = in.window;
  updates.insert(updates.begin(), count);
  Dimensions places;
  for (size_t d = 1; d < updates.size(); ++d) places.push_back(static_cast<int64_t>(d));
  if (b.random.chance(50)) {
    hlo::GatherAttributes gather;
    gather.start_index_map = {0};
    gather.index_vector_dim = 1;
    gather.slice_sizes = window;
    gather.offset_dims = places;
    return b.emit(Opcode::kGather, {in.x, at}, gather);
  }
  hlo::ScatterAttributes scatter;
  scatter.scatter_dims_to_operand_dims = {0};
  scatter.index_vector_dim = 1;
  scatter.update_window_dims = places;
  return b.emit(Opcode::kScatter, {in.x, at, b.value_like(type, updates)}, scatter,
                {random_reducer(b, {type})});
}

}  // namespace

void add_narrow(std::vector<Proposal>& rows) {
  rows.push_back({"narrow counter", 3, wrapping_loop});
  rows.push_back({"narrow start", 3, narrow_slice});
  rows.push_back({"narrow gather", 3, narrow_gather});
}

}  // namespace hlocc::fuzz

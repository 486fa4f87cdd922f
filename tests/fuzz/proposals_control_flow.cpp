// While, conditional and call: their computations are grown from the same proposals, so that loops
// hold anything.
#include "fuzz/proposals.h"

namespace hlocc::fuzz {
namespace {

// A few ops on what the open computation has; the newest value of `like`'s type and dimensions at
// the end.
Id grow(Builder& b, const Shape& like, int64_t count) {
  for (; count > 0; --count) {
    const Proposal& row = b.random.of(proposals());
    // One level of loops is enough.
    if (row.name == "while" || row.name == "conditional" || row.name == "call") continue;
    row.make(b, b.random.chance(70) ? like.element_type : b.random.of(all_types()));
  }
  const std::vector<Id>& all = b.values();
  for (size_t i = all.size(); i > 0; --i)
    if (b.shape(all[i - 1]).element_type == like.element_type &&
        b.dims(all[i - 1]) == like.dimensions)
      return all[i - 1];
  return b.value_like(like.element_type, like.dimensions);
}

std::vector<Shape> shapes_of(Builder& b, const std::vector<Id>& ids) {
  std::vector<Shape> out;
  for (const Id id : ids) out.push_back(Shape::array(b.type(id), b.dims(id)));
  return out;
}

// A counter that runs to a limit, and some arrays.
Id loop(Builder& b, PrimitiveType type) {
  const Shape counter = Shape::scalar(PrimitiveType::kS32);
  std::vector<Id> state = {b.scalar(PrimitiveType::kS32, 0), b.value(type)};
  for (int64_t more = b.random.between(0, 2); more > 0; --more)
    state.push_back(b.random.chance(50) ? b.like(state[1]) : b.value(b.random.of(all_types())));
  const std::vector<Shape> shapes = shapes_of(b, state);
  const Shape tuple = Shape::make_tuple(shapes);

  b.begin({tuple});
  const Id limit = b.scalar(PrimitiveType::kS32, static_cast<double>(b.random.between(0, 3)));
  const ComputationId condition =
      b.finish(b.emit(Opcode::kCompare, {element(b, 0, 0), limit},
                      hlo::CompareAttributes{hlo::Direction::kLt, hlo::ComparisonType::kSigned}));

  b.begin({tuple});
  std::vector<Id> inside;
  for (size_t i = 0; i < shapes.size(); ++i)
    inside.push_back(element(b, 0, static_cast<int64_t>(i)));
  std::vector<Id> next = {b.emit(Opcode::kAdd, {inside[0], b.scalar(PrimitiveType::kS32, 1)})};
  for (size_t i = 1; i < shapes.size(); ++i)
    next.push_back(b.random.chance(20)
                       ? inside[static_cast<size_t>(b.random.between(1, static_cast<int64_t>(i)))]
                       : grow(b, shapes[i], b.random.between(1, 4)));
  // Values may change places, but only with their like.
  for (size_t i = 1; i < shapes.size(); ++i)
    if (!same_dimensions_and_type(b.shape(next[i]), shapes[i])) next[i] = inside[i];
  const ComputationId body = b.finish(b.emit(Opcode::kTuple, next, {}));

  const Id init = b.emit(Opcode::kTuple, state, {});
  const Id out = b.emit(Opcode::kWhile, {init}, {}, {body, condition});
  return out == kNone
             ? out
             : element(b, out, b.random.between(1, static_cast<int64_t>(state.size()) - 1));
}

Id conditional(Builder& b, PrimitiveType type) {
  const Id x = b.value(type);
  const Shape like = Shape::array(type, b.dims(x));
  const int64_t branches = b.random.chance(50) ? 2 : b.random.between(1, 4);
  const bool by_pred = branches == 2 && b.random.chance(60);
  std::vector<Id> operands = {by_pred ? b.fresh(PrimitiveType::kPred, {})
                                      : b.indices(PrimitiveType::kS32, {}, -1, branches)};
  std::vector<ComputationId> called;
  for (int64_t i = 0; i < branches; ++i) {
    const Id y =
        b.random.chance(50) ? x : b.value(b.random.chance(60) ? type : b.random.of(all_types()));
    operands.push_back(y);
    const std::vector<Shape> parameter = shapes_of(b, {y});
    b.begin(parameter);
    called.push_back(b.finish(grow(b, like, b.random.between(0, 4))));
  }
  return b.emit(Opcode::kConditional, operands, {}, called);
}

Id call(Builder& b, PrimitiveType type) {
  const std::vector<Id> operands = {b.value(type), b.value(b.random.of(all_types()))};
  const Shape like = b.shape(operands[0]);
  b.begin(shapes_of(b, operands));
  return b.emit(Opcode::kCall, operands, hlo::CallAttributes{},
                {b.finish(grow(b, like, b.random.between(1, 4)))});
}

}  // namespace

void add_control_flow(std::vector<Proposal>& rows) {
  rows.push_back({"while", 5, loop});
  rows.push_back({"conditional", 4, conditional});
  rows.push_back({"call", 2, call});
}

}  // namespace hlocc::fuzz

// What the families share: reducers, comparators, tuples.
#include "fuzz/proposals.h"

namespace hlocc::fuzz {

const std::vector<Proposal>& proposals() {
  static const std::vector<Proposal>& rows = *[] {
    auto* all = new std::vector<Proposal>;
    for (auto add :
         {add_elementwise, add_movement, add_gather_scatter, add_contractions, add_reductions,
          add_algorithms, add_control_flow, add_narrow, add_requantize, add_windows})
      add(*all);
    return all;
  }();
  return rows;
}

const std::vector<Proposal>& focused_proposals() {
  static const std::vector<Proposal>& rows = *[] {
    auto* all = new std::vector<Proposal>;
    add_qdq(*all);
    add_widened(*all);
    add_cells(*all);
    add_small_weights(*all);
    return all;
  }();
  return rows;
}

Id element(Builder& b, Id tuple, int64_t index) {
  return b.emit(Opcode::kGetTupleElement, {tuple}, hlo::TupleIndexAttributes{index});
}

hlo::ComparisonType comparison_type(PrimitiveType type, bool total) {
  using hlo::ComparisonType;
  if (is_float(type) || is_complex(type))
    return total ? ComparisonType::kTotalOrder : ComparisonType::kFloat;
  return is_signed(type) ? ComparisonType::kSigned : ComparisonType::kUnsigned;
}

Id one_nan(Builder& b, Id x) {
  if (x == kNone || b.is_given(x) || !is_float(b.type(x)) || b.type(x) == PrimitiveType::kF8E8M0FNU)
    return x;
  const Id is_nan =
      b.emit(Opcode::kCompare, {x, x},
             hlo::CompareAttributes{hlo::Direction::kNe, hlo::ComparisonType::kFloat});
  const Id other = b.emit(Opcode::kBroadcast, {b.scalar(b.type(x), 1e9)},
                          hlo::DimensionsAttributes{}, {}, Shape::array(b.type(x), b.dims(x)));
  return b.emit(Opcode::kSelect, {is_nan, other, x});
}

namespace {

Id compared(Builder& b, Id x, Id y, hlo::Direction direction, bool total = true) {
  if (total) x = one_nan(b, x), y = one_nan(b, y);
  return b.emit(Opcode::kCompare, {x, y},
                hlo::CompareAttributes{direction, comparison_type(b.type(x), total)});
}

Id combine(Builder& b, Id x, Id y) {
  const PrimitiveType type = b.type(x);
  const auto op = [&](Opcode opcode) { return b.emit(opcode, {x, y}); };
  static const std::vector<Opcode> of_numbers = {Opcode::kAdd, Opcode::kAdd, Opcode::kMultiply,
                                                 Opcode::kMaximum, Opcode::kMinimum};
  static const std::vector<Opcode> of_bits = {Opcode::kAnd,     Opcode::kOr,      Opcode::kXor,
                                              Opcode::kMaximum, Opcode::kMinimum, Opcode::kAdd};
  if (is_complex(type)) return op(b.random.chance(80) ? Opcode::kAdd : Opcode::kMultiply);
  switch (b.random.below(6)) {
    case 0:  // maximum or minimum spelled out
      return b.emit(
          Opcode::kSelect,
          {compared(b, x, y, b.random.chance(50) ? hlo::Direction::kGe : hlo::Direction::kLe), x,
           y});
    case 1:  // in a wider type
      if (is_float(type) && type != PrimitiveType::kF64) {
        const Shape wide = Shape::scalar(PrimitiveType::kF32);
        const Id sum = b.emit(Opcode::kAdd, {b.emit(Opcode::kConvert, {x}, {}, {}, wide),
                                             b.emit(Opcode::kConvert, {y}, {}, {}, wide)});
        return b.emit(Opcode::kConvert, {sum}, {}, {}, Shape::scalar(type));
      }
      // (1 + x)(1 + y) - 1
      if (is_integer(type)) return b.emit(Opcode::kAdd, {op(Opcode::kMultiply), op(Opcode::kAdd)});
      return op(Opcode::kXor);
    default:
      return op(b.random.of(is_float(type) || (is_integer(type) && b.random.chance(60)) ? of_numbers
                                                                                        : of_bits));
  }
}

}  // namespace

ComputationId random_reducer(Builder& b, const std::vector<PrimitiveType>& types) {
  const int n = static_cast<int>(types.size());
  std::vector<Shape> parameters;
  for (int side = 0; side < 2; ++side)
    for (PrimitiveType type : types) parameters.push_back(Shape::scalar(type));
  b.begin(parameters);
  if (n == 1) return b.finish(combine(b, 0, 1));
  std::vector<Id> out;
  if (b.random.chance(60) && is_integer(types[1]) && !is_complex(types[0])) {
    // argmax and argmin: the better value, and of equals the lower position.
    const hlo::Direction better = b.random.chance(50) ? hlo::Direction::kGt : hlo::Direction::kLt;
    const Id wins = compared(b, 0, n, better), ties = compared(b, 0, n, hlo::Direction::kEq);
    const Id lower = compared(b, 1, n + 1, hlo::Direction::kLe);
    const Id pick = b.emit(Opcode::kOr, {wins, b.emit(Opcode::kAnd, {ties, lower})});
    for (int i = 0; i < n; ++i)
      out.push_back(i < 2 ? b.emit(Opcode::kSelect, {pick, i, n + i}) : combine(b, i, n + i));
  } else {
    for (int i = 0; i < n; ++i) out.push_back(combine(b, i, n + i));
  }
  return b.finish(b.emit(Opcode::kTuple, out, {}));
}

Id initial_value(Builder& b, PrimitiveType type) {
  static const std::vector<double> starts = {0, 0, 1, -1, 3, -1e30, 1e30};
  return b.random.chance(80) || !b.in_entry() ? b.scalar(type, b.random.of(starts))
                                              : b.fresh(type, {});
}

ComputationId comparator(Builder& b, const std::vector<PrimitiveType>& types) {
  std::vector<Shape> parameters;
  for (PrimitiveType type : types)
    for (int side = 0; side < 2; ++side) parameters.push_back(Shape::scalar(type));
  b.begin(parameters);
  const hlo::Direction direction = b.random.chance(50) ? hlo::Direction::kLt : hlo::Direction::kGt;
  const auto part = [&](Id x) { return is_complex(b.type(x)) ? b.emit(Opcode::kReal, {x}) : x; };
  Id before = compared(b, part(0), part(1), direction);
  if (types.size() > 1 && b.random.chance(50)) {
    const Id ties = compared(b, part(0), part(1), hlo::Direction::kEq);
    before = b.emit(
        Opcode::kOr,
        {before, b.emit(Opcode::kAnd, {ties, compared(b, part(2), part(3), hlo::Direction::kLt)})});
  }
  return b.finish(before);
}

}  // namespace hlocc::fuzz

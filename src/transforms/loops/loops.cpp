// See loops.h.
#include "transforms/loops/loops.h"

#include <algorithm>

#include "transforms/build.h"
#include "transforms/integers/integer_ranges.h"

namespace hlocc::transforms {
namespace {

using hlo::Direction;

// Of a scalar, as counters and what they are compared with are.
std::optional<int64_t> known_integer(const Instruction& i) {
  if (i.opcode != Opcode::kConstant || !is_integer(i.shape.element_type)) return std::nullopt;
  if (i.shape.element_type == PrimitiveType::kU64) return std::nullopt;
  return integer_at(i.get<hlo::ConstantAttributes>().value, 0);
}

// A counter from `first` by `step`, while it stands to `limit` as the direction says.
struct Counter {
  Direction direction;
  int64_t first, limit, step;

  // Iterations until it doesn't, if it ever does.
  std::optional<int64_t> iterations() const {
    switch (direction) {
      case Direction::kEq:
        return first != limit ? std::optional(0) : step != 0 ? std::optional(1) : std::nullopt;
      case Direction::kNe:
        if (first == limit) return 0;
        if (step == 0 || (limit - first) % step != 0 || (limit - first) / step < 0)
          return std::nullopt;
        return (limit - first) / step;
      case Direction::kLe: return Counter{Direction::kLt, first, limit + 1, step}.iterations();
      case Direction::kGt: return Counter{Direction::kLt, -first, -limit, -step}.iterations();
      case Direction::kGe: return Counter{Direction::kLe, -first, -limit, -step}.iterations();
      case Direction::kLt:
        if (first >= limit) return 0;
        return step > 0 ? std::optional((limit - first + step - 1) / step) : std::nullopt;
    }
    return std::nullopt;
  }
};

Direction mirrored(Direction direction) {
  switch (direction) {
    case Direction::kLt: return Direction::kGt;
    case Direction::kLe: return Direction::kGe;
    case Direction::kGt: return Direction::kLt;
    case Direction::kGe: return Direction::kLe;
    default: return direction;
  }
}

// What the body adds to element `counter` in each iteration.
std::optional<int64_t> step_of(const Computation& body, int64_t counter) {
  const Instruction& next = body[body.root_instruction().operands[counter]];
  if (next.opcode != Opcode::kAdd && next.opcode != Opcode::kSubtract) return std::nullopt;
  for (int at = 0; at < (next.opcode == Opcode::kAdd ? 2 : 1); ++at) {
    if (state_element(body, next.operands[at]) != counter) continue;
    const std::optional<int64_t> step = known_integer(body.operand(next, 1 - at));
    if (step) return next.opcode == Opcode::kAdd ? *step : -*step;
  }
  return std::nullopt;
}

}  // namespace

int64_t state_element(const Computation& c, InstructionId id) {
  const Instruction& i = c[id];
  const bool is_element = i.opcode == Opcode::kGetTupleElement && i.operands[0] == c.parameters[0];
  return is_element ? i.get<hlo::TupleIndexAttributes>().index : -1;
}

bool takes_state_apart(const Computation& c) {
  for (size_t id = 0; id < c.instructions.size(); ++id)
    for (InstructionId operand : c.instructions[id].operands)
      if (operand == c.parameters[0] && c.instructions[id].opcode != Opcode::kGetTupleElement)
        return false;
  return true;
}

bool has_open_state(const Module& module, const Instruction& loop) {
  const Computation &body = module.computations[loop.called[0]],
                    &condition = module.computations[loop.called[1]];
  return takes_state_apart(body) && takes_state_apart(condition) &&
         body.root_instruction().opcode == Opcode::kTuple;
}

bool is_handed_on(const Computation& body, int64_t i) {
  return state_element(body, body.root_instruction().operands[i]) == i;
}

InstructionId out_of_tuple(Rewriter& r, const Instruction& i) {
  if (i.opcode != Opcode::kGetTupleElement || r[i.operands[0]].opcode != Opcode::kTuple)
    return kNone;
  return element(r, i.operands[0], i.get<hlo::TupleIndexAttributes>().index);
}

std::optional<int64_t> trip_count(Rewriter& r, const Instruction& loop) {
  const Computation &body = r.module().computations[loop.called[0]],
                    &condition = r.module().computations[loop.called[1]];
  const Instruction& test = condition.root_instruction();
  if (!has_open_state(r.module(), loop) || test.opcode != Opcode::kCompare) return std::nullopt;
  for (const Instruction& i : condition.instructions)
    if (hlo::has_side_effect(r.module(), i)) return std::nullopt;
  for (int side = 0; side < 2; ++side) {
    const int64_t counter = state_element(condition, test.operands[side]);
    const std::optional<int64_t> limit = known_integer(condition.operand(test, 1 - side));
    if (counter < 0 || !limit || r[loop.operands[0]].opcode != Opcode::kTuple) continue;
    const std::optional<int64_t> first = known_integer(r[r[loop.operands[0]].operands[counter]]);
    const std::optional<int64_t> step = step_of(body, counter);
    if (!first || !step) continue;
    // Beyond the ends of its type a counter wraps around; numbers of more than 60 bits might do so
    // here.
    const Range type = range_of_type(loop.shape.tuple[counter].element_type),
                counted_here{-(int64_t{1} << 60), int64_t{1} << 60};
    const auto fits = [&](int64_t value) {
      return Range{value, value}.within(type) && Range{value, value}.within(counted_here);
    };
    const Direction direction = test.get<hlo::CompareAttributes>().direction;
    const Counter counted{side == 0 ? direction : mirrored(direction), *first, *limit, *step};
    if (!fits(*first) || !fits(*limit) || !Range{*step, *step}.within(counted_here)) continue;
    const std::optional<int64_t> iterations = counted.iterations();
    if (iterations && fits(*first + *iterations * *step)) return iterations;
  }
  return std::nullopt;
}

}  // namespace hlocc::transforms

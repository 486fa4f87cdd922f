// unroll: loops whose iterations cost more than what they do. A few iterations of elementwise
// arithmetic (the rounds of a random number generator) become one chain, which is one kernel that
// keeps its values in registers. Where a loop carries values that only change places, as in (a, b)
// = (b, f(a, b)), each iteration would copy arrays; as many iterations as bring each value back to
// its place make one iteration without copies, because planning may then write each next value
// where the last but one lay. The same holds for a value whose elements are made from their
// neighbours. Small code keeps its loops.
#include <algorithm>
#include <numeric>

#include "ops/op_cost.h"
#include "transforms/build.h"
#include "transforms/loops/loops.h"
#include "transforms/pass.h"

namespace hlocc::transforms {

using hlo::is_one_element;

namespace {

// Arithmetic on elements, and single elements to and from arrays: what fuses over any number of
// iterations without being computed twice.
bool is_by_element(const Computation& body, const Instruction& i) {
  switch (i.opcode) {
    case Opcode::kParameter:
    case Opcode::kGetTupleElement:
    case Opcode::kTuple:
    case Opcode::kReshape:
    case Opcode::kConstant: return true;
    case Opcode::kBroadcast: return is_one_element(body.operand(i, 0).shape);
    case Opcode::kSlice: return is_one_element(i.shape);
    default: return hlo::info(i.opcode).family == hlo::Family::kElementwise;
  }
}

// Machine instructions of an iteration, about; none if it does more than arithmetic on elements.
std::optional<int64_t> cost_by_element(const Computation& body) {
  int64_t cost = 0;
  for (const Instruction& i : body.instructions) {
    if (!is_by_element(body, i)) return std::nullopt;
    cost += ops::instructions_per_element(i);
  }
  return cost;
}

// Whether an iteration makes a large value from neighbours of its elements, so that the next can't
// lie where this one does, with little enough work that a copy counts. Two iterations use two
// places in alternation.
bool moves_elements(const Computation& body, int64_t state_index) {
  constexpr int64_t kWorthTwice = 64;  // bytes
  enum Reads : char { kNothing, kInPlace, kMoved, kMuchWork };
  const InstructionId next = body.root_instruction().operands[state_index];
  if (body[next].shape.byte_size() < kWorthTwice) return false;
  std::vector<Reads> reads(body.instructions.size(), kNothing);
  for (const InstructionId id : body.topological_order()) {
    const Instruction& i = body[id];
    if (state_element(body, id) == state_index) reads[id] = kInPlace;
    for (const InstructionId operand : i.operands) reads[id] = std::max(reads[id], reads[operand]);
    const hlo::OpcodeInfo& info = hlo::info(i.opcode);
    const bool is_view = i.opcode == Opcode::kReshape || i.opcode == Opcode::kBitcast;
    if (reads[id] == kNothing || is_view || state_element(body, id) >= 0) continue;
    if (info.family == hlo::Family::kElementwise) continue;
    // Sums are done when their array is written again; updates are done in place.
    if (i.opcode == Opcode::kReduce)
      reads[id] = kNothing;
    else if (i.opcode == Opcode::kDynamicUpdateSlice)
      reads[id] = std::max(reads[i.operands[0]], kInPlace);
    else if (info.lowering == hlo::Service::kIndexOp || i.opcode == Opcode::kReduceWindow)
      reads[id] = std::max(reads[id], kMoved);
    else
      reads[id] = kMuchWork;
  }
  return reads[next] == kMoved;
}

// After how many iterations all large enough values that the body only moves from element to
// element are back in their place, or made anew in it; 2 if none moves, but one is made from its
// neighbours; else 1.
int64_t period_of(const Computation& body) {
  constexpr int64_t kWorthMoving = 16;  // bytes
  const Instruction& next = body.root_instruction();
  int64_t period = 1, moved = 0;
  for (size_t i = 0; i < next.operands.size(); ++i) {
    int64_t length = 1, from = static_cast<int64_t>(i);
    for (;; ++length) {
      const int64_t source = state_element(body, next.operands[from]);
      // What never changes arrives once and stays.
      if (source == from) length = 1;
      if (source == from || source < 0 || source == static_cast<int64_t>(i)) break;
      if (length > static_cast<int64_t>(next.operands.size())) break;
      from = source;
    }
    if (length == 1 || !body[next.operands[i]].shape.is_array() ||
        length > static_cast<int64_t>(next.operands.size()))
      continue;
    moved += body[next.operands[i]].shape.byte_size();
    period = std::lcm(period, length);
  }
  if (moved >= kWorthMoving) return period;
  for (size_t i = 0; i < next.operands.size(); ++i)
    if (moves_elements(body, static_cast<int64_t>(i))) return 2;
  return 1;
}

InstructionId iterations(Rewriter& r, ComputationId body, InstructionId state, int64_t count) {
  for (int64_t i = 0; i < count; ++i) state = r.inline_computation(body, {state});
  return state;
}

// The loop with `period` iterations in one; what is left over comes before it.
InstructionId by_periods(Rewriter& r, const Instruction& loop, int64_t count, int64_t period) {
  const ComputationId body = loop.called[0];
  const InstructionId state = iterations(r, body, loop.operands[0], count % period);
  const std::string name = r.module().computations[body].name;
  const ComputationId together =
      new_computation(r.module(), name, {loop.shape},
                      [&](Rewriter& inner, const std::vector<InstructionId>& state) {
                        return iterations(inner, body, state[0], period);
                      });
  return r.add(hlo::make(Opcode::kWhile, loop.shape, {state}, {}, {together, loop.called[1]}));
}

InstructionId unrolled(Rewriter& r, const Instruction& loop, bool for_size) {
  constexpr int64_t kMostTurns = 16, kMostInstructions = 256, kLongestPeriod = 6;
  const std::optional<int64_t> count = trip_count(r, loop);
  if (!count) return kNone;
  const Computation& body = r.module().computations[loop.called[0]];
  const int64_t size = static_cast<int64_t>(body.instructions.size());
  const std::optional<int64_t> cost = cost_by_element(body);
  if (*count <= 1) return iterations(r, loop.called[0], loop.operands[0], *count);
  if (for_size) return kNone;
  if (cost && *count <= kMostTurns && *count * *cost <= kMostInstructions)
    return iterations(r, loop.called[0], loop.operands[0], *count);
  const int64_t period = period_of(body);
  if (period == 1 || period > kLongestPeriod || period * size > kMostInstructions) return kNone;
  if (*count <= period) return iterations(r, loop.called[0], loop.operands[0], *count);
  return by_periods(r, loop, *count, period);
}

}  // namespace

Status unroll(hlo::Module& module, const PassContext& context) {
  const Rule rule = [&](Rewriter& r, const Instruction& i) {
    if (const InstructionId part = out_of_tuple(r, i); part != kNone) return part;
    return i.opcode == Opcode::kWhile ? unrolled(r, i, context.target.options.for_size()) : kNone;
  };
  HLOCC_TRY(rewrite(module, rule));
  return {};
}

}  // namespace hlocc::transforms

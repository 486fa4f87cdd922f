// See loop_parts.h.
#include "transforms/rows/loop_parts.h"

#include "support/text.h"
#include "transforms/build.h"
#include "transforms/rows/reduced_rows.h"

namespace hlocc::transforms {

InstructionId LoopParts::add(Instruction instruction) {
  const Instruction& exit = outer()[exit_];
  instruction.name = cat(exit.name, suffix_);
  instruction.metadata = exit.metadata;
  instruction.line = exit.line;
  return outer().add(std::move(instruction));
}

InstructionId LoopParts::filled(Literal scalar, const Shape& shape) {
  const InstructionId value = add(hlo::make_constant(std::move(scalar)));
  if (shape.is_scalar()) return value;
  return add(hlo::make(Opcode::kBroadcast, hlo::with_default_layout(shape), {value},
                       hlo::DimensionsAttributes{}));
}

InstructionId LoopParts::loop(std::vector<InstructionId> initial, int64_t iterations,
                              const char* word, const Step& step) {
  std::vector<Shape> shapes;
  for (InstructionId value : initial) shapes.push_back(outer()[value].shape);
  const Shape state = Shape::make_tuple(std::move(shapes));
  const std::string name = cat(outer()[exit_].name, suffix_);
  const ComputationId body = new_computation(
      module_, cat(name, "_", word), {state},
      [&](Rewriter& r, const std::vector<InstructionId>& p) { return step(r, p[0]); });
  const ComputationId condition = new_computation(
      module_, name + "_condition", {state}, [&](Rewriter& r, const std::vector<InstructionId>& p) {
        return compare(r, element(r, p[0], 0), index_s32(r, iterations), hlo::Direction::kLt);
      });
  const InstructionId packed = add(hlo::make(Opcode::kTuple, state, std::move(initial)));
  return add(hlo::make(Opcode::kWhile, state, {packed}, {}, {body, condition}));
}

InstructionId LoopParts::given(InstructionId loop, int64_t place) {
  return add(hlo::make(Opcode::kGetTupleElement,
                       outer()[loop].shape.tuple[static_cast<size_t>(place)], {loop},
                       hlo::TupleIndexAttributes{place}));
}

Literal LoopParts::beyond(const StoredRows& stored) {
  if (stored.beyond) return *stored.beyond;
  return Literal::zeros(Shape::scalar(outer()[stored.value].shape.element_type));
}

Shape LoopParts::rows_shape(const StoredRows& stored, int64_t rows) {
  Shape shape = hlo::with_default_layout(outer()[stored.value].shape);
  shape.dimensions[stored.dimension] = rows;
  return shape;
}

Literal LoopParts::exit_value() {
  const Instruction& exit = outer()[exit_];
  if (!is_reduced_) return Literal::zeros(Shape::scalar(exit.shape.element_type));
  return outer().operand(exit, 1).get<hlo::ConstantAttributes>().value;
}

InstructionId LoopParts::written(Rewriter& r, int64_t dimension, InstructionId into,
                                 InstructionId rows, InstructionId row) {
  std::vector<InstructionId> operands{into, rows};
  const InstructionId zero = index_s32(r, 0);
  for (int d = 0; d < r.shape(into).rank(); ++d) operands.push_back(d == dimension ? row : zero);
  return r.add(Opcode::kDynamicUpdateSlice, std::move(operands));
}

InstructionId LoopParts::reduced(Rewriter& r, InstructionId sum, InstructionId rows) {
  return with_reduced_rows(r, outer()[exit_], exit_value(), sum, rows);
}

InstructionId LoopParts::branch(Rewriter& r, const RowsOfChain& chain, size_t index,
                                const RowValues& at, std::optional<InstructionId> carried,
                                InstructionId condition, const BranchNames& names,
                                const MakeRows& make_rows, const Otherwise& otherwise) {
  const std::vector<InstructionId> needed = chain.needed(index, at, carried);
  std::vector<Shape> shapes;
  for (InstructionId value : needed) shapes.push_back(r.shape(value));
  const Shape taken = Shape::make_tuple(std::move(shapes));
  const ComputationId yes = new_computation(
      module_, names.then, {taken}, [&](Rewriter& inner, const std::vector<InstructionId>& p) {
        RowValues values;
        const InstructionId value = chain.unpack(inner, p[0], index, at, carried, values);
        return make_rows(inner, values, value);
      });
  const InstructionId rest =
      tuple(r, carried ? std::vector<InstructionId>{*carried} : std::vector<InstructionId>{});
  const ComputationId no =
      new_computation(module_, names.otherwise, {r.shape(rest)},
                      [&](Rewriter& inner, const std::vector<InstructionId>& p) {
                        return otherwise(inner, carried ? element(inner, p[0], 0) : p[0]);
                      });
  const InstructionId packed = tuple(r, needed);
  return r.add(Opcode::kConditional, {condition, packed, rest}, {}, {yes, no});
}

InstructionId LoopParts::choice(Rewriter& r, const RowsOfChain& chain, size_t index,
                                const RowValues& at, InstructionId carried, InstructionId condition,
                                const BranchNames& names, const MakeRows& make_rows,
                                const MakeRows& otherwise) {
  const InstructionId packed = tuple(r, chain.needed(index, at, carried));
  const auto made_by = [&](const std::string& name, const MakeRows& make) {
    return new_computation(module_, name, {r.shape(packed)},
                           [&](Rewriter& inner, const std::vector<InstructionId>& p) {
                             RowValues values;
                             const InstructionId value =
                                 chain.unpack(inner, p[0], index, at, carried, values);
                             return make(inner, values, value);
                           });
  };
  const ComputationId yes = made_by(names.then, make_rows),
                      no = made_by(names.otherwise, otherwise);
  return r.add(Opcode::kConditional, {condition, packed, packed}, {}, {yes, no});
}

}  // namespace hlocc::transforms

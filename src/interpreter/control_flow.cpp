// Ops that run computations: loops iterate here, they never nest on our stack.
#include "interpreter/families.h"
#include "interpreter/indices.h"
#include "interpreter/monoid.h"
#include "support/text.h"

namespace hlocc::interpreter {

using hlo::Instruction;

// Parameters get their values from run_computation, never from an evaluation.
Result<Literal> evaluate(Op<Opcode::kParameter>, Context&, const Instruction& instruction,
                         Operands) {
  return instruction_error(DiagnosticKind::kInternal, instruction,
                           "a parameter has no value of its own");
}

Result<Literal> evaluate(Op<Opcode::kCall>, Context& context, const Instruction& instruction,
                         Operands operands) {
  return run_computation(
      context, instruction.called[0],
      {std::make_move_iterator(operands.begin()), std::make_move_iterator(operands.end())});
}

Result<Literal> evaluate(Op<Opcode::kFusion>, Context& context, const Instruction& instruction,
                         Operands operands) {
  return evaluate(Op<Opcode::kCall>{}, context, instruction, operands);
}

// called: {body, condition}. The state is handed over to the body, so that it may change it in
// place.
Result<Literal> evaluate(Op<Opcode::kWhile>, Context& context, const Instruction& instruction,
                         Operands operands) {
  const ComputationId body = instruction.called[0], condition = instruction.called[1];
  Literal state = std::move(operands[0]);
  for (;;) {
    HLOCC_TRY_ASSIGN(const Literal goes_on, run_computation(context, condition, {state}));
    if (hlo::integer_at(goes_on, 0) == 0) return state;
    std::vector<Literal> argument;
    argument.push_back(std::move(state));
    HLOCC_TRY_ASSIGN(state, run_computation(context, body, std::move(argument)));
  }
}

// A pred picks the first branch when true; an index out of range picks the last branch.
Result<Literal> evaluate(Op<Opcode::kConditional>, Context& context, const Instruction& instruction,
                         Operands operands) {
  const int64_t last = static_cast<int64_t>(instruction.called.size()) - 1;
  int64_t branch = hlo::integer_at(operands[0], 0);
  if (hlo::is_pred(operands[0].type())) {
    branch = branch != 0 ? 0 : 1;
  } else if (branch < 0 || branch > last) {
    branch = last;
  }
  return run_computation(context, instruction.called[branch], {std::move(operands[1 + branch])});
}

Result<Literal> evaluate(Op<Opcode::kMap>, Context& context, const Instruction& instruction,
                         Operands operands) {
  ScalarFunction function(context, instruction.called[0]);
  const ScalarColumns inputs(operands);
  Literal result = Literal::zeros(instruction.shape);
  const ElementAccess access(result.type());
  std::byte* out = result.mutable_bytes().data();
  for (int64_t i = 0; i < result.element_count(); ++i) {
    inputs.load(i, function, 0);
    HLOCC_TRY(function.call());
    access.store(out, i, function.result(0));
  }
  return result;
}

namespace {

// The part of an array at one index of a dimension.
StridedView line_view(const Shape& shape, int64_t dimension, int64_t index) {
  StridedView view{0, hlo::row_major_strides(shape.dimensions)};
  view.base = index * view.strides[dimension];
  view.strides.erase(view.strides.begin() + dimension);
  return view;
}

Shape without_dimension(const Shape& shape, int64_t dimension) {
  Dimensions dimensions = shape.dimensions;
  dimensions.erase(dimensions.begin() + dimension);
  return Shape::array(shape.element_type, dimensions);
}

void copy_part(Literal& to, const StridedView& to_view, const Literal& from,
               const StridedView& from_view, const Dimensions& box) {
  strided_copy(box, hlo::storage_bytes(from.type()), to.mutable_bytes().data(), to_view,
               from.bytes().data(), from_view);
}

}  // namespace

// A loop along one dimension: the body takes a part of each input and the carries, gives a part of
// each output and the next carries.
Result<Literal> evaluate(Op<Opcode::kScan>, Context& context, const Instruction& instruction,
                         Operands operands) {
  const auto& scan = instruction.get<hlo::ScanAttributes>();
  const size_t carries = static_cast<size_t>(scan.num_carries), inputs = operands.size() - carries;
  std::vector<Literal> state(operands.begin() + inputs, operands.end());
  const std::vector<Shape> shapes =
      instruction.shape.is_tuple() ? instruction.shape.tuple : std::vector{instruction.shape};
  std::vector<Literal> outputs;
  for (size_t i = 0; i + carries < shapes.size(); ++i) outputs.push_back(Literal::zeros(shapes[i]));
  const int64_t length = operands[0].shape().dimensions[scan.dimension];
  for (int64_t step = 0; step < length; ++step) {
    const int64_t at = scan.is_reverse ? length - 1 - step : step;
    std::vector<Literal> arguments;
    for (size_t i = 0; i < inputs; ++i) {
      Literal& part = arguments.emplace_back(
          Literal::zeros(without_dimension(operands[i].shape(), scan.dimension)));
      const Dimensions& box = part.shape().dimensions;
      copy_part(part, {0, hlo::row_major_strides(box)}, operands[i],
                line_view(operands[i].shape(), scan.dimension, at), box);
    }
    arguments.insert(arguments.end(), std::make_move_iterator(state.begin()),
                     std::make_move_iterator(state.end()));
    HLOCC_TRY_ASSIGN(Literal returned,
                     run_computation(context, instruction.called[0], std::move(arguments)));
    std::vector<Literal> parts =
        returned.is_tuple() ? std::move(returned.elements()) : std::vector{returned};
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Dimensions& box = parts[i].shape().dimensions;
      copy_part(outputs[i], line_view(outputs[i].shape(), scan.dimension, at), parts[i],
                {0, hlo::row_major_strides(box)}, box);
    }
    state.assign(std::make_move_iterator(parts.begin() + static_cast<int64_t>(outputs.size())),
                 std::make_move_iterator(parts.end()));
  }
  outputs.insert(outputs.end(), std::make_move_iterator(state.begin()),
                 std::make_move_iterator(state.end()));
  return instruction.shape.is_tuple() ? Literal::make_tuple(std::move(outputs))
                                      : std::move(outputs[0]);
}

}  // namespace hlocc::interpreter

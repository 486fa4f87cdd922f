// Planning and running of scalar computations.
#include "interpreter/scalar_function.h"

#include "interpreter/out_of_work.h"
#include "support/budget.h"

namespace hlocc::interpreter {
namespace {

using hlo::Computation;
using hlo::Instruction;

// bitcast-convert between types of one size: bits through storage, because values of small floats
// are held as f32.
void bitcast_lanes(const Kernel& kernel, const Lanes& lanes) {
  std::byte storage[16];
  ElementAccess(kernel.from).store(storage, 0, lanes.operands[0]);
  ElementAccess(kernel.to).load(storage, 0, lanes.result);
}

void copy_lanes(const Kernel& kernel, const Lanes& lanes) {
  std::memcpy(lanes.result, lanes.operands[0], value_bytes(kernel.from));
}

bool is_scalar_identity(Opcode opcode) {
  return opcode == Opcode::kCopy || opcode == Opcode::kReshape || opcode == Opcode::kBroadcast ||
         opcode == Opcode::kBitcast || opcode == Opcode::kTranspose ||
         opcode == Opcode::kOptBarrier;
}

// A scalar or a tuple of scalars, one level deep.
bool is_scalar_shape(const Shape& shape) {
  if (!shape.is_tuple()) return shape.is_scalar();
  for (const Shape& element : shape.tuple)
    if (!element.is_scalar()) return false;
  return true;
}

}  // namespace

ScalarFunction::ScalarFunction(Context& context, ComputationId id) : context_(context), id_(id) {
  const Computation& computation = context.module.computations[id];
  std::vector<std::vector<Slot>> parameters;
  for (InstructionId p : computation.parameters) {
    arguments_.push_back(add_slot(computation[p].shape.element_type));
    parameters.push_back({arguments_.back()});
  }
  planned_ = plan(id, parameters, results_);
  if (!planned_) {
    steps_.clear();
    constants_.clear();
    results_.clear();
    for (const Shape& leaf : hlo::leaf_shapes(computation.root_instruction().shape))
      results_.push_back(add_slot(leaf.element_type));
  }
  cells_.resize(types_.size());
  for (const auto& [at, value] : constants_)
    ElementAccess(value.type()).load(value.bytes().data(), 0, slot(at));
  for (Step& step : steps_) {
    for (size_t i = 0; i < 3; ++i) step.lanes.operands[i] = slot(step.operands[i]);
    step.lanes.result = slot(step.result);
    step.lanes.count = 1;
  }
}

ScalarFunction::Slot ScalarFunction::add_slot(PrimitiveType type) {
  types_.push_back(type);
  return static_cast<Slot>(types_.size()) - 1;
}

bool ScalarFunction::plan(ComputationId id, const std::vector<std::vector<Slot>>& parameters,
                          std::vector<Slot>& root) {
  const Computation& computation = context_.module.computations[id];
  // Calls are planned in place; a plan of this length is no reducer any more.
  if (steps_.size() + computation.instructions.size() > 10000) return false;
  std::vector<std::vector<Slot>> values(computation.instructions.size());
  for (size_t i = 0; i < computation.instructions.size(); ++i) {
    const Instruction& instruction = computation.instructions[i];
    if (!is_scalar_shape(instruction.shape)) return false;
    std::vector<std::vector<Slot>> operands;
    for (InstructionId operand : instruction.operands) operands.push_back(values[operand]);
    if (!plan_instruction(instruction, operands, parameters)) return false;
    values[i] = std::move(operands.front());
  }
  root = values[computation.root];
  return true;
}

// `values` holds the operands' slots on entry, and the result's as its first element on return.
bool ScalarFunction::plan_instruction(const Instruction& instruction,
                                      std::vector<std::vector<Slot>>& values,
                                      const std::vector<std::vector<Slot>>& parameters) {
  std::vector<Slot> value;
  switch (instruction.opcode) {
    case Opcode::kParameter:
      value = parameters[instruction.get<hlo::ParameterAttributes>().number];
      break;
    case Opcode::kConstant: {
      if (instruction.shape.is_tuple()) return false;
      value = {add_slot(instruction.shape.element_type)};
      constants_.emplace_back(value[0], instruction.get<hlo::ConstantAttributes>().value);
      break;
    }
    case Opcode::kTuple:
      for (const std::vector<Slot>& operand : values) {
        if (operand.size() != 1) return false;
        value.push_back(operand[0]);
      }
      break;
    case Opcode::kGetTupleElement:
      value = {values[0][instruction.get<hlo::TupleIndexAttributes>().index]};
      break;
    case Opcode::kCall:
    case Opcode::kFusion:
      if (!plan(instruction.called[0], values, value)) return false;
      break;
    default: {
      std::vector<Slot> operands;
      for (const std::vector<Slot>& operand : values)
        operands.insert(operands.end(), operand.begin(), operand.end());
      if (instruction.shape.is_tuple() || operands.size() != instruction.operands.size())
        return false;
      if (!plan_kernel(instruction, operands, value)) return false;
    }
  }
  values.assign(1, std::move(value));
  return true;
}

bool ScalarFunction::plan_kernel(const Instruction& instruction, const std::vector<Slot>& operands,
                                 std::vector<Slot>& value) {
  if (operands.empty() || operands.size() > 3) return false;
  const PrimitiveType from = types_[operands[0]], to = instruction.shape.element_type;
  Step step;
  if (is_scalar_identity(instruction.opcode) && from == to) {
    step.kernel = KernelRequest{instruction, from, to}.kernel(&copy_lanes);
  } else if (instruction.opcode == Opcode::kBitcastConvert &&
             hlo::storage_bytes(from) == hlo::storage_bytes(to) &&
             hlo::type_bits(from) == hlo::type_bits(to)) {
    step.kernel = KernelRequest{instruction, from, to}.kernel(&bitcast_lanes);
  } else {
    std::vector<PrimitiveType> types;
    for (Slot operand : operands) types.push_back(types_[operand]);
    const std::optional<Kernel> kernel = find_kernel(instruction, types);
    if (!kernel) return false;
    step.kernel = *kernel;
  }
  std::copy(operands.begin(), operands.end(), step.operands.begin());
  step.result = add_slot(to);
  step.settles = needs_settling(to);
  steps_.push_back(step);
  value = {step.result};
  return true;
}

Status ScalarFunction::call() {
  constexpr int64_t kCallWork = 20, kStepWork = 10;
  if (!may_search(kCallWork + kStepWork * static_cast<int64_t>(steps_.size())))
    return out_of_work(context_.module.computations[id_]);
  if (!planned_) return interpret();
  for (const Step& step : steps_) {
    step.kernel.run(step.kernel, step.lanes);
    if (step.settles) settle(step.kernel.to, step.lanes.result, 1);
  }
  return {};
}

Status ScalarFunction::interpret() {
  std::vector<Literal> arguments;
  for (int i = 0; i < argument_count(); ++i) {
    Literal value = Literal::zeros(Shape::scalar(argument_type(i)));
    ElementAccess(value.type()).store(value.mutable_bytes().data(), 0, argument(i));
    arguments.push_back(std::move(value));
  }
  HLOCC_TRY_ASSIGN(const Literal value, run_computation(context_, id_, std::move(arguments)));
  const std::vector<Literal> results = hlo::leaves(value);
  for (int i = 0; i < result_count(); ++i)
    ElementAccess(results[i].type()).load(results[i].bytes().data(), 0, slot(results_[i]));
  return {};
}

}  // namespace hlocc::interpreter

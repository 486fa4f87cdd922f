// inline_calls: calls, fusions of optimised HLO, map and asynchronous pairs become the instructions
// that they stand for; barriers, domains and tokens become their operand; tuples that are only
// taken apart again disappear. What remains are plain values in a few computations (loop bodies,
// branches, reducers), so that every later pass sees across what used to be function borders. JAX
// wraps almost every helper in a call.
#include "ops/check/locate.h"
#include "support/text.h"
#include "transforms/build.h"
#include "transforms/expand/single_device.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

InstructionId inlined(Rewriter& r, const Instruction& instruction) {
  return r.inline_computation(instruction.called[0], instruction.operands);
}

InstructionId first_operand(Rewriter&, const Instruction& instruction) {
  return instruction.operands[0];
}

// A token carries no value: all are one.
InstructionId lone_token(Rewriter& r, const Instruction& instruction) {
  return instruction.operands.empty() ? kNone : default_value(r, Shape::token());
}

InstructionId tuple_element(Rewriter& r, const Instruction& instruction) {
  const Instruction& operand = r[instruction.operands[0]];
  if (operand.opcode != Opcode::kTuple) return kNone;
  return operand.operands[instruction.get<hlo::TupleIndexAttributes>().index];
}

// (operands, result, contexts...): what a start op gives, for its done op to take the result from.
InstructionId in_flight(Rewriter& r, const Shape& shape, InstructionId operands,
                        InstructionId result) {
  std::vector<InstructionId> parts{operands, result};
  for (size_t i = 2; i < shape.tuple.size(); ++i) parts.push_back(default_value(r, shape.tuple[i]));
  return tuple(r, std::move(parts));
}

InstructionId async_start(Rewriter& r, const Instruction& instruction) {
  const InstructionId operands = tuple(r, instruction.operands);
  return in_flight(r, instruction.shape, operands, inlined(r, instruction));
}

InstructionId copy_start(Rewriter& r, const Instruction& instruction) {
  return in_flight(r, instruction.shape, instruction.operands[0], instruction.operands[0]);
}

InstructionId result_in_flight(Rewriter& r, const Instruction& instruction) {
  return element(r, instruction.operands[0], 1);
}

// map applies a scalar computation to every element: its instructions, each on whole arrays.
InstructionId map(Rewriter& r, const Instruction& instruction) {
  const Dimensions dimensions = instruction.shape.dimensions;
  const hlo::ComputationId called = instruction.called[0];
  const size_t count = r.module().computations[called].instructions.size();
  std::vector<InstructionId> lifted(count, kNone);
  for (size_t i = 0; i < count; ++i) {
    Instruction scalar = r.module().computations[called].instructions[i];
    if (scalar.opcode == Opcode::kParameter) {
      lifted[i] = instruction.operands[scalar.get<hlo::ParameterAttributes>().number];
      continue;
    }
    for (InstructionId& operand : scalar.operands) operand = lifted[operand];
    const bool is_view = scalar.opcode == Opcode::kReshape || scalar.opcode == Opcode::kBroadcast ||
                         scalar.opcode == Opcode::kCopy || scalar.opcode == Opcode::kTranspose;
    const hlo::Family family = hlo::info(scalar.opcode).family;
    const bool is_elementwise =
        family == hlo::Family::kElementwise || scalar.opcode == Opcode::kBitcastConvert;
    if (!scalar.shape.is_scalar() ||
        !(is_view || is_elementwise || scalar.opcode == Opcode::kConstant)) {
      r.fail(ops::locate(
          error(DiagnosticKind::kUnsupported, cat("a computation with ", opcode_name(scalar.opcode),
                                                  " can't be mapped over an array"))
              .note("write the map's computation with elementwise ops on scalars"),
          r.module(), r.computation(), instruction));
      return instruction.operands.empty() ? zeros(r, instruction.shape.element_type, dimensions)
                                          : instruction.operands[0];
    }
    if (is_view) {
      lifted[i] = scalar.operands[0];
    } else if (scalar.opcode == Opcode::kConstant) {
      lifted[i] = splat(r, scalar.get<hlo::ConstantAttributes>().value, dimensions);
    } else {
      scalar.shape.dimensions = dimensions;
      scalar.name.clear();
      lifted[i] = r.emit(std::move(scalar));
    }
  }
  return lifted[r.module().computations[called].root];
}

InstructionId inline_op(Rewriter& r, const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kCall:
    case Opcode::kFusion: return inlined(r, instruction);
    case Opcode::kMap: return map(r, instruction);
    case Opcode::kOptBarrier:
    case Opcode::kDomain:
    case Opcode::kAddDependency:
    case Opcode::kAsyncUpdate: return first_operand(r, instruction);
    case Opcode::kAfterAll: return lone_token(r, instruction);
    case Opcode::kGetTupleElement: return tuple_element(r, instruction);
    case Opcode::kAsyncStart: return async_start(r, instruction);
    case Opcode::kCopyStart: return copy_start(r, instruction);
    case Opcode::kAsyncDone:
    case Opcode::kCopyDone: return result_in_flight(r, instruction);
    default: return on_single_device(r, instruction);
  }
}

}  // namespace

Status inline_calls(Module& module, const PassContext&) {
  if (module.replica_count > 1 || module.num_partitions > 1)
    return ops::locate(
        error(DiagnosticKind::kUnsupported, cat("runs on ", module.replica_count, " replicas and ",
                                                module.num_partitions, " partitions"))
            .note("export the program for one device"),
        module);
  HLOCC_TRY(rewrite(module, inline_op));
  return {};
}

}  // namespace hlocc::transforms

// See gpu_support.h.
#include "devices/vulkan/gpu_support.h"

#include <algorithm>

#include "kernel/lapack/routine_table.h"
#include "ops/custom_calls.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

using hlo::Instruction, hlo::Module, hlo::Opcode, hlo::PrimitiveType;

// Types whose arithmetic a row may lack; the first that is part of a shape.
WhyNot lacking_type(const hlo::Shape& shape, const GpuDevice& gpu) {
  for (const hlo::Shape& leaf : hlo::leaf_shapes(shape)) {
    const PrimitiveType type = leaf.element_type;
    if (!gpu.f64 && (type == PrimitiveType::kF64 || type == PrimitiveType::kC128))
      return cat(gpu.name, " has no ", hlo::type_name(type));
  }
  return "";
}

// Calls that become ops before code is generated (transforms/expand).
bool is_op(const hlo::Computation& computation, const Instruction& call) {
  if (call.operands.empty()) return false;
  const hlo::Shape& operand = computation[call.operands[0]].shape;
  return ops::is_identity(call, operand) || ops::is_top_k(call, operand);
}

WhyNot of_itself(const hlo::Computation& computation, const Instruction& one,
                 const GpuDevice& gpu) {
  if (one.opcode == Opcode::kCustomCall && !is_op(computation, one))
    return kernel::lapack::find_routine(one.get<hlo::CustomCallAttributes>().target) != nullptr
               ? "linear algebra, which one invocation would do alone"
               : "a function of another library";
  return lacking_type(one.shape, gpu);
}

WhyNot with_all_it_calls(const Module& module, const hlo::Computation& computation,
                         const Instruction& instruction, const GpuDevice& gpu) {
  if (WhyNot why = of_itself(computation, instruction, gpu); !why.empty()) return why;
  for (const hlo::ComputationId called : instruction.called) {
    const hlo::Computation& inner = module.computations[static_cast<size_t>(called)];
    for (const Instruction& one : inner.instructions)
      if (WhyNot why = with_all_it_calls(module, inner, one, gpu); !why.empty()) return why;
  }
  return "";
}

}  // namespace

WhyNot why_not_on_gpu(const Module& module, const Instruction& instruction, const GpuDevice& gpu) {
  for (const hlo::InstructionId operand : instruction.operands)
    if (WhyNot why = lacking_type(module.entry_computation()[operand].shape, gpu); !why.empty())
      return why;
  return with_all_it_calls(module, module.entry_computation(), instruction, gpu);
}

}  // namespace hlocc::device

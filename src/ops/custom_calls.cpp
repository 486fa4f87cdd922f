// The table of annotations, and TopK's comparator.
#include "ops/custom_calls.h"

#include <algorithm>
#include <iterator>

#include "support/text.h"

namespace hlocc::ops {
namespace {

constexpr std::string_view annotations[] = {
    "Sharding",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "LayoutConstraint",
    "MoveToHost",
    "MoveToDevice",
    "annotate_device_placement",
    "xla.sdy.FuncResultSharding",
    "PinToDevice",
};

constexpr std::string_view host_callbacks[] = {
    "xla_ffi_python_cpu_callback", "xla_ffi_partitioned_python_cpu_callback",
    "xla_ffi_python_gpu_callback", "xla_ffi_partitioned_python_gpu_callback",
    "xla_python_cpu_callback",     "xla_python_gpu_callback"};

}  // namespace

bool is_host_callback(std::string_view target) {
  return std::find(std::begin(host_callbacks), std::end(host_callbacks), target) !=
         std::end(host_callbacks);
}

Diagnostic refuse_host_callback(const hlo::Instruction& call) {
  const hlo::Metadata& from = call.metadata;
  const std::string where =
      from.source_file.empty() ? "" : cat(", made by ", from.source_file, ":", from.source_line);
  return error(DiagnosticKind::kUnsupported,
               cat("custom-call %", call.name, " calls back into Python (",
                   call.get<hlo::CustomCallAttributes>().target, ")", where,
                   "; there is no Python on the target"))
      .note(
          "leave jax.debug.print, jax.debug.callback, jax.pure_callback and "
          "jax.experimental.io_callback out of the function "
          "that is exported");
}

bool is_annotation(std::string_view target) {
  return std::find(std::begin(annotations), std::end(annotations), target) != std::end(annotations);
}

bool is_identity(const hlo::Instruction& call, const hlo::Shape& operand) {
  return is_annotation(call.get<hlo::CustomCallAttributes>().target) &&
         hlo::same_dimensions_and_type(operand, call.shape);
}

bool is_top_k(const hlo::Instruction& call, const hlo::Shape& operand) {
  if (call.get<hlo::CustomCallAttributes>().target != "TopK" || call.operands.size() != 1 ||
      call.shape.tuple.size() != 2 || operand.rank() == 0)
    return false;
  const hlo::Shape &values = call.shape.tuple[0], &places = call.shape.tuple[1];
  hlo::Dimensions wanted = operand.dimensions;
  if (values.rank() != operand.rank()) return false;
  wanted.back() = std::min(wanted.back(), values.dimensions.back());
  return values.element_type == operand.element_type && values.dimensions == wanted &&
         places.element_type == hlo::PrimitiveType::kS32 && places.dimensions == wanted;
}

bool wants_largest(const hlo::Module& module, const hlo::Instruction& call) {
  if (call.called.empty()) return true;
  const hlo::Instruction& root = module.computations[call.called[0]].root_instruction();
  if (root.opcode != hlo::Opcode::kCompare) return true;
  const hlo::Direction direction = root.get<hlo::CompareAttributes>().direction;
  return direction == hlo::Direction::kGt || direction == hlo::Direction::kGe;
}

}  // namespace hlocc::ops

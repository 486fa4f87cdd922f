// See buffers.h.
#include "import/buffers.h"

#include <algorithm>
#include <iterator>

#include "ops/check/locate.h"
#include "support/text.h"

namespace hlocc::import {
namespace {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Module;
using hlo::Opcode;

constexpr std::string_view kMark = "hlocc_buffer";

constexpr Opcode carriers[] = {Opcode::kParameter, Opcode::kTuple,       Opcode::kGetTupleElement,
                               Opcode::kWhile,     Opcode::kConditional, Opcode::kCall,
                               Opcode::kOptBarrier};

bool is_call_of(const Instruction& instruction, std::initializer_list<std::string_view> names,
                size_t operands) {
  if (instruction.opcode != Opcode::kCustomCall || instruction.operands.size() != operands)
    return false;
  const std::string target = to_upper(instruction.get<hlo::CustomCallAttributes>().target);
  return std::ranges::find(names, target) != names.end();
}

void become(Instruction& instruction, Opcode opcode, std::vector<InstructionId> operands,
            hlo::Attributes attributes) {
  instruction.opcode = opcode;
  instruction.operands = std::move(operands);
  instruction.attributes = std::move(attributes);
}

// What lies in a new buffer is anything; zeros are.
void make_zeros(Computation& computation, InstructionId id) {
  const hlo::PrimitiveType type = computation[id].shape.element_type;
  const InstructionId zero =
      computation.add(hlo::make_constant(hlo::Literal::zeros(hlo::Shape::scalar(type))));
  become(computation[id], Opcode::kBroadcast, {zero}, hlo::DimensionsAttributes{});
}

// The instruction holds a buffer or reads one.
Status settle(const Module& module, Computation& computation, InstructionId id) {
  Instruction& instruction = computation[id];
  if (is_call_of(instruction, {"PIN", "UNPIN"}, 1)) {
    become(instruction, Opcode::kCopy, instruction.operands, hlo::NoAttributes{});
  } else if (is_call_of(instruction, {"CREATEBUFFER", "ALLOCATEBUFFER"}, 0) &&
             instruction.shape.is_array()) {
    make_zeros(computation, id);
  } else if (std::ranges::find(carriers, instruction.opcode) == std::end(carriers)) {
    return ops::locate(
        error(DiagnosticKind::kUnsupported,
              "takes or makes a buffer, b(...), which is changed in place")
            .note(
                "buffers are served where copies mean the same: Pin, Unpin, CreateBuffer, tuples, "
                "calls and loops; write the rest with plain arrays"),
        module, computation, instruction);
  }
  return {};
}

// The caller's memory is changed in place where a result takes it over.
Status check_arguments(const Module& module, const std::vector<bool>& has_buffer) {
  const Computation& entry = module.entry_computation();
  for (size_t id = 0; id < entry.instructions.size(); ++id) {
    const Instruction& one = entry.instructions[id];
    if (one.opcode != Opcode::kParameter || !has_buffer[id]) continue;
    const int64_t number = one.get<hlo::ParameterAttributes>().number;
    const auto donates = [&](const hlo::Alias& alias) { return alias.parameter == number; };
    if (std::ranges::any_of(module.aliases, donates)) continue;
    return ops::locate(
        error(DiagnosticKind::kUnsupported, "is a buffer of the caller's that no result takes over")
            .note("donate it: input_output_alias={ {}: (0, {}) }"),
        module, entry, one);
  }
  return {};
}

}  // namespace

void mark_buffer(Instruction& instruction) { instruction.frontend_attributes[std::string(kMark)]; }

Status settle_buffers(Module& module) {
  for (size_t c = 0; c < module.computations.size(); ++c) {
    Computation& computation = module.computations[c];
    const size_t count = computation.instructions.size();
    std::vector<bool> has_buffer(count);
    for (size_t id = 0; id < count; ++id)
      has_buffer[id] =
          computation.instructions[id].frontend_attributes.erase(std::string(kMark)) > 0;
    if (std::ranges::find(has_buffer, true) == has_buffer.end()) continue;
    for (size_t id = 0; id < count; ++id) {
      const auto& operands = computation.instructions[id].operands;
      const auto is_buffer = [&](InstructionId operand) { return has_buffer[operand]; };
      if (has_buffer[id] || std::ranges::any_of(operands, is_buffer))
        HLOCC_TRY(settle(module, computation, static_cast<InstructionId>(id)));
    }
    if (static_cast<hlo::ComputationId>(c) == module.entry)
      HLOCC_TRY(check_arguments(module, has_buffer));
  }
  return {};
}

}  // namespace hlocc::import

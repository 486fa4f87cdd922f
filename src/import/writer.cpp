// Ids follow new producers: the computation's number in the upper half, the instruction's in the
// lower.
#include "import/writer.h"

#include "hlo.pb.h"
#include "import/proto/attributes.h"
#include "import/proto/literal.h"
#include "import/proto/shape.h"
#include "import/proto/wire.h"

namespace hlocc::import {
namespace {
using hlo::Computation;
using hlo::Instruction;
using hlo::Module;

// XLA reads id 0 as "none" in places, so that both numbers count from one.
int64_t computation_id(hlo::ComputationId computation) { return int64_t{computation} + 1; }
int64_t instruction_id(hlo::ComputationId computation, hlo::InstructionId instruction) {
  return computation_id(computation) << 32 | (int64_t{instruction} + 1);
}

void write_metadata(const Instruction& instruction, proto::HloInstructionProto& out) {
  hlo::Metadata m = instruction.metadata;
  m.hlo_name.clear();
  if (!(m == hlo::Metadata{})) {
    proto::OpMetadata& metadata = *out.mutable_metadata();
    metadata.set_op_type(m.op_type);
    metadata.set_op_name(m.op_name);
    metadata.set_source_file(m.source_file);
    metadata.set_source_line(m.source_line);
    metadata.set_stack_frame_id(m.stack_frame);
  }
  for (const auto& [key, value] : instruction.frontend_attributes) {
    proto::FrontendAttributes::Entry& entry = *out.mutable_frontend_attributes()->add_map();
    entry.set_key(key);
    entry.set_value(value);
  }
}

void write_instruction(const Instruction& instruction, hlo::ComputationId computation,
                       hlo::InstructionId id, proto::HloInstructionProto& out) {
  out.set_name(instruction.name);
  out.set_opcode(std::string(hlo::opcode_name(instruction.opcode)));
  write_shape(instruction.shape, *out.mutable_shape());
  out.set_id(instruction_id(computation, id));
  for (hlo::InstructionId operand : instruction.operands)
    out.add_operand_ids(instruction_id(computation, operand));
  for (hlo::InstructionId before : instruction.control_predecessors)
    out.add_control_predecessor_ids(instruction_id(computation, before));
  for (hlo::ComputationId called : instruction.called)
    out.add_called_computation_ids(computation_id(called));
  write_attributes(instruction.attributes, out);
  write_metadata(instruction, out);
}

void write_computation(const Computation& computation, hlo::ComputationId id,
                       proto::HloComputationProto& out) {
  out.set_name(computation.name);
  out.set_id(computation_id(id));
  out.set_root_id(instruction_id(id, computation.root));
  for (size_t i = 0; i < computation.instructions.size(); ++i)
    write_instruction(computation.instructions[i], id, static_cast<hlo::InstructionId>(i),
                      *out.add_instructions());
  for (hlo::InstructionId parameter : computation.parameters) {
    write_shape(computation[parameter].shape, *out.mutable_program_shape()->add_parameters());
    out.mutable_program_shape()->add_parameter_names(computation[parameter].name);
  }
  write_shape(computation.root_instruction().shape, *out.mutable_program_shape()->mutable_result());
}

void write_entry_layout(const Module& module, proto::ProgramShapeProto& out) {
  for (const hlo::Shape& shape : module.entry_parameters) write_shape(shape, *out.add_parameters());
  write_shape(module.entry_result, *out.mutable_result());
  for (hlo::InstructionId parameter : module.entry_computation().parameters)
    out.add_parameter_names(module.entry_computation()[parameter].name);
}

// A location for each frame, under its id.
void write_frames(const Module& module, proto::StackFrameIndexProto& out) {
  for (const std::string& name : module.source_files) out.add_file_names(name);
  for (const std::string& name : module.source_functions) out.add_function_names(name);
  for (const hlo::SourceFrame& frame : module.frames) {
    proto::StackFrameIndexProto::FileLocation& location = *out.add_file_locations();
    location.set_file_name_id(frame.file);
    location.set_function_name_id(frame.function);
    location.set_line(frame.line);
    proto::StackFrameIndexProto::StackFrame& written = *out.add_stack_frames();
    written.set_file_location_id(out.file_locations_size());
    written.set_parent_frame_id(frame.caller);
  }
}

void write_aliases(const Module& module, proto::HloInputOutputAliasProto& out) {
  for (const hlo::Alias& alias : module.aliases) {
    proto::HloInputOutputAliasProto::AliasEntryProto& entry = *out.add_entries();
    write_dimensions(alias.output_index, entry.mutable_output_shape_index());
    entry.set_parameter_number(alias.parameter);
    write_dimensions(alias.parameter_index, entry.mutable_parameter_shape_index());
    entry.set_kind(alias.must_alias ? 2 : 1);
  }
}

// The order of instructions is the schedule of a scheduled module.
void write_schedule(const Module& module, proto::HloScheduleProto& out) {
  for (size_t c = 0; c < module.computations.size(); ++c) {
    proto::HloScheduleProto::Entry& entry = *out.add_sequences();
    entry.set_key(computation_id(static_cast<hlo::ComputationId>(c)));
    for (size_t i = 0; i < module.computations[c].instructions.size(); ++i)
      entry.mutable_value()->add_instruction_ids(
          instruction_id(static_cast<hlo::ComputationId>(c), static_cast<hlo::InstructionId>(i)));
  }
}

hlo::Literal with_default_layout(hlo::Literal literal) {
  literal.set_shape(hlo::with_default_layout(literal.shape()));
  for (hlo::Literal& element : literal.elements())
    element = with_default_layout(std::move(element));
  return literal;
}

std::string serialize(const Module& module) {
  proto::HloModuleProto out;
  out.set_name(module.name);
  out.set_entry_computation_name(module.entry_computation().name);
  out.set_entry_computation_id(computation_id(module.entry));
  for (size_t c = 0; c < module.computations.size(); ++c)
    write_computation(module.computations[c], static_cast<hlo::ComputationId>(c),
                      *out.add_computations());
  write_entry_layout(module, *out.mutable_host_program_shape());
  if (module.is_scheduled) write_schedule(module, *out.mutable_schedule());
  if (!module.aliases.empty()) write_aliases(module, *out.mutable_input_output_alias());
  if (!module.frames.empty()) write_frames(module, *out.mutable_stack_frame_index());
  return out.SerializeAsString();
}

}  // namespace

std::vector<std::byte> write_module(const Module& module) {
  const std::string text = serialize(module);
  const Bytes bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> write_snapshot(const Module& module, const Snapshot& snapshot) {
  WireWriter hlo;
  hlo.length_field(1, as_bytes(serialize(module)));
  WireWriter out;
  out.length_field(1, hlo.bytes());
  for (const hlo::Literal& argument : snapshot.arguments)
    out.length_field(2, write_literal(argument));
  out.length_field(3, write_literal(snapshot.result));
  return std::move(out).take();
}

std::vector<std::byte> write_literal(const hlo::Literal& literal) {
  return write_literal_proto(with_default_layout(literal));
}
Result<hlo::Literal> read_literal(std::span<const std::byte> bytes) {
  return read_literal_proto(bytes, "the literal");
}

}  // namespace hlocc::import

// The module's own fields, and the order of work: find all computations, then read each.
#include "import/proto/module.h"

#include "import/limits.h"
#include "import/proto/computation.h"
#include "import/proto/shape.h"
#include "import/proto/stack_frames.h"
#include "import/proto/unfolding.h"
#include "import/structure.h"
#include "ops/check/locate.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::Module;
using P = proto::HloModuleProto;

// The fields of a module, the computations unread.
struct ModuleHead {
  std::string name, entry_name;
  int64_t entry_id = 0;
  std::vector<Bytes> computations;
  Bytes program_shape, aliases, stack_frames;
  bool is_scheduled = false;
};

Diagnostic malformed(std::string_view what, const std::string& file) {
  return error(DiagnosticKind::kFormat, cat(what, " is malformed or truncated")).at({file, 0});
}

Result<ModuleHead> read_head(Bytes bytes, const std::string& file) {
  ModuleHead head;
  WireReader reader(bytes);
  for (WireField field; reader.next(field);) {
    if (field.type == WireType::kVarint && field.number == P::kEntryComputationIdFieldNumber)
      head.entry_id = static_cast<int64_t>(field.value);
    if (field.type != WireType::kLength) continue;
    switch (field.number) {
      case P::kNameFieldNumber: head.name = as_text(field.payload); break;
      case P::kEntryComputationNameFieldNumber: head.entry_name = as_text(field.payload); break;
      case P::kComputationsFieldNumber: head.computations.push_back(field.payload); break;
      case P::kHostProgramShapeFieldNumber: head.program_shape = field.payload; break;
      case P::kScheduleFieldNumber: head.is_scheduled = true; break;
      case P::kInputOutputAliasFieldNumber: head.aliases = field.payload; break;
      case P::kStackFrameIndexFieldNumber: head.stack_frames = field.payload; break;
    }
  }
  if (reader.failed()) return malformed(cat("module ", head.name), file);
  return head;
}

// Parses a small part of the module with protobuf.
template <typename T>
Result<T> parse_part(Bytes bytes, std::string_view what, const std::string& file) {
  T part;
  if (static_cast<int64_t>(bytes.size()) > 4 * kMaxInstructionBytes)
    return error(DiagnosticKind::kLimit, cat(what, " takes ", bytes.size(), " bytes"))
        .at({file, 0});
  HLOCC_TRY(charge_unfolding(bytes, [&] { return std::string(what); }));
  if (bytes.empty() || part.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return part;
  return malformed(what, file);
}

Result<StackFrames> read_stack_frames(Bytes bytes, const std::string& file) {
  HLOCC_TRY_ASSIGN(const auto index,
                   parse_part<proto::StackFrameIndexProto>(bytes, "the stack frame index", file));
  StackFrames frames;
  frames.file_names.assign(index.file_names().begin(), index.file_names().end());
  frames.function_names.assign(index.function_names().begin(), index.function_names().end());
  for (const auto& location : index.file_locations())
    frames.file_locations.push_back(
        {location.file_name_id(), location.function_name_id(), location.line()});
  for (const auto& frame : index.stack_frames())
    frames.frames.push_back({frame.file_location_id(), frame.parent_frame_id()});
  return frames;
}

Status read_aliases(Bytes bytes, Module& module) {
  HLOCC_TRY_ASSIGN(const auto aliases, parse_part<proto::HloInputOutputAliasProto>(
                                           bytes, "the input-output alias list", module.file));
  // Kind 0 is no alias. Whether the indices exist is the verifier's question.
  for (const auto& entry : aliases.entries())
    if (entry.kind() != 0)
      module.aliases.push_back({to_dimensions(entry.output_shape_index()), entry.parameter_number(),
                                to_dimensions(entry.parameter_shape_index()), entry.kind() == 2});
  return {};
}

// Entry layouts; false where the file has none.
Result<bool> read_program_shape(Bytes bytes, Module& module) {
  if (bytes.empty()) return false;
  HLOCC_TRY_ASSIGN(const auto program,
                   parse_part<proto::ProgramShapeProto>(bytes, "the program shape", module.file));
  if (!program.has_result()) return false;
  for (const proto::ShapeProto& parameter : program.parameters()) {
    HLOCC_TRY_ASSIGN(hlo::Shape shape, read_shape(parameter, "a parameter in the program shape"));
    module.entry_parameters.push_back(std::move(shape));
  }
  HLOCC_TRY_ASSIGN(module.entry_result,
                   read_shape(program.result(), "the result in the program shape"));
  return true;
}

Result<hlo::ComputationId> find_entry(const ModuleHead& head,
                                      const std::vector<ComputationHead>& computations,
                                      const std::unordered_map<int64_t, hlo::ComputationId>& ids,
                                      const Module& module) {
  if (const auto found = ids.find(head.entry_id); found != ids.end()) return found->second;
  for (size_t c = 0; c < computations.size(); ++c)
    if (!head.entry_name.empty() && computations[c].name == head.entry_name)
      return static_cast<hlo::ComputationId>(c);
  return ops::locate(
      error(DiagnosticKind::kStructure, cat("entry computation id ", head.entry_id, " ('",
                                            head.entry_name, "') names no computation")),
      module);
}

}  // namespace

Result<Module> read_module_proto(Bytes bytes, const std::string& file, Elided& elided) {
  HLOCC_TRY_ASSIGN(const ModuleHead head, read_head(bytes, file));
  Module module;
  module.name = head.name;
  module.file = file;
  module.is_scheduled = head.is_scheduled;
  HLOCC_TRY_ASSIGN(StackFrames frames, read_stack_frames(head.stack_frames, file));
  frames.move_into(module);

  std::vector<ComputationHead> computations;
  std::unordered_map<int64_t, hlo::ComputationId> ids;
  int64_t instructions = 0;
  for (Bytes computation : head.computations) {
    HLOCC_TRY_ASSIGN(ComputationHead read, read_computation_head(computation, file));
    instructions += static_cast<int64_t>(read.instructions.size()) + 1;
    if (instructions > kMaxInstructions)
      return ops::locate(
          error(DiagnosticKind::kLimit, cat("has more than ", kMaxInstructions, " instructions")),
          module);
    if (!ids.emplace(read.id, static_cast<hlo::ComputationId>(computations.size())).second)
      return ops::locate(
          error(DiagnosticKind::kStructure,
                cat("computation %", read.name, " has the id ", read.id, " of another")),
          module);
    computations.push_back(std::move(read));
  }
  HLOCC_TRY_ASSIGN(module.entry, find_entry(head, computations, ids, module));
  for (const ComputationHead& computation : computations) {
    HLOCC_TRY_ASSIGN(hlo::Computation read, read_computation(computation, {module, ids, elided}));
    module.computations.push_back(std::move(read));
  }
  HLOCC_TRY(read_aliases(head.aliases, module));
  Result<bool> has_layout = read_program_shape(head.program_shape, module);
  if (!has_layout) return ops::locate(std::move(has_layout).error(), module);
  HLOCC_TRY(finish_module(module, *has_layout));
  return module;
}

}  // namespace hlocc::import

// Modules, computations and lines. Names in a proto may hold any bytes and may repeat; in text they
// must be words and unique in their scope, so that each scope gets a table of printed names first.
#include "ops/text/printer.h"

#include <cstdio>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "ops/text/literal_text.h"
#include "ops/text/printer_attributes.h"
#include "ops/text/printer_names.h"
#include "support/text.h"

namespace hlocc::ops {
namespace {
using hlo::Computation;
using hlo::Instruction;
using hlo::Module;
using hlo::Opcode;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

// Printed names of a scope, by index. The next suffix of each name is kept, because a file may give
// all its instructions the same one.
template <typename Items>
std::vector<std::string> unique_names(const Items& items) {
  std::unordered_set<std::string> taken;
  std::unordered_map<std::string, int> suffixes;
  std::vector<std::string> names;
  for (const auto& item : items) {
    const std::string base = to_hlo_name(item.name);
    std::string name = base;
    while (!taken.insert(name).second) name = cat(base, ".", ++suffixes[base]);
    names.push_back(std::move(name));
  }
  return names;
}

// What a line needs to know of its surroundings.
struct Scope {
  const Computation& computation;
  std::function<std::string(hlo::InstructionId)> instruction_name;
  std::function<std::string(hlo::ComputationId)> computation_name;
  const PrintOptions& options;
};

std::string names_list(const Scope& scope, const std::vector<hlo::InstructionId>& ids) {
  std::vector<std::string> names;
  for (hlo::InstructionId id : ids) names.push_back(cat("%", scope.instruction_name(id)));
  return join(names, ", ");
}

void append_operands(std::string& out, const Scope& scope, const Instruction& instruction) {
  if (instruction.opcode == Opcode::kParameter) {
    append_text(out, instruction.get<hlo::ParameterAttributes>().number);
  } else if (instruction.opcode == Opcode::kConstant) {
    append_literal(out, instruction.get<hlo::ConstantAttributes>().value,
                   scope.options.max_constant_elements);
  } else {
    out += names_list(scope, instruction.operands);
  }
}

void append_called_list(std::string& out, const Scope& scope, const Instruction& instruction,
                        std::string_view name) {
  std::vector<std::string> names;
  for (hlo::ComputationId called : instruction.called)
    names.push_back(cat("%", scope.computation_name(called)));
  out += cat(", ", name, "={", join(names, ", "), "}");
}

bool has_pred_index(const Scope& scope, const Instruction& conditional) {
  return !conditional.operands.empty() && conditional.called.size() == 2 &&
         is_pred(scope.computation.operand(conditional, 0).shape.element_type);
}

void append_called(std::string& out, const Scope& scope, const Instruction& instruction) {
  if (instruction.called.empty()) return;
  const bool branch_list =
      instruction.opcode == Opcode::kConditional && !has_pred_index(scope, instruction);
  const bool list = branch_list || instruction.opcode == Opcode::kCustomCall;
  for (const CalledName& row : called_names(instruction.opcode)) {
    if (row.list) {
      if (list) return append_called_list(out, scope, instruction, row.name);
    } else if (row.index < static_cast<int>(instruction.called.size())) {
      out += cat(", ", row.name, "=%", scope.computation_name(instruction.called[row.index]));
    }
  }
}

void append_metadata(std::string& out, const hlo::Metadata& metadata) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) parts.push_back(cat(name, "=", quoted(text)));
  };
  add("op_type", metadata.op_type);
  add("op_name", metadata.op_name);
  add("source_file", metadata.source_file);
  if (metadata.source_line != 0) parts.push_back(cat("source_line=", metadata.source_line));
  if (!parts.empty()) out += cat(", metadata={", join(parts, " "), "}");
}

void append_frontend_attributes(std::string& out,
                                const std::map<std::string, std::string>& attributes) {
  if (attributes.empty()) return;
  std::vector<std::string> parts;
  for (const auto& [key, value] : attributes)
    parts.push_back(cat(to_hlo_name(key) == key ? key : quoted(key), "=", quoted(value)));
  out += cat(", frontend_attributes={", join(parts, ","), "}");
}

std::string line(const Scope& scope, const Instruction& instruction, const std::string& name) {
  std::string out = cat("%", name, " = ", to_string(instruction.shape), " ",
                        hlo::opcode_name(instruction.opcode), "(");
  append_operands(out, scope, instruction);
  out += ')';
  const hlo::PrimitiveType first_operand =
      instruction.operands.empty() ? hlo::PrimitiveType::kTuple
                                   : scope.computation.operand(instruction, 0).shape.element_type;
  std::map<std::string, std::string> frontend = instruction.frontend_attributes;
  if (const auto* fusion = std::get_if<hlo::FusionAttributes>(&instruction.attributes);
      fusion && fusion->kind.empty()) {
    out += ", kind=kCustom";
    frontend[std::string(kScheduleAttribute)] = hlo::schedule_name(fusion->schedule);
    if (fusion->serpentine) frontend[std::string(kSerpentineAttribute)] = "true";
  }
  if (const auto* map = std::get_if<hlo::MapAttributes>(&instruction.attributes);
      map && !map->function.empty())
    frontend[std::string(kFunctionAttribute)] = map->function;
  append_attributes(out, instruction, first_operand);
  // On one device a domain is an identity and its shardings are not kept; XLA's parser wants some.
  if (instruction.opcode == Opcode::kDomain)
    out += ", domain={kind=\"sharding\", entry={replicated}, exit={replicated}}";
  append_called(out, scope, instruction);
  append_frontend_attributes(out, frontend);
  if (!instruction.control_predecessors.empty())
    out +=
        cat(", control-predecessors={", names_list(scope, instruction.control_predecessors), "}");
  if (scope.options.metadata) append_metadata(out, instruction.metadata);
  if (const auto* custom = std::get_if<hlo::CustomCallAttributes>(&instruction.attributes);
      custom && !custom->backend_config.empty())
    out += cat(", backend_config=", quoted(custom->backend_config));
  return out;
}

std::string signature(const Computation& computation, const std::vector<std::string>& names) {
  std::vector<std::string> parameters;
  for (hlo::InstructionId parameter : computation.parameters)
    parameters.push_back(
        cat(names[parameter], ": ", to_string(computation[parameter].shape, false)));
  return cat("(", join(parameters, ", "), ") -> ",
             to_string(computation.root_instruction().shape, false));
}

void append_computation(std::string& out, const Module& module, hlo::ComputationId id,
                        const std::vector<std::string>& computation_names,
                        const PrintOptions& options) {
  const Computation& computation = module.computations[id];
  const std::vector<std::string> names = unique_names(computation.instructions);
  const Scope scope{computation, [&](hlo::InstructionId i) { return names[i]; },
                    [&](hlo::ComputationId c) { return computation_names[c]; }, options};
  out += cat("\n", id == module.entry ? "ENTRY " : "", "%", computation_names[id], " ",
             signature(computation, names), " {\n");
  for (size_t i = 0; i < computation.instructions.size(); ++i) {
    const bool root = static_cast<hlo::InstructionId>(i) == computation.root;
    out += cat(root ? "  ROOT " : "  ", line(scope, computation.instructions[i], names[i]), "\n");
  }
  out += "}\n";
}

std::string index_text(const hlo::Dimensions& index) { return cat("{", join(index, ","), "}"); }

std::string header(const Module& module) {
  std::string out = "HloModule " + to_hlo_name(module.name);
  if (module.is_scheduled) out += ", is_scheduled=true";
  if (!module.aliases.empty()) {
    std::vector<std::string> entries;
    for (const hlo::Alias& alias : module.aliases)
      entries.push_back(cat(index_text(alias.output_index), ": (", alias.parameter, ", ",
                            index_text(alias.parameter_index),
                            alias.must_alias ? ", must-alias)" : ", may-alias)"));
    out += cat(", input_output_alias={ ", join(entries, ", "), " }");
  }
  std::vector<std::string> parameters;
  for (const hlo::Shape& shape : module.entry_parameters) parameters.push_back(to_string(shape));
  out += cat(", entry_computation_layout={(", join(parameters, ", "), ")->",
             to_string(module.entry_result), "}");
  if (module.replica_count != 1) out += cat(", replica_count=", module.replica_count);
  if (module.num_partitions != 1) out += cat(", num_partitions=", module.num_partitions);
  return out + "\n";
}

}  // namespace

std::string to_hlo_name(std::string_view name) {
  std::string out;
  for (char c : name) out += is_name_character(c) ? c : '_';
  // A name starts with a letter or '_'.
  if (out.empty() || out[0] == '.' || out[0] == '-' || (out[0] >= '0' && out[0] <= '9'))
    out.insert(0, "_");
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (code < 0x20 || code >= 0x7f) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\%03o", code);
      out += buffer;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string to_text(const Module& module, const PrintOptions& options) {
  std::string out = header(module);
  const std::vector<std::string> names = unique_names(module.computations);
  for (hlo::ComputationId id : computation_order(module))
    append_computation(out, module, id, names, options);
  return out;
}

void number_lines(Module& module) {
  int line = 1;  // the header
  for (const hlo::ComputationId id : computation_order(module)) {
    line += 2;  // an empty one, and the signature
    for (Instruction& instruction : module.computations[id].instructions) instruction.line = ++line;
    ++line;  // the brace
  }
}

std::string to_text(const Module& module, const Computation& computation,
                    const Instruction& instruction) {
  const PrintOptions options{.max_constant_elements = 10};
  const Scope scope{
      computation, [&](hlo::InstructionId i) { return to_hlo_name(computation[i].name); },
      [&](hlo::ComputationId c) { return to_hlo_name(module.computations[c].name); }, options};
  return line(scope, instruction, to_hlo_name(instruction.name));
}

}  // namespace hlocc::ops

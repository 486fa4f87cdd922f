// See layer.h.
#include "lowering/program/layer.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "lowering/emitter/loop_ops.h"
#include "support/text.h"

namespace hlocc::lowering {
namespace {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;

// What JAX writes into op_name for its own control flow. "jit(f)" and transformations of nothing
// ("jvp()") say nothing of the model either.
constexpr std::array<std::string_view, 12> kStructure = {
    "while", "body", "cond",   "scan",       "closed_call",     "core_call",
    "remat", "pjit", "remat2", "checkpoint", "custom_jvp_call", "custom_vjp_call"};

bool is_structure(std::string_view part) {
  return part.empty() || part.starts_with("jit(") || part.starts_with("pjit(") ||
         part.find("()") != std::string_view::npos ||
         std::ranges::find(kStructure, part) != kStructure.end();
}

// The parts of op_name that are the model's, with what it does last.
std::vector<std::string_view> parts_of(std::string_view op_name) {
  std::vector<std::string_view> parts;
  while (!op_name.empty()) {
    const size_t end = std::min(op_name.find('/'), op_name.size());
    const std::string_view part = op_name.substr(0, end);
    op_name.remove_prefix(std::min(end + 1, op_name.size()));
    if (!is_structure(part)) parts.push_back(part);
  }
  return parts;
}

// "add.33" is of "add".
bool is_numbered(std::string_view name, std::string_view stem) {
  if (!name.starts_with(stem)) return false;
  name.remove_prefix(stem.size());
  return name.empty() ||
         (name[0] == '.' && name.find_first_not_of("0123456789.") == std::string_view::npos);
}

bool is_contraction(const Instruction& instruction) {
  return instruction.opcode == Opcode::kDot || instruction.opcode == Opcode::kConvolution;
}

// Grows with the products of a contraction: of M x K and K x N they are M K N, and this is its
// square.
double size_of(const Group& group, const Instruction& contraction) {
  double size = static_cast<double>(contraction.shape.element_count());
  for (const InstructionId operand : contraction.operands)
    size *= static_cast<double>(group[operand].shape.element_count());
  return size;
}

bool has_line(const Instruction& instruction) { return !instruction.metadata.source_file.empty(); }

// Not the user's own.
bool is_of_package(std::string_view file) {
  return file.find("/site-packages/") != std::string_view::npos ||
         file.find("/dist-packages/") != std::string_view::npos;
}

std::string name_of(const std::vector<std::string>& names, int id) {
  return id < 1 || id > static_cast<int>(names.size()) ? "" : names[static_cast<size_t>(id) - 1];
}

// Stacks of more frames are no model's; what is outside of them is left away.
constexpr size_t kMostFrames = 32;

std::vector<kernel::SourceLine> source_of(const hlo::Module& module,
                                          const hlo::Metadata& metadata) {
  std::vector<kernel::SourceLine> lines;
  const int frames = static_cast<int>(module.frames.size());
  for (int at = metadata.stack_frame; at > 0 && at <= frames && lines.size() < kMostFrames;) {
    const hlo::SourceFrame& frame = module.frames[static_cast<size_t>(at) - 1];
    const std::string file = name_of(module.source_files, frame.file);
    if (!file.empty() && !is_of_package(file))
      lines.push_back({file, name_of(module.source_functions, frame.function), frame.line});
    at = frame.caller;
  }
  if (lines.empty() && !metadata.source_file.empty())
    lines.push_back({metadata.source_file, "", metadata.source_line});
  return lines;
}

}  // namespace

std::string layer_name(const Instruction& instruction) {
  const hlo::Metadata& metadata = instruction.metadata;
  const std::string& own = metadata.hlo_name.empty() ? instruction.name : metadata.hlo_name;
  const std::vector<std::string_view> parts = parts_of(metadata.op_name);
  if (parts.empty() || (parts.size() == 1 && is_numbered(own, parts[0]))) return own;
  return join(parts, "/");
}

InstructionId layer_instruction(const Group& group) {
  const std::vector<InstructionId> inner = inner_instructions(group);
  InstructionId largest = hlo::kNone;
  for (const InstructionId id : inner)
    if (is_contraction(group[id]) &&
        (largest == hlo::kNone || size_of(group, group[id]) > size_of(group, group[largest])))
      largest = id;
  if (largest != hlo::kNone) return largest;
  const bool plain = group.schedule == hlo::Schedule::kPlain;
  const InstructionId loop = plain ? hero(group) : hlo::kNone;
  return loop == hlo::kNone ? group.roots[0] : loop;
}

kernel::Origin origin_of(const hlo::Module& module, const Instruction& instruction,
                         const std::string& text_file) {
  kernel::Origin origin{{instruction.name},
                        layer_name(instruction),
                        to_string(instruction.shape, false),
                        source_of(module, instruction.metadata)};
  if (origin.source.empty() && !text_file.empty() && instruction.line > 0)
    origin.source.push_back({text_file, "", instruction.line});
  return origin;
}

kernel::Origin origin_of(const kernel::Leaf& leaf, const std::string& name) {
  return {{name}, leaf.name.empty() ? name : leaf.name, to_string(leaf.shape, false)};
}

kernel::Origin origin_of(const Group& group, const std::string& text_file) {
  const InstructionId named = layer_instruction(group);
  kernel::Origin origin = origin_of(*group.module, group[named], text_file);
  origin.hlo = instruction_names(group);
  InstructionId nearest = named;
  const auto distance = [&](InstructionId id) { return id < named ? named - id : id - named; };
  for (const InstructionId id : inner_instructions(group)) {
    if (has_line(group[id]) && (!has_line(group[nearest]) || distance(id) < distance(nearest)))
      nearest = id;
  }
  if (has_line(group[nearest])) origin.source = source_of(*group.module, group[nearest].metadata);
  return origin;
}

}  // namespace hlocc::lowering

// Which attribute names the computations that an opcode calls.
#include "ops/text/printer_names.h"

namespace hlocc::ops {

using hlo::Opcode;

hlo::ComparisonType default_comparison_type(hlo::PrimitiveType operand) {
  if (hlo::is_signed(operand)) return hlo::ComparisonType::kSigned;
  if (hlo::is_unsigned(operand) || hlo::is_pred(operand)) return hlo::ComparisonType::kUnsigned;
  return hlo::ComparisonType::kFloat;
}

namespace {
// The value of a frontend attribute, which is taken away.
std::optional<std::string> take(hlo::Instruction& instruction, std::string_view key) {
  auto entry = instruction.frontend_attributes.extract(std::string(key));
  if (entry.empty()) return std::nullopt;
  return std::move(entry.mapped());
}
}  // namespace

void restore_annotations(hlo::Instruction& instruction) {
  if (auto* fusion = std::get_if<hlo::FusionAttributes>(&instruction.attributes)) {
    const auto name = instruction.frontend_attributes.find(std::string(kScheduleAttribute));
    if (name == instruction.frontend_attributes.end()) return;
    const std::optional<hlo::Schedule> schedule = hlo::schedule_from_name(name->second);
    if (!schedule) return;
    take(instruction, kScheduleAttribute);
    fusion->kind.clear();
    fusion->schedule = *schedule;
    fusion->serpentine = take(instruction, kSerpentineAttribute).has_value();
  } else if (auto* map = std::get_if<hlo::MapAttributes>(&instruction.attributes)) {
    map->function = take(instruction, kFunctionAttribute).value_or("");
  }
}

void settle_map_dimensions(hlo::Instruction& instruction, const hlo::Shape& operand) {
  auto* const map = std::get_if<hlo::MapAttributes>(&instruction.attributes);
  if (map == nullptr || !map->dimensions.empty()) return;
  for (int d = 0; d < operand.rank(); ++d) map->dimensions.push_back(d);
}

std::span<const CalledName> called_names(Opcode opcode) {
  static constexpr CalledName to_apply[] = {{"to_apply", 0, false}};
  static constexpr CalledName while_loop[] = {{"condition", 1, false}, {"body", 0, false}};
  static constexpr CalledName select_and_scatter[] = {{"select", 0, false}, {"scatter", 1, false}};
  static constexpr CalledName conditional[] = {{"branch_computations", 0, true},
                                               {"true_computation", 0, false},
                                               {"false_computation", 1, false}};
  static constexpr CalledName calls[] = {{"calls", 0, false}, {"called_computations", 0, true}};
  static constexpr CalledName custom_call[] = {
      {"called_computations", 0, true}, {"to_apply", 0, false}, {"calls", 0, false}};
  switch (opcode) {
    case Opcode::kWhile: return while_loop;
    case Opcode::kSelectAndScatter: return select_and_scatter;
    case Opcode::kConditional: return conditional;
    case Opcode::kFusion:
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kAsyncDone: return calls;
    case Opcode::kCustomCall: return custom_call;
    default: return hlo::info(opcode).called == 0 ? std::span<const CalledName>{} : to_apply;
  }
}

}  // namespace hlocc::ops

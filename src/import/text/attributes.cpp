// Attributes that any instruction may have are a table of readers; then come called computations,
// then the fields of the opcode's own struct.
#include "import/text/attributes.h"

#include <algorithm>
#include <set>

#include "import/limits.h"
#include "import/proto/stack_frames.h"
#include "import/text/fields.h"
#include "import/text/list.h"
#include "import/text/literal.h"
#include "ops/text/printer_names.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::ComputationId;
using hlo::Instruction;
using hlo::kNone;

class AttributeParser {
 public:
  AttributeParser(TextModule& text, TextScope& scope, Instruction& instruction)
      : text_(text), scope_(scope), instruction_(instruction), cursor_(text.cursor) {}

  Status parse(bool nested) {
    set_defaults();
    while (!nested && cursor_.accept(",")) HLOCC_TRY(parse_one());
    HLOCC_TRY(check_called());
    if (const std::string missing = missing_field(instruction_.attributes, seen_); !missing.empty())
      return fail(DiagnosticKind::kAttribute, cat("the attribute ", missing, " is missing"));
    ops::restore_annotations(instruction_);
    if (!instruction_.operands.empty())
      ops::settle_map_dimensions(instruction_, scope_.computation.operand(instruction_, 0).shape);
    return {};
  }

 private:
  // But for the number of a parameter and the value of a constant, which were read as operands.
  void set_defaults() {
    if (instruction_.opcode == hlo::Opcode::kParameter ||
        instruction_.opcode == hlo::Opcode::kConstant)
      return;
    instruction_.attributes = default_attributes(instruction_.opcode, first_operand_type());
  }
  hlo::PrimitiveType first_operand_type() const {
    return instruction_.operands.empty()
               ? hlo::PrimitiveType::kTuple
               : scope_.computation.operand(instruction_, 0).shape.element_type;
  }
  Diagnostic fail(DiagnosticKind kind, std::string_view message) {
    return error(kind, cat("%", instruction_.name, " (", hlo::opcode_name(instruction_.opcode),
                           ") in computation %", scope_.computation.name, ": ", message))
        .at({text_.module.file, instruction_.line});
  }

  struct Common {
    std::string_view name;
    Status (AttributeParser::*parse)();
  };

  Status parse_one() {
    const std::string name(cursor_.word());
    if (name.empty()) return cursor_.expected("the name of an attribute");
    HLOCC_TRY(cursor_.expect("="));
    if (!seen_.insert(name).second)
      return fail(DiagnosticKind::kSyntax, cat("the attribute ", name, " is given twice"));
    static constexpr Common commons[] = {
        {"metadata", &AttributeParser::parse_metadata},
        {"frontend_attributes", &AttributeParser::parse_frontend_attributes},
        {"control-predecessors", &AttributeParser::parse_control_predecessors},
        {"backend_config", &AttributeParser::parse_backend_config},
        {"literal", &AttributeParser::parse_literal},
    };
    for (const Common& row : commons)
      if (row.name == name) return (this->*row.parse)();
    for (const ops::CalledName& row : ops::called_names(instruction_.opcode))
      if (row.name == name) return parse_called(row);
    HLOCC_TRY_ASSIGN(const bool known, parse_field(cursor_, name, instruction_.attributes));
    return known ? Status() : cursor_.skip_value();
  }

  // --- attributes of any instruction ---
  Status parse_metadata() {
    int64_t frame = 0;
    const auto item = [&]() -> Status {
      const std::string part(cursor_.word());
      HLOCC_TRY(cursor_.expect("="));
      return parse_metadata_part(part, frame);
    };
    HLOCC_TRY(parse_list(cursor_, item));
    resolve_frame(frame, text_.module, instruction_.metadata);
    return {};
  }

  Status parse_metadata_part(std::string_view part, int64_t& frame) {
    hlo::Metadata& m = instruction_.metadata;
    struct Text {
      std::string_view name;
      std::string& value;
    };
    for (const Text& row : {Text{"op_type", m.op_type}, Text{"op_name", m.op_name},
                            Text{"source_file", m.source_file}}) {
      if (row.name != part) continue;
      HLOCC_TRY_ASSIGN(row.value, cursor_.quoted());
      return {};
    }
    if (part != "source_line" && part != "stack_frame_id") return cursor_.skip_value();
    HLOCC_TRY_ASSIGN(const int64_t number, cursor_.integer());
    if (part == "stack_frame_id")
      frame = number;
    else
      m.source_line = static_cast<int>(number);
    return {};
  }

  Status parse_frontend_attributes() {
    const auto item = [&]() -> Status {
      std::string key(cursor_.word());
      if (key.empty()) {
        HLOCC_TRY_ASSIGN(key, cursor_.quoted());
      }
      HLOCC_TRY(cursor_.expect("="));
      HLOCC_TRY_ASSIGN(instruction_.frontend_attributes[key], parse_text());
      return {};
    };
    return parse_list(cursor_, item);
  }

  // A string, or a JSON dictionary that stands for itself.
  Result<std::string> parse_text() {
    return cursor_.peek() == '{' ? cursor_.braced() : cursor_.quoted();
  }

  Status parse_control_predecessors() {
    const auto item = [&]() -> Status {
      HLOCC_TRY_ASSIGN(std::string name, cursor_.name());
      const auto self = static_cast<hlo::InstructionId>(scope_.computation.instructions.size());
      scope_.controls.push_back({self, std::move(name), cursor_.line()});
      return {};
    };
    return parse_list(cursor_, item);
  }

  Status parse_backend_config() {
    if (auto* custom = std::get_if<hlo::CustomCallAttributes>(&instruction_.attributes)) {
      HLOCC_TRY_ASSIGN(custom->backend_config, parse_text());
      return {};
    }
    return cursor_.skip_value();
  }

  // Custom calls may carry one, for compilers that know the target; the user's function gets none.
  Status parse_literal() { return skip_shaped_literal(cursor_); }

  // --- called computations ---
  Result<ComputationId> parse_computation_reference() {
    if (cursor_.peek() == '{') return parse_inline_computation(text_);
    HLOCC_TRY_ASSIGN(const std::string name, cursor_.name());
    if (const auto found = text_.computations.find(name); found != text_.computations.end())
      return found->second;
    return fail(DiagnosticKind::kStructure,
                cat("calls computation %", name, ", which is not defined before this line"));
  }

  Status parse_called(const ops::CalledName& row) {
    if (row.list) return parse_called_list();
    HLOCC_TRY_ASSIGN(const ComputationId called, parse_computation_reference());
    if (static_cast<int>(instruction_.called.size()) <= row.index)
      instruction_.called.resize(row.index + 1, kNone);
    instruction_.called[row.index] = called;
    return {};
  }

  Status parse_called_list() {
    const auto item = [&]() -> Status {
      HLOCC_TRY_ASSIGN(const ComputationId called, parse_computation_reference());
      instruction_.called.push_back(called);
      return {};
    };
    return parse_list(cursor_, item);
  }

  Status check_called() {
    const int needed = hlo::info(instruction_.opcode).called;
    for (const ops::CalledName& row : ops::called_names(instruction_.opcode)) {
      if (row.list || row.index >= needed) continue;
      if (row.index >= static_cast<int>(instruction_.called.size()) ||
          instruction_.called[row.index] == kNone)
        return fail(DiagnosticKind::kAttribute, cat("the attribute ", row.name, " is missing"));
    }
    if (std::find(instruction_.called.begin(), instruction_.called.end(), kNone) !=
        instruction_.called.end())
      return fail(DiagnosticKind::kAttribute, "true_computation or false_computation is missing");
    return {};
  }

  TextModule& text_;
  TextScope& scope_;
  Instruction& instruction_;
  TextCursor& cursor_;
  std::set<std::string, std::less<>> seen_;
};

}  // namespace

Status parse_attributes(TextModule& text, TextScope& scope, Instruction& instruction, bool nested) {
  return AttributeParser(text, scope, instruction).parse(nested);
}

}  // namespace hlocc::import

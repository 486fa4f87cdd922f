// Operands, then attributes, then the shape if the text left it out. Nested operands and inline
// computations recurse, up to a limit.
#include "import/text/instruction.h"

#include <algorithm>
#include <utility>

#include "import/buffers.h"
#include "import/limits.h"
#include "import/opcode_hint.h"
#include "import/text/async.h"
#include "import/text/attributes.h"
#include "import/text/literal.h"
#include "import/text/shape.h"
#include "ops/check/well_formed.h"
#include "ops/contraction_types.h"
#include "ops/infer.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using hlo::Shape;

// The result of these does not follow from their operands.
constexpr Opcode opcodes_with_shape[] = {
    Opcode::kParameter,
    Opcode::kConstant,
    Opcode::kBitcast,
    Opcode::kBitcastConvert,
    Opcode::kBroadcast,
    Opcode::kConvert,
    Opcode::kCustomCall,
    Opcode::kInfeed,
    Opcode::kIota,
    Opcode::kReshape,
    Opcode::kRecv,
    Opcode::kRng,
    Opcode::kDynamicReshape,
    Opcode::kRngBitGenerator,
    Opcode::kSend,
    Opcode::kReduceScatter,
    Opcode::kStochasticConvert,
    Opcode::kAsyncStart,
    Opcode::kAsyncUpdate,
    Opcode::kAsyncDone,
    Opcode::kAllGather,
    Opcode::kAllGatherStart,
    Opcode::kRngGetAndUpdateState,
    Opcode::kScaledDot,
    Opcode::kShuffle,
};

class InstructionParser {
 public:
  InstructionParser(TextModule& text, TextScope& scope)
      : text_(text), scope_(scope), cursor_(text.cursor) {}

  // What follows "name =" or stands as a nested operand; nested ones have no name and no
  // attributes.
  Result<InstructionId> parse(std::string name, bool nested) {
    Instruction instruction;
    instruction.name = std::move(name);
    instruction.line = cursor_.line();
    const bool has_shape = at_shape(cursor_);
    if (has_shape) HLOCC_TRY(assign_shape(instruction));
    HLOCC_TRY_ASSIGN(const AsyncOpcode opcode, parse_opcode(instruction));
    instruction.opcode = opcode.opcode;
    if (!has_shape && needs_shape(opcode))
      return cursor_.fail(
          DiagnosticKind::kSyntax,
          cat("%", instruction.name, " needs its shape written out: that of ",
              hlo::opcode_name(opcode.opcode), " does not follow from its operands"));
    HLOCC_TRY(parse_operands(instruction));
    HLOCC_TRY(parse_attributes(text_, scope_, instruction, nested));
    HLOCC_TRY(finish_async(text_, scope_.computation, opcode.phase, instruction));
    if (!has_shape) HLOCC_TRY(infer(instruction));
    return append(std::move(instruction));
  }

 private:
  Status assign_shape(Instruction& instruction) {
    const size_t begin = cursor_.position();
    HLOCC_TRY_ASSIGN(instruction.shape, parse_shape(cursor_));
    if (cursor_.since(begin).find("b(") != std::string_view::npos) mark_buffer(instruction);
    return {};
  }

  static bool needs_shape(const AsyncOpcode& opcode) {
    return opcode.phase != AsyncPhase::kNone ||
           std::find(std::begin(opcodes_with_shape), std::end(opcodes_with_shape), opcode.opcode) !=
               std::end(opcodes_with_shape);
  }

  Result<AsyncOpcode> parse_opcode(const Instruction& instruction) {
    const std::string word(cursor_.peek_word());
    if (word.empty()) return cursor_.expected("a shape or an opcode");
    if (const std::optional<AsyncOpcode> opcode = find_opcode(word)) {
      cursor_.word();
      return *opcode;
    }
    Diagnostic diagnostic = unknown_opcode(word);
    diagnostic.message = cat("%", instruction.name, " in computation %", scope_.computation.name,
                             ": ", diagnostic.message);
    return std::move(diagnostic).at(cursor_.fail(DiagnosticKind::kSyntax, "").location);
  }

  Status parse_operands(Instruction& instruction) {
    HLOCC_TRY(cursor_.expect("("));
    if (instruction.opcode == Opcode::kParameter) {
      HLOCC_TRY_ASSIGN(const int64_t number, cursor_.integer());
      instruction.attributes = hlo::ParameterAttributes{number};
      return cursor_.expect(")");
    }
    if (instruction.opcode == Opcode::kConstant) {
      HLOCC_TRY_ASSIGN(hlo::Literal value, parse_literal(cursor_, instruction.shape, text_.elided));
      instruction.attributes = hlo::ConstantAttributes{std::move(value)};
      return cursor_.expect(")");
    }
    while (!cursor_.accept(")")) {
      if (!instruction.operands.empty()) HLOCC_TRY(cursor_.expect(","));
      HLOCC_TRY_ASSIGN(const InstructionId operand, parse_operand());
      instruction.operands.push_back(operand);
    }
    return {};
  }

  // shape? name, or shape? opcode operands.
  Result<InstructionId> parse_operand() {
    const size_t begin = cursor_.position();
    Shape shape;
    const bool has_shape = at_shape(cursor_);
    if (has_shape) {
      HLOCC_TRY_ASSIGN(shape, parse_shape(cursor_));
    }
    const bool percent = cursor_.looking_at("%");
    HLOCC_TRY_ASSIGN(const std::string name, cursor_.name());
    if (!percent && cursor_.looking_at("(")) {
      cursor_.rewind(begin);
      return parse_nested();
    }
    if (const auto found = scope_.names.find(name); found != scope_.names.end())
      return found->second;
    if (scope_.operands_are_parameters && has_shape) return add_parameter(name, std::move(shape));
    return cursor_.fail(DiagnosticKind::kStructure,
                        cat("%", name, " is not defined in computation %", scope_.computation.name,
                            " before this line"));
  }

  Result<InstructionId> parse_nested() {
    if (++text_.nesting > kMaxNesting)
      return cursor_.fail(DiagnosticKind::kLimit,
                          cat("operands are nested deeper than ", kMaxNesting));
    Result<InstructionId> operand = parse(give_name(), true);
    --text_.nesting;
    return operand;
  }

  std::string give_name() {
    const size_t first =
        scope_.computation.instructions.size() + static_cast<size_t>(text_.nesting);
    size_t number = std::max(scope_.next_nested, first);
    while (scope_.names.contains(cat("nested.", number))) ++number;
    scope_.next_nested = number + 1;
    return *scope_.given.insert(cat("nested.", number)).first;
  }

  // False if the file has given the name before; one that we gave is given to the file's.
  bool claim(const std::string& name, InstructionId id) {
    const auto [place, is_new] = scope_.names.emplace(name, id);
    if (is_new) return true;
    if (scope_.given.erase(name) == 0) return false;
    const InstructionId ours = std::exchange(place->second, id);
    std::string& other = scope_.computation[ours].name;
    other = give_name();
    scope_.names.emplace(other, ours);
    return true;
  }

  Result<InstructionId> add_parameter(const std::string& name, Shape shape) {
    const auto is_parameter = [](const Instruction& i) { return i.opcode == Opcode::kParameter; };
    const auto& all = scope_.computation.instructions;
    Instruction parameter = hlo::make_parameter(std::count_if(all.begin(), all.end(), is_parameter),
                                                std::move(shape), name);
    parameter.line = cursor_.line();
    return append(std::move(parameter));
  }

  // Contractions take their element type from the stated shape; where there is none it is the wider
  // of the operands'.
  Shape stand_in(const Instruction& instruction) const {
    if (instruction.operands.empty()) return {};
    Shape shape = with_default_layout(scope_.computation.operand(instruction, 0).shape);
    if (!shape.is_array() || instruction.operands.size() < 2) return shape;
    const Shape& other = scope_.computation.operand(instruction, 1).shape;
    if (other.is_array())
      shape.element_type = ops::higher_precision(shape.element_type, other.element_type);
    return shape;
  }

  Status infer(Instruction& instruction) {
    // A tuple of tuples doubles where its operands are one.
    int64_t bytes = 0;
    for (const InstructionId operand : instruction.operands)
      bytes += ops::held_bytes(scope_.computation[operand].shape);
    HLOCC_TRY(charge_memory(bytes, [&] { return cat("the shape of %", instruction.name); }));
    instruction.shape = stand_in(instruction);
    Result<Shape> shape = ops::infer_shape(text_.module, scope_.computation, instruction);
    if (!shape) return std::move(shape).error();
    instruction.shape = std::move(shape).value();
    return {};
  }

  Result<InstructionId> append(Instruction instruction) {
    const auto id = static_cast<InstructionId>(scope_.computation.instructions.size());
    if (id >= kMaxInstructions)
      return cursor_.fail(DiagnosticKind::kLimit,
                          cat("more than ", kMaxInstructions, " instructions"));
    if (!claim(instruction.name, id))
      return error(DiagnosticKind::kStructure,
                   cat("%", instruction.name, " is defined twice in computation %",
                       scope_.computation.name))
          .at({text_.module.file, instruction.line});
    scope_.computation.instructions.push_back(std::move(instruction));
    return id;
  }

  TextModule& text_;
  TextScope& scope_;
  TextCursor& cursor_;
};

}  // namespace

Result<InstructionId> parse_instruction(TextModule& text, TextScope& scope) {
  HLOCC_TRY_ASSIGN(std::string name, text.cursor.name());
  HLOCC_TRY(text.cursor.expect("="));
  return InstructionParser(text, scope).parse(std::move(name), false);
}

}  // namespace hlocc::import

// Parsing of shapes and building of programs for tests.
#include "ops/programs.h"

#include "ops/infer.h"
#include "support/text.h"

namespace hlocc::ops::testing {
namespace {

struct ShapeText {
  std::string_view rest;

  bool take(std::string_view token) {
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (!rest.starts_with(token)) return false;
    rest.remove_prefix(token.size());
    return true;
  }

  int64_t number() {
    int64_t value = 0;
    const auto [end, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    HLOCC_CHECK(ec == std::errc(), "a number is missing in the shape of a test");
    rest.remove_prefix(end - rest.data());
    return value;
  }

  Shape tuple() {
    std::vector<Shape> elements;
    while (!take(")")) {
      elements.push_back(parse());
      take(",");
    }
    return Shape::make_tuple(std::move(elements));
  }

  void dimension(Shape& shape) {
    const bool dynamic = take("<=");
    shape.dimensions.push_back(take("?") ? kUnboundedSize : number());
    if (dynamic) shape.dynamic.resize(shape.dimensions.size(), false), shape.dynamic.back() = true;
    if (!shape.dynamic.empty()) shape.dynamic.resize(shape.dimensions.size(), false);
  }

  Shape parse() {
    if (take("(")) return tuple();
    const size_t bracket = rest.find('[');
    const auto type = type_from_name(rest.substr(0, bracket));
    HLOCC_CHECK(type.has_value(), "no such type in a test: " + std::string(rest));
    rest.remove_prefix(bracket + 1);
    Shape shape = Shape::array(*type, {});
    while (!take("]")) {
      dimension(shape);
      take(",");
    }
    if (take("{"))
      while (!take("}")) {
        shape.layout.minor_to_major.push_back(number());
        take(",");
      }
    return shape;
  }
};

using MakeAttributes = Attributes (*)();
constexpr MakeAttributes makers[] = {
#define HLOCC_OPCODE(enumerator, text, family, min, max, attributes, called, interpreter, \
                     lowering)                                                            \
  []() -> Attributes { return attributes{}; },
#include "hlo/opcodes.def"
};

}  // namespace

Shape shape(std::string_view text) { return ShapeText{text}.parse(); }

Attributes default_attributes(Opcode opcode) { return makers[static_cast<int>(opcode)](); }

Program::Program() {
  module.name = "test";
  module.computations.push_back({.name = "main"});
  module.entry = 0;
}

InstructionId Program::parameter(std::string_view shape_text, ComputationId in) {
  Computation& computation = module.computations[in];
  const int64_t number = static_cast<int64_t>(computation.parameters.size());
  return computation.add(make_parameter(number, shape(shape_text), cat("p", number)));
}

InstructionId Program::add(Opcode opcode, std::string_view shape_text,
                           std::vector<InstructionId> operands, Attributes attributes,
                           std::vector<ComputationId> called, ComputationId in) {
  if (std::holds_alternative<NoAttributes>(attributes)) attributes = default_attributes(opcode);
  return module.computations[in].add(make(opcode, shape(shape_text), std::move(operands),
                                          std::move(attributes), std::move(called)));
}

ComputationId Program::computation(std::string name) {
  module.computations.push_back({.name = std::move(name)});
  return static_cast<ComputationId>(module.computations.size()) - 1;
}

ComputationId Program::reducer(Opcode opcode, std::string_view type) {
  const std::string scalar = cat(type, "[]");
  return body(cat(opcode_name(opcode), "_", type), {scalar, scalar}, opcode, scalar);
}

ComputationId Program::body(std::string name, std::vector<std::string> parameters, Opcode root,
                            std::string result, Attributes attributes) {
  const ComputationId id = computation(std::move(name));
  std::vector<InstructionId> operands;
  for (const std::string& text : parameters) operands.push_back(parameter(text, id));
  operands.resize(std::min<size_t>(operands.size(),
                                   info(root).max_operands < 0 ? 99 : info(root).max_operands));
  module.computations[id].root = add(root, result, operands, std::move(attributes), {}, id);
  return id;
}

const Module& Program::finish() {
  for (Computation& computation : module.computations)
    computation.root = static_cast<InstructionId>(computation.instructions.size()) - 1;
  module.entry_parameters.clear();
  for (InstructionId id : entry().parameters) module.entry_parameters.push_back(entry()[id].shape);
  module.entry_result = entry().root_instruction().shape;
  return module;
}

std::string infer(const Question& question, Program program) {
  std::vector<InstructionId> operands;
  for (const std::string& operand : question.operands)
    operands.push_back(program.parameter(operand));
  const InstructionId id = program.add(question.opcode, question.declared, operands,
                                       question.attributes, question.called);
  const Module& module = program.finish();
  const Result<Shape> result =
      infer_shape(module, module.entry_computation(), module.entry_computation()[id]);
  if (result.ok()) return to_string(result.value(), false);
  const Diagnostic& diagnostic = result.error();
  return cat(diagnostic_kind_name(diagnostic.kind), ": ", diagnostic.message);
}

}  // namespace hlocc::ops::testing

// See op.h.
#include "import/stablehlo/op.h"

#include <algorithm>

#include "support/text.h"

namespace hlocc::import::stablehlo {

Op::Op(Translator& translator, const Node& node, Opcode code)
    : b(translator.builder()),
      attributes(translator.source(), b, node.attributes, std::string(node.name), node.at),
      opcode(code),
      translator_(translator),
      node_(node) {}

void Op::fail(DiagnosticKind kind, const std::string& what) const {
  if (!b.failure())
    b.fail(translator_.source().fail_at(node_.at, kind, cat(node_.name, ": ", what)));
}

InstructionId Op::in(int i) const {
  used_ = std::max(used_, i + 1);
  if (i < inputs()) return translator_.value(node_.operands[i]);
  fail(DiagnosticKind::kArity, cat("has ", inputs(), " operands, and operand ", i, " is needed"));
  return 0;
}

std::vector<InstructionId> Op::ins(int from) const {
  std::vector<InstructionId> out;
  for (int i = from; i < inputs(); ++i) out.push_back(in(i));
  return out;
}

const Shape& Op::out(int i) const {
  static const Shape nothing = Shape::scalar(PrimitiveType::kS32);
  if (i < static_cast<int>(node_.result_types.size())) return node_.result_types[i];
  fail(DiagnosticKind::kArity,
       cat("has ", node_.result_types.size(), " results, and result ", i, " is needed"));
  return nothing;
}

Shape Op::result() const {
  return node_.result_types.size() == 1 ? node_.result_types[0]
                                        : Shape::make_tuple(node_.result_types);
}

bool Op::has_inputs(int count) const {
  if (inputs() != count)
    fail(DiagnosticKind::kArity, cat("has ", inputs(), " operands and takes ", count));
  return !b.failure();
}

ComputationId Op::region(int i, const char* name) const {
  regions_ = std::max(regions_, static_cast<size_t>(i) + 1);
  if (static_cast<size_t>(i) < node_.regions.size())
    return translator_.region(node_.regions[static_cast<size_t>(i)], name);
  fail(DiagnosticKind::kArity, cat("has ", node_.regions.size(), " regions"));
  return 0;
}

const std::vector<Region>& Op::regions() const {
  regions_ = node_.regions.size();
  return node_.regions;
}

void Op::finish() const {
  attributes.finish();
  if (used_ < inputs())
    fail(DiagnosticKind::kArity, cat("has ", inputs(), " operands and takes ", used_));
  if (regions_ < node_.regions.size())
    fail(DiagnosticKind::kArity,
         cat("has ", node_.regions.size(), " regions and takes ", regions_));
  const std::vector<Shape>& types = node_.operand_types;
  if (!types.empty() && std::ssize(types) != inputs())
    fail(DiagnosticKind::kArity, cat("has ", inputs(), " operands and types of ", types.size()));
  for (int i = 0; i < inputs() && !types.empty() && !b.failure(); ++i)
    if (const Shape& shape = b.shape(in(i)); !hlo::same_dimensions_and_type(shape, types[i]))
      fail(DiagnosticKind::kShape,
           cat("operand ", i, " is ", shape, ", and its type says ", types[i]));
}

}  // namespace hlocc::import::stablehlo

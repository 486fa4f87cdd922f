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

void Op::finish() const {
  attributes.finish();
  if (used_ < inputs())
    fail(DiagnosticKind::kArity, cat("has ", inputs(), " operands and takes ", used_));
}

}  // namespace hlocc::import::stablehlo

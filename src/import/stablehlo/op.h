// One operation that is being translated: its operands as instructions, its attributes, regions and
// result types. A function of an operation (rows of ops.def) asks for what it needs and gives the
// instruction that does the same; an instruction that is a tuple holds the results of an operation
// with several. What is wrong is kept by the builder, so that these functions are straight.
#pragma once
#include <string>

#include "import/stablehlo/fields.h"
#include "import/stablehlo/translator.h"

namespace hlocc::import::stablehlo {

class Op {
 public:
  Op(Translator& translator, const Node& node, Opcode opcode);

  Builder& b;
  const Fields attributes;
  const Opcode opcode;

  int inputs() const { return static_cast<int>(node_.operands.size()); }
  InstructionId in(int i) const;
  // All operands, or those from `from` on.
  std::vector<InstructionId> ins(int from = 0) const;
  Dimensions sizes(int i) const { return b.sizes(in(i)); }
  int rank(int i) const { return b.rank(in(i)); }
  const Shape& out(int i = 0) const;
  // The shape of all results: a tuple of them where there are several.
  Shape result() const;
  // So many operands, and no others.
  bool has_inputs(int count) const;
  ComputationId region(int i, const char* name) const;
  // All of them, for operations that know what to make of each.
  const std::vector<Region>& regions() const;
  // Every attribute and region was asked for, every operand was used.
  void finish() const;

  const Node& node() const { return node_; }
  Translator& translator() const { return translator_; }
  void fail(DiagnosticKind kind, const std::string& what) const;

 private:
  Translator& translator_;
  const Node& node_;
  mutable int used_ = 0;
  mutable size_t regions_ = 0;
};

}  // namespace hlocc::import::stablehlo

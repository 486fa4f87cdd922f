// One node that is being translated: its operands as instructions, its attributes, and the
// diagnostics that name it. A function of an op (rows of ops.def) takes an Op, asks for its
// operands, and sets its results. Attributes that no function asked for are an error.
#pragma once
#include <set>
#include <string>

#include "import/onnx/graph.h"

namespace hlocc::import::onnx {

class Op {
 public:
  Op(Scope& scope, const Node& node);

  Builder& b;

  // The version of the standard operators that the node is of.
  int64_t opset() const { return opset_; }

  // --- operands ---
  int inputs() const { return static_cast<int>(node_.inputs.size()); }
  int outputs() const { return static_cast<int>(node_.outputs.size()); }
  bool has(int i) const { return !input_name(i).empty(); }
  bool wants(int i) const { return i < outputs() && !node_.outputs[i].empty(); }
  // Its name; empty where the node leaves the operand out.
  const std::string& input_name(int i) const;
  // The operand; one that the node leaves out fails the builder.
  InstructionId value(int i) const { return scope_.value(input_name(i)); }
  PrimitiveType type(int i) const { return b.type(value(i)); }
  Dimensions sizes(int i) const { return b.sizes(value(i)); }
  int rank(int i) const { return b.rank(value(i)); }
  // An operand's value, where that is known when the model is read.
  std::optional<Literal> known(int i) const { return scope_.known(input_name(i)); }
  // The same of integers, and of floats, that must be given and known: `what` they are, in
  // messages.
  Result<std::vector<int64_t>> integers(int i, const char* what) const;
  Result<std::vector<double>> reals(int i, const char* what) const;
  // One number of them.
  Result<int64_t> one_integer(int i, const char* what) const;
  // The one element of a known operand, an integer or a float that is no NaN.
  std::optional<double> known_number(int i) const;
  // An axis that may count from the end; axes, ascending and each once.
  Result<int64_t> axis(int64_t given, int64_t rank) const;
  Result<Dimensions> axes(const std::vector<int64_t>& given, int64_t rank) const;

  // --- attributes; each may be missing ---
  bool has_attribute(const char* name) const { return attribute(name) != nullptr; }
  int64_t integer(const char* name, int64_t missing = 0) const;
  bool flag(const char* name, bool missing = false) const { return integer(name, missing) != 0; }
  float real(const char* name, float missing = 0) const;
  std::string text(const char* name, const char* missing = "") const;
  std::vector<int64_t> integers(const char* name) const;
  std::vector<float> reals(const char* name) const;
  std::vector<std::string> texts(const char* name) const;
  const Graph* graph(const char* name) const;
  // The attribute itself, for those that may be of several types; null where it is missing.
  const Attribute* attribute(const char* name) const;

  // --- results ---
  void set(int i, InstructionId id) const;
  Status set(InstructionId id) const {
    set(0, id);
    return {};
  }

  // --- broadcasting ---
  // The sizes that operands [first, last) broadcast to.
  Result<Dimensions> common_sizes(int first, int last) const;

  // --- diagnostics ---
  // The node's name, or that of its first result: what users know a layer by.
  std::string layer() const;
  Diagnostic located(Diagnostic why) const;
  Diagnostic unsupported(const std::string& what) const;
  // The file breaks a rule of the op.
  Diagnostic wrong(const std::string& what) const;
  Diagnostic unsupported_types() const;
  // An operand is computed when the model runs that must be known before.
  Diagnostic not_known(int i, const char* what) const;
  Status require_rank(int i, int rank) const;
  // An attribute that was not asked for.
  const Attribute* unread() const;

  Scope& scope() const { return scope_; }
  Session& session() const { return scope_.session(); }
  const Node& node() const { return node_; }

 private:
  const Attribute* typed(const char* name, Attribute::Type type) const;
  std::string who() const;

  Scope& scope_;
  const Node& node_;
  int64_t opset_;
  mutable std::set<std::string> asked_;
};

using TranslateOp = Status (*)(const Op&);

}  // namespace hlocc::import::onnx

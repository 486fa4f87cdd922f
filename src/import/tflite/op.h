// One operator that is being translated: its tensors as instructions, its options, and the
// diagnostics that name it. A function of an op (rows of ops.def) takes an Op, asks for its
// operands, and sets its results.
#pragma once
#include <string>

#include "import/tflite/graph.h"
#include "import/tflite/schema.h"

namespace hlocc::import::tflite {

class Op {
 public:
  Op(GraphReader& graph, const Operator& node, std::string_view name);

  Builder& b;
  const FlatTable& options;

  // --- operands ---
  int inputs() const { return static_cast<int>(node_.inputs.size()); }
  int outputs() const { return static_cast<int>(node_.outputs.size()); }
  bool has(int i) const { return i < inputs() && node_.inputs[i] >= 0; }
  const Tensor& in(int i) const;
  const Tensor& out(int i = 0) const;
  // As the file has it; INT4 as 8-bit integers.
  InstructionId value(int i) const;
  PrimitiveType type(int i) const { return b.type(value(i)); }
  Dimensions sizes(int i) const { return b.sizes(value(i)); }
  // What is known of an operand when the model is read: integers of sizes, axes, paddings.
  Result<std::vector<int64_t>> integers(int i, const char* what) const;
  // A constant tensor's elements; none where the operand is computed.
  std::optional<Literal> constant(int i) const;
  // An axis that may count from the end.
  Result<int64_t> axis(int64_t given, int64_t rank) const;
  Bytes custom_options() const { return node_.custom_options; }
  const Operator& node() const { return node_; }
  GraphReader& graph() const { return graph_; }
  Rounding rounding() const { return graph_.session().rounding; }

  // What a kernel keeps between runs in a tensor of its own, which begins as zeros (8-bit integers
  // as their zero point), and what it leaves there.
  Result<InstructionId> state(int i) const;
  void set_state(int i, InstructionId value) const;
  // What a kernel keeps beside its tensors, which begins as zeros, and what it leaves there.
  Result<InstructionId> kept(const char* what, const Shape& shape) const;
  void keep(const char* what, InstructionId value) const;

  // --- results ---
  // The element type and the number of elements must be the tensor's; sizes that differ are put
  // right by a reshape.
  Status set(InstructionId id, int i = 0) const;

  // --- diagnostics ---
  // The name of the first result: what users know a layer by.
  std::string layer() const;
  // The same, of what went wrong inside.
  Diagnostic located(Diagnostic why) const;
  // "CONV_2D (version 3) of layer "x": ...".
  Diagnostic unsupported(const std::string& what) const;
  // The file breaks a rule of the op.
  Diagnostic wrong(const std::string& what) const;
  // Names the result's type, which `require` has seen to be there.
  Diagnostic unsupported_types() const;
  // So many operands, and results; optional operands count where they may be left out at the end.
  Status require(int least_inputs, int most_inputs, int results = 1) const;
  Status require_rank(int i, int rank) const;
  // A scale, finite and above 0, and a zero point.
  Status require_quantized(const Tensor& tensor) const;

 private:
  std::string who() const;
  StateName state_name(int i) const;
  StateName kept_name(const char* what) const;

  GraphReader& graph_;
  const Operator& node_;
  std::string_view name_;
};

using TranslateOp = Status (*)(const Op&);

}  // namespace hlocc::import::tflite

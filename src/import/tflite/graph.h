// One subgraph on its way into a computation: which instruction stands for which tensor, and the
// walk over its operators. Bodies of loops and branches are graphs of their own.
#pragma once
#include <map>
#include <string>

#include "import/build/builder.h"
#include "import/tflite/model.h"

namespace hlocc::import::tflite {

// A variable of the model: a donated argument and the result that takes its place.
struct Variable {
  std::string name;
  Shape shape;
  std::optional<Literal> initial;  // zeros without
};

// What all graphs of a model share.
struct Session {
  const Model& model;
  Builder& b;
  std::vector<Variable> variables;
  // How many graphs are open, one inside another.
  int depth = 0;
};

class GraphReader {
 public:
  GraphReader(Session& session, int32_t subgraph)
      : session_(session), subgraph_(session.model.subgraphs[subgraph]), index_(subgraph) {}

  Session& session() const { return session_; }
  const Subgraph& subgraph() const { return subgraph_; }
  const Tensor& tensor(int32_t index) const { return subgraph_.tensors[index]; }

  // Translates all operators.
  Status run();

  // What stands for a tensor: what an operator gave, or its constant.
  InstructionId value(int32_t tensor);
  bool has_value(int32_t tensor) const { return values_.contains(tensor); }
  void set_value(int32_t tensor, InstructionId id) { values_[tensor] = id; }

 private:
  Status run_operator(const Operator& op, size_t place);
  Status check_operands(const Operator& op, std::string_view name, size_t place);

  Session& session_;
  const Subgraph& subgraph_;
  int32_t index_;
  std::map<int32_t, InstructionId> values_;
};

}  // namespace hlocc::import::tflite

// One subgraph on its way into a computation: which instruction stands for which tensor, and the
// walk over its operators. Bodies of loops and branches are graphs of their own.
#pragma once
#include <map>
#include <string>

#include "import/build/builder.h"
#include "import/choices.h"
#include "import/tflite/model.h"

namespace hlocc::import::tflite {

// A variable of the model: a donated argument and the result that takes its place. State begins
// as zeros; a variable that begins as something else is stored as its difference from that, bit by
// bit.
// What a state is known by, and what it is called; names of tensors may be shared, keys are not.
struct StateName {
  std::string key, name;
};
struct Variable {
  std::string key, name;
  InstructionId parameter = hlo::kNone;
  InstructionId now = hlo::kNone;  // its value, where the walk is
  std::optional<Literal> initial;  // zeros without
};

// What all graphs of a model share.
class Session {
 public:
  Session(const Model& model_read, Builder& builder, Rounding whose)
      : model(model_read), b(builder), rounding(whose) {}

  const Model& model;
  Builder& b;
  Rounding rounding;
  // How many graphs are open, one inside another.
  int depth = 0;
  // The number of the next parameter of the entry.
  int64_t parameters = 0;
  // Whether a graph runs that only says what variables begin as.
  bool is_initializing = false;
  std::vector<Variable> variables;

  // Its value; at first what it begins as. `shape` is its own.
  InstructionId read(const StateName& name, const Shape& shape);
  void assign(const StateName& name, InstructionId value);
  // What it begins as, before anything reads it.
  void set_initial(const StateName& name, Literal value);
  // What is stored of a value: the result that takes the argument's place.
  InstructionId stored(const Variable& variable, InstructionId value);

 private:
  Variable& named(const StateName& name);
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

  // The name of the variable that a tensor is a handle of; empty: of none.
  std::string handle(int32_t tensor) const {
    const auto found = handles_.find(tensor);
    return found != handles_.end() ? found->second : "";
  }
  void set_handle(int32_t tensor, std::string name) { handles_[tensor] = std::move(name); }

 private:
  Status run_operator(const Operator& op, size_t place);
  Status check_operands(const Operator& op, std::string_view name, size_t place);

  Session& session_;
  const Subgraph& subgraph_;
  int32_t index_;
  std::map<int32_t, InstructionId> values_;
  std::map<int32_t, std::string> handles_;
};

}  // namespace hlocc::import::tflite

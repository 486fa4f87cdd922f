// A graph on its way into a computation: which instruction stands for which name, and the walk over
// its nodes. Bodies of functions and branches that are taken are graphs inside another's
// computation; bodies of loops are computations of their own.
#pragma once
#include <map>
#include <set>
#include <string>

#include "import/build/builder.h"
#include "import/choices.h"
#include "import/onnx/model.h"
#include "import/onnx/tensors.h"

namespace hlocc::import::onnx {

// What a name stands for. What is known when the model is read can be had in any computation, an
// instruction only in its own.
struct Value {
  InstructionId id = hlo::kNone;
  int computation = 0;  // of the session's
  std::optional<Literal> known;
  const TensorData* tensor = nullptr;
  const SparseData* sparse = nullptr;
};

// What all graphs of a model share.
class Session {
 public:
  Session(const Model& model_read, Builder& builder, ExternalData& data)
      : model(model_read), b(builder), external(data) {}

  const Model& model;
  Builder& b;
  ExternalData& external;
  // The computation that is being built; computations are counted as they are begun.
  int computation = 0;
  int computations = 0;
  // How many graphs and functions are open, one inside another.
  int depth = 0;
  // Inputs whose values decide a shape could be given: names, for diagnostics.
  std::map<InstructionId, std::string> inputs;
};

// Enters a computation of its own while it lives.
class InComputation {
 public:
  explicit InComputation(Session& session) : session_(session), before_(session.computation) {
    session.computation = ++session.computations;
  }
  ~InComputation() { session_.computation = before_; }
  InComputation(const InComputation&) = delete;
  InComputation& operator=(const InComputation&) = delete;

 private:
  Session& session_;
  int before_;
};

class Scope {
 public:
  // `outer`: whose names are seen inside; null for a function's body, which sees none.
  Scope(Session& session, const Opsets& opsets, Scope* outer)
      : session_(session), opsets_(opsets), outer_(outer) {}

  Session& session() const { return session_; }
  const Opsets& opsets() const { return opsets_; }
  // What a function's attributes are, where its nodes refer to them; null outside of functions.
  const std::map<std::string, const Attribute*>* attributes = nullptr;

  // The initializers as values, and then all nodes.
  Status enter(const Graph& graph);
  Status run(const std::vector<Node>& nodes);

  bool has(const std::string& name) { return find(name) != nullptr; }
  // The instruction, in the computation that is being built.
  InstructionId value(const std::string& name);
  // Its literal, where that is known.
  std::optional<Literal> known(const std::string& name);
  // A value of this scope; a known one if it is a constant or follows from constants.
  void set(const std::string& name, InstructionId id);
  void set(const std::string& name, Value value) { values_[name] = std::move(value); }
  const Value* find(const std::string& name) const;

 private:
  Status run_node(const Node& node);
  Status check_node(const Node& node);
  Status call(const Node& node, const Function& function);

  Session& session_;
  const Opsets& opsets_;
  Scope* outer_;
  std::map<std::string, Value> values_;
};

// "Conv", or "Gelu of com.microsoft".
std::string name_of(const Node& node);

}  // namespace hlocc::import::onnx

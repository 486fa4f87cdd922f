// Program -> Module: each function becomes a computation that is called, each region one that its
// operation calls. HLO's computations see nothing from outside: constants that a region uses are
// made anew inside it, other values become more of the state of a loop or operands of a branch.
#pragma once
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "import/build/builder.h"
#include "import/stablehlo/locations.h"
#include "import/stablehlo/node.h"

namespace hlocc::import::stablehlo {

class Translator {
 public:
  Translator(Source& source, const Program& program, hlo::Module& module)
      : source_(source),
        program_(program),
        builder_(module),
        locations_(source, module),
        module_(module) {}

  // The entry: main, or the only public function.
  Status build();

  // --- for the functions of operations ---
  Builder& builder() { return builder_; }
  Source& source() { return source_; }
  // The computation of a function, or nothing, with the builder's failure.
  ComputationId function(const std::string& name, size_t at);
  // A computation of a region, whose arguments are its parameters.
  ComputationId region(const Region& region, const char* name);
  // The same with one tuple for a parameter: values of its arguments, then those of `captured`.
  ComputationId region_of_tuple(const Region& region, const std::vector<Use>& captured,
                                const std::vector<Shape>& shapes, const char* name,
                                bool gives_captured);
  // What the regions use from outside that is not made of constants alone, each once.
  std::vector<Use> captured(std::span<const Region> regions);
  InstructionId value(const Use& use);
  // The value of a constant, which is read once however many regions make it anew.
  std::optional<Literal>& constant(const Node& node) { return constants_[&node]; }

 private:
  struct Value {
    std::vector<InstructionId> ids;
    const Node* node = nullptr;  // what made it
  };
  using Scope = std::unordered_map<std::string_view, Value>;

  void capture(const Region& region, std::vector<std::unordered_set<std::string_view>>& inside,
               std::set<std::pair<std::string_view, int64_t>>& seen, std::vector<Use>& out) const;
  const Function* find(const std::string& name) const;
  Status add_parameters(const Function& function);
  Status name_results(const Function& function);
  Status count_devices();
  Status donate(const Argument& argument, int64_t number, const std::vector<Shape>& results);
  std::vector<InstructionId> body(const Region& region);
  void run(const Node& node);
  void bind(const Node& node, InstructionId id);
  void define(std::string_view name, int64_t index, InstructionId id);
  bool is_free_of_values(const Node& node, size_t scope, int depth) const;
  const Value* find(std::string_view name, size_t& scope) const;
  ComputationId finish(const std::vector<InstructionId>& results);
  void fail(size_t at, DiagnosticKind kind, std::string message);

  // Of a function that is being translated.
  static constexpr ComputationId kOpen = -2;

  Source& source_;
  const Program& program_;
  Builder builder_;
  Locations locations_;
  hlo::Module& module_;
  std::vector<Scope> scopes_;
  // The scopes that the current function sees begin here.
  size_t first_scope_ = 0;
  std::unordered_map<std::string, ComputationId> functions_;
  std::unordered_map<const Node*, std::optional<Literal>> constants_;
  int depth_ = 0;
};

}  // namespace hlocc::import::stablehlo

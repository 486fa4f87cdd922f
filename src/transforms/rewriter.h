// Rewriter: builds a computation anew, one instruction after the other, while rules replace what
// they know. An instruction reaches its rule with operands that already name the new computation,
// so that one walk simplifies whole chains; what is not asked for is never built, which makes every
// rewrite a removal of dead code too.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hlo/module.h"
#include "support/result.h"

namespace hlocc::transforms {

using hlo::Attributes;
using hlo::Computation;
using hlo::ComputationId;
using hlo::Dimensions;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::kNone;
using hlo::Literal;
using hlo::Module;
using hlo::Opcode;
using hlo::PrimitiveType;
using hlo::Shape;

class Rewriter;
// Gives the id (in the new computation) of what stands for `instruction`, or kNone to keep it as it
// is. A rule may append instructions, and must then not hold on to references into the new
// computation: they move.
using Rule = std::function<InstructionId(Rewriter& rewriter, const Instruction& instruction)>;
// Gives what becomes the root, once all is built.
using RootRule = std::function<InstructionId(Rewriter& rewriter, InstructionId root)>;

class Rewriter {
 public:
  Rewriter(Module& module, ComputationId id, const Rule& rule)
      : module_(module), id_(id), rule_(rule) {}

  // --- the new computation ---
  const Instruction& operator[](InstructionId id) const { return built_.instructions[id]; }
  const Shape& shape(InstructionId id) const { return built_.instructions[id].shape; }
  PrimitiveType type(InstructionId id) const { return shape(id).element_type; }
  Module& module() { return module_; }
  const Module& module() const { return module_; }
  ComputationId id() const { return id_; }
  bool is_entry() const { return id_ == module_.entry; }
  const Computation& computation() const { return built_; }
  operator const Computation&() const { return built_; }

  // Appends without asking the rule. Name, metadata and line come from the instruction being
  // rewritten.
  InstructionId add(Instruction instruction);
  // The same, with the shape that the op's rules infer; for ops whose shape follows from operands
  // and attributes.
  InstructionId add(Opcode opcode, std::vector<InstructionId> operands, Attributes attributes = {},
                    std::vector<ComputationId> called = {});
  // Asks the rule first.
  InstructionId emit(Instruction instruction);
  // Copies the instructions of another computation, arguments in place of its parameters; gives its
  // root.
  InstructionId inline_computation(ComputationId callee,
                                   const std::vector<InstructionId>& arguments);

  // The first thing that a rule could not do; ends the rewrite.
  void fail(Diagnostic diagnostic) {
    if (!failure_) failure_ = std::move(diagnostic);
  }

  // Walks the computation and puts the new one in its place; tells whether a rule replaced
  // anything.
  Result<bool> run(const RootRule& root_rule = {});

 private:
  // What names new instructions: the one being rewritten.
  struct Origin {
    std::string name;
    hlo::Metadata metadata;
    int line = 0;
  };
  std::string unique_name(const std::string& stem);

  Module& module_;
  ComputationId id_;
  const Rule& rule_;
  Computation built_;
  Origin origin_;
  std::unordered_map<std::string, int> names_;
  std::optional<Diagnostic> failure_;
  bool changed_ = false;
};

// Rewrites what the entry reaches, callees before callers, and drops what is no longer called.
// Tells whether anything changed.
Result<bool> rewrite(Module& module, const Rule& rule);

// Adds a computation under a name that is still free.
ComputationId add_computation(Module& module, Computation computation);

}  // namespace hlocc::transforms

// Grows a module instruction by instruction. An op is proposed with operands and attributes; the
// rules of ops/ give its shape or refuse it, so that whatever stands in the module is valid by the
// verifier's own word.
#pragma once
#include <functional>
#include <optional>

#include "fuzz/values.h"
#include "hlo/module.h"

namespace hlocc::fuzz {

using hlo::Attributes, hlo::Computation, hlo::ComputationId, hlo::Dimensions, hlo::InstructionId,
    hlo::kNone, hlo::Literal, hlo::Opcode, hlo::PrimitiveType, hlo::Shape;
using Id = InstructionId;

// A module and the values of its parameters.
struct Program {
  hlo::Module module;
  std::vector<Literal> arguments;
};

struct Knobs {
  // Arrays are no larger.
  int64_t max_elements = 400;
  // A new array every time instead of one that is there: an op alone, on fresh values.
  bool fresh_operands = false;
  // How parameters and constants are filled; no value: any way.
  std::optional<Fill> fill;
  // Entry parameters and results in other orders than row-major, and packed.
  bool layouts = true;
};

class Builder {
 public:
  Builder(Random& random, Knobs knobs) : random(random), knobs_(knobs) { scopes_.emplace_back(); }

  Random& random;

  // Appends the op if its rules allow it and its result is not too large; kNone otherwise.
  // `declared` is the part of the shape that does not follow from the operands.
  Id emit(Opcode opcode, std::vector<Id> operands, Attributes attributes,
          std::vector<ComputationId> called = {}, Shape declared = {});
  // The same with the attributes' defaults.
  Id emit(Opcode opcode, std::vector<Id> operands);

  const hlo::Instruction& operator[](Id id) const { return scopes_.back()[id]; }
  const Shape& shape(Id id) const { return scopes_.back()[id].shape; }
  PrimitiveType type(Id id) const { return shape(id).element_type; }
  const Dimensions& dims(Id id) const { return shape(id).dimensions; }
  int rank(Id id) const { return shape(id).rank(); }
  // A parameter or constant of the entry: nothing computed it.
  bool is_given(Id id) const { return in_entry() && scopes_.back()[id].operands.empty(); }

  int64_t max_elements() const { return knobs_.max_elements; }
  Dimensions random_dims(int min_rank = 0, int max_rank = 4);
  int64_t random_size();

  // A new parameter of the entry (inside of other computations a constant), filled at random.
  Id fresh(PrimitiveType type, const Dimensions& dims);
  Id parameter(Literal value);
  Id constant(Literal value);
  Id scalar(PrimitiveType type, double value);
  // An array of that type and shape: one that is there or a new one.
  Id value_like(PrimitiveType type, const Dimensions& dims);
  Id like(Id id) { return value_like(type(id), dims(id)); }
  Id value(PrimitiveType type, int min_rank = 0, int max_rank = 4);
  // Integers in [low, high], in a type that holds them.
  Id indices(PrimitiveType type, const Dimensions& dims, int64_t low, int64_t high);

  // Another computation, open until `finish`; its parameters stand first. A root that was refused
  // makes none.
  void begin(const std::vector<Shape>& parameters);
  ComputationId finish(Id root);
  // Values of the open computation, newest last; arrays and others.
  const std::vector<Id>& values() const { return values_.back(); }
  // (a, b) -> op(a, b) on scalars.
  ComputationId binary(Opcode opcode, PrimitiveType type);
  bool in_entry() const { return scopes_.size() == 1; }

  // Ends the entry: its results are these.
  Program take(const std::vector<Id>& results);

 private:
  Id add(hlo::Instruction instruction);
  void choose_layouts();
  Shape with_random_layout(Shape shape);

  Knobs knobs_;
  hlo::Module module_;
  std::vector<Literal> arguments_;
  std::vector<Computation> scopes_;
  std::vector<std::vector<Id>> values_{1};
};

// The attributes of an opcode's row, all default.
Attributes default_attributes(Opcode opcode);

}  // namespace hlocc::fuzz

// Builds HLO for readers of other formats: short names for the instructions that their operators
// become, with the shapes that HLO's rules infer. The first rule that is broken is kept, and all
// that is asked for after it is nothing, of safe shape: a reader asks once, behind each operator.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hlo/dimensions.h"
#include "hlo/module.h"
#include "support/result.h"

namespace hlocc::import {

using hlo::ComputationId;
using hlo::counting;
using hlo::Dimensions;
using hlo::InstructionId;
using hlo::Literal;
using hlo::Opcode;
using hlo::PrimitiveType;
using hlo::Shape;

class Builder {
 public:
  explicit Builder(hlo::Module& module) : module_(module) {}

  // --- computations: one inside another ---
  void begin(std::string name);
  ComputationId end(InstructionId root);
  InstructionId parameter(int64_t number, const Shape& shape, const std::string& name);
  int64_t parameter_number(InstructionId parameter) const;

  // What the instructions from here on come from.
  void set_metadata(hlo::Metadata metadata) { metadata_ = std::move(metadata); }
  // Their line in a file of text; 0: none.
  void set_line(int line) { line_ = line; }

  const std::optional<Diagnostic>& failure() const { return failure_; }
  void fail(Diagnostic why) {
    if (!failure_) failure_ = std::move(why);
  }
  // Says where the failure is, in the words of the file.
  void relocate(const std::function<void(Diagnostic&)>& edit) {
    if (failure_) edit(*failure_);
  }

  const Shape& shape(InstructionId id) const;
  Dimensions sizes(InstructionId id) const { return shape(id).dimensions; }
  // 1, and a failure, where there is no such dimension: what a file leaves unsaid is no index.
  int64_t size(InstructionId id, int64_t dimension);
  int rank(InstructionId id) const { return shape(id).rank(); }
  PrimitiveType type(InstructionId id) const { return shape(id).element_type; }
  // What a condition must be: a truth value, of one element.
  bool is_one_truth(InstructionId id) const {
    return hlo::is_pred(type(id)) && shape(id).element_count() == 1;
  }
  // The value, where it is a constant, or numbers that follow from constants in few steps.
  std::optional<Literal> known(InstructionId id) const;
  bool is_constant(InstructionId id) const;

  // --- instructions ---
  // With the shape that follows; `stated` has what does not, of ops whose element type or sizes are
  // their own.
  InstructionId add(Opcode opcode, std::vector<InstructionId> operands,
                    hlo::Attributes attributes = {}, std::vector<ComputationId> called = {},
                    Shape stated = {});
  InstructionId constant(Literal value);
  // A number of an element type, which must hold it; in every place of `sizes`.
  InstructionId number(PrimitiveType type, double value, const Dimensions& sizes = {});
  // The same in every place of x.
  InstructionId like(InstructionId x, double value) { return number(type(x), value, sizes(x)); }
  // Numbers along one dimension, in every place of `sizes`; where all are equal, one number.
  InstructionId along(const std::vector<int64_t>& values, PrimitiveType type,
                      const Dimensions& sizes, int64_t dimension);

  InstructionId unary(Opcode opcode, InstructionId x) { return add(opcode, {x}); }
  InstructionId math(Opcode opcode, InstructionId x);
  // x times the share of a normal distribution that lies below it; `by_tanh`: nearly.
  InstructionId gelu(InstructionId x, bool by_tanh);
  InstructionId binary(Opcode opcode, InstructionId a, InstructionId b) {
    return add(opcode, {a, b});
  }
  // x with a number in every place.
  InstructionId with(Opcode opcode, InstructionId x, double value) {
    return binary(opcode, x, like(x, value));
  }
  InstructionId compare(InstructionId a, InstructionId b, hlo::Direction direction);
  InstructionId select(InstructionId which, InstructionId yes, InstructionId no) {
    return add(Opcode::kSelect, {which, yes, no});
  }
  InstructionId clamp(InstructionId x, double low, double high);
  InstructionId convert(InstructionId x, PrimitiveType type);
  InstructionId bitcast(InstructionId x, PrimitiveType type);
  InstructionId reshape(InstructionId x, const Dimensions& sizes);
  InstructionId transpose(InstructionId x, const Dimensions& permutation);
  InstructionId reverse(InstructionId x, const Dimensions& dimensions);
  InstructionId broadcast(InstructionId x, const Dimensions& sizes, const Dimensions& mapping);
  // NumPy's rule: sizes of 1 are repeated, missing leading dimensions put in front.
  InstructionId broadcast_to(InstructionId x, const Dimensions& sizes);
  InstructionId slice(InstructionId x, const Dimensions& starts, const Dimensions& limits,
                      const Dimensions& strides);
  // Elements [start, limit) along one dimension.
  InstructionId slice(InstructionId x, int64_t dimension, int64_t start, int64_t limit);
  InstructionId concatenate(std::vector<InstructionId> parts, int64_t dimension);
  // `value`: a scalar.
  InstructionId pad(InstructionId x, InstructionId value,
                    std::vector<hlo::PaddingDimension> dimensions);
  InstructionId iota(PrimitiveType type, const Dimensions& sizes, int64_t dimension);
  // From the reducer's identity over dimensions that vanish.
  InstructionId reduce(Opcode reducer, InstructionId x, const Dimensions& dimensions);
  InstructionId reduce_window(Opcode reducer, InstructionId x, hlo::Window window);
  // Of each place along the axis, which has one at least, the sum of all up to it (`reverse`: from
  // it on), without itself where `exclusive` says so.
  InstructionId cumulative_sum(InstructionId x, int64_t axis, bool exclusive, bool reverse);
  InstructionId dot(InstructionId a, InstructionId b, hlo::DotAttributes attributes,
                    PrimitiveType type);
  InstructionId convolution(InstructionId x, InstructionId kernel,
                            hlo::ConvolutionAttributes attributes, PrimitiveType type);
  // Elements of a table of one dimension, at indices within it.
  InstructionId lookup(InstructionId table, InstructionId indices);
  // Parts of x along one dimension, by their numbers, which lie within it; the dimensions of the
  // indices stand in its place.
  InstructionId take(InstructionId x, InstructionId indices, int64_t dimension);
  // Updates put to places of x: combined with what is there, or, without an operation, in its
  // place.
  InstructionId scatter(InstructionId x, InstructionId indices, InstructionId updates,
                        hlo::ScatterAttributes how, std::optional<Opcode> combine);
  // The state after `count` iterations of `body`, which makes of the iteration's number (an s32
  // scalar) and the state the next state, of the same shapes.
  using LoopBody =
      std::function<std::vector<InstructionId>(InstructionId, const std::vector<InstructionId>&)>;
  std::vector<InstructionId> loop(int64_t count, const std::vector<InstructionId>& state,
                                  const LoopBody& body);
  // The row of x at a number along its first dimension, and x with that row replaced.
  InstructionId row(InstructionId x, InstructionId number);
  InstructionId with_row(InstructionId x, InstructionId number, InstructionId row);
  InstructionId tuple(std::vector<InstructionId> elements);
  InstructionId element(InstructionId tuple, int64_t index);

  hlo::Module& module() { return module_; }

 private:
  InstructionId append(hlo::Instruction instruction);
  ComputationId reducer_of(Opcode opcode, PrimitiveType type);

  hlo::Module& module_;
  std::vector<hlo::Computation> open_;
  // How often each name was wanted; computations are called after it by number.
  std::unordered_map<std::string, int> wanted_;
  hlo::Metadata metadata_;
  int line_ = 0;
  std::optional<Diagnostic> failure_;
  Shape nothing_ = Shape::array(PrimitiveType::kS32, Dimensions(256, 1));
};

// The greater sizes of two arrays that NumPy's rule broadcasts; none if it does not.
std::optional<Dimensions> broadcast_sizes(const Dimensions& a, const Dimensions& b);

}  // namespace hlocc::import

// Emitter: builds one kernel of a group. Index ops answer element(id, index): the value of an
// instruction at an index, made out of its operands' elements, down to loads from the group's
// inputs or to values that a schedule has bound. Loop ops drive it: they open loops, ask operands
// through `element`, and hand finished values to `store`.
#pragma once
#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "kernel/builder.h"
#include "lowering/emitter/index.h"
#include "lowering/emitter/strided_view.h"
#include "lowering/program/group.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::lowering {

class Emitter {
 public:
  Emitter(const Group& group, const Target& target, std::string kernel_name);

  kernel::Builder b;
  const Group& group() const { return group_; }
  const Target& target() const { return target_; }
  const hlo::Instruction& instruction(hlo::InstructionId id) const { return group_[id]; }
  const hlo::Shape& shape(hlo::InstructionId id) const { return group_[id].shape; }

  // --- elements ---
  // The value of instruction `id` at `index`; lanes as the index says, a scalar if it has none.
  Element element(hlo::InstructionId id, const Index& index);
  Element operand(const hlo::Instruction& user, int i, const Index& index) {
    return element(user.operands[i], index);
  }
  // Inside the scope every request for `id` at `index` gives `value`: how a loop op hands its
  // result to its consumers.
  void bind(hlo::InstructionId id, const Index& index, Element value) {
    bind(id, {{index, value}});
  }
  // The same at several places.
  using Places = std::vector<std::pair<Index, Element>>;
  void bind(hlo::InstructionId id, Places places);
  void unbind(hlo::InstructionId id) {
    bound_.erase(id);
    vectorizable_.clear();
    views_.clear();
  }
  // From here to `forget`, elements of `id` are read from the buffer, an array of that shape, by
  // their index there: how a schedule hands what it has computed from one of its loops to another.
  void keep(hlo::InstructionId id, kernel::BufferId buffer, const hlo::Shape& shape);
  void forget(hlo::InstructionId id);
  bool is_kept(hlo::InstructionId id) const { return kept_.count(id) > 0; }
  // Computes an embedded scalar computation (reducer, comparator, ...) on the given parameters;
  // results flattened.
  std::vector<Element> call(hlo::ComputationId computation, std::vector<Element> parameters);

  // --- memory ---
  // Buffers: inputs and outputs in the order of the group's inputs and of the array leaves of its
  // roots.
  kernel::BufferId input_buffer(hlo::InstructionId external) const;
  kernel::BufferId output_buffer(int root) const { return outputs_[root]; }
  Element load(kernel::BufferId buffer, const hlo::Shape& shape, const Index& index);
  void store(kernel::BufferId buffer, const hlo::Shape& shape, const Index& index, Element value);
  // Stores root number `root` at the index: asks for its element and writes it.
  void store_root(int root, const Index& index);
  // The same for all roots, which have one index space: each is computed before any is stored,
  // because a result may lie where an input does.
  void store_roots(const Index& index);
  // All roots at the index, where `id` has that value: how a loop op finishes an element.
  void store_roots(hlo::InstructionId id, const Index& index, Element value);
  // Row-major position of the index in an array of that shape (in elements; complex parts not
  // counted).
  Affine position(const hlo::Shape& shape, const Index& index) const;
  // While `body` runs, of vectors of so many lanes only the first `active` are loaded and stored;
  // 0: all of any vector.
  void with_active_lanes(int active, int lanes, const std::function<void()>& body);
  // Whether masks cost nothing for all that the group reads and writes.
  bool masks_pass() const;
  // Scratch in the arena, placed by planning.
  kernel::BufferId scratch(std::string name, kernel::Scalar element, int64_t elements,
                           int alignment = 0);

  // --- constants ---
  // The bytes of a known external of integers of four bits, two to a byte; none where they lie one
  // to a byte.
  std::optional<kernel::BufferId> nibbles_of(hlo::InstructionId external) const {
    const auto known = nibbles_.find(external);
    return known == nibbles_.end() ? std::nullopt : std::optional(known->second);
  }
  // The value of an external that is known at compile time, or null.
  const hlo::Literal* constant_of(hlo::InstructionId external) const;
  // An input that only this kernel has: numbers made at compile time from constants, in the order
  // in which the kernel reads them (transformed weights, packed panels). `data` in this machine's
  // byte order. To be asked for before any scratch. A constant that no kernel reads any more is not
  // stored.
  kernel::BufferId derived_constant(std::string name, kernel::Scalar element,
                                    std::vector<std::byte> data, int alignment = 0);
  struct Derived {
    std::string name;
    kernel::Scalar element;
    std::shared_ptr<const std::vector<std::byte>> data;
  };
  // In the order of their buffers, which follow the outputs.
  const std::vector<Derived>& derived() const { return derived_; }

  // --- loops that know the range of their counter, so that reshapes can split affine indices ---
  void loop(int64_t count, const std::function<void(Affine)>& body, int64_t step = 1,
            kernel::Mapping mapping = kernel::Mapping::kSequential);
  kernel::Values loop(
      int64_t lower, int64_t upper, int64_t step, kernel::Values carried,
      const std::function<kernel::Values(Affine, std::span<const kernel::ValueId>)>& body,
      bool kept = false, bool own_scratch = false);
  // From lower to upper, step 1, where both are known at run time only. Never open a loop with
  // b.loop around elements: what the memo learns inside is dead outside.
  kernel::Values loop(
      const Affine& lower, const Affine& upper, kernel::Values carried,
      const std::function<kernel::Values(Affine, std::span<const kernel::ValueId>)>& body);
  // Nested loops over all dimensions; a flat one when there is none.
  void loop_over(const hlo::Dimensions& dimensions,
                 const std::function<void(const std::vector<Affine>&)>& body);
  // Divides a non-negative index by a positive constant: quotient and remainder, affine where the
  // ranges allow.
  std::pair<Affine, Affine> divmod(const Affine& value, int64_t divisor);
  // Branches keep their memo to themselves.
  kernel::Values if_else(kernel::ValueId pred, const kernel::Builder::Branch& yes,
                         const kernel::Builder::Branch& no);

  // --- types ---
  kernel::Scalar scalar(const hlo::Shape& shape) const;  // of one part
  kernel::Type type(const hlo::Shape& shape, int lanes = 1) const {
    return {scalar(shape), static_cast<uint16_t>(lanes)};
  }
  Element zero(const hlo::Shape& shape, int lanes = 1);
  Element constant(const hlo::Literal& literal, int64_t position, int lanes = 1);
  Element splat(Element value, int lanes);
  Element extract(Element value, int lane);

  // The largest vector of lanes that suits the element types of the group and a row of `extent`
  // elements; 1 without vectors.
  int preferred_lanes(int64_t extent) const;

  // True if elements of `id` can be asked with lanes along dimension lane_dim without taking them
  // apart.
  bool vectorizable(hlo::InstructionId id, int lane_dim) const;

  // What was chosen for the group, as the kernel will say; those that have a choice add to it.
  kernel::Choice choice;
  // A register tile of rows by vectors of lanes along the columns, or of `along` lanes along the
  // reduction, was emitted: the choice names the largest.
  void tile_emitted(kernel::RegisterTile tile);
  // A product of a convolution or a dot was emitted: the choice counts those of a block.
  void product_emitted() { choice.products = std::max(choice.products, ++products_); }

  kernel::Kernel finish();
  // The first thing that went wrong while building; checked once at the end, so that formulas stay
  // formulas.
  std::optional<Diagnostic> failure;
  void fail(Diagnostic diagnostic);

 private:
  struct Range {
    int64_t low = 0, high = 0;  // inclusive
    int64_t step = 1;           // from one value to the next
  };
  std::optional<Range> range_of(const Affine& affine) const;
  // Takes the terms that the divisor divides for all values of their counters, though not for all
  // numbers, off the remainder; gives what they are divided.
  Affine divide_steps(Affine& remainder, int64_t divisor);
  Element compute(hlo::InstructionId id, const Index& index);
  // What `id` is of an input that is not bound, where index ops that lie between come to
  // strides.
  const std::optional<StridedView>& view(hlo::InstructionId id) const;
  std::optional<StridedView> find_view(hlo::InstructionId id) const;
  // The mask of vectors of so many lanes, backwards if that is how they are loaded; kNone: none.
  kernel::ValueId mask_of(int lanes, bool backwards = false);
  Element load_at(kernel::BufferId buffer, bool complex, Affine at, int lanes);
  // Element `at` of an input, or so many from there on.
  Element load_input(hlo::InstructionId external, const Affine& at, int lanes);
  Element load_nibbles(kernel::BufferId buffer, kernel::Scalar type, const Affine& at, int lanes);
  Element load_pairs(kernel::BufferId buffer, const Affine& at, int lanes);
  void store_pairs(kernel::BufferId buffer, const Affine& at, int lanes, Element value);
  Element by_lanes(hlo::InstructionId id, const Index& index);

  const Group& group_;
  const Target& target_;
  std::vector<kernel::BufferId> inputs_, outputs_;
  std::map<hlo::InstructionId, kernel::BufferId> nibbles_;  // known integers, two to a byte
  std::vector<Derived> derived_;
  int products_ = 0;                // of the block that is open
  int active_ = 0, active_of_ = 0;  // lanes that are loaded and stored, of so many
  std::map<hlo::InstructionId, Places> bound_;
  std::map<hlo::InstructionId, std::pair<kernel::BufferId, hlo::Shape>> kept_;
  std::map<hlo::InstructionId, std::vector<std::pair<Index, Element>>> memo_;
  std::map<kernel::ValueId, Range> ranges_;
  mutable std::map<std::pair<hlo::InstructionId, int>, bool> vectorizable_;
  mutable std::map<hlo::InstructionId, std::optional<StridedView>> views_;

  friend class MemoScope;
};

}  // namespace hlocc::lowering

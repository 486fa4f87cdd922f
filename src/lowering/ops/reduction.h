// Partial results of reduce and reduce-window: any number of operands with any computation, or
// several reductions of one operand each that walk the same elements. Loops carry them flat,
// several results side by side, so that none waits for another.
#pragma once
#include <span>

#include "lowering/emitter/emitter.h"
#include "lowering/ops/ordered_bits.h"

namespace hlocc::lowering {

struct Reduction {
  Emitter& e;
  const hlo::Instruction& i;
  // Parts of a result: operands without the initial values, or the reductions in `together`.
  int inputs;
  std::vector<hlo::InstructionId> together;
  std::optional<OrderedBits> ordered = std::nullopt;

  bool are_several() const { return together.size() > 1; }
  const hlo::Shape& input() const { return e.shape(i.operands[0]); }
  const hlo::Dimensions& output() const {
    return i.shape.is_tuple() ? i.shape.tuple[0].dimensions : i.shape.dimensions;
  }
  bool is_complex(int n) const {
    return !are_several() && hlo::is_complex(e.shape(i.operands[n]).element_type);
  }

  // The initial values, and the operands' elements at an index.
  std::vector<Element> initial(int lanes) const;
  std::vector<Element> load(const Index& at) const;
  std::vector<Element> combine(std::vector<Element> sum, const std::vector<Element>& next) const;
  // Stores a result: the group's roots, or the parts of a tuple.
  void finish(const Index& index, std::vector<Element> value) const;

  // --- flat, as loops carry them ---
  std::vector<Element> unflatten(std::span<const kernel::ValueId> values) const;
  kernel::Values initial_of_each(size_t count, int lanes) const;
  // Adds to each sum the element at its place.
  kernel::Values add_each(const kernel::Values& sums, const std::vector<Index>& places) const;
  void finish_each(const std::vector<Index>& results, const kernel::Values& sums) const;

  // As numbers are compared, where `ordered` says so.
  Element encoded(Element x) const { return ordered ? Element{ordered->encode(e.b, x.re)} : x; }
};

}  // namespace hlocc::lowering

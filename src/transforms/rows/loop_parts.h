// What loops over rows (row_loop.h) are made of.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "transforms/rewriter.h"
#include "transforms/rows/row_schedule.h"
#include "transforms/rows/rows_of_chain.h"

namespace hlocc::transforms {

class LoopParts {
 public:
  // `exit` is what the loop computes, in the computation `outer`; is_reduced: a reduction of rows.
  // What is added around the loop is called after it, with `suffix`.
  LoopParts(Module& module, ComputationId outer, InstructionId exit, bool is_reduced,
            const char* suffix)
      : module_(module), id_(outer), exit_(exit), is_reduced_(is_reduced), suffix_(suffix) {}

  // --- around the loop ---
  Computation& outer() { return module_.computations[id_]; }
  InstructionId add(Instruction instruction);
  // An array of one value.
  InstructionId filled(Literal scalar, const Shape& shape);
  using Step = std::function<InstructionId(Rewriter&, InstructionId state)>;
  // A while of so many iterations, which the first element of its state counts; `step` gives the
  // next state. `word` names its body.
  InstructionId loop(std::vector<InstructionId> initial, int64_t iterations, const char* word,
                     const Step& step);
  // An element of what the loop gives.
  InstructionId given(InstructionId loop, int64_t place);

  // --- facts of arrays ---
  Literal beyond(const StoredRows& stored);  // what lies outside of one
  Shape rows_shape(const StoredRows& stored, int64_t rows);
  Literal exit_value();  // what the exit holds at first

  // --- in the loop ---
  // `into` with rows from number `row` on.
  InstructionId written(Rewriter& r, int64_t dimension, InstructionId into, InstructionId rows,
                        InstructionId row);
  // A reduction's exit with some more rows.
  InstructionId reduced(Rewriter& r, InstructionId sum, InstructionId rows);

  using MakeRows = std::function<InstructionId(Rewriter&, const RowValues&, InstructionId carried)>;
  using Otherwise = std::function<InstructionId(Rewriter&, InstructionId carried)>;
  struct BranchNames {
    std::string then, otherwise;
  };
  // What makes rows of array `index` of the chain where `condition` holds; `carried`, if it is a
  // value, goes into both branches.
  InstructionId branch(Rewriter& r, const RowsOfChain& chain, size_t index, const RowValues& at,
                       std::optional<InstructionId> carried, InstructionId condition,
                       const BranchNames& names, const MakeRows& make_rows,
                       const Otherwise& otherwise);
  // What makes rows of it in one way where `condition` holds, and in another elsewhere.
  InstructionId choice(Rewriter& r, const RowsOfChain& chain, size_t index, const RowValues& at,
                       InstructionId carried, InstructionId condition, const BranchNames& names,
                       const MakeRows& make_rows, const MakeRows& otherwise);

 private:
  Module& module_;
  ComputationId id_;
  InstructionId exit_;
  bool is_reduced_;
  const char* suffix_;
};

}  // namespace hlocc::transforms

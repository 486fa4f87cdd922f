// The ops that the fuzzer knows, as a table of proposals: each makes one op (with the operands and
// computations that it needs) on values of an element type. The same rows feed random modules and
// the grid of op x type.
#pragma once
#include <string>
#include <vector>

#include "fuzz/builder.h"

namespace hlocc::fuzz {

struct Proposal {
  std::string name;
  // How often it is drawn in random modules.
  int weight;
  // The result (an array), or kNone where the op does not take the type or the dice fell badly.
  std::function<Id(Builder&, PrimitiveType)> make;
};

// All rows. Each file proposals_*.cpp has those of a family.
const std::vector<Proposal>& proposals();
// Those that are drawn by `focus` alone: tests name random programs by their seeds, and what a seed
// makes hangs on the rows above.
const std::vector<Proposal>& focused_proposals();

void add_elementwise(std::vector<Proposal>& rows);
void add_movement(std::vector<Proposal>& rows);
void add_gather_scatter(std::vector<Proposal>& rows);
void add_contractions(std::vector<Proposal>& rows);
void add_reductions(std::vector<Proposal>& rows);
void add_algorithms(std::vector<Proposal>& rows);
void add_control_flow(std::vector<Proposal>& rows);
void add_narrow(std::vector<Proposal>& rows);
void add_requantize(std::vector<Proposal>& rows);
void add_qdq(std::vector<Proposal>& rows);
void add_cells(std::vector<Proposal>& rows);
void add_small_weights(std::vector<Proposal>& rows);
void add_widened(std::vector<Proposal>& rows);
void add_windows(std::vector<Proposal>& rows);

// (a, b) -> c, or for several types (a0, a1, .., b0, b1, ..) -> (c0, c1, ..): associative and
// commutative but for rounding, because HLO leaves the order of reductions open. kNone where the
// types allow none.
ComputationId random_reducer(Builder& b, const std::vector<PrimitiveType>& types);
// A value that such a reducer may start from.
Id initial_value(Builder& b, PrimitiveType type);
// Element `index` of a tuple.
Id element(Builder& b, Id tuple, int64_t index);
// (a, b) -> a before b, a total order.
ComputationId comparator(Builder& b, const std::vector<PrimitiveType>& types);

hlo::ComparisonType comparison_type(PrimitiveType type, bool total);

// x with all NaNs made one number: operations leave the sign of a NaN open, a total order does not.
// What nothing computed stays.
Id one_nan(Builder& b, Id x);

}  // namespace hlocc::fuzz

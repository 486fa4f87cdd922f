// What is known of the numbers that integer values hold: bounds from constants, types and the
// arithmetic between them.
#pragma once
#include <map>

#include "transforms/rewriter.h"

namespace hlocc::transforms {

// Inclusive. Wide enough that the product of two bounds, or a sum of very many, can't overflow.
struct Range {
  __int128 low = 0, high = 0;

  bool within(const Range& other) const { return low >= other.low && high <= other.high; }
  bool operator==(const Range&) const = default;
};

// All numbers of an integer type of up to 64 bits (pred: 0 and 1).
Range range_of_type(PrimitiveType type);

// Ranges of the values of the computation being built, computed when asked for.
class IntegerRanges {
 public:
  explicit IntegerRanges(const Rewriter& r) : r_(r) {}

  // For arrays of integers or pred; what does not fit its type has wrapped, and may be anything.
  Range of(InstructionId id);
  // Of an instruction that is not built yet.
  Range of(const Instruction& instruction);

 private:
  std::optional<Range> known(const Instruction& instruction);
  std::optional<Range> contraction(const Instruction& instruction);

  const Rewriter& r_;
  std::map<InstructionId, Range> ranges_;
  int depth_ = 0;
};

}  // namespace hlocc::transforms

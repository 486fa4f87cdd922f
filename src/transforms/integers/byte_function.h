// What a chain of elementwise instructions makes of one or two 8-bit integers: how quantised
// networks bend one array, or add two of different scales, in whatever arithmetic they spell it.
// There are 65,536 pairs at most, so that the function is known by its values.
#pragma once
#include "transforms/integers/element_function.h"
#include "transforms/integers/integer_ranges.h"
#include "transforms/rewriter.h"

namespace hlocc::transforms {

// Integers for each pair of x in `firsts` and y in `seconds`.
struct ByteTable {
  Range firsts, seconds;
  std::vector<int16_t> values;  // rows of one x

  int64_t rows() const { return static_cast<int64_t>(firsts.high - firsts.low) + 1; }
  int64_t columns() const { return static_cast<int64_t>(seconds.high - seconds.low) + 1; }
  int64_t at(int64_t x, int64_t y) const {
    const int64_t row = x - static_cast<int64_t>(firsts.low),
                  column = y - static_cast<int64_t>(seconds.low);
    return values[static_cast<size_t>(row * columns() + column)];
  }
};

struct ByteFunction {
  ElementFunction elements;
  // 8-bit integers, of the result's dimensions. No second: a function of the first alone.
  InstructionId first = kNone, second = kNone;
  bool computes_in_floats = false;
  bool computes_in_64_bits = false;
};

// The instructions between `last`, which gives numbers and is not built yet, and the only array or
// two of 8-bit integers behind it. None if there are others, or too many steps.
std::optional<ByteFunction> byte_function(const Rewriter& r, const Instruction& last);

// The values of a function of two arrays, which are integers of 8 or 16 bits, by the interpreter's
// meaning of each step.
ByteTable evaluate(const Rewriter& r, const ByteFunction& function, const Instruction& last,
                   IntegerRanges& ranges);

// Those of a function of one array, of any type, at 0 to 255 or at 0 to 127 and then -128 to -1, as
// the bytes lie.
Literal evaluate_bytes(const Rewriter& r, const ByteFunction& function, const Instruction& last);

}  // namespace hlocc::transforms

// A chain of monotone steps from one integer to another: what quantised networks do with an
// accumulator (scale, round, add a zero point, clamp, convert), in whatever arithmetic they spell
// it. Such a chain is a step function, known by the numbers at which it rises.
#pragma once
#include <span>

#include "transforms/integers/element_function.h"
#include "transforms/integers/integer_ranges.h"
#include "transforms/integers/quantized_step.h"
#include "transforms/integers/step_function.h"
#include "transforms/rewriter.h"

namespace hlocc::transforms {

// One step of the chain; a kClamp is two, a kSubtract adds. Constants are one number, or one for
// each channel.
struct ChainStep {
  StepKind kind;
  PrimitiveType type;  // of the result
  std::vector<double> real;
  std::vector<int64_t> whole;
  std::vector<int64_t> if_negative;  // kNudge's other numbers, at most the first
  InstructionId result = kNone;      // kNone: of the chain's last instruction
};

struct MonotoneChain {
  InstructionId base;  // what enters: an array of integers of up to 32 bits
  Range range;         // of its numbers
  std::vector<ChainStep> steps;
  // The dimensions along which constants differ; none: one channel for all.
  Dimensions mapping, sizes;
  int64_t channels = 1;
  Instruction last;
  ElementFunction elements;  // all instructions between both

  bool is_real() const;  // some step computes with floats

  // The line that the channel follows between its clamps.
  Line line(size_t channel) const;
};

// The longest chain that ends in `last`, which gives 8-bit integers and is not built yet, and
// begins where an integer of up to 32 bits becomes an s64 or a float. None if there is none.
std::optional<MonotoneChain> monotone_chain(const Rewriter& r, const Instruction& last,
                                            IntegerRanges& ranges);

// What it makes of the numbers of a range that lies in its own, a range a channel. None if one of
// them overflows on the way, or if it takes more than `most` evaluations.
std::optional<std::vector<StepFunction>> step_functions(const Rewriter& r,
                                                        const MonotoneChain& chain,
                                                        std::span<const Range> ranges,
                                                        int64_t most);

}  // namespace hlocc::transforms

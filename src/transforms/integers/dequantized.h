// Floats that are scaled integers of few bits: (q - zero point) * scale, as quantised networks
// write what a float operation reads.
#pragma once
#include <optional>
#include <vector>

#include "transforms/integers/integer_ranges.h"
#include "transforms/rewriter.h"

namespace hlocc::transforms {

struct Dequantized {
  InstructionId whole = kNone;  // integers, or f32 that hold integers, before all steps
  PrimitiveType stored = PrimitiveType::kS8;  // the integer type that holds them
  double scale = 1;
  Range range;  // of the integers after all steps
  // From the outermost: a zero point taken off, or the number that integers are taken off, or an
  // instruction that moves elements.
  struct Step {
    InstructionId view = kNone;
    int64_t zero = 0;
    bool negates = false;
  };
  std::vector<Step> steps;
};

// What an f32 value is made of; none where it is no such product or its integers, less their zero
// point, take more than 16 bits. Floats that were rounded and clamped to a byte's range are
// integers too.
std::optional<Dequantized> dequantized(const Rewriter& r, InstructionId id, IntegerRanges& ranges);

// The integers after all steps, built: of the stored type, or s32 where a zero point is taken off.
InstructionId integers_of(Rewriter& r, const Dequantized& value);

// A slice in f32 of dequantised integers as dequantised integers of a slice, which are fewer bytes,
// and which what follows sees; kNone if it is none.
InstructionId dequantized_slice(Rewriter& r, const Instruction& slice);

}  // namespace hlocc::transforms

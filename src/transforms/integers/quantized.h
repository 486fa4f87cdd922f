// Values that are integers of few bits, moved, less a zero point and times a scale: what quantised
// networks write in floats, or in wider integers. HLO stays plain; this is read from it.
#pragma once
#include "transforms/integers/integer_ranges.h"
#include "transforms/integers/known_arrays.h"
#include "transforms/integers/quantized_step.h"

namespace hlocc::transforms {

struct Quantized {
  // What holds the integers, before all steps: integers, or floats that were rounded and clamped.
  // kNone: they are `known`, after all steps.
  InstructionId whole = kNone;
  std::optional<Literal> known;
  PrimitiveType stored = PrimitiveType::kS8;  // the integer type that holds them
  // From the outermost: a zero point taken off, or the number that integers are taken off, or an
  // instruction that moves elements, a pad by `added`, in the value's own type.
  struct Step {
    InstructionId view = kNone;
    int64_t zero = 0;
    bool negates = false;
    int64_t added = 0;
  };
  std::vector<Step> steps;
  // One, or one for each place along a dimension; of integers 1.
  std::vector<double> scales{1};
  std::optional<int64_t> dimension;
  Range range;  // of the integers after all steps

  int64_t zero() const;   // all that is taken off
  __int128 most() const;  // the largest magnitude of the integers
};

// What is known of the values of the computation being built, read when asked for, once.
class QuantizedValues {
 public:
  // `packs`: constants of four bits take half a byte.
  explicit QuantizedValues(const Rewriter& r, bool packs = false)
      : r_(r), ranges_(r), known_(r.module(), r.computation(), packs) {}

  // An f32 value, whose integers, less their zero point, take no more than 16 bits; or an integer
  // that was widened from bytes or 16 bits where nothing wraps. Null: it is neither.
  const Quantized* of(InstructionId id);
  // Weights in floats that are bytes times a scale, bit for bit; one for each place along
  // `dimension`, if there is one.
  const Quantized* weights(InstructionId id, std::optional<int64_t> dimension);
  // Computed of constants alone.
  bool is_known(InstructionId id) const { return known_.bytes(id).has_value(); }

 private:
  std::optional<Quantized> read_floats(InstructionId id);
  std::optional<Quantized> read_integers(InstructionId id) const;
  std::optional<Quantized> read_weights(InstructionId id, std::optional<int64_t> dimension) const;

  const Rewriter& r_;
  IntegerRanges ranges_;
  const KnownArrays known_;
  std::map<InstructionId, std::optional<Quantized>> values_;
  std::map<std::pair<InstructionId, int64_t>, std::optional<Quantized>> weights_;
};

// The integers after all steps, built: of the stored type, or s32 where a zero point is taken off.
InstructionId integers_of(Rewriter& r, const Quantized& value);
// As they are stored, moved: no zero point is taken off, and pads add it.
InstructionId stored_of(Rewriter& r, const Quantized& value);

// A slice in f32 of dequantised integers as dequantised integers of a slice, which are fewer bytes,
// and which what follows sees; kNone if it is none.
InstructionId dequantized_slice(Rewriter& r, const Instruction& slice);

}  // namespace hlocc::transforms

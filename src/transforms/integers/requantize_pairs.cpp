// The sum of two arrays of 8-bit integers with a scale each, as quantised networks add a shortcut:
// ((x - zx) * sx + (y - zy) * sy), rounded, clamped. Whatever the spelling, all pairs are known at
// compile time, and two 32-bit multiplications that agree at each of them replace it.
#include "transforms/integers/requantize_pairs.h"

#include "transforms/build.h"
#include "transforms/integers/pair_function.h"
#include "transforms/integers/plane.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

// As in requantize.cpp: vectors of floats are as fast, cores of 64 bits compute with them.
bool pair_pays(const PairFunction& function, const Target& target) {
  if (target.vector_bits > 0 && target.float_vectors) return false;
  return function.computes_in_floats || (function.computes_in_64_bits && target.pointer_bits < 64);
}

// Each is a comparison and a choice.
size_t exceptions_that_pay(const Target& target) { return target.f32_unit ? 2 : 4; }

class PlaneBuilder {
 public:
  PlaneBuilder(Rewriter& r, const PairFunction& function, const Plane& plane)
      : r_(r),
        function_(function),
        plane_(plane),
        dimensions_(r.shape(function.first).dimensions) {}

  InstructionId build(PrimitiveType type) {
    InstructionId sum =
        binary(r_, Opcode::kAdd, product(function_.first, plane_.first_factor), offset());
    sum = binary(r_, Opcode::kAdd, sum, product(function_.second, plane_.second_factor));
    sum = rounded_shift(r_, sum, plane_.shift, plane_.ties);
    sum = binary(r_, Opcode::kMaximum, sum, every(plane_.low));
    sum = binary(r_, Opcode::kMinimum, sum, every(plane_.high));
    return convert(r_, sum, type);
  }

 private:
  InstructionId every(int64_t value) {
    return splat(r_, Literal::scalar(kS32, static_cast<int32_t>(value)), dimensions_);
  }
  InstructionId product(InstructionId x, int64_t factor) {
    return binary(r_, Opcode::kMultiply, convert(r_, x, kS32), every(factor));
  }
  InstructionId offset() {
    InstructionId offset = every(plane_.offset);
    for (const Plane::Exception& e : plane_.exceptions) {
      const InstructionId number =
          convert(r_, e.of_first ? function_.first : function_.second, kS32);
      const InstructionId holds = compare(r_, number, every(e.number), hlo::Direction::kEq);
      offset = select(r_, holds, every(e.offset), offset);
    }
    return offset;
  }

  Rewriter& r_;
  const PairFunction& function_;
  const Plane& plane_;
  const Dimensions dimensions_;
};

}  // namespace

InstructionId requantized_pair(Rewriter& r, const Instruction& last, IntegerRanges& ranges,
                               const Target& target) {
  const std::optional<PairFunction> function = pair_function(r, last);
  if (!function || !pair_pays(*function, target)) return kNone;
  const std::optional<PairTable> table = evaluate(r, *function, last, ranges);
  if (!table) return kNone;
  const std::optional<Plane> plane = fit_plane(*table, exceptions_that_pay(target));
  return plane ? PlaneBuilder(r, *function, *plane).build(last.shape.element_type) : kNone;
}

}  // namespace hlocc::transforms

// requantize: what quantised networks do with an accumulator (scale, round, add a zero point,
// clamp), as one fixed-point multiplication. Models spell it in floats or in 64 bits; a core
// without vectors computes a float in a dozen instructions, or in a hundred where there is no float
// unit. The spelling is read as a step function of at most 255 steps a channel, and the cheapest
// fixed-point form that equals the same step function replaces it; where none does, the spelling
// stays. Vectors that convert floats to the nearest integer in one instruction keep a float's one
// scale, and leave the rest to integers.
#include "costs/requantize.h"
#include "ops/op_cost.h"
#include "transforms/integers/fits.h"
#include "transforms/integers/rewrite_each.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

// A table of floats in place of a function of one array of bytes that takes many instructions, and
// whose result is no integer again; kNone: it is none.
InstructionId dear_function_of_bytes(Rewriter& r, const Instruction& last, const Target& target) {
  constexpr int kManyInstructions = 24;
  const bool takes_long =
      last.opcode == Opcode::kRsqrt || ops::instructions_per_element(last) >= kManyInstructions;
  if (!takes_long || !last.called.empty() || last.shape.element_type != PrimitiveType::kF32 ||
      !costs::float_table_pays(target, last.shape.element_count()))
    return kNone;
  const std::optional<ByteFunction> function = byte_function(r, last);
  if (!function || function->second != kNone ||
      !costs::byte_function_pays(target,
                                 {.in_floats = true, .in_64_bits = function->computes_in_64_bits}))
    return kNone;
  return looked_up(r, function->first, evaluate_bytes(r, *function, last));
}

class Requantizer {
 public:
  Requantizer(Rewriter& r, const Target& target, const std::vector<ReadOnce>& once)
      : r_(r), ranges_(r), target_(target), once_(once[static_cast<size_t>(r.id())]) {}

  InstructionId visit(const Instruction& i) {
    const PrimitiveType type = i.shape.element_type;
    if (i.opcode != Opcode::kConvert || !is_integer(type) ||
        (hlo::type_bits(type) != 8 && hlo::type_bits(type) != 16))
      return kNone;
    return requantized(r_, i, ranges_, once_, target_);
  }

 private:
  Rewriter& r_;
  IntegerRanges ranges_;
  const Target& target_;
  const ReadOnce& once_;
};

}  // namespace

Status requantize(hlo::Module& module, const PassContext& context) {
  std::vector<ReadOnce> once;
  for (const Computation& c : module.computations) once.push_back(read_once(c));
  HLOCC_TRY(rewrite_each<Requantizer>(module, context.target, once));
  // When what ends in integers again is known.
  HLOCC_TRY(rewrite(module, [&](Rewriter& r, const Instruction& i) {
    return dear_function_of_bytes(r, i, context.target);
  }));
  return simplify(module, context);
}

}  // namespace hlocc::transforms

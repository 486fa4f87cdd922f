// See noise.h. Noise is a multiplication by constants near 1, behind functions and in front of
// sums: cancellation then shows in the spread of the results.
#include "fuzz/noise.h"

#include <cmath>

#include "hlo/small_float.h"

namespace hlocc::fuzz {
namespace {

bool rounds(PrimitiveType type) { return is_float(type) || is_complex(type); }

// Ops that combine many elements, of which noise belongs on each.
bool sums(Opcode opcode) {
  switch (opcode) {
    case Opcode::kDot:
    case Opcode::kRaggedDot:
    case Opcode::kConvolution:
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
    case Opcode::kSelectAndScatter:
    case Opcode::kScatter:
    case Opcode::kFft:
    case Opcode::kCholesky:
    case Opcode::kTriangularSolve:
    case Opcode::kBatchNormTraining:
    case Opcode::kBatchNormInference:
    case Opcode::kBatchNormGrad: return true;
    default: return false;
  }
}

// A product of floats whose sums come out as integers is rounded like any other.
bool multiplies_matrices_of_floats(const Computation& c, const hlo::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kDot:
    case Opcode::kRaggedDot:
    case Opcode::kConvolution:
      return rounds(c.operand(instruction, 0).shape.element_type) ||
             rounds(c.operand(instruction, 1).shape.element_type);
    default: return false;
  }
}

// Reducers that only choose (maximum, argmax, plain assignment) round nothing.
bool only_chooses(const hlo::Module& module, const hlo::Instruction& instruction) {
  if (instruction.called.empty()) return false;
  for (const ComputationId id : instruction.called)
    for (const hlo::Instruction& inner : module.computations[id].instructions)
      if (inner.shape.is_array() && rounds(inner.shape.element_type) &&
          inner.opcode != Opcode::kMaximum && inner.opcode != Opcode::kMinimum &&
          inner.opcode != Opcode::kSelect && inner.opcode != Opcode::kParameter)
        return false;
  return true;
}

bool is_function(const hlo::Instruction& instruction) {
  const bool complex = is_complex(instruction.shape.element_type);
  switch (instruction.opcode) {
    case Opcode::kSqrt: return complex;
    case Opcode::kPower:
    case Opcode::kAtan2: return true;
    case Opcode::kMultiply:
    case Opcode::kDivide:
    case Opcode::kSign: return complex;
    // The magnitude of a complex number, but also of a real one: its operand's type is not seen
    // here.
    case Opcode::kAbs: return false;
    default: return std::holds_alternative<hlo::ResultAccuracyAttributes>(instruction.attributes);
  }
}

class Shaker {
 public:
  Shaker(const hlo::Module& module, uint64_t seed) : module_(module), random_(seed) {}

  std::optional<hlo::Module> run() {
    for (Computation& computation : module_.computations) shake(computation);
    if (!any_) return std::nullopt;
    hlo::compact(module_);
    return std::move(module_);
  }

 private:
  void shake(Computation& computation) {
    const Id count = static_cast<Id>(computation.instructions.size());
    for (Id id = 0; id < count; ++id) {
      const hlo::Instruction instruction = computation[id];
      if ((is_inexact(module_, instruction) && sums(instruction.opcode)) ||
          multiplies_matrices_of_floats(computation, instruction))
        for (size_t i = 0; i < instruction.operands.size(); ++i) shake_operand(computation, id, i);
      const bool of_tuple = instruction.opcode == Opcode::kGetTupleElement &&
                            is_inexact(module_, computation.operand(instruction, 0));
      const bool magnitude = instruction.opcode == Opcode::kAbs &&
                             is_complex(computation.operand(instruction, 0).shape.element_type);
      if ((of_tuple || magnitude || is_inexact(module_, instruction)) &&
          shakeable(instruction.shape)) {
        const Id noisy = multiplied(computation, id);
        computation.replace_uses(id, noisy);
        computation[noisy].operands[0] = id;
      }
    }
  }

  static bool shakeable(const Shape& shape) {
    return shape.is_array() && rounds(shape.element_type);
  }

  void shake_operand(Computation& computation, Id user, size_t operand) {
    const Id from = computation[user].operands[operand];
    if (!shakeable(computation[from].shape)) return;
    const Id noisy = multiplied(computation, from);
    computation[user].operands[operand] = noisy;
  }

  Id multiplied(Computation& computation, Id id) {
    any_ = true;
    const Shape shape =
        Shape::array(computation[id].shape.element_type, computation[id].shape.dimensions);
    Literal factors = Literal::zeros(shape);
    // Complex functions are several real ones; the error of a power grows with the exponent.
    const double units = computation[id].opcode == Opcode::kPower ? 100 : 8;
    const double step =
        (is_complex(shape.element_type) ? units : 2) * unit_in_last_place(shape.element_type);
    // Never none at all: of few runs one must show what moves.
    const auto some = [&] {
      return step * (0.5 + 0.5 * random_.unit()) * (random_.chance(50) ? 1 : -1);
    };
    for (int64_t i = 0; i < shape.element_count(); ++i) {
      const double real = 1 + some();
      set_number(factors, i, real, is_complex(shape.element_type) ? some() : 0);
    }
    const Id factor = computation.add(hlo::make_constant(std::move(factors)));
    return computation.add(hlo::make(Opcode::kMultiply, shape, {id, factor}));
  }

  hlo::Module module_;
  Random random_;
  bool any_ = false;
};

}  // namespace

double unit_in_last_place(PrimitiveType type) {
  type = real_type(type);
  if (!is_float(type)) return 1;
  if (const hlo::FloatFormat* format = hlo::small_float_format(type))
    return std::ldexp(1.0, -format->mantissa_bits);
  return type == PrimitiveType::kF64 ? 0x1p-52 : 0x1p-23;
}

bool is_inexact(const hlo::Module& module, const hlo::Instruction& instruction) {
  if (sums(instruction.opcode)) {
    if (only_chooses(module, instruction)) return false;
    return instruction.shape.is_tuple() || rounds(instruction.shape.element_type);
  }
  return instruction.shape.is_array() && rounds(instruction.shape.element_type) &&
         is_function(instruction);
}

bool sums_floats(const hlo::Module& module) {
  for (const Computation& computation : module.computations)
    for (const hlo::Instruction& instruction : computation.instructions)
      if ((sums(instruction.opcode) && is_inexact(module, instruction)) ||
          multiplies_matrices_of_floats(computation, instruction))
        return true;
  return false;
}

bool multiplies_floats(const hlo::Module& module) {
  for (size_t c = 0; c < module.computations.size(); ++c)
    for (const hlo::Instruction& instruction : module.computations[c].instructions)
      if (static_cast<ComputationId>(c) != module.entry &&
          instruction.opcode == Opcode::kMultiply && rounds(instruction.shape.element_type))
        return true;
  return false;
}

std::optional<hlo::Module> with_noise(const hlo::Module& module, uint64_t seed) {
  return Shaker(module, seed).run();
}

}  // namespace hlocc::fuzz

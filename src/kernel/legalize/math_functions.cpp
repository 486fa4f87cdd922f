// See math_functions.h.
#include "kernel/legalize/math_functions.h"

#include <algorithm>
#include <map>

#include "kernel/builder.h"
#include "kernel/legalize/legalize.h"
#include "kernel/legalize/small_floats.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

constexpr OpKind kFunctions[] = {OpKind::kCbrt,  OpKind::kExp,   OpKind::kExpm1,    OpKind::kLog,
                                 OpKind::kLog1p, OpKind::kTanh,  OpKind::kLogistic, OpKind::kErf,
                                 OpKind::kErfc,  OpKind::kSin,   OpKind::kCos,      OpKind::kTan,
                                 OpKind::kAsin,  OpKind::kAcos,  OpKind::kAtan,     OpKind::kSinh,
                                 OpKind::kCosh,  OpKind::kAsinh, OpKind::kAcosh,    OpKind::kAtanh,
                                 OpKind::kPow,   OpKind::kAtan2, OpKind::kRem};

// Small floats are computed in f32.
Scalar computed_in(Scalar scalar) { return is_small_float(scalar) ? Scalar::kF32 : scalar; }

using Uses = std::map<MathFunction, int64_t>;

// As often as the code will hold them.
void count(const Kernel& kernel, const Region& region, const Target& target, Uses& uses) {
  for (const Op& op : region.ops) {
    if (!op.results.empty()) {
      const Type type = kernel.type(op.result()), computed = type.with(computed_in(type.scalar));
      if (const auto function = math_function_for(op.kind, computed, target))
        uses[*function] += type.lanes / function->lanes;
    }
    for (const Region& inner : op.regions) count(kernel, inner, target, uses);
  }
}

}  // namespace

bool is_math_function(OpKind kind, Type type) {
  return !type.is_vector() && (type.scalar == Scalar::kF32 || type.scalar == Scalar::kF64) &&
         std::ranges::find(kFunctions, kind) != std::end(kFunctions);
}

std::optional<MathFunction> math_function_for(OpKind kind, Type type, const Target& target) {
  const bool for_size = target.options.for_size();
  if (target.style == KernelStyle::kSimt || !(for_size || target.flash_constrained))
    return std::nullopt;
  if (!is_math_function(kind, type.scalar_type())) return std::nullopt;
  // At the levels for speed, polynomials on vectors are what vectors are there for.
  if (type.is_vector() && !for_size) return std::nullopt;
  const int lanes = std::clamp<int>(target.lanes(scalar_bits(type.scalar)), 1, type.lanes);
  if (type.lanes % lanes != 0) return std::nullopt;
  return MathFunction{kind, type.scalar, lanes};
}

MathFunctions called_functions(const Program& program, const Target& target) {
  // A call costs some ten instructions each time: at the levels for speed, only what would fill
  // kilobytes is called.
  const int64_t few = target.options.for_size() ? 3 : 32;
  Uses uses;
  for (const Kernel& kernel : program.kernels) count(kernel, kernel.body, target, uses);
  MathFunctions called;
  for (const auto& [function, times] : uses)
    if (times > few) called.insert(function);
  return called;
}

Result<Kernel> math_function(OpKind kind, Scalar scalar, const Target& target, int lanes) {
  const Type type{scalar, static_cast<uint16_t>(lanes)};
  Builder b(cat(op_name(kind), "_", to_string(type)));
  std::vector<BufferId> operands;
  for (int i = 0; i < op_operands(kind); ++i)
    operands.push_back(b.buffer(
        {.name = cat("x", i), .element = scalar, .elements = lanes, .direction = Direction::kIn}));
  const BufferId result =
      b.buffer({.name = "y", .element = scalar, .elements = lanes, .direction = Direction::kOut});
  Values values;
  for (const BufferId operand : operands)
    values.push_back(b.load(operand, Affine::constant(0), lanes));
  b.store(result, Affine::constant(0),
          values.size() == 1 ? b.unary(kind, values[0]) : b.binary(kind, values[0], values[1]));
  return legalize(b.finish(), target);
}

}  // namespace hlocc::kernel

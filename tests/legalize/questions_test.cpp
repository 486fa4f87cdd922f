// What legalisation asks of a chip, one fact changed at a time: which math functions are called and
// not written out, and whether a fused multiply-add is one instruction.
#include <catch2/catch.hpp>

#include "kernel/legalize/math_functions.h"
#include "kernel/legalize/site.h"
#include "legalize/harness.h"

namespace hlocc::kernel {

TEST_CASE("a fused multiply-add is an instruction of the unit that has the type") {
  Target target = target_named("cortex-m4f");
  target.fma = target.explicit_fma = target.f32_unit = true;
  target.f64_unit = false;
  CHECK((has_native_fma(target, Scalar::kF32) && !has_native_fma(target, Scalar::kF64)));
  target.f64_unit = true;
  CHECK(has_native_fma(target, Scalar::kF64));
  target.f32_unit = false;
  CHECK((!has_native_fma(target, Scalar::kF32) && has_native_fma(target, Scalar::kF64)));
  target.f32_unit = true;
  target.explicit_fma = false;
  CHECK((!has_native_fma(target, Scalar::kF32) && !has_native_fma(target, Scalar::kF64)));
  target.explicit_fma = true;
  target.fma = false;
  CHECK((!has_native_fma(target, Scalar::kF32) && !has_native_fma(target, Scalar::kF64)));
}

TEST_CASE(
    "functions of one f32 or f64 are called where flash is constrained, those of vectors for "
    "size") {
  for (const Scalar scalar : {Scalar::kF32, Scalar::kF64}) {
    CHECK(is_math_function(OpKind::kExp, {scalar, 1}));
    CHECK(!is_math_function(OpKind::kExp, {scalar, 4}));
    CHECK(!is_math_function(OpKind::kAdd, {scalar, 1}));
  }
  CHECK(!is_math_function(OpKind::kExp, {Scalar::kF16, 1}));
  Target small = target_named("cortex-m55"), large = target_named("cortex-a53");
  const auto lanes = [](const Target& target, uint16_t of) {
    const auto found = math_function_for(OpKind::kExp, {Scalar::kF32, of}, target);
    return found ? found->lanes : 0;
  };
  CHECK(lanes(small, 1) == 1);
  CHECK(lanes(small, 4) == 0);
  CHECK(lanes(large, 1) == 0);
  for (Target* const target : {&small, &large}) {
    target->options.level = Level::kOs;
    CHECK(lanes(*target, 1) == 1);
    CHECK(lanes(*target, 2) == 2);
    CHECK(lanes(*target, 4) == 4);
    CHECK(lanes(*target, 8) == 4);
    CHECK(lanes(*target, 6) == 0);
    target->style = KernelStyle::kSimt;
    CHECK(lanes(*target, 1) == 0);
  }
}

}  // namespace hlocc::kernel

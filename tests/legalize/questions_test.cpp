// What legalisation asks of a chip, one fact changed at a time: which math functions are called and
// not written out, whether a fused multiply-add is one instruction, and each condition of a row.
#include <catch2/catch.hpp>

#include "kernel/legalize/math_functions.h"
#include "kernel/legalize/questions.h"
#include "kernel/legalize/site.h"
#include "legalize/harness.h"

namespace hlocc::kernel {
namespace {

using enum Scalar;
using enum Isa;
using Change = void (*)(Target&);

// A condition of the table, on a chip that has those extensions and nothing else that is asked for.
struct Asked {
  Condition condition;
  std::vector<Isa> has;
  Type deciding, result;
  bool answer;
  Change change = [](Target&) {};
  OperandFacts operands = {};
};

void check(const std::vector<Asked>& rows) {
  for (size_t at = 0; at < rows.size(); ++at) {
    const Asked& row = rows[at];
    Target target = target_named("cortex-m0");
    target.isa = {};
    for (const Isa isa : row.has) target.isa.add(isa);
    target.vector_bits = 128;
    row.change(target);
    INFO("row " << at << ": " << to_string(row.deciding) << " to " << to_string(row.result));
    CHECK(row.condition({target, row.deciding, row.result, row.operands}) == row.answer);
  }
}

void with_scaling(Target& t) { t.vector_scaling = true; }
void with_units(Target& t) { t.f32_unit = t.f64_unit = t.float_roots = true; }
void with_f32_unit(Target& t) { t.f32_unit = t.float_roots = true; }
void of_threads(Target& t) { t.style = KernelStyle::kSimt, t.widest_element = 32; }
void of_wide_threads(Target& t) { t.style = KernelStyle::kSimt, t.widest_element = 64; }

}  // namespace

TEST_CASE("SMMLA is of 16 bytes into 4 sums") {
  check({{multiplies_byte_tiles, {kI8mm}, {kS8, 16}, {kS32, 4}, true},
         {multiplies_byte_tiles, {kI8mm}, {kU8, 16}, {kS32, 4}, true},
         {multiplies_byte_tiles, {kDotprod}, {kS8, 16}, {kS32, 4}, false},
         {multiplies_byte_tiles, {kI8mm}, {kS16, 16}, {kS32, 4}, false},
         {multiplies_byte_tiles, {kI8mm}, {kS4, 16}, {kS32, 4}, false},
         {multiplies_byte_tiles, {kI8mm}, {kS8, 8}, {kS32, 4}, false},
         {multiplies_byte_tiles, {kI8mm}, {kS8, 32}, {kS32, 4}, false},
         {multiplies_byte_tiles, {kI8mm}, {kS8, 16}, {kS32, 2}, false},
         {multiplies_byte_tiles, {kI8mm}, {kS8, 16}, {kS32, 8}, false}});
}

TEST_CASE("high products and scaled numbers are of s32 that fill registers") {
  const Type of_three{kS32, 3};
  check({{doubles_high_products, {kAArch64}, {kS32, 4}, {kS32, 4}, true},
         {doubles_high_products, {kNeon}, {kS32, 4}, {kS32, 4}, true},
         {doubles_high_products, {kAArch64}, {kS32, 8}, {kS32, 8}, false},
         {doubles_high_products, {kAArch64}, {kS32, 4}, {kS32, 4}, false, with_scaling},
         {doubles_high_products, {kMve}, {kS32, 4}, {kS32, 4}, false},
         {doubles_high_products, {kSse41}, {kS32, 4}, {kS32, 4}, false}});
  check({{multiplies_high, {kMve}, {kS32, 4}, {kS32, 4}, true},
         {multiplies_high, {}, {kS32, 4}, {kS32, 4}, false},
         {multiplies_high, {kNeon}, {kS32, 4}, {kS32, 4}, true},
         {multiplies_high, {kAArch64}, {kS32, 4}, {kS32, 4}, true},
         {multiplies_high, {kAArch64}, {kS32, 4}, {kS32, 4}, false, with_scaling},
         {multiplies_high, {kAArch64}, {kU32, 4}, {kU32, 4}, false},
         {multiplies_high, {kAArch64}, {kS32, 8}, {kS32, 8}, false},
         {multiplies_high, {kAArch64}, {kS32, 2}, {kS32, 2}, false},
         {multiplies_high, {kSse41}, {kS32, 4}, {kS32, 4}, true},
         {multiplies_high, {kSse41}, {kS32, 32}, {kS32, 32}, true},
         {multiplies_high, {kSse41}, {kS32, 4}, {kS32, 4}, false, with_scaling},
         {multiplies_high, {kSse41}, {kS32, 2}, {kS32, 2}, false},
         {multiplies_high, {kSse41}, {kS32, 6}, {kS32, 6}, false},
         {multiplies_high, {kSse41}, {kU32, 4}, {kU32, 4}, false},
         {multiplies_high, {kSse2}, {kS32, 4}, {kS32, 4}, false},
         {multiplies_high, {kMve}, {kU32, 4}, {kU32, 4}, false},
         {multiplies_high, {kMve}, {kS32, 8}, {kS32, 8}, false},
         {scales_vectors, {}, {kS32, 4}, {kS32, 4}, true, with_scaling},
         {scales_vectors, {}, {kS32, 4}, {kS32, 4}, false},
         {scales_vectors, {}, {kU32, 4}, {kU32, 4}, false, with_scaling},
         {scales_vectors, {}, of_three, of_three, false, with_scaling},
         {scales_vectors, {}, {kS32, 8}, {kS32, 8}, false, with_scaling},
         {scales_vectors,
          {},
          {kS32, 8},
          {kS32, 8},
          true,
          [](Target& t) { t.vector_scaling = true, t.vector_bits = 256; }},
         {scales_vectors, {}, {kS32, 6}, {kS32, 6}, false, [](Target& t) {
            t.vector_scaling = true, t.vector_bits = 256;
          }}});
}

TEST_CASE("leading zeros are an instruction of 32 bits") {
  const Type one{kS32, 1}, two{kS32, 2}, four{kU32, 4};
  check({{counts_zeros, {kThumb2}, one, one, true},
         {counts_zeros, {kThumb2}, {kU32, 1}, {kU32, 1}, true},
         {counts_zeros, {kThumb2}, {kS16, 1}, {kS16, 1}, false},
         {counts_zeros, {kThumb2}, {kS64, 1}, {kS64, 1}, false},
         {counts_zeros, {kThumb2}, four, four, false},
         {counts_zeros, {kZbb}, one, one, true},
         {counts_zeros, {kZbb}, four, four, false},
         {counts_zeros, {kDsp}, one, one, false},
         {counts_zeros, {}, one, one, false},
         {counts_zeros, {kAArch64}, one, one, true},
         {counts_zeros, {kAArch64}, four, four, true},
         {counts_zeros, {kAArch64}, {kU8, 4}, {kU8, 4}, false},
         {counts_zeros, {kNeon}, four, four, true},
         {counts_zeros, {kNeon}, two, two, true},
         {counts_zeros, {kNeon}, one, one, false},
         {counts_zeros, {kMve}, four, four, true},
         {counts_zeros, {kMve}, two, two, false},
         {counts_zeros, {kMve}, {kU32, 8}, {kU32, 8}, false},
         {counts_zeros, {kMve}, one, one, false}});
}

TEST_CASE("floats are rounded and converted by instructions of their form") {
  const Change rounds = [](Target& t) { t.vector_rounding = true; };
  const Change saturates = [](Target& t) { t.vector_saturation = true; };
  const Type four{kF32, 4}, one{kF32, 1}, three{kF32, 3}, eight{kF32, 8};
  check(
      {{is_scalar_vrint, {kFpArmv8}, one, one, true, with_units},
       {is_scalar_vrint, {kFpArmv8}, four, four, false, with_units},
       {is_scalar_vrint, {}, one, one, false, with_units},
       {is_scalar_vrint, {kFpArmv8}, {kF64, 1}, {kF64, 1}, false, with_f32_unit},
       {is_mve_vector, {kMve, kFpArmv8}, four, four, true},
       {is_mve_vector, {kMve}, four, four, false},
       {is_mve_vector, {kFpArmv8}, four, four, false},
       {is_mve_vector, {kMve, kFpArmv8}, eight, eight, false},
       {has_directed_rounding, {kSse41}, four, four, true},
       {has_directed_rounding, {kAArch64}, four, four, true},
       {has_directed_rounding, {kFpArmv8}, one, one, true, with_units},
       {has_directed_rounding, {kSse2}, four, four, false},
       {has_sqrt, {}, one, one, true, with_units},
       {has_sqrt, {}, one, one, false, [](Target& t) { t.f32_unit = true, t.float_roots = false; }},
       {has_sqrt, {}, one, one, false, [](Target& t) { t.float_roots = true; }},
       {has_even_rounding, {kSse41}, one, one, true},
       {has_even_rounding, {kAArch64}, one, one, true},
       {has_even_rounding, {kMve, kFpArmv8}, four, four, true},
       {has_even_rounding, {kFpArmv8}, one, one, false, with_units},
       {has_even_rounding, {}, four, four, true, rounds},
       {has_even_rounding, {}, four, four, false},
       {has_even_rounding, {}, three, three, false, rounds},
       {has_even_rounding, {}, {kF32, 2}, {kF32, 2}, false, rounds},
       {has_even_rounding, {}, eight, eight, false, rounds},
       {has_even_rounding, {}, {kF64, 4}, {kF64, 4}, false, rounds},
       {has_even_rounding,
        {},
        {kF32, 6},
        {kF32, 6},
        false,
        [](Target& t) { t.vector_rounding = true, t.vector_bits = 256; }},
       {has_saturating_convert, {}, four, {kS32, 4}, true, saturates},
       {has_saturating_convert, {}, four, {kU32, 4}, true, saturates},
       {has_saturating_convert, {}, four, {kS16, 4}, false, saturates},
       {has_saturating_convert, {}, four, {kS64, 4}, false, saturates},
       {has_saturating_convert, {}, four, four, false, saturates},
       {has_saturating_convert, {}, four, {kS32, 4}, false},
       {has_saturating_convert, {}, eight, {kS32, 8}, false, saturates},
       {has_saturating_convert, {kAArch64}, four, {kS32, 4}, true},
       {has_saturating_convert, {kMve, kFpArmv8}, four, {kS32, 4}, true},
       {has_away_rounding, {kAArch64}, four, four, true},
       {has_away_rounding, {kFpArmv8}, one, one, true, with_units},
       {has_away_rounding, {kFpArmv8}, four, four, false, with_units},
       {has_away_rounding, {kSse41}, four, four, false}});
}

TEST_CASE("minima and maxima are instructions where NaN and the sign of zero are HLO's") {
  const Type one{kF32, 1}, four{kF32, 4};
  const OperandFacts known{.constant = true};
  const Change none = [](Target&) {};
  check({{has_ieee_min_max, {kAArch64}, one, one, true},
         {has_ieee_min_max, {kNeon}, four, four, true},
         {has_ieee_min_max, {kNeon}, one, one, false},
         {has_ieee_min_max, {kNeon}, {kF64, 2}, {kF64, 2}, false},
         {has_ieee_min_max, {kSse41}, one, one, true},
         {has_ieee_min_max, {kSse41}, four, four, true},
         {has_ieee_min_max, {}, one, one, false, with_units},
         {has_ieee_min_max, {kSse41}, one, one, false, none, known},
         {has_ieee_min_max, {kSse41, kAvx512F}, one, one, true},
         {has_ieee_min_max, {kSse41, kAvx512F}, four, four, false},
         {has_ieee_min_max, {kRiscv}, one, one, true, with_units},
         {has_ieee_min_max, {kRiscv}, one, one, false},
         {has_ieee_min_max, {kRiscv}, {kF64, 1}, {kF64, 1}, false, with_f32_unit},
         {has_ieee_min_max, {kRiscv}, one, one, false, with_units, known},
         {has_integer_reduction, {kSse41}, four, one, true},
         {has_integer_reduction, {kSse41}, one, one, false},
         {has_integer_reduction, {kSse41}, {kF32, 6}, one, false},
         {has_integer_reduction, {}, four, one, false},
         {has_integer_reduction, {kSse41}, {kF64, 4}, {kF64, 1}, false},
         {has_integer_reduction, {kSse41, kAvx512F}, {kF64, 4}, {kF64, 1}, true}});
}

TEST_CASE("what HVX, vectors of RISC-V and threads lack") {
  const Type word{kS64, 1}, number{kF32, 1};
  check(
      {{are_masks_of_hvx, {kHvx}, {kS32, 32}, {kPred, 32}, true},
       {are_masks_of_hvx, {kHvx}, {kS32, 1}, {kPred, 1}, false},
       {are_masks_of_hvx, {kHexagon}, {kS32, 32}, {kPred, 32}, false},
       {is_rvv_truncation, {kRvv}, {kF32, 4}, {kS32, 4}, true},
       {is_rvv_truncation, {kRvv}, number, {kS32, 1}, false},
       {is_rvv_truncation, {kRvv}, {kF32, 4}, {kF64, 4}, false},
       {is_rvv_truncation, {kRiscv}, {kF32, 4}, {kS32, 4}, false},
       {is_too_wide, {}, word, word, true, of_threads},
       {is_too_wide, {}, {kU64, 1}, {kU64, 1}, true, of_threads},
       {is_too_wide, {}, {kS32, 1}, {kS32, 1}, false, of_threads},
       {is_too_wide, {}, {kF64, 1}, {kF64, 1}, false, of_threads},
       {is_too_wide, {}, word, word, false, of_wide_threads},
       // Vectors of 32 bits, as Hexagon's: 64 bits are scalars there.
       {is_too_wide, {}, word, word, false, [](Target& t) { t.widest_element = 32; }},
       {converts_too_wide, {}, word, number, true, of_threads},
       {converts_too_wide, {}, number, word, true, of_threads},
       {converts_too_wide, {}, word, {kS32, 1}, false, of_threads},
       {converts_too_wide, {}, {kS32, 1}, number, false, of_threads},
       {converts_too_wide, {}, {kS32, 1}, word, false, of_threads},
       {converts_too_wide, {}, number, {kS32, 1}, false, of_threads},
       {converts_too_wide, {}, number, word, false, of_wide_threads},
       {converts_too_wide, {}, number, word, false, [](Target& t) { t.widest_element = 32; }},
       {has_rough_quotients,
        {},
        number,
        number,
        true,
        [](Target& t) { t.style = KernelStyle::kSimt, t.float_roots = false; }},
       {has_rough_quotients,
        {},
        number,
        number,
        false,
        [](Target& t) { t.style = KernelStyle::kSimt, t.float_roots = true; }},
       {has_rough_quotients, {}, number, number, false, [](Target& t) { t.float_roots = false; }}});
}

TEST_CASE("four s32 saturate to bytes on MVE and NEON, but not in C") {
  const Type words{kS32, 4}, bytes{kS8, 4};
  const auto rows = [&](Isa isa) -> std::vector<Asked> {
    return {{narrows_with_saturation, {isa}, words, bytes, true},
            {narrows_with_saturation, {isa}, words, {kU8, 4}, false},
            {narrows_with_saturation, {isa}, words, {kS16, 4}, false},
            {narrows_with_saturation, {isa}, words, {kS8, 8}, false},
            {narrows_with_saturation, {isa}, words, {kS8, 3}, false},
            {narrows_with_saturation, {isa}, words, {kS8, 1}, false},
            {narrows_with_saturation, {isa}, words, bytes, false, [](Target& t) {
               t.dot_loops = true;
             }}};
  };
  for (const Isa isa : {kMve, kNeon, kAArch64}) check(rows(isa));
  check({{narrows_with_saturation, {kDsp}, words, bytes, false},
         {narrows_with_saturation, {kSse41, kAvx2}, words, bytes, false}});
}

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

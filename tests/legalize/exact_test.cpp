// Expansions whose result has only one right value, against the evaluator's direct meaning:
// integers of all widths, rounding, minimum and maximum, comparison, conversion between all types,
// arithmetic of small floats.
#include <catch2/catch.hpp>

#include "kernel/legalize/legalize.h"
#include "kernel/program.h"
#include "legalize/harness.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

using enum OpKind;

std::vector<Scalar> scalars_of(bool (*wanted)(Scalar)) {
  std::vector<Scalar> found;
  for (int i = 0; i <= static_cast<int>(Scalar::kF64); ++i)
    if (wanted(static_cast<Scalar>(i))) found.push_back(static_cast<Scalar>(i));
  return found;
}
bool is_whole(Scalar s) { return is_integer(s); }
bool is_real(Scalar s) { return is_float(s); }
bool is_convertible(Scalar s) { return s != Scalar::kIndex; }

Column few(Scalar scalar) { return edge_values(scalar, scalar_bits(scalar) > 8 ? 8 : 0); }

TEST_CASE("integer ops of one operand on all widths") {
  for (const Scalar scalar : scalars_of(is_whole))
    for (const OpKind kind : {kAbs, kNeg, kSign, kNot, kPopcnt, kClz})
      check_same(unary_test(kind, scalar), {edge_values(scalar, 100)}, target_named("cortex-m0"));
}

// Powers of two, what is next to them, and what has all bits below its first.
TEST_CASE("leading zeros are the same, kept and expanded") {
  for (const Scalar scalar : scalars_of(is_whole)) {
    Column numbers = edge_values(scalar, 100);
    for (int bit = 0; bit < scalar_bits(scalar); ++bit)
      for (const uint64_t near : {uint64_t{1} << bit, (uint64_t{1} << bit) - 1}) {
        const bool negative = is_signed(scalar) && near >> (scalar_bits(scalar) - 1) != 0;
        numbers.push_back(negative ? near | ~uint64_t{0} << (scalar_bits(scalar) - 1) : near);
      }
    for (const char* chip : {"cortex-m0", "cortex-m3", "cortex-m55", "cortex-a53", "armv7-linux"})
      check_same(unary_test(kClz, scalar), {numbers}, target_named(chip));
  }
  const auto keeps = [](const char* chip, Scalar scalar, int lanes) {
    const Kernel kernel = legal_kernel_of(unary_test(kClz, scalar), 8, lanes, target_named(chip));
    return to_text(kernel).find(" clz ") != std::string::npos;
  };
  using enum Scalar;
  CHECK((keeps("cortex-m3", kS32, 1) && !keeps("cortex-m0", kS32, 1)));
  CHECK((!keeps("cortex-m3", kS32, 4) && keeps("cortex-m55", kS32, 4)));
  CHECK((!keeps("cortex-m3", kS64, 1) && !keeps("rv32imc", kS32, 1)));
  CHECK((keeps("cortex-a53", kU32, 4) && keeps("armv7-linux", kU32, 4)));
}

TEST_CASE("integer ops of two operands on all widths") {
  for (const Scalar scalar : scalars_of(is_whole))
    for (const OpKind kind : {kAdd, kSub, kMul, kDiv, kRem, kMin, kMax, kPow, kMulHi, kAnd, kOr,
                              kXor, kShl, kShrLogical, kShrArithmetic})
      check_same(binary_test(kind, scalar), pairs_of(few(scalar), few(scalar)),
                 target_named("cortex-m0"));
}

TEST_CASE("twice the product of two s32 has its high half, clamped") {
  const Column numbers = edge_values(Scalar::kS32, 40);
  check_same(binary_test(kMulHiDoubled, Scalar::kS32), pairs_of(numbers, numbers),
             target_named("cortex-m0"));
}

TEST_CASE("index divides, shifts and compares as integers do") {
  const Column numbers = {
      0, 1, 2, 3, 7, 100, 65536, 1000003, ~uint64_t{0}, ~uint64_t{6}, ~uint64_t{99}};
  const Column amounts = {0, 1, 2, 3, 7, 15};
  for (const OpKind kind : {kAdd, kMul, kDiv, kRem, kMin, kMax, kAnd})
    check_same(binary_test(kind, Scalar::kIndex), pairs_of(numbers, numbers),
               target_named("rv64gc"));
  for (const OpKind kind : {kShl, kShrLogical, kShrArithmetic})
    check_same(binary_test(kind, Scalar::kIndex), pairs_of(numbers, amounts),
               target_named("rv64gc"));
  for (const Scalar other : {Scalar::kS8, Scalar::kU16, Scalar::kS32, Scalar::kU64, Scalar::kF32,
                             Scalar::kF16, Scalar::kS4}) {
    check_same(convert_test(Scalar::kIndex, other), {{0, 1, 5, 7, 0, 3}},
               target_named("cortex-m0"));
    check_same(convert_test(other, Scalar::kIndex), {{0, 1, 5, 7, 0, 3}},
               target_named("cortex-m0"));
  }
}

TEST_CASE("truth values") {
  const Column both = {0, 1};
  for (const OpKind kind : {kAdd, kMul, kMin, kMax, kAnd, kOr, kXor})
    check_same(binary_test(kind, Scalar::kPred), pairs_of(both, both), target_named("cortex-m0"));
  check_same(unary_test(kNot, Scalar::kPred), {both}, target_named("cortex-m0"));
}

TEST_CASE("vectors of truth values are chosen by logic where nothing else does") {
  const auto keeps_choice = [](const char* chip, int lanes) {
    Builder b("chosen");
    const auto count = static_cast<uint16_t>(lanes);
    const BufferId x =
        b.buffer({.name = "x", .element = Scalar::kPred, .elements = 3 * int64_t{count}});
    const BufferId y = b.buffer(
        {.name = "y", .element = Scalar::kPred, .elements = count, .direction = Direction::kOut});
    b.store(
        y, Affine::constant(0),
        b.select(b.load(x, Affine::constant(0), lanes), b.load(x, Affine::constant(lanes), lanes),
                 b.load(x, Affine::constant(2 * int64_t{lanes}), lanes)));
    Program program;
    program.kernels.push_back(b.finish());
    REQUIRE(legalize(program, target_named(chip)));
    return to_text(program.kernels[0]).find(" select ") != std::string::npos;
  };
  CHECK_FALSE(keeps_choice("hexagon-v67-hvx", 32));
  CHECK(keeps_choice("hexagon-v67-hvx", 1));
  CHECK(keeps_choice("cortex-a53", 4));
}

TEST_CASE("comparisons on all types") {
  for (int p = 0; p < 6; ++p)
    for (int s = 0; s <= static_cast<int>(Scalar::kF64); ++s) {
      const Scalar scalar = static_cast<Scalar>(s);
      const Column numbers = scalar == Scalar::kPred    ? Column{0, 1}
                             : scalar == Scalar::kIndex ? Column{0, 1, 9}
                                                        : few(scalar);
      check_same(compare_test(static_cast<Predicate>(p), scalar), pairs_of(numbers, numbers),
                 target_named("cortex-m4f"));
    }
}

TEST_CASE("conversions between all types") {
  for (const Scalar from : scalars_of(is_convertible))
    for (const Scalar to : scalars_of(is_convertible)) {
      const Column numbers =
          from == Scalar::kPred ? Column{0, 1} : edge_values(from, scalar_bits(from) > 8 ? 200 : 0);
      check_same(convert_test(from, to), {numbers}, target_named("cortex-m4f"));
      check_same(convert_test(from, to), {numbers}, target_named("riscv64v-linux"));
    }
}

TEST_CASE("every code of a small float converts both ways") {
  for (const Scalar from : scalars_of(is_real)) {
    if (scalar_bits(from) > 16) continue;
    Column codes;
    for (uint64_t code = 0; code < uint64_t{1} << scalar_bits(from); ++code) codes.push_back(code);
    check_same(convert_test(from, Scalar::kF32), {codes}, target_named("cortex-m0"));
    check_same(convert_test(from, from == Scalar::kF16 ? Scalar::kBF16 : Scalar::kF16), {codes},
               target_named("cortex-m0"));
  }
}

TEST_CASE("rounding, sign, minimum and maximum of floats") {
  for (const Target& target : test_targets())
    for (const Scalar scalar : {Scalar::kF32, Scalar::kF64}) {
      for (const OpKind kind :
           {kAbs, kNeg, kSign, kFloor, kCeil, kTrunc, kRoundAfz, kRoundEven, kSqrt})
        check_same(unary_test(kind, scalar), {edge_values(scalar, 2000)}, target);
      for (const OpKind kind : {kMin, kMax, kRem, kAdd, kDiv})
        check_same(binary_test(kind, scalar), pairs_of(few(scalar), few(scalar)), target);
    }
}

TEST_CASE("minimum and maximum against every kind of constant") {
  for (const Scalar scalar : {Scalar::kF32, Scalar::kF64})
    for (const double constant : {0.0, -0.0, 6.0, -1.0, double(INFINITY), double(NAN)})
      for (const OpKind kind : {kMin, kMax})
        for (const bool left : {false, true}) {
          const OpTest test{
              "clamp", {scalar}, scalar, [=](Builder& b, std::span<const ValueId> in) {
                const ValueId bound = b.constant_float(b.type(in[0]), constant);
                return left ? b.binary(kind, bound, in[0]) : b.binary(kind, in[0], bound);
              }};
          check_same(test, {edge_values(scalar, 10)}, target_named("cortex-m4f"));
        }
}

TEST_CASE("floats are chosen as bits where a choice would become a minimum that drops a NaN") {
  const auto chosen_as = [](const Target& target, Scalar scalar) {
    Builder b("chosen");
    const BufferId y = b.buffer({.name = "y", .element = scalar, .direction = Direction::kOut});
    const BufferId x = b.buffer({.name = "x", .element = scalar, .elements = 2});
    const ValueId one = b.load(x, Affine::constant(0)), two = b.load(x, Affine::constant(1));
    b.store(y, Affine::constant(0), b.select(b.compare(Predicate::kLt, one, two), one, two));
    Program program;
    program.kernels.push_back(b.finish());
    REQUIRE(legalize(program, target));
    std::vector<Scalar> kinds;
    for (const Op& op : program.kernels[0].body.ops)
      if (op.kind == kSelect) kinds.push_back(program.kernels[0].type(op.result()).scalar);
    return kinds;
  };
  const Target hexagon = target_named("hexagon-v67");
  CHECK(chosen_as(hexagon, Scalar::kF32) == std::vector{Scalar::kU32});
  CHECK(chosen_as(hexagon, Scalar::kF64) == std::vector{Scalar::kU64});
  CHECK(chosen_as(hexagon, Scalar::kS32) == std::vector{Scalar::kS32});
  CHECK(chosen_as(target_named("cortex-m4f"), Scalar::kF32) == std::vector{Scalar::kF32});
  for (const Scalar scalar : {Scalar::kF32, Scalar::kF64}) {
    for (const OpKind kind : {kMin, kMax, kNativeMin, kNativeMax})
      check_same(binary_test(kind, scalar), pairs_of(few(scalar), few(scalar)), hexagon);
    check_same(unary_test(kSign, scalar), {edge_values(scalar, 2000)}, hexagon);
  }
}

TEST_CASE("arithmetic of small floats rounds once") {
  for (const Scalar scalar : scalars_of(is_real)) {
    if (scalar_bits(scalar) > 16) continue;
    Column numbers = few(scalar);
    for (const OpKind kind : {kAbs, kNeg, kSign, kFloor, kRoundEven, kSqrt})
      check_same(unary_test(kind, scalar), {edge_values(scalar, 100)}, target_named("cortex-m4f"));
    for (const OpKind kind : {kAdd, kSub, kMul, kDiv, kMin, kMax, kRem})
      check_same(binary_test(kind, scalar), pairs_of(numbers, numbers), target_named("cortex-m4f"));
    const OpTest finite{
        "is_finite", {scalar}, Scalar::kPred, [](Builder& b, std::span<const ValueId> in) {
          return b.is_finite(in[0]);
        }};
    check_same(finite, {numbers}, target_named("cortex-m4f"));
  }
}

TEST_CASE("known integer exponents are multiplied out") {
  for (const int exponent : {0, 1, 2, 3, 10, -1, -2}) {
    const OpTest test{
        "pow", {Scalar::kS32}, Scalar::kS32, [=](Builder& b, std::span<const ValueId> in) {
          return b.binary(kPow, in[0], b.constant_int(b.type(in[0]), exponent));
        }};
    check_same(test, {edge_values(Scalar::kS32, 10)}, target_named("cortex-m0"));
  }
}

TEST_CASE("bitcasts between small types and integers") {
  const auto check = [](Scalar from, Scalar to) {
    const OpTest test{"bitcast", {from}, to, [=](Builder& b, std::span<const ValueId> in) {
                        return b.bitcast(in[0], to);
                      }};
    check_same(test, {edge_values(from, 20)}, target_named("cortex-m0"));
  };
  check(Scalar::kS4, Scalar::kU4);
  check(Scalar::kU4, Scalar::kS4);
  check(Scalar::kF4E2M1FN, Scalar::kS4);
  check(Scalar::kU4, Scalar::kF4E2M1FN);
  check(Scalar::kF16, Scalar::kS16);
  check(Scalar::kBF16, Scalar::kF16);
  check(Scalar::kS8, Scalar::kF8E5M2);
  check(Scalar::kF32, Scalar::kS32);
}

// An x86 with AVX-512, whose maxima of vectors are our own.
Target masked_target() {
  Target target = target_named("cortex-a53");
  target.triple = "x86_64-unknown-linux-gnu";
  target.features = "+sse4.1,+avx,+avx512f,+avx512vl";
  target.vector_bits = 512;
  return target;
}

TEST_CASE("maxima and minima of lanes where comparisons make masks") {
  for (const Scalar scalar : {Scalar::kF32, Scalar::kF64})
    for (const OpKind kind : {kMin, kMax}) {
      auto [a, b] = std::pair(Column{}, Column{});
      for (const uint64_t x : edge_values(scalar, 10))
        for (const uint64_t y : edge_values(scalar, 10)) a.push_back(x), b.push_back(y);
      a.resize(a.size() / 16 * 16);
      b.resize(a.size());
      const OpTest test = binary_test(kind, scalar);
      const int64_t size = static_cast<int64_t>(a.size());
      const Column expected = run(kernel_of(test, size, 1), test, {a, b});
      const Column got = run(legal_kernel_of(test, size, 16, masked_target()), test, {a, b});
      for (size_t i = 0; i < got.size(); ++i) CHECK(same_number(scalar, expected[i], got[i]));
    }
}

// Tiles of one, two by two and four by four.
TEST_CASE("tiles that no instruction multiplies") {
  Target tiles = target_named("cortex-a53");
  tiles.isa.add(Isa::kI8mm);
  for (const Scalar scalar :
       {Scalar::kS8, Scalar::kU8, Scalar::kS16, Scalar::kF16, Scalar::kBF16, Scalar::kF32}) {
    const Scalar sum = is_float(scalar) ? Scalar::kF32 : Scalar::kS32;
    const OpTest test{cat("matrix of ", scalar_name(scalar)),
                      {sum, scalar, scalar},
                      sum,
                      [](Builder& b, std::span<const ValueId> in) {
                        return b.matrix_accumulate(in[0], in[1], in[2]);
                      }};
    Column a = edge_values(scalar, 40), sums = edge_values(sum, 40);
    a.resize(a.size() / 16 * 16);
    sums.resize(a.size());
    Column c(a.rbegin(), a.rend());
    const int64_t size = static_cast<int64_t>(a.size());
    for (const Target& target : {target_named("cortex-m0"), target_named("cortex-m4f"), tiles})
      for (const int lanes : {1, 4, 16}) {
        const Column expected = run(kernel_of(test, size, lanes), test, {sums, a, c});
        const Column got = run(legal_kernel_of(test, size, lanes, target), test, {sums, a, c});
        for (size_t i = 0; i < got.size(); ++i) CHECK(same_number(sum, expected[i], got[i]));
      }
  }
}

// SMMLA's tile, and others beside it.
TEST_CASE("tiles that an instruction multiplies are kept") {
  const auto kept = [](const Target& target, Scalar scalar, int rows, int columns, int depth) {
    Builder b("tiles");
    const auto number = [](int count) { return static_cast<uint16_t>(count); };
    const Type sums{is_float(scalar) ? Scalar::kF32 : Scalar::kS32, number(rows * columns)};
    const BufferId y = b.buffer({.name = "y",
                                 .element = sums.scalar,
                                 .elements = sums.lanes,
                                 .direction = Direction::kOut});
    b.store(y, Affine::constant(0),
            b.matrix_accumulate(b.zero(sums), b.zero({scalar, number(rows * depth)}),
                                b.zero({scalar, number(columns * depth)})));
    Program program;
    program.kernels.push_back(b.finish());
    REQUIRE(legalize(program, target));
    return to_text(program.kernels[0]).find("matrix_accumulate") != std::string::npos;
  };
  Target tiles = target_named("cortex-a53");
  CHECK(!kept(tiles, Scalar::kS8, 2, 2, 8));
  tiles.isa.add(Isa::kI8mm);
  CHECK(kept(tiles, Scalar::kS8, 2, 2, 8));
  CHECK(kept(tiles, Scalar::kU8, 2, 2, 8));
  CHECK(!kept(tiles, Scalar::kS16, 2, 2, 8));
  CHECK(!kept(tiles, Scalar::kS8, 2, 2, 4));
  CHECK(!kept(tiles, Scalar::kS8, 4, 2, 8));
  CHECK(!kept(tiles, Scalar::kF32, 2, 2, 8));
}

TEST_CASE("roundings and conversions of vectors that are an instruction are kept") {
  const auto kept = [](const Target& target, Type from, Scalar to) {
    Builder b("rounded");
    const BufferId y = b.buffer(
        {.name = "y", .element = to, .elements = from.lanes, .direction = Direction::kOut});
    const BufferId x = b.buffer({.name = "x", .element = from.scalar, .elements = from.lanes});
    const ValueId rounded = b.unary(kRoundEven, b.load(x, Affine::constant(0), from.lanes));
    b.store(y, Affine::constant(0), b.convert(rounded, to));
    Program program;
    program.kernels.push_back(b.finish());
    REQUIRE(legalize(program, target));
    const std::string text = to_text(program.kernels[0]);
    return std::pair(text.find("round_even") != std::string::npos,
                     text.find(" convert") != std::string::npos);
  };
  const Target m55 = target_named("cortex-m55");
  const Type four{Scalar::kF32, 4};
  CHECK(kept(m55, four, Scalar::kS32) == std::pair(true, true));
  CHECK(kept(m55, four, Scalar::kU32) == std::pair(true, true));
  CHECK(kept(m55, four, Scalar::kS8) == std::pair(true, false));
  CHECK(kept(m55, {Scalar::kF32, 1}, Scalar::kS32) == std::pair(false, false));
  CHECK(kept(m55, {Scalar::kF64, 2}, Scalar::kS32) == std::pair(false, false));
  Target in_c = m55;
  in_c.isa = {Isa::kMve};
  CHECK(kept(in_c, four, Scalar::kS32) == std::pair(false, false));
}

TEST_CASE("reductions over lanes") {
  for (const Scalar scalar : {Scalar::kF32, Scalar::kF64, Scalar::kF16, Scalar::kS4, Scalar::kU2,
                              Scalar::kS32, Scalar::kPred})
    for (const OpKind kind :
         {kReduceAdd, kReduceMul, kReduceMin, kReduceMax, kReduceAnd, kReduceOr}) {
      const bool logical = kind == kReduceAnd || kind == kReduceOr;
      if (logical && is_float(scalar)) continue;
      const OpTest test{cat("reduce ", op_name(kind)),
                        {scalar},
                        scalar,
                        [=](Builder& b, std::span<const ValueId> in) {
                          if (!b.type(in[0]).is_vector()) return in[0];
                          return b.splat(b.reduce(kind, in[0]), b.type(in[0]).lanes);
                        }};
      const Column numbers = scalar == Scalar::kPred ? Column{0, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0}
                                                     : edge_values(scalar, 40);
      Column padded = numbers;
      padded.resize((numbers.size() + 15) / 16 * 16);
      const int64_t size = static_cast<int64_t>(padded.size());
      for (const Target& target : {target_named("cortex-m0"), masked_target()})
        for (const int lanes : {2, 4, 16}) {
          const Column expected = run(kernel_of(test, size, lanes), test, {padded});
          const Column got = run(legal_kernel_of(test, size, lanes, target), test, {padded});
          for (size_t i = 0; i < got.size(); ++i) CHECK(same_number(scalar, expected[i], got[i]));
        }
    }
}

}  // namespace
}  // namespace hlocc::kernel

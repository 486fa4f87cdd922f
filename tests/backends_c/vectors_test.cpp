// Vectors as values, on rows with MVE, NEON and x86's: which ops are done on them, and what this
// machine's compiler makes of them: of Arm's the structs, of x86's the instructions that it has.
// Arm's own run on boards, x86's structs in e2e's c_test.py.
#include <bit>
#include <cmath>

#include "backends_c/through_c.h"
#include "driver/pipeline/host_compiler.h"
#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using namespace kernel;
using tests::require;

constexpr Scalar kS8 = Scalar::kS8, kU8 = Scalar::kU8, kS32 = Scalar::kS32, kU32 = Scalar::kU32,
                 kF32 = Scalar::kF32;

Target row_with(backends::VectorUnit unit) {
  Target target = scalar_row();
  target.vector_bits = 128;
  target.out_of_order = false;
  target.vector_registers = 32;
  if (unit == backends::VectorUnit::kMve) target.isa = {Isa::kMve, Isa::kFpArmv8};
  target.multiply_by_lane = unit == backends::VectorUnit::kNeon;
  target.vector_scaling = true;
  return target;
}

// Of registers with so many bits, and products of four bytes in a lane.
Target x86_row(int bits) {
  Target target = scalar_row();
  target.vector_bits = bits;
  target.vector_registers = 16;
  target.isa = {Isa::kSse2};
  target.fma = false;
  target.vector_rounding = bits > 128;
  target.vector_scaling = true;
  if (bits > 128) target.isa.add(Isa::kAvx2);
  if (bits > 256) target.isa = {Isa::kSse2, Isa::kAvx2, Isa::kAvxVnni, Isa::kAvx512Vnni};
  return target;
}

// z[0..] = make(x[0..], y[0..]).
using Make = std::function<ValueId(Builder&, ValueId x, ValueId y)>;
Kernel of_two(Scalar from, int lanes, const Make& make) {
  Builder b("two");
  const int count = std::max(16, lanes);
  const BufferId x = b.buffer({.name = "x", .element = from, .elements = count});
  const BufferId y = b.buffer({.name = "y", .element = from, .elements = count});
  const ValueId result = make(b, b.load(x, Affine::constant(0), lanes),
                              b.load(y, Affine::constant(count - lanes), lanes));
  const Type type = b.type(result);
  const BufferId z = b.buffer(
      {.name = "z", .element = type.scalar, .elements = type.lanes, .direction = Direction::kOut});
  b.store(z, Affine::constant(0), result);
  return b.finish();
}

// The file's text; the results are the evaluator's.
std::string checked_text(const Program& program, const Target& target) {
  std::vector<std::vector<std::byte>> arguments;
  for (const ProgramValueId id : program.arguments) {
    const ProgramValue& value = program.values[static_cast<size_t>(id)];
    arguments.emplace_back();
    for (int64_t i = 0; i < value.elements * scalar_bytes(value.element); ++i)
      arguments.back().push_back(
          static_cast<std::byte>(i * 37 + 120 + 29 * static_cast<int64_t>(arguments.size())));
  }
  const ThroughC got = through_c(program, target, arguments);
  const auto expected = require(evaluate(program, arguments));
  REQUIRE(got.results.size() == expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    INFO("result " << i);
    CHECK(got.results[i] == expected[i]);
  }
  return got.text;
}
std::string text_of(Kernel kernel, const Target& target) {
  return checked_text(program_of(std::move(kernel)), target);
}

Type like(Builder& b, ValueId x, Scalar scalar) { return b.type(x).with(scalar); }

struct Case {
  std::string function;  // a call of it stands in the text; @: lanes, #: in words
  Scalar from;
  Make make;
};

Make binary(OpKind kind) {
  return [kind](Builder& b, ValueId x, ValueId y) { return b.op(kind, b.type(x), {x, y}); };
}
Make unary(OpKind kind) {
  return [kind](Builder& b, ValueId x, ValueId y) { return b.add(b.op(kind, b.type(x), {x}), y); };
}
Make compared(Predicate predicate) {
  return [predicate](Builder& b, ValueId x, ValueId y) {
    return b.select(b.compare(predicate, x, y), b.add(x, y), y);
  };
}
Make shifted(OpKind kind) {
  return [kind](Builder& b, ValueId x, ValueId) {
    return b.op(kind, b.type(x), {x, b.constant_int(b.type(x), 5)});
  };
}
// Of 64 bits: x * y, rounded, shifted.
Make scaled(RoundedShift by) {
  return [by](Builder& b, ValueId x, ValueId y) { return b.mul_shift_right(x, y, by); };
}

const Case kCases[] = {
    {"hl_add_s32x@", kS32, binary(OpKind::kAdd)},
    {"hl_add_u32x@", kU32, binary(OpKind::kAdd)},
    {"hl_add_f32x@", kF32, binary(OpKind::kAdd)},
    {"hl_sub_s32x@", kS32, binary(OpKind::kSub)},
    {"hl_mul_f32x@", kF32, binary(OpKind::kMul)},
    {"hl_mul_s32x@", kS32, binary(OpKind::kMul)},
    {"hl_div_f32x@", kF32, binary(OpKind::kDiv)},
    {"hl_and_u32x@", kU32, binary(OpKind::kAnd)},
    {"hl_or_s32x@", kS32, binary(OpKind::kOr)},
    {"hl_xor_s32x@", kS32, binary(OpKind::kXor)},
    {"hl_min_s32x@", kS32, binary(OpKind::kNativeMin)},
    {"hl_max_u32x@", kU32, binary(OpKind::kNativeMax)},
    {"hl_min_f32x@", kF32, binary(OpKind::kNativeMin)},
    {"hl_max_f32x@", kF32, binary(OpKind::kNativeMax)},
    {"hl_neg_s32x@", kS32, unary(OpKind::kNeg)},
    {"hl_not_u32x@", kU32, unary(OpKind::kNot)},
    {"hl_abs_f32x@", kF32, unary(OpKind::kAbs)},
    {"hl_eq_s32x@", kS32, compared(Predicate::kEq)},
    {"hl_ne_f32x@", kF32, compared(Predicate::kNe)},
    {"hl_lt_f32x@", kF32, compared(Predicate::kLt)},
    {"hl_le_s32x@", kS32, compared(Predicate::kLe)},
    {"hl_gt_f32x@", kF32, compared(Predicate::kGt)},
    {"hl_ge_s32x@", kS32, compared(Predicate::kGe)},
    {"hl_shl_s32x@", kS32, shifted(OpKind::kNativeShl)},
    {"hl_shr_s32x@", kS32, shifted(OpKind::kNativeShr)},
    {"hl_shr_u32x@", kU32, shifted(OpKind::kNativeShr)},
    {"hl_bits_s32x@_of_f32", kF32,
     [](Builder& b, ValueId x, ValueId) { return b.bitcast(x, kS32); }},
    {"hl_convert_f32x@_of_s32", kS32,
     [](Builder& b, ValueId x, ValueId y) {
       const ValueId wide = b.op(OpKind::kNativeConvert, like(b, x, kF32), {x});
       return b.mul(wide, b.op(OpKind::kNativeConvert, like(b, x, kF32), {y}));
     }},
    {"hl_convert_s32x@_of_f32", kS32,
     [](Builder& b, ValueId x, ValueId) {
       const Type type = b.type(x);
       const ValueId some = b.op(OpKind::kNativeShr, type, {x, b.constant_int(type, 4)});
       return b.op(OpKind::kNativeConvert, type,
                   {b.op(OpKind::kNativeConvert, like(b, x, kF32), {some})});
     }},
    {"hl_insert_s32x@", kS32,
     [](Builder& b, ValueId x, ValueId y) { return b.insert(x, b.extract(y, 3), 1); }},
    {"hl_lane_f32x@", kF32,
     [](Builder& b, ValueId x, ValueId y) { return b.mul(x, b.extract(y, 2)); }},
    {"hl_mul_add_by_f32x@", kF32,
     [](Builder& b, ValueId x, ValueId y) {
       return b.op(OpKind::kMulAdd, b.type(x), {b.splat(b.extract(y, 1), b.type(x).lanes), x, y});
     }},
    {"hl_mul_add_f32x@", kF32,
     [](Builder& b, ValueId x, ValueId y) {
       return b.op(OpKind::kMulAdd, b.type(x), {x, y, x});
     }},
    {"hl_splat_s32x@", kS32,
     [](Builder& b, ValueId x, ValueId) { return b.add(x, b.constant_int(b.type(x), 7)); }},
    {"hl_widen_#_s8", kS8,
     [](Builder& b, ValueId x, ValueId y) {
       return b.mul(b.op(OpKind::kNativeConvert, like(b, x, kS32), {x}),
                    b.op(OpKind::kNativeConvert, like(b, x, kS32), {y}));
     }},
    {"hl_widen_#_u8", kU8,
     [](Builder& b, ValueId x, ValueId y) {
       return b.add(b.op(OpKind::kNativeConvert, like(b, x, kU32), {x}),
                    b.op(OpKind::kNativeConvert, like(b, x, kU32), {y}));
     }},
    {"hl_narrow_#_s8_of_s32", kS32,
     [](Builder& b, ValueId x, ValueId) {
       return b.op(OpKind::kNativeConvert, like(b, x, kS8), {x});
     }},
    {"hl_narrow_#_u8_of_u32", kU32,
     [](Builder& b, ValueId x, ValueId) {
       return b.op(OpKind::kNativeConvert, like(b, x, kU8), {x});
     }},
    {"hl_low_s32x@_s8", kS32,
     [](Builder& b, ValueId x, ValueId) {
       const ValueId bytes = b.op(OpKind::kNativeConvert, like(b, x, kS8), {x});
       return b.op(OpKind::kNativeConvert, like(b, x, kF32), {bytes});
     }},
    {"hl_low_u32x@_u8", kU32,
     [](Builder& b, ValueId x, ValueId y) {
       const ValueId bytes = b.op(OpKind::kNativeConvert, like(b, x, kU8), {x});
       return b.add(b.op(OpKind::kNativeConvert, like(b, x, kU32), {bytes}), y);
     }},
    {"hl_convert_f32x@_of_s32", kS8,
     [](Builder& b, ValueId x, ValueId) {
       return b.op(OpKind::kNativeConvert, like(b, x, kF32), {x});
     }},
};

bool calls(const std::string& text, const std::string& function) {
  const size_t defined = text.find(" " + function + "(");
  return defined != std::string::npos &&
         text.find(function + "(", defined + 2) != std::string::npos;
}

std::string with_lanes(std::string function, int lanes) {
  const size_t number = function.find('@'), word = function.find('#');
  if (number != std::string::npos) function.replace(number, 1, std::to_string(lanes));
  if (word != std::string::npos)
    function.replace(word, 1, lanes == 4 ? "four" : lanes == 8 ? "eight" : "sixteen");
  return function;
}

// Each case has a text of its own; this machine's compiler gets all of them as one.
void check_cases(const Target& target, int lanes) {
  Program all;
  for (const Case& one : kCases) {
    const std::string function = with_lanes(one.function, lanes);
    if (function.starts_with("hl_mul_add_by") && target.has(Isa::kSse2)) continue;
    INFO(function << " " << target.vector_bits);
    Kernel kernel = of_two(one.from, lanes, one.make);
    const Program alone = program_of(kernel);
    const std::string text = c_text(planned_for(alone, target), target);
    CHECK(calls(text, function));
    CHECK(text.find("HL_LANES\n") == std::string::npos);
    if (all.kernels.empty())
      all = alone;
    else
      add_kernel(all, std::move(kernel));
  }
  checked_text(all, target);
}

TEST_CASE("ops on four lanes of 32 bits are functions of whole vectors") {
  if (host_compiler().empty()) return;
  for (const auto unit : {backends::VectorUnit::kMve, backends::VectorUnit::kNeon})
    check_cases(row_with(unit), 4);
}

TEST_CASE("x86 has registers of four, eight and sixteen lanes") {
  if (host_compiler().empty()) return;
  check_cases(x86_row(128), 4);
  check_cases(x86_row(256), 8);
  for (const int lanes : {4, 8, 16}) check_cases(x86_row(512), lanes);
  // What is wider is lanes, and so are floats of AVX alone, which has no integers.
  Target avx = x86_row(256);
  avx.isa = {Isa::kSse2};
  CHECK(backends::vector_unit(avx) == backends::VectorUnit::kNone);
  const auto text = text_of(of_two(kS32, 16, binary(OpKind::kAdd)), x86_row(256));
  CHECK(text.find("HL_VECTORS") == std::string::npos);
  // Of x * 1 + x one rounding is as two.
  const auto twice = [](Builder& b, ValueId x, ValueId) {
    const ValueId one =
        b.op(OpKind::kNativeConvert, like(b, x, kF32), {b.constant_int(like(b, x, kS32), 1)});
    return b.op(OpKind::kMulAdd, b.type(x), {x, one, x});
  };
  for (const bool fma : {false, true}) {
    Target row = x86_row(256);
    row.fma = fma;
    const std::string fused = text_of(of_two(kF32, 8, twice), row);
    CHECK((fused.find("_mm256_fmadd_ps(a, b, c)") != std::string::npos) == fma);
    CHECK((fused.find("defined(__FMA__)") != std::string::npos) == fma);
  }
}

TEST_CASE("products of 64 bits are what the unit has of them") {
  if (host_compiler().empty()) return;
  const Target neon = row_with(backends::VectorUnit::kNeon),
               mve = row_with(backends::VectorUnit::kMve);
  const auto made_of = [](const Target& row, RoundedShift by, int lanes = 4) {
    const std::string text = text_of(of_two(kS32, lanes, scaled(by)), row);
    CHECK(calls(text, "hl_shr_s64"));
    return calls(text, cat("hl_scaled_s32x", lanes));
  };
  for (const RoundedShift by :
       {RoundedShift{0, 32}, {0, 37}, {0, 31}, {1 << 20, 32}, {int64_t{1} << 61, 63}, {1, 1}}) {
    INFO(by.rounding << " " << by.shift);
    CHECK(made_of(neon, by));
    CHECK_FALSE(made_of(neon, by, 2));
    CHECK_FALSE(made_of(mve, by, 2));
    for (const int bits : {128, 256, 512})
      CHECK(made_of(x86_row(bits), by, bits / 32) == (by.shift >= 32));
  }
  CHECK(calls(text_of(of_two(kS32, 4, binary(OpKind::kMulHi)), mve), "hl_multiply_high_s32x4"));
  CHECK_FALSE(
      calls(text_of(of_two(kS32, 2, binary(OpKind::kMulHi)), mve), "hl_multiply_high_s32x2"));
}

// Ties and what is next to them, signs of zero, what is whole or no number, what is too large.
TEST_CASE("whole vectors of floats are rounded and converted as they are, and no others") {
  if (host_compiler().empty()) return;
  const auto text_of_edges = [](OpKind kind, Scalar to, int lanes, const Target& target) {
    Builder b("edges");
    const BufferId z =
        b.buffer({.name = "z", .element = to, .elements = 20, .direction = Direction::kOut});
    const BufferId x = b.buffer({.name = "x", .element = kF32, .elements = 20});
    const std::vector<float> edges = {0.5f,      -0.5f,         1.5f,       -2.5f,      0.49999997f,
                                      -0.3f,     -0.0f,         0.0f,       8388607.5f, -8388608.0f,
                                      3e9f,      -3e9f,         5e9f,       NAN,        INFINITY,
                                      -INFINITY, 2147483520.0f, 4194304.5f, -1e-30f,    7.0f};
    const BufferId held = b.buffer({.name = "held",
                                    .element = kF32,
                                    .elements = 20,
                                    .direction = Direction::kScratch,
                                    .space = Space::kStack});
    for (int i = 0; i < 20; ++i)
      b.store(held, Affine::constant(i),
              b.constant_bits({kF32, 1}, std::bit_cast<uint32_t>(edges[static_cast<size_t>(i)])));
    for (int i = 0; i < 20; i += lanes)
      b.store(z, Affine::constant(i),
              b.op(kind, {to, static_cast<uint16_t>(lanes)},
                   {b.load(held, Affine::constant(i), lanes)}));
    (void)x;
    return text_of(b.finish(), target);
  };
  const Target mve = row_with(backends::VectorUnit::kMve);
  Target neon = row_with(backends::VectorUnit::kNeon);
  neon.vector_rounding = neon.vector_saturation = true;
  for (const Target& target : {mve, neon}) {
    CHECK(calls(text_of_edges(OpKind::kRoundEven, kF32, 4, target), "hl_round_f32x4"));
    CHECK(calls(text_of_edges(OpKind::kConvert, kS32, 4, target), "hl_saturate_s32x4"));
    CHECK(calls(text_of_edges(OpKind::kConvert, kU32, 4, target), "hl_saturate_u32x4"));
    for (const int lanes : {1, 2}) {
      const auto has = [&](OpKind kind, Scalar to, const char* name) {
        return text_of_edges(kind, to, lanes, target).find(name) != std::string::npos;
      };
      CHECK(!has(OpKind::kRoundEven, kF32, "hl_round_"));
      CHECK(!has(OpKind::kConvert, kS32, "hl_saturate_"));
    }
  }
  // SSE2 has no rounding, and no unit of x86 conversions of what is too large.
  const auto rounds = [&](const Target& target, int lanes) {
    return text_of_edges(OpKind::kRoundEven, kF32, lanes, target).find("hl_round_") !=
           std::string::npos;
  };
  CHECK(!rounds(x86_row(128), 4));
  CHECK((rounds(x86_row(256), 4) && !rounds(x86_row(256), 2)));
  CHECK(text_of_edges(OpKind::kConvert, kS32, 4, x86_row(256)).find("hl_saturate_") ==
        std::string::npos);
}

TEST_CASE("sixteen bytes are multiplied on MVE alone") {
  if (host_compiler().empty()) return;
  for (const Scalar byte : {kS8, kU8}) {
    const auto dot = [](Builder& b, ValueId x, ValueId y) {
      return b.dot_accumulate(b.constant_int({kS32, 1}, -7), x, y);
    };
    const std::string mve = text_of(of_two(byte, 16, dot), row_with(backends::VectorUnit::kMve));
    CHECK(calls(mve, byte == kS8 ? "hl_dot_s8x16" : "hl_dot_u8x16"));
    CHECK(mve.find("HL_IN_ORDER static void") != std::string::npos);
    const std::string neon = text_of(of_two(byte, 16, dot), row_with(backends::VectorUnit::kNeon));
    CHECK(neon.find("hl_dot_") == std::string::npos);
  }
}

// A unit of the left side for every lane, and as many bytes of the right one.
Kernel of_units(Scalar left, Scalar right, int lanes) {
  Builder b("units");
  const int group = 32 / scalar_bits(left);
  const BufferId x = b.buffer({.name = "x", .element = left, .elements = 16});
  const BufferId y = b.buffer({.name = "y", .element = right, .elements = 66});
  const BufferId z =
      b.buffer({.name = "z", .element = kS32, .elements = lanes, .direction = Direction::kOut});
  std::vector<int> repeated;
  for (int l = 0; l < group * lanes; ++l) repeated.push_back(l % group);
  const Values sums = b.loop(
      Loop{.upper = Affine::constant(3)},
      {b.constant_int({kS32, static_cast<uint16_t>(lanes)}, -5)},
      [&](ValueId i, std::span<const ValueId> carried) {
        const ValueId unit = b.load(x, Affine::of(i, group), group);
        const ValueId all = b.shuffle(unit, unit, repeated);
        return Values{b.dot_accumulate(carried[0], all, b.load(y, Affine::of(i), group * lanes))};
      });
  b.store(z, Affine::constant(0), sums[0]);
  return b.finish();
}

TEST_CASE("x86 multiplies units of four bytes where it has that, and of two numbers of 16 bits") {
  if (host_compiler().empty()) return;
  const Scalar s16 = Scalar::kS16;
  const auto dots = [](const std::string& text) {
    return text.find("hl_spread_unit_") != std::string::npos &&
           text.find("hl_dot_") != std::string::npos;
  };
  for (const int lanes : {8, 16}) CHECK(dots(text_of(of_units(kU8, kS8, lanes), x86_row(512))));
  CHECK(dots(text_of(of_units(s16, s16, 4), x86_row(128))));
  CHECK(dots(text_of(of_units(s16, s16, 8), x86_row(256))));
  CHECK(dots(text_of(of_units(s16, s16, 8), x86_row(512))));
  // More than the table's rows have.
  CHECK(!dots(text_of(of_units(s16, s16, 8), x86_row(128))));
  CHECK(!dots(text_of(of_units(s16, s16, 16), x86_row(512))));
  // AVX-VNNI has 256 bits and no more.
  Target shorter = x86_row(256);
  shorter.isa.add(Isa::kAvxVnni);
  CHECK(dots(text_of(of_units(kU8, kS8, 8), shorter)));
  shorter.vector_bits = 512;
  CHECK(!dots(text_of(of_units(kU8, kS8, 16), shorter)));
  // No VNNI; bytes with sign on the left; sixteen bytes, which are a quarter of the widest.
  CHECK(!dots(text_of(of_units(kU8, kS8, 8), x86_row(256))));
  CHECK(!dots(text_of(of_units(kS8, kS8, 16), x86_row(512))));
  CHECK(!dots(text_of(of_units(kU8, kS8, 4), x86_row(512))));
}

// A sum that loops carry, and that nothing of the region uses but its yield.
TEST_CASE("vectors are carried by loops, in any order, and by branches") {
  if (host_compiler().empty()) return;
  const auto swapped = [](Builder& b, ValueId x, ValueId y) {
    const Values out =
        b.loop(Loop{.upper = Affine::constant(3)}, {x, y, b.index(0)},
               [&](ValueId i, std::span<const ValueId> carried) {
                 return Values{carried[1], b.add(carried[0], carried[1]),
                               b.op(OpKind::kAdd, {Scalar::kIndex, 1}, {carried[2], i})};
               });
    const ValueId big = b.compare(Predicate::kGt, out[2], b.index(2));
    const Values chosen = b.if_else(
        big, [&] { return Values{b.sub(out[0], out[1])}; }, [&] { return Values{out[1]}; });
    return chosen[0];
  };
  const auto until = [](Builder& b, ValueId x, ValueId y) {
    const Values out = b.while_loop(
        {x, b.index(0)},
        [&](std::span<const ValueId> carried) {
          return b.compare(Predicate::kLt, carried[1], b.index(4));
        },
        [&](std::span<const ValueId> carried) {
          return Values{b.binary(OpKind::kXor, carried[0], y),
                        b.op(OpKind::kAdd, {Scalar::kIndex, 1}, {carried[1], b.index(1)})};
        });
    return out[0];
  };
  for (const auto unit : {backends::VectorUnit::kMve, backends::VectorUnit::kNeon}) {
    const std::string text = text_of(of_two(kS32, 4, swapped), row_with(unit));
    CHECK(calls(text, "hl_sub_s32x4"));
    CHECK(calls(text_of(of_two(kS32, 4, until), row_with(unit)), "hl_xor_s32x4"));
  }
  CHECK(calls(text_of(of_two(kS32, 16, swapped), x86_row(512)), "hl_sub_s32x16"));
}

// What has no function takes lanes from vectors, and gives them to them; inside of a loop and
// behind it.
TEST_CASE("vectors and lanes meet in arrays") {
  if (host_compiler().empty()) return;
  const auto mixed = [](Builder& b, ValueId x, ValueId y) {
    const ValueId sum = b.add(x, y);
    const Values out = b.loop(
        Loop{.upper = Affine::constant(2)}, {x}, [&](ValueId, std::span<const ValueId> carried) {
          const ValueId turned = b.shuffle(sum, carried[0], {6, 1, 4, 3});
          return Values{b.mul(turned, b.reduce(OpKind::kReduceAdd, carried[0]))};
        });
    const ValueId turned = b.shuffle(sum, out[0], {0, 7, 2, 5});
    return b.add(turned, b.splat(b.reduce(OpKind::kReduceMax, sum), 4));
  };
  for (const auto unit : {backends::VectorUnit::kMve, backends::VectorUnit::kNeon})
    CHECK(calls(text_of(of_two(kS32, 4, mixed), row_with(unit)), "hl_store_s32x4"));
}

TEST_CASE("x86 has loops over lanes where too many ops have no function") {
  if (host_compiler().empty()) return;
  // Sums, and shifts by numbers that are not known or a sum in doubles.
  const auto has_vectors = [](int sums, int shifts, bool doubles = false) {
    const auto body = [&](Builder& b, ValueId x, ValueId y) {
      for (int i = 0; i < shifts; ++i)
        x = b.op(OpKind::kNativeShr, b.type(x),
                 {x, b.logical_and(y, b.constant_int(b.type(y), 7))});
      if (doubles) x = b.convert(b.convert(x, Scalar::kF64), kU32);
      for (int i = 0; i < sums; ++i) x = b.add(x, y);
      return x;
    };
    return calls(text_of(of_two(kU32, 4, body), x86_row(128)), "hl_add_u32x4");
  };
  CHECK(has_vectors(1, 1));
  CHECK(has_vectors(2, 2));
  CHECK(!has_vectors(1, 2));
  CHECK(has_vectors(3, 3));
  CHECK(!has_vectors(2, 3));
  // A number that becomes a double and back is worth many.
  CHECK(has_vectors(260, 0, true));
  CHECK(!has_vectors(259, 0, true));
}

// z[stride * l] = x[l]: bytes, or as many of one value. Four are made of numbers of 32 bits, which
// have a type of their own.
struct Scatter {
  Scalar byte = kS8;
  int64_t stride = 42;
  int lanes = 8;
  bool constant = false, from_words = false;
  Scalar words = kS32;
  bool masked = false;
};
std::string scattered(const Scatter& how, backends::VectorUnit unit = backends::VectorUnit::kMve) {
  Builder b("scattered");
  const Scalar element = how.from_words ? how.words : how.byte;
  const BufferId x = b.buffer({.name = "x", .element = element, .elements = how.lanes});
  const BufferId z = b.buffer({.name = "z",
                               .element = how.byte,
                               .elements = how.lanes * how.stride,
                               .direction = Direction::kOut});
  b.loop(how.lanes * how.stride, [&](ValueId i) {
    b.store(z, Affine::of(i), b.zero({how.byte, 1}));
  });
  const Type type{element, static_cast<uint16_t>(how.lanes)};
  ValueId value =
      how.constant ? b.constant_int(type, 100) : b.load(x, Affine::constant(0), how.lanes);
  Access access{.buffer = z, .at = Affine::constant(0), .lane_stride = how.stride};
  if (how.masked) access.mask = b.compare(Predicate::kGt, value, b.zero(type));
  if (how.from_words)
    value = b.op(OpKind::kNativeConvert, type.with(how.byte), {b.add(value, value)});
  access.stored = value;
  b.store(access);
  return text_of(b.finish(), row_with(unit));
}
bool scatters(const Scatter& how, backends::VectorUnit unit = backends::VectorUnit::kMve) {
  return scattered(how, unit).find("hl_scatter_") != std::string::npos;
}

TEST_CASE("eight bytes are scattered on MVE, as far as its offsets reach") {
  if (host_compiler().empty()) return;
  for (const Scalar byte : {kS8, kU8})
    for (const bool constant : {false, true}) {
      const auto form = [&](int64_t stride) {
        return Scatter{.byte = byte, .stride = stride, .constant = constant};
      };
      CHECK((scatters(form(42)) && scatters(form(9362))));
      CHECK_FALSE((scatters(form(9363)) || scatters(form(1))));
      CHECK_FALSE(scatters(form(42), backends::VectorUnit::kNeon));
    }
}

TEST_CASE("four bytes of words are scattered on MVE, as far as its offsets reach") {
  if (host_compiler().empty()) return;
  for (const Scalar byte : {kS8, kU8})
    for (const Scalar words : {kS32, Scalar::kU32}) {
      const auto form = [&](int64_t stride) {
        return Scatter{
            .byte = byte, .stride = stride, .lanes = 4, .from_words = true, .words = words};
      };
      CHECK((scatters(form(2)) && scatters(form(42)) && scatters(form(21845))));
      CHECK_FALSE((scatters(form(21846)) || scatters(form(1))));
      CHECK_FALSE(scatters(form(42), backends::VectorUnit::kNeon));
    }
  const Scatter four{.lanes = 4, .from_words = true};
  const std::string text = scattered(four);
  CHECK(text.find("(vidupq_n_u32(0, 1), stride), vreinterpretq_u32_s32(vector))") !=
        std::string::npos);
  CHECK(text.find("hl_narrow_") == std::string::npos);
  Scatter other = four;
  other.masked = true;
  CHECK_FALSE(scatters(other));
  other = four;
  other.lanes = 8;
  CHECK_FALSE(scatters(other));
  other = four;
  other.from_words = false;  // bytes as memory has them
  CHECK_FALSE(scatters(other));
}

TEST_CASE("other lanes and other rows stay loops over lanes") {
  if (host_compiler().empty()) return;
  const Target mve = row_with(backends::VectorUnit::kMve);
  const auto has_vectors = [](const std::string& text) {
    return text.find("HL_VECTORS") != std::string::npos;
  };
  CHECK(!has_vectors(text_of(of_two(kS32, 2, binary(OpKind::kAdd)), mve)));
  CHECK(!has_vectors(text_of(of_two(Scalar::kS16, 8, binary(OpKind::kAdd)), mve)));
  CHECK(!has_vectors(text_of(of_two(kS8, 4, binary(OpKind::kAdd)), mve)));
  CHECK(!has_vectors(
      text_of(of_two(kS32, 4, binary(OpKind::kAdd)), row_with(backends::VectorUnit::kNone))));
  // NEON of 32 bits has other rules for floats.
  Target narrow = row_with(backends::VectorUnit::kNeon);
  narrow.vector_registers = 31;
  CHECK(backends::vector_unit(narrow) == backends::VectorUnit::kNone);
  Target big = row_with(backends::VectorUnit::kNeon);
  big.byte_order = ByteOrder::kBig;
  CHECK(backends::vector_unit(big) == backends::VectorUnit::kNone);
  // A shift by a number that is not known.
  CHECK(!calls(text_of(of_two(kU32, 4,
                              [](Builder& b, ValueId x, ValueId y) {
                                const ValueId few = b.logical_and(y, b.constant_int(b.type(y), 7));
                                return b.op(OpKind::kNativeShr, b.type(x), {x, few});
                              }),
                       mve),
               "hl_shr_u32x4"));
}

}  // namespace
}  // namespace hlocc::driver

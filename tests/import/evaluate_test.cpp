// What a reader computes of constants while it builds a graph: each op on numbers beside those where
// it answers otherwise, and what is not computed.
#include "import/build/evaluate.h"

#include "import/build/builder.h"
#include "import/build/numbers.h"
#include "import/models.h"

namespace hlocc::import {
namespace {

struct Evaluation {
  const char* lines;  // constants, and an instruction of them, which is the last line
  const char* value;  // as a constant; "": it is not computed
  std::optional<Opcode> reducer = {};
};

Literal literal_in(const std::string& constant) {
  return module_from(entry_with(cat("ROOT c = ", constant)))
      .entry_computation()
      .instructions.back()
      .get<hlo::ConstantAttributes>()
      .value;
}

std::optional<Literal> value_of(const Evaluation& row) {
  // A reducer is named, whether it is used or not.
  const hlo::Module module = module_from(
      cat("HloModule m\nr {\n p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = "
          "f32[] add(p, q)\n}\nri {\n p = s32[] parameter(0)\n q = s32[] parameter(1)\n "
          "ROOT s = s32[] add(p, q)\n}\nENTRY main {\n",
          row.lines, "\n}\n"));
  const hlo::Computation& entry = module.entry_computation();
  std::vector<Literal> operands;
  for (const InstructionId operand : entry[entry.root].operands)
    operands.push_back(entry[operand].get<hlo::ConstantAttributes>().value);
  return evaluate(entry[entry.root], operands, row.reducer);
}

void check_evaluations(std::span<const Evaluation> rows) {
  for (const Evaluation& row : rows) {
    INFO(row.lines);
    const std::optional<Literal> value = value_of(row);
    const std::string_view wanted = row.value;
    CHECK(value.has_value() == !wanted.empty());
    if (!value || wanted.empty()) continue;
    CHECK(*value == literal_in(row.value));
  }
}

#define FROM(type, value) "a = " type "[] constant(" value ")\nROOT r = "
#define A_S32(a, b) "a = s32[] constant(" a ")\nb = s32[] constant(" b ")\nROOT r = "
#define A_F32(a, b) "a = f32[] constant(" a ")\nb = f32[] constant(" b ")\nROOT r = "

TEST_CASE("integers of constants: what divides by 0 or -1 is not computed") {
  check_evaluations(std::vector<Evaluation>{
      {A_S32("7", "2") "s32[] divide(a, b)", "s32[] constant(3)"},
      {A_S32("7", "1") "s32[] divide(a, b)", "s32[] constant(7)"},
      {A_S32("7", "0") "s32[] divide(a, b)", ""},
      {A_S32("7", "-1") "s32[] divide(a, b)", ""},
      {A_S32("7", "-2") "s32[] divide(a, b)", "s32[] constant(-3)"},
      {A_S32("7", "4") "s32[] remainder(a, b)", "s32[] constant(3)"},
      {A_S32("7", "1") "s32[] remainder(a, b)", "s32[] constant(0)"},
      {A_S32("7", "0") "s32[] remainder(a, b)", ""},
      {A_S32("7", "-1") "s32[] remainder(a, b)", ""},
      {A_S32("2147483647", "1") "s32[] add(a, b)", "s32[] constant(-2147483648)"},
      {A_S32("-1", "3") "s32[] abs(a)", "s32[] constant(1)"},
      {A_S32("1", "3") "s32[] abs(a)", "s32[] constant(1)"},
      {A_S32("0", "3") "s32[] abs(a)", "s32[] constant(0)"},
      {A_S32("1", "3") "s32[] sign(a)", "s32[] constant(1)"},
      {A_S32("0", "3") "s32[] sign(a)", "s32[] constant(0)"},
      {A_S32("-1", "3") "s32[] sign(a)", "s32[] constant(-1)"},
      {A_S32("5", "3") "s32[] negate(a)", "s32[] constant(-5)"},
      {A_S32("5", "3") "s32[] not(a)", ""},
      {A_S32("5", "3") "s32[] power(a, b)", ""},
  });
}

TEST_CASE("unsigned numbers of constants from 2^63 on are not computed") {
  const auto of = [](const char* a, const char* b, const char* what) {
    return cat("a = u64[] constant(", a, ")\nb = u64[] constant(", b, ")\nROOT r = u64[] ", what);
  };
  constexpr const char *kTop = "9223372036854775808", *kBelow = "9223372036854775807";
  check_evaluations(std::vector<Evaluation>{
      {of(kBelow, "1", "maximum(a, b)").c_str(), "u64[] constant(9223372036854775807)"},
      {of(kBelow, "1", "add(a, b)").c_str(), "u64[] constant(9223372036854775808)"},
      {of("0", "1", "add(a, b)").c_str(), "u64[] constant(1)"},
      {of(kTop, "1", "maximum(a, b)").c_str(), ""},
      {of("18446744073709551615", "1", "maximum(a, b)").c_str(), ""},
      {of("1", kTop, "divide(a, b)").c_str(), ""},
      {FROM("u64", "9223372036854775808") "f32[] convert(a)", ""},
      {FROM("u64", "9223372036854775807") "s64[] convert(a)",
       "s64[] constant(9223372036854775807)"},
  });
}

TEST_CASE("what is no op by elements is not computed of none") {
  hlo::Module module;
  Builder b(module);
  b.begin("main");
  const auto none = [&](const Dimensions& sizes) {
    return b.constant(literal_of(PrimitiveType::kS32, {}, sizes));
  };
  const InstructionId product =
      b.dot(none({2, 0}), none({0, 3}), {.lhs_contracting = {1}, .rhs_contracting = {0}},
            PrimitiveType::kS32);
  REQUIRE_FALSE(b.failure());
  CHECK_FALSE(b.known(product).has_value());
  CHECK(b.known(b.binary(Opcode::kAdd, none({2, 0}), none({2, 0}))).has_value());
}

TEST_CASE("floats of constants: NaNs stay, and zeros keep their signs") {
  check_evaluations(std::vector<Evaluation>{
      {A_F32("nan", "1") "f32[] maximum(a, b)", "f32[] constant(nan)"},
      {A_F32("1", "nan") "f32[] maximum(a, b)", "f32[] constant(nan)"},
      {A_F32("-0", "0") "f32[] maximum(a, b)", "f32[] constant(0)"},
      {A_F32("2", "1") "f32[] maximum(a, b)", "f32[] constant(2)"},
      {A_F32("nan", "1") "f32[] minimum(a, b)", "f32[] constant(nan)"},
      {A_F32("1", "nan") "f32[] minimum(a, b)", "f32[] constant(nan)"},
      {A_F32("0", "-0") "f32[] minimum(a, b)", "f32[] constant(-0)"},
      {A_F32("2", "1") "f32[] minimum(a, b)", "f32[] constant(1)"},
      {A_F32("7", "2") "f32[] divide(a, b)", "f32[] constant(3.5)"},
      {A_F32("7", "2") "f32[] power(a, b)", ""},
      {A_F32("2.5", "2") "f32[] round-nearest-even(a)", "f32[] constant(2)"},
      {"a = f64[] constant(0.1)\nb = f64[] constant(0.2)\nROOT r = f64[] subtract(b, a)",
       "f64[] constant(0.1)"},
  });
}

TEST_CASE("comparisons of constants on both sides of equal") {
  const std::pair<const char*, const char*> wanted[] = {
      {"EQ", "false, true, false"}, {"NE", "true, false, true"},  {"LT", "true, false, false"},
      {"LE", "true, true, false"},  {"GT", "false, false, true"}, {"GE", "false, true, true"}};
  for (const char* type : {"s32", "f32"})
    for (const auto& [direction, values] : wanted) {
      const std::string lines =
          cat("a = ", type, "[3] constant({1, 2, 3})\nb = ", type,
              "[3] constant({2, 2, 2})\nROOT r = pred[3] compare(a, b), direction=", direction);
      const std::string value = cat("pred[3] constant({", values, "})");
      check_evaluations(std::vector<Evaluation>{{lines.c_str(), value.c_str()}});
    }
}

TEST_CASE("truth values of constants") {
  const std::string two =
      "a = pred[4] constant({1, 1, 0, 0})\nb = pred[4] constant({1, 0, 1, 0})\nROOT r = pred[4] ";
  for (const auto& [what, values] : {std::pair{"and(a, b)", "{1, 0, 0, 0}"},
                                     {"or(a, b)", "{1, 1, 1, 0}"},
                                     {"xor(a, b)", "{0, 1, 1, 0}"},
                                     {"not(a)", "{0, 0, 1, 1}"}})
    check_evaluations(std::vector<Evaluation>{
        {cat(two, what).c_str(), cat("pred[4] constant(", values, ")").c_str()}});
}

TEST_CASE("conversions of constants that are computed, and those that are not") {
  check_evaluations(std::vector<Evaluation>{
      {FROM("f64", "999999999") "s32[] convert(a)", "s32[] constant(999999999)"},
      {FROM("f64", "1e9") "s32[] convert(a)", ""},
      {FROM("f64", "-1e9") "s32[] convert(a)", ""},
      {FROM("f32", "nan") "s32[] convert(a)", ""},
      {FROM("f32", "-2.5") "s32[] convert(a)", "s32[] constant(-2)"},
      {FROM("f32", "1") "pred[] convert(a)", ""},
      {FROM("s32", "256") "pred[] convert(a)", "pred[] constant(true)"},
      {FROM("s32", "0") "pred[] convert(a)", "pred[] constant(false)"},
      {FROM("pred", "true") "s32[] convert(a)", "s32[] constant(1)"},
      {FROM("s32", "300") "u8[] convert(a)", "u8[] constant(44)"},
      {FROM("f32", "255.5") "u8[] convert(a)", "u8[] constant(255)"},
      {FROM("f32", "300") "u8[] convert(a)", "u8[] constant(255)"},
      {FROM("f32", "-0.5") "u8[] convert(a)", "u8[] constant(0)"},
      {FROM("f32", "-1") "u8[] convert(a)", "u8[] constant(0)"},
      {FROM("f32", "128") "s8[] convert(a)", "s8[] constant(127)"},
      {FROM("f32", "-128.5") "s8[] convert(a)", "s8[] constant(-128)"},
      {FROM("f32", "-129") "s8[] convert(a)", "s8[] constant(-128)"},
      {FROM("f32", "-3") "s64[] convert(a)", "s64[] constant(-3)"},
      {FROM("f32", "3") "u64[] convert(a)", "u64[] constant(3)"},
      {FROM("s32", "3") "f32[] convert(a)", "f32[] constant(3)"},
      {FROM("f64", "3.5") "f32[] convert(a)", "f32[] constant(3.5)"},
      {FROM("s32", "3") "f32[] bitcast-convert(a)", ""},
      {FROM("f32", "3") "s32[] bitcast-convert(a)", ""},
      {FROM("f32", "3") "pred[] is-finite(a)", ""},
      {FROM("f32", "3") "f16[] convert(a)", ""},
      {FROM("f16", "3") "f32[] convert(a)", ""},
      {FROM("bf16", "3") "bf16[] negate(a)", ""},
      {FROM("s4", "3") "s4[] negate(a)", ""},
      {FROM("s8", "3") "s8[] negate(a)", "s8[] constant(-3)"},
  });
}

TEST_CASE("sums of constants by a reducer that is known") {
  constexpr const char* kReals =
      "a = f32[2,3] constant({{1, 2, 3}, {4, 5, 6}})\nb = f32[] constant(10)\n"
      "ROOT r = f32[2] reduce(a, b), dimensions={1}, to_apply=r";
  constexpr const char* kIntegers =
      "a = s32[2,3] constant({{1, 2, 3}, {4, 5, 6}})\nb = s32[] constant(10)\n"
      "ROOT r = s32[3] reduce(a, b), dimensions={0}, to_apply=ri";
  check_evaluations(std::vector<Evaluation>{
      {kReals, "f32[2] constant({16, 25})", Opcode::kAdd},
      {kReals, "f32[2] constant({10, 10})", Opcode::kMaximum},
      {kReals, "", Opcode::kPower},
      {kReals, ""},
      {kIntegers, "s32[3] constant({15, 17, 19})", Opcode::kAdd},
      {kIntegers, "", Opcode::kPower},
      {kIntegers, ""},
  });
}

TEST_CASE("elements of constants that move") {
  constexpr const char* kTwo = "a = s32[2] constant({1, 2})\nb = s32[] constant(9)\nROOT r = ";
  check_evaluations(std::vector<Evaluation>{
      {cat(kTwo, "s32[4] pad(a, b), padding=1_1").c_str(), "s32[4] constant({9, 1, 2, 9})"},
      {cat(kTwo, "s32[7] pad(a, b), padding=2_2_1").c_str(),
       "s32[7] constant({9, 9, 1, 9, 2, 9, 9})"},
      {cat(kTwo, "s32[2] pad(a, b), padding=-1_1").c_str(), "s32[2] constant({2, 9})"},
      {cat(kTwo, "s32[1] pad(a, b), padding=0_-1").c_str(), "s32[1] constant({1})"},
  });
  constexpr const char* kGather =
      "a = s32[2,2] constant({{1, 2}, {3, 4}})\nb = s32[2,1] constant({{1}, {0}})\nROOT r = ";
  check_evaluations(std::vector<Evaluation>{
      {cat(kGather,
           "s32[2,2] gather(a, b), offset_dims={1}, collapsed_slice_dims={0}, "
           "start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}")
           .c_str(),
       "s32[2,2] constant({{3, 4}, {1, 2}})"},
      {cat(kGather,
           "s32[2] gather(a, b), offset_dims={}, collapsed_slice_dims={1}, "
           "start_index_map={1}, operand_batching_dims={0}, "
           "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,1}")
           .c_str(),
       ""},
  });
}

TEST_CASE("small floats are numbers, and integers are none") {
  using Reals = std::vector<double>;
  CHECK(reals_of(literal_in("f16[2] constant({1.5, -2})")) == Reals{1.5, -2});
  CHECK(reals_of(literal_in("bf16[2] constant({1.5, -2})")) == Reals{1.5, -2});
  CHECK_FALSE(reals_of(literal_in("s16[2] constant({1, -2})")).has_value());
}

// --- what is known of a graph while it is built ---

TEST_CASE("numbers are known behind sixty-four steps, and not behind one more") {
  hlo::Module module;
  Builder b(module);
  b.begin("main");
  InstructionId x = b.number(PrimitiveType::kS32, 0);
  for (int i = 0; i < 64; ++i) x = b.with(Opcode::kAdd, x, 1);
  REQUIRE(b.known(x).has_value());
  CHECK(hlo::integer_at(*b.known(x), 0) == 64);
  CHECK_FALSE(b.known(b.with(Opcode::kAdd, x, 1)).has_value());
}

TEST_CASE("eight thousand numbers are known, and not one more") {
  constexpr int64_t kMost = 1 << 13;
  hlo::Module module;
  Builder b(module);
  b.begin("main");
  const auto constant_of = [&](int64_t count) {
    return b.constant(literal_of(PrimitiveType::kS32, Dimensions(count, 7), {count}));
  };
  CHECK(b.known(b.number(PrimitiveType::kS32, 1, {kMost})).has_value());
  CHECK_FALSE(b.known(b.number(PrimitiveType::kS32, 1, {kMost + 1})).has_value());
  CHECK(b.known(b.slice(constant_of(kMost), 0, 0, 2)).has_value());
  CHECK_FALSE(b.known(b.slice(constant_of(kMost + 1), 0, 0, 2)).has_value());
}

TEST_CASE("behind a failure nothing is known, and nothing is built") {
  hlo::Module module;
  Builder b(module);
  b.begin("main");
  const InstructionId x = b.constant(literal_in("s32[2,2] constant({{1, 2}, {3, 4}})"));
  CHECK(b.is_constant(x));
  CHECK(b.known(x).has_value());
  CHECK(b.broadcast(x, {2, 2}, {0, 1}) == x);
  CHECK(b.broadcast(x, {2, 2}, {1, 0}) != x);
  CHECK(b.broadcast(x, {2, 3}, {0, 1}) != x);
  b.size(x, 2);
  REQUIRE(b.failure());
  CHECK_FALSE(b.is_constant(x));
  CHECK_FALSE(b.known(x).has_value());
  const size_t before = module.computations.size();
  CHECK(b.loop(3, {x}, [](InstructionId, const auto& state) { return state; }) ==
        std::vector<InstructionId>{x});
  b.scatter(x, x, x, {}, std::nullopt);
  CHECK(module.computations.size() == before);
}

}  // namespace
}  // namespace hlocc::import

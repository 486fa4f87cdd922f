// Edges of what the interpreter computes: the numbers and shapes just on either side of a condition.
#include <catch2/catch.hpp>

#include "interpreter/text.h"

namespace hlocc::tests {

TEST_CASE("complex functions take both parts of their operands", "[interpreter]") {
  const auto of = [](const std::string& op) {
    return numbers_of(
        "a = c128[1] constant({(1, 1)})\nb = c128[1] constant({(0.5, 0.5)})\nROOT r = "
        "c128[1] " +
        op);
  };
  CHECK(near(of("sine(a)"), {1.2984575814159773, 0.6349639147847361}, 1e-14));
  CHECK(near(of("cosine(a)"), {0.8337300251311491, -0.9888977057628651}, 1e-14));
  CHECK(near(of("tan(a)"), {0.27175258531951174, 1.0839233273386948}, 1e-14));
  CHECK(near(of("power(a, b)"), {0.6777725052404346, 0.4306022701168375}, 1e-14));
}

TEST_CASE("integers divide by all ones and by nothing, and shift by their width", "[interpreter]") {
  const auto of = [](const std::string& type, const std::string& op, const std::string& a,
                     const std::string& b) {
    return numbers_of("a = " + type + "[1] constant({" + a + "})\nb = " + type + "[1] constant({" +
                      b + "})\nROOT r = " + type + "[1] " + op + "(a, b)");
  };
  CHECK(same(of("u32", "divide", "7", "4294967295"), {0}));
  CHECK(same(of("u32", "remainder", "7", "4294967295"), {7}));
  CHECK(same(of("s32", "divide", "7", "-1"), {-7}));
  CHECK(same(of("s32", "divide", "-2147483648", "-1"), {-2147483648.0}));
  CHECK(same(of("s32", "remainder", "-2147483648", "-1"), {0}));
  CHECK(same(of("s32", "divide", "7", "0"), {-1}));
  CHECK(same(of("s32", "remainder", "7", "0"), {7}));
  for (const int exponent : {-1, -3})
    CHECK(same(of("s32", "power", "-1", std::to_string(exponent)), {-1}));
  for (const int exponent : {-2, -4, 0, 2})
    CHECK(same(of("s32", "power", "-1", std::to_string(exponent)), {1}));
  CHECK(same(of("s32", "power", "2", "-1"), {0}));
  CHECK(same(of("s32", "power", "1", "-1"), {1}));
  for (const auto& [type, width, least] :
       {std::tuple{"s8", 8, -128.0}, {"s32", 32, -2147483648.0}}) {
    const std::string by = std::to_string(width), less = std::to_string(width - 1);
    CHECK(same(of(type, "shift-left", "1", less), {least}));
    CHECK(same(of(type, "shift-left", "1", by), {0}));
    CHECK(same(of(type, "shift-right-logical", "-1", less), {1}));
    CHECK(same(of(type, "shift-right-logical", "-1", by), {0}));
    CHECK(same(of(type, "shift-right-arithmetic", "-2", less), {-1}));
    CHECK(same(of(type, "shift-right-arithmetic", "-2", by), {-1}));
    CHECK(same(of(type, "shift-right-arithmetic", "2", by), {0}));
  }
}

TEST_CASE("conversions saturate at the first number that does not fit", "[interpreter]") {
  const auto to = [](const std::string& type, const std::string& number) {
    return numbers_of("a = f64[1] constant({" + number + "})\nROOT r = " + type + "[1] convert(a)");
  };
  CHECK(same(to("s32", "2147483647"), {2147483647.0}));
  CHECK(same(to("s32", "2147483648"), {2147483647.0}));
  CHECK(same(to("s32", "-2147483648"), {-2147483648.0}));
  CHECK(same(to("s32", "-2147483649"), {-2147483648.0}));
  CHECK(same(to("u8", "255.9"), {255}));
  CHECK(same(to("u8", "256"), {255}));
  CHECK(same(to("u8", "-0.9"), {0}));
  CHECK(same(to("u8", "-1"), {0}));
  CHECK(same(to("s4", "7.5"), {7}));
  CHECK(same(to("s4", "8"), {7}));
  CHECK(same(to("s4", "-9"), {-8}));
  // To a small float in one rounding: a little more than a tie goes up, the tie to even.
  CHECK(same(to("f16", "1.00048828125"), {1}));
  CHECK(same(to("f16", "1.0004882813"), {1.0009765625}));
  CHECK(same(to("f16", "-1.0004882813"), {-1.0009765625}));
  CHECK(same(to("f16", "nan"), {kNaN}));
}

TEST_CASE("complex signs, and powers of zero", "[interpreter]") {
  const auto of = [](const std::string& op, const std::string& a, const std::string& b) {
    return numbers_of("a = c64[1] constant({" + a + "})\nb = c64[1] constant({" + b +
                      "})\nROOT r = c64[1] " + op);
  };
  CHECK(near(of("sign(a)", "(3, 4)", "(0, 0)"), {0.6, 0.8}, 1e-6));
  CHECK(same(of("sign(a)", "(0, 0)", "(0, 0)"), {0, 0}));
  CHECK(same(of("power(a, b)", "(0, 0)", "(0, 0)"), {1, 0}));
  CHECK(same(of("power(a, b)", "(0, 0)", "(0.5, 0)"), {0, 0}));
  for (const char* exponent : {"(-1, 0)", "(0, 1)", "(1, 1)", "(1, -1)"})
    CHECK(same(of("power(a, b)", "(0, 0)", exponent), {kNaN, kNaN}));
}

TEST_CASE("the complex logistic function is finite far away", "[interpreter]") {
  const auto at = [](const std::string& z) {
    return numbers_of("a = c128[1] constant({" + z + "})\nROOT r = c128[1] logistic(a)");
  };
  CHECK(same(at("(-800, 1)"), {0, 0}));
  CHECK(same(at("(800, 0)"), {1, 0}));
  CHECK(near(at("(-0.5, 1)"), {0.3437896537487056, 0.252250351349282}, 1e-14));
  CHECK(near(at("(0.25, 1)"), {0.5803619777105872, 0.26769190584079794}, 1e-14));
}

TEST_CASE("a collective is of one device, and a permutation sends to itself or not at all",
          "[interpreter]") {
  const auto run = [](const std::string& devices, const std::string& pairs) {
    return run_text("HloModule t" + devices +
                    "\nENTRY main {\n  a = f32[2] constant({3,4})\n  ROOT r = f32[2] "
                    "collective-permute(a), source_target_pairs={" +
                    pairs + "}\n}\n");
  };
  const auto one = [&](const std::string& pairs) {
    const auto got = run("", pairs);
    REQUIRE(got.ok());
    return numbers(*got);
  };
  CHECK(same(one("{0,0}"), {3, 4}));
  CHECK(same(one(""), {0, 0}));
  const auto reduced = [](const std::string& devices) {
    return run_text("HloModule t" + devices +
                    "\nadd {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT r = f32[] "
                    "add(a, b)\n}\nENTRY main {\n  a = f32[2] constant({3,4})\n  ROOT r = f32[2] "
                    "all-reduce(a), replica_groups={}, to_apply=add\n}\n");
  };
  CHECK(reduced("").ok());
  for (const char* devices : {", replica_count=2", ", num_partitions=2", ", replica_count=3"}) {
    const auto got = reduced(devices);
    REQUIRE(!got.ok());
    CHECK(got.error().kind == DiagnosticKind::kUnsupported);
  }
}

TEST_CASE("padding takes edges away, and may leave nothing of the array", "[interpreter]") {
  const auto pad = [](const std::string& shape, const std::string& padding) {
    return numbers_of("a = f32[3] constant({1,2,3})\nz = f32[] constant(9)\nROOT r = " + shape +
                      " pad(a, z), padding=" + padding);
  };
  CHECK(same(pad("f32[2]", "-1_0"), {2, 3}));
  CHECK(same(pad("f32[1]", "-2_0"), {3}));
  CHECK(same(pad("f32[3]", "-1_1"), {2, 3, 9}));
  CHECK(same(pad("f32[4]", "-1_0_1"), {9, 2, 9, 3}));
  CHECK(same(pad("f32[3]", "3_-3"), {9, 9, 9}));
  CHECK(same(pad("f32[3]", "4_-4"), {9, 9, 9}));
  CHECK(same(pad("f32[3]", "2_-2"), {9, 9, 1}));
}

TEST_CASE("bits of four are read as the type that they become", "[interpreter]") {
  CHECK(same(numbers_of("a = s4[3] constant({-1,7,-8})\nROOT r = u4[3] bitcast-convert(a)"),
             {15, 7, 8}));
  CHECK(same(numbers_of("a = u4[3] constant({15,7,8})\nROOT r = s4[3] bitcast-convert(a)"),
             {-1, 7, -8}));
  CHECK(same(numbers_of("a = s8[2] constant({-1,127})\nROOT r = u8[2] bitcast-convert(a)"),
             {255, 127}));
}

TEST_CASE("a window that lies on the border alone sums nothing", "[interpreter]") {
  CHECK(
      same(numbers_of("a = f32[1,1,1] constant({{{5}}})\nk = f32[1,1,1] constant({{{2}}})\nROOT r "
                      "= f32[1,5,1] convolution(a, k), window={size=1 pad=2_2}, "
                      "dim_labels=b0f_0io->b0f"),
           {0, 0, 10, 0, 0}));
}

TEST_CASE("an index beyond the branches takes the last", "[interpreter]") {
  const auto chosen = [](int index) {
    return numbers_of(
        "HloModule t\nb0 {\n  p = f32[] parameter(0)\n  ROOT r = f32[] negate(p)\n}\nb1 {\n  ROOT "
        "p "
        "= f32[] parameter(0)\n}\nENTRY main {\n  i = s32[] constant(" +
        std::to_string(index) +
        ")\n  a = f32[] constant(5)\n  ROOT r = f32[] conditional(i, a, a), "
        "branch_computations={b0, b1}\n}\n");
  };
  CHECK(same(chosen(0), {-5}));
  for (const int index : {-2, -1, 1, 2, 3}) CHECK(same(chosen(index), {5}));
}

TEST_CASE("custom calls that are nearly known ones", "[interpreter]") {
  const auto kind = [](const std::string& body) {
    const auto got = run_text(body);
    REQUIRE(!got.ok());
    return got.error().kind;
  };
  CHECK(kind("ROOT r = f32[2] custom-call(), custom_call_target=\"Sharding\"") !=
        DiagnosticKind::kInternal);
  CHECK(kind("a = f32[4] constant({3,1,2,4})\nROOT r = f32[2] custom-call(a), "
             "custom_call_target=\"TopK\"") != DiagnosticKind::kInternal);
  CHECK(kind("a = f32[4] constant({3,1,2,4})\nROOT r = (f32[2], s32[2], s32[2]) custom-call(a), "
             "custom_call_target=\"TopK\"") != DiagnosticKind::kInternal);
}

TEST_CASE("contractions of operands of two types", "[interpreter]") {
  CHECK(same(numbers_of("a = bf16[1,2] constant({{1,2}})\nb = f32[2,1] constant({{0.5},{0.25}})\n"
                        "ROOT r = f32[1,1] dot(a, b), lhs_contracting_dims={1}, "
                        "rhs_contracting_dims={0}"),
             {1}));
  CHECK(same(numbers_of("a = s8[1,2] constant({{100,100}})\nb = s8[2,1] constant({{100},{100}})\n"
                        "ROOT r = s32[1,1] dot(a, b), lhs_contracting_dims={1}, "
                        "rhs_contracting_dims={0}"),
             {20000}));
}

}  // namespace hlocc::tests

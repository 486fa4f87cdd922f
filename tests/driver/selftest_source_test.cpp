// A case as a program for a board of the user's: how each type is held against each rule, what
// stands in the arrays, and what the lines that the board prints are taken for.
#include "driver/verify/selftest_source.h"

#include <catch2/catch.hpp>

#include "driver/text_module.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using hlo::CompareRule, hlo::Literal, hlo::PrimitiveType, hlo::Shape;
using kernel::Signature;

Signature signature_of(const std::vector<Shape>& arguments, const std::vector<Shape>& results) {
  Signature out;
  out.prefix = "m_";
  out.macro_prefix = "M_";
  out.stem = "m";
  for (const Shape& shape : arguments)
    out.arguments.push_back({static_cast<int>(out.arguments.size()), "", shape});
  for (const Shape& shape : results)
    out.results.push_back({static_cast<int>(out.results.size()), "", shape});
  return out;
}

Shape packed_nibbles(int64_t count) {
  Shape shape = Shape::array(PrimitiveType::kS4, {count});
  shape.layout.element_bits = 4;
  return shape;
}

// How the result is held: "bytes ...", "integers ...", "f32 ...", what stands behind the array; or
// the sentence that it can't be.
std::string way_to_hold(const Shape& shape, const CompareRule& rule) {
  const import::Snapshot snapshot{{}, Literal::zeros(shape)};
  const SelftestParts parts =
      selftest_parts({rule}, snapshot, signature_of({}, {shape}), ByteOrder::kLittle);
  CHECK(parts.count == (parts.unchecked.empty() ? 1 : 0));
  CHECK(parts.rules.size() == static_cast<size_t>(parts.count));
  if (!parts.unchecked.empty()) return parts.unchecked[0];
  const size_t function = parts.checks.find("selftest_") + 9, open = parts.checks.find('('),
               array = parts.checks.find("out0, ") + 6;
  return parts.checks.substr(function, open - function) + " " + parts.checks.substr(array);
}

TEST_CASE("each type of a result is held against what its rule leaves open") {
  const auto array = [](PrimitiveType type, hlo::Dimensions sizes = {2}) {
    return Shape::array(type, std::move(sizes));
  };
  const std::string none = " has a rule that hlocc_selftest.h can't hold on the board";
  const auto f32 = [](const char* rtol, const char* atol) {
    return cat("f32 2u, ", rtol, "f, ", atol, "f);\n");
  };
  const char* const zero = "0.000000000e+00";
  const struct {
    Shape shape;
    CompareRule rule;
    std::string held;
  } rows[] = {
      {array(PrimitiveType::kS32), {.exact = true}, "integers 2u, 4u, 1, 0u);\n"},
      {array(PrimitiveType::kS32, {}), {.exact = true}, "integers 1u, 4u, 1, 0u);\n"},
      {array(PrimitiveType::kU16), {.ulp = 3}, "integers 2u, 2u, 0, 3u);\n"},
      {array(PrimitiveType::kS8), {.atol = 1.9}, "integers 2u, 1u, 1, 1u);\n"},
      {array(PrimitiveType::kS8), {.exact = true, .atol = 9}, "integers 2u, 1u, 1, 0u);\n"},
      {array(PrimitiveType::kS8), {.ulp = 2, .atol = 5}, "integers 2u, 1u, 1, 5u);\n"},
      {array(PrimitiveType::kPred), {}, "integers 2u, 1u, 0, 0u);\n"},
      {array(PrimitiveType::kS32), {.bits = true}, "bytes 8u);\n"},
      {array(PrimitiveType::kS32, {0}), {}, "bytes 0u);\n"},
      {array(PrimitiveType::kS64), {}, "bytes 16u);\n"},
      {array(PrimitiveType::kS64), {.atol = 1}, "result0 of s64[2]" + none},
      {packed_nibbles(4), {.exact = true}, "bytes 2u);\n"},
      {array(PrimitiveType::kF32), {.exact = true, .rtol = 1}, f32(zero, zero)},
      {array(PrimitiveType::kF32),
       {.rtol = 0.5, .atol = 2},
       f32("5.000000000e-01", "2.000000000e+00")},
      {array(PrimitiveType::kF32), {.ulp = 2}, f32("2.384185791e-07", zero)},
      {array(PrimitiveType::kF32), {.bits = true}, "bytes 8u);\n"},
      {array(PrimitiveType::kF32, {0}), {.rtol = 1}, "bytes 0u);\n"},
      {array(PrimitiveType::kF32), {.bits = true, .signed_zero = true}, "bytes 8u);\n"},
      {array(PrimitiveType::kF32), {.signed_zero = true}, "result0 of f32[2]" + none},
      {array(PrimitiveType::kF32), {.mismatch_frac = 0.5}, "result0 of f32[2]" + none},
      {array(PrimitiveType::kF16), {}, "bytes 4u);\n"},
      {array(PrimitiveType::kF16), {.exact = true, .ulp = 1}, "bytes 4u);\n"},
      {array(PrimitiveType::kF16), {.ulp = 0}, "result0 of f16[2]" + none},
      {array(PrimitiveType::kF16), {.rtol = 0.1}, "result0 of f16[2]" + none},
      {array(PrimitiveType::kF64), {.atol = 0.1}, "result0 of f64[2]" + none},
  };
  for (const auto& row : rows) {
    INFO(hlo::to_string(row.shape) << " " << row.held);
    CHECK(way_to_hold(row.shape, row.rule) == row.held);
  }
}

TEST_CASE("arrays hold the bytes of the target, 32 a line") {
  const std::vector<int16_t> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 258};
  const Literal argument = Literal::array<int16_t>(PrimitiveType::kS16, {17}, values);
  const import::Snapshot snapshot{{argument},
                                  Literal::zeros(Shape::array(PrimitiveType::kF32, {0}))};
  const Signature signature = signature_of({argument.shape()}, {snapshot.result.shape()});
  const auto data = [&](ByteOrder order) {
    return selftest_parts({}, snapshot, signature, order).data;
  };
  CHECK(data(ByteOrder::kLittle) ==
        "static const unsigned char in0[] __attribute__((aligned(8))) = {\n"
        "    1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 9, 0, 10, 0, 11, 0, 12, 0, 13, 0, 14, "
        "0, "
        "15, 0, 16, 0,\n    2, 1,\n};\n"
        "static const unsigned char out0[] __attribute__((aligned(8))) = {0};\n");
  CHECK(data(ByteOrder::kBig).find("16,\n    1, 2,\n};") != std::string::npos);
}

TEST_CASE("rows of a stream are pushed, and other arguments copied") {
  const Shape rows = Shape::array(PrimitiveType::kS8, {3, 2}),
              row = Shape::array(PrimitiveType::kS8, {1, 2}),
              other = Shape::array(PrimitiveType::kS8, {4, 1});
  const import::Snapshot snapshot{{Literal::zeros(other), Literal::zeros(rows)},
                                  Literal::zeros(other)};
  Signature signature = signature_of({other, rows}, {other});
  const SelftestParts plain = selftest_parts({}, snapshot, signature, ByteOrder::kLittle);
  CHECK(plain.run == "    status = m_run(&model);\n");
  CHECK(plain.inputs ==
        "  copy(m_arg0_data(&model), in0, 4u);\n  copy(m_arg1_data(&model), in1, 6u);\n");
  signature.arguments[1].shape = row;
  signature.stream = kernel::Stream{1, 0, 3};
  const SelftestParts pushed = selftest_parts({}, snapshot, signature, ByteOrder::kLittle);
  CHECK(pushed.inputs == "  copy(m_arg0_data(&model), in0, 4u);\n");
  CHECK(pushed.run.find("m_push_arg1(&model, (const void *)row, 1)") != std::string::npos);
  CHECK(pushed.run.find("at < 3u;") != std::string::npos);
  CHECK(pushed.run.find("copy(row, in1 + at * 2u, 2u)") != std::string::npos);
  CHECK(pushed.arguments[1].size() == 6);
  CHECK(pushed.data == plain.data);
}

TEST_CASE("an argument beside a stream lies as its own sizes say") {
  const std::vector<int8_t> values = {1, 2, 3, 4, 5, 6, 7, 8};
  const Literal argument = Literal::array<int8_t>(PrimitiveType::kS8, {4, 2}, values);
  Shape turned = argument.shape();
  turned.layout.minor_to_major = {0, 1};
  const Shape row = Shape::array(PrimitiveType::kS8, {1, 2});
  const import::Snapshot snapshot{
      {argument, Literal::zeros(Shape::array(PrimitiveType::kS8, {3, 2}))}, Literal::zeros(row)};
  Signature signature = signature_of({turned, row}, {row});
  signature.stream = kernel::Stream{1, 0, 3};
  const SelftestParts parts = selftest_parts({}, snapshot, signature, ByteOrder::kLittle);
  CHECK(parts.data.find("{\n    1, 3, 5, 7, 2, 4, 6, 8,\n};") != std::string::npos);
}

TEST_CASE("the program has a title of what it compares, and counts its checks") {
  import::Imported imported{
      module_of_text("HloModule m\nENTRY e { ROOT c = s32[2] constant({1, 2}) }"), {}};
  imported.snapshot = import::Snapshot{{}, Literal::zeros(imported.module.entry_result)};
  Signature signature = signature_of({}, {imported.module.entry_result});
  const Target target = *preset("cortex-m4f");
  const auto written = [&](const CompareRule& rule) {
    return write_selftest({"my case", "", {rule}, nullptr}, imported, signature, target);
  };
  const Result<SelftestSource> exact = written({.exact = true}), near = written({.ulp = 1});
  REQUIRE(exact.ok());
  REQUIRE(near.ok());
  CHECK(exact->checks == 2);
  CHECK(exact->title.size() == std::string("my_case-01234567").size());
  CHECK(exact->title.starts_with("my_case-"));
  CHECK(exact->title != near->title);
  CHECK(exact->text.find("m_init(&model, arena)") != std::string::npos);
  signature.memories = {"fast", "slow"};
  CHECK(written({})->text.find("m_init(&model, M_ARENAS_IN(arena))") != std::string::npos);
  const Result<SelftestSource> refused = written({.mismatch_frac = 0.5});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == DiagnosticKind::kUnsupported);
}

TEST_CASE("what a board prints") {
  const std::string begin = "hlocc-selftest begin t\n",
                    right = "hlocc-selftest end t passed 2 failed 0\n",
                    other = "hlocc-selftest begin u\nhlocc-selftest end u passed 2 failed 0\n",
                    fail = "hlocc-selftest FAIL ",
                    wrong = "hlocc-selftest end t passed 1 failed 1\n";
  const std::string no_line = "the board printed no line of hlocc-selftest; ",
                    foreign =
                        "the board answered with another test than t: was this program flashed?";
  const std::pair<std::string, std::string> rows[] = {
      {begin + right, ""},
      {"boot\n> " + begin + "noise\nlog: hlocc-selftest end t passed 2 failed 0 \r\r\n", ""},
      {other + begin + right, ""},
      {begin + wrong, "the board says: hlocc-selftest end t passed 1 failed 1"},
      {begin + "hlocc-selftest end t passed 1 failed 0\n",
       "the board says: hlocc-selftest end t passed 1 failed 0"},
      {begin + fail + "result0 at 3\n" + fail + "result1 at 4\n" + wrong,
       "on the board: FAIL result0 at 3"},
      {begin + fail + "run\n" + right, "on the board: FAIL run"},
      // A board that starts again begins anew.
      {begin + fail + "run\n" + begin + right, ""},
      {fail + "run\n" + begin + right, ""},
      {right + begin + right, ""},
      {right, no_line + "it ends with: hlocc-selftest end t passed 2 failed 0"},
      {begin, "the board stopped in the middle of the test; it ends with: hlocc-selftest begin t"},
      {other, foreign},
      {"", no_line + "nothing was printed"},
      {" \n", no_line + "nothing was printed"},
      {"panic\x01 \n", no_line + "it ends with: panic"},
  };
  for (const auto& [output, said] : rows) {
    INFO(output);
    CHECK(read_selftest(output, "t", 2) == said);
  }
}

}  // namespace
}  // namespace hlocc::driver

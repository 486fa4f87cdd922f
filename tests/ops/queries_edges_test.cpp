// What is asked about modules and numbers, beside its bounds: windows with pads in front, reducers
// of other forms, donated memory, numbers in text.
#include <catch2/catch.hpp>

#include "ops/check/verifier.h"
#include "ops/contraction_types.h"
#include "ops/custom_calls.h"
#include "ops/finite.h"
#include "ops/op_cost.h"
#include "ops/op_support.h"
#include "ops/programs.h"
#include "ops/reducer.h"
#include "ops/same_element.h"
#include "ops/text/literal_text.h"
#include "ops/text/printer.h"
#include "ops/window_math.h"
#include "support/text.h"

using namespace hlocc;
using namespace hlocc::ops::testing;
using enum hlocc::hlo::Opcode;

TEST_CASE("edges: pads in front of windows") {
  ConvolutionAttributes conv;
  conv.input_batch = 0;
  conv.input_feature = 1;
  conv.input_spatial = {2, 3};
  conv.window.dimensions = {{.size = 3, .padding_low = 1}, {.size = 3}};
  const auto with = [&](std::vector<PaddingDimension> pads) {
    return ops::window_with_pad(conv, PadAttributes{std::move(pads)});
  };
  CHECK(with({{}, {}, {2, 3, 0}, {}})->dimensions[0] ==
        WindowDimension{.size = 3, .padding_low = 3, .padding_high = 3});
  CHECK(with({{}, {}, {-2, -1, 0}, {}})->dimensions[0].padding_low == -1);
  CHECK(with({{}, {}, {1, 0, 2}, {0, 1, 0}})->dimensions[0].base_dilation == 3);
  CHECK(with({{}, {}, {0, 0, 1}, {}})->dimensions[0].base_dilation == 2);
  for (const PaddingDimension negative :
       {PaddingDimension{-1, 0, 1}, {0, -1, 1}, {-2, 0, 2}, {0, -2, 2}})
    CHECK_FALSE(with({{}, {}, negative, {}}));
  CHECK_FALSE(with({{1, 0, 0}, {}, {}, {}}));
  CHECK_FALSE(with({{}, {0, 1, 0}, {}, {}}));
  conv.window.dimensions[0].base_dilation = 2;
  CHECK_FALSE(with({{}, {}, {1, 0, 0}, {}}));
  CHECK(with({{}, {}, {}, {1, 0, 0}}));
  // What reaches beyond 64 bits, by the window's dilation alone.
  CHECK(ops::window_output_size(9, {.size = 3, .window_dilation = INT64_MAX}).error().kind ==
        DiagnosticKind::kLimit);
}

TEST_CASE("edges: a trivial window") {
  CHECK(ops::is_trivial({}));
  for (const WindowDimension& w : {WindowDimension{.size = 2},
                                   {.size = 0},
                                   {.stride = 2},
                                   {.padding_low = 1},
                                   {.padding_low = -1},
                                   {.padding_high = 1},
                                   {.padding_high = -1},
                                   {.base_dilation = 2}})
    CHECK_FALSE(ops::is_trivial(w));
}

TEST_CASE("edges: reducers of other forms") {
  Program program;
  const auto reducer_of = [&](ComputationId id) {
    return ops::plain_reducer(program.module.computations[id]);
  };
  CHECK(reducer_of(program.body("three", {"f32[]", "f32[]", "f32[]"}, kAdd, "f32[]")) ==
        std::nullopt);
  CHECK(reducer_of(program.body("arrays", {"f32[2]", "f32[2]"}, kAdd, "f32[2]")) == std::nullopt);
  CHECK(reducer_of(program.body("one", {"f32[]"}, kAdd, "f32[]")) == std::nullopt);
  CHECK(ops::identity_of(kOr, PrimitiveType::kF32) == std::nullopt);
  CHECK(ops::identity_of(kXor, PrimitiveType::kC64) == std::nullopt);
  CHECK(ops::identity_of(kMinimum, PrimitiveType::kC64) == std::nullopt);
  CHECK(ops::identity_of(kAdd, PrimitiveType::kToken) == std::nullopt);
  CHECK_FALSE(ops::is_identity(kSubtract, Literal::scalar<float>(PrimitiveType::kF32, 0)));
  // -0 is added to no effect in floats that have it; in integers the same bits are a number.
  CHECK(ops::is_identity(kAdd, Literal::scalar<uint16_t>(PrimitiveType::kBF16, 0x8000)));
  CHECK_FALSE(ops::is_identity(kAdd, Literal::scalar<uint16_t>(PrimitiveType::kU16, 0x8000)));
  CHECK_FALSE(ops::is_identity(kMaximum, Literal::scalar<float>(PrimitiveType::kF32, -0.0f)));
}

TEST_CASE("edges: types of contractions") {
  using enum PrimitiveType;
  CHECK(ops::scaling_type(kF8E4M3FN, kF8E5M2) == kBF16);
  CHECK(ops::scaling_type(kF8E4M3FN, kF16) == kF16);
  CHECK(ops::scaling_type(kF16, kF8E4M3FN) == kF16);
  CHECK(ops::scaling_type(kBF16, kBF16) == kBF16);
  CHECK(ops::scaling_type(kBF16, kF16) == kF32);
  CHECK(ops::scaling_type(kF32, kBF16) == kF32);
  const auto types = [](PrimitiveType lhs, PrimitiveType rhs, PrimitiveType result) {
    const ops::ContractionTypes t = ops::contraction_types(lhs, rhs, result);
    return std::array{t.lhs, t.rhs, t.result};
  };
  CHECK(types(kS8, kS8, kF32) == std::array{kS8, kS8, kF32});
  CHECK(types(kF32, kF32, kC64) == std::array{kC64, kC64, kC64});
  CHECK(types(kF32, kF32, kS32) == std::array{kF32, kF32, kF32});
  CHECK(types(kF32, kS8, kBF16)[0] == kF32);
  CHECK(types(kC64, kC64, kF32)[2] == kC64);
  CHECK(types(kF16, kS8, kF32) == std::array{kF16, kF32, kF32});
}

TEST_CASE("edges: donated memory") {
  const auto verified = [](const char* parameter, const char* result, std::vector<Alias> aliases,
                           int bits = 0) {
    Program program;
    program.parameter(parameter);
    program.parameter(parameter);
    program.add(kCustomCall, result, {0}, CustomCallAttributes{.target = "t"});
    program.entry().instructions.back().shape.layout.element_bits = bits;
    program.finish();
    program.module.aliases = std::move(aliases);
    return ops::verify(program.module).ok();
  };
  const Alias plain{{}, 0, {}, false};
  CHECK(verified("f32[4]", "s32[4]", {plain}));
  CHECK(verified("f32[4]", "u8[16]", {plain}));
  CHECK_FALSE(verified("f32[4]", "u8[15]", {plain}));
  CHECK_FALSE(verified("f32[4]", "f32[4]", {{{}, -1, {}, false}}));
  CHECK_FALSE(verified("f32[4]", "f32[4]", {{{}, 2, {}, false}}));
  CHECK_FALSE(verified("f32[4]", "f32[4]", {{{-1}, 0, {}, false}}));
  CHECK_FALSE(verified("f32[4]", "(f32[4], f32[4])", {plain}));
  CHECK_FALSE(verified("(f32[4])", "f32[4]", {plain}));
  CHECK_FALSE(verified("(f32[4], f32[4])", "(f32[4])", {plain}));
  CHECK_FALSE(verified("(f32[4])", "(f32[4], f32[4])", {plain}));
  const Alias first{{0}, 0, {}, false}, second{{1}, 0, {}, false}, other{{1}, 1, {}, false};
  CHECK(verified("f32[4]", "(f32[4], f32[4])", {first, other}));
  CHECK_FALSE(verified("f32[4]", "(f32[4], f32[4])", {first, second}));
  CHECK_FALSE(verified("f32[4]", "(f32[4], f32[4])", {first, first}));
  CHECK(verified("u8[2]", "u4[4]", {plain}, 4));
  CHECK_FALSE(verified("u8[4]", "u4[4]", {plain}, 4));
}

TEST_CASE("edges: which module is served") {
  Program program;
  program.parameter("f32[]");
  program.finish();
  CHECK(ops::check_supported(program.module, ops::Stage::kLowering).ok());
  program.module.num_partitions = 2;
  CHECK_FALSE(ops::check_supported(program.module, ops::Stage::kLowering).ok());
}

TEST_CASE("edges: finite numbers, costs and elements") {
  CHECK(ops::is_finite(Literal::scalar<float>(PrimitiveType::kF32, 1)));
  CHECK_FALSE(ops::is_finite(Literal::scalar<float>(PrimitiveType::kF32, INFINITY)));
  CHECK_FALSE(ops::is_finite(Literal::scalar<double>(PrimitiveType::kF64, 1)));
  Program program;
  const InstructionId x = program.parameter("f32[4]");
  const InstructionId bits = program.add(kBitcastConvert, "s32[4]", {x});
  const InstructionId bytes = program.add(kBitcastConvert, "u8[4,4]", {x});
  const InstructionId negated = program.add(kNegate, "f32[4]", {x});
  const InstructionId turned = program.add(kReverse, "f32[4]", {x}, DimensionsAttributes{{0}});
  const auto is_elementwise = [&](InstructionId id) {
    return ops::is_elementwise(program.entry().instructions, program.entry()[id]);
  };
  CHECK((is_elementwise(bits) && is_elementwise(negated)));
  CHECK_FALSE((is_elementwise(bytes) || is_elementwise(turned)));
  CHECK(ops::instructions_per_element(program.entry()[negated]) > 0);
  CHECK(ops::instructions_per_element(program.entry()[turned]) == 0);
}

TEST_CASE("edges: what a call of TopK wants") {
  Program program;
  const auto compares = [&](Direction direction) {
    return program.body(hlocc::cat("c", static_cast<int>(direction)), {"f32[]", "f32[]"}, kCompare,
                        "pred[]", CompareAttributes{direction});
  };
  const auto wants = [&](std::vector<ComputationId> called) {
    const InstructionId call = program.add(kCustomCall, "f32[2]", {}, {}, std::move(called));
    return ops::wants_largest(program.module, program.entry()[call]);
  };
  CHECK(wants({}));
  CHECK(wants({compares(Direction::kGt)}));
  CHECK(wants({compares(Direction::kGe)}));
  CHECK_FALSE(wants({compares(Direction::kLt)}));
  CHECK_FALSE(wants({compares(Direction::kLe)}));
  CHECK(wants({program.reducer(kMaximum, "f32")}));
}

namespace {

// The element's bits, or nothing.
std::optional<uint64_t> parsed(std::string_view text, PrimitiveType type) {
  std::byte element[16] = {};
  if (!ops::parse_number(text, type, element)) return std::nullopt;
  uint64_t bits = 0;
  std::memcpy(&bits, element, static_cast<size_t>(storage_bytes(type)));
  return bits;
}

}  // namespace

TEST_CASE("edges: numbers in text") {
  using enum PrimitiveType;
  CHECK(parsed("nan(0x1)", kF32) == 0x7f800001);
  CHECK(parsed("-nan(0x1)", kF32) == 0xff800001);
  for (const char* text : {"nan(0x0)", "nan(0x1", "nan(1)", "nan()", "nan0x1)", "nan(0x1z)",
                           "nan(0x12", "nan(0x)", "nan(0xfffffffffffffffff)"})
    CHECK_FALSE(parsed(text, kF32));
  CHECK(parsed("nan(0x0)", kF8E4M3FN) == 0x7f);
  CHECK(parsed("nan", kF8E4M3FNUZ) == 0x80);
  CHECK_FALSE(parsed("nan", kF4E2M1FN));
  CHECK(parsed("1e-400", kF64) == 0);
  CHECK(parsed("1e-60", kF32) == 0);
  for (const char* text : {"1e400", "-1e400", "1e-400x", "1e-400 ", "", "-", "/1", ":1", "1x",
                           "0X1", "0x0.8", "+0.5", " 0.5", "0X0.8"})
    CHECK_FALSE(parsed(text, kF64));
  CHECK(parsed(".5", kF32) == 0x3f000000);
  CHECK(parsed("9", kF32) == 0x41100000);
  CHECK(parsed("448", kF8E4M3FN) == 0x7e);
  CHECK(parsed("464", kF8E4M3FN) == 0x7e);
  CHECK_FALSE(parsed("465", kF8E4M3FN));
  CHECK(parsed("6", kF4E2M1FN) == 7);
  CHECK(parsed("7", kF4E2M1FN) == 7);
  CHECK(parsed("7.5", kF4E2M1FN) == 7);
  CHECK_FALSE(parsed("7.6", kF4E2M1FN));
  CHECK(parsed("-0", kU8) == 0);
  CHECK_FALSE(parsed("-1", kU8));
  CHECK(parsed("255", kU8) == 255);
  CHECK_FALSE(parsed("256", kU8));
  CHECK(parsed("18446744073709551615", kU64) == UINT64_MAX);
  CHECK(parsed("18446744073709551615", kS64) == UINT64_MAX);
  CHECK(parsed("-9223372036854775808", kS64) == uint64_t{1} << 63);
  CHECK_FALSE(parsed("-9223372036854775809", kS64));
  CHECK(parsed("9223372036854775807", kS64) == INT64_MAX);
  CHECK((parsed("true", kPred) == 1 && parsed("1", kPred) == 1));
  CHECK((parsed("false", kPred) == 0 && parsed("0", kPred) == 0));
  CHECK_FALSE((parsed("True", kPred) || parsed("2", kPred) || parsed("", kPred)));
}

TEST_CASE("edges: literals in text") {
  const auto text = [](const Literal& literal, int64_t most) {
    std::string out;
    ops::append_literal(out, literal, most);
    return out;
  };
  const Literal two = Literal::array<int32_t>(PrimitiveType::kS32, {2}, std::vector<int32_t>{1, 2});
  CHECK(text(two, -1) == "{1, 2}");
  CHECK(text(two, 2) == "{1, 2}");
  CHECK(text(two, 1) == "{...}");
  CHECK(text(two, 0) == "{...}");
  CHECK(text(Literal::zeros(Shape::array(PrimitiveType::kS32, {0})), 0) == "{}");
  CHECK(text(Literal::zeros(Shape::array(PrimitiveType::kS32, {4096, 0})), -1) != "{}");
  CHECK(text(Literal::zeros(Shape::array(PrimitiveType::kS32, {4097, 0})), -1) == "{}");
}

// Window arithmetic, plain reducers and their identities, and what the op table says of a module.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "hlo/small_float.h"
#include "ops/op_support.h"
#include "ops/programs.h"
#include "ops/reducer.h"
#include "ops/window_math.h"

using namespace hlocc;
using namespace hlocc::ops::testing;
using Catch::Matchers::Contains;
using enum hlocc::hlo::Opcode;

TEST_CASE("window arithmetic") {
  CHECK(ops::dilated_size(4, 3) == 10);
  CHECK(ops::dilated_size(0, 3) == 0);
  CHECK(ops::dilated_size(1, INT64_MAX) == 1);
  CHECK(ops::dilated_size(3, INT64_MAX) == std::nullopt);
  CHECK(ops::padded_size(4, {-1, 2, 1}) == 8);
  CHECK(ops::padded_size(4, {-9, 2, 0}) == -3);
  CHECK(ops::padded_size(4, {INT64_MAX, 0, 0}) == std::nullopt);
  CHECK(ops::window_output_size(10, {.size = 3, .stride = 2}).value() == 4);
  CHECK(ops::window_output_size(
            5, {.size = 2, .padding_low = 1, .padding_high = 1, .window_dilation = 2})
            .value() == 5);
  CHECK(ops::window_output_size(5, {.size = 2, .base_dilation = 2}).value() == 8);
  CHECK(ops::window_output_size(2, {.size = 3}).value() == 0);
  CHECK(ops::window_output_size(2, {.size = 1, .padding_low = -5}).value() == 0);
  CHECK(ops::window_output_size(9, {.size = 0}).error().kind == DiagnosticKind::kAttribute);
  CHECK(ops::window_output_size(9, {.size = 1, .stride = 0}).error().kind ==
        DiagnosticKind::kAttribute);
  CHECK(ops::window_output_size(9, {.size = 2, .window_dilation = 0}).error().kind ==
        DiagnosticKind::kAttribute);
  CHECK(ops::window_output_size(9, {.size = 2, .base_dilation = -1}).error().kind ==
        DiagnosticKind::kAttribute);
  CHECK(ops::window_output_size(9, {.size = 2, .base_dilation = INT64_MAX}).error().kind ==
        DiagnosticKind::kLimit);
}

TEST_CASE("window arithmetic agrees with counting positions") {
  for (int64_t n = 0; n < 8; ++n)
    for (int64_t size = 1; size < 4; ++size)
      for (int64_t stride = 1; stride < 4; ++stride)
        for (int64_t pad = -2; pad < 3; ++pad) {
          int64_t count = 0;
          for (int64_t start = -pad; start + size <= n + pad; start += stride) ++count;
          CHECK(ops::window_output_size(n, {size, stride, pad, pad}).value() == count);
        }
}

TEST_CASE("plain reducers are recognised, others are not") {
  Program program;
  for (Opcode opcode : {kAdd, kMultiply, kMaximum, kMinimum}) {
    const ComputationId id = program.reducer(opcode, "f32");
    CHECK(ops::plain_reducer(program.module.computations[id]) == opcode);
  }
  Computation& swapped = program.module.computations[program.reducer(kAnd, "s32")];
  swapped.root_instruction();
  std::swap(swapped[swapped.root].operands[0], swapped[swapped.root].operands[1]);
  CHECK(ops::plain_reducer(swapped) == kAnd);
  swapped[swapped.root].operands[0] = swapped[swapped.root].operands[1];
  CHECK(ops::plain_reducer(swapped) == std::nullopt);
  CHECK(ops::plain_reducer(program.module.computations[program.reducer(kSubtract, "f32")]) ==
        std::nullopt);
  CHECK(ops::plain_reducer(program.module.computations[program.body(
            "first", {"f32[]", "f32[]"}, kNegate, "f32[]")]) == std::nullopt);
  const ComputationId nested = program.body("nested", {"f32[]", "f32[]"}, kAdd, "f32[]");
  Computation& computation = program.module.computations[nested];
  const InstructionId negated = program.add(kNegate, "f32[]", {0}, {}, {}, nested);
  computation[computation.root].operands[0] = negated;
  CHECK(ops::plain_reducer(computation) == std::nullopt);
}

namespace {
uint64_t bits_of(const std::optional<Literal>& literal) {
  REQUIRE(literal.has_value());
  uint64_t bits = 0;
  std::memcpy(&bits, literal->bytes().data(), std::min<size_t>(8, literal->bytes().size()));
  return bits;
}
}  // namespace

TEST_CASE("identities of integers and pred") {
  using enum PrimitiveType;
  CHECK(bits_of(ops::identity_of(Opcode::kAdd, kS32)) == 0);
  CHECK(bits_of(ops::identity_of(Opcode::kMultiply, kS8)) == 1);
  CHECK(bits_of(ops::identity_of(Opcode::kMultiply, kS1)) == 0xFF);
  CHECK(bits_of(ops::identity_of(Opcode::kMaximum, kS8)) == 0x80);
  CHECK(bits_of(ops::identity_of(Opcode::kMinimum, kS8)) == 0x7F);
  // s4 lies sign-extended in a byte: -8 and 7.
  CHECK(bits_of(ops::identity_of(Opcode::kMaximum, kS4)) == 0xF8);
  CHECK(bits_of(ops::identity_of(Opcode::kMinimum, kS4)) == 0x07);
  CHECK(bits_of(ops::identity_of(Opcode::kAnd, kS4)) == 0xFF);
  CHECK(bits_of(ops::identity_of(Opcode::kAnd, kU4)) == 0x0F);
  CHECK(bits_of(ops::identity_of(Opcode::kMinimum, kU64)) == UINT64_MAX);
  CHECK(bits_of(ops::identity_of(Opcode::kMaximum, kS64)) == uint64_t{1} << 63);
  CHECK(bits_of(ops::identity_of(Opcode::kXor, kU16)) == 0);
  for (Opcode disjunction : {Opcode::kAdd, Opcode::kMaximum, Opcode::kOr, Opcode::kXor})
    CHECK(bits_of(ops::identity_of(disjunction, kPred)) == 0);
  for (Opcode conjunction : {Opcode::kMultiply, Opcode::kMinimum, Opcode::kAnd})
    CHECK(bits_of(ops::identity_of(conjunction, kPred)) == 1);
}

TEST_CASE("identities of floats") {
  using enum PrimitiveType;
  CHECK(ops::identity_of(Opcode::kMaximum, kF32)->data<float>()[0] == -INFINITY);
  CHECK(ops::identity_of(Opcode::kMinimum, kF64)->data<double>()[0] == INFINITY);
  CHECK(ops::identity_of(Opcode::kMultiply, kF64)->data<double>()[0] == 1.0);
  CHECK(ops::identity_of(Opcode::kMultiply, kC64)->data<std::array<float, 2>>()[0] ==
        std::array<float, 2>{1, 0});
  CHECK(ops::identity_of(Opcode::kMaximum, kC64) == std::nullopt);
  CHECK(ops::identity_of(Opcode::kAnd, kF32) == std::nullopt);
  CHECK(ops::identity_of(Opcode::kAdd, kF8E8M0FNU) == std::nullopt);
  CHECK(ops::identity_of(Opcode::kSubtract, kF32) == std::nullopt);
  CHECK(bits_of(ops::identity_of(Opcode::kMaximum, kBF16)) == 0xFF80);
  CHECK(bits_of(ops::identity_of(Opcode::kMultiply, kF16)) == 0x3C00);
  CHECK(bits_of(ops::identity_of(Opcode::kMaximum, kF8E4M3FN)) == 0xFE);
  CHECK(bits_of(ops::identity_of(Opcode::kMinimum, kF8E4M3FNUZ)) == 0x7F);
  CHECK(bits_of(ops::identity_of(Opcode::kMaximum, kF8E8M0FNU)) == 0x00);
}

TEST_CASE("an identity leaves every code of a small float as it is") {
  for (const PrimitiveType type :
       {PrimitiveType::kF8E5M2, PrimitiveType::kF8E3M4, PrimitiveType::kF8E4M3FNUZ,
        PrimitiveType::kF4E2M1FN, PrimitiveType::kF8E8M0FNU}) {
    const FloatFormat& format = *small_float_format(type);
    const auto identity = [&](Opcode opcode) {
      return small_to_float(format, static_cast<uint32_t>(bits_of(ops::identity_of(opcode, type))));
    };
    for (uint32_t code = 0; code < 1u << format.bits(); ++code) {
      const float value = small_to_float(format, code);
      if (value != value) continue;
      CHECK(std::max(value, identity(Opcode::kMaximum)) == value);
      CHECK(std::min(value, identity(Opcode::kMinimum)) == value);
      CHECK(value * identity(Opcode::kMultiply) == value);
    }
  }
}

TEST_CASE("a literal is recognised as an identity") {
  using enum PrimitiveType;
  CHECK(ops::is_identity(Opcode::kAdd, Literal::scalar<float>(kF32, 0.0f)));
  CHECK(ops::is_identity(Opcode::kAdd, Literal::scalar<float>(kF32, -0.0f)));
  CHECK(!ops::is_identity(Opcode::kAdd, Literal::scalar<float>(kF32, 1.0f)));
  CHECK(!ops::is_identity(Opcode::kAdd, Literal::scalar<uint8_t>(kF8E4M3FNUZ, 0x80)));
  CHECK(ops::is_identity(Opcode::kMultiply, Literal::scalar<int32_t>(kS32, 1)));
  CHECK(!ops::is_identity(Opcode::kMultiply, Literal::scalar<float>(kF32, -0.0f)));
}

TEST_CASE("every op belongs to a stage's answer, and the unserved ones are named") {
  Program program;
  const InstructionId token = program.add(kAfterAll, "token[]", {});
  program.add(kInfeed, "(f32[2], token[])", {token});
  const Status status = ops::check_supported(program.finish(), ops::Stage::kLowering);
  REQUIRE(!status.ok());
  CHECK(status.error().kind == DiagnosticKind::kUnsupported);
  CHECK_THAT(status.error().message,
             Contains("%infeed.1 (infeed) in computation %main") && Contains("lowering"));
  CHECK_THAT(status.error().notes.at(0), Contains("pass the value as an argument"));
  CHECK(!ops::is_supported(kShuffle, ops::Stage::kInterpreter));
}

TEST_CASE("only what the entry reaches must be served, on one device") {
  Program program;
  program.add(kTuple, "()", {});
  program.body("unused", {"token[]"}, kInfeed, "(f32[2], token[])");
  program.finish();
  const Status tuple = ops::check_supported(program.module, ops::Stage::kLowering);
  CHECK(tuple.ok() == ops::is_supported(kTuple, ops::Stage::kLowering));
  program.module.replica_count = 2;
  const Status replicas = ops::check_supported(program.module, ops::Stage::kLowering);
  CHECK_THAT(replicas.error().message, Contains("2 replicas"));
}

TEST_CASE("docs/ops.md is the op table") {
  const std::string path = std::string(HLOCC_TEST_DATA) + "/../../docs/ops.md";
  const std::string page = ops::ops_table_markdown();
  if (std::getenv("HLOCC_REGENERATE")) std::ofstream(path, std::ios::binary) << page;
  std::ifstream file(path, std::ios::binary);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  INFO("docs/ops.md is out of date: run this test with HLOCC_REGENERATE=1");
  CHECK(written == page);
}

// The text of single instructions and names, one part after the other: what is printed, and what is
// left out because it says nothing.
#include <catch2/catch.hpp>

#include "ops/check/locate.h"
#include "ops/check/verifier.h"
#include "ops/check/well_formed.h"
#include "ops/programs.h"
#include "ops/text/printer.h"
#include "ops/text/printer_names.h"
#include "support/text.h"

using namespace hlocc;
using namespace hlocc::ops::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using enum hlocc::hlo::Opcode;

namespace {

std::string line_of(Program& program, InstructionId id) {
  return ops::to_text(program.module, program.entry(), program.entry()[id]);
}
// An op on parameters of these shapes.
std::string printed(Opcode opcode, const std::vector<std::string>& operands, const char* result,
                    Attributes attributes = {}, std::vector<ComputationId> called = {},
                    Program program = {}) {
  std::vector<InstructionId> ids;
  for (const std::string& operand : operands) ids.push_back(program.parameter(operand));
  const InstructionId id =
      program.add(opcode, result, ids, std::move(attributes), std::move(called));
  return line_of(program, id);
}

// The answer of the verifier to a small program that was changed.
template <typename Change>
std::string verified(Change change) {
  Program program;
  const InstructionId x = program.parameter("f32[4]");
  const InstructionId y = program.add(kNegate, "f32[4]", {x});
  program.add(kConcatenate, "f32[8]", {x, y}, DimensionsAttributes{{0}});
  program.finish();
  change(program.module);
  const Status status = ops::verify(program.module);
  return status.ok() ? "" : status.error().message;
}

}  // namespace

TEST_CASE("edges: names of HLO begin with a letter and go on with words") {
  for (const char* name : {"az", "AZ", "_", "a09", "a.-b", "Zz"})
    CHECK(ops::to_hlo_name(name) == name);
  for (const auto& [name, expected] : {std::pair{"", "_"},
                                       {".a", "_.a"},
                                       {"-a", "_-a"},
                                       {"0", "_0"},
                                       {"9", "_9"},
                                       {"a/b", "a_b"},
                                       {"a:b", "a_b"},
                                       {"a@b", "a_b"},
                                       {"a[b", "a_b"},
                                       {"a`b", "a_b"},
                                       {"a{b", "a_b"}})
    CHECK(ops::to_hlo_name(name) == expected);
  CHECK(ops::quoted("\x1f \x7e\x7f\x80") == "\"\\037 ~\\177\\200\"");
}

TEST_CASE("edges: called computations") {
  Program program;
  const auto f = program.body("f", {"f32[]"}, kNegate, "f32[]");
  const auto g = program.body("g", {"f32[]"}, kAbs, "f32[]");
  CHECK_THAT(printed(kConditional, {"pred[]", "f32[]", "f32[]"}, "f32[]", {}, {f, g}, program),
             EndsWith(", true_computation=%f, false_computation=%g"));
  CHECK_THAT(printed(kConditional, {"s32[]", "f32[]", "f32[]"}, "f32[]", {}, {f, g}, program),
             EndsWith(", branch_computations={%f, %g}"));
  CustomCallAttributes call{.target = "t"};
  CHECK_THAT(printed(kCustomCall, {}, "f32[]", call, {f}, program),
             EndsWith("called_computations={%f}"));
  CHECK_THAT(printed(kCustomCall, {}, "f32[]", call, {}, program),
             EndsWith("custom_call_target=\"t\""));
  call.backend_config = "c";
  CHECK_THAT(printed(kCustomCall, {}, "f32[]", call, {}, program),
             EndsWith(", backend_config=\"c\""));
  CHECK_THAT(printed(kWhile, {"f32[]"}, "f32[]", {}, {f}, program), EndsWith(", body=%f"));
  CHECK_THAT(printed(kFusion, {"f32[]"}, "f32[]", FusionAttributes{"kLoop"}, {f}, program),
             EndsWith("fusion(%p0), kind=kLoop, calls=%f"));
  CHECK_THAT(printed(kMap, {"f32[2]"}, "f32[2]", MapAttributes{{0}}, {f}, program),
             EndsWith("to_apply=%f"));
}

TEST_CASE("edges: attributes that say something") {
  CHECK_THAT(printed(kSlice, {"f32[8,8]"}, "f32[4,4]", SliceAttributes{{0, 4}, {8, 8}, {2, 1}}),
             EndsWith("slice={[0:8:2], [4:8]}"));
  CHECK_THAT(printed(kSlice, {"f32[8]"}, "f32[8]", SliceAttributes{{0}, {8}, {0}}),
             EndsWith("slice={[0:8:0]}"));
  CHECK_THAT(printed(kFft, {"c64[4]"}, "c64[4]", FftAttributes{FftType::kFft, {4}}),
             EndsWith("fft_type=FFT, fft_length={4}"));
  CHECK_THAT(printed(kFft, {"c64[4]"}, "c64[4]", FftAttributes{static_cast<FftType>(4), {4}}),
             Contains("fft_type=4"));
  const auto with_version = [](int version) {
    CustomCallAttributes call{.target = "t"};
    call.api_version = version;
    return printed(kCustomCall, {}, "f32[]", call);
  };
  CHECK_THAT(with_version(0), EndsWith("custom_call_target=\"t\""));
  CHECK_THAT(with_version(-1), EndsWith("api_version=-1"));
  CHECK_THAT(with_version(99), EndsWith("api_version=99"));
  const auto exponential = [](ResultAccuracyAttributes accuracy) {
    return printed(kExp, {"f32[]"}, "f32[]", accuracy);
  };
  CHECK_THAT(exponential({}), EndsWith("exponential(%p0)"));
  CHECK_THAT(exponential({.mode = 1}), EndsWith("result_accuracy={mode=highest}"));
  CHECK_THAT(exponential({.atol = 0.5}), EndsWith("={tolerance={atol=0.5,rtol=0,ulps=0}}"));
  CHECK_THAT(exponential({.rtol = 0.5}), EndsWith("={tolerance={atol=0,rtol=0.5,ulps=0}}"));
  CHECK_THAT(exponential({.ulps = 2}), EndsWith("={tolerance={atol=0,rtol=0,ulps=2}}"));
  const CollectiveAttributes none, two{.source_target_pairs = {{0, 1}, {1, 0}}},
      groups{.replica_groups = {{0}, {1}}};
  for (const Opcode opcode : {kCollectivePermute, kCollectivePermuteStart})
    CHECK_THAT(printed(opcode, {"f32[4]"}, "f32[4]", none), EndsWith("source_target_pairs={}"));
  CHECK_THAT(printed(kCollectivePermute, {"f32[4]"}, "f32[4]", two),
             EndsWith("source_target_pairs={{0,1},{1,0}}"));
  CHECK_THAT(printed(kAllToAll, {"f32[4]"}, "f32[4]", groups),
             EndsWith("replica_groups={{0},{1}}"));
  CustomCallAttributes aliased{.target = "t"};
  aliased.output_operand_aliasing = {{{0}, 1, {}}, {{1}, 0, {2}}};
  aliased.operand_shapes_with_layout = {shape("f32[2]"), shape("s32[]")};
  const std::string text = printed(kCustomCall, {}, "f32[]", aliased);
  CHECK_THAT(text, Contains("output_to_operand_aliasing={{0}: (1, {}), {1}: (0, {2})}"));
  CHECK_THAT(text, Contains("operand_layout_constraints={f32[2]{0}, s32[]}"));
}

TEST_CASE("edges: windows and labels") {
  const auto window = [](WindowDimension first, WindowDimension second = {.size = 2}) {
    return printed(kReduceWindow, {"f32[4,4]", "f32[]"}, "f32[3,3]",
                   WindowAttributes{{{first, second}}});
  };
  CHECK_THAT(window({.size = 2}), EndsWith("window={size=2x2}"));
  CHECK_THAT(window({.size = 2, .stride = 2}), EndsWith("window={size=2x2 stride=2x1}"));
  CHECK_THAT(window({.size = 2, .padding_low = 1}), EndsWith("pad=1_0x0_0}"));
  CHECK_THAT(window({.size = 2, .padding_high = 1}), EndsWith("pad=0_1x0_0}"));
  CHECK_THAT(window({.size = 2, .padding_low = -1}), EndsWith("pad=-1_0x0_0}"));
  CHECK_THAT(window({.size = 2, .padding_high = -1}), EndsWith("pad=0_-1x0_0}"));
  CHECK_THAT(window({.size = 2, .window_reversal = true}), EndsWith("rhs_reversal=1x0}"));
  const auto labels = [](int64_t batch, int64_t feature) {
    ConvolutionAttributes conv;
    conv.input_batch = batch;
    conv.input_feature = feature;
    conv.input_spatial = {1};
    const std::string text = printed(kConvolution, {"f32[1]", "f32[1]"}, "f32[1]", conv);
    const size_t at = text.find("dim_labels=") + 11;
    return text.substr(at, text.find('_', at) - at);
  };
  CHECK(labels(0, 2) == "b0f");
  CHECK(labels(0, 3) == "b0?f");
  CHECK(labels(-1, 2) == "?0f");
  CHECK(labels(0, 256) == "b0?");
  CHECK(labels(0, 255) == "b0" + std::string(253, '?') + "f");
}

TEST_CASE("edges: the header") {
  Program program;
  program.parameter("f32[]");
  program.finish();
  CHECK_THAT(ops::to_text(program.module), !Contains("replica_count"));
  for (const int count : {0, 2}) {
    program.module.replica_count = program.module.num_partitions = count;
    CHECK_THAT(ops::to_text(program.module),
               Contains(cat(", replica_count=", count, ", num_partitions=", count, "\n")));
  }
}

TEST_CASE("edges: annotations are restored where there are some") {
  Instruction fusion = make(kFusion, shape("f32[]"), {}, FusionAttributes{"kLoop"});
  ops::restore_annotations(fusion);
  CHECK(fusion.get<FusionAttributes>().kind == "kLoop");
  Instruction map = make(kMap, shape("f32[2,3]"), {}, MapAttributes{{1}});
  ops::settle_map_dimensions(map, shape("f32[2,3]"));
  CHECK(map.get<MapAttributes>().dimensions == Dimensions{1});
  map.get<MapAttributes>().dimensions.clear();
  ops::settle_map_dimensions(map, shape("f32[2,3]"));
  CHECK(map.get<MapAttributes>().dimensions == Dimensions{0, 1});
}

TEST_CASE("edges: places and notes that are there stay") {
  Program program;
  const InstructionId x = program.parameter("f32[4]");
  program.entry()[x].line = 9;
  const auto located = [&](Diagnostic diagnostic) {
    return ops::locate(std::move(diagnostic), program.module, program.entry(), program.entry()[x]);
  };
  CHECK(located(error(DiagnosticKind::kType, "no")).location.line == 9);
  CHECK(located(error(DiagnosticKind::kType, "no").at({"f", 5})).location.line == 5);
  CHECK(located(error(DiagnosticKind::kType, "no")).notes.size() == 1);
  CHECK(located(error(DiagnosticKind::kType, "no").note("own")).notes ==
        std::vector<std::string>{"own"});
}

TEST_CASE("edges: modules that hang together") {
  CHECK(verified([](Module&) {}) == "");
  CHECK_THAT(verified([](Module& m) { m.entry = 1; }), Contains("no entry computation"));
  for (const int root : {-1, 3})
    CHECK_THAT(verified([&](Module& m) { m.computations[0].root = root; }),
               Contains(cat("the root, ", root, ", names no instruction")));
  CHECK_THAT(verified([](Module& m) { m.computations[0].root = 0; }), !Contains("the root, 0"));
  CHECK_THAT(verified([](Module& m) { m.computations[0][1].operands = {3}; }),
             Contains("operand id 3"));
  CHECK_THAT(verified([](Module& m) { m.computations[0][0].operands = {0}; }),
             Contains("takes 0 operands, not 1"));
  CHECK_THAT(verified([](Module& m) { m.computations[0][2].operands.clear(); }),
             Contains("takes at least 1 operands, not 0"));
  CHECK(verified([](Module& m) { m.computations[0][0].attributes = NoAttributes{}; }) != "");
  CHECK_THAT(verified([](Module& m) {
               m.computations[0][1].shape.dynamic = {false, true};
             }),
             Contains("dynamic flags for another rank"));
  CHECK(verified([](Module& m) { m.computations[0][1].shape.dynamic = {false}; }) == "");
}

TEST_CASE("edges: shapes that are well formed") {
  const auto formed = [](const Shape& one) { return ops::check_well_formed(one, "it").ok(); };
  const auto bytes = [](int64_t count) { return Shape::array(PrimitiveType::kS8, {count}); };
  CHECK(formed(bytes(int64_t{1} << 47)));
  CHECK_FALSE(formed(bytes((int64_t{1} << 47) + 1)));
  CHECK(formed(Shape::make_tuple({bytes(int64_t{1} << 46), bytes(int64_t{1} << 46)})));
  CHECK_FALSE(formed(Shape::make_tuple({bytes(int64_t{1} << 46), bytes((int64_t{1} << 46) + 1)})));
  Shape token = Shape::token();
  CHECK(formed(token));
  token.dimensions = {2};
  CHECK_FALSE(formed(token));
  Shape packed = Shape::array(PrimitiveType::kS4, {4});
  for (const int bits : {0, 4, 8}) {
    packed.layout.element_bits = bits;
    CHECK(formed(packed));
  }
  for (const int bits : {2, 16}) {
    packed.layout.element_bits = bits;
    CHECK_FALSE(formed(packed));
  }
}

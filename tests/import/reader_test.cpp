// Protos: round trips through the writer, the shipped models, and what must be refused.
#include <cstdio>
#include <fstream>

#include "import/file.h"
#include "import/messages.h"
#include "import/models.h"
#include "import/proto/literal.h"

namespace hlocc::import {
namespace {

const std::string kModels = std::string(HLOCC_TEST_DATA) + "/models/";

std::string text_of(const hlo::Module& module) { return ops::to_text(module); }

Diagnostic refused(const std::string& bytes) {
  const Result<Imported> imported = read_model(as_bytes(bytes), "m.pb");
  if (imported) FAIL("was read");
  CHECK(imported.error().location.file == "m.pb");
  return imported.error();
}
hlo::Module accepted(const std::string& bytes) {
  Result<Imported> imported = read_model(as_bytes(bytes), "m.pb");
  if (!imported) FAIL(imported.error().to_string());
  return std::move(imported->module);
}
void check(const Diagnostic& diagnostic, DiagnosticKind kind, std::string_view part) {
  INFO(diagnostic.to_string());
  CHECK(diagnostic.kind == kind);
  CHECK(diagnostic.message.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("a module survives the way through the proto") {
  const hlo::Module module = module_from(kShowcase);
  const std::vector<std::byte> bytes = write_module(module);
  const Result<Imported> again = read_model(bytes, "showcase.pb");
  REQUIRE(again.ok());
  CHECK(text_of(again->module) == text_of(module));
  CHECK(again->module.aliases == module.aliases);
  CHECK(again->module.entry_parameters == module.entry_parameters);
  CHECK(!again->snapshot);
}

TEST_CASE("the shipped models are read, with arguments and results, from all three containers") {
  for (const char* name : {"mlp_digits", "cnn_digits", "kws_dscnn", "ad_autoencoder"}) {
    CAPTURE(name);
    const Result<Imported> imported = read_model_file(kModels + name + ".snapshot.pb");
    REQUIRE(imported.ok());
    REQUIRE(imported->snapshot);
    CHECK(imported->snapshot->arguments.size() == imported->module.entry_parameters.size());
    CHECK(hlo::same_dimensions_and_type(imported->snapshot->result.shape(),
                                        imported->module.entry_result));
    const std::string text = text_of(imported->module);

    const std::vector<std::byte> module = write_module(imported->module);
    const Result<Imported> from_module = read_model(module, name);
    REQUIRE(from_module.ok());
    CHECK(text_of(from_module->module) == text);

    const std::vector<std::byte> hlo_proto = message({{1, std::string(as_text(module))}});
    const Result<Imported> from_proto = read_model(hlo_proto, name);
    REQUIRE(from_proto.ok());
    CHECK(text_of(from_proto->module) == text);

    const Result<Imported> from_snapshot =
        read_model(write_snapshot(imported->module, *imported->snapshot), name);
    REQUIRE(from_snapshot.ok());
    CHECK(from_snapshot->snapshot->arguments == imported->snapshot->arguments);
    CHECK(from_snapshot->snapshot->result == imported->snapshot->result);

    const Result<Imported> from_text = read_text(text);
    REQUIRE(from_text.ok());
    CHECK(text_of(from_text->module) == text);
  }
}

TEST_CASE("what is no HLO is called by its name") {
  check(refused(""), DiagnosticKind::kFormat, "is empty");
  check(refused("\xff\xd8\xff\xe0\x01\x02"), DiagnosticKind::kFormat, "a JPEG image");
  check(refused(std::string(1000, '\0')), DiagnosticKind::kFormat, "is no HLO");
  check(refused("\x93NUMPY\x01"), DiagnosticKind::kFormat, "a NumPy array");
  check(error_of("hello world"), DiagnosticKind::kFormat, "is no HLO: neither HLO text nor");
  check(error_of("hello ROOT"), DiagnosticKind::kSyntax, "expected '{'");
  check(error_of("module @jit_f { }"), DiagnosticKind::kStructure, "the file has no function");
  // HLO that speaks of MLIR stays HLO.
  CHECK(error_of("HloModule m\nENTRY e { ROOT c = f32[] stablehlo.add() }").kind !=
        DiagnosticKind::kFormat);
  check(refused(std::string("ML\xefR\x0dStableHLO_v1.0\0\x01", 22)), DiagnosticKind::kFormat,
        "MLIR bytecode");
  check(refused(std::string("\x08\x08\x12\x01p\x3a\x02\x0a\x00", 9)), DiagnosticKind::kFormat,
        "graph.node[0].op_type is missing");
}

TEST_CASE("a truncated snapshot is refused wherever it ends") {
  std::ifstream file(kModels + "mlp_digits.snapshot.pb", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  REQUIRE(bytes.size() > 1000);
  for (size_t size : {size_t{10}, size_t{100}, size_t{1000}, bytes.size() / 2, bytes.size() - 1}) {
    CAPTURE(size);
    CHECK(refused(bytes.substr(0, size)).kind == DiagnosticKind::kFormat);
  }
}

TEST_CASE("files that cannot be read") {
  CHECK(read_model_file(kModels + "absent.pb").error().kind == DiagnosticKind::kFile);
  CHECK(read_model_file(kModels).error().kind == DiagnosticKind::kFile);
  // Whoever reads it: an array of the command line's, too.
  CHECK(read_file(kModels).error().location.file == kModels);
}

TEST_CASE("a huge sparse file is refused from its size and its head") {
  const std::string path = "sparse.pb.tmp";
  std::FILE* file = std::fopen(path.c_str(), "wb");
  REQUIRE(file != nullptr);
  REQUIRE(std::fseek(file, (1L << 31) - 1, SEEK_SET) == 0);
  std::fputc(0, file);
  std::fclose(file);
  CHECK(read_model_file(path).error().kind == DiagnosticKind::kFormat);
  // As an array's file it is only too large, and so is text that goes on and on.
  CHECK(read_file(path).error().kind == DiagnosticKind::kLimit);
  file = std::fopen(path.c_str(), "r+b");
  REQUIRE(file != nullptr);
  for (int i = 0; i < 1 << 17; ++i) std::fputc(' ', file);
  std::fclose(file);
  CHECK(read_model_file(path).error().kind == DiagnosticKind::kLimit);
  std::remove(path.c_str());
}

TEST_CASE("ids, roots and entries") {
  const std::string f32 = shape(kF32);
  const std::string p = instruction("p", "parameter", 0, f32);
  const std::string neg = instruction("n", "negate", 7, f32, number_field(36, 0));
  // Operands may come after their users; the reader sorts. Id 0 is legal.
  const hlo::Module module = accepted(module_bytes(computation("main", 1, 7, neg + p)));
  CHECK(module.entry_computation()[0].name == "p");
  CHECK(module.entry_computation().root == 1);

  check(refused(module_bytes(computation("main", 1, 7, p + neg), 9)), DiagnosticKind::kStructure,
        "entry computation id 9");
  check(refused(module_bytes(computation("main", 1, 8, p + neg))), DiagnosticKind::kStructure,
        "root id 8");
  check(refused(module_bytes(computation("main", 1, 7, p + p + neg))), DiagnosticKind::kStructure,
        "%p (parameter)");
  check(refused(
            module_bytes(computation("main", 1, 7, p + neg) + computation("other", 1, 7, p + neg))),
        DiagnosticKind::kStructure, "%other has the id 1");
  const std::string dangling = instruction("n", "negate", 7, f32, number_field(36, 3));
  check(refused(module_bytes(computation("main", 1, 7, p + dangling))), DiagnosticKind::kStructure,
        "operand id 3");
  const std::string loop = instruction("n", "negate", 7, f32, number_field(36, 7));
  check(refused(module_bytes(computation("main", 1, 7, p + loop))), DiagnosticKind::kStructure,
        "cycle");
  const std::string call =
      instruction("c", "call", 7, f32, number_field(36, 0) + number_field(38, 1));
  check(refused(module_bytes(computation("main", 1, 7, p + call))), DiagnosticKind::kStructure,
        "calls itself");
  const std::string nowhere =
      instruction("c", "call", 7, f32, number_field(36, 0) + number_field(38, 5));
  check(refused(module_bytes(computation("main", 1, 7, p + nowhere))), DiagnosticKind::kStructure,
        "computation id 5");
  const std::string second = instruction("q", "parameter", 7, f32, number_field(9, 4));
  check(refused(module_bytes(computation("main", 1, 7, p + second))), DiagnosticKind::kStructure,
        "parameter number 4");
}

TEST_CASE("a chain and a nest of calls deeper than the stack") {
  const std::string f32 = shape(kF32);
  constexpr int kDepth = 100000;
  std::string chain;
  for (int i = kDepth; i > 0; --i)
    chain += instruction("n" + std::to_string(i), "negate", i, f32,
                         number_field(36, static_cast<uint64_t>(i - 1)));
  chain += instruction("p", "parameter", 0, f32);
  const hlo::Module module = accepted(module_bytes(computation("main", 1, kDepth, chain)));
  CHECK(module.entry_computation().root == kDepth);
}

TEST_CASE("unknown opcodes come with the nearest known one") {
  const std::string bytes =
      module_bytes(computation("main", 1, 0, instruction("x", "multipy", 0, shape(kF32))));
  const Diagnostic diagnostic = refused(bytes);
  check(diagnostic, DiagnosticKind::kUnknownOpcode,
        "%x in computation %main: unknown opcode 'multipy'");
  REQUIRE(!diagnostic.notes.empty());
  CHECK(diagnostic.notes[0].find("'multiply'") != std::string::npos);
}

TEST_CASE("shapes that no program can have") {
  const auto with_shape = [](const std::string& s) {
    return refused(module_bytes(computation("main", 1, 0, instruction("x", "parameter", 0, s))));
  };
  check(with_shape(shape(0)), DiagnosticKind::kShape, "no element type");
  check(with_shape(shape(34)), DiagnosticKind::kType, "34");
  check(with_shape(shape(35)), DiagnosticKind::kType, "f6e3m2fn");
  check(with_shape(shape(99)), DiagnosticKind::kType, "99");
  check(with_shape(shape(kF32, {-1})), DiagnosticKind::kShape, "negative size");
  check(with_shape(shape(kF32, {int64_t{1} << 40})), DiagnosticKind::kLimit, "larger than");
  check(with_shape(shape(kF32, {int64_t{1} << 30, int64_t{1} << 30, int64_t{1} << 30})),
        DiagnosticKind::kLimit, "larger");
  check(with_shape(shape(kF32, {2, 2}) + text_field(5, number_field(1, 1) + number_field(1, 1))),
        DiagnosticKind::kShape, "no permutation");
  const auto of_rank = [&](int rank) {
    std::string ones = shape(kF32);
    for (int i = 0; i < rank; ++i) ones += number_field(3, 1);
    return ones;
  };
  CHECK(accepted(
            module_bytes(computation("main", 1, 0, instruction("x", "parameter", 0, of_rank(256)))))
            .entry_result.rank() == 256);
  check(with_shape(of_rank(257)), DiagnosticKind::kLimit, "257 dimensions; at most 256");
  std::string nested = shape(kF32);
  for (int i = 0; i < 100000; ++i) {
    nested = number_field(2, 13) + text_field(4, nested);
    if (nested.size() > 400000) break;
  }
  CHECK(with_shape(nested).kind == DiagnosticKind::kFormat);
  const std::string no_shape = text_field(2, text_field(1, "x") + text_field(2, "parameter"));
  check(refused(module_bytes(computation("main", 1, 0, no_shape))), DiagnosticKind::kShape,
        "no result shape");
}

TEST_CASE("comparison types of old files follow from the operands") {
  const auto type_of = [](int type) {
    const std::string p = instruction("p", "parameter", 1, shape(type));
    const std::string more = number_field(36, 1) + number_field(36, 1) + text_field(63, "LT");
    const hlo::Module module = accepted(module_bytes(
        computation("main", 1, 2, p + instruction("c", "compare", 2, shape(1), more))));
    return module.entry_computation().root_instruction().get<hlo::CompareAttributes>().type;
  };
  CHECK(type_of(kF32) == hlo::ComparisonType::kFloat);
  CHECK(type_of(kS32) == hlo::ComparisonType::kSigned);
  CHECK(type_of(8) == hlo::ComparisonType::kUnsigned);
  CHECK(type_of(1) == hlo::ComparisonType::kUnsigned);
}

TEST_CASE("a literal of another shape than its constant is refused") {
  const auto constant = [](int64_t size) {
    const std::vector<std::byte> literal = write_literal(
        hlo::Literal::array<int32_t>(hlo::PrimitiveType::kS32, {2}, std::vector<int32_t>{1, 2}));
    return module_bytes(computation(
        "main", 1, 0,
        instruction("c", "constant", 0, shape(kS32, {size}), text_field(8, as_text(literal)))));
  };
  CHECK(accepted(constant(2)).entry_result.dimensions == hlo::Dimensions{2});
  check(refused(constant(3)), DiagnosticKind::kShape, "the literal has the shape s32[2]");
}

TEST_CASE("an alias of no kind is none") {
  const auto aliases = [](uint64_t kind) {
    const std::string entry = number_field(2, 0) + (kind == 0 ? "" : number_field(4, kind));
    return accepted(module_bytes(
                        computation("main", 1, 0, instruction("p", "parameter", 0, shape(kF32)))) +
                    text_field(8, text_field(1, entry)))
        .aliases;
  };
  CHECK(aliases(0).empty());
  REQUIRE(aliases(1).size() == 1);
  CHECK_FALSE(aliases(1)[0].must_alias);
  CHECK(aliases(2)[0].must_alias);
}

TEST_CASE("convolutions of old files have one group") {
  std::vector<std::byte> bytes = write_module(
      module_from(entry_with("x = f32[1,4,2] parameter(0)\nk = f32[3,2,5] parameter(1)\n"
                             "ROOT c = f32[1,2,5] convolution(x, k), window={size=3}, "
                             "dim_labels=b0f_0io->b0f")));
  // feature_group_count and batch_group_count, fields 50 and 58, are 1; a field that is not there
  // is 0.
  for (const std::string_view field : {"\x90\x03\x01", "\xd0\x03\x01"}) {
    const size_t at = as_text(bytes).find(field);
    REQUIRE(at != std::string_view::npos);
    bytes[at + 2] = std::byte{0};
  }
  const hlo::Module module = accepted(std::string(as_text(bytes)));
  const auto& convolution =
      module.entry_computation().root_instruction().get<hlo::ConvolutionAttributes>();
  CHECK(convolution.feature_group_count == 1);
  CHECK(convolution.batch_group_count == 1);
}

TEST_CASE("enum values and wrong attributes are diagnosed") {
  const std::string p = instruction("p", "parameter", 1, shape(kF32, {4}));
  const auto with = [&](std::string_view opcode, const std::string& more) {
    return refused(module_bytes(computation(
        "main", 1, 2,
        p + instruction("i", opcode, 2, shape(kF32, {4}), number_field(36, 1) + more))));
  };
  check(with("fft", number_field(31, 9)), DiagnosticKind::kAttribute,
        "%i (fft) in computation %main: fft_type");
  check(with("compare", text_field(63, "LESS")), DiagnosticKind::kAttribute, "'LESS'");
  check(with("sort", ""), DiagnosticKind::kAttribute, "one dimension");
  check(with("constant", ""), DiagnosticKind::kElidedConstant, "no literal");
}

TEST_CASE("source places come from the stack frame tables where metadata has none") {
  const std::string tables = text_field(
      17, text_field(1, "model.py") + text_field(3, number_field(1, 1) + number_field(3, 42)) +
              text_field(4, number_field(1, 1)));
  const std::string p =
      instruction("p", "parameter", 1, shape(kF32), text_field(7, number_field(15, 1)));
  const hlo::Module module = accepted(module_bytes(computation("main", 1, 1, p)) + tables);
  CHECK(module.entry_computation()[0].metadata.source_file == "model.py");
  CHECK(module.entry_computation()[0].metadata.source_line == 42);
}

TEST_CASE("the fusion schedules of our own passes survive") {
  hlo::Module module = module_from(R"(
    HloModule m
    fused { p = f32[4] parameter(0) ROOT n = f32[4] negate(p) }
    ENTRY main { x = f32[4] parameter(0) ROOT f = f32[4] fusion(x), kind=kLoop, calls=fused })");
  auto& fusion = module.entry_computation()[1].get<hlo::FusionAttributes>();
  CHECK(fusion.kind == "kLoop");
  fusion = {"", hlo::Schedule::kRows, true};
  const Result<Imported> from_proto = read_model(write_module(module), "m");
  REQUIRE(from_proto.ok());
  CHECK(from_proto->module.entry_computation()[1].get<hlo::FusionAttributes>() == fusion);
  const hlo::Module from_text = module_from(text_of(module));
  CHECK(from_text.entry_computation()[1].get<hlo::FusionAttributes>() == fusion);
  CHECK(from_text.entry_computation()[1].frontend_attributes.empty());
}

TEST_CASE("a schedule that nobody knows stays an attribute of the front end's") {
  const hlo::Module module = module_from(R"(
    HloModule m
    fused { p = f32[4] parameter(0) ROOT n = f32[4] negate(p) }
    ENTRY main { x = f32[4] parameter(0)
      ROOT f = f32[4] fusion(x), kind=kCustom, calls=fused, frontend_attributes={hlocc_schedule="columns"} })");
  const hlo::Instruction& fusion = module.entry_computation()[1];
  CHECK(fusion.get<hlo::FusionAttributes>() == hlo::FusionAttributes{"kCustom"});
  CHECK(fusion.frontend_attributes.at("hlocc_schedule") == "columns");
}

}  // namespace hlocc::import

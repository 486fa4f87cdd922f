// Protos beside what their readers take: fields of another wire type, numbers of enums, shapes and
// literals that say less than they should.
#include <catch2/catch.hpp>

#include "import/messages.h"
#include "import/models.h"
#include "import/proto/literal.h"

namespace hlocc::import {
namespace {

Result<Imported> read_proto(const std::string& bytes, Constants constants = Constants::kNeeded) {
  return read_model(as_bytes(bytes), "m.pb", constants);
}
hlo::Module accepted_proto(const std::string& bytes) {
  Result<Imported> imported = read_proto(bytes);
  if (!imported) FAIL(imported.error().to_string());
  return std::move(imported->module);
}

TEST_CASE("fields of another wire type are not theirs") {
  const std::string p = instruction("p", "parameter", 1, shape(kF32));
  // Name and instructions as numbers, ids as text: passed over.
  const std::string odd = text_field(
      3, text_field(1, "main") + p + number_field(5, 1) + number_field(6, 1) + number_field(1, 7) +
             number_field(2, 7) + text_field(5, "9") + text_field(6, "9"));
  const hlo::Module module = accepted_proto(module_bytes(odd) + number_field(1, 3) +
                                            number_field(3, 3) + text_field(6, "9"));
  CHECK(module.name == "m");
  CHECK(module.entry_computation().name == "main");
  CHECK(module.entry_computation()[0].name == "p");
}

TEST_CASE("the entry may be known by its name, and no empty name is known") {
  const std::string p = instruction("p", "parameter", 1, shape(kF32));
  const auto with_name = [&](const std::string& name) {
    return read_proto(text_field(1, "m") + computation("first", 4, 1, p) +
                      computation("main", 5, 1, p) + computation("", 6, 1, p) +
                      number_field(6, 99) + text_field(2, name));
  };
  REQUIRE(with_name("main").ok());
  CHECK(with_name("main")->module.entry_computation().name == "main");
  CHECK_FALSE(with_name("nobody").ok());
  CHECK_FALSE(with_name("").ok());
}

TEST_CASE("numbers of enums lie between none and the last") {
  const std::string p = instruction("p", "parameter", 1, shape(kF32, {4}));
  const auto with_type = [&](int64_t type) {
    return read_proto(module_bytes(computation(
        "main", 1, 2,
        p + instruction("i", "fft", 2, shape(kF32, {4}),
                        number_field(36, 1) + number_field(31, static_cast<uint64_t>(type))))));
  };
  CHECK(with_type(3).ok());
  for (const int64_t type : {int64_t{-1}, int64_t{4}, int64_t{5}}) {
    REQUIRE_FALSE(with_type(type).ok());
    CHECK(with_type(type).error().kind == DiagnosticKind::kAttribute);
  }
}

TEST_CASE("groups of convolutions and accuracies survive the proto") {
  const auto again = [](const std::string& lines) {
    return accepted_proto(std::string(as_text(write_module(module_from(entry_with(lines))))));
  };
  const hlo::Module grouped = again(
      "x = f32[2,4,2] parameter(0)\nk = f32[3,1,4] parameter(1)\n"
      "ROOT c = f32[2,2,4] convolution(x, k), window={size=3}, dim_labels=b0f_0io->b0f, "
      "feature_group_count=2");
  CHECK(grouped.entry_computation()
            .root_instruction()
            .get<hlo::ConvolutionAttributes>()
            .feature_group_count == 2);
  const hlo::Module batches = again(
      "x = f32[2,4,2] parameter(0)\nk = f32[3,2,4] parameter(1)\n"
      "ROOT c = f32[1,2,4] convolution(x, k), window={size=3}, dim_labels=b0f_0io->b0f, "
      "batch_group_count=2");
  CHECK(batches.entry_computation()
            .root_instruction()
            .get<hlo::ConvolutionAttributes>()
            .batch_group_count == 2);
  for (const char* accuracy :
       {"mode=highest", "tolerance={atol=0.5}", "tolerance={rtol=0.5}", "tolerance={ulps=2}"}) {
    const std::string lines = cat("x = f32[] parameter(0)\nROOT e = f32[] exponential(x), ",
                                  "result_accuracy={", accuracy, "}");
    CHECK(ops::to_text(again(lines)) == ops::to_text(module_from(entry_with(lines))));
  }
}

TEST_CASE("constants without a literal are numbers for those who ask about sizes only") {
  const std::string elided =
      module_bytes(computation("main", 1, 0, instruction("c", "constant", 0, shape(kF32, {4}))));
  CHECK_FALSE(read_proto(elided).ok());
  const Result<Imported> imported = read_proto(elided, Constants::kMayBeElided);
  REQUIRE(imported.ok());
  CHECK(imported->elided_constants == 1);
  // One that is there is taken, and what is no constant has none.
  const hlo::Literal two =
      hlo::Literal::array<int32_t>(hlo::PrimitiveType::kS32, {2}, std::vector<int32_t>{1, 2});
  const std::string there =
      module_bytes(computation("main", 1, 0,
                               instruction("c", "constant", 0, shape(kS32, {2}),
                                           text_field(8, as_text(write_literal(two))))));
  const Result<Imported> whole = read_proto(there, Constants::kMayBeElided);
  REQUIRE(whole.ok());
  CHECK(whole->elided_constants == 0);
  const Result<Imported> parameter = read_proto(
      module_bytes(computation("main", 1, 0, instruction("p", "parameter", 0, shape(kF32)))),
      Constants::kMayBeElided);
  REQUIRE(parameter.ok());
  CHECK(parameter->elided_constants == 0);
  const std::string empty = entry_with("ROOT c = f32[0] constant({...})");
  CHECK(read_model(as_bytes(empty), "m", Constants::kMayBeElided).ok());
  const std::string unbounded = entry_with("ROOT c = f32[?] constant({...})");
  CHECK_FALSE(read_model(as_bytes(unbounded), "m", Constants::kMayBeElided).ok());
}

TEST_CASE("buffers of protos are their contents") {
  const auto buffer = [](const std::string& contents) {
    return number_field(2, 34) + text_field(4, contents);
  };
  const auto with = [&](const std::string& of_parameter) {
    return read_proto(
        module_bytes(computation("main", 1, 0, instruction("p", "parameter", 0, of_parameter))));
  };
  const std::string f32 = shape(kF32, {4});
  REQUIRE_FALSE(with(buffer(f32)).ok());
  CHECK(with(buffer(f32)).error().kind == DiagnosticKind::kUnsupported);
  const std::string tuple = number_field(2, 13) + text_field(4, f32) + text_field(4, buffer(f32));
  REQUIRE_FALSE(with(tuple).ok());
  CHECK(with(tuple).error().kind == DiagnosticKind::kUnsupported);
  // Of one thing.
  CHECK(with(buffer(f32) + text_field(4, f32)).error().kind == DiagnosticKind::kType);
}

TEST_CASE("literals write their sizes only where those are dynamic, and fields are messages") {
  const hlo::Literal two =
      hlo::Literal::array<int32_t>(hlo::PrimitiveType::kS32, {2}, std::vector<int32_t>{1, 2});
  const std::string bytes(as_text(write_literal(two)));
  CHECK(bytes.ends_with(std::string("\x01\x02", 2)));
  const std::string odd = number_field(1, 3) + number_field(3, 3) + bytes;
  const Result<hlo::Literal> again = read_literal(as_bytes(odd));
  REQUIRE(again.ok());
  CHECK(*again == two);
}

TEST_CASE("containers and snapshots pass over numbers in the place of messages") {
  const hlo::Module module = module_from(entry_with("ROOT x = f32[4] parameter(0)"));
  const std::string proto(as_text(write_module(module)));
  CHECK(read_proto(text_field(1, proto) + number_field(1, 5)).ok());
  const hlo::Literal value = hlo::Literal::zeros(hlo::Shape::array(hlo::PrimitiveType::kF32, {4}));
  const std::string snapshot(as_text(write_snapshot(module, {{value}, value})));
  const Result<Imported> again = read_proto(snapshot + number_field(2, 5) + number_field(3, 5));
  REQUIRE(again.ok());
  REQUIRE(again->snapshot);
  CHECK(again->snapshot->arguments.size() == 1);
  // A program shape without a result says nothing.
  const std::string p = instruction("p", "parameter", 1, shape(kF32));
  CHECK(read_proto(module_bytes(computation("main", 1, 1, p)) +
                   text_field(4, text_field(1, shape(kF32, {3}))))
            .ok());
}

TEST_CASE("an instruction takes sixteen million bytes beside its literal, and no more") {
  const auto with = [](size_t more) {
    const std::string field = text_field(1, "p") + text_field(2, "parameter") +
                              text_field(3, shape(kF32)) + number_field(35, 1);
    // The field's tag and its length of four bytes.
    const size_t known = field.size() + 2 + 4;
    return read_proto(module_bytes(computation(
        "main", 1, 1,
        text_field(2,
                   field + text_field(99, std::string((size_t{1} << 24) - known + more, 'x'))))));
  };
  CHECK(with(0).ok());
  REQUIRE_FALSE(with(1).ok());
  CHECK(with(1).error().kind == DiagnosticKind::kLimit);
}

TEST_CASE("fusions of other compilers keep their kind") {
  const hlo::Module module = module_from(
      "HloModule m\nf { p = f32[4] parameter(0) ROOT n = f32[4] negate(p) }\nENTRY main { x = "
      "f32[4] parameter(0) ROOT y = f32[4] fusion(x), kind=kLoop, calls=f }");
  const hlo::Module again = accepted_proto(std::string(as_text(write_module(module))));
  CHECK(again.entry_computation().root_instruction().get<hlo::FusionAttributes>() ==
        hlo::FusionAttributes{"kLoop"});
}

TEST_CASE("literals without elements, of any layout, and of tuples with numbers between") {
  hlo::Shape columns = hlo::Shape::array(hlo::PrimitiveType::kF32, {0, 3});
  columns.layout.minor_to_major = {0, 1};
  const Result<hlo::Literal> empty = read_literal(write_literal(hlo::Literal::zeros(columns)));
  REQUIRE(empty.ok());
  CHECK(empty->bytes().empty());
  const hlo::Literal pair = hlo::Literal::make_tuple({*empty, *empty});
  const std::string bytes(as_text(write_literal(pair)));
  CHECK(read_literal(as_bytes(number_field(10, 1) + bytes)).ok());
}

TEST_CASE("other files keep the note that says where HLO comes from") {
  const Result<Imported> jpeg = read_proto("\xff\xd8\xff\xe0\x01\x02");
  REQUIRE_FALSE(jpeg.ok());
  REQUIRE(jpeg.error().notes.size() == 1);
  CHECK(jpeg.error().notes[0].find("compiler_ir('hlo')") != std::string::npos);
}

}  // namespace
}  // namespace hlocc::import

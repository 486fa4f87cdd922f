// HLO text beside what the grammar takes: one dimension too many, a letter that is none, a form cut
// off, each a line; and forms that must go on being read.
#include <catch2/catch.hpp>

#include "import/models.h"

namespace hlocc::import {
namespace {

const hlo::Instruction& edge_root_of(const hlo::Module& module) {
  return module.entry_computation().root_instruction();
}

// The kind of the diagnostic and what it says.
std::string said(const Diagnostic& diagnostic) {
  return cat(diagnostic_kind_name(diagnostic.kind), ": ", diagnostic.message);
}

using Catch::Matchers::Contains;

TEST_CASE("layouts and their suffixes") {
  const auto shape_of = [](const std::string& shape) {
    return to_string(edge_root_of(module_from(entry_with("x = " + shape + " parameter(0)"))).shape);
  };
  CHECK(shape_of("pred[4]{0:E(1)}") == "pred[4]{0}");
  CHECK(shape_of("u4[4]{0:E(8)}") == "u4[4]{0}");
  CHECK(shape_of("f32[4]{0:E(32)}") == "f32[4]{0}");
  CHECK(shape_of("u8[4]{0:E(8)}") == "u8[4]{0}");
  CHECK(shape_of("f32[]{:S(5)}") == "f32[]");
  CHECK(shape_of("f32[2]{0:*(u8)}") == "f32[2]{0}");
  CHECK(shape_of("f32[2]{0:#(u8)}") == "f32[2]{0}");
  CHECK(shape_of("f32[2]{0:(1)}") == "f32[2]{0}");
  CHECK(error_of(entry_with("x = f32[<=99999999999] parameter(0)")).kind == DiagnosticKind::kLimit);
  CHECK(error_of(entry_with("x = f32[-9223372036854775808] parameter(0)")).kind ==
        DiagnosticKind::kShape);
  CHECK(shape_of("f32[1,1,1,1,1,1,1,1,1,1]{9,8,7,6,5,4,3,2,1,0}").starts_with("f32[1,1,1"));
  CHECK_THAT(said(error_of(entry_with("x = f32[2]{0:=} parameter(0)"))), Contains("'}' after"));
  CHECK_THAT(said(error_of(entry_with("x = tuple[2] parameter(0)"))), Contains("syntax: "));
}

TEST_CASE("escapes of file names in tables, and numbers of frames behind other words") {
  const auto line_of = [](const std::string& location) {
    const hlo::Module module = module_from(
        "HloModule m\nFileNames\n1 \"a.py\"\nFunctionNames\n1 \"f\"\nFileLocations\n1 " + location +
        "\nStackFrames\n1 {file_location_id=1}\nENTRY main {\n"
        "ROOT a = f32[] parameter(0), metadata={stack_frame_id=1}\n}");
    return edge_root_of(module).metadata.source_line;
  };
  CHECK(line_of("{file_name_id=1 line=30 end_line=31}") == 30);
  CHECK(line_of("{file_name_id=1 end_line=31 line=30}") == 30);
  CHECK(line_of("{file_name_id=1,end_line=31,line=30}") == 30);
  CHECK(line_of("{line=30 file_name_id=1}") == 30);
  CHECK(line_of("{file_name_id=1 end_line=31}") == 0);
}

TEST_CASE("a place of its own stays, and no frame beyond the last is asked") {
  const auto place_of = [](std::string_view metadata) {
    const hlo::Module module = module_from(
        cat("HloModule m\nFileNames\n1 \"a.py\"\nFileLocations\n1 {file_name_id=1 line=3}\n"
            "StackFrames\n1 {file_location_id=1}\nENTRY main {\nROOT a = f32[] parameter(0), "
            "metadata={",
            metadata, "}\n}"));
    const hlo::Metadata& found = edge_root_of(module).metadata;
    return cat(found.source_file, ":", found.source_line);
  };
  CHECK(place_of("stack_frame_id=1") == "a.py:3");
  CHECK(place_of("source_file=\"own.py\" source_line=7 stack_frame_id=1") == "own.py:7");
  CHECK(place_of("stack_frame_id=2") == ":0");
  CHECK(place_of("stack_frame_id=0") == ":0");
}

TEST_CASE("frames that point nowhere name no place") {
  const auto file_of = [](std::string_view frame, std::string_view location) {
    const hlo::Module module = module_from(
        cat("HloModule m\nFileNames\n1 \"a.py\"\nFileLocations\n1 {file_name_id=", location,
            " line=3}\nStackFrames\n1 {file_location_id=", frame,
            "}\nENTRY main {\nROOT a = f32[] parameter(0), metadata={stack_frame_id=1}\n}"));
    return edge_root_of(module).metadata.source_file;
  };
  CHECK(file_of("1", "1") == "a.py");
  for (const char* number : {"0", "-1", "2"}) {
    CHECK(file_of(number, "1").empty());
    CHECK(file_of("1", number).empty());
  }
}

TEST_CASE("paddings and windows") {
  const auto with_padding = [](std::string_view padding) {
    return entry_with(cat("x = f32[2] parameter(0)\nz = f32[] constant(0)\nROOT p = pad(x, z), ",
                          "padding=", padding));
  };
  CHECK(edge_root_of(module_from(with_padding("1_2"))).get<hlo::PadAttributes>().dimensions ==
        std::vector<hlo::PaddingDimension>{{1, 2, 0}});
  for (const char* padding : {"1", "1_2_3_4", "1_", "1_2z", "_", "1_99999999999999999999"})
    CHECK_THAT(said(error_of(with_padding(padding))), Contains("syntax: "));
  const auto with_window = [](std::string_view window) {
    return entry_with(cat(
        "x = f32[4] parameter(0)\nz = f32[] constant(0)\n"
        "ROOT r = f32[3] reduce-window(x, z), window={",
        window,
        "}, to_apply={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }"));
  };
  const auto window_of = [&](std::string_view window) {
    return edge_root_of(module_from(with_window(window)))
        .get<hlo::WindowAttributes>()
        .window.dimensions[0];
  };
  CHECK(window_of("size=2 pad=1_2").padding_high == 2);
  CHECK(window_of("size=2 rhs_reversal=1").window_reversal);
  CHECK_FALSE(window_of("size=2 rhs_reversal=0").window_reversal);
  for (const char* window :
       {"size=2_2", "size=2 pad=1", "size=2 pad=1_2_3", "size=2 stride=1_1", "size=a", "size="})
    CHECK_THAT(said(error_of(with_window(window))), Contains("syntax: "));
}

TEST_CASE("dimension labels") {
  const auto with_labels = [](std::string_view labels) {
    return entry_with(
        cat("x = f32[1,4,2] parameter(0)\nk = f32[3,2,5] parameter(1)\n"
            "ROOT c = f32[1,2,5] convolution(x, k), window={size=3}, dim_labels=",
            labels));
  };
  const hlo::Module right = module_from(with_labels("b0f_0io->b0f"));
  CHECK(edge_root_of(right).get<hlo::ConvolutionAttributes>().input_feature == 2);
  // A dimension without a role, wherever it stands.
  const hlo::Module idle =
      module_from(entry_with("x = f32[1,4,2,1] parameter(0)\nk = f32[3,2,5] parameter(1)\n"
                             "ROOT c = f32[1,2,5] convolution(x, k), window={size=3}, "
                             "dim_labels=b0f?_0io->b0f"));
  CHECK(edge_root_of(idle).get<hlo::ConvolutionAttributes>().input_feature == 2);
  for (const char* labels :
       {"b0f_0io", "b0f->b0f", "b0f->b0f_0io", "b0f_0io->b0x", "b0f_0ix->b0f", "b0x_0io->b0f",
        "bb0f_0io->b0f", "b0ff_0io->b0f", "0f_0io->b0f", "b0_0io->b0f", "b0f_0o->b0f",
        "b0f_0i->b0f", "b0f_0io->0f", "b0f_0io->b0", "b0f_0io->bb0f", "b1f_0io->b0f",
        "b0123456780910f_0io->b0f"}) {
    CAPTURE(labels);
    CHECK(error_of(with_labels(labels)).kind == DiagnosticKind::kAttribute);
  }
  // Features may come first.
  const hlo::Module first =
      module_from(entry_with("x = f32[2,1,4] parameter(0)\nk = f32[3,2,5] parameter(1)\n"
                             "ROOT c = f32[5,1,2] convolution(x, k), window={size=3}, "
                             "dim_labels=fb0_0io->fb0"));
  CHECK(edge_root_of(first).get<hlo::ConvolutionAttributes>().input_feature == 0);
  // Ten numbers have one digit each, eleven and more two.
  std::string ten = "b0123456789f", eleven = "b012345678910f";
  for (const auto& [labels, count] : {std::pair{ten, size_t{10}}, {eleven, size_t{11}}}) {
    const std::string spatial = labels.substr(1, labels.size() - 2);
    std::string sizes = "1", size = "1";
    for (size_t i = 1; i < count + 2; ++i) sizes += ",1";
    for (size_t i = 1; i < count; ++i) size += "x1";
    const hlo::Module module =
        module_from(entry_with(cat("x = f32[", sizes, "] parameter(0)\nROOT c = f32[", sizes,
                                   "] convolution(x, x), window={size=", size, "}, dim_labels=b",
                                   spatial, "f_", spatial, "io->b", spatial, "f")));
    CHECK(edge_root_of(module).get<hlo::ConvolutionAttributes>().input_spatial.size() == count);
  }
}

TEST_CASE("replica groups that do not divide their devices") {
  const auto with_groups = [](std::string_view groups) {
    return entry_with(
        cat("x = f32[4] parameter(0)\nROOT r = f32[4] all-reduce(x), replica_groups=", groups,
            ", to_apply={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = "
            "f32[] add(a, b) }"));
  };
  const auto count_of = [&](std::string_view groups) {
    return edge_root_of(module_from(with_groups(groups)))
        .get<hlo::CollectiveAttributes>()
        .replica_groups.size();
  };
  CHECK(count_of("[1,2]<=[1,2]") == 1);
  CHECK(count_of("[2,1]<=[2]") == 2);
  CHECK(count_of("[1,1048576]<=[1048576]") == 1);
  for (const char* groups :
       {"[2,1]<=[3]", "[0,1]<=[0]", "[1,1]<=[0]", "[1,-1]<=[-1]", "[2,2]<=[2]", "[-1,-2]<=[2]",
        "[1,2]<=[1,2]T(0)", "[1,2]<=[1,2]T(0,0)", "[1,2]<=[1,2]T(1,2)", "[1,1]<=[1048577]",
        "[1,2]<=[4294967296,4294967296]", "[0,2]<=[2]", "[3,0]<=[2]",
        "[1,1099511627776]<=[1048576,1048576]"}) {
    CAPTURE(groups);
    CHECK(error_of(with_groups(groups)).kind == DiagnosticKind::kAttribute);
  }
}

TEST_CASE("literals beside their shapes") {
  const auto text = [](std::string_view shape, std::string_view literal) {
    return entry_with(cat("c = ", shape, " constant(", literal, ")"));
  };
  CHECK_THAT(said(error_of(text("f32[2]", "{}"))), Contains("dimension 0 of the literal has 0"));
  CHECK_THAT(said(error_of(text("f32[2]", "{1,2,3}"))), Contains("too many elements"));
  CHECK_THAT(said(error_of(text("f32[2]", "1"))), Contains("a single number"));
  CHECK_THAT(said(error_of(text("f32[]", "1(2)"))), Contains("expected ')'"));
  CHECK_THAT(said(error_of(text("f32[400]", "..."))), Contains("a single number"));
  CHECK(error_of(text("f32[2,2]", "{1, 2}")).notes.at(0).starts_with("write one pair of braces"));
  CHECK(error_of(text("f32[2]", "1")).notes.at(0).starts_with("write its elements in braces"));
  CHECK_THAT(said(error_of(text("f32[99999]", "1"))), Contains("a single number"));
  CHECK_THAT(said(error_of(text("f32[]", "{1}"))), Contains("1-dimensional"));
  CHECK_THAT(said(error_of(text("opaque[]", "1"))), Contains("cannot be opaque"));
  CHECK_THAT(said(error_of(text("f32[?]", "{1}"))), Contains("unbounded"));
  // Shapes that are repeated before the value.
  const auto value = [&](std::string_view shape, std::string_view literal) {
    return edge_root_of(module_from(text(shape, literal))).get<hlo::ConstantAttributes>().value;
  };
  CHECK(value("(f32[], (s32[]))", "(f32[], (s32[])) (1, (2))").elements().size() == 2);
  CHECK(value("((s32[]), f32[])", "((2), 1)").elements()[0].elements().size() == 1);
  CHECK(value("(f32[], f32[])", "(f32[] 1, f32[] 2)").elements()[1].data<float>()[0] == 2);
  CHECK(value("f32[2]", "f32[2] {1, 2}").data<float>()[1] == 2);
  CHECK(value("((), ())", "((), ())").elements().size() == 2);
  CHECK(value("((), f32[])", "((), 3)").elements()[1].data<float>()[0] == 3);
}

TEST_CASE("shapes are nested a hundred deep, and no deeper") {
  const auto nested = [](const std::string& open, int depth) {
    std::string out;
    for (int i = 0; i < depth; ++i) out += open;
    out += "f32[]";
    for (int i = 0; i < depth; ++i) out += ")";
    return entry_with(cat("x = ", out, " parameter(0)"));
  };
  CHECK(read_text(nested("(", 100)).ok());
  CHECK(error_of(nested("(", 101)).kind == DiagnosticKind::kLimit);
  CHECK(error_of(nested("b(", 100)).kind == DiagnosticKind::kUnsupported);
  CHECK(error_of(nested("b(", 101)).kind == DiagnosticKind::kLimit);
}

TEST_CASE("operands in their other forms") {
  const hlo::Module single = module_from("ROOT s = f32[2] subtract(f32[2] y, f32[2] %x)");
  CHECK(single.entry_computation().parameters.size() == 2);
  CHECK(error_of("ROOT s = f32[2] subtract(y, x)").kind == DiagnosticKind::kStructure);
  CHECK(error_of(entry_with("ROOT s = f32[2] negate(f32[2] y)")).kind ==
        DiagnosticKind::kStructure);
  // A name with its sign is no opcode.
  CHECK(error_of(entry_with("x = f32[2] parameter(0)\nROOT s = f32[2] negate(%abs(x))")).kind !=
        DiagnosticKind::kUnknownOpcode);
  CHECK(edge_root_of(module_from(entry_with("x = f32[] parameter(0)\nz = f32[] constant(0)\n"
                                            "ROOT p = f32[] pad(x, z), padding=")))
            .get<hlo::PadAttributes>()
            .dimensions.empty());
}

TEST_CASE("computations may follow the entry, and a root may be called ROOT") {
  const hlo::Module module = module_from(
      "HloModule m\nENTRY e { ROOT = f32[] parameter(0) ROOT c = f32[] negate(ROOT) }\n"
      "f { p = f32[] parameter(0) ROOT n = f32[] negate(p) }");
  CHECK(module.entry_computation().name == "e");
  CHECK(edge_root_of(module).name == "c");
  // The first that is marked, and not what follows it.
  const hlo::Module early =
      module_from("ENTRY e { x = f32[] parameter(0) ROOT c = f32[] negate(x) d = f32[] abs(x) }");
  CHECK(edge_root_of(early).name == "c");
}

TEST_CASE("asynchronous ops in their short form need a shape of two at least") {
  const auto start = [](std::string_view shape, std::string_view op = "negate-start") {
    return entry_with(cat("x = f32[4] parameter(0)\ns = ", shape, " ", op,
                          "(x)\nROOT d = f32[4] negate-done(s)"));
  };
  CHECK(edge_root_of(module_from(start("((f32[4]), f32[4])"))).opcode == hlo::Opcode::kAsyncDone);
  for (const char* shape : {"f32[4]", "((f32[4]))", "()"})
    CHECK(error_of(start(shape)).kind == DiagnosticKind::kShape);
  CHECK_THAT(said(error_of(entry_with("x = f32[4] parameter(0)\ns = negate-start(x)"))),
             Contains("needs its shape"));
  for (const char* op : {"negate-begin", "negate12345", "negate-starts", "-start"})
    CHECK(error_of(start("((f32[4]), f32[4])", op)).kind != DiagnosticKind::kShape);
}

TEST_CASE("lists of one, pairs, groups, and calls that are missing") {
  const std::string x = "x = f32[4] parameter(0)\n";
  const auto refuse = [&](std::string_view line, std::string_view part) {
    CHECK_THAT(said(error_of(entry_with(cat(x, line)))), Contains(std::string(part)));
  };
  refuse("i = f32[4] iota(), iota_dimension={}", "integer");
  refuse(
      "s = f32[4] sort(x), dimensions={}, to_apply={ a = f32[] parameter(0) b = f32[] "
      "parameter(1) ROOT c = pred[] compare(a, b), direction=LT }",
      "exactly one dimension");
  refuse("p = f32[4] collective-permute(x), source_target_pairs={{0}}", "two numbers");
  refuse("p = f32[4] collective-permute(x), source_target_pairs={{0,1,2}}", "two numbers");
  refuse(
      "r = f32[4] all-reduce(x), replica_groups=[2]<=[2], to_apply={ a = f32[] parameter(0) "
      "ROOT b = f32[] parameter(1) }",
      "replica groups");
  refuse("w = f32[4] while(x), condition={ ROOT a = pred[] constant(true) }", "body is missing");
  refuse(
      "c = f32[4] conditional(pred[] constant(true), x, x), "
      "false_computation={ ROOT a = f32[4] parameter(0) }",
      "is missing");
  refuse("d = c64[4] fft(x)", "fft_type");
}

TEST_CASE("shapes that are inferred where the text has none") {
  const auto shape_of = [](const std::string& lines) {
    return to_string(edge_root_of(module_from(entry_with(lines))).shape, false);
  };
  const std::string dot = ", lhs_contracting_dims={0}, rhs_contracting_dims={0}";
  CHECK(shape_of("x = bf16[4] parameter(0)\ny = f32[4] parameter(1)\nROOT d = dot(x, y)" + dot) ==
        "f32[]");
  CHECK(shape_of("x = f32[4] parameter(0)\ny = bf16[4] parameter(1)\nROOT d = dot(x, y)" + dot) ==
        "f32[]");
  CHECK(shape_of("ROOT t = tuple()") == "()");
  CHECK(shape_of("x = f32[4] parameter(0)\nROOT t = tuple(x)") == "(f32[4])");
  CHECK(shape_of("t = (f32[4]) parameter(0)\nROOT x = get-tuple-element(t), index=0") == "f32[4]");
}

TEST_CASE("buffers that nothing serves") {
  const auto refuse = [](std::string_view line) {
    CHECK_THAT(said(error_of(entry_with(cat("x = s32[2] parameter(0)\n", line)))),
               Contains("changed in place"));
  };
  refuse("b = b(s32[2]) custom-call(x, x), custom_call_target=\"Pin\"");
  refuse("b = b(s32[2]) custom-call(), custom_call_target=\"Pin\"");
  refuse("b = b(s32[2]) custom-call(x), custom_call_target=\"CreateBuffer\"");
  refuse("b = (b(s32[2])) custom-call(), custom_call_target=\"CreateBuffer\"");
}

TEST_CASE("unknown opcodes have a hint where one is near") {
  const auto notes_of = [](const std::string& opcode) {
    return error_of(entry_with("x = f32[4] parameter(0)\nROOT n = f32[4] " + opcode + "(x)"))
        .notes.size();
  };
  const size_t far = notes_of("qqqqqqqq");
  CHECK(notes_of("negat") > far - 1);
  // Forty letters are compared, more are not: a distance of a third is near.
  const std::string forty = "rng-get-and-update-statexxxxxxxxxxxxxxxx", more = forty + "x";
  REQUIRE(forty.size() == 40);
  CHECK(notes_of(more) == far);
}

}  // namespace
}  // namespace hlocc::import

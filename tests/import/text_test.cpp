// The grammar of HLO text, form by form, and what it must refuse with a line number.
#include <cmath>
#include <complex>
#include <set>

#include "import/models.h"

namespace hlocc::import {
namespace {

using hlo::Opcode;
using hlo::Shape;
using hlo::to_string;

const hlo::Instruction& root_of(const hlo::Module& module) {
  return module.entry_computation().root_instruction();
}

void check(const Diagnostic& diagnostic, DiagnosticKind kind, int line, std::string_view part) {
  INFO(diagnostic.to_string());
  CHECK(diagnostic.kind == kind);
  CHECK(diagnostic.location.line == line);
  CHECK(diagnostic.location.file == "test.hlo");
  CHECK(diagnostic.message.find(part) != std::string::npos);
}

// The attributes of the only instruction behind two f32 operands of the given shape.
template <typename T>
T attributes_of(std::string_view line) {
  return root_of(module_from(entry_with(line))).get<T>();
}

std::string repeat(std::string_view part, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += part;
  return out;
}

}  // namespace

TEST_CASE("printing and parsing again gives the same text") {
  const std::string text = ops::to_text(module_from(kShowcase));
  CHECK(ops::to_text(module_from(text)) == text);
}

TEST_CASE("long form, short form, with and without percent and shapes") {
  const std::string expected =
      ops::to_text(module_from(entry_with("a = f32[4] parameter(0)\nROOT b = f32[4] add(a, a)")));
  for (const char* lines :
       {"%a = f32[4]{0} parameter(0)\nROOT %b = f32[4]{0} add(f32[4]{0} %a, f32[4]{0} %a)",
        "a = f32[4] parameter(0) /* c */\nROOT b = add(a, /*second*/ a) // end",
        "a = f32[4] parameter(0)\nb = add(f32[4] a, %a)"}) {
    CAPTURE(lines);
    CHECK(ops::to_text(module_from(entry_with(lines))) == expected);
  }
}

TEST_CASE("headerless modules and single instructions") {
  const hlo::Module two = module_from(
      "f { p = f32[] parameter(0) ROOT n = negate(p) }\n"
      "%g (x: f32[]) -> f32[] { x = f32[] parameter(0) ROOT c = call(x), to_apply=f }");
  CHECK(two.name == "module_g");
  CHECK(two.entry_computation().name == "g");
  const hlo::Module marked = module_from("ENTRY %g { x = f32[] parameter(0) }");
  CHECK(marked.entry_computation().name == "g");
  const hlo::Module single = module_from("ROOT s = f32[2] subtract(f32[2] y, f32[2] %x)");
  CHECK(root_of(single).opcode == Opcode::kSubtract);
  CHECK(single.entry_computation().parameters.size() == 2);
  CHECK(single.entry_computation()[single.entry_computation().parameters[0]].name == "y");
}

TEST_CASE("nested operands and inline computations") {
  const hlo::Module module = module_from(entry_with(
      "x = f32[4] parameter(0)\n"
      "ROOT r = f32[] reduce(negate(add(x, x)), f32[] constant(0)), dimensions={0}, "
      "to_apply={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }"));
  CHECK(module.entry_computation().instructions.size() == 5);
  CHECK(module.computations.size() == 2);
  CHECK(to_string(module.entry_computation().operand(root_of(module), 0).shape) == "f32[4]{0}");
}

TEST_CASE("computations in place inside others") {
  const std::string inner = "{ w = f32[4] parameter(0) ROOT v = f32[4] negate(w) }";
  const std::string both = cat("{ y = f32[4] parameter(0) a = f32[4] call(y), to_apply=", inner,
                               " ROOT z = f32[4] call(a), to_apply=", inner, " }");
  const hlo::Module module = module_from(cat(
      "HloModule m\ninline.1 ", inner, "\nENTRY main {\nx = f32[4] parameter(0)\n",
      "g = f32[4] call(x), to_apply=", both, "\nROOT h = f32[4] call(g), to_apply=", both, "}"));
  std::set<std::string> names;
  for (const hlo::Computation& computation : module.computations) names.insert(computation.name);
  CHECK(module.computations.size() == 8);
  CHECK(names.size() == 8);
  CHECK(names.contains("inline.2"));
}

TEST_CASE("a name of the file's is nobody else's") {
  const hlo::Module module = module_from(R"(HloModule m
async_wrapped.3 { x = f32[4] parameter(0) ROOT y = f32[4] negate(x) }
first { x = f32[4] parameter(0) ROOT y = f32[4] call(x), to_apply={ w = f32[4] parameter(0) ROOT v = f32[4] sine(w) } }
inline.1 { x = f32[4] parameter(0) ROOT y = f32[4] call(x), to_apply=first }
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] negate(abs(x))
  nested.2 = f32[4] call(y), to_apply=inline.1
  start = ((f32[4]), f32[4]) cosine-start(nested.2)
  done = f32[4] cosine-done(start)
  ROOT nested.3 = f32[4] call(done), to_apply=async_wrapped.3
})");
  std::set<std::string> names;
  for (const hlo::Computation& computation : module.computations) names.insert(computation.name);
  CHECK(names.size() == 6);
  CHECK(module.entry_computation().operand(root_of(module), 0).name == "done");
  const std::string text = ops::to_text(module);
  CHECK(ops::to_text(module_from(text)) == text);
  check(error_of(entry_with("x = f32[4] parameter(0)\ny = f32[4] negate(abs(x))\n"
                            "nested.2 = f32[4] negate(y)\nnested.2 = f32[4] negate(y)")),
        DiagnosticKind::kStructure, 6, "%nested.2 is defined twice");
}

TEST_CASE("arrays without elements may have sizes of any kind") {
  const auto read = [](const std::string& shape) {
    return read_text(entry_with("x = " + shape + " parameter(0)"));
  };
  CHECK(read("f32[1000000000000,0]").ok());
  CHECK(read("c128[0,281474976710656]").ok());
  check(error_of(entry_with("x = c128[0,281474976710657] parameter(0)")), DiagnosticKind::kLimit, 3,
        "has sizes whose product is too large");
  check(error_of(entry_with("x = f32[4194304,4194304,1024,0] parameter(0)")),
        DiagnosticKind::kLimit, 3, "has sizes whose product is too large");
  CHECK(read("f32[536870912]").ok());
  check(error_of(entry_with("x = f32[536870913] parameter(0)")), DiagnosticKind::kLimit, 3,
        "is larger than 2147483648 bytes");
}

TEST_CASE("shapes and layouts with all suffixes") {
  const auto shape_of = [](const std::string& shape) {
    return to_string(root_of(module_from(entry_with("x = " + shape + " parameter(0)"))).shape);
  };
  CHECK(shape_of("f32[]") == "f32[]");
  CHECK(shape_of("f32[]{}") == "f32[]");
  CHECK(shape_of("f32[2,3]{0,1}") == "f32[2,3]{0,1}");
  CHECK(shape_of("f32[8,128]{1,0:T(8,128)(2,1)S(5)}") == "f32[8,128]{1,0}");
  CHECK(shape_of("s4[4]{0:T(128)E(4)M(16)}") == "s4[4]{0:E(4)}");
  CHECK(shape_of("f32[4]{0:D(D)L(2)#(u32)*(u8)SC(0:2)P((f32[]))}") == "f32[4]{0}");
  CHECK(shape_of("f32[<=5,2]") == "f32[<=5,2]{1,0}");
  CHECK(shape_of("f32[?,2]") == "f32[?,2]{1,0}");
  CHECK(shape_of("(f32[2], (s32[], token[]), /*index=2*/opaque[])") ==
        "(f32[2]{0}, (s32[], token[]), opaque[])");
  CHECK(shape_of("()") == "()");
}

TEST_CASE("header attributes and stack frame tables") {
  const hlo::Module module =
      module_from(R"(HloModule jit_f, is_scheduled=true, replica_count=2, num_partitions=3,
      input_output_alias={ {0}: (1, {}, may-alias), {1}: (0, {}, must-alias), {2}: 2 }, buffer_donor={ (0, {}) },
      entry_computation_layout={(f32[2,2]{0,1}, f32[2,2], f32[])->(f32[2,2]{0,1}, f32[2,2], f32[])},
      allow_spmd_sharding_propagation_to_output={true}, frontend_attributes={fingerprint="a,b}"}
    FileNames
    1 "a.py"
    2 "b \"q\".py"
    FunctionNames
    1 "f"
    FileLocations
    1 {file_name_id=2 function_name_id=1 line=30 end_line=31 column=1 end_column=2}
    StackFrames
    1 {file_location_id=1 parent_frame_id=1}

    ENTRY main {
      a = f32[2,2]{0,1} parameter(0), metadata={op_name="x" stack_frame_id=1}
      b = f32[2,2] parameter(1)
      c = f32[] parameter(2)
      ROOT t = tuple(a, b, c)
    }, execution_thread="main")");
  CHECK(module.is_scheduled);
  CHECK(module.replica_count == 2);
  CHECK(module.num_partitions == 3);
  REQUIRE(module.aliases.size() == 3);
  CHECK(module.aliases[0] == hlo::Alias{{0}, 1, {}, false});
  CHECK(module.aliases[1] == hlo::Alias{{1}, 0, {}, true});
  CHECK(module.entry_parameters[0].layout.minor_to_major == hlo::Dimensions{0, 1});
  CHECK(module.entry_computation()[0].metadata.source_file == "b \"q\".py");
  CHECK(module.entry_computation()[0].metadata.source_line == 30);
  CHECK(module.entry_computation()[0].line == 16);
}

TEST_CASE("attributes of each form") {
  const auto pad = attributes_of<hlo::PadAttributes>(
      "x = f32[2,3] parameter(0)\nz = f32[] constant(0)\n"
      "ROOT p = pad(x, z), padding=1_-1x0_2_1");
  CHECK(pad.dimensions == std::vector<hlo::PaddingDimension>{{1, -1, 0}, {0, 2, 1}});
  const auto conv = attributes_of<hlo::ConvolutionAttributes>(
      "x = f32[1,8,8,2] parameter(0)\nk = f32[3,3,2,4] parameter(1)\n"
      "ROOT c = convolution(x, k), window={size=3x3 stride=2x1 pad=0_1x1_1 lhs_dilate=1x1 "
      "rhs_dilate=1x2 rhs_reversal=0x1}, "
      "dim_labels=b01f_01io->b01f, operand_precision={default,default}");
  REQUIRE(conv.window.dimensions.size() == 2);
  CHECK(conv.window.dimensions[0] == hlo::WindowDimension{3, 2, 0, 1, 1, 1, false});
  CHECK(conv.window.dimensions[1] == hlo::WindowDimension{3, 1, 1, 1, 2, 1, true});
  CHECK(conv.input_feature == 3);
  CHECK(conv.kernel_input_feature == 2);
  CHECK(conv.output_spatial == hlo::Dimensions{1, 2});
  CHECK(conv.precision == hlo::PrecisionConfig{});
  const auto dot = attributes_of<hlo::DotAttributes>(
      "x = f32[2,3] parameter(0)\ny = f32[3,2] parameter(1)\nROOT d = dot(x, y), "
      "lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}, operand_precision={high,highest}, algorithm=dot_f32_f32_f32");
  CHECK(dot.precision == hlo::PrecisionConfig{{1, 2}, 11});
  const auto slice = attributes_of<hlo::SliceAttributes>(
      "x = f32[8,3] parameter(0)\nROOT s = slice(x), slice={[0:8:2], [1:3]}");
  CHECK(slice == hlo::SliceAttributes{{0, 1}, {8, 3}, {2, 1}});
  const auto accuracy = attributes_of<hlo::ResultAccuracyAttributes>(
      "x = f32[] parameter(0)\nROOT e = exponential(x), "
      "result_accuracy={tolerance={atol=0.5,rtol=1e-3,ulps=2}}");
  CHECK(accuracy == hlo::ResultAccuracyAttributes{0, 0.5, 1e-3, 2});
  const auto groups = attributes_of<hlo::CollectiveAttributes>(
      "x = f32[4] parameter(0)\nROOT r = f32[4] all-reduce(x), replica_groups=[2,2]<=[2,2]T(1,0), "
      "channel_id=1, "
      "to_apply={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = add(a, b) }");
  CHECK(groups.replica_groups == std::vector<std::vector<int64_t>>{{0, 2}, {1, 3}});
  CHECK(groups.channel_id == 1);
  const auto custom = attributes_of<hlo::CustomCallAttributes>(
      "x = f32[2] parameter(0)\nROOT c = f32[2] custom-call(x), custom_call_target=\"t\", "
      "custom_call_has_side_effect=true, "
      "operand_layout_constraints={f32[2]{0}}, output_to_operand_aliasing={{}: (0, {})}, "
      "schedule=SCHEDULE_LATEST, "
      "api_version=API_VERSION_TYPED_FFI, backend_config={\"a\": {\"b\": \"}\"}}");
  CHECK(custom.target == "t");
  CHECK(custom.api_version == 4);
  CHECK(custom.backend_config == "{\"a\": {\"b\": \"}\"}}");
  CHECK(custom.operand_shapes_with_layout.size() == 1);
  REQUIRE(custom.output_operand_aliasing.size() == 1);
}

TEST_CASE("every attribute that the printer writes is read back") {
  const std::string lines = R"(
    x = f32[2,3] parameter(0)
    i = s32[2,1] parameter(1)
    k = u64[2] parameter(2)
    v = f32[3] parameter(3)
    t = token[] parameter(4)
    iota = s32[4,2] iota(), iota_dimension=1
    rows = f32[2,3] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}, indices_are_sorted=true
    scattered = f32[2,3] scatter(x, i, rows), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, unique_indices=true, to_apply={ a = f32[] parameter(0) ROOT b = f32[] parameter(1) }
    bits = (u64[2], u32[4]) rng-bit-generator(k), algorithm=rng_three_fry
    noise = f32[2] rng(v, v), distribution=rng_uniform
    sorted = f32[2,3] sort(x), dimensions={1}, is_stable=true, to_apply={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=GT, type=TOTALORDER }
    top = (f32[2,2], s32[2,2]) topk(x), k=2, largest=false
    spectrum = c64[2,2] fft(x), fft_type=RFFT, fft_length={3}
    factor = f32[2,3] cholesky(x), lower=true
    solved = f32[2,3] triangular-solve(x, x), left_side=true, lower=true, unit_diagonal=true, transpose_a=ADJOINT
    norm = f32[2,3] batch-norm-inference(x, v, v, v, v), epsilon=0.001, feature_index=1
    short = f32[2,3] reduce-precision(x), exponent_bits=5, mantissa_bits=10
    state = u64[2] rng-get-and-update-state(), delta=4
    moved = f32[2,3] collective-permute(x), channel_id=3, source_target_pairs={{0,1},{1,0}}
    part = f32[1,3] dynamic-slice(x, s32[] constant(0), s32[] constant(1)), dynamic_slice_sizes={1,3}
    sums = f32[1,2] reduce-window(x, f32[] constant(0)), window={size=2x2}, to_apply={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
    spread = f32[2,3] select-and-scatter(x, sums, f32[] constant(0)), window={size=2x2}, select={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=GE }, scatter={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
    either = f32[2,3] conditional(pred[] constant(true), x, x), true_computation={ ROOT a = f32[2,3] parameter(0) }, false_computation={ ROOT a = f32[2,3] parameter(0) }
    which = f32[2,3] conditional(s32[] constant(1), x, x), branch_computations={{ ROOT a = f32[2,3] parameter(0) }, { ROOT a = f32[2,3] parameter(0) }}
    scanned = (f32[2,3], f32[3]) scan(x, v), dimensions={0}, num_carries=1, is_reverse=true, is_associative=true, to_apply={ a = f32[3] parameter(0) b = f32[3] parameter(1) ROOT c = tuple(a, b) }
    ragged = f32[2,3] ragged-dot(x, x, i), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}
    sent = (f32[2,3], u32[], token[]) send(x, t), channel_id=2, is_host_transfer=true
    composite = f32[2,3] call(x), to_apply={ ROOT a = f32[2,3] parameter(0) }, is_composite=true
    started = ((f32[2,3]), f32[2,3], u32[]) async-start(x), calls={ ROOT a = f32[2,3] parameter(0) }, async_execution_thread="host"
    ROOT out = tuple(iota, scattered, bits, noise, sorted, top, spectrum, factor, solved, norm, short, state, moved, part, spread, either, which, scanned, ragged, sent, composite, started))";
  const hlo::Module module = module_from(entry_with(lines));
  const std::string text = ops::to_text(module);
  CHECK(ops::to_text(module_from(text)) == text);
  const Result<Imported> from_proto = read_model(write_module(module), "m.pb");
  REQUIRE(from_proto.ok());
  CHECK(ops::to_text(from_proto->module) == text);
}

TEST_CASE("async ops in their short form become wrapped computations") {
  const hlo::Module module = module_from(
      entry_with("x = f32[4] parameter(0)\n"
                 "s = ((f32[4]), f32[4], u32[]) negate-start(x), metadata={op_name=\"n\"}\n"
                 "ROOT d = f32[4] negate-done(s)"));
  CHECK(root_of(module).opcode == Opcode::kAsyncDone);
  const hlo::Instruction& start = module.entry_computation().operand(root_of(module), 0);
  CHECK(start.opcode == Opcode::kAsyncStart);
  REQUIRE(start.called.size() == 1);
  CHECK(module.computations[start.called[0]].root_instruction().opcode == Opcode::kNegate);
  const std::string text = ops::to_text(module);
  CHECK(ops::to_text(module_from(text)) == text);
}

TEST_CASE("unknown attributes are skipped, whatever their value") {
  CHECK(
      root_of(module_from(entry_with(
                  "x = f32[4] parameter(0), sharding={devices=[2,2]<=[4] last_tile_dim_replicate}, "
                  "origin={{}, {\"a}\"}}, statistics={visualizing_index=0,a=1}, "
                  "parameter_replication={true}, "
                  "future=word, other=\"s,t\", numbers=1_2x3\n"
                  "ROOT n = negate(x), backend_config={\"known_trip_count\":{\"n\":\"3\"}}")))
          .opcode == Opcode::kNegate);
}

TEST_CASE("errors say where") {
  check(error_of(entry_with("x = f32[4] parameter(0)\nROOT n = f32[4] negat(x)")),
        DiagnosticKind::kUnknownOpcode, 4, "%n in computation %main: unknown opcode 'negat'");
  check(error_of(entry_with("x = f32[4] negate(y)")), DiagnosticKind::kStructure, 3,
        "%y is not defined");
  check(error_of(entry_with("x = f32[4] parameter(0)\nx = f32[4] negate(x)")),
        DiagnosticKind::kStructure, 4, "defined twice");
  const char* const one = "f { ROOT p = f32[] parameter(0) }\n";
  check(error_of(cat("HloModule m\n", one, one, "ENTRY e { ROOT x = f32[] parameter(0) }\n")),
        DiagnosticKind::kStructure, 4, "computation %f is defined twice");
  check(error_of(entry_with("x = f32[4] parameter(0)\nROOT x2 = negate(x)\nROOT x3 = negate(x)")),
        DiagnosticKind::kStructure, 5, "two roots");
  check(error_of(entry_with("x = f32[4] parameter(1)")), DiagnosticKind::kStructure, 3,
        "parameter number 1");
  check(error_of(entry_with("x = f32[4] parameter(0)\nc = f32[4] call(x), to_apply=f")),
        DiagnosticKind::kStructure, 4, "%f, which is not defined");
  check(error_of(entry_with("x = f32[4] parameter(0)\nr = f32[2,2] reshape(x), a=1, a=2")),
        DiagnosticKind::kSyntax, 4, "twice");
  check(error_of(entry_with("x = f32[4] parameter(0)\nr = reshape(x)")), DiagnosticKind::kSyntax, 4,
        "needs its shape");
  check(error_of(entry_with("x = f32[4] parameter(0)\ng = f32[] get-tuple-element(x)")),
        DiagnosticKind::kAttribute, 4, "index");
  check(error_of(entry_with(
            "x = f32[4] parameter(0)\nw = f32[4] while(x), body={a = f32[4] parameter(0)}")),
        DiagnosticKind::kAttribute, 4, "condition");
  check(error_of(entry_with("x = f32[4] parameter(0)\nr = f32[4] reduce-precision(x), "
                            "exponent_bits=8, mantissa_bits=4294967306")),
        DiagnosticKind::kSyntax, 4, "out of range");
  check(error_of(entry_with("x = f32[4] parameter(0)\nw = f32[4] compare(x, x), direction=LESS")),
        DiagnosticKind::kAttribute, 4, "'LESS'");
  check(error_of(entry_with("x = f32[-4] parameter(0)")), DiagnosticKind::kShape, 3, "negative");
  check(error_of(entry_with("x = f32[4]{1} parameter(0)")), DiagnosticKind::kShape, 3,
        "permutation");
  check(error_of(entry_with("x = f32[99999999999] parameter(0)")), DiagnosticKind::kLimit, 3,
        "larger");
  check(error_of(entry_with("x = f6e2m3fn[4] parameter(0)")), DiagnosticKind::kType, 3, "f6e2m3fn");
  check(error_of(entry_with("x = b(f32[4]) parameter(0)")), DiagnosticKind::kUnsupported, 3,
        "buffer");
  check(error_of("HloModule m\n"), DiagnosticKind::kSyntax, 2, "a computation");
  check(error_of("HloModule m\nENTRY main {\n"), DiagnosticKind::kSyntax, 3, "the end");
  check(error_of("HloModule m\nENTRY main {\n}"), DiagnosticKind::kStructure, 3, "no instructions");
  check(error_of(
            "HloModule m\nENTRY a { x = f32[] parameter(0) }\nENTRY b { x = f32[] parameter(0) }"),
        DiagnosticKind::kStructure, 3, "two entry");
  check(error_of("HloModule m, entry_computation_layout={(f32[2])->f32[]}\nENTRY a { x = f32[] "
                 "parameter(0) }"),
        DiagnosticKind::kShape, 0, "entry computation layout");
  check(error_of("HloModule m, entry_computation_layout={(f32[])->f32[2]}\nENTRY a { x = f32[] "
                 "parameter(0) }"),
        DiagnosticKind::kShape, 0, "the result");
  check(error_of(entry_with("x = f32[4,4] parameter(0)\nr = f32[4,4] reduce-window(x, f32[] "
                            "constant(0)), window={size=2x2 stride=2}, to_apply=add")),
        DiagnosticKind::kAttribute, 4, "window stride=2 has another number of dimensions");
  check(error_of(entry_with("x = f32[] parameter(0), backend_config=\"never closed")),
        DiagnosticKind::kSyntax, 3, "no end");
}

TEST_CASE("nesting that would overflow the stack is refused") {
  constexpr int kDeep = 100000;
  CHECK(error_of(entry_with("x = " + repeat("(", kDeep) + "f32[]")).kind == DiagnosticKind::kLimit);
  CHECK(error_of(
            entry_with("x = f32[] parameter(0)\ny = f32[] " + repeat("negate(f32[] ", kDeep) + "x"))
            .kind == DiagnosticKind::kLimit);
  CHECK(error_of(entry_with(repeat("x = f32[] call(), to_apply={ ", kDeep))).kind ==
        DiagnosticKind::kLimit);
  CHECK(error_of(entry_with("x = f32[2] constant(" + repeat("{", kDeep))).kind ==
        DiagnosticKind::kSyntax);
  CHECK(error_of(entry_with("x = f32[] parameter(0), sharding=" + repeat("{", kDeep))).kind ==
        DiagnosticKind::kSyntax);
}

TEST_CASE("literals of every type") {
  const auto value = [](const std::string& shape, const std::string& text) {
    const hlo::Module module = module_from(entry_with("c = " + shape + " constant(" + text + ")"));
    return root_of(module).get<hlo::ConstantAttributes>().value;
  };
  CHECK(value("f32[2,2]", "{ {1, 2}, {3, 4} }").data<float>()[3] == 4);
  CHECK(value("f32[2,2]{0,1}", "{ {1, 2}, {3, 4} }").data<float>()[1] == 2);
  CHECK(value("f32[3]", "{1 2 /*i2=*/ 3}").data<float>()[2] == 3);
  CHECK(value("f32[2]", "f32[2] {1, 2}").data<float>()[1] == 2);
  CHECK(value("f32[0]", "{}").bytes().empty());
  CHECK(value("f32[2,0]", "{ {}, {} }").bytes().empty());
  CHECK(value("f32[2,0]", "{}").bytes().empty());
  CHECK(value("u64[]", "18446744073709551615").data<uint64_t>()[0] == UINT64_MAX);
  CHECK(value("s64[]", "-9223372036854775808").data<int64_t>()[0] == INT64_MIN);
  CHECK(value("pred[2]", "{true, 0}").data<uint8_t>()[0] == 1);
  CHECK(value("s4[2]", "{-8, 7}").data<int8_t>()[0] == -8);
  CHECK(value("f32[]", "nan(0x200001)").data<uint32_t>()[0] == 0x7fa00001);
  CHECK(value("f32[]", "-nan").data<uint32_t>()[0] == 0xffc00000);
  CHECK(value("bf16[]", "1e-40").data<uint16_t>()[0] == 1);
  CHECK(value("f8e4m3fn[]", "448").data<uint8_t>()[0] == 0x7e);
  CHECK(value("c64[]", "(1, -inf)") ==
        hlo::Literal::scalar(hlo::PrimitiveType::kC64, std::complex<float>(1, -INFINITY)));
  CHECK(value("(f32[], s32[2])", "(1.5, {2, 3})").elements()[1].data<int32_t>()[1] == 3);
}

TEST_CASE("literals that do not fit are refused") {
  const auto refuse = [](const std::string& shape, const std::string& text, DiagnosticKind kind) {
    CAPTURE(text);
    CHECK(error_of(entry_with("c = " + shape + " constant(" + text + ")")).kind == kind);
  };
  for (const char* text : {"200", "-129", "1.5", "x", "", "nan", "0x10"})
    refuse("s8[]", text, DiagnosticKind::kSyntax);
  for (const char* text : {"1e50", "0x1p3", "infinity", "1.2.3", "--1"})
    refuse("f32[]", text, DiagnosticKind::kSyntax);
  refuse("f8e4m3fn[]", "1000", DiagnosticKind::kSyntax);
  refuse("u8[]", "-1", DiagnosticKind::kSyntax);
  refuse("f32[2]", "{1}", DiagnosticKind::kSyntax);
  refuse("f32[2]", "{1,2,3}", DiagnosticKind::kSyntax);
  refuse("f32[2,2]", "{1,2,3,4}", DiagnosticKind::kSyntax);
  refuse("f32[2]", "{{1,2}}", DiagnosticKind::kSyntax);
  refuse("f32[1000000]", "{1, 2}", DiagnosticKind::kSyntax);
  refuse("f32[400]", "{...}", DiagnosticKind::kElidedConstant);
  const Diagnostic elided = error_of(entry_with("c = (f32[400], s32[]) constant(({...}, 1))"));
  CHECK(elided.kind == DiagnosticKind::kElidedConstant);
  REQUIRE(!elided.notes.empty());
  CHECK(elided.notes[0].find("print_large_constants") != std::string::npos);
  for (const auto& [shape, text, part] :
       {std::tuple{"f32[4]", "5", "a single number, but its shape f32[4] is 1-dimensional"},
        std::tuple{"f32[2,2]", "{1,2,3,4}",
                   "1-dimensional, but its shape f32[2,2] is 2-dimensional"},
        std::tuple{"f32[]", "{1}", "1-dimensional, but its shape f32[] is a single number"}})
    check(error_of(entry_with(cat("x = ", shape, " constant(", text, ")"))),
          DiagnosticKind::kSyntax, 3, part);
}

TEST_CASE("elided constants are numbers that no two share, for those who ask about sizes only") {
  const std::string text = entry_with(
      "a = f32[40] constant({...})\nb = f32[40] constant({...})\nc = s8[9] constant({...})\n"
      "d = (bf16[3], pred[5]) constant({...})\nROOT t = (f32[40], f32[40]) tuple(a, b)");
  CHECK(error_of(text).kind == DiagnosticKind::kElidedConstant);
  const auto read = [&] {
    Result<Imported> imported = read_model(as_bytes(text), "test.hlo", Constants::kMayBeElided);
    if (!imported) FAIL(imported.error().to_string());
    return *std::move(imported);
  };
  const Imported imported = read(), again = read();
  CHECK(imported.elided_constants == 4);
  const auto value = [](const Imported& from, int i) {
    return from.module.entry_computation().instructions[i].get<hlo::ConstantAttributes>().value;
  };
  CHECK_FALSE(value(imported, 0) == value(imported, 1));
  CHECK(value(imported, 0) == value(again, 0));
  for (const float number : value(imported, 0).data<float>()) CHECK((number >= 0.5f && number < 2));
  for (const int8_t number : value(imported, 2).data<int8_t>()) CHECK((number >= 0 && number < 8));
  for (const uint16_t number : value(imported, 3).elements()[0].data<uint16_t>())
    CHECK((number >= 0x3f00 && number <= 0x4000));
  // More than anybody holds in memory.
  const std::string huge = entry_with("a = f32[400000000] constant({...})");
  const Result<Imported> refused = read_model(as_bytes(huge), "test.hlo", Constants::kMayBeElided);
  REQUIRE(!refused.ok());
  CHECK(refused.error().kind == DiagnosticKind::kElidedConstant);
}

TEST_CASE("forms that older and other writers use") {
  const std::string two = "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\n";
  CHECK(module_from("HloModule odd:\nENTRY main { x = f32[] parameter(0) }").name == "odd");
  const auto map = root_of(module_from(
      "HloModule m\nf { a = f32[] parameter(0) ROOT n = f32[] negate(a) }\nENTRY main {\n"
      "x = f32[2,3] parameter(0)\nROOT r = f32[2,3] map(x), to_apply=f\n}"));
  CHECK(map.get<hlo::MapAttributes>().dimensions == hlo::Dimensions{0, 1});
  const auto dot = attributes_of<hlo::DotAttributes>(
      two +
      "ROOT d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}, "
      "operand_precision={HIGH,Highest}");
  CHECK(dot.precision.operand_precision == std::vector<int>{1, 2});
  // Braces behind sizes are a layout where the numbers follow, and the numbers where none do.
  for (const char* const literal :
       {"s32[2]{0} {1, 2}", "f32[] 0.1", "f32[]{:T(128)} 0.1", "s32[2]{1, 2}", "s32[1]{0}",
        "s32[1] {0}", "(s32[1]{0}, s32[1]{0} {0})",
        "( s32[4]{0} {4, 128, 128, 256}, pred[4]{0} {1, 0, 0, 0} )"}) {
    INFO(literal);
    const std::string call =
        cat(two, "ROOT c = f32[4] custom-call(x), custom_call_target=\"f\", literal=", literal);
    CHECK_FALSE(attributes_of<hlo::CustomCallAttributes>(call).has_side_effect);
    CHECK(attributes_of<hlo::CustomCallAttributes>(cat(call, ", custom_call_has_side_effect=true"))
              .has_side_effect);
  }
}

TEST_CASE("labels of more than ten spatial dimensions have two digits") {
  const std::string text = entry_with(
      "x = f32[2,1,1,2,1,1,1,1,1,1,1,1,2,3] parameter(0)\n"
      "w = f32[1,1,1,1,1,1,1,1,1,1,1,2,3,2] parameter(1)\n"
      "ROOT c = f32[2,1,1,2,1,1,1,1,1,1,1,1,1,2] convolution(x, w), "
      "window={size=1x1x1x1x1x1x1x1x1x1x1x2}, "
      "dim_labels=b01234567891011f_01234567891011io->b01234567891011f");
  const hlo::Module module = module_from(text);
  const auto& convolution = root_of(module).get<hlo::ConvolutionAttributes>();
  CHECK(convolution.input_spatial == hlo::Dimensions{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(convolution.kernel_output_feature == 13);
  CHECK(ops::to_text(module_from(ops::to_text(module))) == ops::to_text(module));
  for (const char* const labels : {"b00f_0io->b0f", "b1f_0io->b0f", "b0123456789109f_0io->b0f"})
    CHECK(error_of(
              entry_with(cat("x = f32[2,1,1] parameter(0)\nROOT c = f32[2,1,1] convolution(x, x), "
                             "window={size=1}, dim_labels=",
                             labels)))
              .kind == DiagnosticKind::kAttribute);
}

TEST_CASE("buffers are plain values where copies mean the same") {
  const std::string pinned =
      "x = s32[2] parameter(0)\n"
      "b = b(s32[2]) custom-call(x), custom_call_target=\"Pin\"\n"
      "n = b(s32[2]) custom-call(), custom_call_target=\"CreateBuffer\"\n"
      "t = (b(s32[2]), b(s32[2])) tuple(b, n)\n"
      "c = b(s32[2]) get-tuple-element(t), index=0\n";
  const hlo::Module module = module_from(
      entry_with(pinned + "ROOT r = s32[2] custom-call(c), custom_call_target=\"Unpin\""));
  CHECK(root_of(module).opcode == Opcode::kCopy);
  CHECK(root_of(module).shape == Shape::array(hlo::PrimitiveType::kS32, {2}));
  for (const hlo::Instruction& i : module.entry_computation().instructions)
    CHECK(i.frontend_attributes.empty());
  check(error_of(entry_with(pinned +
                            "ROOT r = b(s32[2]) custom-call(c), custom_call_target=\"add_one\"")),
        DiagnosticKind::kUnsupported, 8, "changed in place");
  check(error_of(entry_with(pinned + "ROOT r = s32[2] negate(c)")), DiagnosticKind::kUnsupported, 8,
        "changed in place");
  // An argument of the caller's, without and with a result that takes it over.
  const std::string argument = "ENTRY main {\nROOT x = b(s32[2]) parameter(0)\n}";
  check(error_of("HloModule m\n" + argument), DiagnosticKind::kUnsupported, 3,
        "no result takes over");
  CHECK(
      module_from("HloModule m, input_output_alias={ {}: (0, {}) }\n" + argument).aliases.size() ==
      1);
  check(error_of("HloModule m, input_output_alias={ {}: (1, {}) }\nENTRY main {\n"
                 "x = b(f32[2]) parameter(0)\nROOT y = b(f32[2]) parameter(1)\n}"),
        DiagnosticKind::kUnsupported, 3, "no result takes over");
}

TEST_CASE("a size that is set counts whether or not the shape says so") {
  const std::string head =
      "p = f32[2,6] parameter(0)\nn = s32[] parameter(1)\n"
      "d = f32[2,6] set-dimension-size(p, n), dimensions={1}\n";
  const auto shape_of = [&](const std::string& lines, std::string_view name) {
    const hlo::Module module = module_from(entry_with(head + lines));
    for (const hlo::Instruction& i : module.entry_computation().instructions)
      if (i.name == name) return to_string(i.shape, false);
    return std::string();
  };
  CHECK(shape_of("ROOT t = f32[6,2] transpose(d), dimensions={1,0}", "d") == "f32[2,<=6]");
  CHECK(
      shape_of("t = f32[6,2] transpose(d), dimensions={1,0}\nROOT g = s32[] get-dimension-size(t), "
               "dimensions={0}",
               "t") == "f32[<=6,2]");
  CHECK(
      shape_of("r = f32[1,2,1,6] reshape(d)\nROOT g = s32[] get-dimension-size(r), dimensions={3}",
               "r") == "f32[1,2,1,<=6]");
  CHECK(shape_of("r = f32[12] reshape(d)\nROOT g = s32[] get-dimension-size(r), dimensions={0}",
                 "r") == "f32[<=12]");
  // Whoever calls the program sees the shape that it states.
  const hlo::Module module =
      module_from(entry_with(head + "ROOT t = (f32[2,6], s32[]) tuple(d, n)"));
  CHECK(to_string(module.entry_result, false) == "(f32[2,6], s32[])");
  CHECK(to_string(root_of(module).shape, false) == "(f32[2,6], s32[])");
  // A size that is the bound sets nothing.
  CHECK(shape_of(
            "six = s32[] constant(6)\nROOT e = f32[2,6] set-dimension-size(p, six), dimensions={1}",
            "e") == "f32[2,6]");
}

}  // namespace hlocc::import

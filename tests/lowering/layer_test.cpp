// What a step's layer is called, and which line of the user's program asked for it.
#include "lowering/program/layer.h"

#include <map>

#include "lowering/harness.h"
#include "lowering/program/group.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

using lowering::layer_name;

std::string named(const std::string& op_name, const std::string& name,
                  const std::string& hlo_name = "") {
  hlo::Instruction instruction;
  instruction.name = name;
  instruction.metadata.op_name = op_name;
  instruction.metadata.hlo_name = hlo_name;
  return layer_name(instruction);
}

// The origin of the last step of a program.
kernel::Origin origin_in(const std::string& text) {
  const hlo::Module module = module_from(text);
  return lowered(module, *preset("cortex-m4f")).steps.back().origin;
}

std::string lines_of(const kernel::Origin& origin) {
  std::string out;
  for (const kernel::SourceLine& line : origin.source)
    out += cat(out.empty() ? "" : " < ", line.file, ":", line.line,
               line.function.empty() ? "" : " " + line.function);
  return out;
}

}  // namespace

TEST_CASE("a layer has the model's name where the model has one", "[lowering]") {
  CHECK(named("jit(f)/conv1/add", "add.3") == "conv1/add");
  CHECK(named("jit(f)/jit(main)/Net/conv1/jit(relu)/max", "max.3") == "Net/conv1/max");
  CHECK(named("jit(f)/while/body/closed_call/cell/dot_general", "d") == "cell/dot_general");
  CHECK(named("jit(f)/transpose(jvp())/conv1/mul", "m") == "conv1/mul");
  CHECK(named("jit(f)/jvp(conv1)/mul", "m") == "jvp(conv1)/mul");
  // The op alone: which of them says the instruction.
  CHECK(named("jit(f)/add", "add.3.1.24", "add.3") == "add.3");
  CHECK(named("jit(f)/while/body/add", "add.3.1.24", "add.3") == "add.3");
  CHECK(named("add", "add") == "add");
  CHECK(named("jit(f)/jit(g)", "call.2") == "call.2");
  CHECK(named("", "call.2") == "call.2");
  // A tensor's name is no op's.
  CHECK(named("hidden", "add.3") == "hidden");
  CHECK(named("add", "added.3") == "add");
  CHECK(named("while", "while.3") == "while.3");
  // Nothing between two slashes, and what other versions of JAX call a call.
  CHECK(named("jit(f)//conv1/add", "add.3") == "conv1/add");
  CHECK(named("jit(f)/pjit(g)/conv1/add", "add.3") == "conv1/add");
  // What follows the dot of a numbered name are digits alone.
  CHECK(named("add", "add.3.1") == "add.3.1");
  CHECK(named("add", "add.x3") == "add");
  CHECK(named("add", "add33") == "add");
  CHECK(named("jit(f)/add/mul", "add.3") == "add/mul");
}

TEST_CASE("the layer of a step is its contraction, else its loop, else what it stores",
          "[lowering]") {
  const std::string head = "HloModule m\n", meta = ", metadata={op_name=\"jit(f)/";
  const kernel::Origin dense =
      origin_in(head +
                "fused { x = f32[8] parameter(0)\n w = f32[8,4] parameter(1)\n"
                "d = f32[4] dot(x, w), lhs_contracting_dims={0}, rhs_contracting_dims={0}" +
                meta +
                "dense/dot_general\" source_file=\"net.py\" source_line=7}\n"
                "ROOT r = f32[4] tanh(d)" +
                meta +
                "dense/tanh\" source_file=\"net.py\" source_line=9} }\n"
                "ENTRY e { x = f32[8] parameter(0)\n w = f32[8,4] parameter(1)\n"
                "ROOT y = f32[4] fusion(x, w), kind=kLoop, calls=fused }");
  CHECK(dense.layer == "dense/dot_general");
  CHECK(dense.shape == "f32[4]");
  CHECK(lines_of(dense) == "net.py:7");
  CHECK(dense.hlo.size() == 2);

  const kernel::Origin sum = origin_in(
      head +
      "add { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT c = f32[] add(a, b) }\n"
      "fused { x = f32[8,4] parameter(0)\n z = f32[] constant(0)\n"
      "s = f32[8] reduce(x, z), dimensions={1}, to_apply=add" +
      meta +
      "pool/reduce_sum\"}\n"
      "ROOT r = f32[8] tanh(s)" +
      meta +
      "pool/tanh\" source_file=\"net.py\" source_line=4} }\n"
      "ENTRY e { x = f32[8,4] parameter(0)\n"
      "ROOT y = f32[8] fusion(x), kind=kLoop, calls=fused }");
  CHECK(sum.layer == "pool/reduce_sum");
  // It has no line of its own; the nearest that has says where.
  CHECK(lines_of(sum) == "net.py:4");

  const kernel::Origin plain = origin_in(
      head + "fused { x = f32[8] parameter(0)\n a = f32[8] tanh(x)" + meta +
      "one/tanh\"}\n"
      "ROOT r = f32[8] negate(a)" +
      meta +
      "two/neg\"} }\n"
      "ENTRY e { x = f32[8] parameter(0)\n ROOT y = f32[8] fusion(x), kind=kLoop, calls=fused }");
  CHECK(plain.layer == "two/neg");
  CHECK(plain.source.empty());
}

TEST_CASE("lines are the user's own, with who called there", "[lowering]") {
  const auto with_frame = [](int frame) {
    return origin_in(
        cat("HloModule m\nFileNames\n1 \"net.py\"\n2 \"/usr/lib/python3/dist-packages/lib/nn.py\"\n"
            "FunctionNames\n1 \"f\"\n2 \"dense\"\nFileLocations\n"
            "1 {file_name_id=1 function_name_id=1 line=40}\n"
            "2 {file_name_id=1 function_name_id=2 line=12}\n"
            "3 {file_name_id=2 function_name_id=2 line=99}\n"
            "StackFrames\n1 {file_location_id=1}\n2 {file_location_id=2 parent_frame_id=1}\n"
            "3 {file_location_id=3 parent_frame_id=2}\n4 {file_location_id=3}\n"
            "5 {file_location_id=2 parent_frame_id=7}\n6 {file_location_id=9 parent_frame_id=1}\n"
            "ENTRY e { x = f32[8] parameter(0)\n ROOT y = f32[8] tanh(x), "
            "metadata={op_name=\"tanh\" stack_frame_id=",
            frame, "} }"));
  };
  CHECK(lines_of(with_frame(2)) == "net.py:12 dense < net.py:40 f");
  // What a package calls is left away where the user's own lines call the package.
  CHECK(lines_of(with_frame(3)) == "net.py:12 dense < net.py:40 f");
  CHECK(lines_of(with_frame(4)) == "/usr/lib/python3/dist-packages/lib/nn.py:99");
  // Callers behind their frame, places that are none, frames that are none.
  CHECK(lines_of(with_frame(5)) == "net.py:12 dense");
  CHECK(lines_of(with_frame(6)).empty());
  CHECK(lines_of(with_frame(17)).empty());
}

namespace {

// The lines of an instruction of one frame, which is of that file and function.
std::string lines_of_frame(int file, int function) {
  hlo::Module module;
  module.source_files = {"net.py", "/venv/lib/python3/site-packages/lib/nn.py"};
  module.source_functions = {"f"};
  module.frames = {{.file = file, .function = function, .line = 7}};
  hlo::Instruction instruction;
  instruction.metadata.stack_frame = 1;
  return lines_of(lowering::origin_of(module, instruction, ""));
}

// The lines of an instruction that stands in that line of a text.
std::string lines_in_text(const std::string& text_file, int line, const std::string& source) {
  hlo::Instruction instruction;
  instruction.line = line;
  instruction.metadata.source_file = source;
  instruction.metadata.source_line = 40;
  return lines_of(lowering::origin_of({}, instruction, text_file));
}

}  // namespace

TEST_CASE("frames of no file, of no function and of a package", "[lowering]") {
  CHECK(lines_of_frame(1, 1) == "net.py:7 f");
  CHECK(lines_of_frame(1, 0) == "net.py:7");
  CHECK(lines_of_frame(1, 2) == "net.py:7");
  CHECK(lines_of_frame(0, 1).empty());
  CHECK(lines_of_frame(2, 1).empty());
  CHECK(lines_of_frame(3, 1).empty());
}

TEST_CASE("what has no line of a program has its line of the text", "[lowering]") {
  CHECK(lines_in_text("net.hlo", 1, "") == "net.hlo:1");
  CHECK(lines_in_text("net.hlo", 12, "") == "net.hlo:12");
  CHECK(lines_in_text("net.hlo", 0, "").empty());
  CHECK(lines_in_text("", 12, "").empty());
  CHECK(lines_in_text("net.hlo", 12, "net.py") == "net.py:40");
}

TEST_CASE("the line of a step without one is the nearest instruction's", "[lowering]") {
  // Four instructions in a row, the last one stored; lines are given to those of `lines`.
  const auto line_of = [](const std::map<int, int>& lines) {
    std::string body = "x = f32[8] parameter(0)\n";
    for (int n = 0; n < 4; ++n) {
      body += cat(n == 3 ? "ROOT " : "", "a", n, " = f32[8] ", n % 2 == 0 ? "tanh" : "negate", "(",
                  n == 0 ? "x" : cat("a", n - 1), ")");
      if (const auto line = lines.find(n); line != lines.end())
        body += cat(", metadata={source_file=\"net.py\" source_line=", line->second, "}");
      body += "\n";
    }
    return lines_of(origin_in(cat("HloModule m\nfused { ", body,
                                  "}\nENTRY e { x = f32[8] parameter(0)\n ROOT y = f32[8] "
                                  "fusion(x), kind=kLoop, calls=fused }")));
  };
  CHECK(line_of({{0, 10}}) == "net.py:10");
  CHECK(line_of({{0, 10}, {1, 11}}) == "net.py:11");
  CHECK(line_of({{0, 10}, {2, 12}}) == "net.py:12");
  CHECK(line_of({{1, 11}, {3, 13}}) == "net.py:13");
}

namespace {

// Of a fusion of these lines, whose parameters are x and y, and of nothing that is lowered.
kernel::Origin origin_of_lines(const std::string& lines) {
  const std::string sizes = "x = f32[4,4] parameter(0)\ny = f32[4,4] parameter(1)\n";
  const hlo::Module module =
      module_from(cat("HloModule m\nadd { p = f32[] parameter(0)\n q = f32[] parameter(1)\n"
                      "ROOT s = f32[] add(p, q) }\nfused { ",
                      sizes, lines, " }\nENTRY e { ", sizes,
                      "ROOT r = f32[4,4] fusion(x, y), kind=kCustom, calls=fused }"));
  const hlo::Computation& entry = module.entry_computation();
  return lowering::origin_of(lowering::fusion_group(module, entry, entry.root_instruction()), "");
}

std::string product(const std::string& name, const std::string& operands) {
  return cat(name, " = f32[4,4] dot(", operands,
             "), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name=\"", name,
             "\"}\n");
}

}  // namespace

TEST_CASE("the layer of several products is that of the largest", "[lowering]") {
  const std::string part =
                        "n = f32[4,2] slice(x), slice={[0:4], [0:2]}\n"
                        "m = f32[2,4] slice(y), slice={[0:2], [0:4]}\n",
                    sum = "ROOT s = f32[4,4] add(small, large)";
  const std::string small = product("small", "n, m"), large = product("large", "x, y");
  CHECK(origin_of_lines(part + small + large + sum).layer == "large");
  CHECK(origin_of_lines(part + large + small + sum).layer == "large");
  // The first of two that are as large.
  CHECK(origin_of_lines(product("a", "x, y") + product("b", "y, x") + "ROOT s = f32[4,4] add(a, b)")
            .layer == "a");
}

TEST_CASE("the layer of a sum and a product is the product's", "[lowering]") {
  const std::string sum =
                        "z = f32[] constant(0)\ns = f32[4] reduce(x, z), dimensions={1}, "
                        "to_apply=add, metadata={op_name=\"sum\"}\n"
                        "b = f32[4,4] broadcast(s), dimensions={0}\n",
                    root = "ROOT r = f32[4,4] add(b, d)";
  CHECK(origin_of_lines(sum + product("d", "x, y") + root).layer == "d");
  const std::string convolution =
      "p = f32[1,4,4] reshape(x)\nk = f32[1,4,4] reshape(y)\nc = f32[1,4,4] convolution(p, k), "
      "window={size=1}, dim_labels=b0f_0io->b0f, metadata={op_name=\"conv\"}\n"
      "d = f32[4,4] reshape(c)\n";
  CHECK(origin_of_lines(sum + convolution + root).layer == "conv");
}

TEST_CASE("of two lines as near the first is taken", "[lowering]") {
  const auto line = [](int number) {
    return cat(", metadata={source_file=\"net.py\" source_line=", number, "}\n");
  };
  CHECK(lines_of(origin_of_lines(cat("a = f32[4,4] negate(x)", line(10), product("d", "a, y"),
                                     "ROOT r = f32[4,4] negate(d)", line(12)))) == "net.py:10");
}

TEST_CASE("a convolution names the layer of its step", "[lowering]") {
  const std::string sizes = "x = f32[1,64,1] parameter(0)\nk = f32[3,1,1] parameter(1)\n";
  const auto layer_of = [&](const std::string& op) {
    return origin_in(cat("HloModule m\nfused { ", sizes, "c = f32[1,64,1] ", op,
                         ", metadata={op_name=\"first\"}\n ROOT t = f32[1,64,1] tanh(c), "
                         "metadata={op_name=\"second\"} }\nENTRY e { ",
                         sizes, "ROOT y = f32[1,64,1] fusion(x, k), kind=kLoop, calls=fused }"))
        .layer;
  };
  CHECK(layer_of("convolution(x, k), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f") == "first");
  CHECK(layer_of("negate(x)") == "second");
}

}  // namespace hlocc::tests

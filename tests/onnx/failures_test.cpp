// Where what fails in an ONNX model is said to be: at the node that reads it, and not at one of a
// graph inside; results and limits of a whole model; files that end early; and how many
// instructions and computations there are, where a model needs no more.
#include <fstream>

#include "onnx/models.h"
#include "support/budget.h"

namespace hlocc::tests {
namespace {

const Shape kOne = Shape::array(kF32, {1});

// A tensor in a file beside the model, which a model from memory has not.
std::string in_a_file(const std::string& name) {
  return text_field(5, text_field(8, name) + number_field(1, 1) + number_field(2, 1) +
                           number_field(14, 1) +
                           text_field(13, text_field(1, "location") + text_field(2, "data")));
}
std::string lost(const std::string& name, const std::string& place) {
  return cat("the data of tensor \"", name, "\" (", place,
             "): \"data\" is a file beside the model");
}

GraphText inner(const Texts& inputs, const std::vector<NodeText>& nodes, const Texts& outputs,
                const std::string& more = "") {
  std::string out = text_field(2, "inner") + nodes_of(nodes) + more;
  for (const std::string& input : inputs) out += text_field(11, text_field(1, input));
  return {out + results_of(outputs)};
}

std::string told_of(const NodeText& node, const std::string& more) {
  return told(model_with(more + nodes_of({node}) + results_of({"y"})));
}

TEST_CASE("what an ONNX node reads fails at that node, not inside its graph") {
  const std::string place = "!graph.node[0] (";
  const GraphText body = inner({"i", "c", "s"}, {{"Neg", {"s"}, {"u"}}}, {"c", "u"});
  const std::string most = text_field(5, tensor_of("n", import::literal_of(kS64, {2}, {})));
  CHECK(told_of({"Loop", {"n", "", "w"}, {"y"}, attribute_of({"body", body})},
                most + in_a_file("w")) ==
        place + "Loop \"y\", opset 18): " + lost("w", "graph.initializer[1]"));
  const GraphText step = inner({"s", "e"}, {{"Neg", {"s"}, {"u"}}}, {"u"});
  CHECK(told_of({"Scan",
                 {"w", "x"},
                 {"y"},
                 attribute_of({"body", step}) + attribute_of({"num_scan_inputs", 1})},
                arguments_of({"x"}, kOne) + in_a_file("w")) ==
        place + "Scan \"y\", opset 18): " + lost("w", "graph.initializer[0]"));
  // A branch gives it: the other one, which has a node, is not to be told.
  const GraphText yes = inner({}, {}, {"w"}, in_a_file("w")),
                  no = inner({}, {{"Neg", {"x"}, {"u"}}}, {"u"});
  CHECK(told_of({"If",
                 {"t"},
                 {"y"},
                 attribute_of({"then_branch", yes}) + attribute_of({"else_branch", no})},
                arguments_of({"t"}, Shape::array(kPred, {})) + arguments_of({"x"}, kOne)) ==
        place + "If \"y\", opset 18): " + lost("w", "graph.node[0].attribute[0].g.initializer[0]"));
}

TEST_CASE("an ONNX model's result may be what cannot be read") {
  const auto result = [](uint64_t type) {
    return text_field(12, text_field(1, "w") + text_field(2, text_field(1, number_field(1, type))));
  };
  for (const uint64_t type : {1, 6})
    CHECK(told(model_with(in_a_file("w") + result(type))) ==
          "!" + lost("w", "graph.initializer[0]"));
}

TEST_CASE("whatever memory there is, an ONNX model is read whole or refused") {
  const std::string bytes =
      model_with(arguments_of({"x"}, kOne) +
                 nodes_of({{"Neg", {"x"}, {"y"}}, {"Abs", {"x"}, {"z"}}}) + results_of({"y", "z"}));
  const std::vector<Literal> arguments = {literal_from(kF32, {1}, {-3})};
  const std::string whole = "f32[1] 3; f32[1] 3";
  int refused = 0, taken = 0;
  for (int64_t memory = 64; memory < (1 << 16); memory += 64) {
    Result<import::onnx::Read> read = [&] {
      Budget budget({.memory = memory});
      const BudgetScope scope(&budget);
      return import::onnx::read_onnx(import::as_bytes(bytes), "file", "", {});
    }();
    if (!read) {
      ++refused;
      if (read.error().kind != DiagnosticKind::kLimit) FAIL_CHECK(read.error().message);
    } else {
      ++taken;
      if (const std::string told = text_of_run(read->module, arguments); told != whole)
        FAIL_CHECK(memory << ": " << told);
    }
  }
  CHECK(refused > 0);
  CHECK(taken > 0);
}

// What is said of a page of weights in a file of that folder.
std::string told_of_page(const std::string& folder, const std::string& file) {
  const std::string tensor = text_field(
      5, text_field(8, "w") + number_field(1, 4096) + number_field(2, 3) + number_field(14, 1) +
             text_field(13, text_field(1, "location") + text_field(2, file)));
  return told(model_with(tensor + nodes_of({{"Identity", {"w"}, {"y"}}}) + results_of({"y"})), {},
              folder);
}

// Files of the kernel claim a page, and have a line or cannot be read.
TEST_CASE("a file beside an ONNX model may end before its size, or open and not be read") {
  const std::string ends = "/sys/kernel/uevent_seqnum", fails = "/sys/class/net/lo/speed";
  if (std::string line; std::getline(std::ifstream(ends), line))
    CHECK_THAT(told_of_page("/sys/kernel", "uevent_seqnum"),
               Catch::Contains("\"uevent_seqnum\" ends after "));
  // The loopback has no speed.
  std::ifstream file(fails);
  if (std::string line; file.is_open() && !std::getline(file, line))
    CHECK_THAT(told_of_page("/sys/class/net/lo", "speed"), Catch::Contains("cannot be read: "));
}

int count_of(const hlo::Module& module, hlo::Opcode opcode) {
  int count = 0;
  for (const hlo::Computation& computation : module.computations)
    for (const hlo::Instruction& i : computation.instructions) count += i.opcode == opcode ? 1 : 0;
  return count;
}

TEST_CASE("an ONNX AveragePool counts elements only where windows have other numbers of them") {
  const auto sums = [](std::vector<NodeAttribute> attributes) {
    attributes.emplace_back("kernel_shape", L{2});
    const std::string bytes =
        model_of({"AveragePool", {x({1, 1, 5})}, std::move(attributes), "", 1, 19});
    const auto read = import::onnx::read_onnx(import::as_bytes(bytes), "file", "", {});
    REQUIRE(read);
    return count_of(read->module, hlo::Opcode::kReduceWindow);
  };
  const NodeAttribute pads{"pads", L{1, 0}}, behind{"pads", L{0, 1}},
      with_pads{"count_include_pad", 1}, ceil{"ceil_mode", 1}, by_two{"strides", L{2}};
  CHECK(sums({}) == 1);
  CHECK(sums({with_pads}) == 1);
  CHECK(sums({pads, with_pads}) == 1);
  CHECK(sums({behind, with_pads}) == 1);
  CHECK(sums({pads}) == 2);
  CHECK(sums({behind}) == 2);
  CHECK(sums({by_two, ceil}) == 2);
  CHECK(sums({by_two, ceil, with_pads}) == 2);
}

TEST_CASE("an ONNX border of sixteen runs is made of slices, and one of more is gathered") {
  // To and fro over two elements, each time a run.
  const auto joins = [](int64_t runs) {
    const std::string bytes =
        model_of({"Pad", {x({2}), n({0, 2 * runs - 2})}, {{"mode", "reflect"}}, ""});
    const auto read = import::onnx::read_onnx(import::as_bytes(bytes), "file", "", {});
    REQUIRE(read);
    return count_of(read->module, hlo::Opcode::kConcatenate);
  };
  CHECK(joins(16) == 1);
  CHECK(joins(17) == 0);
}

TEST_CASE("an ONNX graph takes what it reads outside once, and no constants") {
  const GraphText yes = inner({}, {{"Add", {"x", "x"}, {"s"}}, {"Add", {"s", "k"}, {"u"}}}, {"u"}),
                  no = inner({}, {{"Clip", {"x", "", "k"}, {"u"}}}, {"u"});
  const std::string bytes = model_with(
      arguments_of({"t"}, Shape::array(kPred, {})) + arguments_of({"x"}, Shape::array(kF32, {})) +
      text_field(5, tensor_of("k", literal_from(kF32, {}, {5}))) +
      nodes_of({{"If",
                 {"t"},
                 {"y"},
                 attribute_of({"then_branch", yes}) + attribute_of({"else_branch", no})}}) +
      results_of({"y"}));
  const auto read = import::onnx::read_onnx(import::as_bytes(bytes), "file", "", {});
  REQUIRE(read);
  int branches = 0;
  for (const hlo::Computation& one : read->module.computations) {
    if (one.name != "then" && one.name != "else") continue;
    ++branches;
    CHECK(hlo::to_string(one.instructions[0].shape, false) == "(f32[])");
  }
  CHECK(branches == 2);
}

TEST_CASE("an ONNX Loop that nothing ends is read") {
  const GraphText body = inner({"i", "c", "s"}, {{"Neg", {"s"}, {"u"}}}, {"yes", "u"},
                               text_field(5, tensor_of("yes", literal_from(kPred, {}, {1}))));
  CHECK(noted(model_of({"Loop", {none, none, x({1})}, {{"body", body}}, ""})).empty());
}

TEST_CASE("an ONNX Loop of as many iterations as a counter holds is read") {
  const GraphText body = inner({"i", "c", "s"}, {{"Neg", {"s"}, {"u"}}}, {"c", "u"});
  const auto of = [&](int64_t most) {
    return noted(model_of({"Loop", {one(most), none, x({1})}, {{"body", body}}, ""}));
  };
  CHECK(of(INT32_MAX).empty());
  CHECK(of(int64_t{INT32_MAX} + 1).size() == 1);
}

TEST_CASE("an ONNX Loop's body is read once where it takes its condition from the start") {
  const auto bodies = [](const NodeOperand& most, const NodeOperand& condition,
                         const char* goes_on) {
    const GraphText body =
        inner({"i", "c", "s"}, {{"Neg", {"s"}, {"u"}}, {"Not", {"c"}, {"d"}}}, {goes_on, "u"});
    const std::string bytes = model_of({"Loop", {most, condition, x({1})}, {{"body", body}}, ""});
    const auto read = import::onnx::read_onnx(import::as_bytes(bytes), "file", "", {});
    REQUIRE(read);
    std::string out;
    for (const hlo::Computation& one : read->module.computations)
      if (one.name.starts_with("body")) out += one.name + " ";
    return out;
  };
  CHECK(bodies(one(3), given(kPred, {}), "d") == "body ");
  CHECK(bodies(one(3), constant(kPred, {}, {0}), "d") == "body ");
  CHECK(bodies(none, none, "d") == "body ");
  // What the body says is known only when it was read.
  CHECK(bodies(one(3), none, "d") == "body.1 ");
}

}  // namespace
}  // namespace hlocc::tests

// Fields of ONNX files whose wire type is another than the format's, each kind of field once; inputs
// that are initializers as well, and arguments that the caller makes constants; what is noted of
// operands that are not known.
#include "import/npy.h"
#include "onnx/models.h"
#include "support/temporary_folder.h"

namespace hlocc::tests {
namespace {

TEST_CASE("an ONNX field of another wire type is named") {
  const auto damaged = [](const std::string& path) {
    return "!" + path + " is no field of its type: the file is damaged";
  };
  const auto graph = [](const std::string& fields) { return told(model_with(fields)); };
  const auto node = [&](const std::string& fields) { return graph(text_field(1, fields)); };
  const auto attribute = [&](const std::string& fields) { return node(text_field(5, fields)); };
  const auto tensor = [&](const std::string& fields) { return graph(text_field(5, fields)); };
  const std::string of_node = "graph.node[0]", of_attribute = of_node + ".attribute[0]",
                    of_tensor = "graph.initializer[0]";
  CHECK(node(number_field(4, 1)) == damaged(of_node + ".op_type"));
  CHECK(node(number_field(1, 1)) == damaged(of_node + ".input"));
  CHECK(graph(number_field(1, 1)) == damaged("graph.node"));
  CHECK(told(number_field(7, 1)) == damaged("graph"));
  CHECK(attribute(number_field(2, 1)) == damaged(of_attribute + ".f"));
  CHECK(attribute(text_field(2, "abcd")) == damaged(of_attribute + ".f"));
  CHECK(attribute(text_field(3, "\1")) == damaged(of_attribute + ".i"));
  CHECK(attribute(number_field(7, 1)) == damaged(of_attribute + ".floats"));
  CHECK(attribute(text_field(7, "abc")) == damaged(of_attribute + ".floats"));
  CHECK(attribute("\x45"
                  "abcd") == damaged(of_attribute + ".ints"));
  CHECK(tensor(text_field(2, "\1")) == damaged(of_tensor + ".data_type"));
  CHECK(tensor(number_field(9, 1)) == damaged(of_tensor + ".raw_data"));
  CHECK(tensor("\x55"
               "abcd") == damaged(of_tensor + ".double_data"));
  CHECK(tensor(text_field(10, "abcdefg")) == damaged(of_tensor + ".double_data"));
  CHECK(graph(text_field(
            11, text_field(2, text_field(1, text_field(2, text_field(1, text_field(1, "\1"))))))) ==
        damaged("graph.input[0].type.tensor_type.shape.dim[0].dim_value"));
}

TEST_CASE(
    "an ONNX input that is an initializer as well is none, and may be made another constant") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("w.npy", import::write_npy(literal_from(kF32, {2}, {10, 20})));
  const std::string model =
      model_with(arguments_of({"x", "w"}, Shape::array(kF32, {2})) +
                 text_field(5, tensor_of("w", literal_from(kF32, {2}, {1, 2}))) +
                 nodes_of({{"Add", {"x", "w"}, {"y"}}}) + results_of({"y"}));
  const std::vector<Literal> arguments = {literal_from(kF32, {2}, {5, 6})};
  CHECK(told(model, arguments) == "f32[2] 6 8");
  CHECK(told(model, arguments, "", {.frozen = {{"w", file}}}) == "f32[2] 15 26");
  CHECK(told(model, {}, "", {.frozen = {{"x", file}}}) == "f32[2] 11 22");
}

TEST_CASE("what helps where an ONNX operand must be known") {
  const auto refused = [](const std::string& graph) {
    return noted(model_with(arguments_of({"a", "b", "s", "c", "d", "e"}, Shape::array(kS64, {1})) +
                            graph + results_of({"y"})));
  };
  const std::string shape =
      "shapes must be known when the model is compiled: a constant helps, or --freeze "
      "NAME=FILE.npy of the arguments that it is computed from";
  const auto notes_of = [](Texts said) {
    said.erase(said.begin());
    return said;
  };
  CHECK(notes_of(refused(nodes_of({{"Reshape", {"a", "s"}, {"y"}}}))) ==
        Texts{"it is an argument: --freeze s=FILE.npy makes it a constant"});
  CHECK(notes_of(refused(nodes_of({{"Neg", {"s"}, {"t"}}, {"Reshape", {"a", "t"}, {"y"}}}))) ==
        Texts{shape});
  // Inside a loop's body the state has numbers that arguments have outside.
  std::string body = text_field(2, "inner") + nodes_of({{"Reshape", {"v", "v"}, {"u"}}});
  for (const char* name : {"i", "g", "v"}) body += text_field(11, text_field(1, name));
  body += results_of({"g", "u"});
  CHECK(
      notes_of(refused(
          text_field(5, tensor_of("n", import::literal_of(kS64, {3}, {}))) +
          nodes_of({{"Loop", {"n", "", "s"}, {"y"}, attribute_of({"body", GraphText{body}})}}))) ==
      Texts{shape});
}

}  // namespace
}  // namespace hlocc::tests

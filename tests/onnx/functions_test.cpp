// Functions of an ONNX model's own, attributes that refer to theirs, values without names, and what
// a model says of itself: opsets, inputs, outputs.
#include "onnx/models.h"

namespace hlocc::tests {
namespace {

std::string function_of(const std::string& name, const Texts& inputs, const Texts& outputs,
                        const std::vector<NodeText>& nodes, const std::string& more = "") {
  std::string out = text_field(1, name);
  for (const std::string& input : inputs) out += text_field(4, input);
  for (const std::string& output : outputs) out += text_field(5, output);
  for (const NodeText& node : nodes) out += text_field(7, node_of(node));
  return text_field(25, out + text_field(9, number_field(2, 18)) + more);
}
std::string of_domain(const std::string& domain) { return text_field(10, domain); }

const std::string kDomain = text_field(7, "my");  // of a node
const Shape kTwo = Shape::array(kF32, {2});

// A node of the domain "my" over %x, of these fields, and what the model's functions make of it.
std::string called(const NodeText& node, const std::string& functions) {
  return told(
      model_with(arguments_of({"x"}, kTwo) + nodes_of({node}) + results_of({"y"}), functions),
      {literal_from(kF32, {2}, {3, -4})});
}

TEST_CASE("ONNX functions of the model's own stand in the node's place") {
  const std::string negates =
                        function_of("f", {"a"}, {"b"}, {{"Neg", {"a"}, {"b"}}}, of_domain("my")),
                    two = function_of("f", {"a", "c"}, {"b", "d"}, {{"Neg", {"a"}, {"b"}}},
                                      of_domain("my"));
  const std::string place = "!graph.node[0] (f of my \"y\", opset 18): ";
  CHECK(called({"f", {"x"}, {"y"}, kDomain}, negates) == "f32[2] -3 4");
  CHECK(called({"f", {"x"}, {"y"}, kDomain}, two) == "f32[2] -3 4");
  CHECK(called({"f", {"x", ""}, {"y", ""}, kDomain}, two) == "f32[2] -3 4");
  CHECK(called({"f", {"x", "x"}, {"y"}, kDomain}, negates) ==
        place + "has more operands or results than the function");
  CHECK(called({"f", {"x"}, {"y", "z"}, kDomain}, negates) ==
        place + "has more operands or results than the function");
  CHECK(called({"f", {"x"}, {"y", "z"}, kDomain}, two) ==
        place + "nothing gives the function's output \"d\"");
  CHECK_THAT(called({"g", {"x"}, {"y"}, kDomain}, negates),
             Catch::Contains("the operator is not read"));
  CHECK_THAT(called({"f", {"x"}, {"y"}, text_field(7, "other")}, negates),
             Catch::Contains("the operator is not read"));
  CHECK_THAT(called({"f", {"x"}, {"y"}}, negates), Catch::Contains("the operator is not read"));
  CHECK(called({"f", {"x"}, {"y"}}, function_of("f", {"a"}, {"b"}, {{"Neg", {"a"}, {"b"}}})) ==
        "f32[2] -3 4");
  // What HLO lacks is an operator of the standard.
  CHECK_THAT(called({"Bernoulli", {"x"}, {"y"}, kDomain}, negates),
             Catch::Contains("the operator is not read"));
  CHECK_THAT(called({"Bernoulli", {"x"}, {"y"}}, negates), Catch::Contains("no random numbers"));
  // What is wrong in a function is said of its own node.
  CHECK(called({"f", {"x"}, {"y"}, kDomain},
               function_of("f", {"a"}, {"b"},
                           {{"LeakyRelu", {"a"}, {"b"}, attribute_of({"alpha", 1})}},
                           of_domain("my"))) ==
        "!functions[0].node[0].attribute[0].type: attribute alpha is of type 2, not 1");
  // A function stands in front of another domain's operator.
  const std::string domain = "com.microsoft";
  CHECK(called({"Gelu", {"x"}, {"y"}, text_field(7, domain)},
               function_of("Gelu", {"a"}, {"b"}, {{"Neg", {"a"}, {"b"}}}, of_domain(domain))) ==
        "f32[2] -3 4");
  // An operator of the standard is not a function's.
  CHECK(called({"Abs", {"x"}, {"y"}}, function_of("Abs", {"a"}, {"b"}, {{"Neg", {"a"}, {"b"}}})) ==
        "f32[2] 3 4");
}

TEST_CASE("ONNX functions are told apart by their overloads") {
  const auto of = [](const char* op, const char* overload) {
    return function_of("f", {"a"}, {"b"}, {{op, {"a"}, {"b"}}},
                       of_domain("my") + text_field(13, overload));
  };
  const std::string both = of("Neg", "one") + of("Abs", "two");
  const auto node = [](const char* overload) {
    return NodeText{"f", {"x"}, {"y"}, kDomain + text_field(8, overload)};
  };
  CHECK(called(node("one"), both) == "f32[2] -3 4");
  CHECK(called(node("two"), both) == "f32[2] 3 4");
  CHECK_THAT(called(node("three"), both), Catch::Contains("the operator is not read"));
  CHECK_THAT(called({"f", {"x"}, {"y"}, kDomain}, both),
             Catch::Contains("the operator is not read"));
}

// An attribute that refers to one of the function's.
std::string reference(const char* name, const char* of, uint64_t type) {
  return text_field(5, text_field(1, name) + text_field(21, of) + number_field(20, type));
}

TEST_CASE("ONNX attributes refer to those of the function that they stand in") {
  const auto leaky = [](const std::string& more) {
    return function_of("f", {"a"}, {"b"}, {{"LeakyRelu", {"a"}, {"b"}, reference("alpha", "s", 1)}},
                       of_domain("my") + text_field(6, "s") + more);
  };
  const std::string by_default = text_field(11, NodeAttribute("s", 0.25).fields);
  const NodeText plain = {"f", {"x"}, {"y"}, kDomain};
  const NodeText half = {"f", {"x"}, {"y"}, kDomain + attribute_of({"s", 0.5})};
  CHECK(called(half, leaky("")) == "f32[2] 3 -2");
  CHECK(called(half, leaky(by_default)) == "f32[2] 3 -2");
  CHECK(called(plain, leaky(by_default)) == "f32[2] 3 -1");
  CHECK(called(plain, leaky("")) == "f32[2] 3 -0.04");
  // No function is there, or the default refers to one.
  CHECK(called({"LeakyRelu", {"x"}, {"y"}, reference("alpha", "s", 1)}, "") ==
        "!graph.node[0].attribute[0].ref_attr_name: attribute alpha refers to \"s\", and stands in "
        "no function");
  const std::string filled = function_of(
      "f", {"a"}, {"b"}, {{"ConstantOfShape", {"a"}, {"b"}, reference("value", "s", 4)}},
      of_domain("my") +
          text_field(11, text_field(1, "s") + text_field(21, "t") + number_field(20, 4)));
  CHECK(told(model_with(text_field(5, tensor_of("x", import::literal_of(kS64, {2}, {1}))) +
                            nodes_of({plain}) + results_of({"y"}),
                        filled)) ==
        "!functions[0].attribute_proto[0].ref_attr_name is set, and a default has a value");
}

TEST_CASE("ONNX attributes have a value of their type") {
  const auto of = [](const std::string& fields) {
    return called({"Neg", {"x"}, {"y"}, text_field(5, fields)}, "");
  };
  const std::string lacks = "!graph.node[0].attribute[0] has no value of its type";
  const auto unread = [](const char* name) {
    return cat("!graph.node[0] (Neg \"y\", opset 18): attribute \"", name,
               "\" (graph.node[0].attribute[0]) is not read in this version");
  };
  for (const uint64_t type : {4, 5, 11})
    CHECK(of(text_field(1, "v") + number_field(20, type)) == lacks);
  CHECK(of(text_field(1, "v") + number_field(20, 2)) == unread("v"));
  CHECK(of(text_field(1, "v") + text_field(22, "") + number_field(20, 11)) == unread("v"));
  CHECK(of(text_field(1, "v") + text_field(6, "") + number_field(20, 5)) == unread("v"));
  CHECK(of(text_field(1, "v") + text_field(5, "") + number_field(20, 4)) == unread("v"));
  CHECK(of(number_field(20, 2)) == "!graph.node[0].attribute[0].name is missing");
}

TEST_CASE("ONNX values have names, once each") {
  const auto of = [](const std::vector<NodeText>& nodes) {
    return told(model_with(arguments_of({"x"}, kTwo) + nodes_of(nodes) + results_of({"y"})),
                {literal_from(kF32, {2}, {3, -4})});
  };
  CHECK(of({{"Dropout", {"x"}, {"z", ""}}, {"Dropout", {"z"}, {"y", ""}}}) == "f32[2] 3 -4");
  CHECK(of({{"Neg", {"x"}, {"y"}}, {"Abs", {"x"}, {"y"}}}) ==
        "!graph.node[1] (Abs) gives output[0] \"y\", which has a value already");
  CHECK(of({{"Neg", {"z"}, {"y"}}}) ==
        "!graph.node[0] (Neg) reads input[0] \"z\", which nothing before it gives");
  CHECK(of({{"Neg", {"x"}, {"z"}}}) == "!graph.output[0] (\"y\") is given by nothing");
  CHECK(of({{"", {"x"}, {"y"}}}) == "!graph.node[0].op_type is missing");
  CHECK(of({{"Dropout", {}, {"", "y"}}}) ==
        "!graph.node[0] (Dropout \"y\", opset 18): has 0 operands, or lacks one");
  CHECK(of({{"Dropout", {}, {"y"}, text_field(3, "own")}}) ==
        "!graph.node[0] (Dropout \"own\", opset 18): has 0 operands, or lacks one");
  CHECK(of({{"Neg", {""}, {"y"}}}) ==
        "!graph.node[0] (Neg \"y\", opset 18): has 1 operands, or lacks one");
}

// A model of one negation: the sizes of its argument and of its result as they are declared.
std::string declared(const std::vector<std::string>& sizes, const std::vector<std::string>& result,
                     const import::Choices& choices = {}) {
  const auto info = [](const char* name, const std::vector<std::string>& dimensions) {
    std::string shape;
    for (const std::string& one : dimensions) shape += text_field(1, one);
    return text_field(1, name) +
           text_field(2, text_field(1, number_field(1, 1) + text_field(2, shape)));
  };
  return told(model_with(text_field(11, info("x", sizes)) + nodes_of({{"Neg", {"x"}, {"y"}}}) +
                         text_field(12, info("y", result))),
              {literal_from(kF32, {2}, {3, -4})}, "", choices);
}

TEST_CASE("ONNX sizes that are open are given by name") {
  const auto size = [](int64_t value) { return number_field(1, static_cast<uint64_t>(value)); };
  const std::string named = text_field(2, "n");
  import::Choices two;
  two.dimensions["n"] = 2;
  const std::string other =
      "!graph.output[0] (\"y\") has another shape than what the model gives, ";
  CHECK(declared({size(2)}, {size(2)}) == "f32[2] -3 4");
  CHECK(declared({size(2)}, {named}) == "f32[2] -3 4");
  CHECK(declared({size(2)}, {size(3)}) == other + "f32[2]");
  CHECK(declared({size(2)}, {}) == other + "f32[2]");
  CHECK(declared({named}, {named}, two) == "f32[2] -3 4");
  // Where sizes are chosen, what was declared of results is another choice.
  CHECK(declared({named}, {size(3)}, two) == "f32[2] -3 4");
  CHECK(declared({size(-1)}, {size(2)}) ==
        "!graph.input[0] (\"x\"): the size of dimension 0 (no name) is left open");
  CHECK(declared({size(-2)}, {size(2)}) ==
        "!graph.input[0].type.tensor_type.shape.dim[0].dim_value is -2, and no size is below 0");
  CHECK(declared({size(2)}, {size(2)}, two) == "!--dim n=2: the model leaves no such size open");
  Result<import::onnx::Read> read = import::onnx::read_onnx(
      import::as_bytes(model_with(arguments_of({"x"}, kTwo) + results_of({"x"}))), "file", "", two);
  REQUIRE_FALSE(read);
  CHECK(read.error().location.file.empty());
}

TEST_CASE("ONNX graphs and functions nest sixteen deep") {
  // Names of what is called are numbered.
  const auto functions = [&](int count, const NodeText& last) {
    std::string out;
    for (int i = 0; i < count; ++i) {
      const std::string next = cat("f", i + 1);
      out += function_of(cat("f", i), {"a"}, {"b"},
                         {i + 1 < count ? NodeText{next, {"a"}, {"b"}, kDomain} : last},
                         of_domain("my"));
    }
    return out;
  };
  const NodeText first = {"f0", {"x"}, {"y"}, kDomain};
  CHECK(called(first, functions(16, {"Neg", {"a"}, {"b"}})) == "f32[2] -3 4");
  CHECK_THAT(called(first, functions(17, {"Neg", {"a"}, {"b"}})),
             Catch::Contains("more than 16 functions, one inside another"));
  // A branch inside the fifteenth function is the sixteenth.
  const std::string branch =
      text_field(2, "inner") + nodes_of({{"Neg", {"a"}, {"t"}}}) + results_of({"t"});
  const std::string yes = text_field(5, NodeAttribute("then_branch", GraphText{branch}).fields) +
                          text_field(5, NodeAttribute("else_branch", GraphText{branch}).fields);
  const auto with_branch = [&](int count) {
    // The last function asks whether there are no elements, which is known.
    std::string out;
    for (int i = 0; i < count; ++i) {
      const std::string next = cat("f", i + 1);
      std::vector<NodeText> nodes = {{next, {"a"}, {"b"}, kDomain}};
      if (i + 1 == count)
        nodes = {{"Size", {"a"}, {"s"}}, {"Equal", {"s", "s"}, {"e"}}, {"If", {"e"}, {"b"}, yes}};
      out += function_of(cat("f", i), {"a"}, {"b"}, nodes, of_domain("my"));
    }
    return called(first, out);
  };
  CHECK(with_branch(15) == "f32[2] -3 4");
  CHECK_THAT(with_branch(16), Catch::Contains("more than 16 graphs, one inside another"));
}

}  // namespace
}  // namespace hlocc::tests

// ONNX nodes beside conditions that the rows of other tables do not tell apart: one clause of each
// holds alone, and the result or the message is another without it.
#include <cmath>

#include "onnx/models.h"
#include "support/temporary_folder.h"

namespace hlocc::tests {
namespace {

TEST_CASE("ONNX Resize, where one side of a condition alone holds") {
  const NodeAttribute row{"axes", L{1}}, linear{"mode", "linear"}, antialias{"antialias", 1},
      crop{"coordinate_transformation_mode", "tf_crop_and_resize"};
  const auto scale = [](double value) { return constant(kF32, {1}, {value}); };
  const std::string range = "!a scale out of range";
  check_nodes({
      {"Resize", {x({2}), none, scale(0)}, {}, range},
      {"Resize", {x({2}), none, scale(-1)}, {}, range},
      {"Resize", {x({2}), none, scale(NAN)}, {}, range},
      {"Resize", {x({0}), none, none, n({2})}, {}, "!an operand without elements"},
      // Without a region the whole of the operand is it.
      {"Resize", {x({3}), none, none, n({2})}, {crop}, "f32[2] 0 2"},
      // Of one size, but not from the first element on.
      {"Resize",
       {x({3}), constant(kF32, {2}, {0.5, 1}), none, n({3})},
       {crop, linear},
       "f32[3] 1 1.5 2"},
      // Beyond what floats hold.
      {"Resize", {given(kF64, {1}, {1e300}), none, none, n({2})}, {linear}, "f64[2] 1e+300 1e+300"},
      // Elements that are picked have no windows.
      {"Resize", {x({0, 4097}), none, none, n({4096})}, {row, antialias}, "f32[0,4096]"},
      // One element is the centre, but in PyTorch's way.
      {"Resize", {x({4}), none, none, n({1})}, {linear}, "f32[1] 1.5"},
  });
}

TEST_CASE("ONNX types, where one side of a condition alone holds") {
  const auto half = [] { return given(kF16, {1, 1}, {0x3c00}); };
  const auto f = [](double value) { return constant(kF32, {}, {value}); };
  const auto whole = [](PrimitiveType type) { return given(type, {1, 1, 1, 1}, {1}); };
  check_nodes({
      {"MatMulInteger", {half(), half()}, {}, "!element types (f16, f16) are not read"},
      {"QuantizeLinear",
       {x({2, 2}), x({2, 1})},
       {{"axis", 0}},
       "!scales or zero points f32[2,1] for axis 0 of f32[2,2]"},
      {"QuantizeLinear",
       {x({1}, {1e9}), f(1)},
       {{"output_dtype", 19}, {"saturate", 0}},
       "f8e5m2[1] 124",
       1,
       21},
      {"QuantizeLinear", {x({1}, {1e9}), f(1)}, {{"output_dtype", 19}}, "f8e5m2[1] 123", 1, 21},
      // Of integers, whatever the softmax would be computed in.
      {"Attention",
       {whole(kS32), whole(kS32), whole(kS32)},
       {{"softmax_precision", 1}},
       "!element types (s32, s32, s32) are not read",
       1,
       23},
      // Powers are computed in the base's type, unless that has no fractions and the exponent has.
      {"Pow", {given(kS64, {1}, {4294967297.0}), given(kS32, {1}, {3})}, {}, "s64[1] 12884901889"},
      {"Pow", {given(kF64, {1}, {1e300}), x({1}, {0.5})}, {}, "f64[1] 1e+150"},
      {"CumSum", {x({1}, {5}), one(0)}, {{"exclusive", 1}}, "f32[1] 0"},
      {"Conv",
       {x({1, 3, 1}), x({2, 1, 1})},
       {{"group", 2}},
       "!2 groups of 3 channels by weights f32[2,1,1]"},
  });
}

TEST_CASE("a second result that an ONNX node leaves out is not asked for") {
  const std::string attributes = text_field(5, NodeAttribute{"kernel_shape", L{1}}.fields);
  const auto pooled = [&](const char* places) {
    return told(
        model_with(arguments_of({"x"}, Shape::array(kS8, {1, 1, 2})) +
                   nodes_of({{"MaxPool", {"x"}, {"y", places}, attributes}}) + results_of({"y"})),
        {literal_from(kS8, {1, 1, 2}, {3, 4})});
  };
  CHECK(pooled("") == "s8[1,1,2] 3 4");
  CHECK(pooled("z") == "!graph.node[0] (MaxPool \"y\", opset 18): places of integers");
}

TEST_CASE("an ONNX graph's argument may have no name, and its nodes leave results out") {
  std::string body = text_field(2, "inner") + nodes_of({{"Dropout", {"s"}, {"u", ""}}});
  for (const char* name : {"", "c", "s"}) body += text_field(11, text_field(1, name));
  body += results_of({"c", "u"});
  check_nodes({{"Loop", {one(3), none, x({1}, {5})}, {{"body", GraphText{body}}}, "f32[1] 5"}});
}

TEST_CASE("an ONNX size is open by its name, and no other is") {
  const auto with = [](const std::string& dimension, const std::string& name) {
    import::Choices choices;
    choices.dimensions[name] = 2;
    const std::string type = number_field(1, 1) + text_field(2, text_field(1, dimension));
    return told(model_with(text_field(11, text_field(1, "x") + text_field(2, text_field(1, type))) +
                           nodes_of({{"Neg", {"x"}, {"y"}}}) + results_of({"y"})),
                {literal_from(kF32, {2}, {3, -4})}, "", choices);
  };
  const std::string open;
  CHECK(with(open, "x:0") == "f32[2] -3 4");
  CHECK(with(open, "0") == "f32[2] -3 4");
  CHECK(with(open, "") ==
        "!graph.input[0] (\"x\"): the size of dimension 0 (no name) is left open");
  CHECK(with(number_field(1, 2), "x:0") == "!--dim x:0=2: the model leaves no such size open");
}

TEST_CASE("what is wrong with an array that an ONNX argument is frozen to is told of its file") {
  const TemporaryFolder folder;
  const std::string file = folder.write("x.npy", "no array");
  const import::Choices choices{.frozen = {{"x", file}}};
  const auto read = import::onnx::read_onnx(
      import::as_bytes(model_with(arguments_of({"x"}, Shape::array(kF32, {2})) +
                                  nodes_of({{"Neg", {"x"}, {"y"}}}) + results_of({"y"}))),
      "file", "", choices);
  REQUIRE_FALSE(read);
  CHECK(read.error().location.file == file);
}

}  // namespace
}  // namespace hlocc::tests

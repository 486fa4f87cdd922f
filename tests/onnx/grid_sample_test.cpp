// ONNX's GridSample: elements and what lies between them and behind borders, and grids that do not
// fit: models of one node. With align_corners the places -1, 0 and 1 of three elements are theirs.
#include "onnx/node.h"

namespace hlocc::tests {
namespace {

NodeRow sampled(const std::vector<double>& places, std::vector<NodeAttribute> attributes,
                const std::string& answer, int opset = 20) {
  return {"GridSample",
          {x({1, 1, 3}, {10, 20, 30}), x({1, static_cast<int64_t>(places.size()), 1}, places)},
          std::move(attributes),
          answer,
          1,
          opset};
}

TEST_CASE("ONNX GridSample between elements and behind borders") {
  const NodeAttribute aligned{"align_corners", 1}, nearest{"mode", "nearest"},
      cubic{"mode", "cubic"}, border{"padding_mode", "border"},
      reflection{"padding_mode", "reflection"};
  const std::vector<double> ends{-1, 0, 1}, behind{0.5, 1, 1.5, 2};
  check_nodes({
      sampled(ends, {aligned}, "f32[1,1,3] 10 20 30"),
      sampled(ends, {}, "f32[1,1,3] 5 20 15"),
      sampled(ends, {}, "f32[1,1,3] 5 20 15", 16),
      sampled(ends, {border}, "f32[1,1,3] 10 20 30"),
      sampled(behind, {aligned}, "f32[1,1,4] 25 30 15 0"),
      sampled({-1.5, -2}, {aligned}, "f32[1,1,2] 5 0"),
      sampled(behind, {aligned, {"mode", "linear"}, {"padding_mode", "zeros"}},
              "f32[1,1,4] 25 30 15 0"),
      sampled(behind, {aligned, {"mode", "bilinear"}}, "f32[1,1,4] 25 30 15 0", 16),
      sampled(behind, {aligned, border}, "f32[1,1,4] 25 30 30 30"),
      sampled(behind, {aligned, reflection}, "f32[1,1,4] 25 30 25 20"),
      sampled({-1.5, -3, 3}, {aligned, reflection}, "f32[1,1,3] 15 30 10"),
      // Without corners the borders lie half an element behind the last ones.
      sampled({-1, 2}, {reflection}, "f32[1,1,2] 10 20"),
      sampled({0.25, 0.5, 2}, {aligned, nearest}, "f32[1,1,3] 20 30 0"),
      sampled({0.25, 0.5, 2}, {aligned, nearest, border}, "f32[1,1,3] 20 30 30"),
      sampled({0.25, 0.5, 2}, {aligned, nearest, reflection}, "f32[1,1,3] 20 30 20"),
      sampled(ends, {aligned, cubic}, "f32[1,1,3] 10 20 30"),
      sampled({3}, {aligned, cubic}, "f32[1,1,1] 0"),
      sampled({3}, {aligned, cubic, border}, "f32[1,1,1] 30"),
      sampled({3}, {aligned, cubic, reflection}, "f32[1,1,1] 10"),
      {"GridSample",
       {x({1, 1, 2}, {8, 8}), x({1, 1, 1}, {0})},
       {cubic, aligned},
       "f32[1,1,1] 9.5",
       1,
       20},
      {"GridSample",
       {x({1, 1, 2}, {8, 8}), x({1, 1, 1}, {0})},
       {cubic, aligned, border},
       "f32[1,1,1] 8",
       1,
       20},
      {"GridSample",
       {x({1, 1, 1}, {7}), x({1, 2, 1}, {-1, 5})},
       {aligned, reflection},
       "f32[1,1,2] 7 7",
       1,
       20},
  });
}

TEST_CASE("ONNX GridSample of batches, channels and sides") {
  const NodeAttribute aligned{"align_corners", 1};
  const auto of = [&](const NodeOperand& image, const NodeOperand& grid,
                      const std::string& answer) {
    return NodeRow{"GridSample", {image, grid}, {aligned}, answer, 1, 20};
  };
  check_nodes({
      of(x({2, 1, 2}), x({2, 1, 1}, {-1, 1}), "f32[2,1,1] 0 3"),
      of(x({1, 2, 2}), x({1, 1, 1}, {1}), "f32[1,2,1] 1 3"),
      // The last side of the image is the first number of a place.
      of(x({1, 1, 2, 2}), x({1, 1, 2, 2}, {1, -1, -1, 1}), "f32[1,1,1,2] 1 2"),
      of(x({1, 1, 1, 1, 2}), x({1, 1, 1, 1, 3}, {1, 0, 0}), "f32[1,1,1,1,1] 1"),
      of(x({1, 1, 1, 1, 1, 1}), x({1, 1, 1, 1, 1, 4}),
         "!a grid of f32[1,1,1,1,1,4] for f32[1,1,1,1,1,1]"),
      of(x({1, 1}), x({1, 0}), "!a grid of f32[1,0] for f32[1,1]"),
      of(x({1, 1, 2}), x({1, 1, 1, 1}), "!a grid of f32[1,1,1,1] for f32[1,1,2]"),
      of(x({1, 1, 2}), x({1, 1, 2}), "!a grid of f32[1,1,2] for f32[1,1,2]"),
      of(x({1, 1, 2}), x({2, 1, 1}), "!a grid of f32[2,1,1] for f32[1,1,2]"),
      of(x({1, 1, 0}), x({1, 1, 1}), "!an image of so many elements"),
      // Places are numbers of s32.
      of(x({1, 0, 1, INT32_MAX}), x({1, 1, 1, 2}), "f32[1,0,1,1]"),
      of(x({1, 0, 1, int64_t{INT32_MAX} + 1}), x({1, 1, 1, 2}), "!an image of so many elements"),
      of(x({2, 0, 1, INT32_MAX / 2}), x({2, 1, 1, 2}), "f32[2,0,1,1]"),
      of(x({2, 0, 1, INT32_MAX / 2 + 1}), x({2, 1, 1, 2}), "!an image of so many elements"),
      of(given(kS32, {1, 1, 2}), x({1, 1, 1}), "!element types (s32, f32) are not read"),
      of(x({1, 1, 2}), given(kS32, {1, 1, 1}), "!element types (f32, s32) are not read"),
      sampled({0}, {{"mode", "area"}}, "!mode is \"area\""),
      sampled({0}, {{"padding_mode", "wrap"}}, "!padding_mode is \"wrap\""),
  });
}

}  // namespace
}  // namespace hlocc::tests

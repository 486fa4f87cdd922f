// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR: where results lie between elements, by each way of
// counting, and sizes that no resize has.
#include "tflite/node.h"

namespace hlocc::tests {
namespace {

FlatFields corners(bool align, bool half) {
  using Fields = schema::ResizeBilinearOptions;
  return {flat<uint8_t>(Fields::align_corners, align),
          flat<uint8_t>(Fields::half_pixel_centers, half)};
}
FlatFields nearest(bool align, bool half) {
  using Fields = schema::ResizeNearestNeighborOptions;
  return {flat<uint8_t>(Fields::align_corners, align),
          flat<uint8_t>(Fields::half_pixel_centers, half)};
}
NodeTensor bytes(const Dimensions& sizes, const std::vector<double>& values) {
  return given(kS8, sizes, values, 0.5F, 3);
}
NodeTensor to_bytes(const Dimensions& sizes) { return gives(kS8, sizes, 0.5F, 3); }

TEST_CASE("TFLite's bilinear resize of reals") {
  const auto row = [] { return x({1, 1, 2, 1}, {0, 4}); };
  const auto column = [] { return x({1, 2, 1, 1}, {0, 4}); };
  check_nodes({
      {"RESIZE_BILINEAR",
       corners(false, false),
       {row(), n({1, 4})},
       {y({1, 1, 4, 1})},
       "f32[1,1,4,1] 0 2 4 4"},
      {"RESIZE_BILINEAR", {}, {row(), n({1, 4})}, {y({1, 1, 4, 1})}, "f32[1,1,4,1] 0 2 4 4"},
      {"RESIZE_BILINEAR",
       corners(true, false),
       {row(), n({1, 5})},
       {y({1, 1, 5, 1})},
       "f32[1,1,5,1] 0 1 2 3 4"},
      {"RESIZE_BILINEAR",
       corners(true, false),
       {row(), n({1, 2})},
       {y({1, 1, 2, 1})},
       "f32[1,1,2,1] 0 4"},
      {"RESIZE_BILINEAR",
       corners(true, false),
       {row(), n({1, 1})},
       {y({1, 1, 1, 1})},
       "f32[1,1,1,1] 0"},
      {"RESIZE_BILINEAR",
       corners(false, true),
       {x({1, 1, 4, 1}, {0, 4, 8, 12}), n({1, 2})},
       {y({1, 1, 2, 1})},
       "f32[1,1,2,1] 2 10"},
      {"RESIZE_BILINEAR",
       corners(false, false),
       {column(), n({4, 1})},
       {y({1, 4, 1, 1})},
       "f32[1,4,1,1] 0 2 4 4"},
      {"RESIZE_BILINEAR",
       corners(true, false),
       {column(), n({3, 2})},
       {y({1, 3, 2, 1})},
       "f32[1,3,2,1] 0 0 2 2 4 4"},
      {"RESIZE_BILINEAR",
       corners(true, false),
       {x({1, 2, 2, 1}), n({3, 3})},
       {y({1, 3, 3, 1})},
       "f32[1,3,3,1] 0 0.5 1 1 1.5 2 2 2.5 3"},
  });
}

TEST_CASE("TFLite's bilinear resize of bytes rounds halves away from zero") {
  check_nodes({
      {"RESIZE_BILINEAR",
       corners(true, false),
       {bytes({1, 1, 2, 1}, {0, 1}), n({1, 3})},
       {to_bytes({1, 1, 3, 1})},
       "s8[1,1,3,1] 0 1 1"},
      {"RESIZE_BILINEAR",
       corners(true, false),
       {bytes({1, 1, 2, 1}, {0, -1}), n({1, 3})},
       {to_bytes({1, 1, 3, 1})},
       "s8[1,1,3,1] 0 -1 -1"},
      {"RESIZE_BILINEAR",
       corners(true, false),
       {bytes({1, 1, 2, 1}, {0, 4}), n({1, 5})},
       {to_bytes({1, 1, 5, 1})},
       "s8[1,1,5,1] 0 1 2 3 4"},
      {"RESIZE_BILINEAR",
       corners(false, false),
       {bytes({1, 1, 2, 1}, {0, 4}), n({1, 4})},
       {to_bytes({1, 1, 4, 1})},
       "s8[1,1,4,1] 0 2 4 4"},
      {"RESIZE_BILINEAR",
       corners(true, false),
       {bytes({1, 1, 4, 1}, {0, 40, 80, 120}), n({1, 2})},
       {to_bytes({1, 1, 2, 1})},
       "s8[1,1,2,1] 0 120"},
      {"RESIZE_BILINEAR",
       corners(true, false),
       {bytes({1, 1, 2, 1}, {5, 9}), n({1, 1})},
       {to_bytes({1, 1, 1, 1})},
       "s8[1,1,1,1] 5"},
      {"RESIZE_BILINEAR",
       corners(false, true),
       {bytes({1, 1, 4, 1}, {0, 4, 8, 12}), n({1, 2})},
       {to_bytes({1, 1, 2, 1})},
       "s8[1,1,2,1] 2 10"},
      {"RESIZE_BILINEAR",
       {},
       {bytes({1, 1, 2, 1}, {127, 127}), n({1, 3})},
       {to_bytes({1, 1, 3, 1})},
       "s8[1,1,3,1] 127 127 127"},
  });
}

TEST_CASE("TFLite's nearest resize") {
  const auto row = [] { return x({1, 1, 3, 1}, {7, 8, 9}); };
  check_nodes({
      {"RESIZE_NEAREST_NEIGHBOR",
       nearest(false, false),
       {row(), n({1, 2})},
       {y({1, 1, 2, 1})},
       "f32[1,1,2,1] 7 8"},
      {"RESIZE_NEAREST_NEIGHBOR",
       nearest(false, true),
       {row(), n({1, 2})},
       {y({1, 1, 2, 1})},
       "f32[1,1,2,1] 7 9"},
      {"RESIZE_NEAREST_NEIGHBOR",
       nearest(true, false),
       {row(), n({1, 2})},
       {y({1, 1, 2, 1})},
       "f32[1,1,2,1] 7 9"},
      {"RESIZE_NEAREST_NEIGHBOR",
       nearest(true, false),
       {row(), n({1, 1})},
       {y({1, 1, 1, 1})},
       "f32[1,1,1,1] 7"},
      {"RESIZE_NEAREST_NEIGHBOR",
       nearest(true, false),
       {row(), n({1, 4})},
       {y({1, 1, 4, 1})},
       "f32[1,1,4,1] 7 8 8 9"},
      {"RESIZE_NEAREST_NEIGHBOR",
       nearest(true, false),
       {x({1, 1, 4, 1}), n({1, 2})},
       {y({1, 1, 2, 1})},
       "f32[1,1,2,1] 0 3"},
      {"RESIZE_NEAREST_NEIGHBOR",
       nearest(true, true),
       {row(), n({1, 1})},
       {y({1, 1, 1, 1})},
       "f32[1,1,1,1] 9"},
      {"RESIZE_NEAREST_NEIGHBOR",
       nearest(false, false),
       {row(), n({2, 4})},
       {y({1, 2, 4, 1})},
       "f32[1,2,4,1] 7 7 8 9 7 7 8 9"},
      {"RESIZE_NEAREST_NEIGHBOR",
       {},
       {bytes({1, 2, 1, 1}, {7, 8}), n({1, 1})},
       {to_bytes({1, 1, 1, 1})},
       "s8[1,1,1,1] 7"},
  });
}

TEST_CASE("TFLite's resizes refuse sizes, types and scales that no kernel takes") {
  const std::string range = "!sizes out of range";
  const auto with = [](const Dimensions& from, const NodeTensor& size) {
    return std::vector<NodeTensor>{x(from), size};
  };
  const auto resize = [](std::vector<NodeTensor> operands, NodeTensor result,
                         const std::string& answer) {
    return NodeRow{"RESIZE_NEAREST_NEIGHBOR", {}, std::move(operands), {std::move(result)}, answer};
  };
  const Dimensions one = {1, 1, 1, 1};
  check_nodes({
      resize(with(one, n({0, 1})), y(one), range),
      resize(with(one, n({1, 0})), y(one), range),
      resize(with(one, n({32768, 1})), y(one), range),
      resize(with(one, n({1, 32768})), y(one), range),
      resize(with(one, n({1, 1, 1})), y(one), range),
      resize(with(one, n({1})), y(one), range),
      resize(with({1, 0, 1, 1}, n({1, 1})), y(one), range),
      resize(with({1, 1, 0, 1}, n({1, 1})), y(one), range),
      resize(with({1, 32768, 1, 1}, n({1, 1})), y(one), range),
      resize(with({1, 1, 32768, 1}, n({1, 1})), y(one), range),
      resize(with({1, 32767, 1, 1}, n({1, 1})), y(one), "f32[1,1,1,1] 0"),
      resize(with({1, 1, 32767, 1}, n({1, 1})), y(one), "f32[1,1,1,1] 0"),
      resize(with({0, 1, 1, 1}, n({32767, 1})), y({0, 32767, 1, 1}), "f32[0,32767,1,1]"),
      resize(with({0, 1, 1, 1}, n({1, 32767})), y({0, 1, 32767, 1}), "f32[0,1,32767,1]"),
      resize({x({1, 1, 1}), n({1, 1})}, y(one), "!operand 0 (\"i0\") has 3 dimensions, not 4"),
      resize({x(one), given(kS32, {2})}, y(one),
             "!the size (operand 1, \"i1\") is computed when the model runs"),
      resize({x(one), constant(kF32, {2}, {1, 1})}, y(one), "!the size is no integer"),
      resize({x(one)}, y(one), "!has 1 operands, or lacks one"),
      resize({x(one), none}, y(one), "!has 2 operands, or lacks one"),
      resize({x(one), n({1, 1}), n({1, 1})}, y(one), "!has 3 operands"),
      resize(with(one, n({1, 1})), gives(kS8, one),
             "!no kernel for element types (FLOAT32, INT32) -> INT8"),
      resize({bytes(one, {1}), n({1, 1})}, gives(kS8, one, 0.25F, 3),
             "!a result of another scale than the operand"),
      resize({bytes(one, {1}), n({1, 1})}, gives(kS8, one, 0.5F, 2),
             "!a result of another scale than the operand"),
      {"RESIZE_BILINEAR",
       {},
       {given(kS32, one), n({1, 1})},
       {gives(kS32, one)},
       "!no kernel for element types (INT32, INT32) -> INT32"},
      {"RESIZE_BILINEAR",
       corners(true, true),
       {x({1, 1, 2, 1}), n({1, 3})},
       {y({1, 1, 3, 1})},
       "f32[1,1,3,1] 0 0.25 0.75"},
  });
}

}  // namespace
}  // namespace hlocc::tests

// ONNX's Resize: scales or sizes, for some dimensions or for all, and those that no array has.
#include "onnx/node.h"

namespace hlocc::tests {
namespace {

NodeOperand f(const std::vector<double>& values) {
  return constant(kF32, {static_cast<int64_t>(values.size())}, values);
}

TEST_CASE("ONNX Resize by scales and by sizes") {
  const auto v = [] { return x({2}, {0, 4}); };
  check_nodes({
      {"Resize", {v(), none, f({2})}, {}, "f32[4] 0 0 4 4"},
      {"Resize", {v(), none, none, n({4})}, {}, "f32[4] 0 0 4 4"},
      {"Resize", {v(), none, f({}), n({4})}, {}, "f32[4] 0 0 4 4"},
      {"Resize", {v(), none, f({0.5})}, {}, "f32[1] 0"},
      {"Resize", {v(), none, none, n({0})}, {}, "f32[0]"},
      {"Resize",
       {v(), none, none, n({0})},
       {{"mode", "linear"}, {"antialias", 1}},
       "f32[0]",
       1,
       18},
      {"Resize", {v(), none, f({1e-30})}, {{"mode", "cubic"}, {"antialias", 1}}, "f32[0]", 1, 18},
      {"Resize",
       {x({2, 2}), none, none, n({1, 0})},
       {{"mode", "linear"}, {"antialias", 1}},
       "f32[1,0]",
       1,
       18},
      {"Resize", {v(), none, none, n({4})}, {{"mode", "linear"}}, "f32[4] 0 1 3 4"},
      {"Resize",
       {v(), none, none, n({5})},
       {{"mode", "linear"}, {"coordinate_transformation_mode", "align_corners"}},
       "f32[5] 0 1 2 3 4"},
      {"Resize",
       {v(), none, f({2.5})},
       {{"mode", "linear"}, {"coordinate_transformation_mode", "align_corners"}},
       "f32[5] 0 1 2 3 4"},
      {"Resize",
       {v(), none, none, n({4})},
       {{"mode", "linear"}, {"coordinate_transformation_mode", "asymmetric"}},
       "f32[4] 0 2 4 4"},
      {"Resize", {v(), f({2})}, {}, "f32[4] 0 0 4 4", 1, 10},
      {"Resize",
       {given(kS32, {2}, {0, 4}), none, none, n({4})},
       {{"mode", "linear"}},
       "s32[4] 0 1 3 4"},
      {"Resize", {x({1, 2}, {0, 4}), none, none, n({4})}, {{"axes", L{1}}}, "f32[1,4] 0 0 4 4"},
      {"Resize", {x({1, 2}, {0, 4}), none, none, n({4})}, {{"axes", L{-1}}}, "f32[1,4] 0 0 4 4"},
      {"Resize",
       {x({1, 2}, {0, 4}), none, none, n({3, 4})},
       {{"keep_aspect_ratio_policy", "not_larger"}},
       "f32[2,4] 0 0 4 4 0 0 4 4"},
      {"Resize",
       {x({1, 2}, {0, 4}), none, none, n({1, 4})},
       {{"keep_aspect_ratio_policy", "not_smaller"}},
       "f32[2,4] 0 0 4 4 0 0 4 4"},
      // The word for the whole of the elements, and a region of them.
      {"Resize",
       {x({4}), f({0, 1}), none, n({4})},
       {{"coordinate_transformation_mode", "tf_crop_and_resize"}},
       "f32[4] 0 1 2 3"},
      {"Resize",
       {x({4}), f({1, 0}), none, n({4})},
       {{"coordinate_transformation_mode", "tf_crop_and_resize"}},
       "f32[4] 3 2 1 0"},
      {"Upsample", {v(), f({2})}, {}, "f32[4] 0 0 4 4", 1, 9},
  });
}

TEST_CASE("ONNX Resize's defaults before opset 11 and since") {
  const auto v = [] { return x({2}, {0, 4}); };
  const NodeAttribute linear{"mode", "linear"},
      asymmetric{"coordinate_transformation_mode", "asymmetric"};
  check_nodes({
      {"Resize", {v(), f({2})}, {linear}, "f32[4] 0 2 4 4", 1, 10},
      {"Resize", {v(), none, f({2})}, {linear}, "f32[4] 0 1 3 4", 1, 11},
      {"Resize", {v(), f({1.5})}, {}, "f32[3] 0 0 4", 1, 10},
      {"Resize", {v(), none, f({1.5})}, {asymmetric}, "f32[3] 0 4 4", 1, 11},
  });
}

TEST_CASE("ONNX Resize of a region, and of sizes that stay") {
  const auto v = [] { return x({2}, {0, 4}); };
  const NodeAttribute linear{"mode", "linear"}, antialias{"antialias", 1};
  const auto cropped = [](const NodeOperand& roi, const std::string& answer) {
    return NodeRow{"Resize",
                   {x({4}), roi, none, n({4})},
                   {{"coordinate_transformation_mode", "tf_crop_and_resize"}},
                   answer};
  };
  check_answers({
      cropped(none, "f32[4] 0 1 2 3"),
      cropped(f({0.5, 1}), "f32[4] 1 2 2 3"),
      cropped(f({0, 0.5}), "f32[4] 0 0 1 1"),
      cropped(f({0, 2}), "f32[4] 0 2 0 0"),
      // A region is nothing for other coordinates.
      {"Resize", {x({4}), f({1, 0}), none, n({4})}, {}, "f32[4] 0 1 2 3"},
      // As many elements by a scale that is not 1.
      {"Resize", {v(), none, f({1.25})}, {linear}, "f32[2] 0 2.8"},
      // A dimension that stays may be empty, and one of 2^24 elements is read.
      {"Resize", {x({1, 0}), none, none, n({1 << 24})}, {{"axes", L{0}}}, "f32[16777216,0]"},
      // Numbers that f32 lacks.
      {"Resize",
       {given(kS32, {1}, {16777217}), none, none, n({2})},
       {},
       "s32[2] 16777217 16777217"},
      {"Resize", {given(kF64, {2}, {0, 1e300}), none, none, n({1})}, {linear}, "f64[1] 5e+299"},
      // Tables of taps end at 2^24; the nearest element has none.
      {"Resize", {x({4097, 0}), none, none, n({4096})}, {{"axes", L{0}}, antialias}, "f32[4096,0]"},
      {"Resize",
       {x({4097, 0}), none, none, n({4096})},
       {{"axes", L{0}}, antialias, linear},
       "!windows so large"},
  });
}

TEST_CASE("ONNX Resize refuses words, scales and sizes that it does not have") {
  const auto v = [] { return x({2}, {0, 4}); };
  const auto word = [&](const char* name, const char* value, const std::string& answer) {
    return NodeRow{"Resize", {v(), none, f({2})}, {{name, value}}, answer};
  };
  constexpr int64_t kMost = 1 << 24;
  const std::string range = "!a scale out of range";
  check_answers({
      word("mode", "area", "!mode is \"area\""),
      word("coordinate_transformation_mode", "none", "!coordinate_transformation_mode is \"none\""),
      word("nearest_mode", "none", "!nearest_mode is \"none\""),
      {"Resize",
       {v(), none, none, n({4})},
       {{"keep_aspect_ratio_policy", "none"}},
       "!keep_aspect_ratio_policy is \"none\""},
      {"Resize", {v()}, {}, "!has neither scales nor sizes"},
      {"Resize", {v(), none, f({2, 2})}, {}, "!2 scales for 1 dimensions"},
      {"Resize", {v(), none, none, n({2, 2})}, {}, "!2 sizes for 1 dimensions"},
      {"Resize", {v(), none, f({0})}, {}, range},
      {"Resize", {v(), none, f({-1})}, {}, range},
      {"Resize", {v(), none, f({kMost / 2})}, {}, range},
      {"Resize", {v(), none, none, n({-1})}, {}, "!a size of -1"},
      {"Resize", {v(), none, none, n({kMost + 1})}, {}, "!a size of 16777217"},
      {"Resize", {x({0}), none, none, n({2})}, {}, "!an operand without elements"},
      {"Resize", {x({0}), none, none, n({0})}, {}, "!an operand without elements"},
      {"Resize",
       {v(), none, f({1.25})},
       {{"mode", "linear"}, {"coordinate_transformation_mode", "align_corners"}},
       "!align_corners with scales that give no whole size"},
      {"Resize",
       {v(), none, f({1.75})},
       {{"mode", "nearest"}, {"coordinate_transformation_mode", "align_corners"}},
       "f32[3] 0 0 4"},
      {"Resize",
       {v(), none, f({1.75})},
       {{"coordinate_transformation_mode", "align_corners"}},
       "f32[3] 0 0 4"},
      {"Resize",
       {v(), f({0, 1, 2}), none, n({4})},
       {{"coordinate_transformation_mode", "tf_crop_and_resize"}},
       "!a region for another number of dimensions"},
      {"Resize",
       {v(), none, none, n({4})},
       {{"axes", L{1}}},
       "!axis 1 of an array of 1 dimensions"},
      // A factor that one dimension may have is too much for another.
      {"Resize",
       {x({1024, 1, 0}), none, none, n({1024, kMost / 1024})},
       {{"axes", L{0, 1}}, {"keep_aspect_ratio_policy", "not_smaller"}},
       "f32[16777216,16384,0]"},
      {"Resize",
       {x({1024, 1, 0}), none, none, n({1024, kMost / 1024 + 1})},
       {{"axes", L{0, 1}}, {"keep_aspect_ratio_policy", "not_smaller"}},
       "!a scale out of range"},
      {"Resize",
       {x({1, 2}), none, none, n({kMost, 2})},
       {{"keep_aspect_ratio_policy", "not_smaller"}},
       "!a scale out of range"},
      {"Resize",
       {x({0}), none, none, n({2})},
       {{"keep_aspect_ratio_policy", "not_smaller"}},
       "!a scale out of range"},
  });
}

}  // namespace
}  // namespace hlocc::tests

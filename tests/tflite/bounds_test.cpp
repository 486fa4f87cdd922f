// TensorFlow Lite's operators at the bounds of what they compute: the last number on this side of
// each, and the first on that side.
#include "tflite/node.h"

namespace hlocc::tests {
namespace {

TEST_CASE("TFLite's RESHAPE and TILE, of sizes as great as there are") {
  const auto sizes = [](const Dimensions& list) {
    return NodeTensor{NodeTensor::kConstant,
                      import::literal_of(kS64, list, {static_cast<int64_t>(list.size())})};
  };
  constexpr int64_t kMost = INT32_MAX;
  check_nodes({
      {"RESHAPE", {}, {x({4}), sizes({-1, 2})}, {y({2, 2})}, "f32[2,2] 0 1 2 3"},
      // The product of the two is 2^64 - 1.
      {"RESHAPE",
       {},
       {x({4}), sizes({-1, (1LL << 32) + 1, (1LL << 32) - 1})},
       {y({4})},
       "!shape [-1,4294967297,4294967295] for 4 elements"},
      {"RESHAPE", {}, {x({0}), sizes({-1, kMost, 1})}, {y({0, kMost, 1})}, "f32[0,2147483647,1]"},
      // The result's own sizes, of as many elements.
      {"RESHAPE", {}, {x({0}), sizes({0})}, {y({0, 2})}, "f32[0,2]"},
      {"RESHAPE", {}, {x({0}), sizes({0})}, {y({kMost, 0})}, "f32[2147483647,0]"},
      {"RESHAPE",
       {},
       {x({0}), sizes({0})},
       {y({kMost, kMost, 0})},
       "!result \"y0\" has the shape [2147483647,2147483647,0], where the operator gives f32[0]"},
      {"TILE", {}, {x({0}), sizes({kMost})}, {y({0})}, "f32[0]"},
      {"TILE", {}, {x({0}), sizes({kMost + 1})}, {y({0})}, "!a multiple out of range"},
  });
}

TEST_CASE("TFLite's RESIZE_BILINEAR from corner to corner, to two") {
  const FlatFields corners = {flat<uint8_t>(schema::ResizeBilinearOptions::align_corners, true)};
  const Dimensions three = {1, 1, 3, 1}, two = {1, 1, 2, 1};
  check_nodes({
      {"RESIZE_BILINEAR", corners, {x(three, {7, 8, 9}), n({1, 2})}, {y(two)}, "f32[1,1,2,1] 7 9"},
      {"RESIZE_BILINEAR",
       corners,
       {given(kS8, three, {7, 8, 9}, 1), n({1, 2})},
       {gives(kS8, two, 1)},
       "s8[1,1,2,1] 7 9"},
  });
}

TEST_CASE("TFLite's RESIZE_BILINEAR reads no place beyond the operand") {
  const FlatFields both = {flat<uint8_t>(schema::ResizeBilinearOptions::align_corners, true),
                           flat<uint8_t>(schema::ResizeBilinearOptions::half_pixel_centers, true)};
  const std::string beyond = "!places beyond the operand";
  const auto resize = [&](const Dimensions& from, const Dimensions& size, const std::string& said) {
    return NodeRow{
        "RESIZE_BILINEAR", both, {x(from), n(size)}, {y({1, size[0], size[1], 1})}, said};
  };
  check_nodes({
      resize({1, 1, 3, 1}, {1, 2}, "f32[1,1,2,1] 0.5 2"),
      resize({1, 1, 4, 1}, {1, 2}, beyond),
      resize({1, 3, 1, 1}, {2, 1}, "f32[1,2,1,1] 0.5 2"),
      resize({1, 4, 1, 1}, {2, 1}, beyond),
  });
}

TEST_CASE("TFLite's splits, squeezes and axes at their bounds") {
  const FlatFields first = {flat_list<int32_t>(schema::SqueezeOptions::squeeze_dims, {0})};
  const std::string beyond = "!parts that reach beyond the operand", axis = "!has no one axis";
  const NodeTensor most = constant(kS64, {1}, {INT32_MAX}), three = x({3}), part = y({1});
  check_nodes({
      {"SPLIT", {}, {one(0), three}, {y({3})}, "f32[3] 0 1 2"},
      {"SPLIT", {}, {n({}), three}, {y({3})}, axis},
      {"SPLIT", {}, {n({0, 0}), three}, {y({3})}, axis},
      {"SPLIT_V", {}, {three, n({-1, 2}), one(0)}, {part, y({2})}, "f32[1] 0; f32[2] 1 2"},
      {"SPLIT_V", {}, {three, n({-1, 3}), one(0)}, {y({0}), y({3})}, "f32[0]; f32[3] 0 1 2"},
      {"SPLIT_V", {}, {three, n({-1, 4}), one(0)}, {part, part}, beyond},
      {"SPLIT_V", {}, {three, n({-1, 5}), one(0)}, {part, part}, beyond},
      {"SPLIT_V", {}, {three, most, one(0)}, {part}, beyond},
      {"SQUEEZE", first, {x({1, 2})}, {y({2})}, "f32[2] 0 1"},
      {"SQUEEZE", first, {x({0, 2})}, {y({2})}, "!dimension 0 is not 1"},
      {"EXPAND_DIMS", {}, {x({2}), n({})}, {y({2, 1})}, axis},
      // Scales of what is not quantised are left aside.
      {"GATHER", {}, {scaled(given(kF64, {2}), 1), n({1})}, {gives(kF64, {1}, 2)}, "f64[1] 1"},
  });
}

TEST_CASE("TFLite's DEQUANTIZE of floats that are narrow") {
  const auto half = [](PrimitiveType type, int64_t bits) {
    return NodeTensor{NodeTensor::kConstant, import::literal_of(type, {bits}, {1})};
  };
  check_nodes({
      {"DEQUANTIZE", {}, {half(kF16, 0x3e00)}, {y({1})}, "f32[1] 1.5"},
      {"DEQUANTIZE", {}, {half(kBF16, 0x3fc0)}, {y({1})}, "f32[1] 1.5"},
      {"DEQUANTIZE", {}, {x({1})}, {y({1})}, no_kernel + "(FLOAT32) -> FLOAT32"},
  });
}

TEST_CASE("TFLite's operators of many operands lack none") {
  const NodeTensor a = x({1}, {3}), b = x({1}, {4});
  const std::string lacks = "!lacks an operand";
  check_nodes({
      {"ADD_N", {}, {a}, {y({1})}, "f32[1] 3"},
      {"ADD_N", {}, {a, b, a}, {y({1})}, "f32[1] 10"},
      {"ADD_N", {}, {a, none}, {y({1})}, lacks},
      {"ADD_N", {}, {none, a}, {y({1})}, "!has 2 operands, or lacks one"},
      {"CONCATENATION", {}, {a, none}, {y({1})}, lacks},
      {"PACK", {}, {a, none}, {y({1})}, lacks},
  });
}

}  // namespace
}  // namespace hlocc::tests

// convolution with every kind of window, group and order of dimensions.
#include "lowering/harness.h"

namespace hlocc::tests {
namespace {

struct Side {
  int64_t size = 1, stride = 1, low = 0, high = 0, lhs_dilate = 1, rhs_dilate = 1;
  bool reversed = false;
  int64_t result(int64_t n) const {
    const int64_t padded = (n - 1) * lhs_dilate + 1 + low + high,
                  window = (size - 1) * rhs_dilate + 1;
    return padded < window ? 0 : (padded - window) / stride + 1;
  }
};

std::string window_text(const std::vector<Side>& sides) {
  std::string parts[6];
  const auto put = [](std::string& part, const std::string& text) {
    part += (part.empty() ? "" : "x") + text;
  };
  for (const Side& side : sides) {
    put(parts[0], std::to_string(side.size));
    put(parts[1], std::to_string(side.stride));
    put(parts[2], std::to_string(side.low) + "_" + std::to_string(side.high));
    put(parts[3], std::to_string(side.lhs_dilate));
    put(parts[4], std::to_string(side.rhs_dilate));
    put(parts[5], side.reversed ? "1" : "0");
  }
  return "{size=" + parts[0] + " stride=" + parts[1] + " pad=" + parts[2] +
         " lhs_dilate=" + parts[3] + " rhs_dilate=" + parts[4] + " rhs_reversal=" + parts[5] + "}";
}

// NHWC times HWIO, one or two spatial dimensions.
std::string convolution(const std::string& type, int64_t batch, const std::vector<int64_t>& input,
                        int64_t features, const std::vector<Side>& sides, int64_t outputs,
                        int64_t groups = 1, int64_t batch_groups = 1) {
  std::vector<int64_t> lhs{batch}, rhs, result{batch / batch_groups};
  for (size_t d = 0; d < sides.size(); ++d) {
    lhs.push_back(input[d]);
    rhs.push_back(sides[d].size);
    result.push_back(sides[d].result(input[d]));
  }
  lhs.push_back(features);
  rhs.insert(rhs.end(), {features / groups, outputs});
  result.push_back(outputs);
  const std::string labels = sides.size() == 1 ? "b0f_0io->b0f" : "b01f_01io->b01f";
  return "a = " + type + dims(lhs) + " parameter(0)\n b = " + type + dims(rhs) +
         " parameter(1)\n ROOT r = " + type + dims(result) +
         " convolution(a, b), window=" + window_text(sides) + ", dim_labels=" + labels +
         ", feature_group_count=" + std::to_string(groups) +
         ", batch_group_count=" + std::to_string(batch_groups);
}

}  // namespace

TEST_CASE("convolution with every window", "[lowering]") {
  for (int64_t size : {1, 2, 3})
    for (int64_t stride : {1, 2})
      for (int64_t low : {-1, 0, 2})
        for (int64_t high : {0, 1})
          for (int64_t lhs_dilate : {1, 2})
            for (int64_t rhs_dilate : {1, 2})
              agrees(convolution("f32", 2, {7}, 3,
                                 {{size, stride, low, high, lhs_dilate, rhs_dilate}}, 5),
                     (size + stride + low + high) % 3 == 0 ? Passes::kAll : Passes::kNone);
}

TEST_CASE("convolution of images", "[lowering]") {
  for (int64_t features : {1, 3, 4})
    for (int64_t outputs : {1, 4, 9})
      for (int64_t stride : {1, 2})
        agrees(convolution("f32", 1, {6, 5}, features, {{3, stride, 1, 1}, {2, stride, 0, 1}},
                           outputs));
  agrees(convolution("f32", 2, {4, 9}, 8, {{1}, {1}}, 17));
  agrees(convolution("f32", 1, {5, 5}, 2, {{3, 1, 1, 1, 1, 1, true}, {3, 1, 1, 1}}, 3));
  agrees(convolution("f32", 1, {2, 2}, 2, {{3}, {1}}, 3));
}

// Tiles meet the ends of a row and one another in every way: rows of each length, with one feature
// and with many.
TEST_CASE("convolution of rows of every length", "[lowering]") {
  for (int64_t features : {1, 4})
    for (int64_t width : {1, 2, 3, 5, 8, 13, 30}) {
      agrees(convolution("f32", 1, {3, width}, features, {{3, 1, 1, 1}, {3, 1, 1, 1}}, 5));
      agrees(convolution("f32", 1, {3, width}, features, {{2, 1, 1, 0}, {4, 2, 2, 2}}, 17));
      agrees(convolution("f32", 1, {2, width}, features, {{1}, {11, 1, 5, 5}}, 2));
      agrees(convolution("f32", 2, {width, 1}, features, {{1}, {1}}, 6));
      if (features == 1) continue;
      for (int64_t multiplier : {1, 2, 3, 8})
        agrees(convolution("f32", 1, {3, width}, features, {{3, 1, 1, 1}, {3, 2, 1, 1}},
                           features * multiplier, features));
    }
  agrees(convolution("f32", 3, {1, 1}, 4, {{1}, {1}}, 6));
}

TEST_CASE("convolution in groups", "[lowering]") {
  for (int64_t stride : {1, 2}) {
    // Depthwise, with and without a multiplier.
    for (int64_t features : {1, 3, 8, 11, 17, 28})
      for (int64_t multiplier : {1, 2, 3, 4})
        agrees(convolution("f32", 1, {5, 6}, features, {{3, stride, 1, 1}, {3, stride, 1, 1}},
                           features * multiplier, features));
    agrees(convolution("f32", 2, {5, 4}, 6, {{2, stride}, {3, stride, 1, 1}}, 9, 3));
    agrees(convolution("f32", 2, {5, 4}, 8, {{3, stride, 1, 1}, {3, stride, 1, 1}}, 8, 2));
    for (int64_t features : {2, 3, 11})
      for (int64_t multiplier : {1, 2, 3, 4})
        agrees_small(convolution("f32", 1, {5, 6}, features, {{3, stride, 1, 1}, {3, stride, 1, 1}},
                                 features * multiplier, features));
    // Features of a group that fill no vector, and those few that go along the inputs.
    for (int64_t outputs : {1, 2, 5, 9, 13})
      for (int64_t inputs : {3, 8, 19})
        agrees(convolution("f32", 1, {4, 9}, 3 * inputs, {{3, stride, 1, 1}, {2, stride, 1, 0}},
                           3 * outputs, 3));
    agrees(convolution("f32", 4, {5, 4}, 3, {{2, stride}, {3, stride, 1, 1}}, 6, 1, 2));
  }
}

TEST_CASE("convolution of every element type", "[lowering]") {
  for (const char* type : {"f64", "f16", "bf16", "s32", "s8", "u8", "c64"}) {
    agrees(convolution(type, 1, {5, 5}, 3, {{3, 1, 1, 1}, {3, 2, 1, 1}}, 5));
    agrees(convolution(type, 1, {5, 5}, 4, {{3, 1, 1, 1}, {3, 1, 1, 1}}, 4, 4));
  }
}

TEST_CASE("convolution of other orders and ranks", "[lowering]") {
  agrees(
      "a = f32[2,3,5,6] parameter(0)\n b = f32[4,3,2,3] parameter(1)\n ROOT r = f32[2,4,4,4] "
      "convolution(a, b), window={size=2x3},"
      " dim_labels=bf01_oi01->bf01");
  agrees(
      "a = f32[5,2,6,3] parameter(0)\n b = f32[2,3,4,3] parameter(1)\n ROOT r = f32[4,2,4,4] "
      "convolution(a, b), window={size=3x2},"
      " dim_labels=1b0f_1io0->1b0f");
  agrees(
      "a = f32[2,3] parameter(0)\n b = f32[3,4] parameter(1)\n ROOT r = f32[2,4] convolution(a, "
      "b), dim_labels=bf_io->bf");
  agrees(
      "a = f32[1,3,4,3,2] parameter(0)\n b = f32[2,2,2,2,3] parameter(1)\n ROOT r = f32[1,2,3,2,3] "
      "convolution(a, b),"
      " window={size=2x2x2}, dim_labels=b012f_012io->b012f");
  agrees(
      "a = f32[1,0,3] parameter(0)\n b = f32[2,3,4] parameter(1)\n ROOT r = f32[1,1,4] "
      "convolution(a, b), window={size=2 pad=1_1},"
      " dim_labels=b0f_0io->b0f");
}

}  // namespace hlocc::tests

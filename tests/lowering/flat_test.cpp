// Depthwise convolutions of few features along the line of a row: every width, filter and border,
// one feature and several, and the groups that must not be counted through.
#include "lowering/harness.h"

namespace hlocc::tests {
namespace {

std::string rows(int64_t width, int64_t features, int64_t taps, const std::string& window,
                 const std::string& type = "f32") {
  const std::string n = std::to_string(features);
  return "x = " + type + dims({2, 3, width, features}) +
         " parameter(0)\n w = " + constant({2, taps, 1, features}, type) + "\n ROOT r = " + type +
         dims({2, 3, width, features}) + " convolution(x, w), window={size=2x" +
         std::to_string(taps) + " pad=1_0x" + window +
         "}, dim_labels=b01f_01io->b01f, feature_group_count=" + n;
}

std::string signal(int64_t length, int64_t taps, const std::string& after) {
  const int64_t low = (taps - 1) / 2, high = taps - 1 - low;
  return "x = f32" + dims({1, length, 1}) + " parameter(0)\n w = f32" + dims({taps, 1, 1}) +
         " parameter(1)\n c = f32" + dims({1, length, 1}) +
         " convolution(x, w), window={size=" + std::to_string(taps) +
         " pad=" + std::to_string(low) + "_" + std::to_string(high) +
         "}, dim_labels=b0f_0io->b0f\n " + after;
}

}  // namespace

TEST_CASE("depthwise convolution of few features", "[lowering]") {
  for (int64_t features : {1, 2, 3, 5, 6, 7})
    for (int64_t width : {1, 4, 9, 16, 23, 40}) {
      agrees(rows(width, features, 3, "1_1"), Passes::kNone);
      agrees(rows(width, features, 4, "0_3"));
      agrees(rows(width, features, 3, "2_2 rhs_dilate=1x2"), Passes::kNone);
      agrees(rows(width, features, 12, "6_5"), Passes::kNone);
    }
  for (const char* type : {"f64", "f16", "bf16", "s32", "s8"}) agrees(rows(21, 3, 3, "1_1", type));
  CHECK(stores("repeated", rows(23, 3, 3, "1_1"), "cortex-a53"));
  CHECK(!stores("repeated", rows(23, 4, 3, "1_1"), "cortex-a53"));
  CHECK(!stores("repeated", rows(23, 3, 3, "1_1"), "cortex-m4f"));
}

TEST_CASE("filters over a signal", "[lowering]") {
  for (int64_t length : {1, 7, 16, 33, 100})
    for (int64_t taps : {1, 3, 8, 9, 31})
      agrees(signal(length, taps, "ROOT r = f32" + dims({1, length, 1}) + " negate(c)"));
  agrees(signal(50, 5,
                "k = f32[] parameter(2)\n s = f32[1,50,1] broadcast(k), dimensions={}\n ROOT r = "
                "f32[1,50,1] add(c, s)"));
  agrees(signal(50, 5,
                "k = f32[1] parameter(2)\n s = f32[1,50,1] broadcast(k), dimensions={2}\n ROOT r = "
                "f32[1,50,1] add(c, s)"));
  agrees(signal(50, 5,
                "k = f32[50] parameter(2)\n s = f32[1,50,1] broadcast(k), dimensions={1}\n ROOT r "
                "= f32[1,50,1] add(c, s)"));
  agrees(signal(50, 5, "ROOT r = f32[50] reshape(c)"));
  agrees(signal(50, 5, "ROOT r = f32[1,50,1] reverse(c), dimensions={1}"));
}

// A bias of several features is not one line's affair.
TEST_CASE("depthwise convolution of few features with a bias", "[lowering]") {
  agrees("x = f32[1,30,3] parameter(0)\n w = " + constant({3, 1, 3}) +
         "\n c = f32[1,30,3] convolution(x, w), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, "
         "feature_group_count=3\n"
         " k = f32[3] parameter(1)\n s = f32[1,30,3] broadcast(k), dimensions={2}\n ROOT r = "
         "f32[1,30,3] add(c, s)");
}

}  // namespace hlocc::tests

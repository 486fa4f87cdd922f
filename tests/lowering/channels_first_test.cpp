// Convolutions without company that keep their channels first: products of the filter with the
// picture, and planes of pixels.
#include "lowering/harness.h"

namespace hlocc::tests {
namespace {

std::string convolution(int64_t images, int64_t inputs, int64_t outputs, const std::string& filter,
                        const std::string& more = "", int64_t rows = 5, int64_t columns = 7) {
  return "x = f32" + dims({images, inputs, rows, columns}) + " parameter(0)\n w = " + filter +
         "\n ROOT r = f32" + dims({images, outputs, rows, columns}) +
         " convolution(x, w), window={size=1x1}, dim_labels=bf01_oi01->bf01" + more;
}

}  // namespace

TEST_CASE("1x1 convolutions are products with the picture", "[lowering]") {
  for (int64_t images : {1, 3})
    for (int64_t inputs : {1, 4, 9})
      for (int64_t outputs : {1, 5, 12}) {
        agrees(convolution(images, inputs, outputs, constant({outputs, inputs, 1, 1})));
        agrees(convolution(images, inputs, outputs,
                           "f32" + dims({outputs, inputs, 1, 1}) + " parameter(1)",
                           ", operand_precision={high,highest}"));
      }
  agrees(convolution(1, 2, 3, constant({3, 2, 1, 1}), "", 1, 1));
  // What follows and what comes before.
  agrees(
      "y = f32[2,6,4,5] parameter(0)\n b = f32[9] parameter(1)\n x = f32[2,6,4,5] negate(y)\n w "
      "= " +
      constant({9, 6, 1, 1}) +
      "\n s = f32[2,9,4,5] convolution(x, w), window={size=1x1}, dim_labels=bf01_oi01->bf01\n c = "
      "f32[2,9,4,5] broadcast(b), "
      "dimensions={1}\n ROOT r = f32[2,9,4,5] add(s, c)");
  // In company the transposes meet their inverse.
  agrees("x = f32[1,6,4,5] parameter(0)\n w = " + constant({9, 6, 1, 1}) +
         "\n v = " + constant({3, 9, 1, 1}) +
         "\n s = f32[1,9,4,5] convolution(x, w), window={size=1x1}, dim_labels=bf01_oi01->bf01\n "
         "ROOT r = f32[1,3,4,5] "
         "convolution(s, v), window={size=1x1}, dim_labels=bf01_oi01->bf01");
}

TEST_CASE("depthwise convolutions of planes", "[lowering]") {
  const auto planes = [](int64_t images, int64_t channels, int64_t multiplier, int64_t rows,
                         int64_t columns, int64_t high, int64_t wide, const std::string& window,
                         int64_t out_rows, int64_t out_columns, const std::string& filter = "") {
    return "x = f32" + dims({images, channels, rows, columns}) + " parameter(0)\n w = " +
           (filter.empty() ? constant({channels * multiplier, 1, high, wide}) : filter) +
           "\n ROOT r = f32" + dims({images, channels * multiplier, out_rows, out_columns}) +
           " convolution(x, w), window={size=" + std::to_string(high) + "x" + std::to_string(wide) +
           " " + window +
           "}, dim_labels=bf01_oi01->bf01, feature_group_count=" + std::to_string(channels);
  };
  for (int64_t rows : {1, 2, 7, 13})
    for (int64_t columns : {1, 3, 5, 8, 9, 17, 26}) {
      agrees(planes(2, 3, 1, rows, columns, 3, 3, "pad=1_1x1_1", rows, columns), Passes::kOnlyAll);
      agrees(planes(1, 2, 2, rows, columns, 5, 4, "pad=3_1x0_3", rows, columns), Passes::kOnlyAll);
      agrees(planes(1, 2, 1, rows, columns, 2, 3, "pad=1_2x3_3 rhs_dilate=2x3", rows + 1, columns),
             Passes::kOnlyAll);
      agrees(planes(1, 2, 1, rows, columns, 3, 1, "pad=1_1x0_0 stride=2x1", (rows - 1) / 2 + 1,
                    columns),
             Passes::kOnlyAll);
    }
  agrees(planes(1, 2, 1, 13, 26, 3, 3, "pad=0_0x0_0", 11, 24), Passes::kOnlyAll);
  // A filter of one infinite number must not meet the columns beside the picture; nor one that is
  // not known.
  agrees(planes(1, 2, 1, 5, 9, 1, 3, "pad=0_0x1_1", 5, 9,
                "f32[2,1,1,3] constant({{{{1,2,inf}}},{{{1,2,3}}}})"),
         Passes::kOnlyAll);
  agrees(planes(1, 2, 1, 5, 9, 3, 3, "pad=1_1x1_1", 5, 9, "f32[2,1,3,3] parameter(1)"),
         Passes::kOnlyAll);
  // One channel to several features, and what follows fused.
  agrees(
      "x = f32[2,1,9,11] parameter(0)\n b = f32[5] parameter(1)\n w = " + constant({5, 1, 3, 3}) +
      "\n s = f32[2,5,9,11] convolution(x, w), window={size=3x3 pad=1_1x1_1}, "
      "dim_labels=bf01_oi01->bf01\n c = f32[2,5,9,11] "
      "broadcast(b), dimensions={1}\n z = f32[] constant(0)\n o = f32[2,5,9,11] broadcast(z), "
      "dimensions={}\n a = f32[2,5,9,11] "
      "add(s, c)\n ROOT r = f32[2,5,9,11] maximum(a, o)");
}

TEST_CASE("convolutions of planes to few features", "[lowering]") {
  const auto planes = [](int64_t groups, int64_t inputs, int64_t outputs, int64_t rows,
                         int64_t columns, const std::string& window, int64_t high, int64_t wide,
                         int64_t out_rows) {
    return "x = f32" + dims({2, groups * inputs, rows, columns}) +
           " parameter(0)\n w = " + constant({groups * outputs, inputs, high, wide}) +
           "\n ROOT r = f32" + dims({2, groups * outputs, out_rows, columns}) +
           " convolution(x, w), window={size=" + std::to_string(high) + "x" + std::to_string(wide) +
           " " + window +
           "}, dim_labels=bf01_oi01->bf01, feature_group_count=" + std::to_string(groups);
  };
  // Every width with two numbers of inputs, in turn.
  for (int64_t outputs : {1, 3, 5, 10, 19})
    for (int64_t columns : {3, 8, 13, 26}) {
      const int64_t inputs = 2 + (outputs + columns) % 2;
      agrees(planes(1, inputs, outputs, 6, columns, "pad=1_1x1_1", 3, 3, 6), Passes::kOnlyAll);
      agrees(planes(2, inputs, outputs, 7, columns, "pad=2_2x1_3", 5, 5, 7), Passes::kOnlyAll);
      agrees(
          planes(1, inputs, outputs, 9, columns, "pad=1_0x2_2 stride=2x1 rhs_dilate=1x2", 2, 3, 5),
          Passes::kOnlyAll);
    }
  // What follows is fused.
  agrees(
      "x = f32[1,3,9,21] parameter(0)\n b = f32[5] parameter(1)\n w = " + constant({5, 3, 3, 3}) +
      "\n s = f32[1,5,9,21] convolution(x, w), window={size=3x3 pad=1_1x1_1}, "
      "dim_labels=bf01_oi01->bf01\n c = f32[1,5,9,21] "
      "broadcast(b), dimensions={1}\n ROOT a = f32[1,5,9,21] add(s, c)");
}

}  // namespace hlocc::tests

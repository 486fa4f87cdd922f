// Contractions of very few columns: lanes along the reduction give the same sums, at every length
// and border, and the steps that a vector sees twice are not added twice.
#include "lowering/harness.h"

namespace hlocc::tests {
namespace {

std::string convolution(int64_t width, int64_t features, int64_t outputs, const std::string& window,
                        int64_t taps) {
  return "x = f32" + dims({2, 3, width, features}) +
         " parameter(0)\n w = " + constant({3, taps, features, outputs}) + "\n ROOT r = f32" +
         dims({2, 3, width, outputs}) + " convolution(x, w), window={size=3x" +
         std::to_string(taps) + " pad=1_1x" + window + "}, dim_labels=b01f_01io->b01f";
}

}  // namespace

TEST_CASE("dot of few columns", "[lowering]") {
  for (int64_t columns : {1, 2, 3, 4, 5, 7})
    for (int64_t inner : {32, 64, 71, 77})
      for (int64_t rows : {1, 7, 13})
        agrees(dot_with_constant(rows, inner, columns), Passes::kNone);
  for (const char* type : {"f16", "bf16", "f64", "s32", "s8"})
    agrees(dot_with_constant(5, 70, 2, type), Passes::kNone);
  CHECK(stores("weight_rows", dot_with_constant(8, 64, 2), "cortex-a53"));
  CHECK(!stores("weight_rows", dot_with_constant(8, 64, 2), "cortex-m4f"));
  CHECK(stores("weight_rows", dot_with_constant(8, 64, 3), "cortex-a53"));
  CHECK(!stores("weight_rows", dot_with_constant(8, 64, 4), "cortex-a53"));
  CHECK(!stores("weight_rows", dot_with_constant(8, 16, 2), "cortex-a53"));
}

TEST_CASE("convolution to few features", "[lowering]") {
  for (int64_t features : {4, 6, 16})
    for (int64_t outputs : {1, 2, 3})
      for (int64_t width : {1, 2, 5, 13, 20}) {
        agrees(convolution(width, features, outputs, "1_1", 3), Passes::kNone);
        agrees(convolution(width, features, outputs, "4_4 rhs_dilate=1x2", 5), Passes::kNone);
        agrees(convolution(width, features, outputs, "4_5", 10), Passes::kNone);
      }
  CHECK(stores("weight_rows", convolution(13, 16, 1, "1_1", 3), "cortex-a53"));
}

// Where the core runs ahead: columns that would fill a small part of one more vector, in tiles of
// any width.
TEST_CASE("dot whose last columns go along the reduction", "[lowering]") {
  for (int64_t columns : {5, 6, 7, 9, 10, 11, 17, 25, 27})
    for (int64_t inner : {64, 77, 130})
      for (int64_t rows : {1, 4, 13})
        agrees(dot_with_constant(rows, inner, columns), Passes::kNone);
  agrees(dot_with_constant(5, 130, 9, "f64"), Passes::kNone);
  CHECK(stores("weight_rows", dot_with_constant(8, 64, 9), "wide"));
  CHECK(stores("panels", dot_with_constant(8, 64, 33), "wide"));
  CHECK(stores("weight_rows", dot_with_constant(8, 64, 33), "wide"));
  CHECK(!stores("weight_rows", dot_with_constant(8, 16, 12), "wide"));
  CHECK(!stores("weight_rows", dot_with_constant(8, 64, 9), "cortex-a53"));
  // What follows them is fused.
  agrees("x = f32[6,80] parameter(0)\n w = " + constant({80, 19}) +
         "\n b = f32[19] parameter(1)\n s = f32[6,19] dot(x, w), "
         "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n c = f32[6,19] broadcast(b), "
         "dimensions={1}\n ROOT r = f32[6,19] add(s, c)");
}

TEST_CASE("convolution whose last features go along the reduction", "[lowering]") {
  for (int64_t features : {8, 13, 16})
    for (int64_t outputs : {5, 7, 9, 17, 19})
      for (int64_t width : {1, 5, 13}) {
        agrees(convolution(width, features, outputs, "0_1", 2), Passes::kNone);
        agrees(convolution(width, features, outputs, "2_2", 5), Passes::kNone);
      }
  CHECK(stores("weight_rows", convolution(13, 16, 17, "2_2", 5), "wide"));
}

TEST_CASE("few columns in small code", "[lowering]") {
  for (int64_t columns : {1, 3, 5, 9}) agrees_small(dot_with_constant(5, 77, columns));
}

TEST_CASE("known filters of groups", "[lowering]") {
  const auto grouped = [](int64_t groups, int64_t inputs, int64_t outputs) {
    return "x = f32" + dims({1, 4, 7, groups * inputs}) +
           " parameter(0)\n w = " + constant({2, 3, inputs, groups * outputs}) + "\n ROOT r = f32" +
           dims({1, 4, 7, groups * outputs}) +
           " convolution(x, w), window={size=2x3 pad=1_0x1_1}, dim_labels=b01f_01io->b01f, "
           "feature_group_count=" +
           std::to_string(groups);
  };
  for (int64_t groups : {2, 5})
    for (int64_t inputs : {4, 8, 17})
      for (int64_t outputs : {1, 2, 5, 8, 11, 20})
        agrees(grouped(groups, inputs, outputs), Passes::kNone);
  CHECK(stores("panels", grouped(3, 17, 11), "wide"));
  CHECK(stores("weight_rows", grouped(3, 17, 2), "wide"));
  CHECK(stores("weight_rows", grouped(3, 17, 2), "cortex-a53"));
}

// The last vector of a reduction begins before what is left of it: lanes that were added before
// meet zeros on both sides.
TEST_CASE("infinite weights meet no padding", "[lowering]") {
  agrees(
      "x = f32[2,6] parameter(0)\n w = f32[6,1] constant({{1},{2},{inf},{4},{5},{6}})\n ROOT r = "
      "f32[2,1] dot(x, w), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
}

}  // namespace hlocc::tests

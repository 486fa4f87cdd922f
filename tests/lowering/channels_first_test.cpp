// Convolutions without company that keep their channels first: products of the filter with the picture, and planes of pixels.
#include "lowering/harness.h"

namespace hlocc::tests {
namespace {

std::string convolution(int64_t images, int64_t inputs, int64_t outputs, const std::string& filter, const std::string& more = "",
                        int64_t rows = 5, int64_t columns = 7) {
  return "x = f32" + dims({images, inputs, rows, columns}) + " parameter(0)\n w = " + filter + "\n ROOT r = f32" +
         dims({images, outputs, rows, columns}) + " convolution(x, w), window={size=1x1}, dim_labels=bf01_oi01->bf01" + more;
}

}  // namespace

TEST_CASE("1x1 convolutions are products with the picture", "[lowering]") {
  for (int64_t images : {1, 3})
    for (int64_t inputs : {1, 4, 9})
      for (int64_t outputs : {1, 5, 12}) {
        agrees(convolution(images, inputs, outputs, constant({outputs, inputs, 1, 1})));
        agrees(convolution(images, inputs, outputs, "f32" + dims({outputs, inputs, 1, 1}) + " parameter(1)", ", operand_precision={high,highest}"));
      }
  agrees(convolution(1, 2, 3, constant({3, 2, 1, 1}), "", 1, 1));
  // What follows and what comes before.
  agrees("y = f32[2,6,4,5] parameter(0)\n b = f32[9] parameter(1)\n x = f32[2,6,4,5] negate(y)\n w = " + constant({9, 6, 1, 1}) +
         "\n s = f32[2,9,4,5] convolution(x, w), window={size=1x1}, dim_labels=bf01_oi01->bf01\n c = f32[2,9,4,5] broadcast(b), "
         "dimensions={1}\n ROOT r = f32[2,9,4,5] add(s, c)");
  // In company the transposes meet their inverse.
  agrees("x = f32[1,6,4,5] parameter(0)\n w = " + constant({9, 6, 1, 1}) + "\n v = " + constant({3, 9, 1, 1}) +
         "\n s = f32[1,9,4,5] convolution(x, w), window={size=1x1}, dim_labels=bf01_oi01->bf01\n ROOT r = f32[1,3,4,5] "
         "convolution(s, v), window={size=1x1}, dim_labels=bf01_oi01->bf01");
}

}  // namespace hlocc::tests

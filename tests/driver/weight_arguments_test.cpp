// Which arguments are weights (pipeline/weight_arguments.h), by the words of small modules: a product
// with each side, views, calls, batches, filters, elements of tuples.
#include "driver/pipeline/weight_arguments.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "driver/text_module.h"
#include "ops/check/verifier.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

std::vector<int> weights_of(const std::string& parameters, const std::string& body) {
  const std::string text =
      cat("HloModule m\nf { fx = f32[4,4] parameter(0)\n fw = f32[4,4] parameter(1)\n",
          " ROOT fd = f32[4,4] dot(fx, fw), lhs_contracting_dims={1}, ",
          "rhs_contracting_dims={0} }\nENTRY e {\n", parameters, body, "}\n");
  INFO(text);
  const hlo::Module module = module_of_text(text);
  REQUIRE(ops::verify(module).ok());
  return weight_arguments(module);
}

TEST_CASE("an argument is weights by what it enters, and by nothing else") {
  const std::string xw = " x = f32[4,4] parameter(0)\n w = f32[4,4] parameter(1)\n",
                    xwv = xw + " v = f32[4,4] parameter(2)\n",
                    dims = ", lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
                    y = " y = f32[4,4] sine(x)\n";
  using Leaves = std::vector<int>;
  CHECK(weights_of(xw, y + " ROOT d = f32[4,4] dot(y, w)" + dims) == Leaves{1});
  CHECK(weights_of(xw, y + " ROOT d = f32[4,4] dot(w, y)" + dims) == Leaves{1});
  // Two arguments that meet: nothing says which.
  CHECK(weights_of(xw, " ROOT d = f32[4,4] dot(x, w)" + dims).empty());
  // The side of the others says it.
  CHECK(weights_of(xwv, " d = f32[4,4] dot(x, w)" + dims + " ROOT e = f32[4,4] dot(d, v)" + dims) ==
        Leaves{1, 2});
  CHECK(weights_of(xwv, " d = f32[4,4] dot(w, x)" + dims + " ROOT e = f32[4,4] dot(v, d)" + dims) ==
        Leaves{1, 2});
  CHECK(weights_of(xwv, " d = f32[4,4] dot(x, w)" + dims + " a = f32[4,4] dot(d, v)" + dims +
                            " ROOT e = f32[4,4] dot(v, a)" + dims) == Leaves{2});
  // Another use, or a result: no weights.
  CHECK(weights_of(xw, y + " d = f32[4,4] dot(y, w)" + dims + " ROOT s = f32[4,4] add(d, w)\n")
            .empty());
  CHECK(weights_of(xw, y + " d = f32[4,4] dot(y, w)" + dims +
                           " ROOT t = (f32[4,4], f32[4,4]) tuple(d, w)\n")
            .empty());
  // Views are looked through.
  for (const char* view :
       {" v = f32[4,4] transpose(w), dimensions={1,0}\n", " v = f32[4,4] copy(w)\n",
        " v = f32[4,4] reverse(w), dimensions={0}\n", " v = f32[4,4] reshape(w)\n",
        " v = f32[4,4] bitcast(w)\n", " v = f32[4,4] convert(w)\n",
        " v = f32[4,4] broadcast(w), dimensions={0,1}\n"})
    CHECK(weights_of(xw, y + view + " ROOT d = f32[4,4] dot(y, v)" + dims) == Leaves{1});
  CHECK(weights_of(xw, y + " v = f32[4,4] negate(w)\n ROOT d = f32[4,4] dot(y, v)" + dims).empty());
  // Nothing varies beside a constant.
  CHECK(weights_of(xw, " c = f32[4,4] iota(), iota_dimension=0\n d = f32[4,4] dot(c, w)" + dims +
                           " ROOT s = f32[4,4] add(d, x)\n")
            .empty());
  // Calls are looked into.
  CHECK(weights_of(xw, y + " ROOT d = f32[4,4] call(y, w), to_apply=f\n") == Leaves{1});
  // Batches: a product of two arrays that vary with it.
  CHECK(weights_of(" x = f32[2,4,4] parameter(0)\n w = f32[2,4,4] parameter(1)\n",
                   " y = f32[2,4,4] sine(x)\n ROOT d = f32[2,4,4] dot(y, w), lhs_batch_dims={0}, "
                   "rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}\n")
            .empty());
  const std::string image = " x = f32[1,8,8,2] parameter(0)\n k = f32[3,3,2,4] parameter(1)\n",
                    conv = "convolution(x, k), window={size=3x3}, dim_labels=b01f_01io->b01f\n";
  CHECK(weights_of(image, " ROOT c = f32[1,6,6,4] " + conv) == Leaves{1});
  // Behind filters, two arguments that meet are an input on the left.
  CHECK(weights_of(image + " a = f32[4,4] parameter(2)\n b = f32[4,4] parameter(3)\n",
                   " c = f32[1,6,6,4] " + conv + " d = f32[4,4] dot(a, b)" + dims +
                       " ROOT t = (f32[1,6,6,4], f32[4,4]) tuple(c, d)\n") == Leaves{1, 3});
  // An element of a tuple is the leaf.
  CHECK(weights_of(" x = f32[4,4] parameter(0)\n p = (f32[4], (f32[4], f32[4,4])) parameter(1)\n",
                   y +
                       " q = (f32[4], f32[4,4]) get-tuple-element(p), index=1\n"
                       " w = f32[4,4] get-tuple-element(q), index=1\n ROOT d = f32[4,4] dot(y, w)" +
                       dims) == Leaves{3});
  // A model's only argument is its input.
  CHECK(weights_of(" w = f32[4,4] parameter(0)\n", " ROOT d = f32[4,4] dot(w, w)" + dims).empty());
}

}  // namespace
}  // namespace hlocc::driver

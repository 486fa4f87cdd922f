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

const std::string kProduct = ", lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
                  kSine = " y = f32[4,4] sine(x)\n";

TEST_CASE("the first argument may be the weights, and what was computed is none") {
  using Leaves = std::vector<int>;
  const std::string wx = " w = f32[4,4] parameter(0)\n x = f32[4,4] parameter(1)\n";
  CHECK(weights_of(wx, kSine + " ROOT d = f32[4,4] dot(y, w)" + kProduct) == Leaves{0});
  CHECK(weights_of(wx, kSine + " ROOT d = f32[4,4] dot(w, y)" + kProduct) == Leaves{0});
  CHECK(weights_of(wx, " ROOT d = f32[4,4] dot(x, w)" + kProduct).empty());
  const std::string pair = " p = (f32[4,4], f32[4,4]) parameter(0)\n x = f32[4,4] parameter(1)\n",
                    first = " w = f32[4,4] get-tuple-element(p), index=0\n";
  CHECK(weights_of(pair, kSine + first + " ROOT d = f32[4,4] dot(y, w)" + kProduct) == Leaves{0});
  // An element of a tuple that was computed is no leaf.
  CHECK(weights_of(wx, kSine + " t = (f32[4,4], f32[4,4]) tuple(y, y)\n" +
                           " g = f32[4,4] get-tuple-element(t), index=1\n" +
                           " ROOT d = f32[4,4] dot(y, g)" + kProduct)
            .empty());
  CHECK(weights_of(" k = f32[3,3,2,4] parameter(0)\n x = f32[1,8,8,2] parameter(1)\n",
                   " ROOT c = f32[1,6,6,4] convolution(x, k), window={size=3x3}, "
                   "dim_labels=b01f_01io->b01f\n") == Leaves{0});
  // On the left, too, nothing varies beside a constant.
  CHECK(weights_of(wx, " c = f32[4,4] iota(), iota_dimension=0\n d = f32[4,4] dot(w, c)" +
                           kProduct + " ROOT s = f32[4,4] add(d, x)\n")
            .empty());
}

TEST_CASE("which side has the weights is counted where it is known") {
  using Leaves = std::vector<int>;
  const std::string four =
      " x = f32[4,4] parameter(0)\n w = f32[4,4] parameter(1)\n a = f32[4,4] parameter(2)\n b = "
      "f32[4,4] parameter(3)\n";
  const std::string open = " d = f32[4,4] dot(a, b)" + kProduct;
  const auto product = [](const char* name, const char* left, const char* right) {
    return cat(" ", name, " = f32[4,4] dot(", left, ", ", right, ")", kProduct);
  };
  const auto rooted = [](const std::string& names) {
    const size_t count = split(names, ',').size();
    std::string shapes;
    for (size_t i = 0; i < count; ++i) shapes += i == 0 ? "f32[4,4]" : ", f32[4,4]";
    return cat(" ROOT t = (", shapes, ") tuple(", names, ")\n");
  };
  // Two of what was computed say nothing.
  CHECK(weights_of(four, kSine + open + product("e", "y", "y") + rooted("d, e")).empty());
  CHECK(weights_of(four, kSine + open + product("e", "y", "w") + rooted("d, e")) == Leaves{1, 3});
  CHECK(weights_of(four, kSine + open + product("e", "w", "y") + rooted("d, e")) == Leaves{1, 2});
  // As often on the one side as on the other.
  CHECK(weights_of(four, kSine + open + product("e", "w", "y") + product("f", "y", "w") +
                             rooted("d, e, f")) == Leaves{1});
  // Filters count while no product has its weights on the left.
  const std::string image =
      four + " i = f32[1,8,8,2] parameter(4)\n k = f32[3,3,2,4] parameter(5)\n";
  const std::string filtered =
      " c = f32[1,6,6,4] convolution(i, k), window={size=3x3}, dim_labels=b01f_01io->b01f\n";
  const std::string result = " ROOT t = (f32[1,6,6,4], f32[4,4], f32[4,4]) tuple(c, d, e)\n";
  CHECK(weights_of(image, kSine + filtered + open + product("e", "w", "y") + result) ==
        Leaves{1, 2, 5});
  CHECK(weights_of(image, kSine + filtered + open + product("e", "y", "y") + result) ==
        Leaves{3, 5});
}

TEST_CASE("calls are looked into, sixteen deep") {
  for (const int depth : {16, 17}) {
    std::string text =
        "HloModule m\nf0 { fx = f32[4,4] parameter(0)\n fw = f32[4,4] parameter(1)\n"
        " ROOT fd = f32[4,4] dot(fx, fw)" +
        kProduct + "}\n";
    for (int i = 1; i < depth; ++i)
      text += cat("f", i, " { fx = f32[4,4] parameter(0)\n fw = f32[4,4] parameter(1)\n",
                  " ROOT fd = f32[4,4] call(fx, fw), to_apply=f", i - 1, " }\n");
    text += cat("ENTRY e {\n x = f32[4,4] parameter(0)\n w = f32[4,4] parameter(1)\n", kSine,
                " ROOT d = f32[4,4] call(y, w), to_apply=f", depth - 1, "\n}\n");
    INFO(depth);
    CHECK(weight_arguments(module_of_text(text)).empty() == (depth == 17));
  }
}

TEST_CASE("weights that a run writes are none, and a module of nothing has none") {
  const auto weights = [](const char* alias) {
    return weight_arguments(module_of_text(
        cat("HloModule m", alias, "\nENTRY e {\n x = f32[4,4] parameter(0)\n w = f32[4,4] ",
            "parameter(1)\n", kSine, " ROOT d = f32[4,4] dot(y, w)", kProduct, "}\n")));
  };
  CHECK(weights("") == std::vector<int>{1});
  CHECK(weights(", input_output_alias={ {}: (1, {}, must-alias) }").empty());
  CHECK(weights(", input_output_alias={ {}: (0, {}, must-alias) }") == std::vector<int>{1});
  CHECK(weight_arguments(hlo::Module()).empty());
}

TEST_CASE("a note names the arguments that are weights, one or several") {
  const auto note = [](const std::string& body) {
    return note_of_weight_arguments(module_of_text(cat(
        "HloModule m\nENTRY e {\n x = f32[4,4] parameter(0)\n w = f32[4,4] parameter(1)\n",
        " v = f32[4,4] parameter(2)\n", kSine, " d = f32[4,4] dot(y, w)", kProduct, body, "}\n")));
  };
  CHECK(note(" ROOT s = f32[4,4] add(d, v)\n")
            .starts_with("the argument w is weights that every run is given, in RAM; "));
  CHECK(note(" ROOT e = f32[4,4] dot(d, v)" + kProduct)
            .starts_with("the arguments w, v are weights that every run is given, in RAM; "));
  CHECK(note(" n = f32[4,4] add(w, v)\n ROOT s = f32[4,4] add(d, n)\n").empty());
}

}  // namespace
}  // namespace hlocc::driver

// Functions of chlo: numbers of the interpreter's beside those that mpmath gives to more digits
// (erfc, erfinv, gamma, zeta, polygamma, besseli, at the numbers as they are rounded), and which
// types they compute in.
#include <cmath>
#include <limits>

#include "import/build/numbers.h"
#include "stablehlo/programs.h"
#include "support/model_values.h"

namespace hlocc::tests {
namespace {

using Reals = std::vector<double>;

// What a function gives of these operands, each a list of as many numbers, rounded to a type.
Reals values_of(std::string_view op, std::string_view type, const std::vector<Reals>& operands) {
  std::string arguments, converted, names, types;
  std::vector<Literal> values;
  const auto count = static_cast<int64_t>(operands[0].size());
  const std::string wide = cat("tensor<", count, "xf64>"),
                    narrow = cat("tensor<", count, "x", type, ">");
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::string_view comma = i > 0 ? ", " : "";
    arguments += cat(comma, "%a", i, ": ", wide);
    converted += cat("%b", i, " = stablehlo.convert %a", i, " : (", wide, ") -> ", narrow, "\n");
    names += cat(comma, "%b", i);
    types += cat(comma, narrow);
    values.push_back(import::literal_of_reals(kF64, operands[i], {count}));
  }
  const Result<hlo::Module> module = read_program(
      cat("func.func @main(", arguments, ") -> ", wide, " {\n", converted, "%c = chlo.", op, " ",
          names, " : ", types, " -> ", narrow, "\n%d = stablehlo.convert %c : (", narrow, ") -> ",
          wide, "\nreturn %d : ", wide, "\n}\n"));
  INFO((module ? "" : module.error().to_string()));
  REQUIRE(module);
  Result<Literal> result = driver::execute(*module, values, "interpreter", {});
  REQUIRE(result);
  return *import::reals_of(*result);
}

void check_values(std::string_view op, std::string_view type, const std::vector<Reals>& operands,
                  const Reals& expected, double tolerance) {
  const Reals given = values_of(op, type, operands);
  REQUIRE(given.size() == expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    INFO(op << " " << type << " of " << operands[0][i] << ": " << given[i]);
    CHECK(std::abs(given[i] - expected[i]) <= tolerance * std::max(std::abs(expected[i]), 1e-40));
  }
}

TEST_CASE("inverse and hyperbolic functions of chlo") {
  const auto both = [](const char* op, const Reals& x, const Reals& y) {
    check_values(op, "f32", {x}, y, 1e-6);
    check_values(op, "f64", {x}, y, 2e-15);
  };
  both("asin", {-1, -0.5, 0.25}, {-1.5707963267948966, -0.52359877559829887, 0.25268025514207865});
  both("acos", {-0.5, 0.25, 1}, {2.0943951023931955, 1.318116071652818, 0.0});
  both("atan", {-2, 0.5, 10}, {-1.1071487177940905, 0.46364760900080612, 1.4711276743037346});
  both("sinh", {-3, 0.5, 2}, {-10.017874927409902, 0.52109530549374736, 3.6268604078470188});
  both("cosh", {-3, 0.5, 2}, {10.067661995777766, 1.1276259652063808, 3.7621956910836315});
  both("asinh", {-2, 0.5, 1e20}, {-1.4436354751788103, 0.48121182505960345, 46.744849040440859});
  both("acosh", {1, 1.5, 1e20}, {0.0, 0.96242365011920689, 46.744849040440859});
  both("atanh", {-0.5, 0.25, 0.75},
       {-0.54930614433405485, 0.25541281188299534, 0.97295507452765665});
}

TEST_CASE("error functions of chlo and its Bessel function") {
  const Reals x = {-2.5, -0.5, 0.25, 1, 1.5, 3, 7, 9},
              erfc = {1.999593047982555,      1.5204998778130465,    0.72367360983176307,
                      0.15729920705028513,    0.033894853524689273,  2.2090496998585441e-5,
                      4.1838256077794144e-23, 4.1370317465138102e-37};
  check_values("erfc", "f32", {x}, erfc, 2e-5);
  check_values("erfc", "f64", {x}, erfc, 1e-14);
  check_values("erf_inv", "f32", {{-0.5, 0.25, 0.9, 0.999, 0.9999999}},
               {-0.476936276, 0.225312055, 1.16308707, 2.32675633, 3.74392116}, 2e-6);
  check_values("erf_inv", "f64", {{-0.5, 0.25, 0.9, 0.999}},
               {-0.47693627620446987, 0.2253120550121781, 1.1630871536766742, 2.3267537655135245},
               1e-14);
  // The formula takes 1 - x^2, which loses digits near 1.
  check_values("erf_inv", "f64", {{0.9999999, 0.99999999}},
               {3.7665625816384709, 4.0522372432687634}, 1e-10);
  const Reals at = {-3, 0.5, 2, 8, 9, 40},
              bessel = {-0.19682671329730085, 0.1564208031848717,  0.21526928924893766,
                        0.13414249329269818,  0.12722498393589121, 0.062482229074442061};
  check_values("bessel_i1e", "f32", {at}, bessel, 1e-6);
  check_values("bessel_i1e", "f64", {at}, bessel, 1e-14);
}

TEST_CASE("gamma functions of chlo") {
  const Reals x = {-2.5, -0.25, 0.25, 0.5, 3.5, 30},
              lgamma = {-0.056243716497674051, 1.589575312551186,  1.2880225246980775,
                        0.57236494292470009,   1.2009736023470742, 71.257038967168009},
              digamma = {1.1031566406452432,  2.9141391202135278, -4.2274535333762654,
                         -1.9635100260214235, 1.1031566406452432, 3.3844381326855249};
  check_values("lgamma", "f32", {x}, lgamma, 2e-5);
  check_values("lgamma", "f64", {x}, lgamma, 2e-13);
  check_values("digamma", "f32", {x}, digamma, 4e-6);
  check_values("digamma", "f64", {x}, digamma, 1e-13);
  const std::vector<Reals> at = {{2, 1.5, 3, 20}, {1, 2.5, 0.25, 1.5}};
  const Reals zeta = {1.6449340668482264, 1.4037797688568258, 64.66386996876846,
                      0.00030073966816718435};
  check_values("zeta", "f32", at, zeta, 4e-6);
  check_values("zeta", "f64", at, zeta, 1e-14);
  check_values("zeta", "f16", {{2, 3}, {1, 0.25}}, {1.6449340668, 64.66386997}, 1e-3);
  const std::vector<Reals> orders = {{0, 1, 2, 3}, {1, 1, 0.5, 2.5}};
  const Reals polygamma = {-0.57721566490153286, 1.6449340668482264, -16.82879664423432,
                           0.22390584881725205};
  check_values("polygamma", "f32", orders, polygamma, 4e-5);
  check_values("polygamma", "f64", orders, polygamma, 1e-13);
}

TEST_CASE("the neighbour of a number towards another") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Reals x = {1, 1, -1, 0, 0, 1, kInfinity}, y = {2, 0, 2, 1, -1, 1, 0};
  Reals f32, f64;
  for (size_t i = 0; i < x.size(); ++i) {
    f32.push_back(std::nextafter(static_cast<float>(x[i]), static_cast<float>(y[i])));
    f64.push_back(std::nextafter(x[i], y[i]));
  }
  CHECK(values_of("next_after", "f32", {x, y}) == f32);
  CHECK(values_of("next_after", "f64", {x, y}) == f64);
  const std::vector<Reals> some = {{1, 1, -1}, {2, 0, 0}};
  CHECK(values_of("next_after", "f16", some) == Reals{1 + 0x1p-10, 1 - 0x1p-11, -1 + 0x1p-11});
  CHECK(values_of("next_after", "bf16", some) == Reals{1 + 0x1p-7, 1 - 0x1p-8, -1 + 0x1p-8});
  CHECK(values_of("next_after", "f8E4M3FN", some) == Reals{1.125, 0.9375, -0.9375});
  CHECK(std::isnan(values_of("next_after", "f32", {{std::nan("")}, {1}})[0]));
  CHECK(std::isnan(values_of("next_after", "f32", {{1}, {std::nan("")}})[0]));
}

TEST_CASE("numbers of fewer bits are computed in 32 where the formula says so") {
  const auto root = [](std::string_view op, std::string_view type) {
    const Result<hlo::Module> module =
        read_op(type, type, cat("chlo.", op, " %a : tensor<", type, "> -> tensor<", type, ">"));
    if (!module) return module.error().message.substr(0, module.error().message.find(" ("));
    std::string text = root_of(*module);
    return text.substr(0, text.find('('));
  };
  CHECK(root("asin", "f16") == "f16[] add");
  CHECK(root("asin", "f32") == "f32[] add");
  CHECK(root("asin", "f64") == "f64[] add");
  CHECK(root("asin", "complex<f32>") == "c64[] asin");
  CHECK(root("acosh", "f16") == "f16[] select");
  CHECK(root("sinh", "f16") == "f16[] convert");
  CHECK(root("sinh", "f32") == "f32[] select");
  CHECK(root("sinh", "f64") == "f64[] select");
  CHECK(root("lgamma", "bf16") == "bf16[] convert");
  CHECK(root("lgamma", "f64") == "f64[] select");
  CHECK(root("lgamma", "complex<f32>") == "chlo.lgamma: takes floating-point numbers");
  CHECK(root("asin", "i32") == "chlo.asin: takes floating-point numbers");
  CHECK(root("conj", "f32") == "f32[] parameter");
  CHECK(root("conj", "complex<f32>") == "c64[] complex");
  CHECK(root("square", "i32") == "s32[] multiply");
  check_refused({{"i32 i32", "i32", "chlo.zeta %a, %b : tensor<i32>, tensor<i32> -> tensor<i32>",
                  "chlo.zeta: takes floating-point numbers of one type"},
                 {"f32 f64", "f32", "chlo.zeta %a, %b : tensor<f32>, tensor<f64> -> tensor<f32>",
                  "chlo.zeta: takes floating-point numbers of one type"}});
}

TEST_CASE("what asks for infinity or a neighbour takes floating-point numbers") {
  const std::string_view floats = "takes floating-point numbers";
  for (const char* op : {"is_inf", "is_pos_inf", "is_neg_inf"}) {
    check_refused(
        {{"i32", "i1", cat("chlo.", op, " %a : tensor<i32> -> tensor<i1>"),
          cat("chlo.", op, ": ", floats)},
         {"complex<f32>", "i1", cat("chlo.", op, " %a : tensor<complex<f32>> -> tensor<i1>"),
          cat("chlo.", op, ": ", floats)}});
    CHECK(read_op("f16", "i1", cat("chlo.", op, " %a : tensor<f16> -> tensor<i1>")));
  }
  check_refused({{"i32 f32", "i32",
                  "chlo.next_after %a, %b : tensor<i32>, tensor<f32> -> tensor<i32>", floats},
                 {"f32 i32", "f32",
                  "chlo.next_after %a, %b : tensor<f32>, tensor<i32> -> tensor<f32>", floats}});
}

}  // namespace
}  // namespace hlocc::tests

// Floats between a dequantisation and a quantisation as integers: what becomes integers, and what
// stands just outside.
#include <cmath>
#include <cstdio>
#include <random>

#include "support/text.h"
#include "transforms/integers/recovered_weights.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using hlo::PrimitiveType;
using transforms::integer_qdq;

constexpr hlo::CompareRule kNear{.rtol = 1e-5, .atol = 1e-4};

std::string digits_of(float value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(value));
  return digits;
}

// Bytes times scales, nested for [rows, columns]; the scales go with the columns or the rows.
std::string weights(int rows, int columns, bool of_columns = true, float off = 0) {
  std::mt19937 random(7);
  std::string text;
  for (int row = 0; row < rows; ++row) {
    text += row == 0 ? "{" : ",{";
    for (int column = 0; column < columns; ++column) {
      const float scale = 0.0123f + 0.0047f * static_cast<float>(of_columns ? column : row);
      const auto byte = static_cast<float>(static_cast<int>(random() % 255) - 127);
      text += (column == 0 ? "" : ",") + digits_of(byte * scale + (row + column == 0 ? off : 0));
    }
    text += "}";
  }
  return "{" + text + "}";
}

// A product of `x`, f32[6,5], with weights.
std::string product_of(const std::string& lines, const std::string& numbers = weights(5, 3)) {
  return lines + "\n w = f32[5,3] constant(" + numbers +
         ")\n ROOT y = f32[6,3] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
}

std::string splat(const std::string& name, const std::string& value,
                  const std::string& shape = "[6,5]") {
  return cat(" c", name, " = f32[] constant(", value, ")\n ", name, " = f32", shape, " broadcast(c",
             name, "), dimensions={}\n");
}

constexpr char kBytes[] = "b = s8[6,5] parameter(0)\n f = f32[6,5] convert(b)\n";

// Whether products, sums and extrema are of integers now; the meaning is checked.
bool in_integers(const std::string& text) {
  INFO(text);
  const Module module = rewritten(text, {integer_qdq}, kNear);
  int floats = 0, wholes = 0;
  for (const hlo::Instruction& i : module.entry_computation().instructions)
    if (i.opcode == Opcode::kDot || i.opcode == Opcode::kConvolution ||
        i.opcode == Opcode::kReduce || i.opcode == Opcode::kReduceWindow)
      ++(i.shape.element_type == PrimitiveType::kF32 ? floats : wholes);
  REQUIRE(floats + wholes == 1);
  return wholes == 1;
}

PrimitiveType operand_type(const std::string& text, Opcode opcode) {
  const Module module = rewritten(text, {integer_qdq}, kNear);
  const hlo::Computation& entry = module.entry_computation();
  for (const hlo::Instruction& i : entry.instructions)
    if (i.opcode == opcode) return entry.operand(i, 0).shape.element_type;
  FAIL("no such instruction");
  return {};
}

}  // namespace

TEST_CASE("scales of either side go behind a product", "[transforms]") {
  const std::string scaled = cat(kBytes, splat("s", "0.037"), " x = f32[6,5] multiply(f, s)");
  CHECK(in_integers(product_of(scaled)));
  CHECK(operand_type(product_of(scaled), Opcode::kDot) == PrimitiveType::kS8);
  CHECK(in_integers(product_of(cat(kBytes, splat("s", "0.3"), " x = f32[6,5] multiply(s, f)"))));
  CHECK(in_integers(product_of(cat(kBytes, splat("s", "27"), " x = f32[6,5] divide(f, s)"))));
  CHECK(in_integers(product_of(cat(kBytes, splat("s", "0.3"), splat("t", "7"),
                                   " m = f32[6,5] multiply(s, f)\n x = f32[6,5] divide(m, t)"))));
  CHECK(in_integers(product_of("b = s8[6,5] parameter(0)\n x = f32[6,5] convert(b)")));
  // What is no scale.
  CHECK(!in_integers(product_of(cat(kBytes, splat("s", "-0.3"), " x = f32[6,5] multiply(s, f)"))));
  CHECK(!in_integers(product_of(cat(kBytes, splat("s", "27"), " x = f32[6,5] divide(s, f)"))));
  CHECK(!in_integers(product_of(cat(kBytes, splat("s", "0"), " x = f32[6,5] multiply(s, f)"))));
  CHECK(!in_integers(product_of("x = f32[6,5] parameter(0)")));
  CHECK(
      !in_integers(product_of(cat(kBytes,
                                  " r = f32[5] constant({1,2,3,4,5})\n s = f32[6,5] broadcast(r), "
                                  "dimensions={1}\n x = f32[6,5] multiply(f, s)"))));
  // Products that are no normal numbers.
  CHECK(!in_integers(product_of(cat(kBytes, splat("s", "1e-37"), " x = f32[6,5] multiply(s, f)"))));
}

TEST_CASE("zero points are taken off in integers", "[transforms]") {
  const auto moved = [](const std::string& zero, const char* opcode = "subtract(f, z)") {
    return product_of(cat(kBytes, splat("z", zero), splat("s", "0.037"), " d = f32[6,5] ", opcode,
                          "\n x = f32[6,5] multiply(d, s)"));
  };
  CHECK(in_integers(moved("-17")));
  CHECK(operand_type(moved("-17"), Opcode::kDot) == PrimitiveType::kS32);
  CHECK(operand_type(moved("0"), Opcode::kDot) == PrimitiveType::kS8);
  CHECK(in_integers(moved("9", "add(f, z)")));
  CHECK(in_integers(moved("9", "add(z, f)")));
  CHECK(!in_integers(moved("0.5")));
  CHECK(in_integers(moved("9", "subtract(z, f)")));
  CHECK(!in_integers(moved("9.5", "subtract(z, f)")));
  // Of two, the second is none; nor is one outside the scale.
  CHECK(!in_integers(product_of(
      cat(kBytes, splat("z", "3"), " d = f32[6,5] subtract(f, z)\n x = f32[6,5] add(d, z)"))));
  CHECK(!in_integers(product_of(cat(kBytes, splat("z", "3"), splat("s", "0.3"),
                                    " d = f32[6,5] multiply(f, s)\n x = f32[6,5] add(d, z)"))));
}

TEST_CASE("integers of up to 16 bits whose sums fit", "[transforms]") {
  // The magnitude of what enters, and the products in a sum.
  const auto sums = [](int most, int terms) {
    const std::string shape = cat("[2,", terms, "]");
    std::string ones = "{";
    for (int n = 0; n < terms; ++n) ones += n == 0 ? "{127}" : ",{127}";
    return in_integers(cat("p = s32", shape, " parameter(0)\n l = s32[] constant(", -most,
                           ")\n h = s32[] constant(", most, ")\n b = s32", shape,
                           " clamp(l, p, h)\n x = f32", shape, " convert(b)\n w = f32[", terms,
                           ",1] constant(", ones,
                           "})\n ROOT y = f32[2,1] dot(x, w), lhs_contracting_dims={1}, "
                           "rhs_contracting_dims={0}"));
  };
  CHECK(sums(32768, 516));
  CHECK(!sums(32768, 517));
  CHECK(sums(100, 700));
  CHECK(!sums(32769, 3));
}

TEST_CASE("weights are bytes again where they were", "[transforms]") {
  const std::string scaled = cat(kBytes, splat("s", "0.037"), " x = f32[6,5] multiply(f, s)");
  CHECK(!in_integers(product_of(scaled, weights(5, 3, true, 1e-6f))));
  // A scale for each row is none of a dot whose rows are added up.
  CHECK(!in_integers(product_of(scaled, weights(5, 3, false))));
  // Weights on the left, with a scale for each row of the result.
  const auto left = [&](bool of_rows) {
    return in_integers(scaled + "\n w = f32[4,6] constant(" + weights(4, 6, !of_rows) +
                       ")\n ROOT y = f32[4,5] dot(w, x), lhs_contracting_dims={1}, "
                       "rhs_contracting_dims={0}");
  };
  CHECK(left(true));
  CHECK(!left(false));
  // Two of run time; two constants are none of ours.
  CHECK(in_integers(scaled + "\n ROOT y = f32[6,6] dot(x, x), lhs_contracting_dims={1}, "
                             "rhs_contracting_dims={1}"));
  CHECK(
      !in_integers("w = f32[1,2] constant({{1,2}})\n v = f32[2,1] constant({{1},{2}})\n ROOT y = "
                   "f32[1,1] dot(w, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
  // Weights of two free dimensions have one scale at most.
  const auto free = [&](const char* second) {
    return in_integers(scaled + "\n w = f32[5,2,2] constant({{{1,2},{3," + second +
                       "}},{{1,2},{3,4}},{{1,2},{3,4}},{{1,2},{3,4}},{{1,2},{3,4}}})\n ROOT y = "
                       "f32[6,2,2] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  };
  CHECK(free("4"));
  CHECK(!free("4.301"));
}

TEST_CASE("weights are bytes where they are computed of bytes", "[transforms]") {
  const std::string scaled = cat(kBytes, splat("s", "0.037"), " x = f32[6,5] multiply(f, s)");
  const auto computed = [&](const std::string& type, const std::string& low,
                            const std::string& lines) {
    return in_integers(cat(scaled, "\n q = ", type, "[5,3] constant({{", low,
                           ",2,3},{4,5,6},{7,1,2},{3,4,5},{6,7,1}})\n d = f32[5,3] convert(q)\n",
                           lines,
                           " ROOT y = f32[6,3] dot(x, w), lhs_contracting_dims={1}, "
                           "rhs_contracting_dims={0}"));
  };
  const auto scales = [](int count, int dimension) {
    return cat(" r = f32[", count, "] constant({.11,.12,.23", count == 5 ? ",.14,.15" : "",
               "})\n t = f32[5,3] broadcast(r), dimensions={", dimension,
               "}\n w = f32[5,3] multiply(d, t)\n");
  };
  CHECK(computed("s8", "-128", scales(3, 1)));
  CHECK(!computed("s8", "-128", scales(5, 0)));
  // Less a zero point, up to what bytes hold: beyond it is taken off at run time.
  const auto less = [&](const char* zero) {
    return cat(splat("z", zero, "[5,3]"), splat("u", "0.11", "[5,3]"),
               " e = f32[5,3] subtract(d, z)\n w = f32[5,3] multiply(e, u)\n");
  };
  CHECK(computed("s8", "-120", less("8")));
  CHECK(computed("s8", "-120", less("9")));
  CHECK(computed("u8", "255", less("128")));
  // Four bits stay four bits where they lie two to a byte.
  const std::string one = cat(splat("u", "0.11", "[5,3]"), " w = f32[5,3] multiply(d, u)\n");
  CHECK(!computed("s4", "-8", one));
  CHECK(computed("s8", "-8", one));
}

TEST_CASE("elements that move do so as integers", "[transforms]") {
  const std::string start = cat("b = s8[5,6] parameter(0)\n f = f32[5,6] convert(b)\n",
                                splat("s", "0.037", "[5,6]"), " m = f32[5,6] multiply(f, s)\n");
  CHECK(in_integers(product_of(start + " x = f32[6,5] transpose(m), dimensions={1,0}")));
  CHECK(in_integers(product_of(start + " x = f32[6,5] reshape(m)")));
  CHECK(in_integers(
      product_of(start + " r = f32[5,6] reverse(m), dimensions={0}\n x = f32[6,5] reshape(r)")));
  const auto padded = [&](const char* value, const char* zero) {
    return in_integers(product_of(
        cat("b = s8[5,5] parameter(0)\n f = f32[5,5] convert(b)\n", splat("z", zero, "[5,5]"),
            splat("s", "0.037", "[5,5]"),
            " d = f32[5,5] subtract(f, z)\n m = f32[5,5] multiply(d, s)\n v = f32[] constant(",
            value, ")\n x = f32[6,5] pad(m, v), padding=1_0x0_0")));
  };
  CHECK(padded("0", "0"));
  CHECK(padded("0", "-100"));
  CHECK(!padded("0.037", "0"));
  CHECK(in_integers(product_of(
      cat("b = s8[7,5] parameter(0)\n f = f32[7,5] convert(b)\n", splat("s", "0.037", "[7,5]"),
          " m = f32[7,5] multiply(f, s)\n x = f32[6,5] slice(m), slice={[1:7], [0:5]}"))));
  // Numbers that a zero point was not taken off yet are padded with zeros of their own.
  CHECK(in_integers(product_of(
      cat("b = s8[5,5] parameter(0)\n f = f32[5,5] convert(b)\n v = f32[] constant(0)\n p = "
          "f32[6,5] pad(f, v), padding=1_0x0_0\n",
          splat("z", "100"), " x = f32[6,5] subtract(p, z)"))));
}

TEST_CASE("slices of dequantised integers are dequantised slices", "[transforms]") {
  const auto sliced = [](const std::string& lines) {
    const std::string text = cat(lines,
                                 "\n p = f32[6,2] slice(x), slice={[0:6], [2:4]}\n ROOT y = "
                                 "f32[6,2] tanh(p)");
    const Module module = rewritten(text, {integer_qdq});
    for (const hlo::Instruction& i : module.entry_computation().instructions)
      if (i.opcode == Opcode::kSlice) return hlo::is_integer(i.shape.element_type);
    return false;
  };
  const std::string zero = splat("z", "3"), scale = splat("s", "0.3"),
                    scaled = cat(kBytes, zero, scale, " d = f32[6,5] subtract(f, z)\n");
  CHECK(sliced(cat(scaled, " x = f32[6,5] multiply(s, d)")));
  CHECK(sliced(cat(scaled, " x = f32[6,5] divide(s, d)")));
  CHECK(sliced("b = s16[6,5] parameter(0)\n x = f32[6,5] convert(b)"));
  CHECK(!sliced("b = s32[6,5] parameter(0)\n x = f32[6,5] convert(b)"));
  CHECK(!sliced("x = f32[6,5] parameter(0)"));
  CHECK(!sliced(cat(scaled, " x = f32[6,5] tanh(d)")));
  CHECK(!sliced(cat(scaled, " x = f32[6,5] multiply(d, d)")));
}

TEST_CASE("products of two dequantised arrays are of integers", "[transforms]") {
  const auto of_integers = [](const std::string& lines, std::string_view chip = "cortex-m4f") {
    const std::string text = lines + "\n ROOT y = f32[6,5] multiply(x, u)";
    Module module = module_from(text);
    REQUIRE(integer_qdq(module, {*preset(chip)}));
    check_same_meaning(module_from(text), module, kNear);
    for (const hlo::Instruction& i : module.entry_computation().instructions)
      if (i.opcode == Opcode::kMultiply && i.shape.element_type == PrimitiveType::kS32) return true;
    return false;
  };
  const std::string one =
      cat(kBytes, splat("s", "0.037"), splat("z", "3"), " x = f32[6,5] multiply(f, s)\n");
  const auto other = [&](const std::string& type, const std::string& lines) {
    return cat(one, " c = ", type, "[6,5] parameter(1)\n g = f32[6,5] convert(c)\n", lines);
  };
  CHECK(of_integers(other("s8", " u = f32[6,5] multiply(g, s)")));
  CHECK(of_integers(other("s16", " u = f32[6,5] multiply(g, s)")));
  CHECK(of_integers(other("u8", " h = f32[6,5] subtract(g, z)\n u = f32[6,5] multiply(h, s)")));
  CHECK(of_integers(other("s8", " u = f32[6,5] add(g, z)"), "cortex-m55"));
  CHECK(!of_integers(other("s8", " u = f32[6,5] multiply(g, s)"), "cortex-a53"));
  CHECK(!of_integers(other("s32", " u = f32[6,5] multiply(g, s)")));
  CHECK(!of_integers(other("f32", " u = f32[6,5] multiply(g, s)")));
  CHECK(!of_integers(cat(one, splat("w", "-3"), " u = f32[6,5] divide(w, z)")));
  // A number less an array: whole where it is a multiple of the scale.
  const std::string fine = cat(splat("t", "0.00390625"), splat("o", "1"), splat("n", "1.001"),
                               " m = f32[6,5] multiply(g, t)\n");
  CHECK(of_integers(other("s8", cat(fine, " u = f32[6,5] subtract(o, m)"))));
  CHECK(!of_integers(other("s8", cat(fine, " u = f32[6,5] subtract(n, m)"))));
  CHECK(!of_integers(other("s8", cat(fine,
                                     " k = f32[6,5] subtract(o, m)\n u = f32[6,5] "
                                     "subtract(o, k)"))));
}

TEST_CASE("floats that were rounded and clamped are bytes", "[transforms]") {
  const auto faked = [](const std::string& lines, const char* low = "-128",
                        const char* high = "127") {
    return in_integers(
        product_of(cat("a = f32[6,5] parameter(0)\n", splat("t", "100"), splat("l", low),
                       splat("h", high), splat("z", "5"), splat("s", "0.01"),
                       " q = f32[6,5] multiply(a, t)\n", lines, " x = f32[6,5] multiply(c, s)")));
  };
  const std::string rounded = " r = f32[6,5] round-nearest-even(q)\n";
  const std::string clamped = " c = f32[6,5] clamp(l, r, h)\n";
  CHECK(faked(rounded + clamped));
  CHECK(faked(rounded + clamped, "0", "255"));
  CHECK(faked(rounded + " k = f32[6,5] maximum(l, r)\n c = f32[6,5] minimum(k, h)\n"));
  CHECK(faked(rounded + " k = f32[6,5] minimum(r, h)\n c = f32[6,5] maximum(k, l)\n"));
  CHECK(faked(" r = f32[6,5] round-nearest-afz(q)\n" + clamped));
  CHECK(faked(" r = f32[6,5] floor(q)\n" + clamped));
  CHECK(faked(" r = f32[6,5] ceil(q)\n" + clamped));
  CHECK(faked(" e = f32[6,5] round-nearest-even(q)\n r = f32[6,5] add(e, z)\n" + clamped));
  CHECK(faked(" e = f32[6,5] round-nearest-even(q)\n r = f32[6,5] subtract(z, e)\n" + clamped));
  CHECK(faked(rounded + " k = f32[6,5] clamp(l, r, h)\n c = f32[6,5] subtract(k, z)\n"));
  CHECK(!faked(" r = f32[6,5] negate(q)\n" + clamped));
  // Sums of sums: as many ways down as a computer does not count.
  std::string doubled = " r0 = f32[6,5] round-nearest-even(q)\n";
  for (int n = 0; n < 60; ++n) doubled += cat(" r", n + 1, " = f32[6,5] add(r", n, ", r", n, ")\n");
  CHECK(!faked(doubled + " c = f32[6,5] clamp(l, r60, h)\n"));
  CHECK(!faked(rounded + clamped, "-129"));
  CHECK(!faked(rounded + clamped, "-1", "128"));
  CHECK(!faked(rounded + clamped, "0", "256"));
  CHECK(!faked(rounded + clamped, "-127.5"));
  CHECK(!faked(rounded + clamped, "5", "4"));
  CHECK(!faked(rounded + " c = f32[6,5] minimum(h, r)\n"));
  CHECK(!faked(rounded + " k = f32[6,5] minimum(r, h)\n c = f32[6,5] minimum(k, l)\n"));
}

TEST_CASE("convolutions of any kind", "[transforms]") {
  const auto convolved = [](const std::string& shape, const std::string& window) {
    return cat("b = s8[1,6,5,4] parameter(0)\n f = f32[1,6,5,4] convert(b)\n",
               splat("s", "0.037", "[1,6,5,4]"), " x = f32[1,6,5,4] multiply(f, s)\n", shape,
               " convolution(x, w), window={", window, "}, dim_labels=b01f_01io->b01f");
  };
  const std::string plain =
      " w = f32[1,1,4,3] constant({{" + weights(4, 3) + "}})\n ROOT y = f32[1,6,5,3]";
  CHECK(in_integers(convolved(plain, "size=1x1")));
  CHECK(operand_type(convolved(plain, "size=1x1"), Opcode::kConvolution) == PrimitiveType::kS8);
  std::string taps;
  for (int n = 0; n < 9; ++n) taps += cat(n % 3 == 0 ? (n == 0 ? "{" : "},{") : ",", weights(1, 4));
  CHECK(in_integers(convolved(" w = f32[3,3,1,4] constant({" + taps + "}})\n ROOT y = f32[1,6,5,4]",
                              "size=3x3 pad=1_1x1_1") +
                    ", feature_group_count=4"));
}

TEST_CASE("sums and extrema of scaled integers", "[transforms]") {
  const auto reduced = [](const char* reducer, const char* start, const std::string& what,
                          const char* zero = "-3") {
    return cat("HloModule m\nr { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT t = f32[] ",
               reducer, "(p, q)\n}\nENTRY e { ", kBytes, splat("z", zero), splat("s", "0.037"),
               " d = f32[6,5] subtract(f, z)\n x = f32[6,5] multiply(d, s)\n i = f32[] constant(",
               start, ")\n ROOT y = ", what, ", to_apply=r\n}");
  };
  const std::string all = "f32[6] reduce(x, i), dimensions={1}",
                    windows =
                        "f32[3,5] reduce-window(x, i), window={size=2x3 stride=2x1 "
                        "pad=0_0x1_1}";
  CHECK(in_integers(reduced("add", "0", all)));
  CHECK(in_integers(reduced("add", "0", windows)));
  CHECK(in_integers(reduced("maximum", "-inf", all)));
  CHECK(in_integers(reduced("maximum", "-inf", windows)));
  CHECK(in_integers(reduced("minimum", "inf", windows)));
  CHECK(in_integers(reduced("minimum", "inf", windows, "0")));
  CHECK(!in_integers(reduced("add", "1", all)));
  CHECK(!in_integers(reduced("maximum", "0", all)));
  CHECK(!in_integers(reduced("multiply", "1", all)));
  // The first window holds nothing but the border; sums do not mind.
  const std::string beyond =
      "f32[3,6] reduce-window(x, i), window={size=2x3 stride=2x1 pad=0_0x3_0}";
  CHECK(!in_integers(reduced("maximum", "-inf", beyond)));
  CHECK(in_integers(reduced("add", "0", beyond)));
  const std::string behind =
      "f32[3,6] reduce-window(x, i), window={size=2x3 stride=2x1 pad=0_0x0_3}";
  CHECK(!in_integers(reduced("maximum", "-inf", behind)));
  const std::string spread =
      "f32[3,9] reduce-window(x, i), window={size=2x1 stride=2x1 "
      "lhs_dilate=1x2}";
  CHECK(!in_integers(reduced("maximum", "-inf", spread)));
  const std::string apart =
      "f32[3,5] reduce-window(x, i), window={size=2x2 stride=2x1 "
      "pad=0_0x3_0 rhs_dilate=1x3}";
  CHECK(!in_integers(reduced("maximum", "-inf", apart)));
}

TEST_CASE("floats stay floats where that is asked for", "[transforms]") {
  const std::string text =
      product_of(cat(kBytes, splat("s", "0.037"), " x = f32[6,5] multiply(f, s)"));
  Target target = *preset("cortex-m4f");
  target.options.integer_qdq = false;
  Module module = module_from(text);
  REQUIRE(integer_qdq(module, {target}));
  CHECK(root(module).opcode == Opcode::kDot);
}

TEST_CASE("bytes and scales of weights", "[transforms]") {
  using transforms::recovered_weights;
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<float> scales, numbers;
    std::vector<int> bytes;
    for (int n = 0; n < 6; ++n)
      scales.push_back(std::ldexp(1.0f + static_cast<float>(random() % 8388608) / 8388608.0f,
                                  static_cast<int>(random() % 60) - 30));
    for (int n = 0; n < 240; ++n) {
      bytes.push_back(static_cast<int>(random() % 255) - 127);
      numbers.push_back(static_cast<float>(bytes.back()) * scales[static_cast<size_t>(n / 4 % 6)]);
    }
    const Literal floats = Literal::array<float>(PrimitiveType::kF32, {10, 6, 4}, numbers);
    const auto found = recovered_weights(floats, 1);
    REQUIRE(found);
    REQUIRE(found->scales.size() == 6);
    CHECK(found->bytes.shape().dimensions == hlo::Dimensions{10, 6, 4});
    for (int n = 0; n < 240; ++n)
      CHECK(static_cast<float>(found->bytes.data<int8_t>()[static_cast<size_t>(n)]) *
                static_cast<float>(found->scales[static_cast<size_t>(n / 4 % 6)]) ==
            numbers[static_cast<size_t>(n)]);
    CHECK(!recovered_weights(floats, 0));
    CHECK(!recovered_weights(floats, std::nullopt));
    numbers[17] = std::nextafter(numbers[17], 1e30f);
    CHECK(!recovered_weights(Literal::array<float>(PrimitiveType::kF32, {10, 6, 4}, numbers), 1));
  }
  const auto of = [](std::vector<float> numbers) {
    const hlo::Dimensions sizes{static_cast<int64_t>(numbers.size())};
    return recovered_weights(Literal::array<float>(PrimitiveType::kF32, sizes, numbers),
                             std::nullopt);
  };
  CHECK(of({0, -0.0f, 0})->scales == std::vector<double>{1});
  CHECK(of({0.5f, 63.5f}));
  CHECK(!of({0.5f, 64}));
  CHECK(of({0.5f, -64}));
  CHECK(!of({0.5f, -64.5f}));
  CHECK(!of({}));
  CHECK(!of({1, INFINITY}));
  CHECK(!of({1, NAN}));
  CHECK(!of({1e-40f, 1e-44f}));
}

}  // namespace hlocc::tests

// Elementwise chains of every length and type: full vectors, what is left over, scalars beside
// arrays.
#include "lowering/harness.h"
#include "support/text.h"

namespace hlocc::tests {

TEST_CASE("elementwise chains of every length", "[lowering]") {
  for (int64_t n = 0; n <= 35; ++n) {
    const std::string line = "f32" + dims({n});
    agrees("a = " + line + " parameter(0)\n b = " + line + " parameter(1)\n c = " + line +
               " multiply(a, b)\n d = " + line + " add(c, a)\n ROOT r = " + line + " maximum(d, b)",
           n % 4 == 1 ? Passes::kAll : Passes::kNone);
  }
}

TEST_CASE("binary ops of every type", "[lowering]") {
  for (const char* op : {"add", "subtract", "multiply", "maximum", "minimum"})
    for (const char* type : {"f32", "f64", "f16", "bf16", "s8", "u8", "s16", "u16", "s32", "u32",
                             "s64", "u64", "s4", "u4", "s2"}) {
      INFO(op << " of " << type);
      const std::string array = std::string(type) + "[3,5]";
      agrees("a = " + array + " parameter(0)\n b = " + array + " parameter(1)\n ROOT r = " + array +
             " " + op + "(a, b)");
    }
  for (const char* op : {"divide", "remainder", "and", "or", "xor", "shift-left",
                         "shift-right-logical", "shift-right-arithmetic"})
    for (const char* type : {"s8", "u8", "s32", "u32", "s64", "u64"}) {
      INFO(op << " of " << type);
      const std::string array = std::string(type) + "[17]";
      agrees("a = " + array + " parameter(0)\n b = " + array + " parameter(1)\n ROOT r = " + array +
             " " + op + "(a, b)");
    }
  for (const char* op : {"divide", "power", "atan2"})
    agrees("a = f32[17] parameter(0)\n b = f32[17] parameter(1)\n ROOT r = f32[17] " +
               std::string(op) + "(a, b)",
           Passes::kAll, {.rtol = 1e-6, .atol = 1e-7});
}

TEST_CASE("converts between all types", "[lowering]") {
  const std::vector<const char*> types{"pred", "s4",  "u4",   "s8",  "u8",  "s32", "u32",
                                       "s64",  "f16", "bf16", "f32", "f64", "c64", "f8e4m3fn"};
  for (const char* from : types)
    for (const char* to : types) {
      if (std::string(from) == "c64" && std::string(to) != "c64") continue;
      INFO(from << " to " << to);
      agrees(std::string("a = ") + from + "[9] parameter(0)\n ROOT r = " + to + "[9] convert(a)",
             Passes::kNone);
    }
}

TEST_CASE("complex arithmetic", "[lowering]") {
  for (const char* op : {"add", "subtract", "multiply", "divide"})
    for (const char* type : {"c64", "c128"}) {
      const std::string array = std::string(type) + "[2,5]";
      agrees("a = " + array + " parameter(0)\n b = " + array + " parameter(1)\n ROOT r = " + array +
                 " " + op + "(a, b)",
             Passes::kAll, {.rtol = 1e-6, .atol = 1e-6});
    }
  agrees(
      "a = c64[9] parameter(0)\n x = f32[9] real(a)\n y = f32[9] imag(a)\n ROOT r = c64[9] "
      "complex(y, x)");
}

TEST_CASE("choices and comparisons", "[lowering]") {
  for (const char* direction : {"EQ", "NE", "LT", "LE", "GT", "GE"})
    for (const char* type : {"f32", "s8", "u32", "pred"}) {
      const std::string array = std::string(type) + "[13]";
      agrees("a = " + array + " parameter(0)\n b = " + array +
             " parameter(1)\n p = pred[13] compare(a, b), direction=" + direction +
             "\n ROOT r = " + array + " select(p, a, b)");
    }
  agrees(
      "a = f32[3,6] parameter(0)\n l = f32[] parameter(1)\n h = f32[] parameter(2)\n ROOT r = "
      "f32[3,6] clamp(l, a, h)");
  agrees(
      "p = pred[] parameter(0)\n a = f32[3,6] parameter(1)\n b = f32[3,6] parameter(2)\n ROOT r = "
      "f32[3,6] select(p, a, b)");
}

TEST_CASE("functions keep their elements apart", "[lowering]") {
  for (const char* op : {"exponential", "tanh", "logistic", "sine", "cosine", "abs", "negate",
                         "floor", "ceil", "sign", "cbrt", "erf"})
    for (int64_t n : {1, 7, 16})
      agrees("a = f32" + dims({n}) + " parameter(0)\n ROOT r = f32" + dims({n}) + " " + op + "(a)",
             Passes::kAll, {.rtol = 1e-5, .atol = 1e-6});
}

TEST_CASE("precisions of every kind", "[lowering]") {
  for (const char* kept : {"exponent_bits=8, mantissa_bits=10", "exponent_bits=5, mantissa_bits=23",
                           "exponent_bits=8, mantissa_bits=23", "exponent_bits=5, mantissa_bits=2",
                           "exponent_bits=11, mantissa_bits=30"})
    agrees(std::string("x = f32[9] parameter(0)\n ROOT r = f32[9] "
                       "reduce-precision(x), ") +
           kept);
}

TEST_CASE("select of long arms", "[lowering]") {
  // Both arms share s, one holds another select, u is wanted after it too, and m is read by a
  // branch alone.
  agrees(R"(x = f32[3,9] parameter(0)
    y = f32[3,9] parameter(1)
    m = f32[9] parameter(2)
    mb = f32[3,9] broadcast(m), dimensions={1}
    s = f32[3,9] multiply(x, x)
    p = pred[3,9] compare(x, y), direction=LT
    q = pred[3,9] compare(x, mb), direction=GT
    a = f32[3,9] exponential(s)
    b = f32[3,9] add(a, mb)
    u = f32[3,9] tanh(s)
    c = f32[3,9] sine(u)
    d = f32[3,9] select(q, c, y)
    e = f32[3,9] select(p, b, d)
    ROOT r = f32[3,9] add(e, u))",
         Passes::kAll, {.rtol = 1e-5, .atol = 1e-6});
  // The arm is a result of its own; a scalar decides.
  agrees(R"(x = f32[7] parameter(0)
    p = pred[] parameter(1)
    a = f32[7] exponential(x)
    b = f32[7] tanh(x)
    r = f32[7] select(p, a, b)
    ROOT t = (f32[7], f32[7]) tuple(r, a))",
         Passes::kAll, {.rtol = 1e-5, .atol = 1e-6});
  // A predicate that is an arm too, one that is both arms, and arms of every length.
  for (const char* arms : {"p, q, p", "p, p, q", "p, q, q"})
    agrees(std::string("x = f32[9] parameter(0)\n y = f32[9] parameter(1)\n a = f32[9] "
                       "exponential(x)\n b = f32[9] sine(a)\n p = pred[9] compare(x, y), "
                       "direction=LT\n q = pred[9] compare(a, b), direction=GT\n ROOT r = pred[9] "
                       "select(") +
           arms + ")");
  for (int length = 1; length <= 24; ++length) {
    std::string text =
        "x = f32[9] parameter(0)\n y = f32[9] parameter(1)\n p = pred[9] compare(x, "
        "y), direction=LT\n v0 = f32[9] multiply(x, y)\n";
    for (int i = 1; i <= length; ++i)
      text += cat(" v", i, " = f32[9] ", i % 2 == 0 ? "add" : "subtract", "(v", i - 1, ", x)\n");
    agrees(cat(text, " ROOT r = f32[9] select(p, v", length, ", y)"));
  }
}

}  // namespace hlocc::tests

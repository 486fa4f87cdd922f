// Drawn programs (drawn.h): arithmetic of quantised networks.
#include <algorithm>

#include "picked/drawn_writer.h"

namespace hlocc::tests {

std::string drawn_number(Writer& w, const std::string& type) {
  if (Writer::is_float(type))
    return w.word({"0",     "1",         "-1",  "0.5",  "2",         "0.25",       "0.1",
                   "-0.3",  "0.0078125", "127", "-128", "255",       "1e-3",       "3.7",
                   "16384", "1e9",       "inf", "nan",  "12345.678", "0.003921569"});
  if (type == "pred") return w.word({"true", "false"});
  if (type[0] == 'u')
    return w.word({"0", "1", "2", "3", "7", "8", "16", "31", "100", "127", "128", "255"});
  if (type == "s8" || w.one_in(2))
    return w.word(
        {"0", "1", "-1", "2", "3", "5", "7", "8", "-3", "15", "16", "31", "64", "127", "-128"});
  if (type == "s16") return w.word({"255", "256", "-256", "1000", "32767", "-32768"});
  if (type == "s64" && w.yes())
    return w.word({"1073741824", "2147483648", "4294967296", "-2147483649", "4611686018427387904",
                   "62", "63"});
  return w.word({"255", "256", "32767", "32768", "65535", "65536", "-32768", "16777216",
                 "1073741824", "2147483647", "-2147483648", "1518500249", "30"});
}

// A known operand: one number, one a channel, or the value itself.
Array drawn_operand(Writer& w, const Array& x) {
  if (w.one_in(12)) return x;
  if (x.sizes.empty() || !w.one_in(4)) {
    const std::string value = drawn_number(w, x.type);
    return w.splat(x.type, x.sizes, value);
  }
  const size_t d = static_cast<size_t>(w.below(static_cast<int64_t>(x.sizes.size())));
  std::vector<std::string> values;
  for (int64_t i = 0; i < x.sizes[d]; ++i) values.push_back(drawn_number(w, x.type));
  const Array channels = w.known(x.type, {x.sizes[d]}, values);
  return w.add(x.type, x.sizes, cat("broadcast(", channels.name, "), dimensions={", d, "}"));
}

static Array drawn_step(Writer& w, const Array& x) {
  const bool floats = Writer::is_float(x.type);
  switch (w.below(9)) {
    case 0:
    case 1: {
      const std::string to = w.word({"s8", "u8", "s16", "s32", "s32", "s32", "s64", "s64", "u32",
                                     "f32", "f32", "f64", "u64", "f16"});
      return w.converted(x, to);
    }
    case 2: {
      const std::string low = drawn_number(w, x.type), high = drawn_number(w, x.type);
      const Array a = w.constant(x.type, low), b = w.constant(x.type, high);
      return w.add(x.type, x.sizes, cat("clamp(", a.name, ", ", x.name, ", ", b.name, ")"));
    }
    case 3: {
      const Array bound = drawn_operand(w, x);
      const Array p = w.add("pred", x.sizes,
                            cat("compare(", x.name, ", ", bound.name,
                                "), direction=", w.word({"LT", "LE", "GT", "GE", "EQ", "NE"})));
      const Array a = drawn_operand(w, x), b = w.yes() ? x : drawn_operand(w, x);
      return w.add(x.type, x.sizes, cat("select(", p.name, ", ", a.name, ", ", b.name, ")"));
    }
    case 4:
      if (floats)
        return w.unary(w.word({"floor", "ceil", "round-nearest-even", "round-nearest-afz", "negate",
                               "abs", "tanh", "logistic", "sign", "exponential", "sqrt"}),
                       x);
      return w.unary(w.word({"negate", "abs", "not", "sign"}), x);
    default: {
      const char* const op =
          floats
              ? w.word({"add", "multiply", "multiply", "subtract", "divide", "maximum", "minimum"})
              : w.word({"add", "multiply", "multiply", "subtract", "divide", "remainder", "maximum",
                        "minimum", "and", "or", "xor", "shift-right-arithmetic",
                        "shift-right-arithmetic", "shift-right-logical", "shift-left"});
      const Array by = drawn_operand(w, x);
      return w.one_in(8) ? w.binary(op, by, x) : w.binary(op, x, by);
    }
  }
}

Array drawn_chain(Writer& w, Array x, int64_t steps) {
  for (; steps > 0; --steps)
    if (x.type != "pred") x = drawn_step(w, x);
  return x;
}

// Bytes times a scale, less a zero point: as networks are quantised in floats.
Array dequantized(Writer& w, const Array& x) {
  const Array real = w.converted(x, w.word({"f32", "f32", "s32"}));
  const std::string zero = drawn_number(w, real.type);
  const Array less =
      w.one_in(3) ? real : w.binary("subtract", real, w.splat(real.type, real.sizes, zero));
  const Array f = less.type == "f32" ? less : w.converted(less, "f32");
  return w.binary("multiply", f, drawn_operand(w, f));
}
static Array quantized(Writer& w, const Array& x, const char* type) {
  const char* const op = w.word({"multiply", "divide"});
  const Array scaled = w.binary(op, x, drawn_operand(w, x));
  const Array whole = w.unary(
      w.word({"round-nearest-even", "round-nearest-even", "round-nearest-afz", "floor"}), scaled);
  const Array moved =
      w.one_in(3)
          ? whole
          : w.binary("add", whole, w.splat("f32", whole.sizes, w.word({"0", "3", "-128", "0.5"})));
  const Array low = w.constant("f32", w.word({"-128", "0", "-127", "5"})),
              high = w.constant("f32", w.word({"127", "255", "6", "-3"}));
  const Array kept =
      w.add("f32", moved.sizes, cat("clamp(", low.name, ", ", moved.name, ", ", high.name, ")"));
  return w.converted(kept, type);
}

std::string integers(uint64_t seed) {
  Writer w(seed);
  const Sizes sizes = {w.number({1, 2, 4, 7}), w.number({1, 3, 4, 8, 16, 33})};
  const char* const type = w.word({"s8", "s8", "u8", "s16", "s32", "s32", "f32"});
  Array x = w.parameter(type, sizes);
  switch (w.below(6)) {
    case 0: {
      // A product by known weights, and a bias.
      const int64_t n = w.number({1, 4, 5, 16});
      std::vector<std::string> values;
      for (int i = 0; i < 7; ++i) values.push_back(drawn_number(w, "s8"));
      const Array weights = w.known("s8", {sizes[1], n}, values);
      if (type == std::string("f32")) break;
      x = w.add("s32", {sizes[0], n},
                cat("dot(", x.name, ", ", weights.name,
                    "), lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
      if (w.yes()) x = w.binary("add", x, drawn_operand(w, x));
      break;
    }
    case 1: {
      // Two arrays, each with a scale of its own.
      const Array y = w.parameter(type, sizes);
      if (type == std::string("f32")) break;
      const Array a = dequantized(w, x), b = dequantized(w, y);
      const Array sum = w.binary(w.word({"add", "add", "multiply", "subtract", "maximum"}), a, b);
      return w.finished({quantized(w, sum, w.word({"s8", "u8", "s16"}))});
    }
    case 2: {
      if (type == std::string("f32")) break;
      const Array f = dequantized(w, x);
      const Array made = drawn_chain(w, f, w.below(3));
      if (made.type != "f32") return w.finished({made});
      if (w.yes()) return w.finished({quantized(w, made, w.word({"s8", "u8"}))});
      const Array zero = w.constant("f32", w.word({"0", "-inf", "1"}));
      const std::string op = w.word({"add", "maximum", "minimum"});
      const std::string called = w.reducer(op, "f32");
      const Array sum =
          w.add("f32", {sizes[0]},
                cat("reduce(", made.name, ", ", zero.name, "), dimensions={1}, to_apply=", called));
      return w.finished({quantized(w, sum, w.word({"s8", "u8"}))});
    }
    default: break;
  }
  const int64_t steps = 2 + w.below(6);
  const Array y = drawn_chain(w, x, steps);
  if (w.one_in(4)) return w.finished({y, drawn_chain(w, y, 2)});
  return w.finished({y});
}

}  // namespace hlocc::tests

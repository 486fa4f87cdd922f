// See drawn.h.
#include "picked/drawn.h"

#include <algorithm>
#include <initializer_list>
#include <random>
#include <vector>

#include "support/text.h"

namespace hlocc::tests {
namespace {

using Sizes = std::vector<int64_t>;

// Writes a module's text, value by value. Numbers are drawn in statements of their own: compilers
// call the arguments of a function in different orders.
class Writer {
 public:
  explicit Writer(uint64_t seed) : random_(seed * 0x9e3779b97f4a7c15ull + 1) {}

  int64_t below(int64_t limit) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(limit));
  }
  bool one_in(int64_t n) { return below(n) == 0; }
  bool yes() { return one_in(2); }
  const char* word(std::initializer_list<const char*> all) {
    return all.begin()[below(static_cast<int64_t>(all.size()))];
  }
  int64_t number(std::initializer_list<int64_t> all) {
    return all.begin()[below(static_cast<int64_t>(all.size()))];
  }

  // An array of the program.
  struct Array {
    std::string name, type;
    Sizes sizes;
  };
  static std::string shape(const std::string& type, const Sizes& sizes) {
    std::string all;
    for (const int64_t n : sizes) all += cat(all.empty() ? "" : ",", n);
    return cat(type, "[", all, "]");
  }
  Array add(const std::string& type, const Sizes& sizes, const std::string& what) {
    Array made{cat("v", count_++), type, sizes};
    body_ += cat(" ", made.name, " = ", shape(type, sizes), " ", what, "\n");
    return made;
  }
  Array parameter(const std::string& type, const Sizes& sizes) {
    const int leaf = parameters_++;
    return add(type, sizes, cat("parameter(", leaf, ")"));
  }
  Array constant(const std::string& type, const std::string& value) {
    return add(type, {}, cat("constant(", value, ")"));
  }
  Array splat(const std::string& type, const Sizes& sizes, const std::string& value) {
    const Array one = constant(type, value);
    return add(type, sizes, cat("broadcast(", one.name, "), dimensions={}"));
  }
  // Known numbers, each another one.
  Array known(const std::string& type, const Sizes& sizes, const std::vector<std::string>& values) {
    size_t at = 0;
    return add(type, sizes, cat("constant(", nested(sizes, 0, values, at), ")"));
  }
  Array binary(const char* op, const Array& a, const Array& b) {
    return add(a.type, a.sizes, cat(op, "(", a.name, ", ", b.name, ")"));
  }
  Array unary(const char* op, const Array& a) {
    return add(a.type, a.sizes, cat(op, "(", a.name, ")"));
  }
  Array converted(const Array& a, const std::string& type) {
    return add(type, a.sizes, cat("convert(", a.name, ")"));
  }
  std::string reducer(const std::string& op, const std::string& type) {
    const std::string name = cat(op, "_", type);
    const std::string text = cat(name, " {\n a = ", type, "[] parameter(0)\n b = ", type,
                                 "[] parameter(1)\n ROOT c = ", type, "[] ", op, "(a, b)\n}\n");
    if (computations_.find(text) == std::string::npos) computations_ += text;
    return name;
  }
  void computation(const std::string& text) { computations_ += text; }

  std::string finished(const std::vector<Array>& results) {
    std::string types, names;
    for (const Array& r : results) {
      types += cat(types.empty() ? "" : ", ", shape(r.type, r.sizes));
      names += cat(names.empty() ? "" : ", ", r.name);
    }
    return cat("HloModule drawn\n", computations_, "ENTRY e {\n", body_, " ROOT r = (", types,
               ") tuple(", names, ")\n}\n");
  }

  static bool is_float(const std::string& type) { return type[0] == 'f' || type[0] == 'b'; }

 private:
  static std::string nested(const Sizes& sizes, size_t d, const std::vector<std::string>& values,
                            size_t& at) {
    if (d == sizes.size()) return values[at++ % values.size()];
    std::string all;
    for (int64_t i = 0; i < sizes[d]; ++i)
      all += cat(i == 0 ? "" : ", ", nested(sizes, d + 1, values, at));
    return cat("{", all, "}");
  }

  std::mt19937_64 random_;
  std::string body_, computations_;
  int count_ = 0, parameters_ = 0;
};

using Array = Writer::Array;

// --- arithmetic of quantised networks ---

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

Array drawn_step(Writer& w, const Array& x) {
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
Array quantized(Writer& w, const Array& x, const char* type) {
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

// --- convolutions ---

std::string convolutions(uint64_t seed) {
  Writer w(seed);
  const int64_t spatial = w.one_in(5) ? 1 : w.one_in(12) ? 3 : 2, batch = w.one_in(6) ? 2 : 1;
  const bool bytes = w.one_in(3), depthwise = w.one_in(3), first = w.one_in(5);
  const std::string type =
      bytes ? w.word({"s8", "s8", "u8"}) : w.word({"f32", "f32", "f32", "f64", "f16"});
  const std::string out_type = bytes ? "s32" : type;
  const int64_t inputs = w.number({1, 2, 3, 4, 5, 8, 12, 16, 17}),
                outputs = depthwise ? inputs * w.number({1, 1, 1, 2, 4})
                                    : w.number({1, 2, 3, 4, 8, 9, 16, 17, 24}),
                groups = depthwise ? inputs : 1;
  Sizes in, kernel, out;
  std::string window, pads, strides, holes, spread, turned;
  bool has_holes = false, has_spread = false, has_turn = false;
  for (int64_t d = 0; d < spatial; ++d) {
    const int64_t extent = w.number({1, 3, 4, 5, 7, 8, 9, 12, 16, 17, 20}),
                  size = w.number({1, 1, 2, 3, 3, 3, 4, 5, 9}),
                  low = w.number({0, 0, size / 2, 1, 4, -1}),
                  high = w.number({0, 0, size / 2, 1, 4, -1}), stride = w.number({1, 1, 1, 2, 3}),
                  hole = w.one_in(10) ? 2 : 1, base = w.one_in(10) ? 2 : 1,
                  turn = w.one_in(12) ? 1 : 0;
    const int64_t padded = low + (extent - 1) * base + 1 + high, reach = (size - 1) * hole + 1;
    in.push_back(extent), kernel.push_back(size),
        out.push_back(padded < reach ? 0 : (padded - reach) / stride + 1);
    const char* const x = d == 0 ? "" : "x";
    window += cat(x, size), pads += cat(x, low, "_", high), strides += cat(x, stride),
        holes += cat(x, hole), spread += cat(x, base), turned += cat(x, turn);
    has_holes |= hole > 1, has_spread |= base > 1, has_turn |= turn == 1;
  }
  const auto placed = [&](const Sizes& inner, int64_t features, bool features_first) {
    Sizes all = {batch};
    if (features_first) all.push_back(features);
    all.insert(all.end(), inner.begin(), inner.end());
    if (!features_first) all.push_back(features);
    return all;
  };
  std::string digits;
  for (int64_t d = 0; d < spatial; ++d) digits += cat(d);
  const bool out_first = w.one_in(12) ? !first : first, turned_filter = w.one_in(8);
  const std::string at_in = first ? "bf" + digits : "b" + digits + "f",
                    at_out = out_first ? "bf" + digits : "b" + digits + "f",
                    at_kernel = digits + (turned_filter ? "oi" : "io");
  Sizes filter = kernel;
  filter.push_back(turned_filter ? outputs : inputs / groups),
      filter.push_back(turned_filter ? inputs / groups : outputs);
  Array x = w.parameter(type, placed(in, inputs, first));
  const int64_t before = w.below(8);
  if (before == 0) x = drawn_chain(w, x, 1);
  std::vector<std::string> values;
  for (int i = 0; i < 11; ++i)
    values.push_back(bytes ? drawn_number(w, type)
                           : w.word({"0.5", "-1", "2", "0.25", "-0.75", "3"}));
  Array k = w.one_in(4) ? w.parameter(type, filter) : w.known(type, filter, values);
  if (w.one_in(10)) k = w.unary("negate", k);
  if (x.type != type) return w.finished({x});
  Array y = w.add(
      out_type, placed(out, outputs, out_first),
      cat("convolution(", x.name, ", ", k.name, "), window={size=", window, " stride=", strides,
          " pad=", pads, has_spread ? " lhs_dilate=" + spread : "",
          has_holes ? " rhs_dilate=" + holes : "", has_turn ? " rhs_reversal=" + turned : "",
          "}, dim_labels=", at_in, "_", at_kernel, "->", at_out, ", feature_group_count=", groups));
  // A bias, an activation, a pool or another convolution behind.
  if (w.yes()) {
    std::vector<std::string> biases;
    for (int64_t i = 0; i < outputs; ++i)
      biases.push_back(drawn_number(w, bytes ? "s8" : "pred") == "true" || bytes ? "3" : "0.5");
    const Array bias = w.known(out_type, {outputs}, biases);
    y = w.binary(
        "add", y,
        w.add(out_type, y.sizes,
              cat("broadcast(", bias.name, "), dimensions={", out_first ? 1 : spatial + 1, "}")));
  }
  if (w.yes()) y = drawn_chain(w, y, 1 + w.below(2));
  if (w.one_in(3) && !y.type.empty() && y.type != "pred") {
    Sizes pooled = y.sizes;
    std::string size, stride;
    const int64_t side = w.number({2, 2, 3}), step = w.number({2, 2, 1, 3});
    for (size_t d = 0; d < pooled.size(); ++d) {
      const bool inside = d > 0 && d != (out_first ? 1 : pooled.size() - 1);
      if (inside) pooled[d] = pooled[d] < side ? 0 : (pooled[d] - side) / step + 1;
      size += cat(d == 0 ? "" : "x", inside ? side : 1),
          stride += cat(d == 0 ? "" : "x", inside ? step : 1);
    }
    const std::string op = w.word({"maximum", "maximum", "add"});
    const Array start =
        w.constant(y.type, Writer::is_float(y.type) && op == "maximum" ? "-inf" : "0");
    const std::string called = w.reducer(op, y.type);
    y = w.add(y.type, pooled,
              cat("reduce-window(", y.name, ", ", start.name, "), window={size=", size,
                  " stride=", stride, "}, to_apply=", called));
  }
  if (w.one_in(4) && !out_first && spatial == 2 && y.type == "f32" && y.sizes.size() == 4) {
    const int64_t more = w.number({4, 8, 16});
    const Array next = w.known("f32", {1, 1, y.sizes[3], more}, {"0.5", "-0.25", "1.5"});
    Sizes last = y.sizes;
    last[3] = more;
    y = w.add("f32", last,
              cat("convolution(", y.name, ", ", next.name,
                  "), window={size=1x1}, dim_labels=b01f_01io->b01f"));
  }
  return w.finished({y});
}

// --- products ---

std::string products(uint64_t seed) {
  Writer w(seed);
  const int64_t batches = w.one_in(3) ? w.number({1, 2, 3}) : 0,
                rows = w.number({1, 2, 3, 4, 5, 7, 8, 16, 17, 33}),
                depth = w.number({1, 2, 3, 4, 8, 9, 15, 16, 17, 32, 64, 100}),
                columns = w.number({1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 64});
  const std::string left = w.word({"f32", "f32", "f32", "s8", "s8", "u8", "f64", "f16", "bf16",
                                   "s32", "c64", "s4"}),
                    right = w.one_in(6) ? w.word({"s8", "u8", "f32", "s4", "f16", "f8e4m3fn"})
                                        : left.c_str(),
                    sum = left == "s8" || left == "u8" || left == "s4"
                              ? (w.one_in(6) ? "f32" : "s32")
                          : left == "f16" || left == "bf16" ? (w.yes() ? "f32" : left)
                                                            : left;
  const bool left_turned = w.one_in(3), right_turned = w.one_in(3);
  const auto sides = [&](int64_t a, int64_t b, bool turned) {
    Sizes all;
    if (batches > 0) all.push_back(batches);
    all.push_back(turned ? b : a), all.push_back(turned ? a : b);
    return all;
  };
  Array x = w.parameter(left, sides(rows, depth, left_turned));
  if (w.one_in(6) && left != "c64") x = w.unary("negate", x);
  std::vector<std::string> values;
  for (int i = 0; i < 13; ++i) values.push_back(w.word({"1", "0", "2", "3", "1", "5"}));
  Array y = w.one_in(3) && right != "c64"
                ? w.known(right, sides(depth, columns, right_turned), values)
                : w.parameter(right, sides(depth, columns, right_turned));
  // Weights in fewer bytes, with a scale.
  if (w.one_in(4) && right == "s8" && left == "f32") y = dequantized(w, y);
  if (w.one_in(6) && right == "f32") y = w.binary("multiply", y, drawn_operand(w, y));
  const int64_t b = batches > 0 ? 1 : 0;
  Sizes made;
  if (batches > 0) made.push_back(batches);
  made.push_back(rows), made.push_back(columns);
  Array z = w.add(
      sum, made,
      cat("dot(", x.name, ", ", y.name, "), ", b ? "lhs_batch_dims={0}, rhs_batch_dims={0}, " : "",
          "lhs_contracting_dims={", left_turned ? b : b + 1, "}, rhs_contracting_dims={",
          right_turned ? b + 1 : b, "}"));
  if (sum == "c64") return w.finished({z});
  switch (w.below(7)) {
    case 0:
    case 1: z = drawn_chain(w, z, 1 + w.below(4)); break;
    case 2: {
      const Array start = w.constant(sum, "0");
      const std::string called = w.reducer(w.word({"add", "maximum"}), sum);
      Sizes folded = made;
      folded.pop_back();
      const Array s = w.add(sum, folded,
                            cat("reduce(", z.name, ", ", start.name, "), dimensions={",
                                made.size() - 1, "}, to_apply=", called));
      if (w.yes()) return w.finished({s, z});
      z = w.binary(
          "subtract", z,
          w.add(sum, made, cat("broadcast(", s.name, "), dimensions={", b ? "0,1" : "0", "}")));
      break;
    }
    case 3: {
      Sizes turned = made;
      std::swap(turned[made.size() - 1], turned[made.size() - 2]);
      z = w.add(sum, turned,
                cat("transpose(", z.name, "), dimensions={", b ? "0,2,1" : "1,0", "}"));
      break;
    }
    case 4: {
      const Array other = w.parameter(sum, made);
      z = w.binary("add", z, other);
      break;
    }
    default: break;
  }
  return w.finished({z});
}

// --- movements of data ---

Array drawn_movement(Writer& w, const Array& x) {
  const size_t rank = x.sizes.size(), d = static_cast<size_t>(w.below(static_cast<int64_t>(rank)));
  const auto list = [&](const char* between, const auto& one) {
    std::string all;
    for (size_t i = 0; i < rank; ++i) all += cat(i == 0 ? "" : between, one(i));
    return all;
  };
  Sizes sizes = x.sizes;
  switch (w.below(13)) {
    case 0: {
      const size_t e = static_cast<size_t>(w.below(static_cast<int64_t>(rank)));
      std::swap(sizes[d], sizes[e]);
      return w.add(x.type, sizes,
                   cat("transpose(", x.name, "), dimensions={",
                       list(",", [&](size_t i) { return cat(i == d   ? e
                                                            : i == e ? d
                                                                     : i); }), "}"));
    }
    case 1: {
      const int64_t low = w.number({0, 0, 1, 2, x.sizes[d]}), step = w.number({1, 1, 2, 3}),
                    high = std::max(low, x.sizes[d] - w.number({0, 0, 1}));
      sizes[d] = (high - low + step - 1) / step;
      return w.add(x.type, sizes,
                   cat("slice(", x.name, "), slice={",
                       list(",",
                            [&](size_t i) {
                              return i == d ? cat("[", low, ":", high,
                                                  step == 1 ? "" : cat(":", step), "]")
                                            : cat("[0:", x.sizes[i], "]");
                            }),
                       "}"));
    }
    case 2: {
      const int64_t low = w.number({0, 0, 1, 2, -1}), high = w.number({0, 1, -1}),
                    inner = w.number({0, 0, 0, 1});
      sizes[d] = std::max<int64_t>(
          0, low + high + x.sizes[d] + inner * std::max<int64_t>(0, x.sizes[d] - 1));
      const Array zero = w.constant(x.type, w.word({"0", "0", "1"}));
      return w.add(x.type, sizes,
                   cat("pad(", x.name, ", ", zero.name, "), padding=", list("x", [&](size_t i) {
                         return i == d ? cat(low, "_", high, inner == 0 ? "" : cat("_", inner))
                                       : "0_0";
                       })));
    }
    case 3: return w.add(x.type, sizes, cat("reverse(", x.name, "), dimensions={", d, "}"));
    case 4: {
      const Array other = w.one_in(3) ? x : w.unary("negate", x);
      sizes[d] *= 2;
      return w.add(x.type, sizes,
                   cat("concatenate(", x.name, ", ", other.name, "), dimensions={", d, "}"));
    }
    case 5: {
      // Two dimensions as one, or one as two.
      if (rank > 1 && d + 1 < rank) {
        sizes[d] *= sizes[d + 1];
        sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(d) + 1);
      } else {
        const int64_t part = w.number({1, 2, 3});
        if (sizes[d] % part != 0) return x;
        sizes[d] /= part;
        sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(d), part);
      }
      return w.add(x.type, sizes, cat("reshape(", x.name, ")"));
    }
    case 6: {
      sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(d), w.number({1, 2, 3}));
      return w.add(x.type, sizes,
                   cat("broadcast(", x.name, "), dimensions={",
                       list(",", [&](size_t i) { return cat(i < d ? i : i + 1); }), "}"));
    }
    case 7: {
      if (rank == 0) return x;
      const std::string op = w.word({"add", "maximum", "multiply"});
      const Array start = w.constant(x.type, w.word({"0", "1"}));
      const std::string called = w.reducer(op, x.type);
      sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(d));
      return w.add(
          x.type, sizes,
          cat("reduce(", x.name, ", ", start.name, "), dimensions={", d, "}, to_apply=", called));
    }
    case 8: {
      const int64_t part = w.number({1, 2});
      const Array at = w.yes() ? w.constant("s32", w.word({"0", "1", "2", "-1", "100"}))
                               : w.parameter("s32", {}),
                  zero = w.constant("s32", "0");
      sizes[d] = std::min(part, x.sizes[d]);
      return w.add(
          x.type, sizes,
          cat("dynamic-slice(", x.name, ", ",
              list(", ", [&](size_t i) { return i == d ? at.name : zero.name; }),
              "), dynamic_slice_sizes={", list(",", [&](size_t i) { return cat(sizes[i]); }), "}"));
    }
    case 9: {
      Sizes part = sizes;
      part[d] = std::min<int64_t>(part[d], w.number({0, 1, 2}));
      const Array at = w.yes() ? w.constant("s32", w.word({"0", "1", "2", "100"}))
                               : w.parameter("s32", {}),
                  zero = w.constant("s32", "0");
      const Array value = w.yes() ? w.parameter(x.type, part) : w.splat(x.type, part, "1");
      return w.add(x.type, sizes,
                   cat("dynamic-update-slice(", x.name, ", ", value.name, ", ",
                       list(", ", [&](size_t i) { return i == d ? at.name : zero.name; }), ")"));
    }
    case 10: {
      const std::string op = w.word({"add", "maximum"});
      const Array start = w.constant(x.type, "0");
      const std::string called = w.reducer(op, x.type);
      const int64_t size = w.number({1, 2, 3}), low = w.number({0, 1, size - 1}),
                    stride = w.number({1, 1, 2});
      if (x.sizes[d] + low < size) return x;
      sizes[d] = (x.sizes[d] + low - size) / stride + 1;
      return w.add(
          x.type, sizes,
          cat("reduce-window(", x.name, ", ", start.name,
              "), window={size=", list("x", [&](size_t i) { return cat(i == d ? size : 1); }),
              " stride=", list("x", [&](size_t i) { return cat(i == d ? stride : 1); }),
              " pad=", list("x", [&](size_t i) { return i == d ? cat(low, "_0") : "0_0"; }),
              "}, to_apply=", called));
    }
    case 11: {
      const int64_t picks = w.number({1, 2, 5});
      const Array at =
          w.yes() ? w.parameter("s32", {picks}) : w.known("s32", {picks}, {"0", "1", "0", "2"});
      Sizes slice = x.sizes;
      slice[d] = 1;
      Sizes out = {picks};
      std::string kept;
      for (size_t i = 0; i < rank; ++i)
        if (i != d) {
          kept += cat(kept.empty() ? "" : ",", out.size());
          out.push_back(x.sizes[i]);
        }
      return w.add(x.type, out,
                   cat("gather(", x.name, ", ", at.name, "), offset_dims={", kept,
                       "}, collapsed_slice_dims={", d, "}, start_index_map={", d,
                       "}, index_vector_dim=1, slice_sizes={",
                       list(",", [&](size_t i) { return cat(slice[i]); }), "}"));
    }
    default: return w.unary("negate", x);
  }
}

std::string movements(uint64_t seed) {
  Writer w(seed);
  Sizes sizes;
  for (int64_t rank = 1 + w.below(3); rank > 0; --rank)
    sizes.push_back(w.number({1, 2, 3, 4, 5, 8, 17}));
  Array x = w.parameter(w.word({"f32", "f32", "s32", "s8", "f64", "s64"}), sizes);
  std::vector<Array> all = {x};
  for (int64_t steps = 2 + w.below(5); steps > 0; --steps) {
    if (x.sizes.empty()) break;
    const Array& from =
        w.one_in(6) ? all[static_cast<size_t>(w.below(static_cast<int64_t>(all.size())))] : x;
    x = drawn_movement(w, from.sizes.empty() ? x : from);
    if (w.one_in(5)) x = w.binary("add", x, w.unary("abs", x));
    all.push_back(x);
  }
  if (w.one_in(3)) return w.finished({x, all[all.size() / 2]});
  return w.finished({x});
}

// --- loops ---

std::string loops(uint64_t seed) {
  Writer w(seed);
  const std::string type = w.word({"s32", "s32", "u32", "s64", "s8", "u8"});
  const int64_t first = w.number({0, 0, 0, 1, -2, 5}), limit = w.number({4, 4, 3, 1, 0, 10, -5}),
                step = w.number({1, 1, 1, 2, -1, 3});
  const Sizes sizes = {w.number({2, 4, 5}), w.number({1, 4, 8})};
  const std::string state =
      cat("(", type, "[], ", Writer::shape("f32", sizes), ", ", Writer::shape("f32", sizes), ")");
  const char* const direction = w.word({"LT", "LT", "LT", "LE", "NE", "GT", "GE"});
  const bool turned = w.one_in(6);
  w.computation(cat("condition {\n s = ", state, " parameter(0)\n i = ", type,
                    "[] get-tuple-element(s), index=0\n n = ", type, "[] constant(", limit,
                    ")\n ROOT p = pred[] compare(", turned ? "n, i" : "i, n",
                    "), direction=", direction, "\n}\n"));
  const char* const next = w.word({"add", "add", "add", "subtract", "multiply"});
  const char* const sides = w.one_in(6) ? "(one, i)\n" : "(i, one)\n";
  std::string body = cat("body {\n s = ", state, " parameter(0)\n i = ", type,
                         "[] get-tuple-element(s), index=0\n x = ", Writer::shape("f32", sizes),
                         " get-tuple-element(s), index=1\n w = ", Writer::shape("f32", sizes),
                         " get-tuple-element(s), index=2\n one = ", type, "[] constant(", step,
                         ")\n j = ", type, "[] ", next, sides);
  std::string x = "x", kept = "w";
  int made = 0;
  const auto put = [&](const std::string& type_of, const std::string& what) {
    const std::string name = cat("b", made++);
    body += cat(" ", name, " = ", type_of, " ", what, "\n");
    return name;
  };
  const std::string array = Writer::shape("f32", sizes);
  for (int64_t steps = 1 + w.below(5); steps > 0; --steps) switch (w.below(9)) {
      case 0: x = put(array, cat(w.word({"tanh(", "exponential(", "negate("}), x, ")")); break;
      case 1: {
        const std::string dear =
            put(array, w.word({"exponential(w)", "tanh(w)", "sine(w)", "negate(w)"}));
        x = put(array, cat("add(", x, ", ", dear, ")"));
        break;
      }
      case 2: {
        const std::string turned_w =
            put(Writer::shape("f32", {sizes[1], sizes[0]}), "transpose(w), dimensions={1,0}");
        const std::string square =
            put(Writer::shape("f32", {sizes[0], sizes[0]}),
                cat("dot(", x, ", ", turned_w,
                    "), lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
        x = put(array,
                cat("dot(", square, ", w), lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
        break;
      }
      case 3: {
        const std::string zero = put(type + "[]", "constant(0)");
        const std::string row =
            put(Writer::shape("f32", {1, sizes[1]}),
                cat("dynamic-slice(w, i, ", zero, "), dynamic_slice_sizes={1,", sizes[1], "}"));
        x = put(array, cat("dynamic-update-slice(", x, ", ", row, ", i, ", zero, ")"));
        break;
      }
      case 4: {
        const std::string one = put("f32[]", "convert(i)"),
                          all = put(array, cat("broadcast(", one, "), dimensions={}"));
        x = put(array, cat("multiply(", x, ", ", all, ")"));
        break;
      }
      case 5: x = put(array, cat(w.word({"add(", "multiply("}), x, ", w)")); break;
      case 6: kept = x; break;
      case 7: {
        const std::string shown = put(array, cat("reverse(", x, "), dimensions={0}"));
        x = put(array, cat("subtract(", x, ", ", shown, ")"));
        break;
      }
      default: x = put(array, cat("maximum(", x, ", ", kept, ")"));
    }
  body += cat(" ROOT t = ", state, " tuple(j, ", x, ", ", kept, ")\n}\n");
  w.computation(body);
  const Array a = w.parameter("f32", sizes),
              b = w.one_in(4) ? w.splat("f32", sizes, "0.5") : w.parameter("f32", sizes);
  const Array i = w.one_in(6) ? w.parameter(type, {}) : w.constant(type, cat(first));
  const Array s = w.add("", {}, "");
  std::string text = w.finished({a});
  // The loop, and what is read of it, in place of the program's own end.
  const int64_t read = w.below(4);
  const size_t end = text.find(cat(" ", s.name, " = "));
  text.resize(end);
  text += cat(" start = ", state, " tuple(", i.name, ", ", a.name, ", ", b.name,
              ")\n loop = ", state, " while(start), condition=condition, body=body\n");
  text += read == 0   ? cat(" ROOT r = ", type, "[] get-tuple-element(loop), index=0\n}\n")
          : read == 1 ? cat(" ROOT r = ", array, " get-tuple-element(loop), index=2\n}\n")
                      : cat(" ROOT r = ", array, " get-tuple-element(loop), index=1\n}\n");
  return text;
}

struct Kind {
  const char* name;
  std::string (*make)(uint64_t);
};
constexpr Kind kKinds[] = {{"integers", integers},
                           {"layers", convolutions},
                           {"products", products},
                           {"movements", movements},
                           {"loops", loops}};
constexpr const char* kNames[] = {"integers", "layers", "products", "movements", "loops"};

}  // namespace

std::span<const char* const> drawn_kinds() { return kNames; }

std::string drawn_text(const std::string& kind, uint64_t seed) {
  for (const Kind& row : kKinds)
    if (kind == row.name) return row.make(seed);
  return "";
}

}  // namespace hlocc::tests

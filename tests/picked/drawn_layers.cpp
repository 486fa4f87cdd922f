// Drawn programs (drawn.h): convolutions and products, and what follows them.
#include <algorithm>

#include "picked/drawn_writer.h"

namespace hlocc::tests {

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

}  // namespace hlocc::tests

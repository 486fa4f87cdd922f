// Drawn programs (drawn.h): gates of recurrent cells, blocks of convolutions from row to row, rows
// that are reduced and spread again, with several results.
#include <algorithm>

#include "picked/drawn_writer.h"

namespace hlocc::tests {

namespace {

Array drawn_value(Writer& w, const std::vector<Array>& all) {
  return all[static_cast<size_t>(w.below(static_cast<int64_t>(all.size())))];
}
const char* drawn_function(Writer& w, const std::string& type) {
  return Writer::is_float(type)
             ? w.word({"abs", "negate", "tanh", "logistic", "floor", "exponential"})
             : w.word({"abs", "negate", "not", "sign"});
}
// A vector in every row, or a number in every place.
Array drawn_bias(Writer& w, const Array& x) {
  if (w.one_in(4)) return w.splat(x.type, x.sizes, w.word({"1", "2"}));
  const size_t last = x.sizes.size() - 1;
  const Array bias = w.parameter(x.type, {x.sizes[last]});
  return w.add(x.type, x.sizes, cat("broadcast(", bias.name, "), dimensions={", last, "}"));
}
Array sliced(Writer& w, const Array& x, int64_t row, int64_t rows, int64_t from, int64_t columns) {
  return w.add(x.type, {rows, columns},
               cat("slice(", x.name, "), slice={[", row, ":", row + rows, "], [", from, ":",
                   from + columns, "]}"));
}

struct Block {
  int64_t size, stride, outputs;
  bool depthwise;
};
Array convolved(Writer& w, const Array& x, const Block& b) {
  const int64_t groups = b.depthwise ? x.sizes[3] : 1, pad = b.size / 2, cut = w.one_in(10) ? 1 : 0;
  const std::string out_type = x.type == "s8" ? "s32" : x.type;
  const Sizes filter = {b.size, b.size, x.sizes[3] / groups, b.outputs};
  const Array k =
      w.one_in(4) ? w.parameter(x.type, filter) : w.known(x.type, filter, {"1", "-2", "3", "0"});
  const auto extent = [&](int64_t n) { return (n + 2 * pad - cut - b.size) / b.stride + 1; };
  return w.add(out_type, {x.sizes[0], extent(x.sizes[1]), extent(x.sizes[2]), b.outputs},
               cat("convolution(", x.name, ", ", k.name, "), window={size=", b.size, "x", b.size,
                   " stride=", b.stride, "x", b.stride, " pad=", pad, "_", pad - cut, "x", pad, "_",
                   pad - cut, "}, dim_labels=b01f_01io->b01f, feature_group_count=", groups));
}
Array clamped(Writer& w, const Array& x) {
  const Array low = w.constant(x.type, "0"), high = w.constant(x.type, "6");
  return w.add(x.type, x.sizes, cat("clamp(", low.name, ", ", x.name, ", ", high.name, ")"));
}

}  // namespace

std::string cells(uint64_t seed) {
  Writer w(seed);
  const char* const type = w.word({"f32", "f32", "f32", "f32", "f64", "f16", "s32"});
  const int64_t rows = w.number({1, 1, 2, 3, 4, 5}), columns = w.number({4, 5, 8, 16, 32}),
                gates = w.number({1, 2, 2, 3, 4}),
                width = columns * gates + (w.one_in(8) ? columns / 2 : 0);
  std::vector<Array> wide, results;
  for (int64_t n = 1 + w.below(2); n > 0; --n) {
    const int64_t depth = w.number({3, 4, 8, 16});
    const bool turned = w.one_in(8);
    const Array x = w.parameter(type, {rows, depth});
    const Array y = w.parameter(type, turned ? Sizes{width, depth} : Sizes{depth, width});
    Array product =
        w.add(type, {rows, width},
              cat("dot(", x.name, ", ", y.name,
                  "), lhs_contracting_dims={1}, rhs_contracting_dims={", turned ? 1 : 0, "}"));
    if (w.one_in(4)) product = w.unary(drawn_function(w, type), product);
    if (w.one_in(3)) product = w.binary("add", product, drawn_bias(w, product));
    if (w.one_in(10))
      product = w.add(type, product.sizes, cat("reverse(", product.name, "), dimensions={1}"));
    wide.push_back(product);
  }
  Array sum = wide[0];
  if (wide.size() > 1 && w.yes()) sum = w.binary("add", wide[0], wide[1]);
  if (w.one_in(3)) sum = w.binary("add", sum, drawn_bias(w, sum));
  std::vector<Array> parts;
  for (int64_t n = 0; n < gates; ++n) {
    const Array from = w.one_in(4) ? drawn_value(w, wide) : sum;
    const int64_t at = std::min(n * columns + (w.one_in(10) ? 1 : 0), width - columns);
    Array part = sliced(w, from, 0, rows, at, columns);
    if (w.yes()) part = w.unary(drawn_function(w, type), part);
    parts.push_back(part);
  }
  if (w.one_in(3)) parts.push_back(w.parameter(type, {rows, columns}));
  Array cell = parts[0];
  for (size_t n = 1; n < parts.size(); ++n)
    cell = w.binary(w.word({"multiply", "add", "maximum"}), cell, parts[n]);
  if (w.one_in(6))
    cell = w.binary("add", cell,
                    w.add(type, cell.sizes,
                          cat("reverse(", parts[0].name, "), dimensions={", w.below(2), "}")));
  results.push_back(cell);
  if (w.one_in(5)) results.push_back(drawn_value(w, wide));
  if (w.one_in(5)) results.push_back(drawn_value(w, parts));
  if (w.one_in(6)) results.push_back(w.unary("negate", sum));
  return w.finished(results);
}

std::string blocks(uint64_t seed) {
  Writer w(seed);
  const char* const type = w.word({"f32", "f32", "s8", "f64", "f16"});
  Array x = w.parameter(type, {w.one_in(8) ? 2 : 1, w.number({5, 6, 8, 10, 16}),
                               w.number({5, 8, 10, 16}), w.number({3, 4, 8, 16, 32})});
  std::vector<Array> all = {x}, results;
  for (int64_t n = 2 + w.below(3); n > 0; --n) {
    const int64_t kind = w.below(5);
    const Block block = kind < 2   ? Block{1, 1, w.number({4, 8, 16, 24, 32}), false}
                        : kind < 4 ? Block{w.number({3, 3, 5}), w.number({1, 1, 2}),
                                           x.sizes[3] * (w.one_in(6) ? 2 : 1), true}
                                   : Block{3, w.number({1, 2}), w.number({4, 8, 16}), false};
    if (x.sizes[1] < block.size || x.sizes[2] < block.size) break;
    x = convolved(w, x, block);
    if (w.one_in(3)) x = w.binary("add", x, drawn_bias(w, x));
    if (w.yes()) x = clamped(w, x);
    if (std::string(type) == "s8") x = w.converted(x, "s8");
    for (const Array& other : all)
      if (other.type == x.type && other.sizes == x.sizes && w.yes()) x = w.binary("add", x, other);
    all.push_back(x);
  }
  if (w.one_in(3)) {
    const std::string called = w.reducer(w.word({"add", "maximum"}), x.type);
    const Array start = w.constant(x.type, "0");
    const int64_t side = w.number({2, 2, 3}), step = w.number({2, 2, 1});
    const auto pooled = [&](int64_t n) { return n < side ? 0 : (n - side) / step + 1; };
    x = w.add(x.type, {x.sizes[0], pooled(x.sizes[1]), pooled(x.sizes[2]), x.sizes[3]},
              cat("reduce-window(", x.name, ", ", start.name, "), window={size=1x", side, "x", side,
                  "x1 stride=1x", step, "x", step, "x1}, to_apply=", called));
  }
  results.push_back(x);
  if (w.one_in(4)) results.push_back(w.unary("negate", drawn_value(w, all)));
  return w.finished(results);
}

std::string reductions(uint64_t seed) {
  Writer w(seed);
  const char* const type = w.word({"f32", "f32", "f32", "s32", "f16", "c64"});
  const Sizes sizes = w.one_in(3) ? Sizes{2, w.number({1, 3, 4}), w.number({4, 8, 17})}
                                  : Sizes{w.number({1, 2, 4, 9}), w.number({1, 2, 5, 8, 16, 33})};
  std::vector<Array> all = {w.parameter(type, sizes), w.parameter(type, sizes)};
  for (int64_t steps = 3 + w.below(7); steps > 0; --steps) {
    const Array x = w.one_in(3) ? drawn_value(w, all) : all.back();
    switch (w.below(6)) {
      case 0:
      case 1: {
        const std::string op =
            std::string(type) == "c64" ? "add" : w.word({"add", "maximum", "minimum", "multiply"});
        const Array start = w.constant(type, w.word({"0", "0", "1"}));
        const std::string called = w.reducer(op, type);
        const size_t d = w.one_in(4) ? 0 : sizes.size() - 1;
        Sizes left = sizes;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(d));
        std::string kept;
        for (size_t i = 0; i < sizes.size(); ++i)
          if (i != d) kept += cat(kept.empty() ? "" : ",", i);
        const Array sum = w.add(
            type, left,
            cat("reduce(", x.name, ", ", start.name, "), dimensions={", d, "}, to_apply=", called));
        all.push_back(
            w.add(type, sizes, cat("broadcast(", sum.name, "), dimensions={", kept, "}")));
        break;
      }
      case 2: all.push_back(w.binary("add", x, drawn_bias(w, x))); break;
      case 3:
        all.push_back(w.unary(std::string(type) == "c64" ? "negate" : drawn_function(w, type), x));
        break;
      case 4:
        if (w.one_in(3)) {
          all.push_back(
              w.add(type, sizes, cat("reverse(", x.name, "), dimensions={", w.below(2), "}")));
          break;
        }
        [[fallthrough]];
      default:
        all.push_back(w.binary(w.word({"add", "multiply", "subtract"}), x, drawn_value(w, all)));
    }
  }
  std::vector<Array> results = {all.back()};
  for (int64_t n = w.below(4); n > 0; --n) results.push_back(drawn_value(w, all));
  return w.finished(results);
}

}  // namespace hlocc::tests

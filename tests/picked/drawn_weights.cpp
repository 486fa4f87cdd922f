// Drawn programs (drawn.h): products with weights of few bytes, and rows looked up in such a table,
// as exporters write their dequantisation.
#include "picked/drawn_writer.h"

namespace hlocc::tests {

namespace {

// Whole numbers, converted, less a zero point, in groups of rows or not.
Array dequantised(Writer& w, const Sizes& sizes) {
  const char* const type = w.word({"s8", "s8", "u8", "s4", "s32", "s16"});
  const int64_t most = type == std::string("s4") || w.one_in(3) ? 7 : 127;
  const int64_t group = w.number({0, 0, 8, 16, 3});
  Sizes shape = sizes;
  const bool in_groups = group > 0 && sizes[0] % group == 0;
  if (in_groups) shape = {sizes[0] / group, group, sizes[1]};
  std::vector<std::string> values;
  for (int64_t n = 7 + w.below(30); n > 0; --n)
    values.push_back(cat(type[0] == 'u' ? w.below(most) : w.below(2 * most + 1) - most));
  Array x = w.known(type, shape, values);
  if (w.one_in(3) && type[0] != 'u') x = w.converted(x, "s32");
  if (w.one_in(4)) x = w.binary("subtract", x, w.splat(x.type, x.sizes, w.word({"1", "3"})));
  x = w.converted(x, w.one_in(8) ? "f64" : "f32");
  std::vector<std::string> scales;
  for (int64_t n = 5 + w.below(6); n > 0; --n)
    scales.push_back(w.word({"0.5", "0.0123", "1", "0.25", "3.7", "0.1"}));
  const Array scale =
      in_groups ? w.known(x.type, {shape[0], shape[2]}, scales)
                : (w.one_in(3) ? w.constant(x.type, "0.03") : w.known(x.type, {shape[1]}, scales));
  const Array spread = w.add(x.type, shape,
                             cat("broadcast(", scale.name, "), dimensions={",
                                 in_groups             ? "0,2"
                                 : scale.sizes.empty() ? ""
                                                       : "1",
                                 "}"));
  x = w.binary(w.word({"multiply", "multiply", "divide"}), x, spread);
  if (in_groups) x = w.add(x.type, sizes, cat("reshape(", x.name, ")"));
  for (int64_t n = w.one_in(10) ? 14 + w.below(5) : 0; n > 0; --n)
    x = w.binary("add", x, w.splat(x.type, x.sizes, "0"));
  if (x.type == "f64") x = w.converted(x, "f32");
  return x;
}

}  // namespace

std::string weights(uint64_t seed) {
  Writer w(seed);
  const Sizes sizes = {w.number({8, 16, 32, 64, 24}), w.number({8, 16, 17, 33, 64})};
  Array table = dequantised(w, sizes);
  std::vector<Array> results;
  if (w.one_in(6)) results.push_back(w.unary("negate", table));
  if (w.one_in(3)) {
    const int64_t rows = w.number({1, 3});
    const bool flat = w.yes();
    const Array at = w.parameter("s32", flat ? Sizes{rows} : Sizes{rows, 1});
    const bool whole = !w.one_in(5), is_first = w.one_in(6);
    const Sizes out = is_first ? Sizes{sizes[1], rows} : Sizes{rows, whole ? sizes[1] : 2};
    results.push_back(
        w.add("f32", out,
              cat("gather(", table.name, ", ", at.name, "), offset_dims={", is_first ? 0 : 1,
                  "}, collapsed_slice_dims={0}, start_index_map={0}, "
                  "index_vector_dim=1, slice_sizes={1,",
                  is_first ? sizes[1] : out[1], "}")));
    return w.finished(results);
  }
  const bool turned = w.one_in(3);
  if (w.one_in(4))
    table =
        w.add("f32", {sizes[1], sizes[0]}, cat("transpose(", table.name, "), dimensions={1,0}"));
  const int64_t depth = table.sizes[turned ? 1 : 0], rows = w.number({1, 2, 4, 9});
  const Array x = w.parameter("f32", {rows, depth});
  results.push_back(
      w.add("f32", {rows, table.sizes[turned ? 0 : 1]},
            cat("dot(", x.name, ", ", table.name,
                "), lhs_contracting_dims={1}, rhs_contracting_dims={", turned ? 1 : 0, "}")));
  return w.finished(results);
}

}  // namespace hlocc::tests

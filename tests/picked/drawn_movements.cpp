// Drawn programs (drawn.h): movements of data.
#include <algorithm>

#include "picked/drawn_writer.h"

namespace hlocc::tests {

static Array drawn_movement(Writer& w, const Array& x) {
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

}  // namespace hlocc::tests

// Drawn programs (drawn.h): arrays of run-time size. A dimension that may have less elements than
// its bound is written as -bound in Sizes, and so it is kept here.
#include <algorithm>
#include <cstdlib>

#include "picked/drawn_writer.h"

namespace hlocc::tests {

static Sizes bounds_of(Sizes sizes) {
  for (int64_t& n : sizes) n = std::abs(n);
  return sizes;
}
static bool has_run_time_size(const Sizes& sizes) {
  return std::any_of(sizes.begin(), sizes.end(), [](int64_t n) { return n < 0; });
}
static int64_t like(int64_t dimension, int64_t size) { return dimension < 0 ? -size : size; }

// A list with one entry a dimension.
template <typename One>
static std::string a_dimension(const Array& x, const char* between, const One& one) {
  std::string all;
  for (size_t i = 0; i < x.sizes.size(); ++i) all += cat(i == 0 ? "" : between, one(i));
  return all;
}

static Array drawn_size(Writer& w) {
  if (w.one_in(3)) return w.constant("s32", w.word({"0", "1", "2", "3", "-1", "9"}));
  return w.parameter("s32", {});
}

// x with some of its dimensions of run-time size.
static Array sized(Writer& w, Array x) {
  for (size_t d = 0; d < x.sizes.size(); ++d) {
    if (!w.yes()) continue;
    // A dimension that has its bound again is static.
    const bool is_whole = w.one_in(8);
    const Array n = is_whole ? w.constant("s32", cat(std::abs(x.sizes[d]))) : drawn_size(w);
    Sizes sizes = x.sizes;
    sizes[d] = std::abs(sizes[d]) * (is_whole ? 1 : -1);
    x = w.add(x.type, sizes,
              cat("set-dimension-size(", x.name, ", ", n.name, "), dimensions={", d, "}"));
  }
  return x;
}

static Array other_like(Writer& w, const Array& x) {
  const Array other = w.parameter(x.type, bounds_of(x.sizes));
  return w.yes() ? other : sized(w, other);
}

static Array elementwise(Writer& w, const Array& x) {
  switch (w.below(4)) {
    case 0: return w.unary(w.word({"negate", "abs", "copy"}), x);
    case 1: {
      const Array seen = w.add("u32", x.sizes, cat("bitcast-convert(", x.name, ")"));
      return w.add("s32", x.sizes, cat("bitcast-convert(", seen.name, ")"));
    }
    default: {
      const Array other = other_like(w, x);
      Sizes sizes = x.sizes;
      for (size_t d = 0; d < sizes.size(); ++d) sizes[d] = std::min(sizes[d], other.sizes[d]);
      const char* const op = w.word({"add", "multiply", "maximum", "subtract"});
      const bool turned = w.yes();
      return w.add(
          x.type, sizes,
          cat(op, "(", turned ? other.name : x.name, ", ", turned ? x.name : other.name, ")"));
    }
  }
}

static Array moved(Writer& w, const Array& x, size_t d) {
  Sizes sizes = x.sizes;
  const int64_t bound = std::abs(sizes[d]);
  switch (w.below(8)) {
    case 0: {
      const size_t e = static_cast<size_t>(w.below(static_cast<int64_t>(sizes.size())));
      std::swap(sizes[d], sizes[e]);
      const auto from = [&](size_t i) { return cat(i == d ? e : i == e ? d : i); };
      return w.add(x.type, sizes,
                   cat("transpose(", x.name, "), dimensions={", a_dimension(x, ",", from), "}"));
    }
    case 1: {
      const int64_t low = std::min(bound, w.number({0, 0, 1, 2})), step = w.number({1, 1, 2, 3}),
                    high = std::max(low, bound - w.number({0, 0, 1, 2}));
      sizes[d] = like(sizes[d], (high - low + step - 1) / step);
      const auto part = [&](size_t i) {
        return i == d ? cat("[", low, ":", high, ":", step, "]")
                      : cat("[0:", std::abs(x.sizes[i]), "]");
      };
      return w.add(x.type, sizes,
                   cat("slice(", x.name, "), slice={", a_dimension(x, ",", part), "}"));
    }
    case 2: {
      const int64_t low = w.number({0, 1, 2, -1}), high = w.number({0, 1, -1}),
                    inner = w.number({0, 0, 1, 2});
      sizes[d] = like(sizes[d], low + high + bound + inner * std::max<int64_t>(0, bound - 1));
      const Array value = w.constant(x.type, w.word({"0", "5"}));
      const auto edges = [&](size_t i) {
        return i == d ? cat(low, "_", high, "_", inner) : std::string("0_0");
      };
      return w.add(
          x.type, sizes,
          cat("pad(", x.name, ", ", value.name, "), padding=", a_dimension(x, "x", edges)));
    }
    case 3: return w.add(x.type, sizes, cat("reverse(", x.name, "), dimensions={", d, "}"));
    case 4: {
      const Array other = other_like(w, x);
      for (size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::min(sizes[i], other.sizes[i]);
      sizes[d] = like(sizes[d], 2 * bound);
      return w.add(x.type, sizes,
                   cat("concatenate(", x.name, ", ", other.name, "), dimensions={", d, "}"));
    }
    case 5: {
      sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(d), w.number({1, 2}));
      const auto kept = [&](size_t i) { return cat(i < d ? i : i + 1); };
      return w.add(x.type, sizes,
                   cat("broadcast(", x.name, "), dimensions={", a_dimension(x, ",", kept), "}"));
    }
    case 6: {
      // To one dimension, or one more.
      int64_t count = 1;
      for (const int64_t n : sizes) count *= std::abs(n);
      if (w.yes())
        sizes = {has_run_time_size(sizes) ? -count : count};
      else
        sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(w.below(2)), 1);
      return w.add(x.type, sizes, cat("reshape(", x.name, ")"));
    }
    default: {
      // The other way round.
      std::string operands = x.name;
      for (size_t i = sizes.size(); i-- > 0;) {
        const Array size =
            w.add("s32", {}, cat("get-dimension-size(", x.name, "), dimensions={", i, "}"));
        operands += ", " + size.name;
      }
      std::reverse(sizes.begin(), sizes.end());
      return w.add(x.type, sizes, cat("dynamic-reshape(", operands, ")"));
    }
  }
}

static Array reduced(Writer& w, const Array& x, size_t d) {
  const std::string op = w.word({"add", "maximum", "minimum", "multiply", "subtract"});
  const std::string called = w.reducer(op, x.type);
  const Array start = w.constant(x.type, w.word({"0", "1", "-2147483648"}));
  Sizes sizes = x.sizes;
  if (w.yes()) {
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(d));
    return w.add(
        x.type, sizes,
        cat("reduce(", x.name, ", ", start.name, "), dimensions={", d, "}, to_apply=", called));
  }
  const int64_t size = w.number({1, 2, 3}), stride = w.number({1, 1, 2}), low = w.number({0, 1}),
                high = w.number({0, 0, 1}), hole = w.number({1, 1, 2}), base = w.number({1, 1, 2});
  const int64_t reach = (size - 1) * hole + 1,
                room = low + high + std::max<int64_t>(0, (std::abs(sizes[d]) - 1) * base + 1);
  sizes[d] = like(sizes[d], room < reach ? 0 : (room - reach) / stride + 1);
  const auto each = [&](int64_t here) {
    return a_dimension(x, "x", [&](size_t i) { return cat(i == d ? here : 1); });
  };
  const auto edges = [&](size_t i) { return i == d ? cat(low, "_", high) : std::string("0_0"); };
  return w.add(x.type, sizes,
               cat("reduce-window(", x.name, ", ", start.name, "), window={size=", each(size),
                   " stride=", each(stride), " pad=", a_dimension(x, "x", edges),
                   " lhs_dilate=", each(base), " rhs_dilate=", each(hole), "}, to_apply=", called));
}

static Array placed(Writer& w, const Array& x, size_t d) {
  Sizes sizes = x.sizes, part = bounds_of(x.sizes);
  const int64_t length = std::min(part[d], w.number({0, 1, 2, part[d]}));
  const Array zero = w.constant("s32", "0");
  const auto starts = [&](const Array& at) {
    return a_dimension(x, ", ", [&](size_t i) { return i == d ? at.name : zero.name; });
  };
  switch (w.below(4)) {
    case 0: {
      const Array at = drawn_size(w);
      sizes[d] = length == part[d] ? sizes[d] : length;
      part[d] = length;
      for (size_t i = 0; i < sizes.size(); ++i)
        if (part[i] != std::abs(x.sizes[i])) sizes[i] = part[i];
      return w.add(x.type, sizes,
                   cat("dynamic-slice(", x.name, ", ", starts(at), "), dynamic_slice_sizes={",
                       a_dimension(x, ",", [&](size_t i) { return cat(part[i]); }), "}"));
    }
    case 1: {
      const Array at = drawn_size(w);
      part[d] = length;
      const Array value = w.parameter(x.type, part);
      return w.add(x.type, sizes,
                   cat("dynamic-update-slice(", x.name, ", ", value.name, ", ", starts(at), ")"));
    }
    case 2: {
      w.computation(
          "less {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT c = pred[] "
          "compare(a, b), direction=LT\n}\n");
      return w.add(x.type, sizes, cat("sort(", x.name, "), dimensions={", d, "}, to_apply=less"));
    }
    default: {
      // Rows of a table, as many as there are indices; or added to the table's rows.
      const int64_t rows = w.number({2, 5}), width = w.number({1, 3});
      const Array table = w.parameter(x.type, {rows, width});
      const Array given = w.parameter("s32", {std::abs(sizes[d]), 1});
      const Array at = w.one_in(4) ? given : sized(w, given);
      if (w.yes())
        return w.add(x.type, {at.sizes[0], width},
                     cat("gather(", table.name, ", ", at.name,
                         "), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
                         "index_vector_dim=1, slice_sizes={1,",
                         width, "}"));
      const Array all = w.parameter(x.type, {std::abs(sizes[d]), width});
      const Array updates = w.yes() ? all : sized(w, all);
      const std::string called = w.reducer(w.word({"add", "maximum"}), x.type);
      return w.add(x.type, {rows, width},
                   cat("scatter(", table.name, ", ", at.name, ", ", updates.name,
                       "), update_window_dims={1}, inserted_window_dims={0}, "
                       "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=",
                       called));
    }
  }
}

static Array multiplied(Writer& w, const Array& x, size_t d) {
  Sizes other = {std::abs(x.sizes[d]), w.number({1, 2, 4})};
  const Array known = w.parameter(x.type, other);
  const Array right = w.yes() ? known : sized(w, known);
  Sizes sizes = x.sizes;
  sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(d));
  sizes.push_back(right.sizes[1]);
  return w.add(x.type, sizes,
               cat("dot(", x.name, ", ", right.name, "), lhs_contracting_dims={", d,
                   "}, rhs_contracting_dims={0}"));
}

std::string sizes(uint64_t seed) {
  Writer w(seed);
  Sizes bounds;
  for (int64_t rank = 1 + w.below(3); rank > 0; --rank) bounds.push_back(w.number({1, 2, 3, 6}));
  Array x = sized(w, w.parameter("s32", bounds));
  std::vector<Array> results;
  for (int64_t steps = 1 + w.below(4); steps > 0 && !x.sizes.empty(); --steps) {
    const size_t d = static_cast<size_t>(w.below(static_cast<int64_t>(x.sizes.size())));
    if (w.one_in(6))
      results.push_back(
          w.add("s32", {}, cat("get-dimension-size(", x.name, "), dimensions={", d, "}")));
    switch (w.below(6)) {
      case 0: x = elementwise(w, x); break;
      case 1: x = reduced(w, x, d); break;
      case 2: x = placed(w, x, d); break;
      case 3: x = multiplied(w, x, d); break;
      default: x = moved(w, x, d);
    }
  }
  // What has a run-time size is no result: its size is one, and a sum of weighted elements.
  for (size_t d = 0; d < x.sizes.size(); ++d)
    if (x.sizes[d] < 0)
      results.push_back(
          w.add("s32", {}, cat("get-dimension-size(", x.name, "), dimensions={", d, "}")));
  if (has_run_time_size(x.sizes)) {
    const size_t last = x.sizes.size() - 1;
    const Array place = w.add("s32", bounds_of(x.sizes), cat("iota(), iota_dimension=", last));
    const Array one = w.splat("s32", place.sizes, "3");
    const Array weight = w.binary("add", place, one);
    const Array y = w.add("s32", x.sizes, cat("multiply(", x.name, ", ", weight.name, ")"));
    const Array zero = w.constant("s32", "0");
    const std::string called = w.reducer("add", "s32");
    x = w.add("s32", {},
              cat("reduce(", y.name, ", ", zero.name, "), dimensions={",
                  a_dimension(y, ",", [](size_t i) { return cat(i); }), "}, to_apply=", called));
  }
  results.push_back(x);
  return w.finished(results);
}

}  // namespace hlocc::tests

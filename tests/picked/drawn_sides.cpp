// Drawn programs (drawn.h): products of any ranks and orders of dimensions and convolutions of any
// layout, their operands made in every way and read by all kinds of elementwise instructions.
#include <algorithm>
#include <numeric>

#include "picked/drawn_writer.h"

namespace hlocc::tests {
namespace {

bool is_real(const std::string& type) { return type[0] != 'c' && type != "pred"; }

std::string list_of(const Sizes& numbers) {
  std::string all;
  for (const int64_t n : numbers) all += cat(all.empty() ? "" : ",", n);
  return all;
}

Sizes counted(size_t count) {
  Sizes all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// In another order, every few times.
Sizes reordered(Writer& w, size_t count, int64_t one_in) {
  Sizes order = counted(count);
  if (!w.one_in(one_in)) return order;
  for (size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<size_t>(w.below(static_cast<int64_t>(i)))]);
  return order;
}

Array spread(Writer& w, const Array& from, const Sizes& to, const Sizes& dimensions) {
  return w.add(from.type, to,
               cat("broadcast(", from.name, "), dimensions={", list_of(dimensions), "}"));
}

// One number a place of some of the dimensions, known or not.
Array along_some(Writer& w, const std::string& type, const Sizes& sizes) {
  Sizes dimensions, kept;
  for (size_t d = 0; d < sizes.size(); ++d)
    if (w.one_in(static_cast<int64_t>(sizes.size()))) {
      dimensions.push_back(static_cast<int64_t>(d));
      kept.push_back(sizes[d]);
    }
  const bool is_known = w.yes() && is_real(type);
  const Array from =
      is_known ? w.known(type, kept, {"1", "2", "3", "5", "1", "0", "7"}) : w.parameter(type, kept);
  return spread(w, from, sizes, dimensions);
}

// An array of the type: given, known, or made of what is given or known.
Array side(Writer& w, const std::string& type, const Sizes& sizes) {
  const int64_t kind = w.below(16);
  const auto base = [&](const std::string& of, const Sizes& shape) {
    if (w.yes() || !is_real(of)) return w.parameter(of, shape);
    return w.known(of, shape, {"1", "2", "3", "5", "0", "1", "7", "4"});
  };
  if (kind < 6) return w.parameter(type, sizes);
  if (kind < 9) return base(type, sizes);
  if (kind == 9) {
    const Array x = base(type, sizes);
    return w.unary(w.word({"negate", "copy"}), x);
  }
  if (kind == 10) {
    const Array x = base(type, sizes), y = along_some(w, type, sizes);
    return w.binary(w.word({"add", "multiply"}), x, y);
  }
  if (kind == 11) {
    const Array flat =
        base(type, {std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>())});
    return w.add(type, sizes, cat("reshape(", flat.name, ")"));
  }
  if (kind == 12) {
    const Sizes order = reordered(w, sizes.size(), 1);
    Sizes from(sizes.size());
    for (size_t d = 0; d < sizes.size(); ++d) from[static_cast<size_t>(order[d])] = sizes[d];
    const Array x = base(type, from);
    return w.add(type, sizes, cat("transpose(", x.name, "), dimensions={", list_of(order), "}"));
  }
  if (kind == 13) return along_some(w, type, sizes);
  const std::string narrow = w.word({"s8", "s4", "u8", "s16", "f16", "pred", "s32"});
  const Array x = w.converted(base(narrow, sizes), type);
  if (kind == 14 || !is_real(type)) return x;
  return w.binary("multiply", x, along_some(w, type, sizes));
}

// What reads it: up to three steps, and what is a result beside.
std::string read(Writer& w, Array z) {
  std::vector<Array> results;
  if (w.one_in(6)) results.push_back(z);
  for (int64_t n = w.below(4); n > 0; --n) {
    switch (w.below(9)) {
      case 0:
      case 1: {
        const Array other = along_some(w, z.type, z.sizes);
        z = w.binary(is_real(z.type) ? w.word({"add", "multiply", "maximum"}) : "add", z, other);
        break;
      }
      case 2: {
        const Array other = w.parameter(z.type, z.sizes);
        z = w.binary(w.word({"add", "subtract"}), z, other);
        break;
      }
      case 3: z = w.unary(w.word({"negate", "abs"}), z); break;
      case 4:
        if (Writer::is_float(z.type)) z = w.unary(w.word({"tanh", "exponential", "floor"}), z);
        break;
      case 5:
        if (is_real(z.type)) z = w.converted(z, w.word({"f32", "s32", "s8", "f16", "f64"}));
        break;
      case 6: {
        const Sizes order = reordered(w, z.sizes.size(), 1);
        Sizes to;
        for (const int64_t d : order) to.push_back(z.sizes[static_cast<size_t>(d)]);
        z = w.add(z.type, to, cat("transpose(", z.name, "), dimensions={", list_of(order), "}"));
        break;
      }
      case 7: {
        if (z.sizes.empty()) break;
        const size_t d = w.yes()
                             ? z.sizes.size() - 1
                             : static_cast<size_t>(w.below(static_cast<int64_t>(z.sizes.size())));
        const Array start = w.constant(z.type, z.type[0] == 'c' ? "(0, 0)" : "0");
        const std::string called = w.reducer("add", z.type);
        Sizes folded = z.sizes;
        folded.erase(folded.begin() + static_cast<long>(d));
        const Array s = w.add(
            z.type, folded,
            cat("reduce(", z.name, ", ", start.name, "), dimensions={", d, "}, to_apply=", called));
        if (w.yes()) results.push_back(z);
        z = s;
        break;
      }
      default: {
        const Array flat = w.add(
            z.type,
            {std::accumulate(z.sizes.begin(), z.sizes.end(), int64_t{1}, std::multiplies<>())},
            cat("reshape(", z.name, ")"));
        if (w.yes()) results.push_back(z);
        z = flat;
      }
    }
  }
  results.push_back(z);
  return w.finished(results);
}

std::string sum_of(Writer& w, const std::string& type) {
  if (type == "s8" || type == "u8" || type == "s4") return w.one_in(8) ? "f32" : "s32";
  if (type == "f16" || type == "bf16" || type == "s16")
    return w.yes() ? type : type == "s16" ? "s32" : "f32";
  return type;
}

}  // namespace

std::string contractions(uint64_t seed) {
  Writer w(seed);
  const std::string left = w.word({"f32", "f32", "f32", "s8", "s8", "u8", "f64", "f16", "s32",
                                   "s16", "c64", "u32"}),
                    right = w.one_in(6) && left[0] != 'c' ? w.word({"s8", "f32", "u8", "f16"})
                                                          : left.c_str();
  const std::string sum = sum_of(w, left);
  const auto drawn = [&](int64_t most) {
    Sizes sizes;
    for (int64_t n = w.below(most + 1); n > 0; --n)
      sizes.push_back(w.one_in(40) ? 0
                                   : w.number({1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 33, 64}));
    return sizes;
  };
  Sizes batch = w.one_in(3) ? drawn(2) : Sizes{},
        contracted =
            w.one_in(6) ? drawn(2) : Sizes{w.number({1, 2, 3, 4, 8, 15, 16, 17, 32, 40, 64})};
  const Sizes free[2] = {
      w.one_in(4) ? drawn(2) : Sizes{w.number({1, 1, 2, 3, 4, 5, 8, 9, 16, 17})},
      w.one_in(4) ? drawn(2) : Sizes{w.number({1, 3, 4, 7, 8, 9, 15, 16, 17, 32, 33})}};
  for (Sizes* sizes : {&batch, &contracted})
    for (int64_t& n : *sizes) n = std::min<int64_t>(n, sizes->size() > 1 ? 9 : 64);
  Array arrays[2];
  std::string batches[2], steps[2];
  for (const size_t s : {0, 1}) {
    // Batches, rows, steps; batches, steps, columns; or in any order.
    const Sizes& first = s == 0 ? free[0] : contracted;
    const Sizes& second = s == 0 ? contracted : free[1];
    Sizes all = batch;
    all.insert(all.end(), first.begin(), first.end());
    all.insert(all.end(), second.begin(), second.end());
    const Sizes order = reordered(w, all.size(), 3);
    Sizes sizes(all.size()), at_batch, at_steps;
    for (size_t d = 0; d < all.size(); ++d) sizes[static_cast<size_t>(order[d])] = all[d];
    for (size_t d = 0; d < batch.size(); ++d) at_batch.push_back(order[d]);
    const size_t begin = batch.size() + (s == 0 ? first.size() : 0);
    for (size_t d = 0; d < contracted.size(); ++d) at_steps.push_back(order[begin + d]);
    arrays[s] = side(w, s == 0 ? left : right, sizes);
    batches[s] = list_of(at_batch), steps[s] = list_of(at_steps);
  }
  Sizes made = batch;
  for (const Sizes& sizes : free) made.insert(made.end(), sizes.begin(), sizes.end());
  const std::string with_batches =
      batch.empty() ? ""
                    : cat("lhs_batch_dims={", batches[0], "}, rhs_batch_dims={", batches[1], "}, ");
  const Array z =
      w.add(sum, made,
            cat("dot(", arrays[0].name, ", ", arrays[1].name, "), ", with_batches,
                "lhs_contracting_dims={", steps[0], "}, rhs_contracting_dims={", steps[1], "}"));
  return read(w, z);
}

std::string windows(uint64_t seed) {
  Writer w(seed);
  const size_t spatial = static_cast<size_t>(w.number({0, 1, 1, 2, 2, 2, 2, 2, 3}));
  const std::string type =
      w.word({"f32", "f32", "f32", "s8", "s8", "u8", "f64", "f16", "c64", "s16", "s32"});
  const std::string sum = sum_of(w, type);
  const int64_t groups = w.number({1, 1, 1, 2, 4, 8, 16, 3}),
                of_group = w.number({1, 1, 2, 3, 4, 8, 16}),
                made_of_group = w.number({1, 1, 2, 3, 4, 8, 16, 5}),
                batch_groups = w.one_in(20) ? 2 : 1;
  const int64_t batch = batch_groups * w.number({1, 1, 1, 2, 3});
  // Batch, features, places.
  Sizes in = {batch, groups * of_group}, filter = {of_group, groups * made_of_group * batch_groups},
        out = {batch / batch_groups, groups * made_of_group * batch_groups};
  std::string size, pads, strides, holes, bases, turns;
  for (size_t d = 0; d < spatial; ++d) {
    const int64_t extent = w.number({1, 2, 4, 7, 8, 9, 10, 12, 16, 17, 20, 24}),
                  n = w.number({1, 2, 3, 3, 3, 5, 7, 8, 8, 9, 10}),
                  low = w.number({0, 0, n / 2, 1, 2, n - 1, -1}),
                  high = w.number({0, 0, n / 2, 1, 2, n - 1, -1}),
                  stride = w.number({1, 1, 1, 2, 3}), hole = w.one_in(12) ? 2 : 1,
                  base = w.one_in(12) ? 2 : 1;
    const int64_t turn = w.one_in(12) ? 1 : 0;
    const int64_t padded = low + (extent - 1) * base + 1 + high, reach = (n - 1) * hole + 1;
    in.push_back(extent), filter.push_back(n),
        out.push_back(padded < reach ? 0 : (padded - reach) / stride + 1);
    const char* const x = d == 0 ? "" : "x";
    size += cat(x, n), pads += cat(x, low, "_", high), strides += cat(x, stride),
        holes += cat(x, hole), bases += cat(x, base), turns += cat(x, turn);
  }
  // A label a dimension: `b01f`.
  const auto laid_out = [&](const Sizes& sizes, const char* first_two, int64_t turned,
                            std::string& labels) {
    // As most write it, or in another order.
    Sizes usual;
    const bool is_filter = first_two[0] == 'i';
    if (!is_filter) usual.push_back(0);
    for (size_t d = 0; d < spatial; ++d) usual.push_back(static_cast<int64_t>(d) + 2);
    if (is_filter) usual.push_back(0);
    usual.push_back(1);
    const Sizes order = reordered(w, usual.size(), turned);
    Sizes placed;
    for (const int64_t at : order) {
      const int64_t which = usual[static_cast<size_t>(at)];
      labels += which < 2 ? std::string(1, first_two[which]) : cat(which - 2);
      placed.push_back(sizes[static_cast<size_t>(which)]);
    }
    return placed;
  };
  std::string at_in, at_filter, at_out;
  const Sizes in_sizes = laid_out(in, "bf", 6, at_in),
              filter_sizes = laid_out(filter, "io", 8, at_filter),
              out_sizes = laid_out(out, "bf", 8, at_out);
  Array x = side(w, type, in_sizes);
  if (w.one_in(8)) {
    Sizes padded = x.sizes;
    std::string amounts;
    for (size_t d = 0; d < padded.size(); ++d) {
      const bool pads_it = at_in[d] >= '0' && at_in[d] <= '9' && padded[d] > 2;
      if (pads_it) padded[d] -= 2;
      amounts += cat(d == 0 ? "" : "x", pads_it ? "1_1" : "0_0");
    }
    const Array inner = w.parameter(type, padded),
                value = w.constant(type, type[0] == 'c' ? "(0, 0)" : w.word({"0", "0", "0", "1"}));
    x = w.add(type, x.sizes, cat("pad(", inner.name, ", ", value.name, "), padding=", amounts));
  }
  const Array k = side(w, type, filter_sizes);
  const std::string window =
      spatial == 0
          ? ""
          : cat("window={size=", size, " stride=", strides, " pad=", pads, " lhs_dilate=", bases,
                " rhs_dilate=", holes, " rhs_reversal=", turns, "}, ");
  const Array z = w.add(
      sum, out_sizes,
      cat("convolution(", x.name, ", ", k.name, "), ", window, "dim_labels=", at_in, "_", at_filter,
          "->", at_out, ", feature_group_count=", groups, ", batch_group_count=", batch_groups));
  return read(w, z);
}

}  // namespace hlocc::tests

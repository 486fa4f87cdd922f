// Drawn programs (drawn.h): integers whose ranges are known, every value a result.
#include "picked/drawn_writer.h"

namespace hlocc::tests {

namespace {

Array drawn_integer(Writer& w, const Sizes& sizes, const std::string& type) {
  switch (w.below(4)) {
    case 0: return w.splat(type, sizes, drawn_number(w, type));
    case 1: return w.add(type, sizes, cat("iota(), iota_dimension=", w.below(2)));
    case 2: {
      const Array bytes = w.parameter(w.word({"s8", "u8", "s16", "pred"}), sizes);
      return w.converted(bytes, type);
    }
    default: {
      std::vector<std::string> values;
      for (int n = 0; n < 5; ++n) values.push_back(drawn_number(w, type));
      return w.known(type, sizes, values);
    }
  }
}

Array drawn_step(Writer& w, const Array& x) {
  const std::string& t = x.type;
  const int64_t rows = x.sizes[0], columns = x.sizes[1];
  switch (w.below(10)) {
    case 0: return w.converted(x, w.word({"s8", "u8", "s16", "s32", "u32", "s64", "u64"}));
    case 1: {
      const Array y = drawn_integer(w, x.sizes, t);
      return w.add(t, {2 * rows, columns},
                   cat("concatenate(", x.name, ", ", y.name, "), dimensions={0}"));
    }
    case 2: {
      const Array value = w.constant(t, drawn_number(w, t));
      return w.add(t, {rows + 1, columns},
                   cat("pad(", x.name, ", ", value.name, "), padding=1_0x0_0"));
    }
    case 3: {
      const Array y = drawn_integer(w, x.sizes, t), z = drawn_integer(w, x.sizes, t);
      const Array p =
          w.add("pred", x.sizes, cat("compare(", x.name, ", ", y.name, "), direction=LT"));
      return w.add(t, x.sizes, cat("select(", p.name, ", ", z.name, ", ", x.name, ")"));
    }
    case 4: {
      const Array low = w.constant(t, drawn_number(w, t)), high = w.constant(t, drawn_number(w, t));
      return w.add(t, x.sizes, cat("clamp(", low.name, ", ", x.name, ", ", high.name, ")"));
    }
    case 5: {
      const std::string op = w.word({"add", "add", "maximum", "minimum", "multiply"});
      const Array start = w.constant(t, drawn_number(w, t));
      const std::string called = w.reducer(op, t);
      const Array sum =
          w.add(t, {rows},
                cat("reduce(", x.name, ", ", start.name, "), dimensions={1}, to_apply=", called));
      return w.add(t, {rows, 2}, cat("broadcast(", sum.name, "), dimensions={0}"));
    }
    case 6: {
      const int64_t n = w.number({1, 3});
      const bool turned = w.yes();
      const Sizes sizes = turned ? Sizes{n, columns} : Sizes{columns, n};
      const Array y = drawn_integer(w, sizes, t);
      return w.add(t, {rows, n},
                   cat("dot(", x.name, ", ", y.name,
                       "), lhs_contracting_dims={1}, rhs_contracting_dims={", turned ? 1 : 0, "}"));
    }
    case 7: return w.unary(w.word({"negate", "copy", "abs"}), x);
    default: {
      const Array y = w.one_in(5) ? x : drawn_integer(w, x.sizes, t);
      const char* const op = w.word({"add", "subtract", "multiply", "maximum", "minimum",
                                     "shift-right-arithmetic", "shift-right-arithmetic"});
      return w.one_in(4) ? w.binary(op, y, x) : w.binary(op, x, y);
    }
  }
}

}  // namespace

std::string ranges(uint64_t seed) {
  Writer w(seed);
  const Sizes sizes = {w.number({1, 2, 4}), w.number({1, 3, 5})};
  Array x = drawn_integer(w, sizes, w.word({"s32", "s64", "s64", "s16", "u32", "s8", "u64"}));
  std::vector<Array> all = {x};
  for (int64_t steps = 2 + w.below(5); steps > 0; --steps) {
    x = drawn_step(w, x);
    all.push_back(x);
  }
  return w.finished(all);
}

}  // namespace hlocc::tests

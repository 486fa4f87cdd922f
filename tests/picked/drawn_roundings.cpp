// Drawn programs (drawn.h): how quantised networks spell rounding in integers, each part as
// exporters write it or, now and then, a little otherwise.
#include "picked/drawn_writer.h"

namespace hlocc::tests {

namespace {

// The usual word, seldom another one.
const char* mostly(Writer& w, const char* usual, std::initializer_list<const char*> others) {
  return w.one_in(14) ? w.word(others) : usual;
}
Array either_way(Writer& w, const char* op, const Array& a, const Array& b) {
  return w.one_in(3) ? w.binary(op, b, a) : w.binary(op, a, b);
}
Array compared(Writer& w, const Array& x, const Array& y, const char* direction) {
  return w.add("pred", x.sizes, cat("compare(", x.name, ", ", y.name, "), direction=", direction));
}

// One number for all, or one for each of the last dimension.
Array amounts(Writer& w, const Array& x, const std::vector<std::string>& values) {
  if (values.size() == 1) return w.splat(x.type, x.sizes, values[0]);
  const Array known = w.known(x.type, {x.sizes.back()}, values);
  return w.add(x.type, x.sizes,
               cat("broadcast(", known.name, "), dimensions={", x.sizes.size() - 1, "}"));
}

// value + (value < 0 ? one number : another), divided: to nearest, halves away from zero.
Array nudged(Writer& w, const Array& x) {
  const Array zero = w.splat(x.type, x.sizes, mostly(w, "0", {"1", "-1"}));
  const bool by_less = w.yes();
  const Array p = compared(w, w.one_in(20) ? zero : x, zero,
                           by_less ? mostly(w, "LT", {"LE", "GT"}) : mostly(w, "GE", {"GT", "EQ"}));
  const bool is_long = x.type == "s64" && w.yes();
  Array up = w.splat(x.type, x.sizes, is_long ? "1073741824" : mostly(w, "64", {"63", "128", "0"}));
  Array down =
      w.splat(x.type, x.sizes, is_long ? "-1073741823" : mostly(w, "-63", {"-64", "64", "65"}));
  if (w.one_in(14)) down = x;
  if (w.one_in(14)) up = x;
  const Array choice = w.add(x.type, x.sizes,
                             cat("select(", p.name, ", ", by_less ? down.name : up.name, ", ",
                                 by_less ? up.name : down.name, ")"));
  const Array sum = either_way(w, "add", x, choice);
  const Array unit = w.splat(x.type, x.sizes, is_long ? "2147483648" : "128");
  return w.binary("divide", sum, unit);
}

// (value >> by) + 1 where the bits shifted out are more than half of them.
Array nearest(Writer& w, const Array& x) {
  std::vector<std::string> by_values, masks, halves;
  const int64_t count = w.yes() ? 1 : x.sizes.back();
  for (int64_t n = 0; n < count; ++n) {
    const int64_t by = w.number({0, 1, 2, 3, 6, 7, 8, 12, w.one_in(8) ? int64_t{31} : 4,
                                 w.one_in(8) ? int64_t{30} : 4, w.one_in(12) ? int64_t{-1} : 5}),
                  mask = (int64_t{1} << (by < 0 ? 0 : by)) - 1;
    by_values.push_back(cat(by));
    masks.push_back(cat(w.one_in(40) ? mask + 1 : mask));
    halves.push_back(cat(w.one_in(40) ? mask : mask >> 1));
  }
  const Array by = amounts(w, x, by_values), one = w.splat(x.type, x.sizes, "1");
  Array mask = amounts(w, x, masks), half = amounts(w, x, halves);
  if (w.yes()) {
    mask = w.binary("subtract", w.binary(mostly(w, "shift-left", {"shift-right-logical"}), one, by),
                    one);
    if (w.yes())
      half = w.binary(mostly(w, "shift-right-arithmetic", {"shift-right-logical", "subtract"}),
                      mask, one);
  }
  const Array zero = w.splat(x.type, x.sizes, mostly(w, "0", {"1"}));
  const Array negative = w.converted(compared(w, x, zero, mostly(w, "LT", {"GE", "LE"})), x.type);
  const Array rest = either_way(w, mostly(w, "and", {"or", "xor"}), x, mask);
  const Array limit = either_way(w, mostly(w, "add", {"subtract", "maximum"}), half, negative);
  Array more = w.converted(compared(w, rest, limit, mostly(w, "GT", {"GE", "NE"})), x.type);
  if (w.one_in(20)) more = one;
  const char* const shift = mostly(w, "shift-right-arithmetic", {"shift-right-logical"});
  return either_way(w, "add", w.binary(shift, x, by), more);
}

}  // namespace

std::string roundings(uint64_t seed) {
  Writer w(seed);
  const char* const from = w.word({"s8", "s16", "s16", "s32", "u8", "u32"});
  Array x = w.parameter(from, {w.number({1, 2}), w.number({1, 2, 3})});
  x = w.converted(x, w.word({"s64", "s64", "s64", "s32", "f32", "u64"}));
  if (x.type == "f32") {
    x = w.binary("multiply", x, amounts(w, x, {w.word({"0.5", "0.0123", "1.75"})}));
    x = w.unary(w.word({"round-nearest-even", "floor", "round-nearest-afz"}), x);
    x = w.converted(x, w.word({"s32", "s64"}));
  }
  if (w.yes()) {
    std::vector<std::string> factors;
    for (int64_t n = w.yes() ? 1 : x.sizes.back(); n > 0; --n)
      factors.push_back(w.word({"3", "5", "77", "1000", "1518500249", "1073741824", "1", "-2"}));
    x = w.binary("multiply", x, amounts(w, x, factors));
  }
  for (int64_t steps = 1 + w.below(2); steps > 0; --steps) {
    x = w.yes() ? nudged(w, x) : nearest(w, x);
    if (w.one_in(3) && x.type == "s64") x = w.converted(x, "s32");
  }
  if (w.yes())
    x = w.binary(w.word({"add", "subtract"}), x,
                 amounts(w, x, {w.word({"3", "-128", "-9223372036854775808"})}));
  const Array low = w.constant(x.type, w.word({"-128", "0", "-20"})),
              high = w.constant(x.type, w.word({"127", "6", "-21"}));
  x = w.one_in(12)
          ? x
          : w.add(x.type, x.sizes, cat("clamp(", low.name, ", ", x.name, ", ", high.name, ")"));
  return w.finished({w.converted(x, w.word({"s8", "s8", "u8"}))});
}

}  // namespace hlocc::tests

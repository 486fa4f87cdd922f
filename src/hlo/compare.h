// Comparing a result with what is expected, leaf by leaf, under the rules of the test corpus. A
// rule says how near is near enough; an element passes if any of its parts (ulp, rtol/atol) accepts
// it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "hlo/literal.h"

namespace hlocc::hlo {

struct CompareRule {
  // Equal numbers; NaN equals NaN, -0 equals +0 unless `signed_zero`. What a rule without any other
  // part means, too.
  bool exact = false;
  // The same bytes.
  bool bits = false;
  // Distance in units of the last place of the expected element type.
  std::optional<int64_t> ulp;
  // |got - expected| <= atol + rtol * |expected|; for complex numbers |expected| is the whole
  // number's magnitude.
  double rtol = 0, atol = 0;
  bool signed_zero = false;
  // Two values that are both zero or denormal are equal: results of chips that flush denormals
  // pass.
  bool denorm = true;
  // The fraction of elements that may fail.
  double mismatch_frac = 0;
};

struct Comparison {
  bool ok = false;
  int64_t elements = 0, bad = 0;
  double max_abs = 0, max_rel = 0;
  int64_t max_ulp = 0;
  // The first bad element: "index (0, 3) got 1.5 expected 1.25"; or why the leaves can't be
  // compared.
  std::string first;
};

// Compares two array leaves. Infinities must match in sign, NaN must meet NaN.
Comparison compare_leaf(const Literal& got, const Literal& expected, const CompareRule& rule);

// The largest finite magnitude of an array of floats or complex numbers, of their parts; 0 without
// any.
double largest_magnitude(const Literal& literal);

}  // namespace hlocc::hlo

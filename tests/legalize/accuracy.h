// How far the legal form of a function is from its true value, in units of the last place, over
// many points.
#pragma once
#include <functional>

#include "legalize/harness.h"

namespace hlocc::kernel {

// The true value, in a wider format than that of the operands.
using Reference = std::function<long double(long double)>;
using Reference2 = std::function<long double(long double, long double)>;

struct Function {
  OpKind kind;
  double goal;       // ulp, both widths
  double low, high;  // where the samples lie besides those over all exponents
  Reference value;
};
struct Function2 {
  OpKind kind;
  double goal;
  Reference2 value;
};
const std::vector<Function>& functions_of_one();
const std::vector<Function2>& functions_of_two();

struct Accuracy {
  double worst = 0;  // ulp
  std::vector<uint64_t> at;
  uint64_t got = 0;
};
// Half of the points are spread evenly over [low, high], half over all bit patterns of the type.
Column sample(Scalar scalar, double low, double high, int points);
// How the op is computed: in the evaluator here, by compiled code in the tests of that.
using Runner = std::function<Column(const OpTest& test, const std::vector<Column>& inputs)>;
Runner legalised_for(const Target& target);
Accuracy measure(const Function& function, Scalar scalar, const Runner& runner, int points);
Accuracy measure(const Function2& function, Scalar scalar, const Runner& runner, int points);

}  // namespace hlocc::kernel

// Programs as HLO text, run on literals: the form in which the tests of op families are written.
#pragma once
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "hlo/small_float.h"
#include "interpreter/interpreter.h"

namespace hlocc::tests {

using hlo::Dimensions;
using hlo::Literal;
using hlo::PrimitiveType;

inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInf = std::numeric_limits<float>::infinity();

// `body` is a module's text, or the lines of an ENTRY computation alone.
Result<Literal> run_text(const std::string& body, const std::vector<Literal>& arguments = {});

// The values of a result leaf as doubles (complex: re, im, re, im, ...).
std::vector<double> numbers(const Literal& literal);
// Runs and gives the numbers of all leaves, one after the other.
std::vector<double> numbers_of(const std::string& body, const std::vector<Literal>& arguments = {});

// An array of one dimension, or of `dimensions`.
Literal f32(const std::vector<float>& values, Dimensions dimensions = {});
Literal f64(const std::vector<double>& values);
Literal s32(const std::vector<int32_t>& values, Dimensions dimensions = {});
Literal u32(const std::vector<uint32_t>& values);
Literal s8(const std::vector<int8_t>& values);

// Equal element by element; NaN equals NaN, and zeros must agree in sign.
bool same(const std::vector<double>& got, const std::vector<double>& expected);
bool near(const std::vector<double>& got, const std::vector<double>& expected, double relative);

}  // namespace hlocc::tests

// What a small module computes, as text: shapes and numbers, for tables that are read.
#pragma once
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "driver/run/execute.h"
#include "hlo/module.h"
#include "import/build/numbers.h"
#include "ops/check/verifier.h"
#include "support/text.h"

namespace hlocc::tests {

using hlo::Dimensions, hlo::Literal, hlo::PrimitiveType, hlo::Shape;
using enum PrimitiveType;

inline Literal literal_from(PrimitiveType type, const Dimensions& sizes,
                            const std::vector<double>& values) {
  if (type == kF32 || type == kF64) return import::literal_of_reals(type, values, sizes);
  return import::literal_of(type, {values.begin(), values.end()}, sizes);
}

// These numbers, and 0, 1, .. where they are fewer than the elements.
inline Literal counted_literal(PrimitiveType type, const Dimensions& sizes,
                               std::vector<double> values) {
  const int64_t count = Shape::array(type, sizes).element_count();
  for (int64_t i = static_cast<int64_t>(values.size()); i < count; ++i)
    values.push_back(static_cast<double>(i));
  return literal_from(type, sizes, values);
}

inline std::string text_of(const Literal& literal) {
  std::string out = hlo::to_string(literal.shape(), false);
  const std::optional<std::vector<double>> reals = import::reals_of(literal);
  if (!reals) {
    for (const int64_t value : import::integers_of(literal)) out += cat(" ", value);
    return out;
  }
  for (const double value : *reals) {
    char number[32];
    std::snprintf(number, sizeof number, " %g", value);
    out += number;
  }
  return out;
}

// "f32[2] 1 2", results apart by ';': what the interpreter gives.
inline std::string text_of_run(const hlo::Module& module, std::span<const Literal> arguments) {
  const Status sound = ops::verify(module);
  if (!sound) return "unsound: " + sound.error().to_string();
  Result<Literal> result = driver::execute(module, arguments, "interpreter", {});
  if (!result) return "fails: " + result.error().to_string();
  std::string out;
  for (const Literal& leaf : hlo::leaves(*result)) out += (out.empty() ? "" : "; ") + text_of(leaf);
  return out;
}

}  // namespace hlocc::tests

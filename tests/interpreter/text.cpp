// Reading and running of test programs.
#include "interpreter/text.h"

#include <catch2/catch.hpp>

#include "import/reader.h"
#include "interpreter/values.h"

namespace hlocc::tests {
namespace {

template <typename T>
Literal array(PrimitiveType type, const std::vector<T>& values, Dimensions dimensions) {
  if (dimensions.empty()) dimensions = {static_cast<int64_t>(values.size())};
  return Literal::array<T>(type, std::move(dimensions), values);
}

}  // namespace

Result<Literal> run_text(const std::string& body, const std::vector<Literal>& arguments) {
  const std::string text =
      body.starts_with("HloModule") ? body : "HloModule t\nENTRY main {\n" + body + "\n}\n";
  HLOCC_TRY_ASSIGN(
      const import::Imported imported,
      import::read_model(std::as_bytes(std::span(text.data(), text.size())), "test.hlo"));
  return interpreter::run(imported.module, arguments);
}

std::vector<double> numbers(const Literal& literal) {
  std::vector<double> out;
  if (hlo::is_complex(literal.type())) {
    for (const std::complex<double>& value :
         interpreter::values_as<std::complex<double>>(literal)) {
      out.push_back(value.real());
      out.push_back(value.imag());
    }
    return out;
  }
  return interpreter::values_as<double>(literal);
}

std::vector<double> numbers_of(const std::string& body, const std::vector<Literal>& arguments) {
  const Result<Literal> result = run_text(body, arguments);
  if (!result) FAIL(result.error().to_string());
  std::vector<double> out;
  for (const Literal& leaf : hlo::leaves(*result)) {
    const std::vector<double> values = numbers(leaf);
    out.insert(out.end(), values.begin(), values.end());
  }
  return out;
}

Literal f32(const std::vector<float>& values, Dimensions dimensions) {
  return array(PrimitiveType::kF32, values, std::move(dimensions));
}
Literal f64(const std::vector<double>& values) { return array(PrimitiveType::kF64, values, {}); }
Literal s32(const std::vector<int32_t>& values, Dimensions dimensions) {
  return array(PrimitiveType::kS32, values, std::move(dimensions));
}
Literal u32(const std::vector<uint32_t>& values) { return array(PrimitiveType::kU32, values, {}); }
Literal s8(const std::vector<int8_t>& values) { return array(PrimitiveType::kS8, values, {}); }

bool same(const std::vector<double>& got, const std::vector<double>& expected) {
  if (got.size() != expected.size()) return false;
  for (size_t i = 0; i < got.size(); ++i) {
    const bool both_nan = std::isnan(got[i]) && std::isnan(expected[i]);
    if (!both_nan && (got[i] != expected[i] || std::signbit(got[i]) != std::signbit(expected[i])))
      return false;
  }
  return true;
}

bool near(const std::vector<double>& got, const std::vector<double>& expected, double relative) {
  if (got.size() != expected.size()) return false;
  for (size_t i = 0; i < got.size(); ++i)
    if (!(std::fabs(got[i] - expected[i]) <= relative * std::max(1.0, std::fabs(expected[i]))))
      return false;
  return true;
}

}  // namespace hlocc::tests

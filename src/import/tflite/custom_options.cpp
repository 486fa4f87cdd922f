// See custom_options.h.
#include "import/tflite/custom_options.h"

#include <cmath>

#include "support/text.h"

namespace hlocc::import::tflite {

Result<CustomOptions> CustomOptions::of(const Op& op) {
  Result<std::vector<FlexValue>> values = read_flex_map(op.custom_options());
  if (!values) return op.located(std::move(values).error());
  return CustomOptions(op, std::move(values).value());
}

const FlexValue* CustomOptions::find(std::string_view name) const {
  for (const FlexValue& value : values_)
    if (value.name == name) return &value;
  return nullptr;
}

Result<int64_t> CustomOptions::integer(std::string_view name, int64_t low, int64_t high) const {
  const FlexValue* value = find(name);
  if (value == nullptr) return op_.wrong(cat("lacks the option ", name));
  if (value->kind != FlexValue::kInteger)
    return op_.wrong(cat("the option ", name, " is no integer"));
  if (value->integer < low || value->integer > high)
    return op_.wrong(cat("the option ", name, " is ", value->integer, ", where ", low, " to ", high,
                         " make sense"));
  return value->integer;
}

Result<int64_t> CustomOptions::integer(std::string_view name, int64_t low, int64_t high,
                                       int64_t missing) const {
  if (!has(name)) return missing;
  return integer(name, low, high);
}

Result<bool> CustomOptions::flag(std::string_view name) const {
  HLOCC_TRY_ASSIGN(const int64_t value, integer(name, 0, 1));
  return value != 0;
}

Result<float> CustomOptions::real(std::string_view name) const {
  const FlexValue* value = find(name);
  if (value == nullptr) return op_.wrong(cat("lacks the option ", name));
  if (value->kind == FlexValue::kOther) return op_.wrong(cat("the option ", name, " is no number"));
  const double number =
      value->kind == FlexValue::kReal ? value->real : static_cast<double>(value->integer);
  if (!std::isfinite(static_cast<float>(number)))
    return op_.wrong(cat("the option ", name, " is not finite"));
  return static_cast<float>(number);
}

}  // namespace hlocc::import::tflite

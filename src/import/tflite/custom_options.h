// The options of a custom operator by their names, within limits.
#pragma once
#include "import/tflite/flexbuffer.h"
#include "import/tflite/op.h"

namespace hlocc::import::tflite {

class CustomOptions {
 public:
  static Result<CustomOptions> of(const Op& op);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  // An integer from low to high; a truth value is 0 or 1.
  Result<int64_t> integer(std::string_view name, int64_t low, int64_t high) const;
  // The same, where it may be missing.
  Result<int64_t> integer(std::string_view name, int64_t low, int64_t high, int64_t missing) const;
  Result<bool> flag(std::string_view name) const;
  // A finite number, as single precision has it.
  Result<float> real(std::string_view name) const;

 private:
  CustomOptions(const Op& op, std::vector<FlexValue> values)
      : op_(op), values_(std::move(values)) {}
  const FlexValue* find(std::string_view name) const;

  const Op& op_;
  std::vector<FlexValue> values_;
};

}  // namespace hlocc::import::tflite

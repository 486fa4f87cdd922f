// See byte_cases.h.
#include "lowering/byte_cases.h"

#include <functional>

#include "interpreter/interpreter.h"
#include "lowering/harness.h"

namespace hlocc::tests {
namespace {

using hlo::Literal;

// Bytes of all sizes, the ends of their range among them.
int byte_number(int64_t at, bool is_signed) {
  static constexpr int kEnds[] = {-128, 127, -1, 0, -127, 1};
  const int value = at % 5 == 0 ? kEnds[at / 5 % 6] : static_cast<int>(at * 37 % 251) - 125;
  return is_signed ? value : value + 128;
}

int64_t product_of(const std::vector<int64_t>& sizes) {
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  return count;
}

Literal argument(const hlo::Shape& shape) {
  Literal literal = Literal::zeros(shape);
  // Of 16 bits both bytes are of all sizes.
  if (shape.element_type == hlo::PrimitiveType::kS16) {
    for (int64_t n = 0; n < 2 * literal.element_count(); ++n)
      literal.mutable_bytes()[n] = static_cast<std::byte>(byte_number(n * 7 + n / 3, true));
    return literal;
  }
  for (int64_t n = 0; n < literal.element_count(); ++n)
    literal.mutable_bytes()[n] =
        static_cast<std::byte>(byte_number(n, shape.element_type == hlo::PrimitiveType::kS8));
  return literal;
}

}  // namespace

std::string bytes_constant(const std::vector<int64_t>& sizes, const std::string& type) {
  const std::function<std::string(size_t, int64_t&)> nested = [&](size_t d, int64_t& at) {
    if (d == sizes.size()) return std::to_string(byte_number(at++ * 3 + 1, type == "s8"));
    std::string text = "{";
    for (int64_t n = 0; n < sizes[d]; ++n) text += (n > 0 ? "," : "") + nested(d + 1, at);
    return text + "}";
  };
  int64_t at = 0;
  return type + dims(sizes) + " constant(" + nested(0, at) + ")";
}

Literal result_of_interpreter(const hlo::Module& module, const std::vector<Literal>& arguments) {
  const auto result = interpreter::run(module, arguments);
  if (!result) FAIL(result.error().to_string());
  return *result;
}

std::vector<Literal> arguments_for(const hlo::Module& module) {
  std::vector<Literal> arguments;
  for (const hlo::Shape& shape : module.entry_parameters) arguments.push_back(argument(shape));
  return arguments;
}

}  // namespace hlocc::tests

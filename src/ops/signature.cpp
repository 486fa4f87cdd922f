// Comparison of computations with the signatures that their callers need.
#include "ops/signature.h"

#include "ops/check/checks.h"

namespace hlocc::ops {

Status check_parameters(const Computation& callee, const std::vector<Shape>& parameters,
                        std::string_view role) {
  HLOCC_TRY(check(callee.parameters.size() == parameters.size(), kArity, role, " %", callee.name,
                  " takes ", callee.parameters.size(), " parameters and must take ",
                  parameters.size()));
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Shape& shape = callee[callee.parameters[i]].shape;
    HLOCC_TRY(check_same_shape(shape, parameters[i],
                               cat("parameter ", i, " of ", role, " %", callee.name)));
  }
  return {};
}

Status check_result(const Computation& callee, const Shape& result, std::string_view role) {
  return check_same_shape(callee.root_instruction().shape, result,
                          cat("the result of ", role, " %", callee.name));
}

Status check_reducer(const Computation& callee, const std::vector<PrimitiveType>& types,
                     std::string_view role) {
  std::vector<Shape> scalars;
  for (PrimitiveType type : types) scalars.push_back(Shape::scalar(type));
  std::vector<Shape> parameters = scalars;
  parameters.insert(parameters.end(), scalars.begin(), scalars.end());
  HLOCC_TRY(check_parameters(callee, parameters, role));
  return check_result(callee, one_or_tuple(scalars), role);
}

}  // namespace hlocc::ops

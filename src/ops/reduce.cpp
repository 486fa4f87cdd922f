// Rules of reduce.
#include "ops/reduce.h"

#include "ops/signature.h"

namespace hlocc::ops {

Result<int> check_reduction(const Site& site) {
  HLOCC_TRY(check(site.operand_count() % 2 == 0, kArity,
                  "takes as many initial values as arrays, not ", site.operand_count(),
                  " operands"));
  const int count = site.operand_count() / 2;
  HLOCC_TRY(check_array_operands(site));
  HLOCC_TRY(check_same_dimensions(site, 0, count));
  std::vector<PrimitiveType> types;
  for (int i = 0; i < count; ++i) {
    types.push_back(site.operand(i).element_type);
    HLOCC_TRY(check_operand_type(site, count + i, types[i]));
    HLOCC_TRY(check_scalar(site.operand(count + i), cat("initial value ", i)));
  }
  HLOCC_TRY(check_reducer(site.called(0), types, "reducer"));
  return count;
}

Result<Shape> infer(Op<Opcode::kReduce>, const Site& site) {
  HLOCC_TRY_ASSIGN(const int count, check_reduction(site));
  const Dimensions& dimensions = site.attributes<hlo::DimensionsAttributes>().dimensions;
  HLOCC_TRY(check_dimensions(dimensions, site.operand(0).rank(), "dimensions"));
  std::vector<Shape> results;
  for (int i = 0; i < count; ++i) {
    const Shape& operand = site.operand(i);
    Shape& result = results.emplace_back(Shape::array(operand.element_type, {}));
    for (int64_t d : other_dimensions(operand.rank(), dimensions))
      append_dimension(result, operand.dimensions[d], operand.is_dynamic(static_cast<int>(d)));
  }
  return one_or_tuple(std::move(results));
}

}  // namespace hlocc::ops

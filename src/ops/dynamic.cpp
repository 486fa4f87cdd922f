// Rules of the ops that read and set run-time sizes.
#include "ops/dynamic.h"

#include "ops/data_movement.h"

namespace hlocc::ops {
namespace {

// The one dimension that the op names.
Result<int> own_dimension(const Site& site) {
  const Dimensions& dimensions = site.attributes<hlo::DimensionsAttributes>().dimensions;
  HLOCC_TRY(check_array(site.operand(0), "operand 0"));
  HLOCC_TRY(check_count(dimensions.size(), 1, "dimensions"));
  HLOCC_TRY(check_dimension(dimensions[0], site.operand(0).rank(), "dimensions"));
  return static_cast<int>(dimensions[0]);
}

Status check_size_operand(const Site& site, int i) {
  HLOCC_TRY(check_operand_type(site, i, PrimitiveType::kS32));
  return check_scalar(site.operand(i), cat("operand ", i));
}

}  // namespace

Result<Shape> infer(Op<Opcode::kGetDimensionSize>, const Site& site) {
  HLOCC_TRY(own_dimension(site));
  return Shape::scalar(PrimitiveType::kS32);
}

Result<Shape> infer(Op<Opcode::kSetDimensionSize>, const Site& site) {
  HLOCC_TRY_ASSIGN(const int dimension, own_dimension(site));
  HLOCC_TRY(check_size_operand(site, 1));
  Shape result = with_type(site.operand(0), site.operand(0).element_type);
  set_dynamic(result, dimension);
  // Setting a dimension to its bound makes it static again; only the program knows.
  const Shape& declared = site.declared();
  if (declared.rank() != result.rank() || declared.is_dynamic(dimension)) return result;
  result.dynamic[dimension] = false;
  if (!result.has_dynamic_dimensions()) result.dynamic.clear();
  return result;
}

Result<Shape> infer(Op<Opcode::kDynamicReshape>, const Site& site) {
  HLOCC_TRY_ASSIGN(Shape result, infer_reshaped(site));
  HLOCC_TRY(check(site.operand_count() == 1 + result.rank(), kArity, "has ",
                  site.operand_count() - 1, " sizes and needs one for each of ", result.rank(),
                  " dimensions"));
  for (int i = 1; i < site.operand_count(); ++i) HLOCC_TRY(check_size_operand(site, i));
  return result;
}

}  // namespace hlocc::ops

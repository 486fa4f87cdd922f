// Rules of batch normalisation: the statistics are vectors with one element a feature.
#include "ops/batch_norm.h"

namespace hlocc::ops {
namespace {

// Operands [1, last) are vectors of the feature dimension; gives their shape.
Result<Shape> feature_vector(const Site& site, int last) {
  const Shape& operand = site.operand(0);
  const int64_t feature = site.attributes<hlo::BatchNormAttributes>().feature_index;
  HLOCC_TRY(check_type(operand, kFloats, "operand 0"));
  HLOCC_TRY(check_dimension(feature, operand.rank(), "feature_index"));
  const Shape vector = Shape::array(operand.element_type, {operand.dimensions[feature]});
  for (int i = 1; i < last; ++i)
    HLOCC_TRY(check_same_shape(site.operand(i), vector, cat("operand ", i)));
  return vector;
}

Shape like_operand(const Site& site) {
  return with_type(site.operand(0), site.operand(0).element_type);
}

}  // namespace

Result<Shape> infer(Op<Opcode::kBatchNormTraining>, const Site& site) {
  HLOCC_TRY_ASSIGN(const Shape vector, feature_vector(site, 3));
  return Shape::make_tuple({like_operand(site), vector, vector});
}

Result<Shape> infer(Op<Opcode::kBatchNormInference>, const Site& site) {
  HLOCC_TRY(feature_vector(site, 5));
  return like_operand(site);
}

Result<Shape> infer(Op<Opcode::kBatchNormGrad>, const Site& site) {
  HLOCC_TRY_ASSIGN(const Shape vector, feature_vector(site, 4));
  HLOCC_TRY(check_same_shape(site.operand(4), like_operand(site), "operand 4"));
  return Shape::make_tuple({like_operand(site), vector, vector});
}

}  // namespace hlocc::ops

// Rules of the elementwise ops. HLO has no implicit broadcasting, apart from the scalar operands of
// select and clamp.
#include "ops/elementwise.h"

#include "ops/signature.h"

namespace hlocc::ops {
namespace {

// Where any operand of the result's dimensions is dynamic, the result is.
Shape elementwise_result(const Site& site, const Shape& like, PrimitiveType type) {
  Shape result = with_type(like, type);
  for (int i = 0; i < site.operand_count(); ++i)
    for (int d = 0; d < site.operand(i).rank() && site.operand(i).rank() == like.rank(); ++d)
      if (site.operand(i).is_dynamic(d)) set_dynamic(result, d);
  return result;
}

// The bounds of a clamp and the predicate of a select may be scalars.
Status check_scalar_or_like(const Site& site, int i, int like) {
  const Shape& shape = site.operand(i);
  return check(shape.is_scalar() || same_dimensions(shape, site.operand(like)), kShape, "operand ",
               i, " is ", shape, " and must be a scalar or have the dimensions of ",
               site.operand(like));
}

}  // namespace

Result<Shape> infer_unary(const Site& site, TypeSet allowed) {
  HLOCC_TRY(check_type(site.operand(0), allowed, "the operand"));
  return with_type(site.operand(0), site.operand(0).element_type);
}

Result<Shape> infer_unary_predicate(const Site& site, TypeSet allowed) {
  HLOCC_TRY(check_type(site.operand(0), allowed, "the operand"));
  return with_type(site.operand(0), PrimitiveType::kPred);
}

Result<Shape> infer_component(const Site& site, TypeSet allowed) {
  HLOCC_TRY(check_type(site.operand(0), allowed, "the operand"));
  return with_type(site.operand(0), real_type(site.operand(0).element_type));
}

Result<Shape> infer_binary(const Site& site, TypeSet allowed) {
  HLOCC_TRY(check_type(site.operand(0), allowed, "operand 0"));
  HLOCC_TRY(check_operand_type(site, 1, site.operand(0).element_type));
  HLOCC_TRY(check_same_dimensions(site, 0, 2));
  return elementwise_result(site, site.operand(0), site.operand(0).element_type);
}

Result<Shape> infer_convert(const Site& site) {
  HLOCC_TRY(check_type(site.operand(0), kAnyType, "the operand"));
  HLOCC_TRY(check_type(site.declared(), kAnyType, "the result"));
  return with_type(site.operand(0), site.declared().element_type);
}

Result<Shape> infer_reduce_precision(const Site& site) {
  const auto& attributes = site.attributes<hlo::ReducePrecisionAttributes>();
  HLOCC_TRY(check_type(site.operand(0), kFloats, "the operand"));
  HLOCC_TRY(check(attributes.exponent_bits >= 1, kAttribute, "exponent_bits is ",
                  attributes.exponent_bits, " and must be at least 1"));
  HLOCC_TRY(check(attributes.mantissa_bits >= 0, kAttribute, "mantissa_bits is ",
                  attributes.mantissa_bits, " and must not be negative"));
  return with_type(site.operand(0), site.operand(0).element_type);
}

Result<Shape> infer_complex(const Site& site) {
  HLOCC_TRY(check_type(site.operand(0), kFloats, "operand 0"));
  HLOCC_TRY(check_operand_type(site, 1, site.operand(0).element_type));
  HLOCC_TRY(check_same_dimensions(site, 0, 2));
  const std::optional<PrimitiveType> type = complex_type(site.operand(0).element_type);
  HLOCC_TRY(check(type.has_value(), kType, "operand 0 has element type ",
                  site.operand(0).element_type, " and must be f32 or f64"));
  return elementwise_result(site, site.operand(0), *type);
}

Result<Shape> infer_stochastic_convert(const Site& site) {
  const Shape& random = site.operand(1);
  HLOCC_TRY(check_type(site.operand(0), kFloats, "operand 0"));
  HLOCC_TRY(check_type(random, kUnsignedInts, "operand 1"));
  HLOCC_TRY(check_same_dimensions(site, 0, 2));
  HLOCC_TRY(check(type_bits(random.element_type) == type_bits(site.operand(0).element_type), kType,
                  "the random bits are ", random.element_type, " and must be as wide as ",
                  site.operand(0).element_type));
  HLOCC_TRY(check_type(site.declared(), kReals, "the result"));
  return elementwise_result(site, site.operand(0), site.declared().element_type);
}

Result<Shape> infer_compare(const Site& site) {
  using hlo::ComparisonType, hlo::Direction;
  const auto& attributes = site.attributes<hlo::CompareAttributes>();
  HLOCC_TRY(check_type(site.operand(0), kAnyType, "operand 0"));
  const PrimitiveType type = site.operand(0).element_type;
  HLOCC_TRY(check_operand_type(site, 1, type));
  HLOCC_TRY(check_same_dimensions(site, 0, 2));
  const bool float_order =
      attributes.type == ComparisonType::kFloat || attributes.type == ComparisonType::kTotalOrder;
  HLOCC_TRY(check(float_order == (is_float(type) || is_complex(type)), kAttribute,
                  "the comparison type does not fit operands of ", type));
  const bool equality =
      attributes.direction == Direction::kEq || attributes.direction == Direction::kNe;
  HLOCC_TRY(check(equality || !is_complex(type), kType,
                  "complex numbers have no order: only EQ and NE compare them"));
  return elementwise_result(site, site.operand(0), PrimitiveType::kPred);
}

Result<Shape> infer_select(const Site& site) {
  HLOCC_TRY(check_type(site.operand(0), kPreds, "the predicate"));
  HLOCC_TRY(check_type(site.operand(1), kAnyType, "operand 1"));
  HLOCC_TRY(check_operand_type(site, 2, site.operand(1).element_type));
  HLOCC_TRY(check_same_dimensions(site, 1, 3));
  HLOCC_TRY(check_scalar_or_like(site, 0, 1));
  return elementwise_result(site, site.operand(1), site.operand(1).element_type);
}

Result<Shape> infer_clamp(const Site& site) {
  HLOCC_TRY(check_type(site.operand(1), kReals | kPreds, "operand 1"));
  for (int bound : {0, 2}) {
    HLOCC_TRY(check_operand_type(site, bound, site.operand(1).element_type));
    HLOCC_TRY(check_scalar_or_like(site, bound, 1));
  }
  return elementwise_result(site, site.operand(1), site.operand(1).element_type);
}

Result<Shape> infer_map(const Site& site) {
  HLOCC_TRY(check(site.operand_count() > 0, kArity, "takes at least 1 operand"));
  HLOCC_TRY(check_array_operands(site));
  HLOCC_TRY(check_same_dimensions(site, 0, site.operand_count()));
  const Dimensions& dimensions = site.attributes<hlo::MapAttributes>().dimensions;
  HLOCC_TRY(check(dimensions == other_dimensions(site.operand(0).rank(), {}), kAttribute,
                  "dimensions=", Listed{dimensions},
                  " must be all dimensions of the operands in order"));
  std::vector<Shape> scalars;
  for (int i = 0; i < site.operand_count(); ++i)
    scalars.push_back(Shape::scalar(site.operand(i).element_type));
  HLOCC_TRY(check_parameters(site.called(0), scalars, "mapped computation"));
  const Shape& result = site.called(0).root_instruction().shape;
  HLOCC_TRY(check_scalar(result, "the result of the mapped computation"));
  return elementwise_result(site, site.operand(0), result.element_type);
}

}  // namespace hlocc::ops

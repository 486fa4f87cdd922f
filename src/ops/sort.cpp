// Rules of sort and topk.
#include "ops/sort.h"

#include "ops/signature.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kSort>, const Site& site) {
  HLOCC_TRY(check_array_operands(site));
  HLOCC_TRY(check_same_dimensions(site, 0, site.operand_count()));
  HLOCC_TRY(check_dimension(site.attributes<hlo::SortAttributes>().dimension,
                            site.operand(0).rank(), "dimensions"));
  std::vector<Shape> results, compared;
  for (int i = 0; i < site.operand_count(); ++i) {
    const PrimitiveType type = site.operand(i).element_type;
    results.push_back(with_type(site.operand(i), type));
    compared.insert(compared.end(), 2, Shape::scalar(type));
  }
  HLOCC_TRY(check_parameters(site.called(0), compared, "comparator"));
  HLOCC_TRY(check_result(site.called(0), Shape::scalar(PrimitiveType::kPred), "comparator"));
  return one_or_tuple(std::move(results));
}

Result<Shape> infer(Op<Opcode::kTopK>, const Site& site) {
  const Shape& operand = site.operand(0);
  const int64_t k = site.attributes<hlo::TopKAttributes>().k;
  HLOCC_TRY(check_type(operand, kReals | kPreds, "the operand"));
  HLOCC_TRY(
      check(operand.rank() >= 1, kShape, "the operand is a scalar and must have a dimension"));
  HLOCC_TRY(check(k >= 0 && k <= operand.dimensions.back(), kAttribute, "k is ", k,
                  ", the last dimension has ", operand.dimensions.back(), " elements"));
  Shape values = with_type(operand, operand.element_type);
  values.dimensions.back() = k;
  if (!values.dynamic.empty()) values.dynamic.back() = false;
  return Shape::make_tuple({values, with_type(values, PrimitiveType::kS32)});
}

}  // namespace hlocc::ops

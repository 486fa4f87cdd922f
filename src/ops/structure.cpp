// Rules of tuples and tokens.
#include "ops/structure.h"

namespace hlocc::ops {

Result<Shape> infer_identity(const Site& site) { return with_default_layout(site.operand(0)); }

Result<Shape> infer(Op<Opcode::kTuple>, const Site& site) {
  std::vector<Shape> elements;
  for (int i = 0; i < site.operand_count(); ++i)
    elements.push_back(with_default_layout(site.operand(i)));
  return Shape::make_tuple(std::move(elements));
}

Result<Shape> infer(Op<Opcode::kGetTupleElement>, const Site& site) {
  const Shape& tuple = site.operand(0);
  const int64_t index = site.attributes<hlo::TupleIndexAttributes>().index;
  HLOCC_TRY(check(tuple.is_tuple(), kShape, "the operand is ", tuple, " and must be a tuple"));
  HLOCC_TRY(check(index >= 0 && index < static_cast<int64_t>(tuple.tuple.size()), kAttribute,
                  "index ", index, " is out of range for a tuple of ", tuple.tuple.size()));
  return with_default_layout(tuple.tuple[index]);
}

Result<Shape> infer(Op<Opcode::kAddDependency>, const Site& site) {
  HLOCC_TRY(check(site.operand(1).is_token(), kShape, "operand 1 is ", site.operand(1),
                  " and must be a token"));
  return with_default_layout(site.operand(0));
}

Result<Shape> infer(Op<Opcode::kAfterAll>, const Site& site) {
  for (int i = 0; i < site.operand_count(); ++i)
    HLOCC_TRY(check(site.operand(i).is_token(), kShape, "operand ", i, " is ", site.operand(i),
                    " and must be a token"));
  return Shape::token();
}

}  // namespace hlocc::ops

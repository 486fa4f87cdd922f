// Rules of the random number ops.
#include "ops/random.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kRngBitGenerator>, const Site& site) {
  const Shape &state = site.operand(0), &declared = site.declared();
  const bool three_fry =
      site.attributes<hlo::RngBitGeneratorAttributes>().algorithm == hlo::RngAlgorithm::kThreeFry;
  HLOCC_TRY(check_operand_type(site, 0, PrimitiveType::kU64));
  const int64_t words = state.rank() == 1 ? state.dimensions[0] : 0;
  HLOCC_TRY(check(words == 2 || (words == 3 && !three_fry), kShape, "the state is ", state,
                  " and must be u64[2]", three_fry ? "" : " or u64[3]"));
  HLOCC_TRY(check(declared.is_tuple() && declared.tuple.size() == 2, kShape, "the result is ",
                  declared, " and must be a tuple of the new state and the bits"));
  HLOCC_TRY(check_type(declared.tuple[1], kInts, "the bits"));
  return Shape::make_tuple({with_default_layout(state), with_default_layout(declared.tuple[1])});
}

Result<Shape> infer(Op<Opcode::kRng>, const Site& site) {
  const auto distribution = site.attributes<hlo::RngAttributes>().distribution;
  const bool normal = distribution == hlo::RngDistribution::kNormal;
  HLOCC_TRY(
      check(distribution != hlo::RngDistribution::kInvalid, kAttribute, "distribution is not set"));
  HLOCC_TRY(check_type(site.declared(), normal ? kFloats : kReals | kPreds, "the result"));
  for (int i = 0; i < site.operand_count(); ++i) {
    HLOCC_TRY(check_operand_type(site, i, site.declared().element_type));
    HLOCC_TRY(check_scalar(site.operand(i), cat("operand ", i)));
  }
  return with_default_layout(site.declared());
}

Result<Shape> infer(Op<Opcode::kRngGetAndUpdateState>, const Site&) {
  return Shape::array(PrimitiveType::kU64, {2});
}

}  // namespace hlocc::ops

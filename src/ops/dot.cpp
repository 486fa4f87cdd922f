// Rules of dot: result dimensions are the batch dimensions, the free ones of the left, then those
// of the right operand.
#include "ops/dot.h"

#include <algorithm>

#include "hlo/dimensions.h"
#include "ops/contraction_types.h"
#include "ops/ragged.h"

namespace hlocc::ops {
namespace {

using hlo::DotAttributes;
using hlo::joined;

Status check_pairs(const Site& site, const Dimensions& lhs, const Dimensions& rhs,
                   std::string_view what) {
  HLOCC_TRY(check(lhs.size() == rhs.size(), kAttribute, "the numbers of ", what,
                  " dimensions differ: ", Listed{lhs}, " and ", Listed{rhs}));
  for (size_t i = 0; i < lhs.size(); ++i) {
    const int64_t left = site.operand(0).dimensions[lhs[i]],
                  right = site.operand(1).dimensions[rhs[i]];
    HLOCC_TRY(check(left == right, kShape, what, " dimensions ", lhs[i], " and ", rhs[i],
                    " have different sizes, ", left, " and ", right));
  }
  return {};
}

Status check_precision(const hlo::PrecisionConfig& precision) {
  for (int value : precision.operand_precision)
    HLOCC_TRY(check(value >= 0 && value <= 3, kAttribute, "operand_precision ", value,
                    " does not exist"));
  return check(precision.algorithm >= 0, kAttribute, "algorithm ", precision.algorithm,
               " does not exist");
}

// Dimension numbers in range and apart from one another.
Status check_dot_numbers(const Site& site, const DotAttributes& dot) {
  HLOCC_TRY(check_array(site.operand(0), "operand 0"));
  HLOCC_TRY(check_array(site.operand(1), "operand 1"));
  HLOCC_TRY(check_dimensions(joined(dot.lhs_batch, dot.lhs_contracting), site.operand(0).rank(),
                             "lhs batch and contracting dimensions"));
  HLOCC_TRY(check_dimensions(joined(dot.rhs_batch, dot.rhs_contracting), site.operand(1).rank(),
                             "rhs batch and contracting dimensions"));
  return check_precision(dot.precision);
}

void append_operand_dimensions(Shape& result, const Shape& operand, const Dimensions& dimensions) {
  for (int64_t d : dimensions)
    append_dimension(result, operand.dimensions[d], operand.is_dynamic(static_cast<int>(d)));
}

// Where the ragged dimension of the left operand lies decides what a ragged dot computes.
enum class RaggedMode { kFree, kContracting, kBatch };

RaggedMode ragged_mode(const hlo::RaggedDotAttributes& attributes) {
  if (contains(attributes.dot.lhs_contracting, attributes.lhs_ragged[0]))
    return RaggedMode::kContracting;
  if (contains(attributes.dot.lhs_batch, attributes.lhs_ragged[0])) return RaggedMode::kBatch;
  return RaggedMode::kFree;
}

}  // namespace

Dimensions group_prefix(const hlo::RaggedDotAttributes& attributes, int64_t lhs_rank) {
  const DotAttributes& dot = attributes.dot;
  const int64_t ragged = attributes.lhs_ragged[0];
  const auto before = [&](const Dimensions& list) {
    return Dimensions(list.begin(), std::find(list.begin(), list.end(), ragged));
  };
  switch (ragged_mode(attributes)) {
    case RaggedMode::kBatch: return before(dot.lhs_batch);
    case RaggedMode::kContracting: return joined(dot.lhs_batch, before(dot.lhs_contracting));
    case RaggedMode::kFree: break;
  }
  return joined(dot.lhs_batch,
                before(other_dimensions(lhs_rank, dot.lhs_batch, dot.lhs_contracting)));
}

Result<PrimitiveType> contraction_type(const Site& site) {
  HLOCC_TRY(check_array(site.declared(), "the result"));
  const PrimitiveType lhs = site.operand(0).element_type, rhs = site.operand(1).element_type;
  const PrimitiveType type = site.declared().element_type, wider = higher_precision(lhs, rhs);
  // Floats may be rounded to anything, integers be summed as floats of any width.
  const bool narrower = type_bits(type) < type_bits(wider) &&
                        (is_complex(wider) || (!is_float(wider) && !is_float(type)));
  HLOCC_TRY(
      check(!narrower, kType, "the result type ", type, " is narrower than the operands' ", wider));
  return type;
}

namespace {
Result<Shape> infer_dot(const Site& site) {
  const auto& dot = site.attributes<DotAttributes>();
  HLOCC_TRY(check_dot_numbers(site, dot));
  HLOCC_TRY(check_pairs(site, dot.lhs_batch, dot.rhs_batch, "batch"));
  HLOCC_TRY(check_pairs(site, dot.lhs_contracting, dot.rhs_contracting, "contracting"));
  HLOCC_TRY_ASSIGN(const PrimitiveType type, contraction_type(site));
  const Shape &lhs = site.operand(0), &rhs = site.operand(1);
  Shape result = Shape::array(type, {});
  append_operand_dimensions(result, lhs, dot.lhs_batch);
  append_operand_dimensions(result, lhs,
                            other_dimensions(lhs.rank(), dot.lhs_batch, dot.lhs_contracting));
  append_operand_dimensions(result, rhs,
                            other_dimensions(rhs.rank(), dot.rhs_batch, dot.rhs_contracting));
  return result;
}

// Either one list of group sizes, or one for each index of the dimensions in front of the ragged
// one.
Status check_group_prefix(const Shape& lhs, const Shape& groups,
                          const hlo::RaggedDotAttributes& attributes) {
  if (groups.rank() == 1) return {};
  const Dimensions prefix = group_prefix(attributes, lhs.rank());
  bool fits = groups.rank() == static_cast<int>(prefix.size()) + 1;
  for (size_t d = 0; fits && d < prefix.size(); ++d)
    fits = groups.dimensions[d] == lhs.dimensions[prefix[d]];
  return check(fits, kShape, "the group sizes ", groups,
               " must have one dimension, or also dimensions ", Listed{prefix},
               " of the left operand in front");
}

// One scale for all elements, or for each block of them.
Status check_scale(const Shape& operand, const Shape& scale) {
  bool fits = scale.rank() == operand.rank();
  for (int d = 0; fits && d < scale.rank(); ++d)
    fits = scale.dimensions[d] == operand.dimensions[d] ||
           (scale.dimensions[d] > 0 && operand.dimensions[d] % scale.dimensions[d] == 0);
  return check(fits || scale.rank() == 0, kShape, "the scale ", scale, " does not divide ", operand,
               " into blocks");
}
}  // namespace

Result<Shape> infer(Op<Opcode::kDot>, const Site& site) { return infer_dot(site); }

Result<Shape> infer(Op<Opcode::kRaggedDot>, const Site& site) {
  const auto& attributes = site.attributes<hlo::RaggedDotAttributes>();
  const DotAttributes& dot = attributes.dot;
  const Shape &lhs = site.operand(0), &rhs = site.operand(1), &groups = site.operand(2);
  HLOCC_TRY(check_dot_numbers(site, dot));
  HLOCC_TRY(check_pairs(site, dot.lhs_batch, dot.rhs_batch, "batch"));
  HLOCC_TRY(check_pairs(site, dot.lhs_contracting, dot.rhs_contracting, "contracting"));
  HLOCC_TRY(check_count(attributes.lhs_ragged.size(), 1, "lhs_ragged_dims"));
  HLOCC_TRY(check_dimension(attributes.lhs_ragged[0], lhs.rank(), "lhs_ragged_dims"));
  HLOCC_TRY(check_type(groups, kInts, "the group sizes"));
  HLOCC_TRY(check(groups.rank() >= 1, kShape, "the group sizes are ", groups,
                  " and must have a dimension"));
  HLOCC_TRY(check_group_prefix(lhs, groups, attributes));
  const RaggedMode mode = ragged_mode(attributes);
  HLOCC_TRY(check_count(attributes.rhs_group.size(), mode == RaggedMode::kFree ? 1 : 0,
                        "rhs_group_dims"));
  HLOCC_TRY(
      check_dimensions(joined(joined(dot.rhs_batch, dot.rhs_contracting), attributes.rhs_group),
                       rhs.rank(), "rhs batch, contracting and group dimensions"));
  for (int64_t group : attributes.rhs_group)
    HLOCC_TRY(check(rhs.dimensions[group] == groups.dimensions.back(), kShape, "the right operand ",
                    rhs, " has another number of groups than the group sizes, ", groups));
  HLOCC_TRY_ASSIGN(const PrimitiveType type, contraction_type(site));
  Shape result = Shape::array(type, {});
  if (mode == RaggedMode::kContracting) append_dimension(result, groups.dimensions.back(), false);
  append_operand_dimensions(result, lhs, dot.lhs_batch);
  append_operand_dimensions(result, lhs,
                            other_dimensions(lhs.rank(), dot.lhs_batch, dot.lhs_contracting));
  append_operand_dimensions(
      result, rhs,
      other_dimensions(rhs.rank(), joined(dot.rhs_batch, attributes.rhs_group),
                       dot.rhs_contracting));
  return result;
}

Result<Shape> infer(Op<Opcode::kScaledDot>, const Site& site) {
  for (int i = 0; i < 4; ++i) HLOCC_TRY(check_type(site.operand(i), kFloats, cat("operand ", i)));
  for (int i = 0; i < 2; ++i) HLOCC_TRY(check_scale(site.operand(i), site.operand(i + 2)));
  HLOCC_TRY(check_type(site.declared(), kFloats, "the result"));
  return infer_dot(site);
}

}  // namespace hlocc::ops

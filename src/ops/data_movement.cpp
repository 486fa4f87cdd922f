// Rules of the data movement ops.
#include "ops/data_movement.h"

#include "ops/window_math.h"
#include "support/checked_math.h"

namespace hlocc::ops {
namespace {

// pred takes a whole byte wherever its bits can be seen.
int64_t visible_bits(PrimitiveType type) {
  return type == PrimitiveType::kPred ? 8 : type_bits(type);
}

// Start indices are one integer scalar a dimension, or (as older programs have them) one vector.
Status check_start_indices(const Site& site, int first) {
  const int rank = site.operand(0).rank();
  const int count = site.operand_count() - first;
  if (count == 1 && site.operand(first).rank() == 1) {
    HLOCC_TRY(check_type(site.operand(first), kInts, "the start indices"));
    return check(site.operand(first).dimensions[0] == rank, kShape, "the start indices are ",
                 site.operand(first), " and must be a vector of ", rank);
  }
  HLOCC_TRY(check(count == rank, kArity, "has ", count, " start indices and needs one for each of ",
                  rank, " dimensions"));
  for (int i = first; i < site.operand_count(); ++i) {
    HLOCC_TRY(check_type(site.operand(i), kInts, cat("start index ", i - first)));
    HLOCC_TRY(check_scalar(site.operand(i), cat("start index ", i - first)));
    HLOCC_TRY(check_operand_type(site, i, site.operand(first).element_type));
  }
  return {};
}

}  // namespace

Result<Shape> infer(Op<Opcode::kCopy>, const Site& site) {
  return with_default_layout(site.operand(0));
}

Result<Shape> infer(Op<Opcode::kBitcast>, const Site& site) {
  const Shape &from = site.operand(0), &to = site.declared();
  HLOCC_TRY(check_array(from, "the operand"));
  HLOCC_TRY(check_array(to, "the result"));
  const auto from_bits = checked_multiply(from.element_count(), visible_bits(from.element_type));
  const auto to_bits = checked_multiply(to.element_count(), visible_bits(to.element_type));
  HLOCC_TRY(check(from_bits && from_bits == to_bits, kShape, "the operand ", from,
                  " and the result ", to, " have different sizes"));
  return with_default_layout(to);
}

Result<Shape> infer(Op<Opcode::kBitcastConvert>, const Site& site) {
  HLOCC_TRY(check_type(site.operand(0), kAnyType, "the operand"));
  HLOCC_TRY(check_type(site.declared(), kAnyType, "the result"));
  const Shape& from = site.operand(0);
  const PrimitiveType type = site.declared().element_type;
  HLOCC_TRY(check(is_complex(type) == is_complex(from.element_type), kType, "can't reinterpret ",
                  from.element_type, " as ", type, ": both or none must be complex"));
  const int64_t from_bits = visible_bits(from.element_type), to_bits = visible_bits(type);
  Shape result = with_type(from, type);
  if (from_bits > to_bits) {
    HLOCC_TRY(check(from_bits % to_bits == 0, kType, "the width of ", from.element_type,
                    " is no multiple of that of ", type));
    append_dimension(result, from_bits / to_bits, false);
  } else if (from_bits < to_bits) {
    HLOCC_TRY(check(to_bits % from_bits == 0 && from.rank() > 0 &&
                        from.dimensions.back() == to_bits / from_bits &&
                        !from.is_dynamic(from.rank() - 1),
                    kShape, "the operand ", from, " needs a last dimension of ",
                    to_bits / from_bits, " elements that make one ", type));
    result.dimensions.pop_back();
    if (!result.dynamic.empty()) result.dynamic.pop_back();
  }
  return result;
}

Result<Shape> infer(Op<Opcode::kBroadcast>, const Site& site) {
  const Dimensions& dimensions = site.attributes<hlo::DimensionsAttributes>().dimensions;
  const Shape &operand = site.operand(0), &declared = site.declared();
  HLOCC_TRY(check_array(operand, "the operand"));
  HLOCC_TRY(check_array(declared, "the result"));
  HLOCC_TRY(check_count(dimensions.size(), operand.rank(), "dimensions"));
  HLOCC_TRY(check_dimensions(dimensions, declared.rank(), "dimensions"));
  Shape result = with_type(declared, operand.element_type);
  for (int i = 0; i < operand.rank(); ++i) {
    result.dimensions[dimensions[i]] = operand.dimensions[i];
    if (operand.is_dynamic(i)) set_dynamic(result, static_cast<int>(dimensions[i]));
  }
  return result;
}

Result<Shape> infer_reshaped(const Site& site) {
  HLOCC_TRY(check_array(site.operand(0), "the operand"));
  HLOCC_TRY(check_array(site.declared(), "the result"));
  HLOCC_TRY(check(site.operand(0).element_count() == site.declared().element_count(), kShape,
                  "can't make ", site.declared(), " of ", site.operand(0),
                  ": the numbers of elements differ"));
  return with_type(site.declared(), site.operand(0).element_type);
}

Result<Shape> infer(Op<Opcode::kReshape>, const Site& site) { return infer_reshaped(site); }

Result<Shape> infer(Op<Opcode::kTranspose>, const Site& site) {
  const Shape& operand = site.operand(0);
  const Dimensions& dimensions = site.attributes<hlo::DimensionsAttributes>().dimensions;
  HLOCC_TRY(check_array(operand, "the operand"));
  HLOCC_TRY(check_count(dimensions.size(), operand.rank(), "dimensions"));
  HLOCC_TRY(check_dimensions(dimensions, operand.rank(), "dimensions"));
  Shape result = Shape::array(operand.element_type, {});
  for (int64_t from : dimensions)
    append_dimension(result, operand.dimensions[from], operand.is_dynamic(static_cast<int>(from)));
  return result;
}

Result<Shape> infer(Op<Opcode::kReverse>, const Site& site) {
  const Shape& operand = site.operand(0);
  HLOCC_TRY(check_array(operand, "the operand"));
  HLOCC_TRY(check_dimensions(site.attributes<hlo::DimensionsAttributes>().dimensions,
                             operand.rank(), "dimensions"));
  return with_type(operand, operand.element_type);
}

Result<Shape> infer(Op<Opcode::kSlice>, const Site& site) {
  const Shape& operand = site.operand(0);
  const auto& slice = site.attributes<hlo::SliceAttributes>();
  HLOCC_TRY(check_array(operand, "the operand"));
  for (const Dimensions* list : {&slice.starts, &slice.limits, &slice.strides})
    HLOCC_TRY(check_count(list->size(), operand.rank(), "slice"));
  Shape result = Shape::array(operand.element_type, {});
  for (int d = 0; d < operand.rank(); ++d) {
    const int64_t start = slice.starts[d], limit = slice.limits[d], stride = slice.strides[d];
    HLOCC_TRY(check(stride > 0, kAttribute, "the stride of dimension ", d, " is ", stride,
                    " and must be positive"));
    HLOCC_TRY(check(start >= 0 && start <= limit && limit <= operand.dimensions[d], kAttribute, "[",
                    start, ":", limit, "] is out of bounds of dimension ", d, ", which has size ",
                    operand.dimensions[d]));
    append_dimension(result, (limit - start) / stride + ((limit - start) % stride != 0),
                     operand.is_dynamic(d));
  }
  return result;
}

Result<Shape> infer(Op<Opcode::kDynamicSlice>, const Site& site) {
  const Shape& operand = site.operand(0);
  const Dimensions& sizes = site.attributes<hlo::DynamicSliceAttributes>().sizes;
  HLOCC_TRY(check_array(operand, "the operand"));
  HLOCC_TRY(check_count(sizes.size(), operand.rank(), "dynamic_slice_sizes"));
  HLOCC_TRY(check_start_indices(site, 1));
  Shape result = Shape::array(operand.element_type, {});
  for (int d = 0; d < operand.rank(); ++d) {
    HLOCC_TRY(check(sizes[d] >= 0 && sizes[d] <= operand.dimensions[d], kAttribute, "slice size ",
                    sizes[d], " does not fit dimension ", d, ", which has size ",
                    operand.dimensions[d]));
    append_dimension(result, sizes[d], operand.is_dynamic(d) && sizes[d] == operand.dimensions[d]);
  }
  return result;
}

Result<Shape> infer(Op<Opcode::kDynamicUpdateSlice>, const Site& site) {
  const Shape &operand = site.operand(0), &update = site.operand(1);
  HLOCC_TRY(check_array(operand, "operand 0"));
  HLOCC_TRY(check_operand_type(site, 1, operand.element_type));
  HLOCC_TRY(check(update.rank() == operand.rank(), kShape, "the update ", update,
                  " and the operand ", operand, " have different ranks"));
  HLOCC_TRY(check_start_indices(site, 2));
  for (int d = 0; d < operand.rank(); ++d)
    HLOCC_TRY(check(update.dimensions[d] <= operand.dimensions[d], kShape, "the update ", update,
                    " is larger than ", operand, " in dimension ", d));
  return with_type(operand, operand.element_type);
}

Result<Shape> infer(Op<Opcode::kConcatenate>, const Site& site) {
  const Dimensions& dimensions = site.attributes<hlo::DimensionsAttributes>().dimensions;
  HLOCC_TRY(check_array_operands(site));
  HLOCC_TRY(check_count(dimensions.size(), 1, "dimensions"));
  HLOCC_TRY(check_dimension(dimensions[0], site.operand(0).rank(), "dimensions"));
  const int along = static_cast<int>(dimensions[0]);
  Shape result = with_type(site.operand(0), site.operand(0).element_type);
  for (int i = 1; i < site.operand_count(); ++i) {
    const Shape& next = site.operand(i);
    HLOCC_TRY(check_operand_type(site, i, result.element_type));
    HLOCC_TRY(check(next.rank() == result.rank(), kShape, "operand ", i, " is ", next,
                    " and must have rank ", result.rank()));
    for (int d = 0; d < next.rank(); ++d) {
      HLOCC_TRY(check(d == along || next.dimensions[d] == result.dimensions[d], kShape, "operand ",
                      i, " is ", next, " and differs from operand 0, ", site.operand(0),
                      ", in dimension ", d));
      if (next.is_dynamic(d)) set_dynamic(result, d);
    }
    const auto size = checked_add(result.dimensions[along], next.dimensions[along]);
    HLOCC_TRY(check(size.has_value(), kLimit, "the result's size exceeds 64 bits"));
    result.dimensions[along] = *size;
  }
  return result;
}

Result<Shape> infer(Op<Opcode::kPad>, const Site& site) {
  const Shape& operand = site.operand(0);
  const auto& padding = site.attributes<hlo::PadAttributes>().dimensions;
  HLOCC_TRY(check_array(operand, "operand 0"));
  HLOCC_TRY(check_operand_type(site, 1, operand.element_type));
  HLOCC_TRY(check_scalar(site.operand(1), "the padding value"));
  HLOCC_TRY(check_count(padding.size(), operand.rank(), "padding"));
  Shape result = Shape::array(operand.element_type, {});
  for (int d = 0; d < operand.rank(); ++d) {
    HLOCC_TRY(check(padding[d].interior >= 0, kAttribute, "the interior padding of dimension ", d,
                    " is ", padding[d].interior, " and must not be negative"));
    const auto size = padded_size(operand.dimensions[d], padding[d]);
    HLOCC_TRY(
        check(size.has_value(), kLimit, "the padded size of dimension ", d, " exceeds 64 bits"));
    HLOCC_TRY(check(*size >= 0, kAttribute, "negative padding crops more than dimension ", d,
                    " of ", operand, " holds"));
    append_dimension(result, *size, operand.is_dynamic(d));
  }
  return result;
}

Result<Shape> infer(Op<Opcode::kShuffle>, const Site& site) {
  return with_default_layout(site.declared());
}

}  // namespace hlocc::ops

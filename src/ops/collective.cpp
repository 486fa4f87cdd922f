// Rules of the collectives and asynchronous pairs.
#include "ops/collective.h"

#include <algorithm>

#include "ops/signature.h"

namespace hlocc::ops {
namespace {

std::vector<Shape> operands_by_default_layout(const Site& site) {
  std::vector<Shape> shapes;
  for (int i = 0; i < site.operand_count(); ++i)
    shapes.push_back(with_default_layout(site.operand(i)));
  return shapes;
}

// A start op's shape: ((operands), result, contexts...), where one operand stands bare.
Status check_start_tuple(const Shape& shape, std::string_view what) {
  return check(shape.is_tuple() && shape.tuple.size() >= 2, kShape, what, " is ", shape,
               " and must be a tuple of operands and results");
}

}  // namespace

Result<Shape> infer_device_number(const Site&) { return Shape::scalar(PrimitiveType::kU32); }

Result<Shape> infer_operands(const Site& site) {
  return one_or_tuple(operands_by_default_layout(site));
}

Result<Shape> infer_all_reduce(const Site& site) {
  HLOCC_TRY(check_array_operands(site));
  // Operands of several types share one reducer, whose parameters then have the first one's.
  HLOCC_TRY(check_reducer(site.called(0), {site.operand(0).element_type}, "reducer"));
  return infer_operands(site);
}

Result<Shape> infer_rescaled(const Site& site) {
  const Dimensions& dimensions = site.attributes<hlo::CollectiveAttributes>().dimensions;
  HLOCC_TRY(check_array_operands(site));
  HLOCC_TRY(check_count(dimensions.size(), 1, "dimensions"));
  std::vector<Shape> results = operands_by_default_layout(site);
  const bool tuple = site.declared().is_tuple();
  HLOCC_TRY(check(!tuple || site.declared().tuple.size() == results.size(), kShape,
                  "the result is ", site.declared(),
                  " and must have one element for each operand"));
  for (size_t i = 0; i < results.size(); ++i) {
    HLOCC_TRY(check_dimension(dimensions[0], results[i].rank(), "dimensions"));
    const Shape& declared = tuple ? site.declared().tuple[i] : site.declared();
    if (declared.rank() != results[i].rank()) continue;
    int64_t& size = results[i].dimensions[dimensions[0]];
    const int64_t stated = declared.dimensions[dimensions[0]];
    const int64_t larger = std::max(size, stated), smaller = std::min(size, stated);
    HLOCC_TRY(check(smaller > 0 ? larger % smaller == 0 : larger == 0, kShape, "dimension ",
                    dimensions[0], " goes from ", size, " to ", stated, ", which is no multiple"));
    size = stated;
  }
  if (tuple) return Shape::make_tuple(std::move(results));
  return one_or_tuple(std::move(results));
}

Result<Shape> infer_start(const Site& site) {
  HLOCC_TRY(check_start_tuple(site.declared(), "the result"));
  Shape result = with_default_layout(site.declared());
  result.tuple[0] = one_or_tuple(operands_by_default_layout(site));
  return result;
}

Result<Shape> infer_done(const Site& site) {
  HLOCC_TRY(check_start_tuple(site.operand(0), "the operand"));
  return with_default_layout(site.operand(0).tuple[1]);
}

Result<Shape> infer_stated(const Site& site) { return with_default_layout(site.declared()); }

Result<Shape> infer(Op<Opcode::kAllToAll>, const Site& site) {
  HLOCC_TRY(check_array_operands(site));
  for (int64_t dimension : site.attributes<hlo::CollectiveAttributes>().dimensions)
    HLOCC_TRY(check_dimension(dimension, site.operand(0).rank(), "dimensions"));
  // The tuple form has a tuple even around one operand.
  if (site.declared().is_tuple()) return Shape::make_tuple(operands_by_default_layout(site));
  return one_or_tuple(operands_by_default_layout(site));
}

Result<Shape> infer(Op<Opcode::kAsyncStart>, const Site& site) {
  HLOCC_TRY(
      check(site.called_count() == 1, kArity, "calls 1 computation, not ", site.called_count()));
  HLOCC_TRY(
      check_parameters(site.called(0), operands_by_default_layout(site), "wrapped computation"));
  HLOCC_TRY(check_start_tuple(site.declared(), "the result"));
  Shape result = with_default_layout(site.declared());
  result.tuple[0] = Shape::make_tuple(operands_by_default_layout(site));
  result.tuple[1] = with_default_layout(site.called(0).root_instruction().shape);
  return result;
}

Result<Shape> infer(Op<Opcode::kCopyStart>, const Site& site) {
  const Shape operand = with_default_layout(site.operand(0));
  return Shape::make_tuple({operand, operand, Shape::scalar(PrimitiveType::kU32)});
}

Result<Shape> infer(Op<Opcode::kCopyDone>, const Site& site) {
  HLOCC_TRY(check_start_tuple(site.operand(0), "the operand"));
  return with_default_layout(site.operand(0).tuple[0]);
}

}  // namespace hlocc::ops

// Rules of control flow and calls.
#include "ops/control_flow.h"

#include "ops/signature.h"

namespace hlocc::ops {
namespace {

std::vector<Shape> operand_shapes(const Site& site, int first = 0) {
  std::vector<Shape> shapes;
  for (int i = first; i < site.operand_count(); ++i) shapes.push_back(site.operand(i));
  return shapes;
}

Result<Shape> infer_call(const Site& site, std::string_view role) {
  HLOCC_TRY(check_parameters(site.called(0), operand_shapes(site), role));
  return with_default_layout(site.called(0).root_instruction().shape);
}

Shape without_dimension(const Shape& shape, int64_t dimension) {
  Shape result = Shape::array(shape.element_type, {});
  for (int d = 0; d < shape.rank(); ++d)
    if (d != dimension) append_dimension(result, shape.dimensions[d], shape.is_dynamic(d));
  return result;
}

Result<Shape> with_dimension(const Shape& shape, int64_t dimension, int64_t size) {
  HLOCC_TRY(check_array(shape, "an output of the body"));
  HLOCC_TRY(check_dimension(dimension, shape.rank() + 1, "dimensions"));
  Shape result = Shape::array(shape.element_type, {});
  for (int d = 0; d <= shape.rank(); ++d) {
    if (d == dimension) append_dimension(result, size, false);
    if (d < shape.rank()) append_dimension(result, shape.dimensions[d], shape.is_dynamic(d));
  }
  return result;
}

}  // namespace

Result<Shape> infer(Op<Opcode::kWhile>, const Site& site) {
  const Shape& state = site.operand(0);
  HLOCC_TRY(check_parameters(site.called(0), {state}, "body"));
  HLOCC_TRY(check_result(site.called(0), state, "body"));
  HLOCC_TRY(check_parameters(site.called(1), {state}, "condition"));
  HLOCC_TRY(check_result(site.called(1), Shape::scalar(PrimitiveType::kPred), "condition"));
  return with_default_layout(state);
}

Result<Shape> infer(Op<Opcode::kConditional>, const Site& site) {
  HLOCC_TRY(check(site.called_count() > 0 && site.operand_count() == 1 + site.called_count(),
                  kArity, "has ", site.called_count(), " branches and ", site.operand_count() - 1,
                  " operands for them; each branch needs one"));
  const Shape& index = site.operand(0);
  HLOCC_TRY(check_scalar(index, "operand 0"));
  HLOCC_TRY(
      check(index.element_type == PrimitiveType::kPred || index.element_type == PrimitiveType::kS32,
            kType, "operand 0 has element type ", index.element_type, " and must be pred or s32"));
  HLOCC_TRY(check(index.element_type == PrimitiveType::kS32 || site.called_count() == 2, kArity,
                  "a pred chooses between 2 branches, not ", site.called_count()));
  const Shape& result = site.called(0).root_instruction().shape;
  for (int i = 0; i < site.called_count(); ++i) {
    HLOCC_TRY(check_parameters(site.called(i), {site.operand(1 + i)}, "branch"));
    HLOCC_TRY(check_result(site.called(i), result, "branch"));
  }
  return with_default_layout(result);
}

Result<Shape> infer(Op<Opcode::kCall>, const Site& site) {
  return infer_call(site, "called computation");
}
Result<Shape> infer(Op<Opcode::kFusion>, const Site& site) {
  return infer_call(site, "fused computation");
}

Result<Shape> infer(Op<Opcode::kCustomCall>, const Site& site) {
  const auto& call = site.attributes<hlo::CustomCallAttributes>();
  HLOCC_TRY(check(!call.target.empty(), kAttribute, "custom_call_target is empty"));
  for (const auto& alias : call.output_operand_aliasing)
    HLOCC_TRY(check(alias.operand >= 0 && alias.operand < site.operand_count(), kAttribute,
                    "output_to_operand_aliasing names operand ", alias.operand,
                    ", which does not exist"));
  return with_default_layout(site.declared());
}

// Operands are the scanned arrays, then the initial carries; the body takes an element of each
// array and the carries, and returns outputs, then the new carries; the result stacks the outputs
// and ends with the last carries.
Result<Shape> infer(Op<Opcode::kScan>, const Site& site) {
  const auto& scan = site.attributes<hlo::ScanAttributes>();
  HLOCC_TRY(check(scan.num_carries >= 0 && scan.num_carries < site.operand_count(), kAttribute,
                  "num_carries is ", scan.num_carries, " and must leave at least one of ",
                  site.operand_count(), " operands to scan"));
  const int inputs = site.operand_count() - static_cast<int>(scan.num_carries);
  std::vector<Shape> parameters;
  int64_t length = 0;
  for (int i = 0; i < inputs; ++i) {
    const Shape& input = site.operand(i);
    HLOCC_TRY(check_array(input, cat("operand ", i)));
    HLOCC_TRY(check_dimension(scan.dimension, input.rank(), "dimensions"));
    if (i == 0) length = input.dimensions[scan.dimension];
    HLOCC_TRY(check(input.dimensions[scan.dimension] == length, kShape, "operand ", i, " is ",
                    input, " and must have ", length, " elements to scan"));
    parameters.push_back(without_dimension(input, scan.dimension));
  }
  for (int i = inputs; i < site.operand_count(); ++i) parameters.push_back(site.operand(i));
  const Computation& body = site.called(0);
  HLOCC_TRY(check_parameters(body, parameters, "body"));
  const Shape& returned = body.root_instruction().shape;
  std::vector<Shape> results = returned.is_tuple() ? returned.tuple : std::vector<Shape>{returned};
  const int outputs = static_cast<int>(results.size()) - static_cast<int>(scan.num_carries);
  HLOCC_TRY(check(outputs >= 0, kShape, "the body returns ", results.size(),
                  " values, fewer than the ", scan.num_carries, " carries"));
  for (size_t i = outputs; i < results.size(); ++i)
    HLOCC_TRY(
        check_same_shape(results[i], parameters[inputs + i - outputs], cat("carry ", i - outputs)));
  for (int i = 0; i < outputs; ++i) {
    HLOCC_TRY_ASSIGN(results[i], with_dimension(results[i], scan.dimension, length));
  }
  Shape result =
      returned.is_tuple() ? Shape::make_tuple(std::move(results)) : std::move(results[0]);
  return with_default_layout(result);
}

}  // namespace hlocc::ops

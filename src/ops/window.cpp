// Rules of reduce-window and select-and-scatter.
#include "ops/window.h"

#include "ops/reduce.h"
#include "ops/signature.h"
#include "ops/window_math.h"

namespace hlocc::ops {

Result<Shape> windowed_shape(const Shape& operand, const hlo::Window& window) {
  HLOCC_TRY(check_count(window.dimensions.size(), operand.rank(), "window"));
  Shape result = Shape::array(operand.element_type, {});
  for (int d = 0; d < operand.rank(); ++d) {
    HLOCC_TRY_ASSIGN(const int64_t size,
                     window_output_size(operand.dimensions[d], window.dimensions[d]));
    append_dimension(result, size, operand.is_dynamic(d));
  }
  return result;
}

Result<Shape> infer(Op<Opcode::kReduceWindow>, const Site& site) {
  HLOCC_TRY_ASSIGN(const int count, check_reduction(site));
  std::vector<Shape> results;
  for (int i = 0; i < count; ++i) {
    HLOCC_TRY_ASSIGN(Shape result, windowed_shape(site.operand(i),
                                                  site.attributes<hlo::WindowAttributes>().window));
    results.push_back(std::move(result));
  }
  return one_or_tuple(std::move(results));
}

Result<Shape> infer(Op<Opcode::kSelectAndScatter>, const Site& site) {
  const Shape &operand = site.operand(0), &source = site.operand(1);
  HLOCC_TRY(check_array(operand, "operand 0"));
  HLOCC_TRY(check_operand_type(site, 1, operand.element_type));
  HLOCC_TRY(check_operand_type(site, 2, operand.element_type));
  HLOCC_TRY(check_scalar(site.operand(2), "the initial value"));
  HLOCC_TRY_ASSIGN(const Shape positions,
                   windowed_shape(operand, site.attributes<hlo::WindowAttributes>().window));
  HLOCC_TRY(check(same_dimensions(source, positions), kShape, "the source is ", source,
                  " and must have one element for each window position, ", positions));
  const Shape scalar = Shape::scalar(operand.element_type);
  HLOCC_TRY(check_parameters(site.called(0), {scalar, scalar}, "select"));
  HLOCC_TRY(check_result(site.called(0), Shape::scalar(PrimitiveType::kPred), "select"));
  HLOCC_TRY(check_reducer(site.called(1), {operand.element_type}, "scatter"));
  return with_type(operand, operand.element_type);
}

}  // namespace hlocc::ops

// Rules of convolution.
#include "ops/convolution.h"

#include "ops/dot.h"
#include "ops/window_math.h"
#include "support/checked_math.h"

namespace hlocc::ops {
namespace {

using hlo::ConvolutionAttributes;

// Two numbered dimensions and the spatial ones make up all dimensions of an array.
Status check_numbers(int64_t first, int64_t second, const Dimensions& spatial, const Shape& shape,
                     std::string_view what) {
  HLOCC_TRY(check(shape.rank() == static_cast<int>(spatial.size()) + 2, kShape, what, " is ", shape,
                  " and must have rank ", spatial.size() + 2));
  Dimensions all = {first, second};
  all.insert(all.end(), spatial.begin(), spatial.end());
  return check_dimensions(all, shape.rank(), cat("dim_labels of ", what));
}

Status check_groups(const Site& site, const ConvolutionAttributes& conv) {
  const int64_t groups = conv.feature_group_count, batch_groups = conv.batch_group_count;
  const Shape &input = site.operand(0), &kernel = site.operand(1);
  HLOCC_TRY(check(groups >= 1 && batch_groups >= 1, kAttribute, "feature_group_count ", groups,
                  " and batch_group_count ", batch_groups, " must be positive"));
  HLOCC_TRY(check(groups == 1 || batch_groups == 1, kAttribute,
                  "feature_group_count and batch_group_count can't both be above 1"));
  const int64_t input_features = input.dimensions[conv.input_feature];
  const int64_t kernel_input = kernel.dimensions[conv.kernel_input_feature];
  const int64_t kernel_output = kernel.dimensions[conv.kernel_output_feature];
  const int64_t batch = input.dimensions[conv.input_batch];
  HLOCC_TRY(check(checked_multiply(kernel_input, groups) == input_features, kShape,
                  "the input has ", input_features, " features, the kernel takes ", kernel_input,
                  " in each of ", groups, " groups"));
  HLOCC_TRY(check(kernel_output % groups == 0 && kernel_output % batch_groups == 0, kShape,
                  "the kernel's ", kernel_output, " output features don't split into ",
                  groups * batch_groups, " groups"));
  return check(batch % batch_groups == 0, kShape, "the batch of ", batch, " does not split into ",
               batch_groups, " groups");
}

}  // namespace

Result<Shape> infer(Op<Opcode::kConvolution>, const Site& site) {
  const auto& conv = site.attributes<ConvolutionAttributes>();
  const Shape &input = site.operand(0), &kernel = site.operand(1);
  const size_t spatial = conv.window.dimensions.size();
  HLOCC_TRY(check_array(input, "the input"));
  HLOCC_TRY(check_array(kernel, "the kernel"));
  HLOCC_TRY(check_array(site.declared(), "the result"));
  for (const Dimensions* list : {&conv.input_spatial, &conv.kernel_spatial, &conv.output_spatial})
    HLOCC_TRY(check_count(list->size(), spatial, "dim_labels"));
  HLOCC_TRY(
      check_numbers(conv.input_batch, conv.input_feature, conv.input_spatial, input, "the input"));
  HLOCC_TRY(check_numbers(conv.kernel_input_feature, conv.kernel_output_feature,
                          conv.kernel_spatial, kernel, "the kernel"));
  HLOCC_TRY(check_numbers(conv.output_batch, conv.output_feature, conv.output_spatial,
                          site.declared(), "the result"));
  HLOCC_TRY(check_groups(site, conv));
  HLOCC_TRY_ASSIGN(const PrimitiveType type, contraction_type(site));

  Shape result = Shape::array(type, Dimensions(spatial + 2, 0));
  result.dimensions[conv.output_batch] =
      input.dimensions[conv.input_batch] / conv.batch_group_count;
  if (input.is_dynamic(conv.input_batch)) set_dynamic(result, conv.output_batch);
  result.dimensions[conv.output_feature] = kernel.dimensions[conv.kernel_output_feature];
  if (kernel.is_dynamic(conv.kernel_output_feature)) set_dynamic(result, conv.output_feature);
  for (size_t i = 0; i < spatial; ++i) {
    const hlo::WindowDimension& window = conv.window.dimensions[i];
    const int64_t kernel_size = kernel.dimensions[conv.kernel_spatial[i]];
    HLOCC_TRY(check(window.size == kernel_size, kAttribute, "the window's size ", window.size,
                    " in spatial dimension ", i, " is not the kernel's, ", kernel_size));
    const int from = static_cast<int>(conv.input_spatial[i]),
              to = static_cast<int>(conv.output_spatial[i]);
    HLOCC_TRY_ASSIGN(result.dimensions[to], window_output_size(input.dimensions[from], window));
    if (input.is_dynamic(from)) set_dynamic(result, to);
  }
  return result;
}

}  // namespace hlocc::ops

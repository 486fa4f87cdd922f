// See accumulation.h. Sums across iterations of a loop are not seen: their number is not known.
#include "ops/accumulation.h"

#include <algorithm>

#include "ops/reducer.h"

namespace hlocc::ops {
namespace {

using hlo::Dimensions;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

int64_t product_of(const Shape& shape, const Dimensions& dimensions) {
  int64_t out = 1;
  for (const int64_t dimension : dimensions) out *= shape.dimensions[dimension];
  return out;
}

int64_t products_of_output(const Shape& kernel, const hlo::ConvolutionAttributes& attributes) {
  Dimensions summed = attributes.kernel_spatial;
  summed.push_back(attributes.kernel_input_feature);
  return product_of(kernel, summed);
}

int64_t elements_of(const hlo::Window& window) {
  int64_t out = 1;
  for (const hlo::WindowDimension& dimension : window.dimensions) out *= dimension.size;
  return out;
}

// Of the first array: of several results all are reduced alike.
const Shape& first_array(const Shape& shape) {
  return shape.is_tuple() && !shape.tuple.empty() ? first_array(shape.tuple[0]) : shape;
}

bool is_rounded(const Shape& shape) {
  const Shape& array = first_array(shape);
  return array.is_array() &&
         (hlo::is_float(array.element_type) || hlo::is_complex(array.element_type));
}

// Of a reduction to the largest or smallest element: what is left is none that was computed.
bool only_chooses(const hlo::Module& module, const Instruction& i) {
  if (i.called.size() != 1) return false;
  const std::optional<Opcode> reducer = plain_reducer(module.computations[i.called[0]]);
  return reducer == Opcode::kMaximum || reducer == Opcode::kMinimum;
}

}  // namespace

int64_t terms_of(const hlo::Module& module, const hlo::Computation& computation,
                 const Instruction& i) {
  if (i.operands.empty() || !is_rounded(i.shape) || only_chooses(module, i)) return 1;
  const auto shape = [&](size_t at) -> const Shape& {
    return computation.instructions[i.operands[at]].shape;
  };
  switch (i.opcode) {
    case Opcode::kDot:
    case Opcode::kScaledDot:
      return product_of(shape(0), i.get<hlo::DotAttributes>().lhs_contracting);
    case Opcode::kRaggedDot:
      return product_of(shape(0), i.get<hlo::RaggedDotAttributes>().dot.lhs_contracting);
    case Opcode::kConvolution:
      return products_of_output(shape(1), i.get<hlo::ConvolutionAttributes>());
    case Opcode::kReduce:
      return shape(0).element_count() / std::max<int64_t>(first_array(i.shape).element_count(), 1);
    case Opcode::kScan: return shape(0).dimensions[i.get<hlo::ScanAttributes>().dimension];
    case Opcode::kReduceWindow:
    case Opcode::kSelectAndScatter: return elements_of(i.get<hlo::WindowAttributes>().window);
    // All may fall on one element.
    case Opcode::kScatter: return shape(i.operands.size() - 1).element_count();
    case Opcode::kFft: {
      int64_t points = 1;
      for (const int64_t length : i.get<hlo::FftAttributes>().length) points *= length;
      return points;
    }
    case Opcode::kCholesky:
    case Opcode::kTriangularSolve: return shape(0).dimensions.back();
    case Opcode::kBatchNormTraining:
    case Opcode::kBatchNormGrad:
      return shape(0).element_count() / std::max<int64_t>(shape(1).element_count(), 1);
    default: return 1;
  }
}

int64_t longest_accumulation(const hlo::Module& module) {
  int64_t longest = 1;
  for (const hlo::Computation& computation : module.computations)
    for (const Instruction& instruction : computation.instructions)
      longest = std::max(longest, terms_of(module, computation, instruction));
  return longest;
}

}  // namespace hlocc::ops

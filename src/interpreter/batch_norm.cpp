// Batch normalisation: statistics of one feature are taken over all other dimensions, in double.
#include <cmath>

#include "interpreter/families.h"
#include "interpreter/values.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;

// The feature that each element of an array belongs to.
struct Features {
  int64_t extent, stride, per_feature;
  Features(const Shape& shape, int64_t index)
      : extent(shape.dimensions[index]),
        stride(hlo::row_major_strides(shape.dimensions)[index]),
        per_feature(extent == 0 ? 0 : shape.element_count() / extent) {}
  int64_t operator()(size_t element) const {
    return static_cast<int64_t>(element) / stride % extent;
  }
};

using Numbers = std::vector<double>;

// For each feature the sum of term(element) over its elements.
template <typename Term>
Numbers sums(const Features& feature, size_t count, Term term) {
  Numbers out(static_cast<size_t>(feature.extent));
  for (size_t i = 0; i < count; ++i) out[feature(i)] += term(i);
  return out;
}

Numbers means(const Features& feature, Numbers sums) {
  for (double& sum : sums) sum /= static_cast<double>(feature.per_feature);
  return sums;
}

Numbers normalized(const Features& feature, const Numbers& x, const Numbers& scale,
                   const Numbers& offset, const Numbers& mean, const Numbers& variance,
                   double epsilon) {
  Numbers out(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const int64_t f = feature(i);
    out[i] = (x[i] - mean[f]) / std::sqrt(variance[f] + epsilon) * scale[f] + offset[f];
  }
  return out;
}

}  // namespace

// (x, scale, offset) -> (normalised, mean, biased variance)
Result<Literal> evaluate(Op<Opcode::kBatchNormTraining>, Context&, const Instruction& instruction,
                         Operands operands) {
  const auto& norm = instruction.get<hlo::BatchNormAttributes>();
  const Features feature(operands[0].shape(), norm.feature_index);
  const Numbers x = values_as<double>(operands[0]), scale = values_as<double>(operands[1]),
                offset = values_as<double>(operands[2]);
  const Numbers mean = means(feature, sums(feature, x.size(), [&](size_t i) { return x[i]; }));
  const Numbers variance = means(feature, sums(feature, x.size(), [&](size_t i) {
                                   const double distance = x[i] - mean[feature(i)];
                                   return distance * distance;
                                 }));
  const std::vector<Shape>& shapes = instruction.shape.tuple;
  return Literal::make_tuple(
      {literal_from(shapes[0], normalized(feature, x, scale, offset, mean, variance, norm.epsilon)),
       literal_from(shapes[1], mean), literal_from(shapes[2], variance)});
}

// (x, scale, offset, mean, variance)
Result<Literal> evaluate(Op<Opcode::kBatchNormInference>, Context&, const Instruction& instruction,
                         Operands operands) {
  const auto& norm = instruction.get<hlo::BatchNormAttributes>();
  const Features feature(operands[0].shape(), norm.feature_index);
  return literal_from(
      instruction.shape,
      normalized(feature, values_as<double>(operands[0]), values_as<double>(operands[1]),
                 values_as<double>(operands[2]), values_as<double>(operands[3]),
                 values_as<double>(operands[4]), norm.epsilon));
}

// (x, scale, mean, variance, dy) -> (dx, dscale, doffset)
Result<Literal> evaluate(Op<Opcode::kBatchNormGrad>, Context&, const Instruction& instruction,
                         Operands operands) {
  const auto& norm = instruction.get<hlo::BatchNormAttributes>();
  const Features feature(operands[0].shape(), norm.feature_index);
  const Numbers x = values_as<double>(operands[0]), scale = values_as<double>(operands[1]),
                mean = values_as<double>(operands[2]), variance = values_as<double>(operands[3]),
                dy = values_as<double>(operands[4]);
  const Numbers doffset = sums(feature, x.size(), [&](size_t i) { return dy[i]; });
  const Numbers correlation =
      sums(feature, x.size(), [&](size_t i) { return dy[i] * (x[i] - mean[feature(i)]); });
  Numbers dscale(correlation.size()), dx(x.size());
  for (size_t f = 0; f < dscale.size(); ++f)
    dscale[f] = correlation[f] / std::sqrt(variance[f] + norm.epsilon);
  const double n = static_cast<double>(feature.per_feature);
  for (size_t i = 0; i < x.size(); ++i) {
    const int64_t f = feature(i);
    const double square = variance[f] + norm.epsilon;
    dx[i] = scale[f] / std::sqrt(square) *
            (dy[i] - doffset[f] / n - (x[i] - mean[f]) * correlation[f] / (square * n));
  }
  const std::vector<Shape>& shapes = instruction.shape.tuple;
  return Literal::make_tuple({literal_from(shapes[0], dx), literal_from(shapes[1], dscale),
                              literal_from(shapes[2], doffset)});
}

}  // namespace hlocc::interpreter

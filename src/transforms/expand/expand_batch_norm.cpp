// Batch normalisation as sums over all dimensions but the feature's, and elementwise ops.
// Everything that belongs to a feature is computed on vectors; only the last multiply and add see
// whole arrays. Types narrower than f32 are computed in f32 and rounded once.
#include "transforms/build.h"
#include "transforms/expand/expansions.h"

namespace hlocc::transforms {
namespace {

class BatchNorm {
 public:
  BatchNorm(Rewriter& r, const Instruction& instruction)
      : r_(r),
        i_(instruction),
        shape_(r.shape(instruction.operands[0])),
        feature_(instruction.get<hlo::BatchNormAttributes>().feature_index) {
    type_ = shape_.element_type == PrimitiveType::kF64 ? PrimitiveType::kF64 : PrimitiveType::kF32;
  }

  InstructionId operand(int i) { return convert(r_, i_.operands[i], type_); }
  InstructionId rounded(InstructionId x) { return convert(r_, x, shape_.element_type); }
  // A vector of features in every place of the array.
  InstructionId spread(InstructionId vector) {
    return broadcast(r_, vector, shape_.dimensions, {feature_});
  }
  InstructionId vector_of(double value) {
    return splat(r_, number(type_, value), {shape_.dimensions[feature_]});
  }

  InstructionId add(InstructionId a, InstructionId b) { return binary(r_, Opcode::kAdd, a, b); }
  InstructionId subtract(InstructionId a, InstructionId b) {
    return binary(r_, Opcode::kSubtract, a, b);
  }
  InstructionId multiply(InstructionId a, InstructionId b) {
    return binary(r_, Opcode::kMultiply, a, b);
  }
  InstructionId divide(InstructionId a, InstructionId b) {
    return binary(r_, Opcode::kDivide, a, b);
  }

  // Over all elements of a feature.
  InstructionId sum(InstructionId x) {
    Dimensions others;
    for (int64_t d = 0; d < shape_.rank(); ++d)
      if (d != feature_) others.push_back(d);
    return reduce(r_, Opcode::kAdd, x, others);
  }
  InstructionId mean(InstructionId x) { return divide(sum(x), count()); }
  // Elements of a feature.
  InstructionId count() {
    const int64_t features = shape_.dimensions[feature_];
    return vector_of(features == 0 ? 1.0 : static_cast<double>(shape_.element_count() / features));
  }
  // variance + epsilon
  InstructionId square(InstructionId variance) {
    return add(variance, vector_of(i_.get<hlo::BatchNormAttributes>().epsilon));
  }
  // (x - mean) / sqrt(variance + epsilon) * scale + offset
  InstructionId normalized(InstructionId x, InstructionId scale, InstructionId offset,
                           InstructionId mean, InstructionId variance) {
    const InstructionId factor = divide(scale, math(r_, Opcode::kSqrt, square(variance)));
    return add(multiply(subtract(x, spread(mean)), spread(factor)), spread(offset));
  }

 private:
  Rewriter& r_;
  const Instruction& i_;
  Shape shape_;
  int64_t feature_;
  PrimitiveType type_;
};

}  // namespace

InstructionId expand_batch_norm_inference(Rewriter& r, const Instruction& instruction) {
  BatchNorm norm(r, instruction);
  return norm.rounded(norm.normalized(norm.operand(0), norm.operand(1), norm.operand(2),
                                      norm.operand(3), norm.operand(4)));
}

InstructionId expand_batch_norm_training(Rewriter& r, const Instruction& instruction) {
  BatchNorm norm(r, instruction);
  const InstructionId x = norm.operand(0), mean = norm.mean(x);
  // Two passes: the mean of squares minus the square of the mean would lose all digits of a small
  // variance.
  const InstructionId distance = norm.subtract(x, norm.spread(mean));
  const InstructionId variance = norm.mean(norm.multiply(distance, distance));
  const InstructionId result = norm.normalized(x, norm.operand(1), norm.operand(2), mean, variance);
  return tuple(r, {norm.rounded(result), norm.rounded(mean), norm.rounded(variance)});
}

// dx = scale / sqrt(square) * (dy - mean of dy - (x - mean) * correlation / (square * count)),
// square = variance + epsilon
InstructionId expand_batch_norm_grad(Rewriter& r, const Instruction& instruction) {
  BatchNorm norm(r, instruction);
  const InstructionId scale = norm.operand(1), dy = norm.operand(4),
                      square = norm.square(norm.operand(3));
  const InstructionId distance = norm.subtract(norm.operand(0), norm.spread(norm.operand(2)));
  const InstructionId deviation = math(r, Opcode::kSqrt, square);
  const InstructionId doffset = norm.sum(dy), correlation = norm.sum(norm.multiply(dy, distance));
  const InstructionId dscale = norm.divide(correlation, deviation);
  const InstructionId slope = norm.divide(correlation, norm.multiply(square, norm.count()));
  const InstructionId centered = norm.subtract(dy, norm.spread(norm.divide(doffset, norm.count())));
  const InstructionId inner = norm.subtract(centered, norm.multiply(distance, norm.spread(slope)));
  const InstructionId dx = norm.multiply(norm.spread(norm.divide(scale, deviation)), inner);
  return tuple(r, {norm.rounded(dx), norm.rounded(dscale), norm.rounded(doffset)});
}

}  // namespace hlocc::transforms

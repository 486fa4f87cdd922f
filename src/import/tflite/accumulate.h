// What convolutions and matrix products do around their sums, by element types: zero points,
// biases, multipliers, activations.
#pragma once
#include "import/tflite/quantize.h"

namespace hlocc::import::tflite {

// Which operands are what.
struct ProductOperands {
  int x = 0, weights = 1, bias = 2;
  // Whether each output sums over all weights of it, so that the zero point goes into the bias.
  bool sums_all = true;
  // Whether LiteRT's kernels round once here.
  bool is_dense = false;
};

// Sums of the weights of each output, which lie along the dimension `channels`.
std::vector<int64_t> sums_of(const Literal& weights, int64_t channels);

// Of an op with operands x, weights and perhaps a bias. Weights are constants wherever they are
// quantised.
class Accumulation {
 public:
  // The type of the sums.
  PrimitiveType type() const { return type_; }
  // What x and weights are as operands of the product. `channels` is the dimension of the kernel
  // along which outputs lie.
  InstructionId operand(InstructionId x) const;
  InstructionId weights(InstructionId kernel, int64_t channels) const;
  // What counts as zero in x.
  double pad_value() const { return is_centred_ ? 0 : pad_value_; }
  // Bias, multiplier and activation; `channels` is the dimension of y along which outputs lie. Sets
  // the op's result, with the sizes of `as` where given.
  Status finish(InstructionId y, int64_t channels, int activation,
                const std::optional<Dimensions>& as = std::nullopt) const;

 private:
  friend Result<Accumulation> accumulation_of(const Op&, int64_t, ProductOperands);
  Accumulation(const Op& op, ProductOperands operands) : op_(op), operands_(operands) {}
  Status set_quantized(int64_t channels);
  Status set_bias(int64_t channels);
  // Whether operands are taken as integers less their zero points.
  bool is_wide() const;
  InstructionId scaled(InstructionId sums, int64_t channels, Limits limits) const;

  const Op& op_;
  ProductOperands operands_;
  PrimitiveType type_ = PrimitiveType::kF32, operand_type_ = PrimitiveType::kF32;
  double pad_value_ = 0;
  bool is_hybrid_ = false;
  // Whether zero points are taken off x and weights, and not off the sums.
  bool is_centred_ = false;
  std::vector<Multiplier> multipliers_;
  std::vector<int64_t> bias_;  // of the sums, zero points taken off; of integers
};

// `channels`: the dimension of the weights, as the file has them, along which outputs lie.
Result<Accumulation> accumulation_of(const Op& op, int64_t channels, ProductOperands operands = {});

}  // namespace hlocc::import::tflite

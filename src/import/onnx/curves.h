// The activation functions that recurrent layers name.
#pragma once
#include <string>
#include <vector>

#include "import/onnx/op.h"

namespace hlocc::import::onnx {

struct Curve {
  std::string name;
  float alpha = 0, beta = 0;
};

// The op's `activations` with their parameters, or, where it names none, these for each direction.
Result<std::vector<Curve>> curves_of(const Op& op, const std::vector<std::string>& missing,
                                     size_t directions);
InstructionId curved(Builder& b, const Curve& curve, InstructionId x);

}  // namespace hlocc::import::onnx

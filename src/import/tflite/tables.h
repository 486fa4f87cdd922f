// Functions of one 8-bit integer, by a table of their values.
#pragma once
#include <functional>

#include "import/tflite/op.h"

namespace hlocc::import::tflite {

// What `function` gives for each integer from -128 to 127, clamped to 8 bits: looked up for x,
// which is s8; gives s8.
InstructionId mapped_bytes(Builder& b, InstructionId x,
                           const std::function<int32_t(int32_t)>& function);

// A function of reals at the numbers that 8-bit integers stand for, to integers of the result's
// scale, as kernels compute their tables: in floats.
std::function<int32_t(int32_t)> through_reals(const Tensor& in, const Tensor& out,
                                              float (*function)(float));

}  // namespace hlocc::import::tflite

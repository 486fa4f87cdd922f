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

// A function of 16-bit integers: its values at every 128th of them, shifted so that a line between
// two is nearest in its middle.
class WordTable {
 public:
  // 16 bits stand for what lies between low and high, and for results from -1 to 1.
  static WordTable of(float low, float high, float (*function)(float));
  // For x of s32 within 16 bits; gives s32.
  InstructionId lookup(Builder& b, InstructionId x) const;

 private:
  std::vector<int64_t> values_;
};

// What 16-bit kernels multiply x by, to 24ths of 1 with nine bits behind (eight, for tanh).
struct WordScale {
  int32_t factor = 3;
  int shift = 0;  // to the right, rounded
};
// logistic or tanh of 16-bit integers, of 15 bits, by the 256 values that kernels have of the
// logistic function; s16 to s16.
InstructionId curve_of_words(Builder& b, InstructionId x, WordScale by, bool is_tanh);

}  // namespace hlocc::import::tflite

// A chain of monotone_chain.h, a number at a time, with the interpreter's meaning of each step.
#pragma once
#include <optional>
#include <vector>

#include "transforms/integers/monotone_chain.h"

namespace hlocc::transforms {

// What the chain makes of a number in one channel.
class ChainChannel {
 public:
  ChainChannel(const MonotoneChain& chain, int64_t channel);

  // None where a step overflows or is not finite.
  std::optional<int64_t> at(int64_t x) const;

  // A step with the numbers of one channel. Each step is searched for by calculating the whole
  // chain, so that what does not hang on x is found out before.
  struct Move {
    ChainStep::Kind kind;
    PrimitiveType type;
    bool from_real, to_real;
    double real;  // the constant, as a float or as an integer
    int64_t whole, if_negative;
    int64_t low, high;  // of integers of the type
  };

 private:
  std::vector<Move> moves_;
};

// f32 and f64.
inline bool is_real_type(PrimitiveType type) {
  return type == PrimitiveType::kF32 || type == PrimitiveType::kF64;
}

// The channel's of constants that may be one for all.
template <typename T>
const T& of_channel(const std::vector<T>& constants, int64_t channel) {
  return constants[constants.size() == 1 ? 0 : static_cast<size_t>(channel)];
}

}  // namespace hlocc::transforms

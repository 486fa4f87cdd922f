// Kernels drawn from seeds: small bodies of loads, arithmetic, lanes, units of products, loops and
// branches, as lowering makes them and as it does not. Every access stays inside of its buffer, and
// no op is asked for what it leaves undefined, so that they can be run.
#pragma once
#include "kernel/builder.h"
#include "target/target.h"

namespace hlocc::backends {

// What a seed draws: a number of its own for each place that asks.
class Draw {
 public:
  explicit Draw(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}
  int below(int bound) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<int>((state_ >> 33) % static_cast<uint64_t>(bound));
  }
  // Once in so many.
  bool one_in(int times) { return below(times) == 0; }
  template <typename T>
  T of(std::initializer_list<T> items) {
    return *(items.begin() + below(static_cast<int>(items.size())));
  }
  template <typename T>
  const T& of(const std::vector<T>& items) {
    return items[static_cast<size_t>(below(static_cast<int>(items.size())))];
  }

 private:
  uint64_t state_;
};

// What kernels of a family hold most of.
enum class Drawn : uint8_t {
  kAny,
  kLanes,   // of every width, also such as no register has
  kWords,   // registers of four to sixteen lanes, and bytes that become them
  kUnits,   // products of units of bytes and halves
  kScalars  // no vectors: sums, loops, truth values
};
inline constexpr int kFamilies = 5;

// Buffers that are read hold whole numbers from 0 to 15, and truth values.
kernel::Kernel drawn_kernel(uint64_t seed, Drawn family);
// One whose bits change at a few places, for C: what a compiler's options say of it.
Target with_changes(Target target, uint64_t seed);

}  // namespace hlocc::backends

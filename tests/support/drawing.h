// Numbers drawn from a seed, the same everywhere. Each is drawn in a statement of its own:
// compilers call the arguments of a function in different orders.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <random>

namespace hlocc::tests {

class Drawing {
 public:
  explicit Drawing(uint64_t seed) : random_(seed) {}

  int64_t below(int64_t limit) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(limit));
  }
  bool one_in(int64_t n) { return below(n) == 0; }
  bool yes() { return one_in(2); }
  template <typename T>
  T of(std::initializer_list<T> all) {
    return all.begin()[below(static_cast<int64_t>(all.size()))];
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace hlocc::tests

// The constants of a program as arrays of C, one for each place of the pool.
#pragma once
#include <map>
#include <string>

#include "backends/c/prelude.h"
#include "kernel/program.h"
#include "planning/plan.h"
#include "target/target.h"

namespace hlocc::backends {

struct WeightArray {
  std::string name;
  kernel::Scalar element;  // of the array; floats that are no numbers lie in it as their bits
};

struct Weights {
  std::map<int64_t, WeightArray> arrays;  // by offset in the pool
  std::string text;
};

Weights write_weights(const kernel::Program& program, const planning::Plan& plan,
                      const Target& target, Prelude& prelude);

}  // namespace hlocc::backends

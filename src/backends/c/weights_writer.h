// The constants of a program as arrays of C, one for each place of the pool.
#pragma once
#include <map>
#include <string>

#include "backends/c/prelude.h"
#include "backends/common/run_plan.h"
#include "kernel/program.h"
#include "planning/plan.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::backends {

struct WeightArray {
  std::string name;
  kernel::Scalar element;  // of the array; floats that are no numbers lie in it as their bits
  int64_t bytes = 0;
  int parts = 1;  // more: arrays name_0, name_1, ... of kPartBytes and what is left

  std::string part(int number) const {
    return parts == 1 ? name : name + "_" + std::to_string(number);
  }
};

struct Weights {
  std::map<int64_t, WeightArray> arrays;  // by offset in the pool
  std::string text;

  // What lies there; null for what is no constant, and for what has no elements.
  const WeightArray* find(const RunAddress& address) const;
};

// The same with --weights external: an array that others define, and each constant's place in it.
Result<Weights> external_weights(const kernel::Program& program, const planning::Plan& plan,
                                 const Target& target);

Result<Weights> write_weights(const kernel::Program& program, const planning::Plan& plan,
                              const Target& target, Prelude& prelude);

}  // namespace hlocc::backends

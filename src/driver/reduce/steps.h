// The ways in which `hlocc reduce` makes a case smaller. Each proposes cases; what still fails is
// taken, and proposals go on from there.
#pragma once
#include <functional>

#include "driver/reduce/case.h"

namespace hlocc::driver {

// Does a candidate still fail? `operator()` takes it over if it does. Both are false when no more
// tries are left.
class Keep {
 public:
  Keep(std::function<bool(const ReduceCase&)> fails, std::function<void(ReduceCase)> take)
      : fails_(std::move(fails)), take_(std::move(take)) {}
  bool fails(const ReduceCase& candidate) const { return fails_(candidate); }
  bool operator()(ReduceCase candidate) const {
    if (!fails_(candidate)) return false;
    take_(std::move(candidate));
    return true;
  }

 private:
  std::function<bool(const ReduceCase&)> fails_;
  std::function<void(ReduceCase)> take_;
};
// True if it made the case smaller.
using ReduceStep = bool (*)(const ReduceCase& now, const Keep& keep);

// Fewer results, or the result of an earlier instruction.
bool drop_results(const ReduceCase& now, const Keep& keep);
// Instructions become parameters that hold the values which the interpreter finds there.
bool cut_operands(const ReduceCase& now, const Keep& keep);
// Loops become their body, conditionals a branch, calls what they call.
bool open_control_flow(const ReduceCase& now, const Keep& keep);
// No donation, default layouts.
bool drop_annotations(const ReduceCase& now, const Keep& keep);
// Smaller dimensions, wherever a size occurs.
bool shrink_dimensions(const ReduceCase& now, const Keep& keep);
// Arguments of zeros, of few different values.
bool simplify_values(const ReduceCase& now, const Keep& keep);

}  // namespace hlocc::driver

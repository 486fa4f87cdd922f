// Cells of recurrent networks: the gates stand behind the products that feed them.
#pragma once
#include "transforms/fuse_groups.h"

namespace hlocc::transforms {

// The `schedule` of their fusions; lowering/gates.h serves it. With the loop's counter as last input it is the second one.
inline constexpr const char* kGateSchedule = "gates";
inline constexpr const char* kGateZigzagSchedule = "gates_zigzag";

// Without a cache, sums that stay near save memory; large x86 cores hide a cell's latency behind the next tile's products. Where
// vectors are multiplied by an element of a register (Arm, RISC-V), the constants of the gates and the sums crowd each other
// out: more instructions than two kernels take.
inline bool gates_pay(const Target& target) { return !target.cache || !(target.multiply_by_lane || target.multiply_by_scalar); }

// Joins products [R, n H] to the group that takes them apart into n gates [R, H] and combines those:
//   s = x W + h U + b;  i, f, g, o = slices of s;  c' = sigma(f) c + sigma(i) tanh(g);  h' = sigma(o) tanh(c')
// becomes one group with two products and two results.
void plan_gates(const hlo::Computation& computation, FusionPlan& plan);

}  // namespace hlocc::transforms

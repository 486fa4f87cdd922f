// How far rounding may carry a result: the module with a breath of noise on every operation that
// HLO leaves inexact (sums in open order, transcendental functions), run by the interpreter. Where
// noise of some units in the last place moves a result, another order of summation may as well;
// where it moves nothing, results must agree exactly.
#pragma once
#include "fuzz/builder.h"

namespace hlocc::fuzz {

// The module with noise from that seed; nothing if no operation of it is inexact.
std::optional<hlo::Module> with_noise(const hlo::Module& module, uint64_t seed);

// True where the op's result depends on rounding that HLO leaves open.
bool is_inexact(const hlo::Module& module, const hlo::Instruction& instruction);

// The distance between 1 and the next number of a float type; of the parts of a complex one; 1 for
// integers.
double unit_in_last_place(PrimitiveType type);

// True if the module adds or multiplies floats in an order that HLO leaves open: between one order
// and another a sum may overflow, and infinities may meet.
bool sums_floats(const hlo::Module& module);
// True if it has computations that multiply floats: in one order a product may underflow.
bool multiplies_floats(const hlo::Module& module);

}  // namespace hlocc::fuzz

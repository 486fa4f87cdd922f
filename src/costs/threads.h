// When several threads are worth their start: what it costs to hand a launch to them and to wait
// for the last one, beside what they save.
#pragma once
#include <cstdint>

#include "target/target.h"

namespace hlocc::costs {

// Cycles from the call of the hook until all ranges run, and from the last one's end until `run`
// goes on.
double cycles_to_start_threads(const Target& target);

// What it costs that results change hands so often from one end to the other: the next launch's
// ranges are mostly halves, and fetch what another core wrote.
double cycles_of_changes(int64_t changes, const Target& target);

// Whether ranges, of which the longest takes so many cycles, pay beside the `whole` on one thread.
bool ranges_pay(double whole, double longest, const Target& target);

}  // namespace hlocc::costs

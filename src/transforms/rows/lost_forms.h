// What loops over rows lose: convolutions that take Winograd's form where they make an array as a
// whole, and have too few rows for it in a loop.
#pragma once
#include "target/target.h"
#include "transforms/rows/row_schedule.h"

namespace hlocc::transforms {

// Multiply-adds that the loop's convolutions take more than those of whole arrays.
double products_lost(const hlo::Module& module, const hlo::Computation& computation,
                     const RowSchedule& schedule, const Target& target);

}  // namespace hlocc::transforms

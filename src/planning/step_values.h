// What one step reads and writes, by value; the inside of steps that hold steps is the caller's to
// visit.
#pragma once
#include <functional>
#include <vector>

#include "kernel/program.h"

namespace hlocc::planning {

using Id = kernel::ProgramValueId;
using kernel::kNone;

// Edges of control count as the step's own: a while reads initial, next, carried and its condition,
// and writes carried and result; a conditional reads its selector and all yields. A launch reads
// what its updates start from (not from itself), and writes its scratch.
std::vector<Id> reads_of(const kernel::Step& step, const std::vector<kernel::Kernel>& kernels);
std::vector<Id> writes_of(const kernel::Step& step, const std::vector<kernel::Kernel>& kernels);
// True for results of a launch: operand `i` is written.
bool is_written(const kernel::Kernel& kernel, size_t i);

// Calls `visit` with each list of steps that the step holds.
void for_each_block(const kernel::Step& step,
                    const std::function<void(const kernel::Steps&)>& visit);

}  // namespace hlocc::planning

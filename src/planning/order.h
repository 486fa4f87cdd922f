// The order of steps. Each list of steps is a graph of values; among its orders the one with the
// lowest peak of live bytes is searched, inner lists first. The given order stays where no better
// one is found, and where queues are used: the waits are meant to stand where they are.
#pragma once
#include "kernel/program.h"

namespace hlocc::planning {

kernel::Steps order_steps(const kernel::Program& program);

}  // namespace hlocc::planning

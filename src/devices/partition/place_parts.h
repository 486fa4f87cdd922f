// The host's program calls parts as functions of the user's; here they become steps of a device:
// its operands are sent, the part is submitted, what the host reads of its results is brought back,
// and the host waits as late as it may.
#pragma once
#include <set>
#include <string>

#include "kernel/program.h"

namespace hlocc::device {

// Orders the steps for memory, then turns each call of one of the `parts` into steps of the device
// whose memory is number 1. A part begins as soon as its operands are there; parts that do not need
// one another go to different queues; values that one part hands to the next stay on the device.
void place_parts(kernel::Program& program, const std::set<std::string>& parts);

}  // namespace hlocc::device

// Collectives on one device: what an exchange without others gives.
#pragma once
#include "transforms/rewriter.h"

namespace hlocc::transforms {

// What a collective is with one replica and one partition; kNone for other ops. Fails for exchanges
// with a host.
InstructionId on_single_device(Rewriter& rewriter, const Instruction& instruction);

}  // namespace hlocc::transforms

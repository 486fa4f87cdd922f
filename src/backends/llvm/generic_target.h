// Target rows for what has none: any triple that LLVM knows, this machine, a preset with another
// processor. LLVM's own tables answer; what they can't tell is assumed, and Target::assumed says
// so.
#pragma once
#include "support/result.h"
#include "target/target.h"

namespace hlocc::backends {

// A row for a bare triple. Position independent and hosted when the triple names an operating
// system.
Result<Target> target_for_triple(const std::string& triple, const std::string& cpu = "",
                                 const std::string& features = "",
                                 FloatAbi float_abi = FloatAbi::kDefault);

// Finishes a row: `host` gets this machine (or the processor that is named), others are checked.
// The result can be handed to every stage.
Result<Target> complete_target(const Target& target);

// This machine's triple, processor and features, as LLVM spells them.
Target host_row();

}  // namespace hlocc::backends

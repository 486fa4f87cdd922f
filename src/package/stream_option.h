// --stream NAME[=axis]: which argument it names, and whether its rows can come one by one.
#pragma once
#include "hlo/module.h"
#include "kernel/program.h"
#include "support/result.h"
#include "target/options.h"

namespace hlocc::package {

// NAME is what the header calls the argument, or argI. Without an axis, the outermost dimension of
// more than one element. Rows that do not lie one after the other in the entry layout are
// kUnsupported, and so are donated and packed arguments; what no argument is called is kUsage.
Result<StreamOption> find_stream(const hlo::Module& module, const Options& options,
                                 const std::string& request);

// The leaf takes the shape of one row, and the signature knows how many there are.
void apply_stream(kernel::Signature& signature, const StreamOption& option);

}  // namespace hlocc::package

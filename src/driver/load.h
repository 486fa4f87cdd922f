// The first stage, for every verb: a file, or standard input, becomes a module that keeps the rules
// of HLO.
#pragma once
#include "import/reader.h"

namespace hlocc::driver {

Result<import::Imported> load_model(const std::string& path,
                                    import::Constants constants = import::Constants::kNeeded);

}  // namespace hlocc::driver

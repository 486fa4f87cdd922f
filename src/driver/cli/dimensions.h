// --dim: sizes that a model leaves open, as the user fixes them.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/result.h"

namespace hlocc::driver {

// "batch=1", once for each size. Errors: kUsage.
Result<std::map<std::string, int64_t>> parse_dimensions(const std::vector<std::string>& requests);

}  // namespace hlocc::driver

// Files as bytes.
#pragma once
#include <string>
#include <vector>

#include "support/result.h"

namespace hlocc::import {

// The whole of a file, or of standard input for "-". Files beyond the size limit are refused from
// their size, or, where that is unknown (pipes), when the limit is passed; if `must_be_model`, also
// from their first bytes.
Result<std::vector<std::byte>> read_file(const std::string& path, bool must_be_model = false);

}  // namespace hlocc::import

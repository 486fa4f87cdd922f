// What a backend or chip is known not to do: a list that is held against `verify`'s cases. It is
// exact: an entry that passes is a failure, and so is one that the index does not have.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "driver/verify/rules.h"
#include "support/result.h"

namespace hlocc::driver {

// A file of lines "FOLDER NAME why it does not run", where FOLDER is that of the index; # comments.
// By name, the reasons of those that belong to the index.
using KnownGaps = std::map<std::string, std::string>;
Result<KnownGaps> read_known_gaps(const std::string& path, const std::string& index,
                                  const std::vector<Case>& cases);

}  // namespace hlocc::driver

// A command line word by word, before CLI11 reads it: which verb, which flags, what stands between
// them. Unknown words are refused here, with the nearest that there is, because CLI11
// would take the value of a misspelt flag for one more MODEL.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "support/result.h"

namespace CLI {
class App;
}

namespace hlocc::driver {

struct CommandWords {
  std::string verb;
  // Flag (as the first of its names is written: --target, -O) to its values; flags without a value
  // have none.
  std::map<std::string, std::vector<std::string>> flags;
  std::vector<std::string> operands;  // MODEL and the like
};

// A mistake in the command line.
Diagnostic usage(const std::string& message);

// `words` without the program's own name. Errors: kUsage.
Result<CommandWords> read_words(CLI::App& app, const std::vector<std::string>& words);

}  // namespace hlocc::driver

// Regression cases: small programs that once differed, kept with the results that they should give.
#pragma once
#include <string>
#include <vector>

namespace hlocc::fuzz {

// What is to be kept: a snapshot or HLO text (its arguments are then made up), and why.
struct Keep {
  std::string path, name, note;
};

// Adds cases to FOLDER: each becomes NAME.snapshot.pb with the interpreter's results, and a line of
// FOLDER/index.json with its opcodes, types and tolerance. A name that is there is replaced.
// Returns what went wrong, one line a case.
std::vector<std::string> keep_cases(const std::vector<Keep>& cases, const std::string& folder);

// Writes the results and tolerances of all cases of FOLDER again, for instance after the
// interpreter was mended.
std::vector<std::string> refresh_cases(const std::string& folder);

}  // namespace hlocc::fuzz

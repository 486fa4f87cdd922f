// Snapshots with an index of their rules, run through the interpreter.
#pragma once
#include <string>
#include <vector>

#include "hlo/compare.h"

namespace hlocc::tests {

struct CaseOutcome {
  std::string name;
  bool ok = false;
  std::string why;
  double seconds = 0;
};

// Runs every case of an index.json ({"cases": [{"name", "tolerance"}]}, NAME.snapshot.pb beside it)
// whose name contains `filter`.
std::vector<CaseOutcome> run_index(const std::string& index_path, const std::string& filter = "");

}  // namespace hlocc::tests

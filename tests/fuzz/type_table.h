// The page docs/ops_types.md: what becomes of each op on each element type, in the interpreter and
// in code for this machine.
#pragma once
#include <map>
#include <string>

#include "fuzz/differential.h"

namespace hlocc::fuzz {

class TypeTable {
 public:
  // A cell of the grid: "tanh f32", "some dot s4".
  void add(const std::string& cell, const Finding& finding);
  // Markdown.
  std::string page() const;

 private:
  // Op and type; what stands there.
  std::map<std::string, std::map<std::string, std::string>> cells_;
};

}  // namespace hlocc::fuzz

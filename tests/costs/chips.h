// The chips on which costs are asked for: one of every kind, and what no preset is (wide vectors
// with masks), each for speed and for size.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "target/target.h"

namespace hlocc::tests {

struct Chip {
  std::string name;
  Target target;
};
// For speed; `small` of them are the same at -Os and -Oz in turn.
const std::vector<Chip>& fast_chips();
std::vector<Chip> all_chips();
const Target& chip(const std::string& name);
// What `text` says of each chip, once for all of the same answer.
std::string by_chip(const std::vector<Chip>& chips,
                    const std::function<std::string(const Target&)>& text);

// A yes or no as a sign of a table.
inline char sign(bool yes) { return yes ? '+' : '.'; }

}  // namespace hlocc::tests

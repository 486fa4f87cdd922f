// Programs that stand just outside of a condition, and the one inside that they differ from: a file
// of HLO texts with a line for each change. A guard then costs one line.
//
//     @ ...             for the test that reads it
//     # NAME            a program; its HLO text follows
//     ! WHAT: A -> B    the same with every A as B, " ; " between several such changes
#pragma once
#include <string>
#include <vector>

namespace hlocc::tests {

// The pieces of a text between the places where `between` stands.
std::vector<std::string> parts_of(const std::string& text, const std::string& between);

struct Case {
  std::string name, text;
};

// All programs of the file, each followed by its changes. Fails the test if a change changes
// nothing.
std::vector<Case> read_cases(const std::string& path);

}  // namespace hlocc::tests

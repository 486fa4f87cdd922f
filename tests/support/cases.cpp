// See cases.h.
#include "support/cases.h"

#include <catch2/catch.hpp>
#include <fstream>

namespace hlocc::tests {

std::vector<std::string> parts_of(const std::string& text, const std::string& between) {
  std::vector<std::string> parts;
  size_t at = 0;
  for (size_t next; (next = text.find(between, at)) != std::string::npos;
       at = next + between.size())
    parts.push_back(text.substr(at, next - at));
  parts.push_back(text.substr(at));
  return parts;
}

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  INFO("nothing to change: " << from);
  REQUIRE(at != std::string::npos);
  for (; at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// "\\n" stands for the end of a line.
std::string spelled(std::string text) {
  for (size_t at; (at = text.find(" \\n ")) != std::string::npos;) text.replace(at, 4, "\n ");
  return text;
}

// "WHAT: A -> B ; C -> D" of a program.
Case changed(const Case& base, const std::string& line) {
  INFO(base.name << ": " << line);
  const size_t colon = line.find(": ");
  REQUIRE(colon != std::string::npos);
  Case out{base.name + ", " + line.substr(0, colon), base.text};
  for (const std::string& change : parts_of(line.substr(colon + 2), " ; ")) {
    const std::vector<std::string> sides = parts_of(change, " -> ");
    REQUIRE(sides.size() == 2);
    out.text = replaced(out.text, spelled(sides[0]), spelled(sides[1]));
  }
  return out;
}

}  // namespace

std::vector<Case> read_cases(const std::string& path) {
  std::ifstream file(path);
  INFO(path);
  REQUIRE(file.good());
  std::vector<Case> cases;
  Case base;
  std::vector<std::string> changes;
  const auto finish = [&] {
    if (base.name.empty()) return;
    cases.push_back(base);
    for (const std::string& line : changes) cases.push_back(changed(base, line));
    changes.clear();
  };
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# ")) {
      finish();
      base = {line.substr(2), ""};
    } else if (line.starts_with("! ")) {
      changes.push_back(line.substr(2));
    } else if (!line.starts_with("@ ")) {
      base.text += line + "\n";
    }
  }
  finish();
  REQUIRE(!cases.empty());
  return cases;
}

}  // namespace hlocc::tests

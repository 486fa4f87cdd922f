// See golden.h.
#include "support/golden.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

namespace hlocc::tests {
namespace {

std::vector<std::string> lines_of(std::istream& in) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

void check_golden(const std::string& path, const std::string& text) {
  if (std::getenv("HLOCC_REGENERATE") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  std::istringstream in(text);
  const std::vector<std::string> got = lines_of(in), wanted = lines_of(file);
  constexpr int kMostShown = 10;
  int different = 0;
  for (size_t n = 0; n < std::min(got.size(), wanted.size()) && different < kMostShown; ++n) {
    if (got[n] == wanted[n]) continue;
    ++different;
    UNSCOPED_INFO(path << ":" << n + 1 << " is\n  " << wanted[n] << "\nand would be\n  " << got[n]);
  }
  CHECK(different == 0);
  CHECK(got.size() == wanted.size());
}

}  // namespace hlocc::tests

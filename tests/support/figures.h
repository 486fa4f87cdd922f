// Figures: what a room's tests make, in numbers and kinds that a person can judge (operations,
// cycles, bytes of an arena, labels of kernels), a line a test case or a program in a golden file.
// A change of a choice is then a difference of numbers whose direction is seen. HLOCC_REGENERATE=1
// and a run of all tests of the room write the files anew.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hlocc::tests {

class Figures {
 public:
  // Adds to the figure called so; figures are written in the order in which they came first.
  void add(const std::string& name, int64_t number);
  // Of costs, which are no whole numbers: as whole ones, since last bits differ between hosts.
  void add_cost(const std::string& name, double cost);
  // So many more of a kind; kinds are written behind the figures, in the order of their names.
  void count(const std::string& kind, int64_t times = 1) { kinds_[kind] += times; }
  void add(const Figures& other);

  // "kernels 3, cycles 1200; 2 dense 4x2x1, 1 elements"; what is 0 is left out.
  std::string to_text() const;

 private:
  std::vector<std::pair<std::string, int64_t>> numbers_;
  std::map<std::string, int64_t> kinds_;
};

// Adds them to a line of golden/FILE.txt of the test's folder: that of the running test case, or
// the one that is named.
void add_figures(const std::string& file, const Figures& figures);
void add_figures(const std::string& file, const std::string& line, const Figures& figures);

// Compares all lines with the golden files, or writes these; prints those that differ. What main
// returns: 0 if none does.
int check_figures();

}  // namespace hlocc::tests

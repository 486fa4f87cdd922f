// Draws changes of picked programs: a chip and the parts that differ from it, a word, a value in
// another form (tests/picked/picked.h has the language that they are written in).
#pragma once
#include <random>
#include <string>
#include <vector>

#include "picked/picked.h"

namespace hlocc::tests {

class ChangeDrawer {
 public:
  // Draws its numbers from `random`, which must outlive it.
  explicit ChangeDrawer(std::mt19937_64& random) : random_(random) {}

  // A number below `limit`; 0 of none.
  uint64_t draw(uint64_t limit) { return limit == 0 ? 0 : random_() % limit; }
  // A preset, and up to three parts that differ from it.
  std::string random_chip();
  // Three times in five another chip, mostly one that differs by one thing.
  void change_chip(std::string& chip);
  // One change more of the row, whose base has this text.
  void add_change(Picked& row, const std::string& base);

 private:
  std::string other_word(const std::string& from, const std::vector<std::string>& words);

  std::mt19937_64& random_;
};

}  // namespace hlocc::tests

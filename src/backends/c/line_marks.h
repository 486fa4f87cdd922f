// #line, for debuggers: which line of the user's program the C of a kernel or of a step is of. What
// is written is marked first, and the marks become directives when the file's own lines are known.
// Without lines in the origin nothing is marked.
#pragma once
#include <string>
#include <vector>

#include "kernel/origin.h"

namespace hlocc::backends {

class LineMarks {
 public:
  // `wanted`: false gives texts as they are.
  explicit LineMarks(bool wanted) : wanted_(wanted) {}

  // Whole lines, all of the origin's first line.
  std::string around(const std::string& lines, const kernel::Origin& origin);
  // The text with a directive before each marked line, and one behind them that goes back to
  // `own_file`.
  std::string resolved(const std::string& text, const std::string& own_file) const;

 private:
  const bool wanted_;
  std::vector<std::string> directives_;  // by the number of the mark
};

}  // namespace hlocc::backends

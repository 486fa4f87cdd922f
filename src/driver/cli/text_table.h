// Tables for terminals: cells under a headline, columns as wide as their widest cell.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace hlocc::driver {

using TextTable = std::vector<std::vector<std::string>>;  // lines of cells, the headline first

// The columns from `first_number` to `last_number` (counted from 0) are flush right. Every line has
// as many cells as the first.
std::string to_text(const TextTable& lines, size_t first_number, size_t last_number);

struct Column {
  const char* head;
  bool is_number = false;  // flush right
  int rank = 0;  // where lines are too long, columns of the highest rank go first, 0 stays
};
// The first column says what a line is about. Where a line is longer than `width` bytes (0: may be
// as long as it gets), columns are left away by rank and the first is cut at its beginning.
std::string to_text(const std::vector<Column>& columns, TextTable lines, size_t width);

// A sentence behind a label, in lines of `width` bytes (0: in one) that begin under the sentence.
// Words that fit no line are cut as the first column is.
std::string wrapped(std::string_view label, std::string_view sentence, size_t width);

// "1.250 ms": so many cycles of a clock in Hz.
std::string milliseconds(double cycles, double clock);

}  // namespace hlocc::driver

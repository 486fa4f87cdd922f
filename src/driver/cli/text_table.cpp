// See text_table.h.
#include "driver/cli/text_table.h"

#include <algorithm>
#include <cstdio>

namespace hlocc::driver {

std::string to_text(const TextTable& lines, size_t first_number, size_t last_number) {
  std::vector<size_t> width(lines.empty() ? 0 : lines[0].size(), 0);
  for (const std::vector<std::string>& cells : lines)
    for (size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], cells[i].size());
  std::string out;
  for (const std::vector<std::string>& cells : lines) {
    for (size_t i = 0; i < width.size(); ++i) {
      const std::string blanks(width[i] - cells[i].size(), ' ');
      const bool number = i >= first_number && i <= last_number;
      if (i > 0) out += "  ";
      out += number ? blanks + cells[i] : cells[i];
      if (!number && i + 1 < width.size()) out += blanks;
    }
    out += "\n";
  }
  return out;
}

std::string milliseconds(double cycles, double clock) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f ms", 1e3 * cycles / clock);
  return text;
}

}  // namespace hlocc::driver

// See line_marks.h. A mark is a line of its own that no C has: a control character, and a number.
#include "backends/c/line_marks.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

constexpr char kBegin = '\1', kEnd = '\2';

std::string directive(int64_t line, const std::string& file) {
  return cat("#line ", line, " ", c_string(file), "\n");
}

// Lines of the text without their end.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::string LineMarks::around(const std::string& lines, const kernel::Origin& origin) {
  // C counts lines from one.
  if (!wanted_ || origin.source.empty() || origin.source[0].line < 1) return lines;
  directives_.push_back(directive(origin.source[0].line, origin.source[0].file));
  return cat(kBegin, directives_.size() - 1, "\n", lines, kEnd, "\n");
}

std::string LineMarks::resolved(const std::string& text, const std::string& own_file) const {
  if (directives_.empty()) return text;
  std::string out;
  int64_t written = 0;
  const auto write = [&](std::string_view lines) {
    out += lines;
    written += std::ranges::count(lines, '\n');
  };
  const std::string* mark = nullptr;
  for (const std::string_view line : lines_of(text)) {
    if (line.starts_with(kBegin)) {
      mark = &directives_[static_cast<size_t>(std::atoll(std::string(line.substr(1)).c_str()))];
    } else if (line.starts_with(kEnd)) {
      mark = nullptr;
      // The directive is a line itself, and speaks of the next.
      write(directive(written + 2, own_file));
    } else {
      if (mark != nullptr && !line.empty()) write(*mark);
      write(cat(line, "\n"));
    }
  }
  return out;
}

}  // namespace hlocc::backends

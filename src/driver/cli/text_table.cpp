// See text_table.h.
#include "driver/cli/text_table.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "support/text.h"

namespace hlocc::driver {
namespace {

constexpr size_t kGap = 2;
// What the first column keeps of itself before others are left away.
constexpr size_t kLeastOfFirst = 24;

std::vector<size_t> widths_of(const TextTable& lines) {
  std::vector<size_t> widths(lines.empty() ? 0 : lines[0].size(), 0);
  for (const std::vector<std::string>& cells : lines)
    for (size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  return widths;
}

std::string aligned(const std::vector<Column>& columns, const TextTable& lines) {
  const std::vector<size_t> widths = widths_of(lines);
  std::string out;
  for (const std::vector<std::string>& cells : lines) {
    for (size_t i = 0; i < widths.size(); ++i) {
      const std::string blanks(widths[i] - cells[i].size(), ' ');
      if (i > 0) out += std::string(kGap, ' ');
      out += columns[i].is_number ? blanks + cells[i] : cells[i];
      if (!columns[i].is_number && i + 1 < widths.size()) out += blanks;
    }
    out += "\n";
  }
  return out;
}

size_t length_behind_first(const std::vector<size_t>& widths) {
  size_t length = 0;
  for (size_t i = 1; i < widths.size(); ++i) length += kGap + widths[i];
  return length;
}

// With a first column that is cut as short as it may be.
size_t line_length(const TextTable& lines) {
  const std::vector<size_t> widths = widths_of(lines);
  return std::min(widths[0], kLeastOfFirst) + length_behind_first(widths);
}

// The last of those of the highest rank; false where none may go.
bool drop_column(std::vector<Column>& columns, TextTable& lines) {
  size_t drop = 0;
  for (size_t i = 1; i < columns.size(); ++i)
    if (columns[i].rank > 0 && columns[i].rank >= columns[drop].rank) drop = i;
  if (drop == 0) return false;
  const auto at = static_cast<std::ptrdiff_t>(drop);
  columns.erase(columns.begin() + at);
  for (std::vector<std::string>& cells : lines) cells.erase(cells.begin() + at);
  return true;
}

// A name's end says more than its beginning. No character of several bytes is cut in two.
std::string cut_to(const std::string& text, size_t length) {
  constexpr std::string_view kCut = "...";
  if (text.size() <= length) return text;
  size_t from = text.size() - (length - kCut.size());
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xc0) == 0x80) ++from;
  return std::string(kCut) + text.substr(from);
}

void cut_first(TextTable& lines, size_t width) {
  const size_t behind = length_behind_first(widths_of(lines));
  const size_t room = std::max(kLeastOfFirst, width > behind ? width - behind : 0);
  for (std::vector<std::string>& cells : lines) cells[0] = cut_to(cells[0], room);
}

}  // namespace

std::string to_text(const TextTable& lines, size_t first_number, size_t last_number) {
  std::vector<Column> columns(lines.empty() ? 0 : lines[0].size(), Column{""});
  for (size_t i = first_number; i <= last_number && i < columns.size(); ++i)
    columns[i].is_number = true;
  return aligned(columns, lines);
}

std::string to_text(const std::vector<Column>& columns, TextTable lines, size_t width) {
  std::vector<Column> kept = columns;
  TextTable all{{}};
  for (const Column& column : columns) all[0].push_back(column.head);
  for (std::vector<std::string>& cells : lines) all.push_back(std::move(cells));
  while (width > 0 && line_length(all) > width && drop_column(kept, all)) continue;
  if (width > 0) cut_first(all, width);
  return aligned(kept, all);
}

std::string wrapped(std::string_view label, std::string_view sentence, size_t width) {
  if (width == 0) return cat(label, sentence, "\n");
  const size_t room = std::max(kLeastOfFirst, width > label.size() ? width - label.size() : 0);
  const auto beginning = [&](const std::string& before) {
    return before.empty() ? std::string(label) : std::string(label.size(), ' ');
  };
  std::string out, line;
  for (const std::string& word : split(sentence, ' ')) {
    const std::string fits = cut_to(word, room);
    if (!line.empty() && line.size() + 1 + fits.size() > room) {
      out += cat(beginning(out), line, "\n");
      line.clear();
    }
    line += cat(line.empty() ? "" : " ", fits);
  }
  return cat(out, beginning(out), line, "\n");
}

std::string milliseconds(double cycles, double clock) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f ms", 1e3 * cycles / clock);
  return text;
}

}  // namespace hlocc::driver

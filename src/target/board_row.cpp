// See board_row.h. CMake writes the files' texts into board_rows.inc.
#include "target/board_row.h"

#include "support/text.h"

namespace hlocc {
namespace {

struct NamedText {
  std::string_view name, text;
};

constexpr NamedText kRows[] = {
#include "board_rows.inc"
};

}  // namespace

BoardRow parse_board_row(std::string_view text) {
  BoardRow row;
  for (const std::string& line : split(text, '\n'))
    if (const size_t equal = line.find('='); equal != std::string::npos && line[0] != '#')
      row[line.substr(0, equal)] = line.substr(equal + 1);
  return row;
}

BoardRow board_row(const std::string& name) {
  BoardRow out;
  for (const NamedText& row : kRows) {
    if (row.name != name) continue;
    out = parse_board_row(row.text);
    if (const auto like = out.find("like"); like != out.end()) out.merge(board_row(like->second));
  }
  return out;
}

std::vector<std::string> board_row_names(const std::string& name) {
  std::vector<std::string> out;
  for (const NamedText& row : kRows) {
    if (row.name != name) continue;
    out.push_back(name);
    const BoardRow parsed = parse_board_row(row.text);
    if (const auto like = parsed.find("like"); like != parsed.end())
      for (std::string& other : board_row_names(like->second)) out.push_back(std::move(other));
  }
  return out;
}

BoardRow row_for(const Target& target) {
  if (target.name == "host") return board_row("host");
  const std::optional<Target> row = preset(target.board);
  const bool is_same = row && row->cpu == target.cpu && row->features == target.features &&
                       row->float_abi == target.float_abi;
  return is_same ? board_row(target.board) : BoardRow();
}

}  // namespace hlocc

// See board.h. The folder is $HLOCC_TOOLCHAINS/boards, else the one that was installed with this
// binary, else the one beside the sources that it was built from.
#include "driver/verify/board.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "import/file.h"
#include "support/folder.h"
#include "support/suggest.h"
#include "support/text.h"
#include "target/board_row.h"

#ifndef HLOCC_TOOLCHAINS_FOLDER
#error "HLOCC_TOOLCHAINS_FOLDER is defined by CMake"
#endif

namespace hlocc::driver {
namespace {

// The names of the rows that there are.
std::vector<std::string> row_names(const std::string& folder) {
  std::vector<std::string> names;
  for (const std::filesystem::path& path : paths_in(folder))
    if (path.extension() == ".conf") names.push_back(path.stem().string());
  return names;
}

// Rows may be like others, which may be like others; more than that is a circle.
constexpr int kMostLikes = 8;

Result<BoardRow> read_row(const std::string& folder, const std::string& name, int likes = 0) {
  const std::string path = cat(folder, "/", name, ".conf");
  const Result<std::vector<std::byte>> bytes = import::read_file(path);
  if (const std::vector<std::string> names = row_names(folder); !bytes.ok() && !names.empty())
    return suggest(
               error(DiagnosticKind::kTarget, cat("--board ", name, ": there is no such board")),
               name, names)
        .note("boards are " + join(names, ", "));
  if (!bytes.ok())
    return error(DiagnosticKind::kEnvironment,
                 cat("cannot read the board's row: ", bytes.error().message))
        .note("the environment variable HLOCC_TOOLCHAINS names the folder `toolchains`");
  BoardRow row = parse_board_row({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (const auto like = row.find("like"); like != row.end() && likes < kMostLikes) {
    HLOCC_TRY_ASSIGN(BoardRow base, read_row(folder, like->second, likes + 1));
    row.merge(base);
  }
  return row;
}

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split(path != nullptr ? path : "", ':'))
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

// "0x00000400 4095K": the size behind the origin; 0 where none is stated.
int64_t size_of_region(const std::string& text) {
  const std::vector<std::string> words = split(text, ' ');
  if (words.size() < 2) return 0;
  char* end = nullptr;
  const int64_t number = std::strtoll(words[1].c_str(), &end, 0);
  return number * (*end == 'K' ? 1024 : *end == 'M' ? 1024 * 1024 : 1);
}

}  // namespace

// bin/hlocc and share/hlocc/toolchains move together.
std::string toolchains_folder() {
  if (const char* named = std::getenv("HLOCC_TOOLCHAINS")) return named;
  std::error_code failure;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failure);
  const std::filesystem::path installed =
      self.parent_path().parent_path() / "share/hlocc/toolchains";
  return !failure && std::filesystem::is_directory(installed, failure) ? installed.string()
                                                                       : HLOCC_TOOLCHAINS_FOLDER;
}

Result<Board> find_board(const Target& target) {
  Board board;
  board.name = target.name == "host" && target.board.empty() ? "host" : target.board;
  if (board.name.empty())
    return error(DiagnosticKind::kTarget,
                 cat("the target ", target.name, " has no board to run on"))
        .note("--board names a row of toolchains/boards/presets");
  board.folder = toolchains_folder() + "/boards";
  HLOCC_TRY_ASSIGN(BoardRow row, read_row(board.folder + "/presets", board.name));
  board.flash_bytes = size_of_region(row["flash"]);
  if (!row["cases"].empty()) board.cases = std::strtoll(row["cases"].c_str(), nullptr, 10);
  board.bulk_bytes = size_of_region(row["bulk"]);
  for (const std::string& tool : {row["compiler"], split(row["run"], ' ')[0]})
    if (!tool.empty() && !is_installed(tool)) board.unavailable = tool + " is not installed";
  return board;
}

ChildOutcome link_firmware(const Board& board, const std::string& program,
                           const std::vector<std::string>& inputs) {
  std::vector<std::string> command = {board.folder + "/link_firmware.sh", board.name, program};
  command.insert(command.end(), inputs.begin(), inputs.end());
  return run_program(command);
}

ChildOutcome run_board(const Board& board, const std::string& program,
                       const std::vector<std::string>& arguments, int seconds) {
  std::vector<std::string> command = {board.folder + "/run_board.sh", board.name, program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_program(command, {cat("BOARD_TIMEOUT=", seconds)});
}

}  // namespace hlocc::driver

// What a verb says on stdout. Names of models, files and devices in it are bytes of any kind; what
// a terminal would take for a command is written as \xNN.
#pragma once
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "driver/cli/command_line.h"
#include "package/writer.h"
#include "support/pieces.h"
#include "support/result.h"

namespace hlocc::driver {

// As printf does.
[[gnu::format(printf, 1, 2)]] void print(const char* format, ...);
void print_text(std::string_view text);
// Byte by byte: a program that something else reads.
void print_program(std::string_view text);

// The number that all JSON of the tool's begins with: it grows when a member goes or comes to mean
// something else; new members may come without.
inline constexpr int kJsonSchema = 2;
// `members` behind the number.
void print_json(const nlohmann::ordered_json& members);

// What was written: {"path", "bytes", "sha256"} of each.
nlohmann::ordered_json files_json(std::span<const package::Placed> files);

// To the file, or to stdout if `path` is -.
Status write_file_or_output(const std::string& path, Pieces bytes);
inline bool is_output(std::string_view path) { return path == "-"; }

// The one file that a verb makes of a model, to --output: the verb's last words.
Result<int> write_only_file(const CommandLine& line, Pieces bytes);

// Columns of the terminal that stdout is; 0: it is none, and lines may be as long as they get. The
// variable COLUMNS has the last word.
size_t output_width();

// The last thing that the tool does: all that it printed must have reached stdout. What did not is
// an environment error, and the exit code of a verb that was done until then.
int finish_output(int code, bool json);

}  // namespace hlocc::driver

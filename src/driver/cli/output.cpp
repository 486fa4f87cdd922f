// See output.h.
#include "driver/cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "driver/cli/report.h"
#include "package/json_text.h"
#include "support/environment.h"
#include "support/foreign_text.h"
#include "support/sha256.h"

namespace hlocc::driver {

namespace {

// Why stdout, of which something is lost, cannot be written. The stream remembers only that it
// could not; one line break more shows the reason again.
int why_lost() {
  std::clearerr(stdout);
  errno = EIO;
  const bool is_well_now = std::fputc('\n', stdout) != EOF && std::fflush(stdout) == 0;
  return is_well_now ? EIO : errno;
}

}  // namespace

void print_program(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_text(std::string_view text) { print_program(for_terminal(text)); }

void print(const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  std::string text(static_cast<size_t>(std::vsnprintf(nullptr, 0, format, arguments)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  print_text(text);
}

void print_json(const nlohmann::ordered_json& members) {
  nlohmann::ordered_json all = {{"schema", kJsonSchema}};
  for (const auto& [name, value] : members.items()) all[name] = value;
  print_program(package::json_text(all) + "\n");
}

nlohmann::ordered_json files_json(std::span<const package::Placed> files) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const package::Placed& placed : files)
    out.push_back({{"path", placed.path()},
                   {"bytes", placed.file.bytes.size()},
                   {"sha256", sha256(placed.file.bytes.joined())}});
  return out;
}

Status write_file_or_output(const std::string& path, Pieces bytes) {
  if (!is_output(path)) return package::write_file(path, std::move(bytes));
  for (const auto& piece : bytes.pieces())
    print_program({reinterpret_cast<const char*>(piece->data()), piece->size()});
  return {};
}

Result<int> write_only_file(const CommandLine& line, Pieces bytes) {
  if (is_output(line.output)) {
    HLOCC_TRY(write_file_or_output(line.output, std::move(bytes)));
    return kExitDone;
  }
  const package::Placed file = package::placed_at(line.output, std::move(bytes));
  HLOCC_TRY(package::write_files({file}));
  if (line.json) print_json({{"model", line.models[0]}, {"files", files_json({&file, 1})}});
  return kExitDone;
}

size_t output_width() {
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr)
    if (const int number = std::atoi(columns); number > 0) return static_cast<size_t>(number);
  winsize size{};
  const bool is_terminal = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return is_terminal ? size.ws_col : 0;
}

int finish_output(int code, bool json) {
  const bool is_flushed = std::fflush(stdout) == 0;
  if (std::ferror(stdout) == 0) return code;
  const int cause = is_flushed ? why_lost() : errno;
  const int failed = report(environment_error("cannot write the standard output", cause), json);
  return code == kExitDone ? failed : code;
}

}  // namespace hlocc::driver

// The failing side of HLOCC_CHECK, and the stack of notes that it prints.
#include "support/check.h"

#include <cstdio>
#include <cstdlib>

#include "support/working_on.h"

#include "support/temporary_path.h"

namespace hlocc {
namespace {
std::vector<std::string>& working_on() {
  thread_local std::vector<std::string> stack;
  return stack;
}
}  // namespace

const std::vector<std::string>& worked_on() { return working_on(); }

WorkingOn::WorkingOn(std::string what) { working_on().push_back(std::move(what)); }
WorkingOn::~WorkingOn() { working_on().pop_back(); }

void check_failed(const char* file, int line, const char* condition, std::string_view message) {
  std::string_view path(file);
  if (auto at = path.rfind("src/"); at != std::string_view::npos) path.remove_prefix(at);
  std::fprintf(stderr, "%.*s:%d: error[internal]: %.*s (%s)\n", int(path.size()), path.data(), line,
               int(message.size()), message.data(), condition);
  for (const std::string& what : working_on())
    std::fprintf(stderr, "note: while working on %s\n", what.c_str());
  std::fprintf(stderr, "note: this is a bug of hlocc's; please report it with the input\n");
  std::fflush(stderr);
  remove_temporary_paths();
  std::_Exit(3);
}

}  // namespace hlocc

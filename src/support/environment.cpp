// See environment.h.
#include "support/environment.h"

#include <cstring>

#include "support/text.h"

namespace hlocc {
namespace {

struct Cure {
  int cause;
  const char* text;
};
constexpr Cure kCures[] = {
    {ENOSPC, "make room on that disk, or write elsewhere"},
    {EDQUOT, "make room within the quota, or write elsewhere"},
    {EROFS, "the disk can only be read: write elsewhere"},
    {EMFILE, "`ulimit -n` says how many files a process may have open"},
    {ENFILE, "the system has too many files open"},
    {EAGAIN, "`ulimit -u` says how many processes there may be"},
    {ENOMEM, "the system has no memory left; `ulimit -v` says what a process may have"},
};

// The path itself names no file.
bool names_nothing(int cause) {
  return cause == ENOENT || cause == ENOTDIR || cause == ENAMETOOLONG || cause == ELOOP;
}

}  // namespace

Diagnostic environment_error(const std::string& what, int cause) {
  Diagnostic out = error(DiagnosticKind::kEnvironment, cat(what, ": ", std::strerror(cause)));
  for (const Cure& cure : kCures)
    if (cure.cause == cause) out.notes.push_back(cure.text);
  return out;
}

Diagnostic cannot_read(const std::string& path, int cause) {
  Diagnostic out = environment_error("cannot be read", cause);
  if (names_nothing(cause)) out.kind = DiagnosticKind::kFile;
  return std::move(out).at({path, 0});
}

}  // namespace hlocc

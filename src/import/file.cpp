// Reads with the C library: a regular file at once, anything else in pieces.
#include "import/file.h"

#include <sys/stat.h>

#include <cstdio>
#include <memory>

#include "import/limits.h"
#include "import/other_formats.h"
#include "import/sniff.h"
#include "support/budget.h"
#include "support/environment.h"
#include "support/text.h"

namespace hlocc::import {
namespace {

constexpr size_t kHead = size_t{1} << 16;

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

Diagnostic too_large(const std::string& path) {
  return error(DiagnosticKind::kLimit, cat("is larger than ", kMaxFileBytes, " bytes"))
      .at({path, 0});
}

// Appends up to `count` bytes; fewer come only at the end of the file.
size_t append(std::FILE* file, std::vector<std::byte>& out, size_t count) {
  const size_t before = out.size();
  out.resize(before + count);
  const size_t got = std::fread(out.data() + before, 1, count, file);
  out.resize(before + got);
  return got;
}

void make_room(int64_t bytes) {
  if (Budget* budget = current_budget()) budget->make_room_for_file(bytes);
}

}  // namespace

Result<std::vector<std::byte>> read_file(const std::string& path, bool must_be_model) {
  const bool is_stdin = path == "-";
  const std::unique_ptr<std::FILE, Close> file(is_stdin ? stdin : std::fopen(path.c_str(), "rb"));
  if (!file) return cannot_read(path);
  struct stat status = {};
  if (fstat(fileno(file.get()), &status) != 0) return cannot_read(path);
  if (S_ISDIR(status.st_mode)) {
    const OtherFormat folder = describe_folder(path);
    Diagnostic out = error(DiagnosticKind::kFile, "is " + folder.what).at({path, 0});
    out.notes = folder.cures;
    return out;
  }

  std::vector<std::byte> bytes;
  make_room(std::min<int64_t>(status.st_size, kMaxFileBytes));
  // With room for one more piece, behind which the end is seen: growing would hold the file twice.
  if (S_ISREG(status.st_mode) && status.st_size <= kMaxFileBytes)
    bytes.reserve(static_cast<size_t>(status.st_size) + kHead);
  size_t got = append(file.get(), bytes, kHead);
  if (status.st_size > kMaxFileBytes) {
    if (must_be_model && sniff(bytes) == FileKind::kUnknown)
      return error(DiagnosticKind::kFormat, "is no HLO module, and very large").at({path, 0});
    return too_large(path);
  }
  // A regular file in one more piece, whatever else in ever larger ones.
  const size_t known = static_cast<size_t>(status.st_size);
  while (got > 0) {
    if (known == 0) make_room(static_cast<int64_t>(2 * bytes.size()));
    got = append(file.get(), bytes,
                 known > bytes.size() ? known - bytes.size()
                                      : std::max(kHead, known > 0 ? 0 : bytes.size()));
    if (static_cast<int64_t>(bytes.size()) > kMaxFileBytes) return too_large(path);
  }
  if (std::ferror(file.get())) return cannot_read(path);
  return bytes;
}

}  // namespace hlocc::import

// External data of tensors: files in the model's folder, which a model from elsewhere must not lead
// out of. A path that names the folder above, a root or a link is refused before it is opened.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "import/limits.h"
#include "import/onnx/tensors.h"
#include "support/budget.h"
#include "support/environment.h"
#include "support/text.h"

namespace hlocc::import::onnx {
namespace {

namespace fs = std::filesystem;

class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

Status check_location(const std::string& folder, const std::string& location) {
  const auto refused = [&](const char* why) {
    return error(DiagnosticKind::kFile, cat("\"", location, "\" ", why))
        .note("external data must lie in the model's own folder");
  };
  const fs::path path(location);
  if (location.empty() || location.find('\0') != std::string::npos || path.is_absolute())
    return refused("is no path within the model's folder");
  fs::path now = folder;
  for (const fs::path& part : path) {
    if (part == "..") return refused("leads out of the model's folder");
    now /= part;
    std::error_code ignored;
    if (fs::symlink_status(now, ignored).type() == fs::file_type::symlink)
      return refused("is, or lies behind, a link");
  }
  return {};
}

}  // namespace

Result<std::vector<std::byte>> ExternalData::read(const std::string& location, int64_t offset,
                                                  int64_t length) {
  if (folder_.empty())
    return error(DiagnosticKind::kFile, cat("\"", location, "\" is a file beside the model"))
        .note("a model from standard input, or from memory, must hold its data itself");
  HLOCC_TRY(check_location(folder_, location));
  const std::string path = (fs::path(folder_) / location).string();
  const OpenFile file(path);
  struct stat status = {};
  if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0) return cannot_read(path);
  if (!S_ISREG(status.st_mode))
    return error(DiagnosticKind::kFile, cat("\"", location, "\" is no regular file"));
  const int64_t size = status.st_size;
  if (offset > size || length > size - offset)
    return error(DiagnosticKind::kFormat,
                 cat("\"", location, "\" has ", size, " bytes, not ", length, " behind ", offset));
  const int64_t wanted = length < 0 ? size - offset : length;
  if (wanted > kMaxArrayBytes)
    return error(DiagnosticKind::kLimit, cat("is larger than ", kMaxArrayBytes, " bytes"));
  if (Budget* budget = current_budget(); budget != nullptr && counted_.insert(path).second)
    budget->add_input(size);
  HLOCC_TRY(charge_memory(wanted, [&] { return path; }));
  std::vector<std::byte> bytes(static_cast<size_t>(wanted));
  for (int64_t got = 0; got < wanted;) {
    const ssize_t count = pread(file.descriptor(), bytes.data() + got,
                                static_cast<size_t>(wanted - got), offset + got);
    if (count < 0) return cannot_read(path);
    if (count == 0)
      return error(DiagnosticKind::kFile, cat("\"", location, "\" ends after ", got, " bytes"));
    got += count;
  }
  return bytes;
}

}  // namespace hlocc::import::onnx

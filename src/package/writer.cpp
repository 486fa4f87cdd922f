// See writer.h. Files appear under temporary names first; only when every byte of every file is on
// disk are they renamed.
#include "package/writer.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "support/text.h"

namespace hlocc::package {
namespace {

namespace fs = std::filesystem;

Diagnostic cannot(const char* what, const std::string& path, const std::string& why) {
  return error(DiagnosticKind::kFile, cat("cannot ", std::string(what), " ", path, ": ", why))
      .at({path, 0});
}

// Files that are not renamed yet; whatever is left of them goes when the writer gives up.
struct Aside {
  std::vector<std::pair<std::string, std::string>> renames;
  ~Aside() {
    for (const auto& [aside, path] : renames) std::remove(aside.c_str());
  }
};

Status write_one(const std::string& path, const std::vector<std::byte>& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return cannot("write", path, std::strerror(errno));
  const bool written =
      bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const int why = errno;
  if (std::fclose(file) != 0) return cannot("write", path, std::strerror(errno));
  if (!written) return cannot("write", path, std::strerror(why));
  return {};
}

std::string escaped(const std::string& path) {
  std::string out;
  for (char c : path) {
    if (c == ' ' || c == '#' || c == '\\') out += '\\';
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

}  // namespace

Status write_files(const std::vector<Placed>& files) {
  Aside aside;
  for (const Placed& placed : files) {
    std::error_code failure;
    fs::create_directories(placed.folder, failure);
    if (failure && !fs::is_directory(placed.folder))
      return cannot("make the folder", placed.folder, failure.message());
    const std::string temporary =
        cat(placed.folder, "/.", placed.file.name, ".", ::getpid(), ".partial");
    aside.renames.emplace_back(temporary, placed.path());
    HLOCC_TRY(write_one(temporary, placed.file.bytes));
  }
  for (const auto& [temporary, path] : aside.renames)
    if (std::rename(temporary.c_str(), path.c_str()) != 0)
      return cannot("write", path, std::strerror(errno));
  aside.renames.clear();
  return {};
}

std::string make_depfile(const std::vector<std::string>& outputs, const std::string& input) {
  std::vector<std::string> targets;
  for (const std::string& output : outputs) targets.push_back(escaped(output));
  return cat(join(targets, " "), ": ", escaped(input), "\n");
}

}  // namespace hlocc::package

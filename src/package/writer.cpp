// See writer.h. Files appear under temporary names first; only when every byte of every file is on
// disk are they renamed. A file that has these bytes already is left alone.
#include "package/writer.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

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

Status write_one(const std::string& path, const Pieces& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return cannot("write", path, std::strerror(errno));
  const bool written = std::ranges::all_of(bytes.pieces(), [&](const auto& piece) {
    return std::fwrite(piece->data(), 1, piece->size(), file) == piece->size();
  });
  const int why = errno;
  if (std::fclose(file) != 0) return cannot("write", path, std::strerror(errno));
  if (!written) return cannot("write", path, std::strerror(why));
  return {};
}

bool has_bytes(const std::string& path, const Pieces& bytes) {
  std::error_code failure;
  if (!fs::is_regular_file(path, failure) || fs::file_size(path, failure) != bytes.size() ||
      failure)
    return false;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> found;
  return std::ranges::all_of(bytes.pieces(), [&](const auto& piece) {
    found.resize(piece->size());
    file.read(found.data(), static_cast<std::streamsize>(found.size()));
    return file && std::memcmp(found.data(), piece->data(), piece->size()) == 0;
  });
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
    if (has_bytes(placed.path(), placed.file.bytes)) continue;
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

Status write_file(const std::string& path, Pieces bytes) {
  const fs::path file(path);
  const std::string folder = file.parent_path().empty() ? "." : file.parent_path().string();
  return write_files({{folder, {file.filename().string(), std::move(bytes)}}});
}

void remove_linkable(const std::string& folder, const std::string& stem) {
  for (const EmitInfo& row : emit_table())
    if (row.emit == Emit::kLibrary || row.emit == Emit::kObject) {
      std::remove(cat(folder, "/", row.prefix, stem, row.suffix).c_str());
      std::remove(cat(folder, "/", stem, row.microsoft).c_str());
    }
}

std::string make_depfile(const std::vector<std::string>& outputs,
                         const std::vector<std::string>& inputs) {
  const auto all_escaped = [](const std::vector<std::string>& paths) {
    std::vector<std::string> out;
    for (const std::string& path : paths) out.push_back(escaped(path));
    return join(out, " ");
  };
  return cat(all_escaped(outputs), ": ", all_escaped(inputs), "\n");
}

}  // namespace hlocc::package

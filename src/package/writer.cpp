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
#include <iterator>

#include "support/environment.h"
#include "support/temporary_path.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

namespace fs = std::filesystem;

Diagnostic cannot_be_written(const std::string& path, int cause = errno) {
  return environment_error("cannot be written", cause).at({path, 0});
}

// A file under its temporary name, and the name that it is to have.
struct Aside {
  TemporaryPath temporary;
  std::string path;
};

// All get their names, or none is there.
Status rename_all(std::vector<Aside>& files) {
  for (size_t i = 0; i < files.size(); ++i) {
    if (std::rename(files[i].temporary.path().c_str(), files[i].path.c_str()) == 0) {
      files[i].temporary.keep();
      continue;
    }
    const int cause = errno;
    for (size_t j = 0; j < i; ++j) std::remove(files[j].path.c_str());
    return cannot_be_written(files[i].path, cause);
  }
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

bool write_bytes(const std::string& path, const Pieces& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::ranges::all_of(bytes.pieces(), [&](const auto& piece) {
    return std::fwrite(piece->data(), 1, piece->size(), file) == piece->size();
  });
  const int why = errno;
  if (std::fclose(file) != 0) return false;
  if (!written) errno = why;
  return written;
}

Status write_files(const std::vector<Placed>& files) {
  std::vector<Aside> aside;
  aside.reserve(files.size());
  for (const Placed& placed : files) {
    if (has_bytes(placed.path(), placed.file.bytes)) continue;
    std::error_code failure;
    fs::create_directories(placed.folder, failure);
    std::error_code none;
    if (failure && !fs::is_directory(placed.folder, none))
      return environment_error("the folder cannot be made", failure.value()).at({placed.folder, 0});
    // Short, whatever the file's own name: that may be as long as the system allows.
    const std::string temporary =
        cat(placed.folder, "/.hlocc.", ::getpid(), ".", aside.size(), ".partial");
    aside.push_back({TemporaryPath(temporary), placed.path()});
    if (!write_bytes(temporary, placed.file.bytes)) return cannot_be_written(placed.path());
    if (placed.file.is_program)
      fs::permissions(temporary,
                      fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add, none);
  }
  return rename_all(aside);
}

Placed placed_at(const std::string& path, Pieces bytes) {
  const fs::path file(path);
  const std::string folder = file.parent_path().empty() ? "." : file.parent_path().string();
  return {folder, {file.filename().string(), std::move(bytes)}};
}

Status write_file(const std::string& path, Pieces bytes) {
  return write_files({placed_at(path, std::move(bytes))});
}

std::vector<std::string> remove_compiled(const std::string& folder, const std::string& stem) {
  std::vector<std::string> out;
  const auto remove = [&](const std::string& name) {
    const std::string path = cat(folder, "/", name);
    if (std::remove(path.c_str()) == 0) out.push_back(path);
  };
  const std::string manifest = stem + ".json";
  std::ifstream file(cat(folder, "/", manifest));
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const EmitInfo& row : emit_table())
    if (row.emit == Emit::kLibrary || row.emit == Emit::kObject) {
      remove(cat(row.prefix, stem, row.suffix));
      if (!row.microsoft.empty()) remove(cat(stem, row.microsoft));
    }
  // A header without a manifest of ours beside it may be anything's.
  if (out.empty() || text.find("\"run_symbol\"") == std::string::npos) return out;
  remove(stem + ".h");
  remove(manifest);
  return out;
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

// See work_folder.h. A folder's name says which process made it.
#include "driver/verify/work_folder.h"

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "support/environment.h"
#include "support/folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// Where temporary files go.
std::string parent_folder() {
  const char* named = std::getenv("TMPDIR");
  return named != nullptr && *named != 0 ? named : P_tmpdir;
}

std::string name_of(int process) { return cat("hlocc_work_", process, "_"); }

}  // namespace

Result<WorkFolder> WorkFolder::make() {
  const std::string folder = parent_folder();
  std::string pattern = cat(folder, "/", name_of(::getpid()), "XXXXXX");
  if (::mkdtemp(pattern.data()) == nullptr)
    return environment_error(cat("cannot make a folder for temporary files in ", folder))
        .note("the environment variable TMPDIR names where they go");
  return WorkFolder(std::move(pattern));
}

void WorkFolder::remove_of(int process) {
  std::error_code ignored;
  for (const std::filesystem::path& path : paths_in(parent_folder()))
    if (path.filename().string().starts_with(name_of(process)))
      std::filesystem::remove_all(path, ignored);
}

}  // namespace hlocc::driver

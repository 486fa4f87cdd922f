// See folder.h.
#include "support/folder.h"

#include <algorithm>

namespace hlocc {

std::vector<std::filesystem::path> paths_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code failure;
  std::filesystem::directory_iterator entry(folder, failure);
  for (; !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure))
    paths.push_back(entry->path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace hlocc

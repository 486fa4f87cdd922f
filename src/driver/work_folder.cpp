// See work_folder.h.
#include "driver/work_folder.h"

#include <stdlib.h>

#include <filesystem>

#include "support/check.h"

namespace hlocc::driver {

namespace fs = std::filesystem;

WorkFolder::WorkFolder() {
  std::string pattern = (fs::temp_directory_path() / "hlocc_work_XXXXXX").string();
  HLOCC_CHECK(::mkdtemp(pattern.data()) != nullptr, "cannot make a folder for temporary files");
  path_ = pattern;
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace hlocc::driver

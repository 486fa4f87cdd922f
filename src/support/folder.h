// What is in a folder, for lists that a message shows. std::filesystem's own loops throw in the
// middle of one.
#pragma once
#include <filesystem>
#include <vector>

namespace hlocc {

// The paths of the entries, sorted; those read so far where the folder can't be read to its end.
std::vector<std::filesystem::path> paths_in(const std::filesystem::path& folder);

}  // namespace hlocc

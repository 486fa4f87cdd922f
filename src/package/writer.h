// Puts files on disk so that a reader never meets half of one: each is written aside in its folder
// and renamed when all of them are complete.
#pragma once
#include <string>
#include <vector>

#include "package/file_set.h"
#include "support/result.h"

namespace hlocc::package {

// A file with the folder that it goes to; folders are created.
struct Placed {
  std::string folder;
  File file;
  std::string path() const { return folder + "/" + file.name; }
};

// A file by its path.
Placed placed_at(const std::string& path, Pieces bytes);

// All or, as far as a file system allows, none of them. A file that holds these bytes already keeps
// its time, so that what was made from it is not made again.
Status write_files(const std::vector<Placed>& files);

// One file by its path.
Status write_file(const std::string& path, Pieces bytes);

// A file of these bytes under that name at once; false, and errno, where that cannot be.
bool write_bytes(const std::string& path, const Pieces& bytes);

// Removes library and object of an earlier compile, if there are any, and header and manifest with
// them: after one that failed, nothing may link with what the model was before. Returns the paths
// of what it removed.
std::vector<std::string> remove_compiled(const std::string& folder, const std::string& stem);

// A make rule that says that `outputs` are made of `inputs`.
std::string make_depfile(const std::vector<std::string>& outputs,
                         const std::vector<std::string>& inputs);

}  // namespace hlocc::package

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

// All or, as far as a file system allows, none of them.
Status write_files(const std::vector<Placed>& files);

// A make rule that says that `outputs` are made of `input`.
std::string make_depfile(const std::vector<std::string>& outputs, const std::string& input);

}  // namespace hlocc::package

// Where a model came from, as the files that are made of it tell.
#pragma once
#include <string>
#include <vector>

namespace hlocc::package {

struct Origin {
  std::string sha256;                       // of the input's bytes; empty where there is no file
  std::vector<std::string> argument_names;  // by leaf, what HLO calls it: x, s['gain'], or empty

  std::string argument_name(size_t leaf) const {
    return leaf < argument_names.size() ? argument_names[leaf] : "";
  }
};

}  // namespace hlocc::package

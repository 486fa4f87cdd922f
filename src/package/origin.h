// Where a model came from, as the files that are made of it tell.
#pragma once
#include <string>
#include <vector>

#include "hlo/module.h"

namespace hlocc::package {

struct Origin {
  std::string sha256;                       // of the input's bytes; empty where there is no file
  std::vector<std::string> argument_names;  // by leaf, what HLO calls it: x, s['gain'], or empty
  int64_t model_weights_bytes = 0;          // of the model's constants, as its file has them
  std::string device_note;                  // a line that the header has of the device, or empty

  std::string argument_name(size_t leaf) const {
    return leaf < argument_names.size() ? argument_names[leaf] : "";
  }
};

// Bytes of all constants of a module, those too that compiling folds, narrows or drops.
int64_t model_weights_bytes(const hlo::Module& module);
Origin origin_of(const hlo::Module& module, const std::string& sha256);

}  // namespace hlocc::package

// What a model is compiled from besides its own file.
#pragma once
#include <string>
#include <vector>

namespace hlocc::import {

// The files beside a model that hold data of it; none where the model is not there or damaged.
std::vector<std::string> data_files_of(const std::string& path);

}  // namespace hlocc::import

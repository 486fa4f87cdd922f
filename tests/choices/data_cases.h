// The modules of a folder of tests/data, by name.
#pragma once
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "import/reader.h"

namespace hlocc::tests {

struct DataCase {
  std::string name;
  hlo::Module module;
};

inline std::vector<DataCase> data_cases(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(HLOCC_TEST_DATA "/" + folder))
    if (entry.path().string().ends_with(".snapshot.pb")) paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  std::vector<DataCase> cases;
  for (const std::string& path : paths) {
    auto imported = import::read_model_file(path);
    REQUIRE(imported.ok());
    cases.push_back(
        {fs::path(path).filename().stem().stem().string(), std::move(imported->module)});
  }
  return cases;
}

}  // namespace hlocc::tests

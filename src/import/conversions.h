// Command lines that make HLO of what other exporters wrote, as notes of a diagnostic. Each of them
// is run by tests/nightly/roads.py, in an environment of Python's that it makes.
#pragma once
#include <string>
#include <vector>

namespace hlocc::import {

// These two print StableHLO as text, which is read.
std::vector<std::string> from_stablehlo_bytecode(const std::string& file);
std::vector<std::string> from_jax_export(const std::string& file);
std::vector<std::string> from_saved_model(const std::string& folder);
// A .keras archive or an .h5 file.
std::vector<std::string> from_keras(const std::string& file);
// What holds objects of Python's and no program; here is no command that would do.
std::vector<std::string> from_torch(const std::string& file);
std::vector<std::string> from_pickle(const std::string& file);

}  // namespace hlocc::import

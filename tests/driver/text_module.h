// A module from its text, read as a file is; a failed test that shows the diagnostic where it is
// none.
#pragma once
#include <span>
#include <string>

#include "import/reader.h"
#include "support/require.h"

namespace hlocc::driver {

inline hlo::Module module_of_text(const std::string& text) {
  return tests::require(import::read_model(std::as_bytes(std::span(text)), "test.hlo")).module;
}

}  // namespace hlocc::driver

// What a file is that is no HLO, and how to make HLO of it: other exporters' formats, told from
// their bytes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "import/proto/wire.h"

namespace hlocc::import {

struct OtherFormat {
  std::string what;                // "a NumPy array"
  std::vector<std::string> cures;  // commands and sentences, one a note
};

// `bytes` is no HLO; `file` stands in the commands.
std::optional<OtherFormat> guess_other_format(Bytes bytes, const std::string& file);
// What a folder may be, besides a mistake.
OtherFormat describe_folder(const std::string& folder);

}  // namespace hlocc::import

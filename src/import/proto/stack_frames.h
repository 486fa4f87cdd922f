// The tables of source places that new files share between instructions: metadata.stack_frame_id
// points to a frame, that to a file location, that to a file name. Ids count from one; every one of
// them may be wrong.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hlo/module.h"

namespace hlocc::import {

struct StackFrames {
  struct FileLocation {
    int64_t file_name = 0;
    int line = 0;
  };
  std::vector<std::string> file_names;
  std::vector<FileLocation> file_locations;
  // The file location of each frame.
  std::vector<int64_t> frames;

  // Fills in source file and line where the metadata has none.
  void resolve(int64_t frame_id, hlo::Metadata& metadata) const {
    if (!metadata.source_file.empty() || frame_id < 1 ||
        frame_id > static_cast<int64_t>(frames.size()))
      return;
    const int64_t location = frames[frame_id - 1];
    if (location < 1 || location > static_cast<int64_t>(file_locations.size())) return;
    const FileLocation& at = file_locations[location - 1];
    if (at.file_name < 1 || at.file_name > static_cast<int64_t>(file_names.size())) return;
    metadata.source_file = file_names[at.file_name - 1];
    metadata.source_line = at.line;
  }
};

}  // namespace hlocc::import

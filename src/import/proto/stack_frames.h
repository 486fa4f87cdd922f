// The tables of source places that new files share between instructions: metadata.stack_frame_id
// points to a frame, that to a file location and to the frame that calls it, the location to the
// names of a file and of a function. Ids count from one; every one of them may be wrong.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hlo/module.h"

namespace hlocc::import {

struct StackFrames {
  struct FileLocation {
    int64_t file_name = 0, function_name = 0;
    int line = 0;
  };
  struct Frame {
    int64_t file_location = 0, parent = 0;
  };
  std::vector<std::string> file_names, function_names;
  std::vector<FileLocation> file_locations;
  std::vector<Frame> frames;

  // As the module has them, under the same ids. What points nowhere is none; a caller behind its
  // frame, which could be a circle, too.
  void move_into(hlo::Module& module);
};

// Sets the frame, and source file and line where the metadata has none.
void resolve_frame(int64_t frame_id, const hlo::Module& module, hlo::Metadata& metadata);

}  // namespace hlocc::import

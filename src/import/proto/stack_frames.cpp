// See stack_frames.h.
#include "import/proto/stack_frames.h"

namespace hlocc::import {
namespace {

// The id if it is one of so many, else 0.
int within(int64_t id, size_t count) {
  return id < 1 || id > static_cast<int64_t>(count) ? 0 : static_cast<int>(id);
}

}  // namespace

void StackFrames::move_into(hlo::Module& module) {
  for (size_t i = 0; i < frames.size(); ++i) {
    hlo::SourceFrame frame;
    if (const int at = within(frames[i].file_location, file_locations.size()); at > 0) {
      const FileLocation& location = file_locations[static_cast<size_t>(at) - 1];
      frame.file = within(location.file_name, file_names.size());
      frame.function = within(location.function_name, function_names.size());
      frame.line = location.line;
    }
    frame.caller = within(frames[i].parent, i);
    module.frames.push_back(frame);
  }
  module.source_files = std::move(file_names);
  module.source_functions = std::move(function_names);
}

void resolve_frame(int64_t frame_id, const hlo::Module& module, hlo::Metadata& metadata) {
  const int id = within(frame_id, module.frames.size());
  if (id == 0) return;
  const hlo::SourceFrame& frame = module.frames[static_cast<size_t>(id) - 1];
  if (frame.file == 0) return;
  metadata.stack_frame = id;
  if (!metadata.source_file.empty()) return;
  metadata.source_file = module.source_files[static_cast<size_t>(frame.file) - 1];
  metadata.source_line = frame.line;
}

}  // namespace hlocc::import

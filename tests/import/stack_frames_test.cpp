// Frames of the program that made a model: read from text and protos, written, read again.
#include "import/models.h"

namespace hlocc::import {
namespace {

constexpr std::string_view kFrames =
    "HloModule m\nFileNames\n1 \"a.py\"\n2 \"b.py\"\nFunctionNames\n1 \"f\"\n2 \"g\"\n"
    "FileLocations\n1 {file_name_id=2 function_name_id=1 line=3}\n"
    "2 {file_name_id=1 function_name_id=2 line=7}\n3 {file_name_id=9 function_name_id=-1 line=8}\n"
    "StackFrames\n1 {file_location_id=1}\n2 {file_location_id=2 parent_frame_id=1}\n"
    "3 {file_location_id=3 parent_frame_id=3}\n4 {file_location_id=7 parent_frame_id=5}\n"
    "ENTRY e {\na = f32[] parameter(0), metadata={stack_frame_id=2}\n"
    "ROOT b = f32[] tanh(a), metadata={stack_frame_id=3} }\n";

// "b.py:3 f" of each frame, with its caller.
std::string frames_of(const hlo::Module& module) {
  std::string out;
  const auto name = [](const std::vector<std::string>& names, int id) {
    return id == 0 ? "none" : names[static_cast<size_t>(id) - 1];
  };
  for (const hlo::SourceFrame& frame : module.frames)
    out += cat(out.empty() ? "" : ", ", name(module.source_files, frame.file), ":", frame.line, " ",
               name(module.source_functions, frame.function), " < ", frame.caller);
  return out;
}

}  // namespace

TEST_CASE("frames keep their ids, what points nowhere is none", "[import]") {
  const std::string expected = "b.py:3 f < 0, a.py:7 g < 1, none:8 none < 0, none:0 none < 0";
  const hlo::Module module = module_from(kFrames);
  CHECK(frames_of(module) == expected);
  const std::vector<hlo::Instruction>& entry = module.entry_computation().instructions;
  CHECK(entry[0].metadata.stack_frame == 2);
  CHECK(cat(entry[0].metadata.source_file, ":", entry[0].metadata.source_line) == "a.py:7");
  // A frame without a file says nothing.
  CHECK(entry[1].metadata.stack_frame == 0);
  CHECK(entry[1].metadata.source_file.empty());

  const std::vector<std::byte> bytes = write_module(module);
  const Result<Imported> again = read_model(bytes, "m.pb");
  REQUIRE(again);
  CHECK(frames_of(again->module) == expected);
  CHECK(again->module.entry_computation().instructions[0].metadata ==
        module.entry_computation().instructions[0].metadata);
  CHECK(write_module(again->module) == bytes);
}

}  // namespace hlocc::import

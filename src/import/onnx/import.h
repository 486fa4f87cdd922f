// ONNX models -> HLO modules: one parameter an input that has no initializer, one result an output.
// docs/formats.md says which operators and versions.
#pragma once
#include <string>
#include <vector>

#include "hlo/module.h"
#include "import/choices.h"
#include "import/proto/wire.h"
#include "support/result.h"

namespace hlocc::import::onnx {

// Whether the bytes, or the head of a file, are an onnx.ModelProto.
bool is_onnx(Bytes bytes);

struct Read {
  hlo::Module module;
  // Names of choices.frozen that are inputs, and became constants.
  std::vector<std::string> frozen;
};

// `folder` is where external data lies; empty: none may be read.
Result<Read> read_onnx(Bytes bytes, const std::string& file, const std::string& folder,
                       const Choices& choices);

// The locations of external data that the model names, as it names them.
std::vector<std::string> data_files(Bytes bytes);

}  // namespace hlocc::import::onnx

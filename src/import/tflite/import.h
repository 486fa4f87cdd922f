// TensorFlow Lite models (.tflite) -> HLO modules: one parameter an input, one result an output,
// quantised tensors as plain integers. docs/formats.md says which operators, and whose rounding.
#pragma once
#include <string>

#include "hlo/module.h"
#include "import/tflite/flatbuffer.h"
#include "support/result.h"

namespace hlocc::import::tflite {

// Whether the bytes are a FlatBuffer that says it is such a model.
bool is_tflite(Bytes bytes);

Result<hlo::Module> read_tflite(Bytes bytes, const std::string& file);

}  // namespace hlocc::import::tflite

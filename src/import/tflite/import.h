// TensorFlow Lite models (.tflite) -> HLO modules: one parameter an input, one result an output,
// quantised tensors as plain integers. docs/formats.md says which operators, and whose rounding.
#pragma once
#include <string>

#include "hlo/module.h"
#include "import/choices.h"
#include "import/tflite/flatbuffer.h"
#include "support/result.h"

namespace hlocc::import::tflite {

// Whether the bytes are a FlatBuffer that says it is such a model.
bool is_tflite(Bytes bytes);

// Of the choices: sizes that the converter left open, by their number in all inputs ("0") or by an
// input's name and a number ("x:0"); which signature.
Result<hlo::Module> read_tflite(Bytes bytes, const std::string& file, const Choices& choices = {});

}  // namespace hlocc::import::tflite

// TensorFlow Lite models (.tflite) -> HLO modules: one parameter an input, one result an output,
// quantised tensors as plain integers. docs/formats.md says which operators, and whose rounding.
#pragma once
#include <map>
#include <string>

#include "hlo/module.h"
#include "import/tflite/flatbuffer.h"
#include "support/result.h"

namespace hlocc::import::tflite {

// Whether the bytes are a FlatBuffer that says it is such a model.
bool is_tflite(Bytes bytes);

// `dimensions`: sizes that the user fixes, by their number in all inputs (choices.h). A size that
// the converter left open is in the file as what it was converted with; no other can be chosen.
Result<hlo::Module> read_tflite(Bytes bytes, const std::string& file,
                                const std::map<std::string, int64_t>& dimensions = {});

}  // namespace hlocc::import::tflite

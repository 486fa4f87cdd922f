// The functions that rows of ops.def name, in files by family.
#pragma once
#include "import/tflite/op.h"

namespace hlocc::import::tflite::ops {

#define HLOCC_TFLITE_OP(code, name, version, function) Status function(const Op& op);
#define HLOCC_TFLITE_CUSTOM(name, function) Status function(const Op& op);
#include "import/tflite/ops.def"

}  // namespace hlocc::import::tflite::ops

// The functions that rows of ops.def name, in files by family.
#pragma once
#include "import/onnx/op.h"

namespace hlocc::import::onnx::ops {

#define HLOCC_ONNX_OP(domain, name, first, least, most, results, function) \
  Status function(const Op& op);
#include "import/onnx/ops.def"

}  // namespace hlocc::import::onnx::ops

// What a file is, told from its first bytes and never from its name.
#pragma once
#include "import/proto/wire.h"

namespace hlocc::import {

enum class FileKind {
  kSnapshot,
  kHloProto,
  kModuleProto,
  kText,
  kStablehlo,
  kTflite,
  kOnnx,
  kUnknown
};

// `bytes` may be only the head of a file: fields that run past its end are cut.
FileKind sniff(Bytes bytes);

}  // namespace hlocc::import

// What a file is, told from its first bytes and never from its name.
#pragma once
#include <string>

#include "import/wire.h"

namespace hlocc::import {

enum class FileKind { kSnapshot, kHloProto, kModuleProto, kText, kUnknown };

// `bytes` may be only the head of a file: fields that run past its end are cut.
FileKind sniff(Bytes bytes);
// For bytes that are no HLO: what they seem to be ("a JPEG image"), or empty.
std::string guess_other_format(Bytes bytes);

}  // namespace hlocc::import

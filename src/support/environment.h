// What the operating system refuses: files that cannot be opened or written, processes and memory
// that are not to be had. One place says which of these are the input's fault and which are not.
#pragma once
#include <cerrno>
#include <string>

#include "support/diagnostic.h"

namespace hlocc {

// `what` failed as errno says: "cannot be written: No space left on device". Notes name the cure
// where there is one to name. Kind: kEnvironment.
Diagnostic environment_error(const std::string& what, int cause = errno);

// A file that is to be read cannot be opened. A path that names none (it is not there, or too long)
// is the fault of who gave it, kFile; one that may not or cannot be read is the environment's.
Diagnostic cannot_read(const std::string& path, int cause = errno);

}  // namespace hlocc

// Names that others have already: a header called time.h in front of the compiler's would be found
// by every #include <time.h>, a libm.a by -lm, and a class called NULL is a macro's.
// taken_names.def is the list.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "kernel/program.h"

namespace hlocc::package {

enum class TakenKind : uint8_t {
  kHeader,   // NAME.h
  kLibrary,  // libNAME.a
  kMacro,    // wherever it stands
  kGlobal,   // in the global namespace
};

// Whose the name is, if the list has it: "a header of C".
std::optional<std::string> owner_of(TakenKind kind, std::string_view name);

// What a library, header and class of these names would shadow, as a sentence's end: "time.h would
// hide <time.h>, a header of C"; nothing if they shadow nothing.
std::optional<std::string> shadowed_by(const kernel::Signature& names);

}  // namespace hlocc::package

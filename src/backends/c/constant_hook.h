// The one place through which the C text reads constants: macros that are plain C where constants
// lie in memory that loads reach, and instructions of their own where they do not.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "kernel/type.h"

namespace hlocc::backends {

// How a kernel finds what it is given: in memory; as one array of constants; as several, because
// the compiler's arrays have fewer bytes.
enum class Held : uint8_t { kMemory, kArray, kParts };

// HL_FROM(type): what a kernel's parameter for constants of the type is. HL_AT(type, array): an
// array as such. HL_READ(type, from, at): its element number `at`. HL_COPY_FROM(to, array, bytes),
// if anybody copies. HL_READ_PARTS: of a table of arrays of kPartBytes. `read`: by their types in
// memory, the elements that are read. `apart`: constants lie in AVR's flash.
std::string constant_hook(bool apart, const std::map<std::string, kernel::Scalar>& read,
                          bool copies);

// In which memory arrays lie that are apart: an attribute of their declaration.
inline constexpr const char* kApartAttribute = "PROGMEM";
// avr-gcc's arrays have 32767 bytes at most, and as many elements are counted.
inline constexpr int64_t kLargestApartArray = 32767, kPartBytes = 16384;

}  // namespace hlocc::backends

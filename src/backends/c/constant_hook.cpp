// See constant_hook.h. AVR's flash is read by LPM below 64 KB and by ELPM everywhere: avr-libc has
// a function for each width of both.
#include "backends/c/constant_hook.h"

#include "backends/c/c_text.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Scalar;

constexpr const char* kPlain =
    "/* Every read of a constant is HL_READ. Define these for constants in a memory that loads do "
    "not reach. */\n"
    "#ifndef HL_READ\n"
    "#define HL_FROM(type) const type *restrict\n"
    "#define HL_AT(type, array) ((const type *)(const void *)(array))\n"
    "#define HL_READ(type, from, at) ((from)[at])\n";
constexpr const char* kPlainCopy =
    "#define HL_COPY_FROM(to, array, bytes) HL_COPY(to, array, bytes)\n";

constexpr const char* kApart =
    "/* Constants lie in flash, anywhere. Define HL_NEAR if all of the program's lie below 64 KB: "
    "reads are shorter. */\n"
    "#include <avr/pgmspace.h>\n"
    "#if defined(__AVR_HAVE_ELPM__) && !defined(HL_NEAR)\n"
    "#define HL_FROM(type) uint_farptr_t\n"
    "#define HL_AT(type, array) pgm_get_far_address(array)\n"
    "#define HL_PGM(width) pgm_read_##width##_far\n"
    "#define HL_COPY_FROM(to, array, bytes) memcpy_PF(to, HL_AT(char, array), bytes)\n"
    "#else\n"
    "#define HL_FROM(type) uint16_t\n"
    "#define HL_AT(type, array) ((uint16_t)(array))\n"
    "#define HL_PGM(width) pgm_read_##width\n"
    "#define HL_COPY_FROM(to, array, bytes) memcpy_P(to, array, bytes)\n"
    "#endif\n"
    "#define HL_READ(type, from, at) hl_read_##type((from) + (uint16_t)((uint16_t)(at) * "
    "sizeof(type)))\n"
    "#define HL_PART(type) (16384u / sizeof(type))\n"
    "#define HL_READ_PARTS(type, from, at) \\\n"
    "  HL_READ(type, (from)[(uint16_t)(at) / HL_PART(type)], (uint16_t)(at) % HL_PART(type))\n";
static_assert(kPartBytes == 16384);

// How the width of a scalar is called in <avr/pgmspace.h>.
const char* width_of(Scalar element) {
  if (element == Scalar::kF32) return "float";
  switch (element == Scalar::kIndex ? 2 : kernel::scalar_bytes(element)) {
    case 1: return "byte";
    case 2: return "word";
    default: return "dword";
  }
}

std::string read_function(const std::string& type, Scalar element) {
  const std::string value = element == Scalar::kPred ? "uint8_t" : value_type(element);
  const std::string read = cat("HL_PGM(", width_of(element), ")");
  const bool wide = element != Scalar::kIndex && kernel::scalar_bytes(element) == 8;
  return cat(
      "static inline ", value, " hl_read_", type, "(HL_FROM(", type, ") at) {\n  return (", value,
      ")", wide ? cat("(", read, "(at) | (uint64_t)", read, "(at + 4) << 32)") : cat(read, "(at)"),
      ";\n}\n");
}

}  // namespace

std::string constant_hook(bool apart, const std::map<std::string, Scalar>& read, bool copies) {
  if (!apart) return cat(kPlain, copies ? kPlainCopy : "", "#endif\n");
  std::string out = kApart;
  for (const auto& [type, element] : read) out += read_function(type, element);
  return out;
}

}  // namespace hlocc::backends

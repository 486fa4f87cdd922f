// See word_functions.h. Bodies are templates: @N the name, @M the type in memory, @V the value's,
// @U the same without sign, @B its bits, @X the letter of its extension, @Int its type, @S the
// name's end, @F where a word is read.
#include "backends/c/word_functions.h"

#include "backends/c/c_text.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Scalar;

struct Row {
  WordFunction function;
  const char *name, *text, *from = "";
};

constexpr const char* kLoadText =
    "static inline uint32_t @N(const @M *from) {\n"
    "  uint32_t word = 0;\n"
    "#ifdef HL_DSP\n"
    "  (void)HL_COPY(&word, @F, 4);\n"
    "#else\n"
    "  for (ptrdiff_t l = 32 / @B - 1; l >= 0; --l) {\n"
    "    word = word << @B | (@U)from[l];\n"
    "  }\n"
    "#endif\n"
    "  return word;\n"
    "}\n";

constexpr Row kRows[] = {
    {WordFunction::kLoad, "hl_word_@S", kLoadText, "from"},
    {WordFunction::kAligned, "hl_word_@S_aligned", kLoadText, "__builtin_assume_aligned(from, 4)"},
    {WordFunction::kStore, "hl_put_word_@S",
     "static inline void @N(@M *to, uint32_t word) {\n"
     "#ifdef HL_DSP\n"
     "  (void)HL_COPY(to, &word, 4);\n"
     "#else\n"
     "  for (ptrdiff_t l = 0; l < 32 / @B; ++l) {\n"
     "    to[l] = (@V)(@U)(word >> (@B * l));\n"
     "  }\n"
     "#endif\n"
     "}\n"},
    {WordFunction::kEven, "hl_even_@S",
     "/* Bytes 0 and 2 of a word as numbers of 16 bits. */\n"
     "static inline uint32_t @N(uint32_t word) {\n"
     "#ifdef HL_DSP\n"
     "  return (uint32_t)__@Xxtb16((@Int8x4_t)word);\n"
     "#else\n"
     "  return (uint16_t)(@V)(@U)word | (uint32_t)(uint16_t)(@V)(@U)(word >> 16) << 16;\n"
     "#endif\n"
     "}\n"},
    {WordFunction::kOdd, "hl_odd_@S",
     "/* Bytes 1 and 3 of a word as numbers of 16 bits. */\n"
     "static inline uint32_t @N(uint32_t word) {\n"
     "#ifdef HL_DSP\n"
     "  return (uint32_t)__@Xxtb16((@Int8x4_t)(word >> 8 | word << 24));\n"
     "#else\n"
     "  return (uint16_t)(@V)(@U)(word >> 8) | (uint32_t)(uint16_t)(@V)(@U)(word >> 24) << 16;\n"
     "#endif\n"
     "}\n"},
    {WordFunction::kLowPair, "hl_low_pair",
     "static inline uint32_t @N(uint32_t even, uint32_t odd) {\n"
     "  return (even & UINT32_C(0xffff)) | odd << 16;\n"
     "}\n"},
    {WordFunction::kHighPair, "hl_high_pair",
     "static inline uint32_t @N(uint32_t even, uint32_t odd) {\n"
     "  return (odd & UINT32_C(0xffff0000)) | even >> 16;\n"
     "}\n"},
    {WordFunction::kDot, "hl_dot_pairs",
     "/* Two products of numbers of 16 bits are added to a sum, which wraps. */\n"
     "static inline int32_t @N(int32_t sum, uint32_t a, uint32_t b) {\n"
     "#ifdef HL_DSP\n"
     "  return __smlad((int16x2_t)a, (int16x2_t)b, sum);\n"
     "#else\n"
     "  const int32_t low = (int32_t)(int16_t)(uint16_t)a * (int16_t)(uint16_t)b;\n"
     "  const int32_t high = (int32_t)(int16_t)(uint16_t)(a >> 16) * (int16_t)(uint16_t)(b >> "
     "16);\n"
     "  return (int32_t)((uint32_t)sum + (uint32_t)low + (uint32_t)high);\n"
     "#endif\n"
     "}\n"},
    {WordFunction::kTiedDot, "hl_dot_pairs",
     "/* Two products of numbers of 16 bits are added to a sum, which wraps and stays in its "
     "register. */\n"
     "static inline int32_t @N(int32_t sum, uint32_t a, uint32_t b) {\n"
     "#if defined HL_DSP && defined __GNUC__\n"
     "  __asm__(\"smlad %0, %1, %2, %0\" : \"+r\"(sum) : \"r\"(a), \"r\"(b));\n"
     "  return sum;\n"
     "#elif defined HL_DSP\n"
     "  return __smlad((int16x2_t)a, (int16x2_t)b, sum);\n"
     "#else\n"
     "  const int32_t low = (int32_t)(int16_t)(uint16_t)a * (int16_t)(uint16_t)b;\n"
     "  const int32_t high = (int32_t)(int16_t)(uint16_t)(a >> 16) * (int16_t)(uint16_t)(b >> "
     "16);\n"
     "  return (int32_t)((uint32_t)sum + (uint32_t)low + (uint32_t)high);\n"
     "#endif\n"
     "}\n"},
};

const Row& row_of(WordFunction function) { return kRows[static_cast<size_t>(function)]; }

std::string word_text(std::string_view text, Scalar scalar, const std::string& name,
                      const char* from) {
  const int bits = 8 * kernel::scalar_bytes(scalar);
  return filled(text, [&](char letter) -> std::string {
    switch (letter) {
      case 'N': return name;
      case 'F': return from;
      case 'M': return memory_type(scalar);
      case 'V': return value_type(scalar);
      case 'U': return cat("uint", bits, "_t");
      case 'B': return cat(bits);
      case 'S': return type_suffix(scalar);
      case 'I': return kernel::is_signed(scalar) ? "i" : "ui";
      default: return kernel::is_signed(scalar) ? "s" : "u";
    }
  });
}

}  // namespace

const char* const kWordHead =
    "#if defined(__ARM_FEATURE_DSP) && defined(__ARM_FEATURE_SIMD32) && "
    "!defined(__ARM_BIG_ENDIAN)\n"
    "#include <arm_acle.h>\n"
    "#define HL_DSP 1\n"
    "/* Bytes that are read as words. */\n"
    "#define HL_ALIGNED __attribute__((aligned(8)))\n"
    "#else\n"
    "#define HL_ALIGNED\n"
    "#endif\n";
const char* const kInOrder =
    "/* A tile takes all registers, as long as one pointer serves all reads of a buffer and they\n"
    " * stand in front of their use: GCC is told so, Clang is kept from knowing better. */\n"
    "#if defined(HL_DSP) && defined(__clang__)\n"
    "#define HL_HOLD(pointer) __asm__(\"\" : \"+r\"(pointer))\n"
    "#define HL_DONE(sum) __asm__ volatile(\"\" : : \"r\"(sum) : \"memory\")\n"
    "#else\n"
    "#define HL_HOLD(pointer) (void)(pointer)\n"
    "#define HL_DONE(sum) (void)(sum)\n"
    "#endif\n"
    "#if (defined(HL_DSP) || defined(HL_VECTORS)) && defined(__GNUC__) && !defined(__clang__)\n"
    "#define HL_IN_ORDER __attribute__((optimize(\"no-schedule-insns\")))\n"
    "#else\n"
    "#define HL_IN_ORDER\n"
    "#endif\n";

std::string word_function_name(WordFunction function, Scalar scalar) {
  return word_text(row_of(function).name, scalar, "", "");
}

std::string word_function_text(WordFunction function, Scalar scalar) {
  const Row& row = row_of(function);
  return word_text(row.text, scalar, word_function_name(function, scalar), row.from);
}

}  // namespace hlocc::backends

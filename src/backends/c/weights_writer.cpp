// See weights_writer.h.
#include "backends/c/weights_writer.h"

#include <cstring>
#include <set>

#include "backends/c/c_text.h"
#include "backends/common/pool.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Scalar;

constexpr size_t kLineOfElements = 118;

uint64_t element_bits(const kernel::ProgramValue& value, size_t at) {
  const auto width = static_cast<size_t>(kernel::scalar_bytes(value.element));
  const std::byte* from = value.data->data() + at * width;
  const bool negative = kernel::is_signed(value.element);
  switch (width) {
    case 1: {
      uint8_t bits;
      std::memcpy(&bits, from, sizeof bits);
      return negative ? static_cast<uint64_t>(int64_t{static_cast<int8_t>(bits)}) : bits;
    }
    case 2: {
      uint16_t bits;
      std::memcpy(&bits, from, sizeof bits);
      return negative ? static_cast<uint64_t>(int64_t{static_cast<int16_t>(bits)}) : bits;
    }
    case 4: {
      uint32_t bits;
      std::memcpy(&bits, from, sizeof bits);
      return negative ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(bits)}) : bits;
    }
    default: {
      uint64_t bits;
      std::memcpy(&bits, from, sizeof bits);
      return bits;
    }
  }
}

// Truth values and codes are written as the bytes that memory holds.
Scalar written_as(Scalar element) {
  if (element == Scalar::kF32 || element == Scalar::kF64) return element;
  const int bits = 8 * kernel::scalar_bytes(element);
  return kernel::is_signed(element) ? kernel::signed_of_width(bits)
                                    : kernel::unsigned_of_width(bits);
}

// Empty if one of them has no such text.
std::string elements_text(const kernel::ProgramValue& value, Scalar as) {
  std::string out, line = " ";
  const size_t count =
      value.data->size() / static_cast<size_t>(kernel::scalar_bytes(value.element));
  for (size_t i = 0; i < count; ++i) {
    const std::string text = constant_text(as, element_bits(value, i)).text;
    if (text.empty()) return "";
    if (line.size() + text.size() + 2 > kLineOfElements) {
      out += line + "\n";
      line = " ";
    }
    line += " " + text + ",";
  }
  return out + line + "\n";
}

std::string section_macro(const kernel::Program& program, const Target& target) {
  const kernel::Signature& signature = program.signature;
  const std::string section = target.options.weights_section.empty()
                                  ? cat(".rodata.", signature.prefix, "weights")
                                  : target.options.weights_section;
  const std::string macro = cat(signature.macro_prefix, "WEIGHTS");
  return cat("/* Where constants lie. Define it for another place. */\n#ifndef ", macro,
             "\n#if defined(__GNUC__) && defined(__ELF__)\n#define ", macro,
             " __attribute__((section(\"", section, "\")))\n#else\n#define ", macro,
             "\n#endif\n#endif\n");
}

}  // namespace

Weights write_weights(const kernel::Program& program, const planning::Plan& plan,
                      const Target& target, Prelude& prelude) {
  Weights out;
  std::set<std::string> used;
  for (const auto& [offset, value] : constants_by_offset(plan)) {
    const std::string wanted = cat(program.signature.prefix, "w_", to_c_identifier(value->name));
    std::string name = wanted;
    for (int number = 2; !used.insert(name).second; ++number) name = cat(wanted, "_", number);
    Scalar as = written_as(value->element);
    std::string elements = elements_text(*value, as);
    if (elements.empty()) {
      as = kernel::unsigned_of_width(kernel::scalar_bits(as));
      elements = elements_text(*value, as);
    }
    out.arrays[offset] = {name, as};
    out.text += cat("/* ", in_comment(value->name), " */\nstatic const ", prelude.memory(as), " ",
                    name, "[] ", program.signature.macro_prefix, "WEIGHTS = {\n", elements, "};\n");
  }
  if (!out.arrays.empty()) out.text = section_macro(program, target) + out.text;
  return out;
}

}  // namespace hlocc::backends

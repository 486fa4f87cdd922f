// See weights_writer.h.
#include "backends/c/weights_writer.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "backends/c/c_text.h"
#include "backends/c/constant_hook.h"
#include "backends/common/pool.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Scalar;

constexpr size_t kLineOfElements = 118;
// Elements of longer arrays stand without a blank between them.
constexpr size_t kReadable = 256;

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

// Elements from `first` on, `count` of them. Empty if one of them has no such text.
std::string elements_text(const kernel::ProgramValue& value, Scalar as, size_t first,
                          size_t count) {
  const bool wide = count <= kReadable;
  const std::string indent = wide ? " " : "  ";
  std::string out, line = indent;
  for (size_t i = first; i < first + count; ++i) {
    const std::string text = constant_text(as, element_bits(value, i)).text;
    if (text.empty()) return "";
    if (line.size() + text.size() + 2 > kLineOfElements) {
      out += line + "\n";
      line = indent;
    }
    line += (wide ? " " : "") + text + ",";
  }
  return out + line + "\n";
}

// Their texts; empty if one of them has none in this type.
std::vector<std::string> part_texts(const kernel::ProgramValue& value, Scalar as, int parts) {
  const auto width = static_cast<size_t>(kernel::scalar_bytes(value.element));
  const size_t count = value.data->size() / width;
  const size_t most = parts == 1 ? count : kPartBytes / width;
  std::vector<std::string> out;
  for (size_t first = 0; first < count; first += most) {
    out.push_back(elements_text(value, as, first, std::min(most, count - first)));
    if (out.back().empty()) return {};
  }
  return out;
}

// How many arrays hold the constant.
Result<int> parts_of(const kernel::ProgramValue& value, const Target& target) {
  const auto bytes = static_cast<int64_t>(value.data->size());
  if (!target.constants_apart || bytes <= kLargestApartArray) return 1;
  if (value.elements > kLargestApartArray)
    return error(DiagnosticKind::kUnsupported,
                 cat("the constant ", value.name, " has ", value.elements,
                     " elements: ", target.name, " counts ", kLargestApartArray, " at most"))
        .note("a model whose largest layer is smaller fits");
  return static_cast<int>((bytes + kPartBytes - 1) / kPartBytes);
}

std::string section_macro(const kernel::Program& program, const Target& target) {
  const kernel::Signature& signature = program.signature;
  const std::string section = target.options.weights_section.empty()
                                  ? cat(".rodata.", signature.prefix, "weights")
                                  : target.options.weights_section;
  const std::string macro = cat(signature.macro_prefix, "WEIGHTS");
  if (target.constants_apart && target.options.weights_section.empty())
    return cat("/* Where constants lie. Define it for another place. */\n#ifndef ", macro,
               "\n#define ", macro, " ", kApartAttribute, "\n#endif\n");
  return cat("/* Where constants lie. Define it for another place. */\n#ifndef ", macro,
             "\n#if defined(__GNUC__) && defined(__ELF__)\n#define ", macro,
             " __attribute__((section(\"", section, "\")))\n#else\n#define ", macro,
             "\n#endif\n#endif\n");
}

}  // namespace

const WeightArray* Weights::find(const RunAddress& address) const {
  if (address.kind != RunAddress::Kind::kConstants) return nullptr;
  const auto found = arrays.find(address.at);
  return found == arrays.end() ? nullptr : &found->second;
}

Result<Weights> write_weights(const kernel::Program& program, const planning::Plan& plan,
                              const Target& target, Prelude& prelude) {
  Weights out;
  std::set<std::string> used;
  for (const auto& [offset, value] : constants_by_offset(plan)) {
    HLOCC_TRY_ASSIGN(const int parts, parts_of(*value, target));
    const std::string wanted = cat(program.signature.prefix, "w_", to_c_identifier(value->name));
    std::string name = wanted;
    for (int number = 2; !used.insert(name).second; ++number) name = cat(wanted, "_", number);
    Scalar as = written_as(value->element);
    std::vector<std::string> texts = part_texts(*value, as, parts);
    if (texts.empty()) {
      as = kernel::unsigned_of_width(kernel::scalar_bits(as));
      texts = part_texts(*value, as, parts);
    }
    const bool as_words = target.has(Isa::kDsp) && kernel::scalar_bytes(as) == 1;
    const std::string aligned = as_words ? prelude.aligned() + " " : "";
    const WeightArray array{name, as, static_cast<int64_t>(value->data->size()), parts};
    out.text += cat("/* ", for_c_comment(value->name), " */\n");
    for (int part = 0; part < parts; ++part)
      out.text += cat("static const ", prelude.memory(as), " ", array.part(part), "[] ", aligned,
                      program.signature.macro_prefix, "WEIGHTS = {\n",
                      texts[static_cast<size_t>(part)], "};\n");
    out.arrays[offset] = array;
  }
  if (!out.arrays.empty()) out.text = section_macro(program, target) + out.text;
  return out;
}

}  // namespace hlocc::backends

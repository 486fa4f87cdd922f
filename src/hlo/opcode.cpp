// Look-ups in the op table.
#include "hlo/opcode.h"

#include <iterator>

namespace hlocc::hlo {
namespace {
using enum Family;
using enum Service;
constexpr OpcodeInfo opcode_rows[] = {
#define HLOCC_OPCODE(enumerator, text, family, min, max, attributes, called, interpreter, \
                     lowering)                                                            \
  {Opcode::enumerator, text, family, min, max, called, interpreter, lowering},
#include "hlo/opcodes.def"
};
}  // namespace

const OpcodeInfo& info(Opcode opcode) { return opcode_rows[static_cast<int>(opcode)]; }
int opcode_count() { return static_cast<int>(std::size(opcode_rows)); }

std::optional<Opcode> opcode_from_name(std::string_view name) {
  for (const OpcodeInfo& row : opcode_rows)
    if (row.name == name) return row.opcode;
  return std::nullopt;
}

}  // namespace hlocc::hlo

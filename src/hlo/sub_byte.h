// Elements of fewer than eight bits as literals hold them, each in a byte of its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "hlo/primitive_type.h"

namespace hlocc::hlo {

// Keeps the low bits of each, sign-extended for signed types; nothing to do for wider types.
inline void settle_sub_bytes(std::span<std::byte> elements, PrimitiveType type) {
  const int unused = 8 - type_bits(type);
  if (unused <= 0) return;
  for (std::byte& byte : elements) {
    const auto high = static_cast<uint8_t>(std::to_integer<unsigned>(byte) << unused);
    byte = is_signed(type) ? static_cast<std::byte>(static_cast<int8_t>(high) >> unused)
                           : static_cast<std::byte>(high >> unused);
  }
}

}  // namespace hlocc::hlo

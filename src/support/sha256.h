// SHA-256: names an input in the manifest, and the interface that header and library agree on.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace hlocc {

// 64 hexadecimal digits.
std::string sha256(std::span<const std::byte> bytes);
std::string sha256(std::string_view text);

}  // namespace hlocc

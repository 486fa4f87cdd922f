// CRC-32 as in zlib, gzip and Ethernet: what proves that weights arrived in a chip's flash as they
// left the compiler.
#pragma once
#include <cstdint>

#include "support/pieces.h"

namespace hlocc {

uint32_t crc32(const Pieces& bytes);

}  // namespace hlocc

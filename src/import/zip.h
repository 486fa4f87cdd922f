// Zip archives, as `.task` files are: members by name, read where they lie or unpacked. An archive
// is taken from its directory, which stands at the end; whatever it says is held against the bytes:
// members may not overlap, nor be of other sizes than they say.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "import/proto/wire.h"
#include "support/result.h"

namespace hlocc::import {

struct ZipMember {
  std::string name;
  uint16_t method = 0;  // 0: stored, 8: deflated
  uint32_t crc = 0;
  uint64_t packed_size = 0, size = 0;
  uint64_t header = 0, data = 0;  // where its header and its bytes stand
};

// What a member holds: in place, or `unpacked`.
struct ZipContent {
  Bytes bytes;
  std::vector<std::byte> unpacked;
};

bool is_zip(Bytes bytes);
// In the order of the directory. kFormat: what is wrong with it; kUnsupported: zip64, archives of
// several parts, encryption.
Result<std::vector<ZipMember>> read_zip_directory(Bytes bytes);
// kLimit for more bytes than a file may have.
Result<ZipContent> read_zip_member(Bytes bytes, const ZipMember& member);

}  // namespace hlocc::import

// The check value of the CRC's catalogue, whatever the pieces.
#include "support/crc32.h"

#include <catch2/catch.hpp>
#include <string_view>

namespace hlocc {
namespace {

Pieces pieces_of(std::initializer_list<std::string_view> texts) {
  Pieces out;
  for (const std::string_view text : texts) {
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    out.append(Pieces::Bytes(begin, begin + text.size()));
  }
  return out;
}

TEST_CASE("CRC-32 of known texts") {
  CHECK(crc32(pieces_of({"123456789"})) == 0xcbf43926u);
  CHECK(crc32(pieces_of({"1234", "56789"})) == 0xcbf43926u);
  CHECK(crc32(pieces_of({""})) == 0);
  CHECK(crc32(pieces_of({"a"})) == 0xe8b7be43u);
}

}  // namespace
}  // namespace hlocc

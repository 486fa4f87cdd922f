// Elements of two and four bits: what is left of a byte, with and without a sign.
#include "hlo/sub_byte.h"

#include <catch2/catch.hpp>
#include <vector>

namespace hlocc::hlo {
namespace {

std::vector<int> settled(PrimitiveType type, std::vector<int> bytes) {
  std::vector<std::byte> elements;
  for (const int byte : bytes) elements.push_back(static_cast<std::byte>(byte));
  settle_sub_bytes(elements, type);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::to_integer<int>(elements[i]);
  return bytes;
}

TEST_CASE("elements of fewer than eight bits keep their low bits", "[hlo]") {
  using enum PrimitiveType;
  const std::vector<int> bytes = {0, 1, 2, 3, 7, 8, 0xf5, 0xff};
  CHECK(settled(kU4, bytes) == std::vector{0, 1, 2, 3, 7, 8, 5, 15});
  CHECK(settled(kS4, bytes) == std::vector{0, 1, 2, 3, 7, 0xf8, 5, 0xff});
  CHECK(settled(kU2, bytes) == std::vector{0, 1, 2, 3, 3, 0, 1, 3});
  CHECK(settled(kS2, bytes) == std::vector{0, 1, 0xfe, 0xff, 0xff, 0, 1, 0xff});
  CHECK(settled(kPred, bytes) == std::vector{0, 1, 0, 1, 1, 0, 1, 1});
  CHECK(settled(kU8, bytes) == bytes);
  CHECK(settled(kS8, bytes) == bytes);
  CHECK(settled(kS16, bytes) == bytes);
}

}  // namespace
}  // namespace hlocc::hlo

// Who wrote which bytes: what two maps agree in.
#include "planning/byte_map.h"

#include <catch2/catch.hpp>

namespace hlocc::planning {

TEST_CASE("two maps agree in bytes of one owner at one place of it") {
  const auto map = [](int64_t begin, int64_t size, ByteMap::Owner owner) {
    ByteMap made;
    made.write(begin, size, owner);
    return made;
  };
  ByteMap same = map(8, 8, 1);
  same.intersect(map(8, 16, 1));
  CHECK_FALSE(same.other_than(8, 8, 1));
  CHECK(same.owner_at(16) == ByteMap::kNobody);
  // The bytes are the owner's, but others of it.
  ByteMap shifted = map(8, 8, 1);
  shifted.intersect(map(4, 12, 1));
  CHECK(shifted.owner_at(8) == ByteMap::kNobody);
  ByteMap others = map(8, 8, 1);
  others.intersect(map(8, 8, 2));
  CHECK(others.owner_at(8) == ByteMap::kNobody);
  // They meet in no byte.
  ByteMap apart = map(8, 8, 1);
  apart.intersect(map(16, 8, 1));
  CHECK(apart.owner_at(8) == ByteMap::kNobody);
  CHECK(apart.owner_at(16) == ByteMap::kNobody);
}

TEST_CASE("bytes that are copied stay those of their values") {
  ByteMap map;
  map.write(0, 8, 1);
  map.write(8, 8, 2);
  ByteMap other;
  other.write(20, 20, 3);
  other.copy(map, 4, 8, 24);
  CHECK_FALSE(other.other_than(24, 4, 1, 4));
  CHECK_FALSE(other.other_than(28, 4, 2));
  CHECK(other.other_than(24, 4, 1) == 1);
  CHECK(other.owner_at(23) == 3);
  CHECK_FALSE(other.other_than(32, 8, 3, 12));
  // Bytes of no value are of none.
  map.copy(map, 12, 8, 2);
  CHECK_FALSE(map.other_than(2, 4, 2, 4));
  CHECK(map.owner_at(6) == ByteMap::kNobody);
  CHECK(map.owner_at(9) == ByteMap::kNobody);
  CHECK_FALSE(map.other_than(10, 6, 2, 2));
}

TEST_CASE("what is written over is no longer the first writer's") {
  ByteMap map;
  map.write(0, 16, 1);
  map.write(4, 4, 2);
  CHECK(map.owner_at(3) == 1);
  CHECK(map.owner_at(4) == 2);
  CHECK(map.owner_at(7) == 2);
  CHECK(map.owner_at(8) == 1);
  CHECK(map.other_than(0, 16, 1) == 2);
  CHECK_FALSE(map.other_than(0, 4, 1));
  CHECK_FALSE(map.other_than(4, 4, 2));
  // The owner's bytes from the ninth on are no beginning of it.
  CHECK(map.other_than(8, 8, 1).has_value());
  map.clear(2, 3);
  CHECK(map.owner_at(1) == 1);
  CHECK(map.owner_at(2) == ByteMap::kNobody);
  CHECK(map.owner_at(4) == ByteMap::kNobody);
  CHECK(map.owner_at(5) == 2);
  map.clear_owners([](ByteMap::Owner owner) { return owner == 2; });
  CHECK(map.owner_at(5) == ByteMap::kNobody);
  CHECK(map.owner_at(8) == 1);
  CHECK(map.owner_at(16) == ByteMap::kNobody);
}

}  // namespace hlocc::planning

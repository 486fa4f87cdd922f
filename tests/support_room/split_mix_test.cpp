// SplitMix64's first numbers are those of its author's program (Vigna, splitmix64.c).
#include "support/split_mix.h"

#include <catch2/catch.hpp>

namespace hlocc {
namespace {

TEST_CASE("numbers drawn from a state are the generator's", "[support]") {
  SplitMix64 zero(0), other(1234567);
  CHECK(zero.next() == 0xe220a8397b1dcdafu);
  CHECK(zero.next() == 0x6e789e6aa1b965f4u);
  CHECK(other.next() == 6457827717110365317u);
  CHECK(other.next() == 3203168211198807973u);
}

}  // namespace
}  // namespace hlocc

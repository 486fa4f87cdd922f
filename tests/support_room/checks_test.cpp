// Checks themselves: one that fails is seen, as quick_checks.h writes them and as Catch2 does.
#include <catch2/catch.hpp>

namespace {

int steps = 0;

TEST_CASE("a check that fails is seen and its test goes on", "[!shouldfail]") {
  CHECK(steps == 1000);
  ++steps;
}

TEST_CASE("a check that is false where truth is asked for is seen", "[!shouldfail]") {
  CHECK_FALSE(steps < 1000);
}

TEST_CASE("a requirement that fails ends its test", "[!shouldfail]") {
  REQUIRE(steps == 1000);
  steps = 1000;
}

// In the order of declaration, as all tests run; alone it sees 0.
TEST_CASE("what ran between checks that fail") { CHECK(steps <= 1); }

}  // namespace

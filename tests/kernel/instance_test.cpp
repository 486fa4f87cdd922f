// The instance: where its slots and its state lie, and what it takes with and without each part.
#include "kernel/instance.h"

#include <catch2/catch.hpp>

namespace hlocc::kernel {

TEST_CASE("slots of an instance follow one another, and state lies on 8 bytes behind them") {
  const InstanceLayout small{.pointer_bytes = 4, .arguments = 1, .results = 1, .state_bytes = 3};
  CHECK(small.arena_slot() == 0);
  CHECK(small.argument_slot(0) == 4);
  CHECK(small.result_slot(0) == 8);
  CHECK(small.slots_end() == 12);
  CHECK(small.state_offset() == 16);
  CHECK(small.bytes() == 24);
  const InstanceLayout large{
      .pointer_bytes = 8, .arguments = 2, .results = 1, .state_bytes = 16, .more_arenas = 2};
  CHECK(large.arena_slot(0) == 0);
  CHECK(large.arena_slot(1) == 32);
  CHECK(large.arena_slot(2) == 40);
  CHECK(large.argument_slot(1) == 16);
  CHECK(large.result_slot(0) == 24);
  CHECK(large.slots_end() == 48);
  CHECK(large.bytes() == 64);
}

TEST_CASE("an instance without state ends behind its slots") {
  const InstanceLayout none{.pointer_bytes = 4, .arguments = 1, .results = 1};
  CHECK(none.bytes() == 12);
  InstanceLayout some = none;
  some.state_bytes = 1;
  CHECK(some.bytes() == 24);
}

TEST_CASE("an instance has a slot for each arena but the one") {
  Signature signature;
  signature.arguments.resize(3);
  signature.results.resize(2);
  CHECK(instance_layout(signature, 5, 32).more_arenas == 0);
  signature.memories.resize(1);
  CHECK(instance_layout(signature, 5, 32).more_arenas == 0);
  signature.memories.resize(3);
  const InstanceLayout layout = instance_layout(signature, 5, 64);
  CHECK((layout.pointer_bytes == 8 && layout.arguments == 3 && layout.results == 2));
  CHECK((layout.state_bytes == 5 && layout.more_arenas == 2));
}

}  // namespace hlocc::kernel

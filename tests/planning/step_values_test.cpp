// What a step reads and writes, of plans that are wrong, too.
#include "planning/step_values.h"

#include <catch2/catch.hpp>

namespace hlocc::planning {
namespace {

TEST_CASE("operands behind the last buffer of a kernel are read, not written") {
  kernel::Kernel k;
  k.buffers.resize(2);
  k.buffers[0].direction = kernel::Direction::kIn;
  k.buffers[1].direction = kernel::Direction::kOut;
  CHECK_FALSE(is_written(k, 0));
  CHECK(is_written(k, 1));
  CHECK_FALSE(is_written(k, 2));
}

}  // namespace
}  // namespace hlocc::planning

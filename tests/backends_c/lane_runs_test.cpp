// Which vector ops may share a loop over lanes: never those where one lane would see what another
// has stored.
#include "backends/c/lane_runs.h"

#include <catch2/catch.hpp>

#include "kernel/builder.h"

namespace hlocc::backends {
namespace {

using namespace kernel;

// y[store_at ..] = 2 * x[load_at ..], and how many loops that takes.
int loops_of_copy(int64_t load_at, int64_t store_at, bool unshared, bool one_buffer = false,
                  int64_t stride = 1) {
  Builder b("copy");
  const BufferId x = b.buffer({.name = "x",
                               .element = Scalar::kF32,
                               .elements = 16,
                               .direction = one_buffer ? Direction::kInOut : Direction::kIn});
  const BufferId y = one_buffer ? x
                                : b.buffer({.name = "y",
                                            .element = Scalar::kF32,
                                            .elements = 16,
                                            .direction = Direction::kOut});
  const ValueId loaded = b.load(x, Affine::constant(load_at), 4, stride);
  b.store(y, Affine::constant(store_at), b.add(loaded, loaded), stride);
  const Kernel kernel = b.finish();
  const LaneRuns runs(kernel, {unshared, unshared});
  const Op &load = kernel.body.ops.front(), &store = kernel.body.ops.back();
  CHECK(runs.escapes(loaded) == false);
  return runs.run_of(store) - runs.run_of(load) + 1;
}

TEST_CASE("a lane's store and another lane's load") {
  CHECK(loops_of_copy(0, 0, true) == 1);
  CHECK(loops_of_copy(1, 0, true) == 1);
  // In place, element by element, is no hazard; one element beside it is.
  CHECK(loops_of_copy(0, 0, false) == 1);
  CHECK(loops_of_copy(1, 0, false) == 2);
  CHECK(loops_of_copy(0, 1, false) == 2);
  // In one buffer, beyond each other's reach.
  CHECK(loops_of_copy(0, 4, true, true) == 1);
  CHECK(loops_of_copy(0, 3, true, true) == 2);
  CHECK(loops_of_copy(0, 6, true, true, 2) == 2);
  CHECK(loops_of_copy(0, 7, true, true, 2) == 1);
  // All lanes at one place.
  CHECK(loops_of_copy(0, 0, true, true, 0) == 2);
}

}  // namespace
}  // namespace hlocc::backends

// Small kernels that tests of shaders are made of.
#pragma once
#include "kernel/builder.h"
#include "kernel/legalize/legalize.h"
#include "planning/plan.h"
#include "support/require.h"
#include "target/gpu.h"

namespace hlocc::backends {

inline const GpuDevice& lavapipe() { return *tests::require(find_gpu("vulkan-lavapipe")); }

// x is read, y is written: two buffers of `count` elements.
struct XY {
  kernel::Builder b{"made"};
  kernel::BufferId x, y;
  explicit XY(kernel::Scalar element, int64_t count = 24) {
    x = b.buffer({.name = "x", .element = element, .elements = count});
    y = b.buffer(
        {.name = "y", .element = element, .elements = count, .direction = kernel::Direction::kOut});
  }
  kernel::ValueId read(const kernel::Affine& at) { return b.load(x, at); }
  void write(const kernel::Affine& at, kernel::ValueId value) { b.store(y, at, value); }
};

// y is x with the order turned round in each of three groups of four threads, by shared memory.
// `step`: from group to group.
inline kernel::Kernel turned_in_groups(int64_t step = 4) {
  XY m(kernel::Scalar::kF32, 12);
  const kernel::BufferId tile = m.b.buffer({.name = "tile",
                                            .elements = 4,
                                            .direction = kernel::Direction::kScratch,
                                            .space = kernel::Space::kShared});
  using kernel::Affine, kernel::ValueId, kernel::Mapping;
  const auto thread = [&](ValueId group, ValueId number) {
    const Affine at = Affine::of(group).plus(Affine::of(number));
    m.b.store(tile, Affine::of(number), m.read(at));
    m.b.barrier();
    m.write(at, m.b.load(tile, Affine::of(number, -1, 3)));
  };
  m.b.loop(
      kernel::Loop{.upper = Affine::constant(3 * step), .step = step, .mapping = Mapping::kGrid},
      [&](ValueId group) {
        m.b.mapped_loop(Mapping::kGroup, 4, [&](ValueId number) { thread(group, number); });
      });
  return m.b.finish();
}

inline kernel::Kernel legal(kernel::Kernel kernel) {
  Options options;
  options.name = "made";
  return tests::require(kernel::legalize(kernel, target_of(lavapipe(), options)));
}

// Operands in places of their own.
inline planning::Plan apart(const kernel::Kernel& kernel) {
  planning::Plan plan;
  for (const kernel::Buffer& buffer : kernel.buffers) {
    const int64_t bytes = buffer.elements * kernel::scalar_bytes(buffer.element);
    plan.places.push_back({planning::Region::kArena, plan.arena_bytes, bytes});
    plan.arena_bytes += bytes;
  }
  return plan;
}
inline kernel::Launch launch_of(const kernel::Kernel& kernel) {
  kernel::Launch launch{.kernel = 0};
  for (int i = 0; i < kernel.bound_buffers(); ++i) launch.operands.push_back(i);
  return launch;
}

}  // namespace hlocc::backends

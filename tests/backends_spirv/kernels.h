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

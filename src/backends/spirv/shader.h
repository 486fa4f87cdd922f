// One legalised kernel, whose values are scalars, as one compute shader of SPIR-V 1.3 for Vulkan
// 1.1.
//
// All shaders of a program see the same three memories, at the bindings 0 to 2 of set 0, as arrays
// of whatever elements they want of them. A launch pushes 32-bit words: for each bound buffer where
// it begins in its memory, in elements, and then the kernel's integers; or, where a device takes
// fewer words than that, one word: where these begin in memory 2, in words.
#pragma once
#include <vector>

#include "backends/spirv/module_writer.h"
#include "kernel/kernel.h"
#include "support/result.h"

namespace hlocc::backends {

// Whether a launch binds the buffer; else each invocation has its own.
inline bool is_bound(const kernel::Buffer& buffer) {
  return buffer.direction != kernel::Direction::kScratch || buffer.space == kernel::Space::kArena;
}

// How a kernel is launched.
struct ShaderForm {
  // More than one: the kernel's first parameter is the number of the invocation.
  int64_t invocations = 1;
  std::vector<int> memories;  // by bound buffer: 0 to 2

  bool is_grid() const { return invocations > 1; }
};

struct Shader {
  SpirvWords words;
  int parameters = 0;      // words: as above
  bool in_memory = false;  // the parameters lie in memory 2
  int group = 1;           // invocations of a workgroup
  int64_t groups = 1;      // that a launch takes
  uint32_t needs = 0;      // of the device: bits of hlocc_table_needs
};

// kUnsupported, with the op's name, for an op on vectors, or one that the table has no row for.
Result<Shader> write_shader(const kernel::Kernel& kernel, const ShaderForm& form,
                            const GpuDevice& device);

}  // namespace hlocc::backends

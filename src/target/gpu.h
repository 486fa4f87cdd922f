// GPUs, a row each: what a Vulkan device offers beyond what Vulkan 1.1 promises of all, and how far
// its promises of arithmetic go. A GPU is no target: the target is the processor beside it, which
// runs the library. Rows are facts of drivers as they publish them; a device may offer more than
// its row, never less.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "target/target.h"

namespace hlocc {

// What of VK_KHR_shader_float_controls a shader may ask for, of one width.
struct FloatControls {
  bool denormals = false;  // are kept; else they may become zero
  bool specials = false;   // zeros keep their sign, infinities and NaN are what they are
  bool rounding = false;   // to the nearest, even where two are as near
  bool any() const { return denormals || specials || rounding; }
};

struct GpuDevice {
  std::string_view name, what;
  uint32_t vendor = 0;  // as drivers call it; 0: no device is taken for this row
  // Arithmetic on 64 bits; f64 as exact as IEEE 754 wants.
  bool f64 = false, i64 = false;
  bool storage8 = false, storage16 = false;  // elements of one and of two bytes in memory
  // Quotients and roots of f32 are rounded as IEEE 754 wants; Vulkan promises 2.5 ulp.
  bool exact_division = false;
  FloatControls f32_controls, f64_controls;
  // The driver takes 0 * x for 0, 0 + x for x and x - x for 0, whatever the modes of a shader say.
  bool folds_zeros = false;
  int group = 128;               // most invocations of a workgroup
  int64_t groups = 65535;        // most workgroups of a launch
  int64_t shared_bytes = 16384;  // of a workgroup
  // Which is nearer than other memory, so that sharing pays: not where a processor runs shaders.
  bool near_shared = true;
  int lanes = 16;      // invocations that run in step
  int registers = 64;  // of an invocation, with room for several groups at once
  int push_words = 32;
  int64_t storage_bytes = int64_t{1} << 27;  // of one memory that shaders see
  // How many iterations all loops of one invocation may take together, before the driver may end
  // them; 0: any number.
  int64_t iterations = 0;

  const FloatControls& controls(int bits) const { return bits == 64 ? f64_controls : f32_controls; }
};

const std::vector<GpuDevice>& gpu_devices();
// kTarget with the names that there are.
Result<const GpuDevice*> find_gpu(std::string_view name);
// The row for a device that says this of itself (VkPhysicalDeviceProperties): is it the processor
// itself, and whose is it.
const GpuDevice& gpu_of(bool is_processor, uint32_t vendor);
// A row's shaders on a driver that has the faults of `here`, too: what tests clamp lavapipe to.
GpuDevice clamped(const GpuDevice& row, const GpuDevice& here);
// What users are told of floats that the row does not promise to keep; empty where it keeps all.
std::string note_of_subnormals(const GpuDevice& device);
// For the stages before code generation: a processor of which each invocation is one.
Target target_of(const GpuDevice& device, const Options& options);

}  // namespace hlocc

// See gpu.h.
#include "target/gpu.h"

#include "support/suggest.h"
#include "support/text.h"

namespace hlocc {
namespace {

// Of an invocation: as many as leave a device room for several groups at once.
constexpr int kRegistersOfInvocation = 64;

}  // namespace

const std::vector<GpuDevice>& gpu_devices() {
  static const std::vector<GpuDevice>& rows = *new std::vector<GpuDevice>{
#define HLOCC_GPU(row_name, row_what, ...) \
  GpuDevice{.name = row_name, .what = row_what, __VA_ARGS__},
#include "target/gpu_devices.def"
  };
  return rows;
}

Result<const GpuDevice*> find_gpu(std::string_view name) {
  std::vector<std::string> names;
  for (const GpuDevice& row : gpu_devices()) {
    if (row.name == name) return &row;
    names.emplace_back(row.name);
  }
  return suggest(
             error(DiagnosticKind::kTarget, cat("--device ", name, ": there is no such device")),
             name, names)
      .note(cat("there is ", join(names, ", ")));
}

Target target_of(const GpuDevice& device, const Options& options) {
  Target t;
  t.name = t.triple = std::string(device.name);
  t.backend = "vulkan";
  t.bare_metal = false;
  t.pointer_bits = 32;
  t.style = KernelStyle::kSimt;
  t.vector_registers = t.scalar_registers = kRegistersOfInvocation;
  t.f32_unit = true;
  t.f64_unit = device.f64;
  t.float_roots = device.exact_root;
  // GLSL.std.450's Fma may be two roundings or one.
  t.fma = t.f64_fma = t.explicit_fma = false;
  t.options = options;
  // Its tiles stand in scratch that the whole launch shares.
  t.options.winograd = false;
  // One device deals its work out by itself.
  t.options.threads = 1;
  return t;
}

}  // namespace hlocc

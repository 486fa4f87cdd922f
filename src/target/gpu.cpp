// See gpu.h.
#include "target/gpu.h"

#include "support/suggest.h"
#include "support/text.h"

namespace hlocc {
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

const GpuDevice& gpu_of(bool is_processor, uint32_t vendor) {
  const GpuDevice* found = &gpu_devices().front();
  for (const GpuDevice& row : gpu_devices())
    if (is_processor ? row.iterations > 0 : row.vendor != 0 && row.vendor == vendor) found = &row;
  return *found;
}

GpuDevice clamped(const GpuDevice& row, const GpuDevice& here) {
  const auto both = [](const FloatControls& a, const FloatControls& b) {
    return FloatControls{a.denormals && b.denormals, a.specials && b.specials,
                         a.rounding && b.rounding};
  };
  GpuDevice out = row;
  out.f32_controls = both(row.f32_controls, here.f32_controls);
  out.f64_controls = both(row.f64_controls, here.f64_controls);
  out.folds_zeros |= here.folds_zeros;
  if (here.iterations > 0) out.iterations = here.iterations;
  return out;
}

std::string note_of_subnormals(const GpuDevice& device) {
  const bool narrow = !device.f32_controls.denormals;
  const bool wide = device.f64 && !device.f64_controls.denormals;
  if (!narrow && !wide) return "";
  return cat(device.name, " need not keep subnormal numbers: on the GPU ",
             narrow ? "f32 below 2^-126" : "", narrow && wide ? " and " : "",
             wide ? "f64 below 2^-1022" : "", " may be 0.");
}

Target target_of(const GpuDevice& device, const Options& options) {
  Target t;
  t.name = t.triple = std::string(device.name);
  t.backend = "vulkan";
  t.bare_metal = false;
  t.pointer_bits = 32;
  t.style = KernelStyle::kSimt;
  t.simt = {device.lanes, device.group, device.groups,
            device.near_shared ? device.shared_bytes : 0};
  t.vector_registers = t.scalar_registers = device.registers;
  t.f32_unit = true;
  t.f64_unit = device.f64;
  // For lanes of a grid this means quotients, too (kernel/legalize/table.cpp).
  t.float_roots = device.exact_division;
  t.widest_element = device.i64 ? 64 : 32;
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

// Rows of GPUs: what is taken for which device, and what the stages before code generation are told.
#include <catch2/catch.hpp>
#include <set>

#include "support/require.h"
#include "target/gpu.h"

namespace hlocc {
namespace {

const GpuDevice& gpu(std::string_view name) { return *tests::require(find_gpu(name)); }

TEST_CASE("rows have names of their own and keep what Vulkan 1.1 promises") {
  std::set<std::string_view> names;
  for (const GpuDevice& row : gpu_devices()) {
    CHECK(names.insert(row.name).second);
    CHECK(row.name.starts_with("vulkan-"));
    CHECK(row.group >= 128);
    CHECK(row.shared_bytes >= 16384);
    CHECK(row.push_words >= 32);
    CHECK(row.storage_bytes >= int64_t{1} << 27);
  }
  CHECK(names.size() == 8);
}

TEST_CASE("a name that is none is refused with those that there are") {
  const auto refused = find_gpu("vulkan-v3");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == DiagnosticKind::kTarget);
  CHECK(refused.error().message == "--device vulkan-v3: there is no such device");
}

TEST_CASE("a device is known by its vendor, the processor by being one") {
  CHECK(gpu_of(false, 0x14e4).name == "vulkan-v3d");
  CHECK(gpu_of(false, 0x10de).name == "vulkan-nvidia");
  CHECK(gpu_of(false, 0x1234).name == "vulkan-generic");
  CHECK(gpu_of(false, 0).name == "vulkan-generic");
  CHECK(gpu_of(true, 0x14e4).name == "vulkan-lavapipe");
}

TEST_CASE("a row clamped to a driver has its faults and asks for nothing that it lacks") {
  const GpuDevice v3d = clamped(gpu("vulkan-v3d"), gpu("vulkan-lavapipe"));
  CHECK(v3d.name == "vulkan-v3d");
  CHECK(v3d.folds_zeros);
  CHECK(v3d.iterations == 65535);
  CHECK_FALSE(v3d.f32_controls.denormals);
  CHECK(v3d.f32_controls.specials);
  CHECK(v3d.f32_controls.rounding);
  CHECK_FALSE(v3d.i64);
  const GpuDevice itself = clamped(gpu("vulkan-v3d"), gpu("vulkan-v3d"));
  CHECK_FALSE(itself.folds_zeros);
  CHECK(itself.iterations == 0);
  CHECK(itself.f32_controls.denormals);
  CHECK(clamped(gpu("vulkan-lavapipe"), gpu("vulkan-v3d")).iterations == 65535);
  GpuDevice once;
  once.iterations = 1;
  CHECK(clamped(gpu("vulkan-v3d"), once).iterations == 1);
}

TEST_CASE("any of the modes of floats is one") {
  CHECK_FALSE(FloatControls{}.any());
  CHECK(FloatControls{.denormals = true}.any());
  CHECK(FloatControls{.specials = true}.any());
  CHECK(FloatControls{.rounding = true}.any());
}

TEST_CASE("a row says which subnormal numbers it need not keep") {
  CHECK(note_of_subnormals(gpu("vulkan-v3d")).empty());
  CHECK(note_of_subnormals(gpu("vulkan-mali")) ==
        "vulkan-mali need not keep subnormal numbers: on the GPU f32 below 2^-126 may be 0.");
  CHECK(note_of_subnormals(gpu("vulkan-lavapipe"))
            .ends_with("on the GPU f32 below 2^-126 and f64 below 2^-1022 may be 0."));
  GpuDevice wide = gpu("vulkan-lavapipe");
  wide.f32_controls.denormals = true;
  CHECK(note_of_subnormals(wide).ends_with("on the GPU f64 below 2^-1022 may be 0."));
  wide.f64_controls.denormals = true;
  CHECK(note_of_subnormals(wide).empty());
}

TEST_CASE("stages are told what lanes lack") {
  Options options;
  options.threads = 4;
  const Target v3d = target_of(gpu("vulkan-v3d"), options);
  CHECK(v3d.style == KernelStyle::kSimt);
  CHECK(v3d.widest_element == 32);
  CHECK_FALSE(v3d.float_roots);
  CHECK_FALSE(v3d.f64_unit);
  CHECK_FALSE(v3d.uses_winograd());
  CHECK(v3d.options.threads == 1);
  CHECK(v3d.simt.threads == 256);
  CHECK(v3d.simt.shared_bytes == 16384);
  CHECK(v3d.simt.groups == 65535);
  CHECK(v3d.simt.lanes == 16);
  CHECK(v3d.scalar_registers == 32);
  const Target mali = target_of(gpu("vulkan-mali"), options);
  CHECK(mali.widest_element == 64);
  CHECK(mali.scalar_registers == 64);
  const Target lavapipe = target_of(gpu("vulkan-lavapipe"), options);
  CHECK(lavapipe.float_roots);
  CHECK(lavapipe.simt.shared_bytes == 0);
  CHECK(lavapipe.f64_unit);
}

}  // namespace
}  // namespace hlocc

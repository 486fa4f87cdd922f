// See platforms.h. Devices know how code is called; how it is made is the pipeline's, and is handed
// to them here.
#include "driver/run/platforms.h"

#include "devices/host/device_hooks.h"
#include "devices/host/guarded_run.h"
#include "devices/host/host_platform.h"
#include "devices/interpreter_platform.h"
#include "devices/memory_image.h"
#include "devices/partition/partitioned.h"
#include "devices/vulkan/vulkan_platform.h"
#include "driver/cli/command_line.h"
#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/gpu_program.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "driver/run/compiled_c.h"
#include "hlocc/device/kernels.h"
#include "package/names.h"
#include "planning/interface.h"

#ifdef HLOCC_LLVM
#include "backends/cpu/linked_object.h"
#endif

namespace hlocc::driver {
namespace {

using device::CompiledForHost;
using device::CompileOptions;

using MakeCode = Result<std::vector<std::byte>> (*)(const Planned&, const Target&);

Result<CompiledForHost> compile_here(const std::string& backend, MakeCode make,
                                     const hlo::Module& module, const CompileOptions& options,
                                     const std::set<std::string>& parts) {
  CommandLine line;
  line.options = options.options;
  line.options.name = "hlocc_jit";
  line.backend = backend;
  HLOCC_TRY_ASSIGN(const Target target, resolve_target("host", line));
  HLOCC_TRY_ASSIGN(kernel::Signature signature, package::make_signature(module, target.options));
  HLOCC_TRY_ASSIGN(const Planned planned, plan_module(module, signature, target, {}, parts));
  HLOCC_TRY(backends::check_callable(planned.plan));
  HLOCC_TRY_ASSIGN(std::vector<std::byte> code, make(planned, target));
  CompiledForHost out{
      device::host_code(std::move(code), planning::run_symbol(signature, planned.plan, target),
                        planned.program, planned.plan),
      {},
      {}};
  for (const kernel::Leaf& leaf : signature.arguments) out.arguments.push_back(leaf.shape);
  for (const kernel::Leaf& leaf : signature.results) out.results.push_back(leaf.shape);
  if (!planned.plan.memories.empty()) out.device_bytes = planned.plan.memories[0].bytes;
  return out;
}

device::CompileForHost compiler_for(const char* backend, MakeCode make) {
  return [backend, make](const hlo::Module& module, const CompileOptions& options) {
    return compile_here(backend, make, module, options, {});
  };
}

#ifdef HLOCC_LLVM
Result<std::vector<std::byte>> object_of(const Planned& planned, const Target& target) {
  HLOCC_TRY_ASSIGN(const BackendInfo backend, find_backend("cpu", true));
  HLOCC_TRY_ASSIGN(const Artifacts artifacts,
                   backend.compile(planned.program, planned.plan, target, {ArtifactKind::kObject}));
  return artifacts.files.at(ArtifactKind::kObject).joined();
}
Result<std::unique_ptr<backends::LinkedObject>> link_here(std::span<const std::byte> object) {
  return backends::link_object(object, device::device_hook_symbols());
}
constexpr const char* kHostBackend = "cpu";
constexpr MakeCode kHostCode = object_of;
#else
constexpr const char* kHostBackend = "c";
constexpr MakeCode kHostCode = compile_library;
constexpr auto link_here = load_library;
#endif

Result<device::CompiledForVulkan> compile_for_vulkan(const hlo::Module& module,
                                                     const CompileOptions& options,
                                                     const GpuDevice& gpu) {
  HLOCC_TRY_ASSIGN(const GpuProgram made, gpu_program(module, options.options, gpu));
  device::CompiledForVulkan out;
  const std::span<const std::byte> bytes = std::as_bytes(std::span(made.table.words));
  out.table.assign(bytes.begin(), bytes.end());
  for (const kernel::Leaf& leaf : made.signature.arguments) out.arguments.push_back(leaf.shape);
  for (const kernel::Leaf& leaf : made.signature.results) out.results.push_back(leaf.shape);
  return out;
}

}  // namespace

std::string platform_of(const std::string& backend) { return backend == "cpu" ? "host" : backend; }

std::unique_ptr<device::PlatformManager> make_platforms(const std::string& device, bool ahead) {
  auto manager = std::make_unique<device::PlatformManager>();
  const auto add = [&](std::unique_ptr<device::Platform> platform) {
    HLOCC_CHECK(manager->RegisterPlatform(std::move(platform)).ok(), "two platforms of one name");
  };
  add(device::make_interpreter_platform());
  add(device::make_host_platform("host", compiler_for(kHostBackend, kHostCode),
                                 [] { return device::start_host(link_here); }));
  add(device::make_host_platform("c", compiler_for("c", compile_library),
                                 [] { return device::start_host(load_library); }));
  add(device::make_host_platform("remote-sim", compiler_for(kHostBackend, kHostCode),
                                 [] { return device::start_remote(link_here); }));
  const Result<const GpuDevice*> row = find_gpu(device);
  add(device::make_vulkan_platform(row.ok() ? *row : nullptr, compile_for_vulkan, ahead));
  return manager;
}

std::unique_ptr<device::Platform> partitioned(device::PlatformManager& manager,
                                              device::Platform& device) {
  const Result<device::Platform*> host = manager.PlatformWithName("host");
  HLOCC_CHECK(host.ok(), "no host");
  return device::make_partitioned_platform(
      **host, device,
      [](const hlo::Module& module, const CompileOptions& options,
         const std::set<std::string>& parts) {
        return compile_here(kHostBackend, kHostCode, module, options, parts);
      },
      link_here);
}

Result<std::string> run_guarded_here(const hlo::Module& module,
                                     std::span<const hlo::Literal> arguments,
                                     const Options& options) {
  HLOCC_TRY_ASSIGN(const CompiledForHost compiled,
                   compile_here(kHostBackend, kHostCode, module, {options}, {}));
  std::vector<std::vector<std::byte>> images;
  for (const hlo::Literal& argument : arguments)
    for (const hlo::Literal& leaf : hlo::leaves(argument))
      images.push_back(
          device::to_memory(leaf, compiled.arguments[images.size()], ByteOrder::kLittle));
  HLOCC_TRY_ASSIGN(const std::vector<device::GuardRecord> records,
                   device::run_guarded(compiled.code, link_here, images));
  return device::judge_guard(records, static_cast<int>(images.size()));
}

}  // namespace hlocc::driver

namespace hlocc::device {

// A device deals its work out by itself.
Result<KernelProgram> LowerToKernels(const hlo::Module& module, const Target& wanted) {
  Target target = wanted;
  target.options.threads = 1;
  HLOCC_TRY_ASSIGN(const kernel::Signature signature,
                   package::make_signature(module, target.options));
  HLOCC_TRY_ASSIGN(driver::Planned planned, driver::plan_module(module, signature, target, {}));
  return KernelProgram{std::move(planned.program), std::move(planned.plan)};
}

}  // namespace hlocc::device

// See vulkan_platform.h.
#include "devices/vulkan/vulkan_platform.h"

#include <mutex>

#include "devices/count_ops.h"
#include "devices/launched_executable.h"
#include "devices/only_device.h"
#include "devices/vulkan/gpu_support.h"
#include "devices/vulkan/vulkan_device.h"

namespace hlocc::device {
namespace {

constexpr const char* kVulkanName = "vulkan";

// The device, started when something of it is asked for.
class LazyVulkan {
 public:
  LazyVulkan(const GpuDevice* asked, bool ahead) : asked_(asked), ahead_(ahead) {}

  Result<StreamExecutor*> executor() {
    const std::lock_guard lock(mutex_);
    HLOCC_TRY(start());
    return started_.executor.get();
  }
  // What shaders may ask: of the row that was asked for, clamped to the device, or of the device's
  // own row; where there is none, of the one that was asked for, or of any.
  const GpuDevice& row() {
    const std::lock_guard lock(mutex_);
    static_cast<void>(start());
    return row_;
  }

 private:
  Status start() {
    if (started_.executor != nullptr) return {};
    row_ = asked_ != nullptr ? *asked_ : gpu_devices().front();
    if (ahead_) return error(DiagnosticKind::kMissingTool, "no device is looked for");
    HLOCC_TRY_ASSIGN(started_, start_vulkan());
    row_ = asked_ != nullptr ? clamped(*asked_, *started_.row) : *started_.row;
    return {};
  }

  const GpuDevice* asked_;
  bool ahead_;
  std::mutex mutex_;
  StartedVulkan started_;
  GpuDevice row_;
};

class VulkanCompiler : public Compiler {
 public:
  VulkanCompiler(LazyVulkan& device, CompileForVulkan compile)
      : device_(device), compile_(std::move(compile)) {}

  WhyNot Supports(const hlo::Module& module, const hlo::Instruction& instruction) const override {
    return why_not_on_gpu(module, instruction, device_.row());
  }
  // The launch table: the library holds it.
  Result<std::vector<DeviceArtifact>> CompileAheadOfTime(
      const hlo::Module& module, const CompileOptions& options) const override {
    HLOCC_TRY_ASSIGN(CompiledForVulkan compiled, compile_(module, options, device_.row()));
    return std::vector<DeviceArtifact>{{"table", std::move(compiled.table), true}};
  }
  Result<std::unique_ptr<Executable>> RunBackend(const hlo::Module& module,
                                                 StreamExecutor& executor,
                                                 const CompileOptions& options) const override {
    HLOCC_TRY_ASSIGN(CompiledForVulkan compiled, compile_(module, options, device_.row()));
    HLOCC_TRY_ASSIGN(std::unique_ptr<Kernel> kernel, executor.LoadKernel(compiled.table));
    return std::unique_ptr<Executable>(
        new LaunchedExecutable(std::move(kernel), std::move(compiled.arguments),
                               std::move(compiled.results), kVulkanName, count_ops(module)));
  }

 private:
  LazyVulkan& device_;
  CompileForVulkan compile_;
};

class VulkanPlatform : public Platform {
 public:
  VulkanPlatform(const GpuDevice* row, CompileForVulkan compile, bool ahead)
      : device_(row, ahead), compiler_(device_, std::move(compile)) {}

  const std::string& Name() const override { return name_; }
  const Compiler& GetCompiler() const override { return compiler_; }
  Result<StreamExecutor*> ExecutorForDevice(int ordinal) override {
    HLOCC_TRY(only_device(name_, ordinal));
    return device_.executor();
  }

 private:
  std::string name_ = kVulkanName;
  LazyVulkan device_;
  VulkanCompiler compiler_;
};

}  // namespace

std::unique_ptr<Platform> make_vulkan_platform(const GpuDevice* row, CompileForVulkan compile,
                                               bool ahead) {
  return std::make_unique<VulkanPlatform>(row, std::move(compile), ahead);
}

}  // namespace hlocc::device

// See vulkan_platform.h.
#include "devices/vulkan/vulkan_platform.h"

#include <mutex>

#include "devices/count_ops.h"
#include "devices/launched_executable.h"
#include "devices/vulkan/gpu_support.h"
#include "devices/vulkan/vulkan_device.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

constexpr const char* kVulkanName = "vulkan";

class VulkanCompiler : public Compiler {
 public:
  VulkanCompiler(const GpuDevice& row, CompileForVulkan compile)
      : row_(row), compile_(std::move(compile)) {}

  WhyNot Supports(const hlo::Module& module, const hlo::Instruction& instruction) const override {
    return why_not_on_gpu(module, instruction, row_);
  }
  Result<std::unique_ptr<Executable>> RunBackend(const hlo::Module& module,
                                                 StreamExecutor& executor,
                                                 const CompileOptions& options) const override {
    HLOCC_TRY_ASSIGN(CompiledForVulkan compiled, compile_(module, options, row_));
    HLOCC_TRY_ASSIGN(std::unique_ptr<Kernel> kernel, executor.LoadKernel(compiled.table));
    return std::unique_ptr<Executable>(
        new LaunchedExecutable(std::move(kernel), std::move(compiled.arguments),
                               std::move(compiled.results), kVulkanName, count_ops(module)));
  }

 private:
  const GpuDevice& row_;
  CompileForVulkan compile_;
};

class VulkanPlatform : public Platform {
 public:
  VulkanPlatform(const GpuDevice& row, CompileForVulkan compile)
      : compiler_(row, std::move(compile)) {}

  const std::string& Name() const override { return name_; }
  const Compiler& GetCompiler() const override { return compiler_; }
  Result<StreamExecutor*> ExecutorForDevice(int ordinal) override {
    if (ordinal != 0)
      return error(DiagnosticKind::kArgument, cat(name_, " has no device ", ordinal));
    const std::lock_guard lock(mutex_);
    if (executor_ == nullptr) {
      HLOCC_TRY_ASSIGN(executor_, start_vulkan());
    }
    return executor_.get();
  }

 private:
  std::string name_ = kVulkanName;
  VulkanCompiler compiler_;
  std::mutex mutex_;
  std::unique_ptr<StreamExecutor> executor_;
};

}  // namespace

std::unique_ptr<Platform> make_vulkan_platform(const GpuDevice& row, CompileForVulkan compile) {
  return std::make_unique<VulkanPlatform>(row, std::move(compile));
}

}  // namespace hlocc::device

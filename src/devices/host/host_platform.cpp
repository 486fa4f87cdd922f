// See host_platform.h.
#include "devices/host/host_platform.h"

#include <mutex>

#include "devices/count_ops.h"
#include "devices/host/host_device.h"
#include "devices/launched_executable.h"
#include "devices/only_device.h"

namespace hlocc::device {
namespace {

class HostCompiler : public Compiler {
 public:
  HostCompiler(std::string device, CompileForHost compile)
      : device_(std::move(device)), compile_(std::move(compile)) {}

  WhyNot Supports(const hlo::Module&, const hlo::Instruction&) const override { return ""; }
  Result<std::unique_ptr<Executable>> RunBackend(const hlo::Module& module,
                                                 StreamExecutor& executor,
                                                 const CompileOptions& options) const override {
    HLOCC_TRY_ASSIGN(CompiledForHost compiled, compile_(module, options));
    HLOCC_TRY_ASSIGN(std::unique_ptr<Kernel> kernel, executor.LoadKernel(encode(compiled.code)));
    return std::unique_ptr<Executable>(
        new LaunchedExecutable(std::move(kernel), std::move(compiled.arguments),
                               std::move(compiled.results), device_, count_ops(module)));
  }

 private:
  std::string device_;
  CompileForHost compile_;
};

class HostPlatform : public Platform {
 public:
  HostPlatform(std::string name, CompileForHost compile, StartDevice start)
      : name_(std::move(name)), compiler_(name_, std::move(compile)), start_(std::move(start)) {}

  const std::string& Name() const override { return name_; }
  const Compiler& GetCompiler() const override { return compiler_; }
  Result<StreamExecutor*> ExecutorForDevice(int ordinal) override {
    HLOCC_TRY(only_device(name_, ordinal));
    const std::lock_guard lock(mutex_);
    if (executor_ == nullptr) {
      HLOCC_TRY_ASSIGN(executor_, start_());
    }
    return executor_.get();
  }

 private:
  std::string name_;
  HostCompiler compiler_;
  StartDevice start_;
  std::mutex mutex_;
  std::unique_ptr<StreamExecutor> executor_;
};

}  // namespace

std::unique_ptr<Platform> make_host_platform(std::string name, CompileForHost compile,
                                             StartDevice start) {
  return std::make_unique<HostPlatform>(std::move(name), std::move(compile), std::move(start));
}

Result<std::unique_ptr<StreamExecutor>> start_host(const LinkObject& link, int64_t bytes) {
  return MakeStreamExecutor({"host", {{"memory", bytes, HostDevice::kAlignment}}},
                            std::make_shared<HostDevice>(link));
}

}  // namespace hlocc::device

// See host_platform.h.
#include "devices/host/host_platform.h"

#include <chrono>
#include <mutex>

#include "devices/count_ops.h"
#include "devices/host/host_device.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

class HostExecutable : public Executable {
 public:
  HostExecutable(std::unique_ptr<Kernel> kernel, CompiledForHost compiled, std::string device,
                 int64_t ops)
      : kernel_(std::move(kernel)),
        arguments_(std::move(compiled.arguments)),
        results_(std::move(compiled.results)),
        device_(std::move(device)),
        ops_(ops) {}

  const std::vector<hlo::Shape>& ArgumentShapes() const override { return arguments_; }
  const std::vector<hlo::Shape>& ResultShapes() const override { return results_; }
  OpsByDevice GetOpsByDevice() const override { return {{device_, ops_}}; }

  Status ExecuteAsyncOnStream(Stream& stream, std::span<const ExecutionInput> arguments,
                              std::span<const DeviceMemory> results,
                              ExecutionProfile* profile) override {
    HLOCC_TRY_ASSIGN(const std::vector<DeviceMemory> buffers, CheckBuffers(arguments, results));
    if (profile == nullptr) return stream.Launch(*kernel_, buffers, {});
    const auto begin = std::make_shared<Clock::time_point>();
    HLOCC_TRY(stream.DoHostCallback([begin]() -> Status {
      *begin = Clock::now();
      return {};
    }));
    HLOCC_TRY(stream.Launch(*kernel_, buffers, {}));
    return stream.DoHostCallback([begin, profile, device = device_]() -> Status {
      const std::chrono::duration<double, std::micro> took = Clock::now() - *begin;
      profile->steps = {{"run", device, took.count()}};
      return {};
    });
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::unique_ptr<Kernel> kernel_;
  std::vector<hlo::Shape> arguments_, results_;
  std::string device_;
  int64_t ops_;
};

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
    compiled.code = {};
    return std::unique_ptr<Executable>(
        new HostExecutable(std::move(kernel), std::move(compiled), device_, count_ops(module)));
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
    if (ordinal != 0)
      return error(DiagnosticKind::kArgument, cat(name_, " has no device ", ordinal));
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

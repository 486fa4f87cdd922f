// See interpreter_platform.h. A run is a callback of the stream's: literals are made of the
// arguments' bytes, and the result's become bytes again.
#include "devices/interpreter_platform.h"

#include <chrono>
#include <mutex>

#include "devices/count_ops.h"
#include "devices/memory_image.h"
#include "devices/only_device.h"
#include "hlo/leaves.h"
#include "hlocc/device/simple_device.h"
#include "interpreter/interpreter.h"
#include "ops/op_support.h"

namespace hlocc::device {
namespace {

constexpr const char* kName = "interpreter";

class InterpreterExecutable : public Executable {
 public:
  explicit InterpreterExecutable(const hlo::Module& module) : module_(module) {
    for (const hlo::Shape& parameter : module.entry_parameters)
      for (const hlo::Shape& leaf : hlo::leaf_shapes(parameter)) arguments_.push_back(leaf);
    results_ = hlo::leaf_shapes(module.entry_result);
  }

  const std::vector<hlo::Shape>& ArgumentShapes() const override { return arguments_; }
  const std::vector<hlo::Shape>& ResultShapes() const override { return results_; }
  OpsByDevice GetOpsByDevice() const override { return {{kName, count_ops(module_)}}; }

  Status ExecuteAsyncOnStream(Stream& stream, std::span<const ExecutionInput> arguments,
                              std::span<const DeviceMemory> results,
                              ExecutionProfile* profile) override {
    HLOCC_TRY_ASSIGN(const std::vector<DeviceMemory> all, CheckBuffers(arguments, results));
    return stream.DoHostCallback([this, all, profile] { return run(all, profile); }, all);
  }

 private:
  Status run(std::span<const DeviceMemory> memories, ExecutionProfile* profile) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<hlo::Literal> leaves, parameters;
    for (size_t i = 0; i < arguments_.size(); ++i)
      leaves.push_back(from_memory(
          {HostMemoryDevice::Address(memories[i]), static_cast<size_t>(memories[i].bytes)},
          arguments_[i], ByteOrder::kLittle));
    size_t next = 0;
    for (const hlo::Shape& parameter : module_.entry_parameters) {
      const size_t count = hlo::leaf_count(parameter);
      parameters.push_back(hlo::unflatten(parameter, std::span(leaves).subspan(next, count)));
      next += count;
    }
    Result<hlo::Literal> result = [&] {
      const std::lock_guard lock(mutex_);
      return interpreter::run(module_, parameters, &state_);
    }();
    if (!result) return std::move(result).error();
    const std::vector<hlo::Literal> values = hlo::leaves(*result);
    for (size_t i = 0; i < results_.size(); ++i) {
      const std::vector<std::byte> bytes = to_memory(values[i], results_[i], ByteOrder::kLittle);
      std::copy(bytes.begin(), bytes.end(),
                HostMemoryDevice::Address(memories[arguments_.size() + i]));
    }
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    if (profile != nullptr) profile->steps = {{"run", kName, took.count()}};
    return {};
  }

  hlo::Module module_;
  std::vector<hlo::Shape> arguments_, results_;
  std::mutex mutex_;
  interpreter::RunState state_;
};

class InterpreterCompiler : public Compiler {
 public:
  WhyNot Supports(const hlo::Module&, const hlo::Instruction&) const override { return ""; }
  Result<std::unique_ptr<Executable>> RunBackend(const hlo::Module& module, StreamExecutor&,
                                                 const CompileOptions&) const override {
    HLOCC_TRY(ops::check_supported(module, ops::Stage::kInterpreter));
    return std::unique_ptr<Executable>(new InterpreterExecutable(module));
  }
};

class InterpreterPlatform : public Platform {
 public:
  const std::string& Name() const override { return name_; }
  const Compiler& GetCompiler() const override { return compiler_; }
  Result<StreamExecutor*> ExecutorForDevice(int ordinal) override {
    HLOCC_TRY(only_device(name_, ordinal));
    return executor_.get();
  }

 private:
  static constexpr int64_t kAlignment = 64, kMemory = int64_t{1} << 40;
  std::string name_ = kName;
  InterpreterCompiler compiler_;
  std::unique_ptr<StreamExecutor> executor_ = MakeStreamExecutor(
      {kName, {{"memory", kMemory, kAlignment}}}, std::make_shared<HostMemoryDevice>(kAlignment));
};

}  // namespace

std::unique_ptr<Platform> make_interpreter_platform() {
  return std::make_unique<InterpreterPlatform>();
}

}  // namespace hlocc::device

// A platform that takes the instructions that a test tells it, and computes them as another
// platform does; a model run on it twice.
#pragma once
#include <functional>

#include "hlocc/device/platform.h"
#include "hlocc/device/simple_device.h"
#include "import/reader.h"
#include "support/require.h"

namespace hlocc::device {

inline hlo::Module module_of(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return tests::require(import::read_model({begin, begin + text.size()}, "test.hlo")).module;
}

// What is called when a part is given to a stream, before its own work is.
using BeforeRun = std::function<Status(const std::string& part, Stream& stream)>;

class WatchedExecutable : public Executable {
 public:
  WatchedExecutable(std::unique_ptr<Executable> inner, std::string part, BeforeRun before)
      : inner_(std::move(inner)), part_(std::move(part)), before_(std::move(before)) {}
  const std::vector<hlo::Shape>& ArgumentShapes() const override {
    return inner_->ArgumentShapes();
  }
  const std::vector<hlo::Shape>& ResultShapes() const override { return inner_->ResultShapes(); }
  OpsByDevice GetOpsByDevice() const override { return inner_->GetOpsByDevice(); }
  Status ExecuteAsyncOnStream(Stream& stream, std::span<const ExecutionInput> arguments,
                              std::span<const DeviceMemory> results,
                              ExecutionProfile* profile) override {
    HLOCC_TRY(before_(part_, stream));
    return inner_->ExecuteAsyncOnStream(stream, arguments, results, profile);
  }

 private:
  std::unique_ptr<Executable> inner_;
  std::string part_;
  BeforeRun before_;
};

// Takes the ops that it is told, and compiles them as another platform does.
class ChosenCompiler : public Compiler {
 public:
  using Takes = std::function<bool(const hlo::Instruction&)>;
  ChosenCompiler(const Compiler& inner, Takes takes, BeforeRun before = {})
      : inner_(inner), takes_(std::move(takes)), before_(std::move(before)) {}
  WhyNot Supports(const hlo::Module&, const hlo::Instruction& one) const override {
    return takes_(one) ? "" : "not chosen";
  }
  Result<std::unique_ptr<Executable>> RunBackend(const hlo::Module& module,
                                                 StreamExecutor& executor,
                                                 const CompileOptions& options) const override {
    HLOCC_TRY_ASSIGN(std::unique_ptr<Executable> made,
                     inner_.RunBackend(module, executor, options));
    if (!before_) return made;
    return std::unique_ptr<Executable>(
        new WatchedExecutable(std::move(made), module.name, before_));
  }

 private:
  const Compiler& inner_;
  Takes takes_;
  BeforeRun before_;
};

class ChosenPlatform : public Platform {
 public:
  ChosenPlatform(Platform& inner, ChosenCompiler::Takes takes, BeforeRun before = {})
      : inner_(inner), compiler_(inner.GetCompiler(), std::move(takes), std::move(before)) {}
  const std::string& Name() const override { return name_; }
  const Compiler& GetCompiler() const override { return compiler_; }
  Result<StreamExecutor*> ExecutorForDevice(int ordinal) override {
    return small_ != nullptr ? small_.get() : inner_.ExecutorForDevice(ordinal);
  }
  // From now on it has this much memory, and can hold data only.
  void shrink(int64_t bytes) {
    small_ = MakeStreamExecutor({name_, {{"scratch", bytes, 64}}},
                                std::make_shared<HostMemoryDevice>(64));
  }

 private:
  std::string name_ = "chosen";
  Platform& inner_;
  ChosenCompiler compiler_;
  std::unique_ptr<StreamExecutor> small_;
};

// What a model answers at its first run and at its second.
struct Ran {
  hlo::Literal result, again;
  OpsByDevice ops;
};

inline Result<Ran> run_on(Platform& platform, const import::Imported& model) {
  HLOCC_TRY_ASSIGN(StreamExecutor * executor, platform.ExecutorForDevice(0));
  HLOCC_TRY_ASSIGN(const auto executable,
                   platform.GetCompiler().Compile(model.module, *executor, {}));
  HLOCC_TRY_ASSIGN(const auto stream, executor->CreateStream());
  const TransferManager& transfer = platform.GetTransferManager();
  HLOCC_TRY_ASSIGN(const auto in,
                   transfer.AllocateBuffers(*executor, executable->ArgumentShapes()));
  HLOCC_TRY_ASSIGN(const auto out, transfer.AllocateBuffers(*executor, executable->ResultShapes()));
  std::vector<ExecutionInput> inputs;
  for (const DeviceMemory& memory : in) inputs.push_back({memory});
  Ran ran{.ops = executable->GetOpsByDevice()};
  for (hlo::Literal* result : {&ran.result, &ran.again}) {
    HLOCC_TRY(transfer.TransferLiteralToDeviceAsync(
        *stream, hlo::Literal::make_tuple(model.snapshot->arguments), executable->ArgumentShapes(),
        in));
    HLOCC_TRY(executable->ExecuteAsyncOnStream(*stream, inputs, out, nullptr));
    HLOCC_TRY_ASSIGN(*result, transfer.TransferLiteralFromDevice(*stream, model.module.entry_result,
                                                                 executable->ResultShapes(), out));
  }
  for (const auto* memories : {&in, &out})
    for (const DeviceMemory& memory : *memories) HLOCC_TRY(executor->Deallocate(memory));
  return ran;
}

}  // namespace hlocc::device

// See execute.h.
#include "driver/run/execute.h"

#include "devices/partition/partition.h"
#include "driver/pipeline/backend_table.h"
#include "driver/run/platforms.h"
#include "driver/run/plugin.h"
#include "hlocc/device/platform.h"
#include "support/budget.h"

namespace hlocc::driver {
namespace {

using device::DeviceMemory;

class PreparedOnDevice : public Prepared {
 public:
  static Result<std::unique_ptr<Prepared>> make(const hlo::Module& module,
                                                std::span<const hlo::Literal> arguments,
                                                const PlatformChoice& where,
                                                const Options& options) {
    std::unique_ptr<PreparedOnDevice> made(new PreparedOnDevice());
    made->result_ = module.entry_result;
    made->manager_ = make_platforms(where.device);
    HLOCC_TRY_ASSIGN(made->platform_, find_platform(*made->manager_, where));
    if (!device::takes_all(module, made->platform_->GetCompiler())) {
      made->both_ = partitioned(*made->manager_, *made->platform_);
      made->platform_ = made->both_.get();
    }
    HLOCC_TRY_ASSIGN(made->executor_, made->platform_->ExecutorForDevice(0));
    HLOCC_TRY_ASSIGN(made->executable_,
                     made->platform_->GetCompiler().Compile(module, *made->executor_, {options}));
    HLOCC_TRY(made->place(arguments));
    return std::unique_ptr<Prepared>(std::move(made));
  }

  // The stream goes first: work in it may need the memory.
  ~PreparedOnDevice() override {
    stream_.reset();
    for (const device::ExecutionInput& input : inputs_) (void)executor_->Deallocate(input.memory);
    for (const DeviceMemory& memory : results_) (void)executor_->Deallocate(memory);
  }

  // What a model does when it runs is what was asked for: no limits of ours.
  Result<hlo::Literal> run() override {
    const BudgetScope unlimited(nullptr);
    HLOCC_TRY(begin(nullptr));
    return platform_->GetTransferManager().TransferLiteralFromDevice(
        *stream_, result_, executable_->ResultShapes(), results_);
  }

  Status call() override {
    const BudgetScope unlimited(nullptr);
    HLOCC_TRY(begin(nullptr));
    return stream_->BlockHostUntilDone();
  }

  Result<device::ExecutionProfile> profile() override {
    const BudgetScope unlimited(nullptr);
    device::ExecutionProfile profile;
    HLOCC_TRY(begin(&profile));
    HLOCC_TRY(stream_->BlockHostUntilDone());
    return profile;
  }

  Status replace(std::span<const hlo::Literal> arguments) override {
    const device::TransferManager& transfer = platform_->GetTransferManager();
    const std::vector<hlo::Shape>& shapes = executable_->ArgumentShapes();
    std::vector<hlo::Literal> leaves;
    for (const hlo::Literal& argument : arguments)
      for (hlo::Literal& leaf : hlo::leaves(argument)) leaves.push_back(std::move(leaf));
    for (size_t i = 0; i < leaves.size(); ++i)
      images_[i] = transfer.ToDeviceLayout(leaves[i], shapes[i]);
    return {};
  }

  device::OpsByDevice ops() const override { return executable_->GetOpsByDevice(); }

 private:
  PreparedOnDevice() = default;

  Status place(std::span<const hlo::Literal> arguments) {
    const BudgetScope unlimited(nullptr);
    const device::TransferManager& transfer = platform_->GetTransferManager();
    const std::vector<hlo::Shape>& shapes = executable_->ArgumentShapes();
    HLOCC_TRY_ASSIGN(stream_, executor_->CreateStream());
    HLOCC_TRY_ASSIGN(const std::vector<DeviceMemory> memories,
                     transfer.AllocateBuffers(*executor_, shapes));
    for (const DeviceMemory& memory : memories) inputs_.push_back({memory});
    HLOCC_TRY_ASSIGN(results_, transfer.AllocateBuffers(*executor_, executable_->ResultShapes()));
    const hlo::Literal all =
        hlo::Literal::make_tuple(std::vector<hlo::Literal>(arguments.begin(), arguments.end()));
    // Once for its checks; what call() sends are the same bytes.
    HLOCC_TRY(transfer.TransferLiteralToDeviceAsync(*stream_, all, shapes, memories));
    HLOCC_TRY(stream_->BlockHostUntilDone());
    images_.resize(memories.size());
    return replace(arguments);
  }

  Status begin(device::ExecutionProfile* profile) {
    for (size_t i = 0; i < inputs_.size(); ++i)
      HLOCC_TRY(stream_->MemcpyHostToDevice(inputs_[i].memory, images_[i]));
    return executable_->ExecuteAsyncOnStream(*stream_, inputs_, results_, profile);
  }

  // In the order in which they may go: the stream first, the platforms last.
  std::unique_ptr<device::PlatformManager> manager_;
  std::unique_ptr<device::Platform> both_;  // the host and a device that lacks ops
  device::Platform* platform_ = nullptr;
  device::StreamExecutor* executor_ = nullptr;
  hlo::Shape result_;
  std::vector<std::vector<std::byte>> images_;  // by leaf: arguments as they lie in the device
  std::vector<device::ExecutionInput> inputs_;
  std::vector<DeviceMemory> results_;
  std::unique_ptr<device::Executable> executable_;
  std::unique_ptr<device::Stream> stream_;
};

}  // namespace

std::string default_way() {
#ifdef HLOCC_LLVM
  return "cpu";
#else
  return "interpreter";
#endif
}

std::string way_of(const CommandLine& line) {
  return line.backend.empty() && line.plugin.empty() ? default_way() : line.backend;
}

PlatformChoice platform_choice(const CommandLine& line) {
  return {way_of(line), line.plugin, line.device};
}

Result<std::unique_ptr<Prepared>> prepare(const hlo::Module& module,
                                          std::span<const hlo::Literal> arguments,
                                          const PlatformChoice& where, const Options& options) {
  if (where.plugin.empty()) HLOCC_TRY(find_backend(where.backend, false));
  return PreparedOnDevice::make(module, arguments, where, options);
}

Result<hlo::Literal> execute(const hlo::Module& module, std::span<const hlo::Literal> arguments,
                             const std::string& backend, const Options& options) {
  HLOCC_TRY_ASSIGN(const std::unique_ptr<Prepared> prepared,
                   prepare(module, arguments, {backend, "", ""}, options));
  return prepared->run();
}

}  // namespace hlocc::driver

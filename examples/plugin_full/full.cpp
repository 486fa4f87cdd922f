// A plug-in for an accelerator with an instruction set, a compiler and memory of its own. hlocc
// does what stands before code generation (LowerToKernels); the rest is here: instructions.h is the
// device, lower_*.cpp its compiler, machine.cpp and arithmetic.cpp play the silicon.
#include "hlocc/device/plugin.h"
#include "hlocc/device/simple_device.h"
#include "lower.h"
#include "machine.h"
#include "support/text.h"

namespace full {
namespace {

using namespace hlocc;
using namespace hlocc::device;

constexpr const char* kName = "full";

// Memory that is this process's, and code that it runs.
class FullDevice : public HostMemoryDevice {
 public:
  FullDevice() : HostMemoryDevice(64) {}
  Result<uint64_t> Load(std::span<const std::byte> bytes) override {
    HLOCC_TRY_ASSIGN(Code code, decode(bytes));
    HLOCC_TRY_ASSIGN(std::unique_ptr<Machine> machine, Machine::load(std::move(code)));
    return reinterpret_cast<uint64_t>(machine.release());
  }
  Status Unload(uint64_t code) override {
    delete reinterpret_cast<Machine*>(code);
    return {};
  }
  Status Launch(uint64_t code, std::span<const DeviceMemory> buffers,
                std::span<const int64_t> arguments) override {
    Machine& machine = *reinterpret_cast<Machine*>(code);
    std::vector<std::byte*> leaves;
    for (const DeviceMemory& buffer : buffers) leaves.push_back(Address(buffer));
    const std::span<std::byte* const> all(leaves);
    if (arguments.size() != 1 || all.size() != machine.leaves())
      return error(DiagnosticKind::kArgument, "a launch with too few buffers");
    return machine.run(all.first(static_cast<size_t>(arguments[0])),
                       all.subspan(static_cast<size_t>(arguments[0])));
  }
};

class FullExecutable : public Executable {
 public:
  FullExecutable(std::unique_ptr<Kernel> kernel, const kernel::Signature& signature, int64_t ops)
      : kernel_(std::move(kernel)), ops_(ops) {
    for (const kernel::Leaf& leaf : signature.arguments) arguments_.push_back(leaf.shape);
    for (const kernel::Leaf& leaf : signature.results) results_.push_back(leaf.shape);
  }
  const std::vector<hlo::Shape>& ArgumentShapes() const override { return arguments_; }
  const std::vector<hlo::Shape>& ResultShapes() const override { return results_; }
  OpsByDevice GetOpsByDevice() const override { return {{kName, ops_}}; }
  Status ExecuteAsyncOnStream(Stream& stream, std::span<const ExecutionInput> arguments,
                              std::span<const DeviceMemory> results, ExecutionProfile*) override {
    HLOCC_TRY_ASSIGN(const std::vector<DeviceMemory> all, CheckBuffers(arguments, results));
    const int64_t count = static_cast<int64_t>(arguments.size());
    return stream.Launch(*kernel_, all, {&count, 1});
  }

 private:
  std::unique_ptr<Kernel> kernel_;
  std::vector<hlo::Shape> arguments_, results_;
  int64_t ops_;
};

class FullCompiler : public Compiler {
 public:
  WhyNot Supports(const hlo::Module&, const hlo::Instruction& one) const override {
    return one.opcode == hlo::Opcode::kCustomCall ? "functions of the user's are the host's" : "";
  }
  Result<std::unique_ptr<Executable>> RunBackend(const hlo::Module& module,
                                                 StreamExecutor& executor,
                                                 const CompileOptions& options) const override {
    HLOCC_TRY_ASSIGN(const KernelProgram program,
                     LowerToKernels(module, device_target(options.options)));
    HLOCC_TRY_ASSIGN(const Code code, lower_program(program));
    HLOCC_TRY_ASSIGN(std::unique_ptr<Kernel> kernel, executor.LoadKernel(encode(code)));
    int64_t ops = 0;
    for (const hlo::Instruction& one : module.entry_computation().instructions)
      ops += one.opcode != hlo::Opcode::kParameter && one.opcode != hlo::Opcode::kConstant &&
             one.opcode != hlo::Opcode::kTuple && one.opcode != hlo::Opcode::kGetTupleElement;
    return std::unique_ptr<Executable>(
        new FullExecutable(std::move(kernel), program.program.signature, ops));
  }
  Result<std::vector<DeviceArtifact>> CompileAheadOfTime(
      const hlo::Module& module, const CompileOptions& options) const override {
    HLOCC_TRY_ASSIGN(const KernelProgram program,
                     LowerToKernels(module, device_target(options.options)));
    HLOCC_TRY_ASSIGN(const Code code, lower_program(program));
    return std::vector<DeviceArtifact>{{"bin", encode(code)}};
  }
};

class FullPlatform : public Platform {
 public:
  const std::string& Name() const override { return name_; }
  const Compiler& GetCompiler() const override { return compiler_; }
  Result<StreamExecutor*> ExecutorForDevice(int ordinal) override {
    if (ordinal != 0)
      return error(DiagnosticKind::kArgument, cat(name_, " has no device ", ordinal));
    return executor_.get();
  }

 private:
  std::string name_ = kName;
  FullCompiler compiler_;
  std::unique_ptr<StreamExecutor> executor_ =
      MakeStreamExecutor({kName, {{"memory", 1 << 30, 64}}}, std::make_shared<FullDevice>());
};

void add_platforms(PlatformManager& manager) {
  (void)manager.RegisterPlatform(std::make_unique<FullPlatform>());
}

}  // namespace
}  // namespace full

HLOCC_PLUGIN(full::add_platforms)

// See partitioned.h.
#include "devices/partition/partitioned.h"

#include <mutex>

#include "devices/count_ops.h"
#include "devices/host/host_program.h"
#include "devices/partition/partition.h"
#include "devices/partition/step_recorder.h"
#include "hlocc/device/simple_device.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

// What the run that this thread is about to begin is to fill.
thread_local ExecutionProfile* wanted_profile = nullptr;

// The device's side of one executable: its parts, a piece of its memory, a stream a queue.
class DeviceSide : public DeviceHooks {
 public:
  static Result<std::unique_ptr<DeviceSide>> make(StreamExecutor& executor, int64_t bytes,
                                                  std::string name) {
    Result<DeviceMemory> memory = executor.Allocate(bytes);
    if (!memory)
      return std::move(memory).error().note(cat("for the values of the parts on ", name));
    return std::unique_ptr<DeviceSide>(new DeviceSide(executor, *memory, std::move(name)));
  }
  ~DeviceSide() override {
    streams_.clear();
    (void)executor_.Deallocate(memory_);
  }
  void add(const std::string& symbol, std::unique_ptr<Executable> part) {
    parts_[symbol] = std::move(part);
  }
  OpsByDevice ops() const {
    OpsByDevice all;
    for (const auto& [symbol, part] : parts_)
      for (const auto& [device, count] : part->GetOpsByDevice()) all[device] += count;
    return all;
  }

  // One run at a time: it has the piece of memory to itself.
  Status begin() override {
    mutex_.lock();
    profile_ = wanted_profile;
    host_since_ = StepRecorder::Clock::now();
    return {};
  }
  Status end() override {
    leave_host();
    // After a failure there may be work left that uses memory of the run.
    Status all;
    for (const int queue : busy_) {
      Status one = streams_.at(queue)->BlockHostUntilDone();
      if (!one.ok()) streams_.erase(queue);
      if (all.ok()) all = std::move(one);
    }
    busy_.clear();
    if (profile_ != nullptr) *profile_ = recorder_.take();
    mutex_.unlock();
    return all;
  }
  Status put(int queue, int, int64_t offset, std::span<const std::byte> from) override {
    HLOCC_TRY_ASSIGN(Stream * stream, stream_of(queue));
    return give(*stream, cat("to ", name_, ", ", from.size(), " bytes"),
                [&] { return stream->MemcpyHostToDevice(slice(offset, from.size()), from); });
  }
  Status get(int queue, int, int64_t offset, std::span<std::byte> to) override {
    HLOCC_TRY_ASSIGN(Stream * stream, stream_of(queue));
    return give(*stream, cat("from ", name_, ", ", to.size(), " bytes"),
                [&] { return stream->MemcpyDeviceToHost(to, slice(offset, to.size())); });
  }
  Status submit(int queue, int, const std::string& symbol, std::span<const size_t> operands,
                std::span<const size_t> results) override {
    HLOCC_TRY_ASSIGN(Stream * stream, stream_of(queue));
    Executable& part = *parts_.at(symbol);
    std::vector<ExecutionInput> inputs;
    std::vector<DeviceMemory> outputs;
    for (size_t i = 0; i < operands.size(); ++i)
      inputs.push_back({leaf(operands[i], part.ArgumentShapes()[i])});
    for (size_t i = 0; i < results.size(); ++i)
      outputs.push_back(leaf(results[i], part.ResultShapes()[i]));
    return give(*stream, symbol,
                [&] { return part.ExecuteAsyncOnStream(*stream, inputs, outputs, nullptr); });
  }
  Status wait(int queue) override {
    HLOCC_TRY_ASSIGN(Stream * stream, stream_of(queue));
    busy_.erase(queue);
    leave_host();
    const auto begin = StepRecorder::Clock::now();
    Status done = stream->BlockHostUntilDone();
    if (profile_ != nullptr) recorder_.add(cat("wait for queue ", queue), "host", begin);
    host_since_ = StepRecorder::Clock::now();
    if (!done.ok()) streams_.erase(queue);
    return done;
  }

 private:
  DeviceSide(StreamExecutor& executor, DeviceMemory memory, std::string name)
      : executor_(executor), memory_(memory), name_(std::move(name)) {}

  // What the host did since it last had to do with the device.
  void leave_host() {
    if (profile_ != nullptr) recorder_.add("code", "host", host_since_);
  }
  template <typename Give>
  Status give(Stream& stream, std::string what, const Give& work) {
    if (profile_ == nullptr) return work();
    leave_host();
    Status given = recorder_.timed(stream, std::move(what), name_, work);
    host_since_ = StepRecorder::Clock::now();
    return given;
  }

  // A failed stream stays failed; the next run gets a new one.
  Result<Stream*> stream_of(int queue) {
    std::unique_ptr<Stream>& stream = streams_[queue];
    if (stream == nullptr) {
      HLOCC_TRY_ASSIGN(stream, executor_.CreateStream());
    }
    busy_.insert(queue);
    return stream.get();
  }
  DeviceMemory slice(int64_t offset, size_t bytes) const {
    return memory_.Slice(offset, static_cast<int64_t>(bytes));
  }
  DeviceMemory leaf(size_t offset, const hlo::Shape& shape) const {
    return memory_.Slice(static_cast<int64_t>(offset),
                         TransferManager().GetByteSizeRequirement(shape));
  }

  StreamExecutor& executor_;
  DeviceMemory memory_;
  std::string name_;
  ExecutionProfile* profile_ = nullptr;  // of the run that goes on
  StepRecorder recorder_;
  StepRecorder::Clock::time_point host_since_;
  std::map<std::string, std::unique_ptr<Executable>> parts_;
  std::mutex mutex_;
  std::map<int, std::unique_ptr<Stream>> streams_;
  std::set<int> busy_;
};

class PartitionedExecutable : public Executable {
 public:
  PartitionedExecutable(std::unique_ptr<DeviceSide> device, std::unique_ptr<HostProgram> program,
                        CompiledForHost compiled, OpsByDevice ops)
      : device_(std::move(device)),
        program_(std::move(program)),
        arguments_(std::move(compiled.arguments)),
        results_(std::move(compiled.results)),
        ops_(std::move(ops)) {}

  const std::vector<hlo::Shape>& ArgumentShapes() const override { return arguments_; }
  const std::vector<hlo::Shape>& ResultShapes() const override { return results_; }
  OpsByDevice GetOpsByDevice() const override { return ops_; }

  Status ExecuteAsyncOnStream(Stream& stream, std::span<const ExecutionInput> arguments,
                              std::span<const DeviceMemory> results,
                              ExecutionProfile* profile) override {
    HLOCC_TRY_ASSIGN(const std::vector<DeviceMemory> all, CheckBuffers(arguments, results));
    std::vector<std::byte*> pointers;
    for (const DeviceMemory& memory : all) pointers.push_back(HostMemoryDevice::Address(memory));
    return stream.DoHostCallback(
        [this, pointers, profile, taken = arguments.size()] {
          const std::span<std::byte* const> leaves(pointers);
          wanted_profile = profile;
          Status done = program_->call(leaves.first(taken), leaves.subspan(taken));
          wanted_profile = nullptr;
          return done;
        },
        all);
  }

 private:
  std::unique_ptr<DeviceSide> device_;
  std::unique_ptr<HostProgram> program_;
  std::vector<hlo::Shape> arguments_, results_;
  OpsByDevice ops_;
};

class PartitioningCompiler : public Compiler {
 public:
  PartitioningCompiler(Platform& device, CompileWithParts compile, LinkObject link)
      : device_(device), compile_(std::move(compile)), link_(std::move(link)) {}

  WhyNot Supports(const hlo::Module&, const hlo::Instruction&) const override { return ""; }
  Result<std::unique_ptr<Executable>> RunBackend(const hlo::Module& module, StreamExecutor&,
                                                 const CompileOptions& options) const override {
    HLOCC_TRY_ASSIGN(const Partition partition,
                     partition_module(module, device_.GetCompiler(), device_.Name()));
    std::set<std::string> symbols;
    for (const Part& part : partition.parts) symbols.insert(part.symbol);
    HLOCC_TRY_ASSIGN(CompiledForHost compiled, compile_(partition.host, options, symbols));
    HLOCC_TRY_ASSIGN(StreamExecutor * executor, device_.ExecutorForDevice(0));
    HLOCC_TRY_ASSIGN(std::unique_ptr<DeviceSide> side,
                     DeviceSide::make(*executor, compiled.device_bytes, device_.Name()));
    for (const Part& part : partition.parts) {
      Result<std::unique_ptr<Executable>> made =
          device_.GetCompiler().Compile(part.module, *executor, options);
      if (!made)
        return std::move(made).error().note(
            cat("in a part for ", device_.Name(), ": ", join(part.instructions, ", ")));
      side->add(part.symbol, std::move(made).value());
    }
    HLOCC_TRY_ASSIGN(std::unique_ptr<HostProgram> program,
                     HostProgram::load(compiled.code, link_, side.get()));
    OpsByDevice ops = side->ops();
    ops[device_.Name()] += 0;
    ops["host"] += count_ops(partition.host) - static_cast<int64_t>(partition.parts.size());
    return std::unique_ptr<Executable>(new PartitionedExecutable(
        std::move(side), std::move(program), std::move(compiled), std::move(ops)));
  }

 private:
  Platform& device_;
  CompileWithParts compile_;
  LinkObject link_;
};

class PartitionedPlatform : public Platform {
 public:
  PartitionedPlatform(Platform& host, Platform& device, CompileWithParts compile, LinkObject link)
      : host_(host), device_(device), compiler_(device, std::move(compile), std::move(link)) {}
  const std::string& Name() const override { return device_.Name(); }
  Result<StreamExecutor*> ExecutorForDevice(int ordinal) override {
    return host_.ExecutorForDevice(ordinal);
  }
  const Compiler& GetCompiler() const override { return compiler_; }

 private:
  Platform &host_, &device_;
  PartitioningCompiler compiler_;
};

}  // namespace

std::unique_ptr<Platform> make_partitioned_platform(Platform& host, Platform& device,
                                                    CompileWithParts compile, LinkObject link) {
  return std::make_unique<PartitionedPlatform>(host, device, std::move(compile), std::move(link));
}

}  // namespace hlocc::device

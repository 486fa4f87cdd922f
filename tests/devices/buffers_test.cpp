// What executables, transfer managers and the manager of platforms refuse, and what stands just
// outside of each refusal.
#include <catch2/catch.hpp>

#include "driver/run/platforms.h"
#include "hlocc/device/platform.h"
#include "hlocc/device/simple_device.h"
#include "support/require.h"

namespace hlocc::device {
namespace {

using hlo::Literal, hlo::PrimitiveType, hlo::Shape;
using tests::require;

const Shape kFour = Shape::array(PrimitiveType::kF32, {4});

// Two arguments and two results of 16 bytes; only its checks are asked for.
class Checks : public Executable {
 public:
  const std::vector<Shape>& ArgumentShapes() const override { return shapes_; }
  const std::vector<Shape>& ResultShapes() const override { return shapes_; }
  OpsByDevice GetOpsByDevice() const override { return {}; }
  Status ExecuteAsyncOnStream(Stream&, std::span<const ExecutionInput>,
                              std::span<const DeviceMemory>, ExecutionProfile*) override {
    return {};
  }
  // Empty, or the diagnostic.
  std::string check(std::vector<ExecutionInput> arguments, std::vector<DeviceMemory> results) {
    const Result<std::vector<DeviceMemory>> all = CheckBuffers(arguments, results);
    if (!all.ok()) {
      CHECK(all.error().kind == DiagnosticKind::kArgument);
      return all.error().message;
    }
    REQUIRE(all->size() == 4);
    CHECK((*all)[1] == arguments[1].memory);
    CHECK((*all)[2] == results[0]);
    return "";
  }

 private:
  std::vector<Shape> shapes_ = {kFour, kFour};
};

// 16 bytes at a place of one allocation.
DeviceMemory at(int64_t offset) { return {1, offset, 16, 0}; }

std::string message(const Status& status) { return status.ok() ? "" : status.error().message; }

}  // namespace

TEST_CASE("buffers of a run") {
  Checks one;
  const std::vector<ExecutionInput> in = {{at(0)}, {at(16)}};
  CHECK(one.check(in, {at(32), at(48)}).empty());
  CHECK(one.check({{at(0)}}, {at(32), at(48)}) == "got 1 arguments, the model has 2");
  CHECK(one.check(in, {at(32)}) == "got 1 results, the model has 2");
  CHECK(one.check({{at(0)}, {{1, 16, 15, 0}}}, {at(32), at(48)}) ==
        "argument 1 is f32[4], 16 bytes, and not 15");
  // Results side by side, and a byte over each other; in another allocation they are apart.
  CHECK(one.check(in, {at(32), at(47)}) == "results 0 and 1 are to lie in one place");
  CHECK(one.check(in, {at(32), {2, 47, 16, 0}}).empty());
  // Over an argument only where it is donated, and in its very place.
  const std::string over = "result 0 is to lie over argument 1, which is not donated for it";
  CHECK(one.check(in, {at(16), at(48)}) == over);
  CHECK(one.check({{at(0)}, {at(16), true}}, {at(16), at(48)}).empty());
  CHECK(one.check({{at(0)}, {at(16), true}}, {at(17), at(48)}) == over);
  CHECK(one.check(in, {at(31), at(48)}) == over);
}

TEST_CASE("literals that do not fit, infeed and outfeed") {
  const auto platforms = driver::make_platforms();
  StreamExecutor& executor =
      *require(require(platforms->PlatformWithName("interpreter"))->ExecutorForDevice(0));
  const TransferManager transfer;
  const std::vector<Shape> leaves = {kFour};
  const std::vector<DeviceMemory> memories = require(transfer.AllocateBuffers(executor, leaves));
  const std::unique_ptr<Stream> stream = require(executor.CreateStream());
  const auto sent = [&](const Shape& shape) {
    return message(
        transfer.TransferLiteralToDeviceAsync(*stream, Literal::zeros(shape), leaves, memories));
  };
  CHECK(sent(kFour).empty());
  CHECK(sent(Shape::array(PrimitiveType::kF32, {5})).find("argument 0 is ") == 0);
  CHECK(sent(Shape::array(PrimitiveType::kS32, {4})).find("argument 0 is ") == 0);
  const Literal two = Literal::make_tuple({Literal::zeros(kFour), Literal::zeros(kFour)});
  CHECK(message(transfer.TransferLiteralToDeviceAsync(*stream, two, leaves, memories))
            .find("got 2 arguments, the model takes 1") == 0);
  CHECK(require(transfer.TransferLiteralFromDevice(*stream, kFour, leaves, memories)) ==
        Literal::zeros(kFour));
  CHECK_FALSE(transfer.TransferLiteralFromDevice(*stream, kFour, leaves, {}).ok());
  CHECK(message(transfer.TransferLiteralToInfeed(executor, two)) == "interpreter has no infeed");
  const auto out = transfer.TransferLiteralFromOutfeed(executor, kFour);
  REQUIRE_FALSE(out.ok());
  CHECK(out.error().message == "interpreter has no outfeed");
  CHECK(out.error().kind == DiagnosticKind::kUnsupported);
  for (const DeviceMemory& memory : memories) CHECK(executor.Deallocate(memory).ok());
}

TEST_CASE("a device that has no room for all buffers keeps none") {
  const auto executor =
      MakeStreamExecutor({"small", {{"memory", 100, 64}}}, std::make_shared<HostMemoryDevice>(64));
  const Shape half = Shape::array(PrimitiveType::kF32, {16});
  const auto both = TransferManager().AllocateBuffers(*executor, std::vector<Shape>{half, half});
  REQUIRE_FALSE(both.ok());
  CHECK(both.error().kind == DiagnosticKind::kLimit);
  const DeviceMemory all = require(executor->Allocate(100));
  CHECK(executor->Deallocate(all).ok());
}

TEST_CASE("memory that is not given back goes with its executor, and no other") {
  class Counting : public HostMemoryDevice {
   public:
    Counting() : HostMemoryDevice(64) {}
    Status Free(uint64_t handle) override {
      freed.push_back(handle);
      return HostMemoryDevice::Free(handle);
    }
    std::vector<uint64_t> freed;
  };
  const auto device = std::make_shared<Counting>();
  auto executor = MakeStreamExecutor({"small", {{"memory", 100, 64}}}, device);
  const DeviceMemory first = require(executor->Allocate(30));
  const DeviceMemory kept = require(executor->Allocate(40));
  CHECK(executor->Deallocate(first).ok());
  CHECK(device->freed == std::vector{first.handle});
  executor.reset();
  CHECK(device->freed == std::vector{first.handle, kept.handle});
}

TEST_CASE("platforms by name and devices by number") {
  const auto platforms = driver::make_platforms();
  for (const char* name : {"interpreter", "host"}) {
    Platform& platform = *require(platforms->PlatformWithName(name));
    CHECK(platform.ExecutorForDevice(0).ok());
    const auto second = platform.ExecutorForDevice(1);
    REQUIRE_FALSE(second.ok());
    CHECK(second.error().message == std::string(name) + " has no device 1");
  }
  const auto unknown = platforms->PlatformWithName("hots");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().kind == DiagnosticKind::kTarget);
  CHECK(unknown.error().message.find("there is no platform hots") == 0);

  class Named : public Platform {
   public:
    explicit Named(std::string name) : name_(std::move(name)) {}
    const std::string& Name() const override { return name_; }
    Result<StreamExecutor*> ExecutorForDevice(int) override { return nullptr; }
    const Compiler& GetCompiler() const override { std::abort(); }

   private:
    std::string name_;
  };
  CHECK(message(platforms->RegisterPlatform(std::make_unique<Named>("host"))) ==
        "there is a platform host already");
  CHECK(platforms->RegisterPlatform(std::make_unique<Named>("npu")).ok());
}

}  // namespace hlocc::device

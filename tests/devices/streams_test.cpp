// The suite that any platform must pass, on the platforms of the house; and that it sees what is
// wrong with one that isn't right.
#include <signal.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "devices/conformance/stream_suite.h"
#include "devices/host/host_platform.h"
#include "devices/remote/remote_device.h"
#include "driver/run/platforms.h"
#include "hlocc/device/simple_device.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

using tests::require;

// tests/nightly.sh asks for 10,000.
int schedules() {
  const char* wanted = std::getenv("HLOCC_SCHEDULES");
  return wanted == nullptr ? 300 : std::atoi(wanted);
}

Result<std::unique_ptr<backends::LinkedObject>> no_code(std::span<const std::byte>) {
  return error(DiagnosticKind::kUnsupported, "no code here");
}

void passes(StreamExecutor& executor, int count) {
  for (const std::string& failed : run_stream_suite(executor, count)) FAIL_CHECK(failed);
  CHECK(executor.AllocatedBytes() == 0);
}

TEST_CASE("every platform passes the suite of streams") {
  const auto platforms = driver::make_platforms();
  for (Platform* platform : platforms->ListPlatforms()) {
    INFO(platform->Name());
    const Result<StreamExecutor*> executor = platform->ExecutorForDevice(0);
    // A GPU may not be here; everything else is.
    if (platform->Name() == "vulkan" && !executor) continue;
    const bool remote = platform->Name() == "remote-sim";
    passes(*require(executor), remote ? schedules() / 3 : schedules());
  }
}

TEST_CASE("a device with little memory passes, and is filled to the last byte") {
  passes(*require(start_host(no_code, 1 << 22)), 1);
  passes(*require(start_remote(no_code, 1 << 22)), 1);
}

// --- what the suite must see ---

std::string failed_checks(StreamExecutor& executor, int count) {
  std::string all;
  for (const std::string& failed : run_stream_suite(executor, count)) all += failed + "\n";
  return all;
}

class ShortFills : public HostMemoryDevice {
 public:
  ShortFills() : HostMemoryDevice(64) {}
  Status Fill(const DeviceMemory& to, std::byte value) override {
    return HostMemoryDevice::Fill(to.Slice(0, std::max<int64_t>(to.bytes - 1, 0)), value);
  }
};
class LostCopies : public HostMemoryDevice {
 public:
  LostCopies() : HostMemoryDevice(64) {}
  Status Copy(const DeviceMemory& to, const DeviceMemory& from) override {
    return to.bytes == 17 ? Status() : HostMemoryDevice::Copy(to, from);
  }
};

TEST_CASE("the suite finds a device that fills too little, or forgets a copy") {
  const DeviceDescription description{"broken", {{"memory", 1 << 22, 64}}};
  const auto fills = MakeStreamExecutor(description, std::make_shared<ShortFills>());
  CHECK(failed_checks(*fills, 0).find("copies: a fill of 1\n") != std::string::npos);
  // Only the random schedules copy 17 bytes.
  const auto copies = MakeStreamExecutor(description, std::make_shared<LostCopies>());
  CHECK(failed_checks(*copies, 0).empty());
  CHECK(failed_checks(*copies, 50).find("schedule ") != std::string::npos);
}

// Hands everything on, but for what it is told to forget.
class ForgetfulStream : public Stream {
 public:
  ForgetfulStream(std::unique_ptr<Stream> inner, bool waits, bool events)
      : inner_(std::move(inner)), waits_(waits), events_(events) {}
  Status MemcpyHostToDevice(DeviceMemory to, std::span<const std::byte> from) override {
    return inner_->MemcpyHostToDevice(to, from);
  }
  Status MemcpyDeviceToHost(std::span<std::byte> to, DeviceMemory from) override {
    return inner_->MemcpyDeviceToHost(to, from);
  }
  Status MemcpyDeviceToDevice(DeviceMemory to, DeviceMemory from) override {
    return inner_->MemcpyDeviceToDevice(to, from);
  }
  Status Memset(DeviceMemory to, std::byte value) override { return inner_->Memset(to, value); }
  Status Launch(Kernel& kernel, std::span<const DeviceMemory> buffers,
                std::span<const int64_t> integers) override {
    return inner_->Launch(kernel, buffers, integers);
  }
  Status RecordEvent(Event& event) override {
    // Recorded once is recorded for good.
    if (!events_ && event.PollForStatus() != Event::State::kNotRecorded) return {};
    return inner_->RecordEvent(event);
  }
  Status WaitFor(const Event& event) override {
    if (!waits_ && event.PollForStatus() != Event::State::kNotRecorded) return {};
    return inner_->WaitFor(event);
  }
  Status DoHostCallback(std::function<Status()> callback,
                        std::span<const DeviceMemory> memory) override {
    return inner_->DoHostCallback(std::move(callback), memory);
  }
  Status BlockHostUntilDone() override { return inner_->BlockHostUntilDone(); }

 private:
  std::unique_ptr<Stream> inner_;
  bool waits_, events_;
};

class ForgetfulExecutor : public StreamExecutor {
 public:
  ForgetfulExecutor(bool waits, bool events) : waits_(waits), events_(events) {}
  const DeviceDescription& GetDeviceDescription() const override {
    return inner_->GetDeviceDescription();
  }
  Result<DeviceMemory> Allocate(int64_t bytes, int space) override {
    return inner_->Allocate(bytes, space);
  }
  Status Deallocate(DeviceMemory memory) override { return inner_->Deallocate(memory); }
  int64_t AllocatedBytes() const override { return inner_->AllocatedBytes(); }
  Result<std::unique_ptr<Stream>> CreateStream() override {
    HLOCC_TRY_ASSIGN(std::unique_ptr<Stream> stream, inner_->CreateStream());
    return std::unique_ptr<Stream>(new ForgetfulStream(std::move(stream), waits_, events_));
  }
  Result<std::unique_ptr<Event>> CreateEvent() override { return inner_->CreateEvent(); }
  Result<std::unique_ptr<Kernel>> LoadKernel(std::span<const std::byte> code) override {
    return inner_->LoadKernel(code);
  }
  Status SynchronousMemcpyHostToDevice(DeviceMemory to, std::span<const std::byte> from) override {
    return inner_->SynchronousMemcpyHostToDevice(to, from);
  }
  Status SynchronousMemcpyDeviceToHost(std::span<std::byte> to, DeviceMemory from) override {
    return inner_->SynchronousMemcpyDeviceToHost(to, from);
  }
  Status SynchronousMemset(DeviceMemory to, std::byte value) override {
    return inner_->SynchronousMemset(to, value);
  }
  Status SynchronizeAllActivity() override { return inner_->SynchronizeAllActivity(); }

 private:
  std::unique_ptr<StreamExecutor> inner_ = require(start_host(no_code, 1 << 22));
  bool waits_, events_;
};

TEST_CASE("the suite finds streams that don't wait, and events that stay at their first point") {
  ForgetfulExecutor right(true, true);
  CHECK(failed_checks(right, 20).empty());
  ForgetfulExecutor no_waits(false, true);
  CHECK(failed_checks(no_waits, 0).find("events order streams: ") != std::string::npos);
  ForgetfulExecutor no_events(true, false);
  CHECK(failed_checks(no_events, 0).find("events recorded anew: ") != std::string::npos);
}

TEST_CASE("events and kernels of another executor are refused") {
  const auto one = require(start_host(no_code)), other = require(start_host(no_code));
  const auto stream = require(one->CreateStream());
  const auto own = require(one->CreateEvent()), foreign = require(other->CreateEvent());
  CHECK(stream->RecordEvent(*own).ok());
  const Status recorded = stream->RecordEvent(*foreign), waited = stream->WaitFor(*foreign);
  REQUIRE_FALSE(recorded);
  CHECK(recorded.error().message == "an event of another executor");
  CHECK_FALSE(waited);
  const DeviceMemory memory = require(other->Allocate(64));
  CHECK_FALSE(stream->Memset(memory, std::byte{1}));
  CHECK(other->Deallocate(memory).ok());
}

TEST_CASE("what lies side by side is copied, what lies over itself is not") {
  const auto executor = require(start_host(no_code));
  const auto stream = require(executor->CreateStream());
  const DeviceMemory memory = require(executor->Allocate(64));
  const auto copied = [&](int64_t to, int64_t from) {
    return stream->MemcpyDeviceToDevice(memory.Slice(to, 16), memory.Slice(from, 16)).ok();
  };
  CHECK(copied(16, 32));
  CHECK(copied(48, 32));
  CHECK_FALSE(copied(17, 32));
  CHECK_FALSE(copied(47, 32));
  CHECK_FALSE(copied(32, 32));
  CHECK(stream->BlockHostUntilDone().ok());
  CHECK(executor->Deallocate(memory).ok());
}

TEST_CASE("a device whose process dies fails its streams") {
  auto device = require(RemoteDevice::start(std::make_unique<HostMemoryDevice>(64)));
  const pid_t process = device->process();
  const auto executor = MakeStreamExecutor({"remote", {{"memory", 1 << 20, 64}}},
                                           std::shared_ptr<SimpleDevice>(std::move(device)));
  const DeviceMemory memory = require(executor->Allocate(64));
  CHECK(executor->SynchronousMemset(memory, std::byte{1}).ok());
  ::kill(process, SIGSEGV);
  const auto stream = require(executor->CreateStream());
  // The signal takes a moment.
  Status status;
  for (int i = 0; i < 1000 && status.ok(); ++i) {
    const Status given = stream->Memset(memory, std::byte{2});
    CHECK(given.ok());
    status = stream->BlockHostUntilDone();
  }
  REQUIRE_FALSE(status);
  CHECK(status.error().kind == DiagnosticKind::kRun);
  CHECK(status.error().message.find("the device's process ended: signal 11") == 0);
}

TEST_CASE("a remote device's memory is no memory of this process") {
  const auto executor = require(start_remote(no_code));
  const DeviceMemory memory = require(executor->Allocate(64));
  CHECK(executor->SynchronousMemset(memory, std::byte{7}).ok());
  std::vector<std::byte> got(64);
  CHECK(executor->SynchronousMemcpyDeviceToHost(got, memory).ok());
  CHECK(got == std::vector<std::byte>(64, std::byte{7}));
  CHECK(executor->Deallocate(memory).ok());
}

}  // namespace
}  // namespace hlocc::device

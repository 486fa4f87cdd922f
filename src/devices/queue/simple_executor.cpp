// A StreamExecutor on a SimpleDevice: checks, books, and a queue of work a stream.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

#include "devices/queue/memory_book.h"
#include "devices/queue/work_queue.h"
#include "hlocc/device/simple_device.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

// What a point in a stream has come to; shared, so that an event may go before its stream does.
struct EventPoint {
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t recorded = 0, done = 0;
};

class SimpleEvent : public Event {
 public:
  SimpleEvent(const void* owner) : Event(owner) {}
  State PollForStatus() const override {
    const std::lock_guard lock(point->mutex);
    if (point->recorded == 0) return State::kNotRecorded;
    return point->done >= point->recorded ? State::kDone : State::kPending;
  }
  const std::shared_ptr<EventPoint> point = std::make_shared<EventPoint>();
};

class SimpleKernel : public Kernel {
 public:
  SimpleKernel(const void* owner, std::shared_ptr<SimpleDevice> device, uint64_t code)
      : Kernel(owner), device_(std::move(device)), code_(code) {}
  // What cannot be unloaded any more is gone with its device.
  ~SimpleKernel() override { (void)device_->Unload(code_); }
  uint64_t code() const { return code_; }

 private:
  std::shared_ptr<SimpleDevice> device_;
  uint64_t code_;
};

// What the streams of one executor share, and outlive it by if need be.
struct Shared {
  Shared(const DeviceDescription& description, std::shared_ptr<SimpleDevice> simple)
      : book(description.memory_spaces), device(std::move(simple)) {}
  // Memory that was not given back is freed with the last of them.
  ~Shared() {
    for (const uint64_t handle : book.handles()) (void)device->Free(handle);
  }
  MemoryBook book;
  std::shared_ptr<SimpleDevice> device;
  std::mutex mutex;
  std::set<WorkQueue*> queues;
};

Diagnostic foreign(const char* what) {
  return error(DiagnosticKind::kArgument, cat(what, " of another executor"));
}

Status same_size(size_t host, const DeviceMemory& memory) {
  if (static_cast<int64_t>(host) == memory.bytes) return {};
  return error(DiagnosticKind::kArgument, cat("a copy between ", host, " bytes of the host and ",
                                              memory.bytes, " of the device"));
}

class SimpleStream : public Stream {
 public:
  explicit SimpleStream(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {
    const std::lock_guard lock(shared_->mutex);
    shared_->queues.insert(&queue_);
  }
  ~SimpleStream() override {
    const std::lock_guard lock(shared_->mutex);
    shared_->queues.erase(&queue_);
  }

  Status MemcpyHostToDevice(DeviceMemory to, std::span<const std::byte> from) override {
    HLOCC_TRY(same_size(from.size(), to));
    return add({&to, 1}, [device = device(), to, from] { return device->Write(to, from); });
  }
  Status MemcpyDeviceToHost(std::span<std::byte> to, DeviceMemory from) override {
    HLOCC_TRY(same_size(to.size(), from));
    return add({&from, 1}, [device = device(), to, from] { return device->Read(to, from); });
  }
  Status MemcpyDeviceToDevice(DeviceMemory to, DeviceMemory from) override {
    if (to.bytes != from.bytes)
      return error(DiagnosticKind::kArgument,
                   cat("a copy between ", from.bytes, " and ", to.bytes, " bytes of the device"));
    if (to.handle == from.handle && to.offset < from.offset + from.bytes &&
        from.offset < to.offset + to.bytes)
      return error(DiagnosticKind::kArgument, "a copy over itself");
    const DeviceMemory both[] = {to, from};
    return add(both, [device = device(), to, from] { return device->Copy(to, from); });
  }
  Status Memset(DeviceMemory to, std::byte value) override {
    return add({&to, 1}, [device = device(), to, value] { return device->Fill(to, value); });
  }
  Status Launch(Kernel& kernel, std::span<const DeviceMemory> buffers,
                std::span<const int64_t> integers) override {
    if (kernel.owner() != shared_.get()) return foreign("a kernel");
    const uint64_t code = static_cast<SimpleKernel&>(kernel).code();
    return add(buffers, [device = device(), code,
                         operands = std::vector<DeviceMemory>(buffers.begin(), buffers.end()),
                         numbers = std::vector<int64_t>(integers.begin(), integers.end())] {
      return device->Launch(code, operands, numbers);
    });
  }

  Status RecordEvent(Event& event) override {
    if (event.owner() != shared_.get()) return foreign("an event");
    const std::shared_ptr<EventPoint> point = static_cast<SimpleEvent&>(event).point;
    uint64_t number;
    {
      const std::lock_guard lock(point->mutex);
      number = ++point->recorded;
    }
    queue_.add({.body = [point, number]() -> Status {
                  const std::lock_guard lock(point->mutex);
                  point->done = std::max(point->done, number);
                  point->changed.notify_all();
                  return {};
                },
                .after = nullptr,
                .always = true});
    return {};
  }
  Status WaitFor(const Event& event) override {
    if (event.owner() != shared_.get()) return foreign("an event");
    const std::shared_ptr<EventPoint> point = static_cast<const SimpleEvent&>(event).point;
    uint64_t number;
    {
      const std::lock_guard lock(point->mutex);
      number = point->recorded;
    }
    if (number == 0)
      return error(DiagnosticKind::kArgument,
                   "a stream would wait for an event without end: it "
                   "was never recorded");
    queue_.add({.body = [point, number]() -> Status {
                  std::unique_lock lock(point->mutex);
                  point->changed.wait(lock, [&] { return point->done >= number; });
                  return {};
                },
                .after = nullptr});
    return {};
  }

  Status DoHostCallback(std::function<Status()> callback,
                        std::span<const DeviceMemory> memory) override {
    return add(memory, std::move(callback));
  }
  Status BlockHostUntilDone() override { return queue_.wait(); }

 private:
  std::shared_ptr<SimpleDevice> device() const { return shared_->device; }

  Status add(std::span<const DeviceMemory> memories, std::function<Status()> body) {
    HLOCC_TRY(shared_->book.use(memories));
    queue_.add({.body = std::move(body),
                .after = [shared = shared_.get(),
                          held = std::vector<DeviceMemory>(memories.begin(), memories.end())] {
                  shared->book.done(held);
                }});
    return {};
  }

  std::shared_ptr<Shared> shared_;
  WorkQueue queue_;  // goes first: its work needs what is above
};

class SimpleExecutor : public StreamExecutor {
 public:
  SimpleExecutor(DeviceDescription description, std::shared_ptr<SimpleDevice> device)
      : description_(std::move(description)),
        shared_(std::make_shared<Shared>(description_, std::move(device))) {}

  const DeviceDescription& GetDeviceDescription() const override { return description_; }

  Result<DeviceMemory> Allocate(int64_t bytes, int memory_space) override {
    HLOCC_TRY(shared_->book.reserve(bytes, memory_space));
    const Result<uint64_t> handle = shared_->device->Allocate(bytes, memory_space);
    if (!handle) {
      shared_->book.give_up(bytes, memory_space);
      return handle.error();
    }
    const DeviceMemory memory{*handle, 0, bytes, memory_space};
    shared_->book.enter(memory);
    return memory;
  }
  Status Deallocate(DeviceMemory memory) override {
    HLOCC_TRY(shared_->book.remove(memory));
    return shared_->device->Free(memory.handle);
  }
  int64_t AllocatedBytes() const override { return shared_->book.allocated(); }

  Result<std::unique_ptr<Stream>> CreateStream() override {
    return std::unique_ptr<Stream>(new SimpleStream(shared_));
  }
  Result<std::unique_ptr<Event>> CreateEvent() override {
    return std::unique_ptr<Event>(new SimpleEvent(shared_.get()));
  }
  Result<std::unique_ptr<Kernel>> LoadKernel(std::span<const std::byte> code) override {
    HLOCC_TRY_ASSIGN(const uint64_t loaded, shared_->device->Load(code));
    return std::unique_ptr<Kernel>(new SimpleKernel(shared_.get(), shared_->device, loaded));
  }

  Status SynchronousMemcpyHostToDevice(DeviceMemory to, std::span<const std::byte> from) override {
    HLOCC_TRY(same_size(from.size(), to));
    HLOCC_TRY(shared_->book.check(to));
    return shared_->device->Write(to, from);
  }
  Status SynchronousMemcpyDeviceToHost(std::span<std::byte> to, DeviceMemory from) override {
    HLOCC_TRY(same_size(to.size(), from));
    HLOCC_TRY(shared_->book.check(from));
    return shared_->device->Read(to, from);
  }
  Status SynchronousMemset(DeviceMemory to, std::byte value) override {
    HLOCC_TRY(shared_->book.check(to));
    return shared_->device->Fill(to, value);
  }
  Status SynchronizeAllActivity() override {
    const std::lock_guard lock(shared_->mutex);
    Status all;
    for (WorkQueue* queue : shared_->queues)
      if (Status one = queue->wait(); all.ok() && !one.ok()) all = std::move(one);
    return all;
  }

 private:
  DeviceDescription description_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace

std::unique_ptr<StreamExecutor> MakeStreamExecutor(DeviceDescription description,
                                                   std::shared_ptr<SimpleDevice> device) {
  return std::unique_ptr<StreamExecutor>(
      new SimpleExecutor(std::move(description), std::move(device)));
}

Result<uint64_t> SimpleDevice::Load(std::span<const std::byte>) {
  return error(DiagnosticKind::kUnsupported, "this device loads no code");
}
Status SimpleDevice::Unload(uint64_t) { return {}; }
Status SimpleDevice::Launch(uint64_t, std::span<const DeviceMemory>, std::span<const int64_t>) {
  return error(DiagnosticKind::kUnsupported, "this device launches no code");
}

Result<uint64_t> HostMemoryDevice::Allocate(int64_t bytes, int) {
  const int64_t size = (std::max<int64_t>(bytes, 1) + alignment_ - 1) / alignment_ * alignment_;
  void* memory = std::aligned_alloc(static_cast<size_t>(alignment_), static_cast<size_t>(size));
  if (memory == nullptr)
    return error(DiagnosticKind::kLimit, cat("out of memory: ", bytes, " bytes wanted"));
  return reinterpret_cast<uint64_t>(memory);
}
Status HostMemoryDevice::Free(uint64_t handle) {
  std::free(reinterpret_cast<void*>(handle));
  return {};
}
Status HostMemoryDevice::Write(const DeviceMemory& to, std::span<const std::byte> from) {
  if (!from.empty()) std::memcpy(Address(to), from.data(), from.size());
  return {};
}
Status HostMemoryDevice::Read(std::span<std::byte> to, const DeviceMemory& from) {
  if (!to.empty()) std::memcpy(to.data(), Address(from), to.size());
  return {};
}
Status HostMemoryDevice::Copy(const DeviceMemory& to, const DeviceMemory& from) {
  if (to.bytes > 0) std::memcpy(Address(to), Address(from), static_cast<size_t>(to.bytes));
  return {};
}
Status HostMemoryDevice::Fill(const DeviceMemory& to, std::byte value) {
  if (to.bytes > 0)
    std::memset(Address(to), static_cast<int>(value), static_cast<size_t>(to.bytes));
  return {};
}

}  // namespace hlocc::device

// StreamExecutor: one device as the host sees it. It hands out memory, streams, events and loaded
// code. Names and meaning are XLA's (xla/stream_executor); errors are values.
//
// Threads: an executor may be called by any number of threads at once; one Stream, Event or Kernel
// by one thread at a time. Ownership: streams, events and kernels are the caller's and must go
// before their executor does; memory is the caller's from Allocate to Deallocate.
#ifndef HLOCC_DEVICE_STREAM_EXECUTOR_H_
#define HLOCC_DEVICE_STREAM_EXECUTOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hlocc/device/device_memory.h"
#include "support/result.h"

namespace hlocc::device {

struct MemorySpace {
  std::string name;
  int64_t bytes = 0;      // that can be allocated in all
  int64_t alignment = 1;  // of every allocation, in bytes
};

struct DeviceDescription {
  std::string name;                        // of the device, for messages: "host", "npu 0"
  std::vector<MemorySpace> memory_spaces;  // at least one; number 0 is the usual one
};

// A point in a stream's work. Recorded anew, it stands for the later point.
class Event {
 public:
  enum class State : uint8_t { kNotRecorded, kPending, kDone };
  explicit Event(const void* owner) : owner_(owner) {}
  virtual ~Event() = default;
  virtual State PollForStatus() const = 0;
  // Tells the events of one executor from those of another.
  const void* owner() const { return owner_; }

 private:
  const void* owner_;
};

// Code that lies in the device, ready to be launched.
class Kernel {
 public:
  explicit Kernel(const void* owner) : owner_(owner) {}
  virtual ~Kernel() = default;
  const void* owner() const { return owner_; }  // as an event's

 private:
  const void* owner_;
};

// Work that a device does in the order in which it was given. Every function but the last returns
// at once; what it was given must stay alive until the work is done. Misuse that can be seen at
// once (memory that is not the executor's or has been given back, a range outside of its
// allocation, an event that was never recorded) is a diagnostic (kArgument) and leaves the stream
// as it was. When work fails later (kRun), all that follows in the stream is left out, and
// BlockHostUntilDone says why; the stream stays failed.
// A stream that is destroyed finishes its work first.
class Stream {
 public:
  virtual ~Stream() = default;
  // `from` and `to` have as many bytes as the device memory.
  virtual Status MemcpyHostToDevice(DeviceMemory to, std::span<const std::byte> from) = 0;
  virtual Status MemcpyDeviceToHost(std::span<std::byte> to, DeviceMemory from) = 0;
  // Of one executor; the ranges do not overlap.
  virtual Status MemcpyDeviceToDevice(DeviceMemory to, DeviceMemory from) = 0;
  virtual Status Memset(DeviceMemory to, std::byte value) = 0;
  // What the kernel makes of buffers and integers is its compiler's affair.
  virtual Status Launch(Kernel& kernel, std::span<const DeviceMemory> buffers,
                        std::span<const int64_t> integers) = 0;
  // The event is done when all that the stream has been given so far is.
  virtual Status RecordEvent(Event& event) = 0;
  // What the stream is given from now on begins when the event, as it was last recorded, is done.
  virtual Status WaitFor(const Event& event) = 0;
  // Called when all before is done, on whichever thread does the stream's work. It may not use the
  // stream. If it fails the stream does. `memory`: what it touches, which counts as in use until
  // then.
  virtual Status DoHostCallback(std::function<Status()> callback,
                                std::span<const DeviceMemory> memory = {}) = 0;
  // Returns when all is done: whether all of it worked.
  virtual Status BlockHostUntilDone() = 0;
};

class StreamExecutor {
 public:
  virtual ~StreamExecutor() = default;
  virtual const DeviceDescription& GetDeviceDescription() const = 0;

  // `bytes` bytes, aligned as the memory space says; what they hold is not defined. 0 bytes are an
  // allocation too. Out of memory is a diagnostic (kLimit) that says what is left.
  virtual Result<DeviceMemory> Allocate(int64_t bytes, int memory_space = 0) = 0;
  // The whole allocation. A diagnostic (kArgument) if it is none, was given back already, or a
  // stream has work for it that is not done.
  virtual Status Deallocate(DeviceMemory memory) = 0;
  // Bytes allocated now, in all memory spaces.
  virtual int64_t AllocatedBytes() const = 0;

  virtual Result<std::unique_ptr<Stream>> CreateStream() = 0;
  virtual Result<std::unique_ptr<Event>> CreateEvent() = 0;
  // `code`: in the form that the platform's compiler makes.
  virtual Result<std::unique_ptr<Kernel>> LoadKernel(std::span<const std::byte> code) = 0;

  // At once, whatever the streams do: they are not waited for.
  virtual Status SynchronousMemcpyHostToDevice(DeviceMemory to,
                                               std::span<const std::byte> from) = 0;
  virtual Status SynchronousMemcpyDeviceToHost(std::span<std::byte> to, DeviceMemory from) = 0;
  virtual Status SynchronousMemset(DeviceMemory to, std::byte value) = 0;
  // Returns when all streams have done what they were given; the failure of one that failed.
  virtual Status SynchronizeAllActivity() = 0;
};

}  // namespace hlocc::device

#endif  // HLOCC_DEVICE_STREAM_EXECUTOR_H_

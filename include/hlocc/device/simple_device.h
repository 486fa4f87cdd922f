// A StreamExecutor from a few plain functions: for devices that have no streams of their own. It
// keeps the books of memory (bounds, limits, misuse, what is in use), and gives each stream a
// thread that does one thing after the other. The platforms of this house and the examples stand on
// it.
#ifndef HLOCC_DEVICE_SIMPLE_DEVICE_H_
#define HLOCC_DEVICE_SIMPLE_DEVICE_H_

#include "hlocc/device/stream_executor.h"

namespace hlocc::device {

// Called by the threads of all streams at once. Ranges have been checked: they lie in allocations
// that are there. Handles are the device's own and not 0; a failure is a diagnostic (kRun).
class SimpleDevice {
 public:
  virtual ~SimpleDevice() = default;
  virtual Result<uint64_t> Allocate(int64_t bytes, int memory_space) = 0;
  virtual Status Free(uint64_t handle) = 0;
  virtual Status Write(const DeviceMemory& to, std::span<const std::byte> from) = 0;
  virtual Status Read(std::span<std::byte> to, const DeviceMemory& from) = 0;
  virtual Status Copy(const DeviceMemory& to, const DeviceMemory& from) = 0;
  virtual Status Fill(const DeviceMemory& to, std::byte value) = 0;
  // Without code of its own a device leaves these: kUnsupported.
  virtual Result<uint64_t> Load(std::span<const std::byte> code);
  virtual Status Unload(uint64_t code);
  virtual Status Launch(uint64_t code, std::span<const DeviceMemory> buffers,
                        std::span<const int64_t> integers);
};

// Memory of this process, `alignment` bytes aligned; handles are addresses.
class HostMemoryDevice : public SimpleDevice {
 public:
  explicit HostMemoryDevice(int64_t alignment) : alignment_(alignment) {}
  Result<uint64_t> Allocate(int64_t bytes, int memory_space) override;
  Status Free(uint64_t handle) override;
  Status Write(const DeviceMemory& to, std::span<const std::byte> from) override;
  Status Read(std::span<std::byte> to, const DeviceMemory& from) override;
  Status Copy(const DeviceMemory& to, const DeviceMemory& from) override;
  Status Fill(const DeviceMemory& to, std::byte value) override;
  // Where it lies; for code that runs in this process on behalf of the device.
  static std::byte* Address(const DeviceMemory& memory) {
    return reinterpret_cast<std::byte*>(memory.handle) + memory.offset;
  }

 private:
  int64_t alignment_;
};

// Memory that is not given back is freed when the executor goes.
std::unique_ptr<StreamExecutor> MakeStreamExecutor(DeviceDescription description,
                                                   std::shared_ptr<SimpleDevice> device);

}  // namespace hlocc::device

#endif  // HLOCC_DEVICE_SIMPLE_DEVICE_H_

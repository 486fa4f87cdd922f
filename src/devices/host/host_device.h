// The host as a device: memory of this process, and HostCode as what is loaded and launched. A
// launch's buffers are the arguments, then the results.
#pragma once
#include <map>
#include <mutex>

#include "devices/host/host_program.h"
#include "hlocc/device/simple_device.h"

namespace hlocc::device {

class HostDevice : public HostMemoryDevice {
 public:
  explicit HostDevice(LinkObject link) : HostMemoryDevice(kAlignment), link_(std::move(link)) {}
  static constexpr int64_t kAlignment = 64;

  Result<uint64_t> Load(std::span<const std::byte> code) override;
  Status Unload(uint64_t code) override;
  Status Launch(uint64_t code, std::span<const DeviceMemory> buffers,
                std::span<const int64_t> integers) override;

 private:
  LinkObject link_;
};

}  // namespace hlocc::device

// A piece of a device's memory. Opaque: the host may neither read it nor reckon with the handle;
// bytes come and go by the copies of a Stream or a StreamExecutor.
#ifndef HLOCC_DEVICE_DEVICE_MEMORY_H_
#define HLOCC_DEVICE_DEVICE_MEMORY_H_

#include <cstdint>

namespace hlocc::device {

struct DeviceMemory {
  uint64_t handle = 0;  // of the allocation, as its executor numbers them; 0: none
  int64_t offset = 0;   // in bytes from the start of the allocation
  int64_t bytes = 0;
  int memory_space = 0;  // index into DeviceDescription::memory_spaces

  // `bytes` bytes of it from `from` on. Nothing is checked here, but where it is used.
  DeviceMemory Slice(int64_t from, int64_t size) const {
    return {handle, offset + from, size, memory_space};
  }
  bool operator==(const DeviceMemory&) const = default;
};

}  // namespace hlocc::device

#endif  // HLOCC_DEVICE_DEVICE_MEMORY_H_

// TransferManager: literals to and from device memory. Literals are row-major in the host's byte
// order; a leaf in device memory lies as its shape's layout says, packed where the layout packs.
// The class as it stands serves every device whose elements are little-endian and lie like that;
// others override the two functions on one leaf.
#ifndef HLOCC_DEVICE_TRANSFER_MANAGER_H_
#define HLOCC_DEVICE_TRANSFER_MANAGER_H_

#include <vector>

#include "hlo/literal.h"
#include "hlocc/device/stream_executor.h"

namespace hlocc::device {

class TransferManager {
 public:
  virtual ~TransferManager() = default;

  // Bytes of one leaf in device memory. `shape` is an array.
  virtual int64_t GetByteSizeRequirement(const hlo::Shape& shape) const;
  // The bytes of a leaf as they lie in device memory, and back.
  virtual std::vector<std::byte> ToDeviceLayout(const hlo::Literal& leaf,
                                                const hlo::Shape& shape) const;
  virtual hlo::Literal FromDeviceLayout(std::span<const std::byte> bytes,
                                        const hlo::Shape& shape) const;

  // One allocation a leaf; none is left behind when one fails.
  Result<std::vector<DeviceMemory>> AllocateBuffers(StreamExecutor& executor,
                                                    std::span<const hlo::Shape> leaves) const;

  // A literal, tuples too, into one memory a leaf; returns at once, and keeps the bytes that it
  // sends. kArgument if literal, shapes and memories do not fit.
  Status TransferLiteralToDeviceAsync(Stream& stream, const hlo::Literal& literal,
                                      std::span<const hlo::Shape> leaves,
                                      std::span<const DeviceMemory> memories) const;
  // Waits for the stream. `shape`: the tree of tuples that the leaves become.
  Result<hlo::Literal> TransferLiteralFromDevice(Stream& stream, const hlo::Shape& shape,
                                                 std::span<const hlo::Shape> leaves,
                                                 std::span<const DeviceMemory> memories) const;

  // There is no infeed or outfeed: a diagnostic (kUnsupported).
  virtual Status TransferLiteralToInfeed(StreamExecutor& executor,
                                         const hlo::Literal& literal) const;
  virtual Result<hlo::Literal> TransferLiteralFromOutfeed(StreamExecutor& executor,
                                                          const hlo::Shape& shape) const;
};

}  // namespace hlocc::device

#endif  // HLOCC_DEVICE_TRANSFER_MANAGER_H_

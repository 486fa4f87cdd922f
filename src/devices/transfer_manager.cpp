// See hlocc/device/transfer_manager.h.
#include "hlocc/device/transfer_manager.h"

#include "devices/memory_image.h"
#include "kernel/program.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

Status check_leaf(const hlo::Literal& leaf, const hlo::Shape& shape, size_t index) {
  if (leaf.type() == shape.element_type && same_dimensions(leaf.shape(), shape)) return {};
  return error(DiagnosticKind::kArgument,
               cat("argument ", index, " is ", leaf.shape(), ", the model takes ", shape));
}

Status check_counts(size_t leaves, size_t shapes, size_t memories) {
  if (shapes == memories && leaves == shapes) return {};
  return error(DiagnosticKind::kArgument, cat("got ", leaves, " arguments, the model takes ",
                                              shapes, " (", memories, " device buffers)"));
}

}  // namespace

int64_t TransferManager::GetByteSizeRequirement(const hlo::Shape& shape) const {
  return kernel::Leaf{.shape = shape}.bytes();
}

std::vector<std::byte> TransferManager::ToDeviceLayout(const hlo::Literal& leaf,
                                                       const hlo::Shape& shape) const {
  return to_memory(leaf, shape, ByteOrder::kLittle);
}

hlo::Literal TransferManager::FromDeviceLayout(std::span<const std::byte> bytes,
                                               const hlo::Shape& shape) const {
  return from_memory(bytes, shape, ByteOrder::kLittle);
}

Result<std::vector<DeviceMemory>> TransferManager::AllocateBuffers(
    StreamExecutor& executor, std::span<const hlo::Shape> leaves) const {
  std::vector<DeviceMemory> memories;
  for (const hlo::Shape& leaf : leaves) {
    Result<DeviceMemory> memory = executor.Allocate(GetByteSizeRequirement(leaf));
    if (!memory) {
      for (const DeviceMemory& held : memories) HLOCC_TRY(executor.Deallocate(held));
      return std::move(memory).error();
    }
    memories.push_back(*memory);
  }
  return memories;
}

Status TransferManager::TransferLiteralToDeviceAsync(Stream& stream, const hlo::Literal& literal,
                                                     std::span<const hlo::Shape> leaves,
                                                     std::span<const DeviceMemory> memories) const {
  const std::vector<hlo::Literal> values = hlo::leaves(literal);
  HLOCC_TRY(check_counts(values.size(), leaves.size(), memories.size()));
  for (size_t i = 0; i < values.size(); ++i) HLOCC_TRY(check_leaf(values[i], leaves[i], i));
  for (size_t i = 0; i < values.size(); ++i) {
    const auto bytes =
        std::make_shared<const std::vector<std::byte>>(ToDeviceLayout(values[i], leaves[i]));
    HLOCC_TRY(stream.MemcpyHostToDevice(memories[i], *bytes));
    // Held until the copy is done.
    HLOCC_TRY(stream.DoHostCallback([bytes] { return Status(); }));
  }
  return {};
}

Result<hlo::Literal> TransferManager::TransferLiteralFromDevice(
    Stream& stream, const hlo::Shape& shape, std::span<const hlo::Shape> leaves,
    std::span<const DeviceMemory> memories) const {
  HLOCC_TRY(check_counts(leaves.size(), leaves.size(), memories.size()));
  std::vector<std::vector<std::byte>> bytes(leaves.size());
  for (size_t i = 0; i < leaves.size(); ++i)
    bytes[i].resize(static_cast<size_t>(GetByteSizeRequirement(leaves[i])));
  Status status;
  for (size_t i = 0; i < leaves.size() && status.ok(); ++i)
    status = stream.MemcpyDeviceToHost(bytes[i], memories[i]);
  // Also after a failure: copies that were begun write into `bytes`.
  Status done = stream.BlockHostUntilDone();
  HLOCC_TRY(std::move(status));
  HLOCC_TRY(std::move(done));
  std::vector<hlo::Literal> values;
  for (size_t i = 0; i < leaves.size(); ++i)
    values.push_back(FromDeviceLayout(bytes[i], leaves[i]));
  return hlo::unflatten(shape, values);
}

Status TransferManager::TransferLiteralToInfeed(StreamExecutor& executor,
                                                const hlo::Literal&) const {
  return error(DiagnosticKind::kUnsupported,
               cat(executor.GetDeviceDescription().name, " has no infeed"))
      .note("make the values arguments of the model");
}

Result<hlo::Literal> TransferManager::TransferLiteralFromOutfeed(StreamExecutor& executor,
                                                                 const hlo::Shape&) const {
  return error(DiagnosticKind::kUnsupported,
               cat(executor.GetDeviceDescription().name, " has no outfeed"))
      .note("make the values results of the model");
}

}  // namespace hlocc::device

// See vulkan_device.h. A loaded program's number is its address.
#include "devices/vulkan/vulkan_device.h"

#include <cstring>
#include <mutex>

#include "hlocc/device/simple_device.h"
#include "hlocc_vulkan_program.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

constexpr int64_t kVulkanAlignment = 64, kVulkanMemory = int64_t{1} << 40;

Diagnostic failed(int32_t code, const std::string& device) {
  const std::string what = hlocc_vk_error_name(code);
  switch (code) {
    case HLOCC_VULKAN_NO_DRIVER:
    case HLOCC_VULKAN_NO_DEVICE:
      return error(DiagnosticKind::kMissingTool, "no Vulkan device")
          .note(cat(what, ": a driver that libvulkan.so.1 finds is needed"));
    case HLOCC_VULKAN_LACKS: return error(DiagnosticKind::kUnsupported, cat(device, ": ", what));
    case HLOCC_VULKAN_MEMORY: return error(DiagnosticKind::kLimit, cat(device, ": ", what));
    default: return error(DiagnosticKind::kRun, cat(device, ": ", what));
  }
}

// Moved nowhere: the program points at its table.
struct LoadedTable {
  std::vector<uint32_t> table;
  hlocc_vk_program program = {};
};

class VulkanDevice : public HostMemoryDevice {
 public:
  VulkanDevice() : HostMemoryDevice(kVulkanAlignment) {}
  ~VulkanDevice() override { hlocc_vk_close_device(&device_); }

  Status start() {
    const int32_t code = hlocc_vk_open_device(&device_);
    if (code != 0) return failed(code, "");
    return {};
  }
  std::string name() const { return device_.properties.name; }
  const GpuDevice& row() const {
    return gpu_of(device_.properties.device_type == HLOCC_VK_PROCESSOR, device_.properties.vendor);
  }

  Result<uint64_t> Load(std::span<const std::byte> code) override {
    auto loaded = std::make_unique<LoadedTable>();
    loaded->table.resize(code.size() / sizeof(uint32_t));
    if (loaded->table.size() < HLOCC_TABLE_HEAD_SIZE) return failed(HLOCC_VULKAN_TABLE, name());
    std::memcpy(loaded->table.data(), code.data(), loaded->table.size() * sizeof(uint32_t));
    const std::lock_guard lock(mutex_);
    const int32_t status =
        hlocc_vk_open_program(&loaded->program, &device_, loaded->table.data(), nullptr, 0);
    if (status != 0) return failed(status, name());
    return reinterpret_cast<uint64_t>(loaded.release());
  }

  Status Unload(uint64_t code) override {
    const std::unique_ptr<LoadedTable> loaded(reinterpret_cast<LoadedTable*>(code));
    const std::lock_guard lock(mutex_);
    hlocc_vk_close_program(&loaded->program);
    return {};
  }

  Status Launch(uint64_t code, std::span<const DeviceMemory> buffers,
                std::span<const int64_t>) override {
    LoadedTable& loaded = *reinterpret_cast<LoadedTable*>(code);
    const uint32_t arguments = loaded.table[HLOCC_TABLE_HEAD_ARGUMENTS];
    const uint32_t results = loaded.table[HLOCC_TABLE_HEAD_RESULTS];
    if (buffers.size() != size_t{arguments} + results)
      return error(DiagnosticKind::kArgument, "a launch with too few buffers");
    const std::lock_guard lock(mutex_);
    for (uint32_t i = 0; i < arguments; ++i)
      std::memcpy(hlocc_vk_bytes(&loaded.program, HLOCC_TABLE_HEAD_ARGUMENTS, i),
                  Address(buffers[i]), static_cast<size_t>(buffers[i].bytes));
    const int32_t status = hlocc_vk_run_program(&loaded.program);
    if (status != 0) return failed(status, name());
    for (uint32_t i = 0; i < results; ++i) {
      const DeviceMemory& to = buffers[arguments + i];
      std::memcpy(Address(to), hlocc_vk_bytes(&loaded.program, HLOCC_TABLE_HEAD_RESULTS, i),
                  static_cast<size_t>(to.bytes));
    }
    return {};
  }

 private:
  hlocc_vk_device device_ = {};
  std::mutex mutex_;  // the device takes one thread at a time
};

}  // namespace

Result<StartedVulkan> start_vulkan() {
  auto device = std::make_shared<VulkanDevice>();
  HLOCC_TRY(device->start());
  const std::string name = device->name();
  const GpuDevice& row = device->row();
  return StartedVulkan{
      MakeStreamExecutor({name, {{"memory", kVulkanMemory, kVulkanAlignment}}}, std::move(device)),
      &row};
}

}  // namespace hlocc::device

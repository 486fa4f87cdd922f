// See device_hooks.h. Drivers written before open and close were there go on as they were: to open
// succeeds, and has done nothing.
#include "backends/common/device_hooks.h"

#include <algorithm>
#include <array>

#include "backends/common/run_checks.h"
#include "support/check.h"

namespace hlocc::backends {
namespace {

constexpr std::array kDeviceHooks = {
    DeviceHook{"hlocc_device_open", "int32_t",
               "void *instance, const char *const *parts, const void *const *data, "
               "const size_t *bytes, int32_t count, size_t device_bytes"},
    DeviceHook{"hlocc_device_close", "void", "void *instance"},
    DeviceHook{"hlocc_device_error_msg", "const char *", "int32_t code"},
    DeviceHook{"hlocc_device_put", "int32_t",
               "void *instance, int32_t queue, int32_t memory, size_t offset, const void *from, "
               "size_t bytes",
               kErrorDevice},
    DeviceHook{"hlocc_device_get", "int32_t",
               "void *instance, int32_t queue, int32_t memory, size_t offset, void *to, "
               "size_t bytes",
               kErrorDevice},
    DeviceHook{"hlocc_device_submit", "int32_t",
               "void *instance, int32_t queue, int32_t memory, const char *part, "
               "const size_t *offsets, int32_t operands, int32_t results",
               kErrorDevice},
    DeviceHook{"hlocc_device_wait", "int32_t", "void *instance, int32_t queue", kErrorDevice},
    DeviceHook{"hlocc_device_clean", "void", "const void *from, size_t bytes"},
    DeviceHook{"hlocc_device_invalidate", "void", "void *from, size_t bytes"},
};

}  // namespace

std::span<const DeviceHook> device_hooks() { return kDeviceHooks; }

const DeviceHook& device_hook_of(std::string_view name) {
  const auto found = std::ranges::find(kDeviceHooks, name, &DeviceHook::name);
  HLOCC_CHECK(found != kDeviceHooks.end(), "no function of hlocc_device.h");
  return *found;
}

}  // namespace hlocc::backends

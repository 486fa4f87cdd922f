// The functions of hlocc_device.h, a row each, as C declares them. A library of a model with parts
// on a device has weak definitions of all of them, for firmwares without a driver, or with one that
// lacks some.
#pragma once
#include <span>
#include <string_view>

namespace hlocc::backends {

struct DeviceHook {
  std::string_view name;        // all of it: hlocc_device_put
  std::string_view result;      // void, int32_t or a pointer
  std::string_view parameters;  // each a type (pointers, int32_t, size_t) and a name
  // What the weak definition returns; a null pointer where the result is one.
  int otherwise = 0;
};

std::span<const DeviceHook> device_hooks();
// That of the name, which there must be.
const DeviceHook& device_hook_of(std::string_view name);

}  // namespace hlocc::backends

// What goes over the sockets of a remote device: a length of 8 bytes, then that many bytes. A
// request begins with what is asked; an answer with 0 and its value, or with 1 and a diagnostic.
#pragma once
#include <memory>

#include "hlocc/device/simple_device.h"

namespace hlocc::device {

enum class RemoteRequest : uint8_t {
  kAllocate,
  kFree,
  kWrite,
  kRead,
  kCopy,
  kFill,
  kLoad,
  kUnload,
  kLaunch
};

// False when the other side is gone.
bool send_message(int socket, std::span<const std::byte> message);
bool receive_message(int socket, std::vector<std::byte>& message);

// Answers requests until the other side is gone.
void serve_device(int socket, SimpleDevice& device);

}  // namespace hlocc::device

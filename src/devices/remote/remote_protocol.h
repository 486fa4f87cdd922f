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

// False when the other side is gone. A message takes memory as its bytes come, whatever its length
// says.
bool send_message(int socket, std::span<const std::byte> message);
bool receive_message(int socket, std::vector<std::byte>& message);

// Of one request; a request that is none, or is cut short, is answered by a diagnostic (kRun).
// Handles of memory and code are the device's own, which takes them as they are.
std::vector<std::byte> answer_request(std::span<const std::byte> request, SimpleDevice& device);
// Answers requests until the other side is gone.
void serve_device(int socket, SimpleDevice& device);

}  // namespace hlocc::device

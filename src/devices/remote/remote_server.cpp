// The device's side of the sockets, and the messages themselves.
#include <sys/socket.h>
#include <unistd.h>

#include "backends/common/wire.h"
#include "devices/remote/remote_protocol.h"

namespace hlocc::device {
namespace {

using backends::Reader;
using backends::Writer;

bool send_all(int socket, const std::byte* data, size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(socket, data, size, MSG_NOSIGNAL);
    if (sent <= 0) {
      if (sent < 0 && errno == EINTR) continue;
      return false;
    }
    data += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, std::byte* data, size_t size) {
  while (size > 0) {
    const ssize_t got = ::read(socket, data, size);
    if (got <= 0) {
      if (got < 0 && errno == EINTR) continue;
      return false;
    }
    data += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

DeviceMemory memory_of(Reader& in) {
  DeviceMemory memory;
  memory.handle = static_cast<uint64_t>(in.number());
  memory.offset = in.number();
  memory.bytes = in.number();
  return memory;
}

std::vector<std::byte> answer(const Status& status) {
  Writer out;
  out.number(status.ok() ? 0 : 1);
  if (!status.ok()) out.diagnostic(status.error());
  return out.take();
}

std::vector<std::byte> answer(const Result<uint64_t>& result) {
  if (!result.ok()) return answer(Status(result.error()));
  Writer out;
  out.number(0);
  out.number(static_cast<int64_t>(*result));
  return out.take();
}

std::vector<std::byte> answer_read(Reader& in, SimpleDevice& device) {
  const DeviceMemory from = memory_of(in);
  std::vector<std::byte> bytes(static_cast<size_t>(from.bytes));
  const Status status = device.Read(bytes, from);
  if (!status.ok()) return answer(status);
  Writer out;
  out.number(0);
  out.bytes(bytes);
  return out.take();
}

std::vector<std::byte> answer_launch(Reader& in, SimpleDevice& device) {
  const uint64_t code = static_cast<uint64_t>(in.number());
  std::vector<DeviceMemory> buffers(static_cast<size_t>(in.number()));
  for (DeviceMemory& buffer : buffers) buffer = memory_of(in);
  std::vector<int64_t> integers(static_cast<size_t>(in.number()));
  for (int64_t& integer : integers) integer = in.number();
  return answer(device.Launch(code, buffers, integers));
}

std::vector<std::byte> answer_request(std::span<const std::byte> request, SimpleDevice& device) {
  Reader in(request);
  switch (static_cast<RemoteRequest>(in.number())) {
    case RemoteRequest::kAllocate: {
      const int64_t bytes = in.number();
      return answer(device.Allocate(bytes, static_cast<int>(in.number())));
    }
    case RemoteRequest::kFree: return answer(device.Free(static_cast<uint64_t>(in.number())));
    case RemoteRequest::kWrite: {
      const DeviceMemory to = memory_of(in);
      return answer(device.Write(to, in.bytes()));
    }
    case RemoteRequest::kRead: return answer_read(in, device);
    case RemoteRequest::kCopy: {
      const DeviceMemory to = memory_of(in);
      return answer(device.Copy(to, memory_of(in)));
    }
    case RemoteRequest::kFill: {
      const DeviceMemory to = memory_of(in);
      return answer(device.Fill(to, static_cast<std::byte>(in.number())));
    }
    case RemoteRequest::kLoad: return answer(device.Load(in.bytes()));
    case RemoteRequest::kUnload: return answer(device.Unload(static_cast<uint64_t>(in.number())));
    case RemoteRequest::kLaunch: return answer_launch(in, device);
  }
  return answer(Status(error(DiagnosticKind::kInternal, "a request that there is not")));
}

}  // namespace

bool send_message(int socket, std::span<const std::byte> message) {
  const uint64_t size = message.size();
  return send_all(socket, reinterpret_cast<const std::byte*>(&size), sizeof size) &&
         send_all(socket, message.data(), message.size());
}

bool receive_message(int socket, std::vector<std::byte>& message) {
  uint64_t size = 0;
  if (!receive_all(socket, reinterpret_cast<std::byte*>(&size), sizeof size)) return false;
  message.resize(size);
  return receive_all(socket, message.data(), message.size());
}

void serve_device(int socket, SimpleDevice& device) {
  std::vector<std::byte> request;
  while (receive_message(socket, request))
    if (!send_message(socket, answer_request(request, device))) return;
}

}  // namespace hlocc::device

// The device's side of the sockets, and the messages themselves.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "backends/common/wire.h"
#include "devices/remote/remote_protocol.h"

namespace hlocc::device {
namespace {

using backends::Reader;
using backends::Writer;

// Memory is taken in such pieces while more is only promised.
constexpr int64_t kPiece = 1 << 20;

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

std::vector<std::byte> damaged() {
  return answer(Status(error(DiagnosticKind::kRun, "the request to the device is damaged")));
}

// Piece by piece: a device that has no such memory says so before room is made for all of it.
std::vector<std::byte> answer_read(const DeviceMemory& from, SimpleDevice& device) {
  std::vector<std::byte> bytes;
  for (int64_t at = 0; at < from.bytes; at = static_cast<int64_t>(bytes.size())) {
    const int64_t piece = std::min(from.bytes - at, kPiece);
    bytes.resize(static_cast<size_t>(at + piece));
    const Status status =
        device.Read(std::span(bytes).subspan(static_cast<size_t>(at)), from.Slice(at, piece));
    if (!status.ok()) return answer(status);
  }
  Writer out;
  out.number(0);
  out.bytes(bytes);
  return out.take();
}

struct Launch {
  uint64_t code = 0;
  std::vector<DeviceMemory> buffers;
  std::vector<int64_t> integers;
};
Launch launch_of(Reader& in) {
  Launch out{static_cast<uint64_t>(in.number()), {}, {}};
  out.buffers.resize(in.count(3 * sizeof(int64_t)));
  for (DeviceMemory& buffer : out.buffers) buffer = memory_of(in);
  out.integers.resize(in.count());
  for (int64_t& integer : out.integers) integer = in.number();
  return out;
}

}  // namespace

// Everything is read before anything is done.
std::vector<std::byte> answer_request(std::span<const std::byte> request, SimpleDevice& device) {
  Reader in(request);
  const auto what = static_cast<RemoteRequest>(in.number());
  const bool has_memory = what == RemoteRequest::kWrite || what == RemoteRequest::kRead ||
                          what == RemoteRequest::kCopy || what == RemoteRequest::kFill;
  const DeviceMemory memory = has_memory ? memory_of(in) : DeviceMemory();
  if (in.failed() || memory.bytes < 0) return damaged();
  switch (what) {
    case RemoteRequest::kAllocate: {
      const int64_t bytes = in.number();
      const int space = static_cast<int>(in.number());
      return in.failed() ? damaged() : answer(device.Allocate(bytes, space));
    }
    case RemoteRequest::kRead: return answer_read(memory, device);
    case RemoteRequest::kWrite: {
      const std::vector<std::byte> bytes = in.bytes();
      const bool fits = !in.failed() && static_cast<int64_t>(bytes.size()) == memory.bytes;
      return fits ? answer(device.Write(memory, bytes)) : damaged();
    }
    case RemoteRequest::kCopy: {
      const DeviceMemory from = memory_of(in);
      const bool fits = !in.failed() && from.bytes == memory.bytes;
      return fits ? answer(device.Copy(memory, from)) : damaged();
    }
    case RemoteRequest::kFill: {
      const auto value = static_cast<std::byte>(in.number());
      return in.failed() ? damaged() : answer(device.Fill(memory, value));
    }
    case RemoteRequest::kLoad: {
      const std::vector<std::byte> code = in.bytes();
      return in.failed() ? damaged() : answer(device.Load(code));
    }
    case RemoteRequest::kLaunch: {
      const Launch launch = launch_of(in);
      return in.failed() ? damaged()
                         : answer(device.Launch(launch.code, launch.buffers, launch.integers));
    }
    case RemoteRequest::kFree:
    case RemoteRequest::kUnload: {
      const auto handle = static_cast<uint64_t>(in.number());
      if (in.failed()) return damaged();
      return answer(what == RemoteRequest::kFree ? device.Free(handle) : device.Unload(handle));
    }
  }
  return damaged();
}

bool send_message(int socket, std::span<const std::byte> message) {
  const uint64_t size = message.size();
  return send_all(socket, reinterpret_cast<const std::byte*>(&size), sizeof size) &&
         send_all(socket, message.data(), message.size());
}

bool receive_message(int socket, std::vector<std::byte>& message) {
  uint64_t size = 0;
  if (!receive_all(socket, reinterpret_cast<std::byte*>(&size), sizeof size)) return false;
  message.clear();
  for (uint64_t at = 0; at < size; at = message.size()) {
    const uint64_t piece = std::min(size - at, uint64_t{kPiece});
    message.resize(at + piece);
    if (!receive_all(socket, message.data() + at, piece)) return false;
  }
  return true;
}

void serve_device(int socket, SimpleDevice& device) {
  std::vector<std::byte> request;
  while (receive_message(socket, request))
    if (!send_message(socket, answer_request(request, device))) return;
}

}  // namespace hlocc::device

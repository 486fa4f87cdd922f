// A target of what a device's process and its host send each other. The first byte says which side
// reads: requests reach a device of a few bytes, answers are read by each function of the host's
// side.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "backends/common/wire.h"
#include "devices/host/host_code.h"
#include "devices/remote/remote_device.h"
#include "devices/remote/remote_protocol.h"
#include "fuzz/libfuzzer/targets.h"

namespace hlocc::fuzz {
namespace {

using device::DeviceMemory;

// Takes what the books of a StreamExecutor would let through.
class SmallDevice : public device::SimpleDevice {
 public:
  Result<uint64_t> Allocate(int64_t bytes, int) override {
    return bytes == 64 ? Result<uint64_t>(1) : refused();
  }
  Status Free(uint64_t handle) override { return handle == 1 ? Status() : refused(); }
  Status Write(const DeviceMemory& to, std::span<const std::byte> from) override {
    if (!is_there(to)) return refused();
    std::copy(from.begin(), from.end(), bytes_ + to.offset);
    return {};
  }
  Status Read(std::span<std::byte> to, const DeviceMemory& from) override {
    if (!is_there(from)) return refused();
    std::copy_n(bytes_ + from.offset, from.bytes, to.begin());
    return {};
  }
  Status Copy(const DeviceMemory& to, const DeviceMemory& from) override {
    if (!is_there(to) || !is_there(from)) return refused();
    std::memmove(bytes_ + to.offset, bytes_ + from.offset, static_cast<size_t>(from.bytes));
    return {};
  }
  Status Fill(const DeviceMemory& to, std::byte value) override {
    if (!is_there(to)) return refused();
    std::fill_n(bytes_ + to.offset, to.bytes, value);
    return {};
  }
  Result<uint64_t> Load(std::span<const std::byte> code) override {
    HLOCC_TRY_ASSIGN(const device::HostCode host, device::decode_host_code(code));
    return host.object.size();
  }

 private:
  static Diagnostic refused() { return error(DiagnosticKind::kArgument, "no such memory"); }
  bool is_there(const DeviceMemory& memory) const {
    return memory.handle == 1 && memory.offset >= 0 && memory.offset <= 64 && memory.bytes >= 0 &&
           memory.bytes <= 64 - memory.offset;
  }
  std::byte bytes_[64] = {};
};

void answer(Input request) {
  SmallDevice device;
  const std::vector<std::byte> answer = device::answer_request(request, device);
  backends::Reader in(answer);
  const int64_t status = in.number();
  if (status == 1) must_be_sound(in.diagnostic());
  must(!in.failed() && (status == 0 || status == 1), "an answer is whole");
}

// The whole input is what the process sends before it ends.
void ask(int which, Input sent) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  const bool is_sent =
      ::write(ends[1], sent.data(), sent.size()) == static_cast<ssize_t>(sent.size());
  must(is_sent && ::shutdown(ends[1], SHUT_WR) == 0, "a socket takes a small message");
  device::RemoteDevice device(ends[0], std::nullopt);
  std::vector<std::byte> bytes(8);
  const DeviceMemory memory{.handle = 1, .bytes = 8};
  // The seeds' first bytes count from 130.
  switch ((which - 130 + 9) % 9) {
    case 0: (void)device.Read(bytes, memory); break;
    case 1: (void)device.Write(memory, bytes); break;
    case 2: (void)device.Launch(1, {&memory, 1}, {}); break;
    case 3: (void)device.Allocate(8, 0); break;
    case 4: (void)device.Load(bytes); break;
    case 5: (void)device.Free(1); break;
    case 6: (void)device.Copy(memory, memory); break;
    case 7: (void)device.Fill(memory, std::byte{1}); break;
    default: (void)device.Unload(1); break;
  }
  ::close(ends[1]);
}

}  // namespace

void run_device(Input input) {
  if (input.empty()) return;
  const int which = std::to_integer<int>(input[0]);
  if (which < 128)
    answer(input.subspan(1));
  else
    ask(which, input.subspan(1));
}

}  // namespace hlocc::fuzz

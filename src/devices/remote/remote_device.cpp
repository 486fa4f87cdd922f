// The host's side of a remote device.
#include "devices/remote/remote_device.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "devices/host/host_device.h"
#include "devices/host/host_platform.h"
#include "devices/remote/remote_protocol.h"
#include "support/check.h"
#include "support/environment.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

using backends::Reader;
using backends::Writer;

Writer request(RemoteRequest what) {
  Writer out;
  out.number(static_cast<int64_t>(what));
  return out;
}

void write_memory(Writer& out, const DeviceMemory& memory) {
  out.number(static_cast<int64_t>(memory.handle));
  out.number(memory.offset);
  out.number(memory.bytes);
}

// A process whose end of the sockets is closed is ending, or ends now.
std::string how_it_ended(pid_t process) {
  int status = 0;
  ::kill(process, SIGKILL);
  while (::waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return "it no longer answers";
  if (WIFSIGNALED(status))
    return cat("signal ", WTERMSIG(status), " (", ::strsignal(WTERMSIG(status)), ")");
  return cat("exit code ", WEXITSTATUS(status));
}

Diagnostic damaged_answer() {
  return error(DiagnosticKind::kRun, "the answer of the device's process is damaged");
}

}  // namespace

RemoteDevice::RemoteDevice(int socket, std::optional<pid_t> process)
    : socket_(socket), process_(process) {
  HLOCC_CHECK(!process || *process > 0, "0 and -1 are groups of processes for kill");
}

Result<std::unique_ptr<RemoteDevice>> RemoteDevice::start(std::unique_ptr<SimpleDevice> device) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return environment_error("no sockets for the device");
  const pid_t process = ::fork();
  if (process < 0) {
    const int cause = errno;
    for (const int end : ends) ::close(end);
    return environment_error("no process for the device", cause);
  }
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Handlers of this process's host are not the device's.
    for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTERM, SIGINT})
      ::signal(number, SIG_DFL);
    ::close(ends[0]);
    serve_device(ends[1], *device);
    ::_exit(0);
  }
  ::close(ends[1]);
  return std::unique_ptr<RemoteDevice>(new RemoteDevice(ends[0], process));
}

RemoteDevice::~RemoteDevice() {
  ::close(socket_);
  if (!process_) return;
  // It ends when it finds the socket closed; code of a model that hangs does not find out.
  ::kill(*process_, SIGKILL);
  ::waitpid(*process_, nullptr, 0);
}

Result<std::vector<std::byte>> RemoteDevice::ask(Writer request) {
  const std::lock_guard lock(mutex_);
  std::vector<std::byte> answer;
  if (!send_message(socket_, request.take()) || !receive_message(socket_, answer)) {
    if (process_) {
      end_ = how_it_ended(*process_);
      process_.reset();
    }
    return error(DiagnosticKind::kRun, cat("the device's process ended: ", end_));
  }
  Reader in(answer);
  const int64_t status = in.number();
  if (status == 1) {
    Diagnostic why = in.diagnostic();
    if (!in.failed()) return why;
  }
  if (status != 0 || in.failed()) return damaged_answer();
  return answer;
}

Result<uint64_t> RemoteDevice::ask_for_number(Writer request) {
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> answer, ask(std::move(request)));
  Reader in(answer);
  (void)in.number();
  const auto number = static_cast<uint64_t>(in.number());
  if (in.failed()) return damaged_answer();
  return number;
}

Status RemoteDevice::ask_for_nothing(Writer request) {
  const Result<std::vector<std::byte>> answer = ask(std::move(request));
  return answer.ok() ? Status() : Status(answer.error());
}

Result<uint64_t> RemoteDevice::Allocate(int64_t bytes, int memory_space) {
  Writer out = request(RemoteRequest::kAllocate);
  out.number(bytes);
  out.number(memory_space);
  return ask_for_number(std::move(out));
}
Status RemoteDevice::Free(uint64_t handle) {
  Writer out = request(RemoteRequest::kFree);
  out.number(static_cast<int64_t>(handle));
  return ask_for_nothing(std::move(out));
}
Status RemoteDevice::Write(const DeviceMemory& to, std::span<const std::byte> from) {
  Writer out = request(RemoteRequest::kWrite);
  write_memory(out, to);
  out.bytes(from);
  return ask_for_nothing(std::move(out));
}
Status RemoteDevice::Read(std::span<std::byte> to, const DeviceMemory& from) {
  Writer out = request(RemoteRequest::kRead);
  write_memory(out, from);
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> answer, ask(std::move(out)));
  Reader in(answer);
  (void)in.number();
  const std::vector<std::byte> bytes = in.bytes();
  if (in.failed() || bytes.size() != to.size()) return damaged_answer();
  std::copy(bytes.begin(), bytes.end(), to.begin());
  return {};
}
Status RemoteDevice::Copy(const DeviceMemory& to, const DeviceMemory& from) {
  Writer out = request(RemoteRequest::kCopy);
  write_memory(out, to);
  write_memory(out, from);
  return ask_for_nothing(std::move(out));
}
Status RemoteDevice::Fill(const DeviceMemory& to, std::byte value) {
  Writer out = request(RemoteRequest::kFill);
  write_memory(out, to);
  out.number(static_cast<int64_t>(value));
  return ask_for_nothing(std::move(out));
}
Result<uint64_t> RemoteDevice::Load(std::span<const std::byte> code) {
  Writer out = request(RemoteRequest::kLoad);
  out.bytes(code);
  return ask_for_number(std::move(out));
}
Status RemoteDevice::Unload(uint64_t code) {
  Writer out = request(RemoteRequest::kUnload);
  out.number(static_cast<int64_t>(code));
  return ask_for_nothing(std::move(out));
}
Status RemoteDevice::Launch(uint64_t code, std::span<const DeviceMemory> buffers,
                            std::span<const int64_t> integers) {
  Writer out = request(RemoteRequest::kLaunch);
  out.number(static_cast<int64_t>(code));
  out.number(static_cast<int64_t>(buffers.size()));
  for (const DeviceMemory& buffer : buffers) write_memory(out, buffer);
  out.number(static_cast<int64_t>(integers.size()));
  for (const int64_t integer : integers) out.number(integer);
  return ask_for_nothing(std::move(out));
}

Result<std::unique_ptr<StreamExecutor>> start_remote(const LinkObject& link, int64_t bytes) {
  HLOCC_TRY_ASSIGN(std::unique_ptr<RemoteDevice> device,
                   RemoteDevice::start(std::make_unique<HostDevice>(link)));
  return MakeStreamExecutor({"remote-sim", {{"memory", bytes, HostDevice::kAlignment}}},
                            std::shared_ptr<SimpleDevice>(std::move(device)));
}

}  // namespace hlocc::device

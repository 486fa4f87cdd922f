// A device in a process of its own: its memory and its code are there, and nothing is shared but a
// pair of sockets. Every forgotten copy is a wrong result here, as it is with a real accelerator.
#pragma once
#include <sys/types.h>

#include <mutex>
#include <optional>
#include <string>

#include "backends/common/wire.h"
#include "hlocc/device/simple_device.h"

namespace hlocc::device {

// One request and its answer at a time, whichever stream asks.
class RemoteDevice : public SimpleDevice {
 public:
  // Forks a process that serves `device`; kRun if there is no process to be had.
  static Result<std::unique_ptr<RemoteDevice>> start(std::unique_ptr<SimpleDevice> device);
  ~RemoteDevice() override;  // ends the process

  Result<uint64_t> Allocate(int64_t bytes, int memory_space) override;
  Status Free(uint64_t handle) override;
  Status Write(const DeviceMemory& to, std::span<const std::byte> from) override;
  Status Read(std::span<std::byte> to, const DeviceMemory& from) override;
  Status Copy(const DeviceMemory& to, const DeviceMemory& from) override;
  Status Fill(const DeviceMemory& to, std::byte value) override;
  Result<uint64_t> Load(std::span<const std::byte> code) override;
  Status Unload(uint64_t code) override;
  Status Launch(uint64_t code, std::span<const DeviceMemory> buffers,
                std::span<const int64_t> integers) override;
  // -1 when it was found ended.
  pid_t process() const { return process_.value_or(-1); }

  // A device behind this socket, which it closes; `process`, if there is one, is ended with it.
  RemoteDevice(int socket, std::optional<pid_t> process);

 private:
  // The whole answer: its status, which is 0, and what follows.
  Result<std::vector<std::byte>> ask(backends::Writer request);
  Result<uint64_t> ask_for_number(backends::Writer request);
  Status ask_for_nothing(backends::Writer request);

  int socket_;
  std::optional<pid_t> process_;  // none: it has ended
  std::string end_ = "it no longer answers";
  std::mutex mutex_;
};

}  // namespace hlocc::device

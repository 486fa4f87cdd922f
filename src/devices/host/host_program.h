// HostCode, linked and ready to be called: it finds its arguments and leaves its results in buffers
// of the caller's. Calls may come from several threads at once: each has an instance to itself.
#pragma once
#include <mutex>

#include "devices/host/device_hooks.h"
#include "devices/host/host_code.h"

namespace hlocc::device {

class HostProgram {
 public:
  // `hooks`: what the code's transfers, parts and waits are handed to; may be null.
  static Result<std::unique_ptr<HostProgram>> load(const HostCode& code, const LinkObject& link,
                                                   DeviceHooks* hooks = nullptr);
  ~HostProgram();

  size_t arguments() const { return arguments_.size(); }
  size_t results() const { return results_.size(); }
  // A buffer a leaf. Arguments keep their bytes, unless a result lies over them. kRun if the code
  // returns an error.
  Status call(std::span<std::byte* const> arguments, std::span<std::byte* const> results);

 private:
  class Instance;
  HostProgram() = default;
  std::unique_ptr<Instance> take();

  std::unique_ptr<backends::LinkedObject> object_;
  int (*run_)(void*) = nullptr;
  DeviceHooks* hooks_ = nullptr;
  kernel::InstanceLayout layout_;
  int64_t arena_bytes_ = 0, arena_align_ = 1;
  std::vector<HostCode::LeafPlace> arguments_, results_;
  std::vector<HostCode::Initial> initial_state_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Instance>> idle_;  // the last one used last, with its state
};

}  // namespace hlocc::device

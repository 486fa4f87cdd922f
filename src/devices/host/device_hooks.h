// What the code of a program with parts on devices calls (hlocc_device.h), when the code runs in
// this process: the hooks of the run that this thread is in.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "support/result.h"

namespace hlocc::device {

// Called in the order of the program's steps. A failure ends the run.
class DeviceHooks {
 public:
  virtual ~DeviceHooks() = default;
  // A run begins, and is over: work that a failed run left in queues is the hooks' to end.
  virtual Status begin() = 0;
  virtual Status end() = 0;
  // Offsets are from the start of the plan's piece of that memory.
  virtual Status put(int queue, int memory, int64_t offset, std::span<const std::byte> from) = 0;
  virtual Status get(int queue, int memory, int64_t offset, std::span<std::byte> to) = 0;
  virtual Status submit(int queue, int memory, const std::string& part,
                        std::span<const size_t> operands, std::span<const size_t> results) = 0;
  virtual Status wait(int queue) = 0;
};

// Runs `body` with these hooks: 0 if it returned 0 and no hook failed; else why.
Status run_with_hooks(DeviceHooks* hooks, int (*body)(void*), void* instance);

// The hooks' C functions by name, for linking code that calls them.
const std::map<std::string, void*>& device_hook_symbols();

}  // namespace hlocc::device

// The C functions find the hooks of their run in a variable of the thread: generated code knows
// only its instance. They have the names that firmwares give theirs: a shared library finds them
// in the program that loads it.
#include "devices/host/device_hooks.h"

#include "devices/host/host_threads.h"
#include "hlocc_device.h"

#include "support/text.h"

namespace hlocc::device {
namespace {

constexpr int kHookFailed = 3;  // any error code: the status says what it was

struct Run {
  DeviceHooks* hooks;
  Status status;
};
thread_local Run* running = nullptr;

int report(Status status) {
  if (status.ok()) return 0;
  if (running->status.ok()) running->status = std::move(status);
  return kHookFailed;
}

}  // namespace

extern "C" {
int32_t hlocc_device_put(void*, int32_t queue, int32_t memory, size_t offset, const void* from,
                         size_t bytes) {
  return report(running->hooks->put(queue, memory, static_cast<int64_t>(offset),
                                    {static_cast<const std::byte*>(from), bytes}));
}
int32_t hlocc_device_get(void*, int32_t queue, int32_t memory, size_t offset, void* to,
                         size_t bytes) {
  return report(running->hooks->get(queue, memory, static_cast<int64_t>(offset),
                                    {static_cast<std::byte*>(to), bytes}));
}
int32_t hlocc_device_submit(void*, int32_t queue, int32_t memory, const char* part,
                            const size_t* offsets, int32_t operands, int32_t results) {
  const std::span all(offsets, static_cast<size_t>(operands + results));
  return report(running->hooks->submit(queue, memory, part,
                                       all.first(static_cast<size_t>(operands)),
                                       all.last(static_cast<size_t>(results))));
}
int32_t hlocc_device_wait(void*, int32_t queue) { return report(running->hooks->wait(queue)); }
void hlocc_device_clean(const void*, size_t) {}
void hlocc_device_invalidate(void*, size_t) {}
}  // extern "C"

Status run_with_hooks(DeviceHooks* hooks, int (*body)(void*), void* instance) {
  Run run{hooks, {}};
  if (hooks != nullptr) HLOCC_TRY(hooks->begin());
  Run* const outer = running;
  running = &run;
  const int code = body(instance);
  running = outer;
  Status ended = hooks != nullptr ? hooks->end() : Status();
  HLOCC_TRY(std::move(run.status));
  HLOCC_TRY(std::move(ended));
  if (code != 0) return error(DiagnosticKind::kRun, cat("run returned ", code));
  return {};
}

const std::map<std::string, void*>& device_hook_symbols() {
  static const std::map<std::string, void*>& symbols = *new std::map<std::string, void*>{
      {"hlocc_device_put", reinterpret_cast<void*>(hlocc_device_put)},
      {"hlocc_device_get", reinterpret_cast<void*>(hlocc_device_get)},
      {"hlocc_device_submit", reinterpret_cast<void*>(hlocc_device_submit)},
      {"hlocc_device_wait", reinterpret_cast<void*>(hlocc_device_wait)},
      {"hlocc_device_clean", reinterpret_cast<void*>(hlocc_device_clean)},
      {"hlocc_device_invalidate", reinterpret_cast<void*>(hlocc_device_invalidate)},
      {"hlocc_parallel_for", parallel_for_here()},
  };
  return symbols;
}

}  // namespace hlocc::device

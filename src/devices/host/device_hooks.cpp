// The C functions find the hooks of their run in a variable of the thread: generated code knows
// only its instance.
#include "devices/host/device_hooks.h"

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

int hook_put(void*, int32_t queue, int32_t memory, size_t offset, const void* from, size_t bytes) {
  return report(running->hooks->put(queue, memory, static_cast<int64_t>(offset),
                                    {static_cast<const std::byte*>(from), bytes}));
}
int hook_get(void*, int32_t queue, int32_t memory, size_t offset, void* to, size_t bytes) {
  return report(running->hooks->get(queue, memory, static_cast<int64_t>(offset),
                                    {static_cast<std::byte*>(to), bytes}));
}
int hook_submit(void*, int32_t queue, int32_t memory, const char* part, const size_t* offsets,
                int32_t operands, int32_t results) {
  const std::span all(offsets, static_cast<size_t>(operands + results));
  return report(running->hooks->submit(queue, memory, part,
                                       all.first(static_cast<size_t>(operands)),
                                       all.last(static_cast<size_t>(results))));
}
int hook_wait(void*, int32_t queue) { return report(running->hooks->wait(queue)); }
void hook_clean(const void*, size_t) {}
void hook_invalidate(void*, size_t) {}

}  // namespace

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
      {"hlocc_device_put", reinterpret_cast<void*>(hook_put)},
      {"hlocc_device_get", reinterpret_cast<void*>(hook_get)},
      {"hlocc_device_submit", reinterpret_cast<void*>(hook_submit)},
      {"hlocc_device_wait", reinterpret_cast<void*>(hook_wait)},
      {"hlocc_device_clean", reinterpret_cast<void*>(hook_clean)},
      {"hlocc_device_invalidate", reinterpret_cast<void*>(hook_invalidate)},
  };
  return symbols;
}

}  // namespace hlocc::device

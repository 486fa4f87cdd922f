// The pool of runtime_stub/hlocc_threads.h, with as many threads as the code at hand has ranges.
// Threads begin with the first launch that wants them. Generated code knows only its instance, so
// that there is one pool for all.
#define HLOCC_THREADS 1
#include "devices/host/host_threads.h"

#include <algorithm>
#include <mutex>

#include "hlocc_threads.h"
#include "kernel/program.h"

namespace hlocc::device {
namespace {

struct HostPool {
  std::mutex mutex;
  hlocc_pool pool = {};
  hlocc_worker workers[kernel::kMostRanges] = {};
  bool is_started = false;
};

// Of two runs at once one goes without threads.
void run_ranges(HostPool& host, int32_t count, hlocc_range_body body, void* context) {
  const std::unique_lock lock(host.mutex, std::try_to_lock);
  if (!lock.owns_lock() || count > kernel::kMostRanges) {
    hlocc_serial_for(count, body, context);
    return;
  }
  if (host.is_started && host.pool.count + 1 < count) {
    hlocc_pool_stop(&host.pool);
    host.is_started = false;
  }
  if (!host.is_started)
    host.is_started = hlocc_pool_start(&host.pool, host.workers, count - 1) == 0;
  if (host.is_started)
    hlocc_pool_for(&host.pool, count, body, context);
  else
    hlocc_serial_for(count, body, context);
}

}  // namespace

extern "C" void hlocc_parallel_for(int32_t count, hlocc_range_body body, void* context) {
  static HostPool& host = *new HostPool;
  run_ranges(host, count, body, context);
}

void* parallel_for_here() { return reinterpret_cast<void*>(hlocc_parallel_for); }

}  // namespace hlocc::device

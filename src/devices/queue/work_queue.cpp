// Waking a thread costs more than a small kernel. A caller that was found waiting before the thread
// had begun, or shortly after the work was given (on a busy machine the thread may have taken the
// caller's place meanwhile), is taken for one that waits at once: from then on the thread is not
// woken, it only looks now and then, and takes work that has lain there since its last look. That
// shows that the caller does not wait, and the thread is woken for each piece again.
#include "devices/queue/work_queue.h"

#include "support/environment.h"

namespace hlocc::device {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLook = std::chrono::microseconds(200);
constexpr auto kAtOnce = std::chrono::microseconds(20);

}  // namespace

WorkQueue::WorkQueue() {
  if (!thread_.start([this] { serve(); })) status_ = environment_error("cannot start a thread");
}

WorkQueue::~WorkQueue() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_came_.notify_one();
  thread_.join();
  // What no thread has done.
  (void)wait();
}

void WorkQueue::add(Work work) {
  bool wake;
  {
    const std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
    ++came_;
    wake = asleep_ || (eager_ && !busy_);
    if (eager_) given_ = Clock::now();
    asleep_ = false;
  }
  if (wake) work_came_.notify_one();
}

// With the lock held before and after, and given up in between.
void WorkQueue::do_one(std::unique_lock<std::mutex>& lock) {
  Work work = std::move(work_.front());
  work_.pop_front();
  ++taken_;
  busy_ = true;
  const bool left_out = !status_.ok() && !work.always;
  lock.unlock();
  Status status = left_out ? Status() : work.body();
  if (work.after) work.after();
  work = {};
  lock.lock();
  busy_ = false;
  if (status_.ok() && !status.ok()) status_ = std::move(status);
  if (waiting_ > 0) work_done_.notify_all();
}

Status WorkQueue::wait() {
  std::unique_lock lock(mutex_);
  if (eager_ && (may_start() || Clock::now() - given_ < kAtOnce)) eager_ = false;
  while (busy_ || !work_.empty()) {
    if (!busy_) {
      do_one(lock);
      continue;
    }
    ++waiting_;
    work_done_.wait(lock);
    --waiting_;
  }
  return status_;
}

// Until there is work for the thread, or for as long as work comes and others do it.
void WorkQueue::doze(std::unique_lock<std::mutex>& lock) {
  while (!stop_) {
    if (eager_ && may_start()) return;
    const uint64_t came = came_, taken = taken_;
    const bool pending = !work_.empty();
    work_came_.wait_for(lock, kLook, [&] { return stop_ || (eager_ && may_start()); });
    if (pending && taken == taken_ && may_start()) {
      eager_ = true;
      return;
    }
    if (came != came_ || !work_.empty()) continue;
    asleep_ = true;
    work_came_.wait(lock, [&] { return stop_ || !work_.empty(); });
    asleep_ = false;
  }
}

void WorkQueue::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    // While somebody else is at work he does what comes after, too.
    while (may_start() && (eager_ || stop_)) do_one(lock);
    if (stop_ && work_.empty()) return;
    doze(lock);
  }
}

}  // namespace hlocc::device

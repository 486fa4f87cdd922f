// A queue of work and the thread that does it, one piece after the other. A caller that waits for
// the queue does pending work itself, so that one that waits at once pays for no other thread.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

#include "support/result.h"
#include "support/thread.h"

namespace hlocc::device {

class WorkQueue {
 public:
  // `always`: done even when earlier work failed.
  struct Work {
    std::function<Status()> body;
    std::function<void()> after;  // when it was done or left out; may be empty
    bool always = false;
  };

  // Without a thread (there is none to be had) all work fails, with kEnvironment.
  WorkQueue();
  ~WorkQueue();  // finishes all work
  void add(Work work);
  // Returns when the queue is empty: the first failure there ever was.
  Status wait();

 private:
  void serve();
  void doze(std::unique_lock<std::mutex>& lock);
  void do_one(std::unique_lock<std::mutex>& lock);
  bool may_start() const { return !work_.empty() && !busy_; }

  std::mutex mutex_;
  std::condition_variable work_came_, work_done_;
  std::deque<Work> work_;
  bool busy_ = false, stop_ = false;
  bool asleep_ = true;             // the thread wants to be woken for any work
  bool eager_ = true;              // it begins at once, because its caller does not wait at once
  int waiting_ = 0;                // threads that wait for somebody else's piece of work
  uint64_t came_ = 0, taken_ = 0;  // pieces of work so far
  std::chrono::steady_clock::time_point given_;  // when the last one came, if the thread was woken
  Status status_;
  Thread thread_;
};

}  // namespace hlocc::device

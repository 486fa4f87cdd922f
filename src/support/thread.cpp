// See thread.h.
#include "support/thread.h"

#include <cerrno>
#include <utility>

namespace hlocc {

bool Thread::start(std::function<void()> body) {
  body_ = std::move(body);
  const auto run = [](void* self) -> void* {
    static_cast<Thread*>(self)->body_();
    return nullptr;
  };
  const int cause = ::pthread_create(&handle_, nullptr, run, this);
  is_running_ = cause == 0;
  errno = cause;
  return is_running_;
}

void Thread::join() {
  if (!is_running_) return;
  ::pthread_join(handle_, nullptr);
  is_running_ = false;
}

}  // namespace hlocc

// A thread that may not be to be had. std::thread throws then, which is not caught here.
#pragma once
#include <pthread.h>

#include <functional>

namespace hlocc {

class Thread {
 public:
  Thread() = default;
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  // False, and errno, where the system has none. To be called once.
  bool start(std::function<void()> body);
  bool is_running() const { return is_running_; }
  // Waits for its end; nothing if it was not started.
  void join();

 private:
  std::function<void()> body_;
  pthread_t handle_ = {};
  bool is_running_ = false;
};

}  // namespace hlocc

// The line that says what a long compilation is at. A terminal shows it from two seconds on; into a
// file or a pipe nothing is ever written. A thread keeps it, because stages know nothing of time.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>

#include "support/thread.h"

namespace hlocc::driver {

class Progress {
 public:
  // On `terminal`; null: never a word. The first line after `patience`, then a new one every
  // `period`.
  explicit Progress(std::FILE* terminal,
                    std::chrono::milliseconds patience = std::chrono::seconds(2),
                    std::chrono::milliseconds period = std::chrono::milliseconds(500));
  // Wipes the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void now_at(std::string stage);

 private:
  void keep_line();

  std::FILE* terminal_;
  std::chrono::milliseconds patience_, period_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string stage_;
  bool done_ = false;
  Thread thread_;
};

// stderr, if a person reads it there and it understands how lines are wiped; else null.
std::FILE* terminal_of_user();

}  // namespace hlocc::driver

// What a verb is at: a line that a terminal shows from two seconds on, with how long the rest may
// take; with -v a line for each stage as it begins, on a terminal or not. Into a file or a pipe
// nothing is written otherwise. A thread keeps the line, because stages know nothing of time.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>

#include "driver/cli/command_line.h"
#include "support/thread.h"

namespace hlocc::driver {

// How much of the work is done when a stage begins, 0 to 1; 0: not known. `is_bound`: the work may
// end earlier.
struct Share {
  double done = 0;
  bool is_bound = false;
};

// "about 12 s left", "at most 3 min left": at the pace at which `share` was done in `then` seconds,
// `now` seconds after the beginning. Empty where the share says too little, or that time is over.
std::string time_left(Share share, double then, double now);

// What of the work is told on stderr while it goes on: a line on a terminal, or, with -v, all
// stages; nothing with -q or --json.
enum class Telling : uint8_t { kNothing, kLine, kStages };
Telling telling_of(const CommandLine& line);

class Progress {
 public:
  // A line on `terminal`; null: never a word. The first one after `patience`, then a new one every
  // `period`.
  explicit Progress(std::FILE* terminal,
                    std::chrono::milliseconds patience = std::chrono::seconds(2),
                    std::chrono::milliseconds period = std::chrono::milliseconds(500));
  // As the command line has it, on the user's terminal.
  explicit Progress(const CommandLine& line);
  // Wipes the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void now_at(std::string stage, Share share = {});
  // Before something else is written to the terminal.
  void wipe();

 private:
  double seconds() const;
  void keep_line();
  void wipe_locked();

  std::FILE* terminal_;
  std::FILE* stages_ = nullptr;
  std::chrono::milliseconds patience_, period_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string stage_;
  Share share_;
  double stage_began_ = 0;
  bool done_ = false, is_shown_ = false;
  Thread thread_;
};

}  // namespace hlocc::driver

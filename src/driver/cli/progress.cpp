// See progress.h.
#include "driver/cli/progress.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace hlocc::driver {

Progress::Progress(std::FILE* terminal, std::chrono::milliseconds patience,
                   std::chrono::milliseconds period)
    : terminal_(terminal), patience_(patience), period_(period) {
  if (terminal_ != nullptr) (void)thread_.start([this] { keep_line(); });
}

Progress::~Progress() {
  if (terminal_ == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Progress::now_at(std::string stage) {
  const std::lock_guard lock(mutex_);
  stage_ = std::move(stage);
}

void Progress::keep_line() {
  std::unique_lock lock(mutex_);
  const auto is_done = [&] { return done_; };
  if (changed_.wait_for(lock, patience_, is_done)) return;
  do {
    const auto passed = std::chrono::steady_clock::now() - start_;
    std::fprintf(
        terminal_, "\r\033[Khlocc: %s, %lld s", stage_.c_str(),
        static_cast<long long>(std::chrono::duration_cast<std::chrono::seconds>(passed).count()));
    std::fflush(terminal_);
  } while (!changed_.wait_for(lock, period_, is_done));
  std::fputs("\r\033[K", terminal_);
  std::fflush(terminal_);
}

std::FILE* terminal_of_user() {
  const char* kind = std::getenv("TERM");
  if (kind == nullptr || std::string_view(kind) == "dumb" || ::isatty(STDERR_FILENO) == 0)
    return nullptr;
  return stderr;
}

}  // namespace hlocc::driver

// See progress.h.
#include "driver/cli/progress.h"

#include <cmath>

#include "driver/cli/notes.h"
#include "driver/cli/terminal.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// Less of the work than that says nothing of the rest.
constexpr double kLeastShare = 0.03;

}  // namespace

std::string time_left(Share share, double then, double now) {
  if (share.done < kLeastShare || share.done >= 1) return "";
  const double left = then / share.done - now;
  if (left < 1) return "";
  const std::string time =
      left < 120 ? cat(std::lround(left), " s") : cat(std::lround(left / 60), " min");
  return cat(share.is_bound ? "at most " : "about ", time, " left");
}

Progress::Progress(std::FILE* terminal, std::chrono::milliseconds patience,
                   std::chrono::milliseconds period)
    : terminal_(terminal), patience_(patience), period_(period) {
  if (terminal_ != nullptr) (void)thread_.start([this] { keep_line(); });
}

Telling telling_of(const CommandLine& line) {
  if (!wants_notes(line)) return Telling::kNothing;
  return line.verbose ? Telling::kStages : Telling::kLine;
}

Progress::Progress(const CommandLine& line)
    : Progress(telling_of(line) == Telling::kLine ? terminal_of_user() : nullptr) {
  if (telling_of(line) == Telling::kStages) stages_ = stderr;
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

double Progress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Progress::now_at(std::string stage, Share share) {
  if (stages_ != nullptr) std::fputs(cat("hlocc: ", for_line(stage), "\n").c_str(), stages_);
  const std::lock_guard lock(mutex_);
  stage_ = for_line(stage);
  share_ = share;
  stage_began_ = seconds();
}

void Progress::wipe_locked() {
  if (!is_shown_) return;
  std::fputs("\r\033[K", terminal_);
  std::fflush(terminal_);
  is_shown_ = false;
}

void Progress::wipe() {
  const std::lock_guard lock(mutex_);
  wipe_locked();
}

void Progress::keep_line() {
  std::unique_lock lock(mutex_);
  const auto is_done = [&] { return done_; };
  if (changed_.wait_for(lock, patience_, is_done)) return;
  do {
    const double now = seconds();
    const std::string left = time_left(share_, stage_began_, now);
    std::fprintf(terminal_, "\r\033[Khlocc: %s, %lld s%s", stage_.c_str(),
                 static_cast<long long>(now), left.empty() ? "" : (", " + left).c_str());
    std::fflush(terminal_);
    is_shown_ = true;
  } while (!changed_.wait_for(lock, period_, is_done));
  wipe_locked();
}

}  // namespace hlocc::driver

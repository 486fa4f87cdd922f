// See temporary_path.h. The paths are a list through themselves, so that entering one takes no
// memory and the end of the process finds all.
#include "support/temporary_path.h"

#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <utility>

namespace hlocc {
namespace {

// Like the notes of check.cpp, the process's own: an end without destructors has none other to
// ask.
struct Paths {
  std::mutex mutex;
  TemporaryPath* first = nullptr;
};
Paths& all_paths() {
  static Paths& paths = *new Paths;
  return paths;
}

void remove(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

}  // namespace

TemporaryPath::TemporaryPath(std::string path) : path_(std::move(path)), owner_(::getpid()) {
  enter();
}

TemporaryPath::TemporaryPath(TemporaryPath&& other) noexcept
    : path_(std::exchange(other.path_, {})), owner_(other.owner_) {
  if (path_.empty()) return;
  other.leave();
  enter();
}

TemporaryPath::~TemporaryPath() {
  if (path_.empty()) return;
  leave();
  if (owner_ == ::getpid()) remove(path_);
}

void TemporaryPath::keep() {
  if (path_.empty()) return;
  leave();
  path_.clear();
}

void TemporaryPath::enter() {
  Paths& all = all_paths();
  const std::lock_guard lock(all.mutex);
  behind_ = all.first;
  if (behind_ != nullptr) behind_->before_ = this;
  all.first = this;
}

void TemporaryPath::leave() {
  Paths& all = all_paths();
  const std::lock_guard lock(all.mutex);
  (before_ != nullptr ? before_->behind_ : all.first) = behind_;
  if (behind_ != nullptr) behind_->before_ = before_;
  before_ = behind_ = nullptr;
}

void remove_temporary_paths() {
  Paths& all = all_paths();
  // Its holder does not go on: the process ends.
  const std::unique_lock lock(all.mutex, std::try_to_lock);
  for (const TemporaryPath* path = all.first; path != nullptr; path = path->behind_)
    if (path->owner_ == ::getpid()) remove(path->path_);
}

}  // namespace hlocc

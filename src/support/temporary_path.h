// Files and folders that must not outlive what made them, however that ends: by going out of scope,
// by a failed check, or for want of memory.
#pragma once
#include <string>

namespace hlocc {

// Removes the path, and all that is in it, at the end of its scope, or when the process ends by
// remove_temporary_paths(). A process that was forked off meanwhile leaves it alone.
class TemporaryPath {
 public:
  explicit TemporaryPath(std::string path);
  ~TemporaryPath();
  TemporaryPath(TemporaryPath&& other) noexcept;
  TemporaryPath& operator=(TemporaryPath&&) = delete;
  const std::string& path() const { return path_; }
  // From now on it stays.
  void keep();

 private:
  friend void remove_temporary_paths();
  void enter();
  void leave();

  std::string path_;  // empty: kept, or another's by now
  int owner_ = 0;     // the process
  TemporaryPath *before_ = nullptr, *behind_ = nullptr;
};

// Those that this process still has: for an end that runs no destructors.
void remove_temporary_paths();

}  // namespace hlocc

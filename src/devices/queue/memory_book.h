// The books of a device's memory: which allocations there are, how large, and how much work in
// streams still needs each. Misuse is found here, before a device sees it.
#pragma once
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "hlocc/device/stream_executor.h"

namespace hlocc::device {

class MemoryBook {
 public:
  explicit MemoryBook(std::vector<MemorySpace> spaces);

  // Room for that many bytes more, taken at once; kLimit if there is none.
  Status reserve(int64_t bytes, int memory_space);
  void give_up(int64_t bytes, int memory_space);
  // An allocation that has its room.
  void enter(const DeviceMemory& memory);
  // Takes it out of the books; kArgument if it is none, only part of one, or in use.
  Status remove(const DeviceMemory& memory);

  Status check(const DeviceMemory& memory) const;
  // Checks all, then counts each as in use.
  Status use(std::span<const DeviceMemory> memories);
  void done(std::span<const DeviceMemory> memories);
  int64_t allocated() const;
  // Of all allocations in the books.
  std::vector<uint64_t> handles() const;

 private:
  struct Row {
    int64_t bytes;
    int memory_space;
    int uses = 0;
  };
  Status check_locked(const DeviceMemory& memory) const;

  const std::vector<MemorySpace> spaces_;
  mutable std::mutex mutex_;
  std::map<uint64_t, Row> rows_;    // by handle
  std::vector<int64_t> allocated_;  // by memory space
};

}  // namespace hlocc::device

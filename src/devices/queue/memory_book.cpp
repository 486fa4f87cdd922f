// See memory_book.h.
#include "devices/queue/memory_book.h"

#include "support/text.h"

namespace hlocc::device {

MemoryBook::MemoryBook(std::vector<MemorySpace> spaces)
    : spaces_(std::move(spaces)), allocated_(spaces_.size(), 0) {}

Status MemoryBook::reserve(int64_t bytes, int memory_space) {
  if (memory_space < 0 || memory_space >= static_cast<int>(spaces_.size()))
    return error(DiagnosticKind::kArgument,
                 cat("there is no memory space ", memory_space, ", only ", spaces_.size()));
  if (bytes < 0) return error(DiagnosticKind::kArgument, cat("an allocation of ", bytes, " bytes"));
  const std::lock_guard lock(mutex_);
  const MemorySpace& space = spaces_[static_cast<size_t>(memory_space)];
  int64_t& taken = allocated_[static_cast<size_t>(memory_space)];
  if (bytes > space.bytes - taken)
    return error(DiagnosticKind::kLimit,
                 cat("out of memory: ", bytes, " bytes wanted, ", space.bytes - taken, " of ",
                     space.bytes, " left in ", space.name));
  taken += bytes;
  return {};
}

void MemoryBook::give_up(int64_t bytes, int memory_space) {
  const std::lock_guard lock(mutex_);
  allocated_[static_cast<size_t>(memory_space)] -= bytes;
}

void MemoryBook::enter(const DeviceMemory& memory) {
  const std::lock_guard lock(mutex_);
  rows_[memory.handle] = {memory.bytes, memory.memory_space};
}

Status MemoryBook::remove(const DeviceMemory& memory) {
  const std::lock_guard lock(mutex_);
  HLOCC_TRY(check_locked(memory));
  const auto found = rows_.find(memory.handle);
  if (memory.offset != 0 || memory.bytes != found->second.bytes)
    return error(DiagnosticKind::kArgument, "part of an allocation can't be given back");
  if (found->second.uses > 0)
    return error(DiagnosticKind::kArgument, cat("memory is given back while ", found->second.uses,
                                                " pieces of work in streams need it"))
        .note("wait for the streams first");
  allocated_[static_cast<size_t>(found->second.memory_space)] -= found->second.bytes;
  rows_.erase(found);
  return {};
}

Status MemoryBook::check_locked(const DeviceMemory& memory) const {
  const auto found = rows_.find(memory.handle);
  if (found == rows_.end())
    return error(DiagnosticKind::kArgument,
                 "memory that is not this device's, or was given back already");
  const Row& row = found->second;
  if (memory.offset < 0 || memory.bytes < 0 || memory.bytes > row.bytes - memory.offset)
    return error(DiagnosticKind::kArgument,
                 cat("bytes ", memory.offset, " .. ", memory.offset + memory.bytes,
                     " of an allocation of ", row.bytes));
  return {};
}

Status MemoryBook::check(const DeviceMemory& memory) const {
  const std::lock_guard lock(mutex_);
  return check_locked(memory);
}

Status MemoryBook::use(std::span<const DeviceMemory> memories) {
  const std::lock_guard lock(mutex_);
  for (const DeviceMemory& memory : memories) HLOCC_TRY(check_locked(memory));
  for (const DeviceMemory& memory : memories) ++rows_[memory.handle].uses;
  return {};
}

void MemoryBook::done(std::span<const DeviceMemory> memories) {
  const std::lock_guard lock(mutex_);
  for (const DeviceMemory& memory : memories) --rows_[memory.handle].uses;
}

int64_t MemoryBook::allocated() const {
  const std::lock_guard lock(mutex_);
  int64_t sum = 0;
  for (const int64_t bytes : allocated_) sum += bytes;
  return sum;
}

std::vector<uint64_t> MemoryBook::handles() const {
  const std::lock_guard lock(mutex_);
  std::vector<uint64_t> all;
  for (const auto& [handle, row] : rows_) all.push_back(handle);
  return all;
}

}  // namespace hlocc::device

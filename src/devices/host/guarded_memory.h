// Buffers between pages that may not be touched, on this machine. A touch ends the process with a
// word on stderr that names the buffer, because the code that did it can't be returned to; callers
// are children of `verify`.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "devices/host/guard.h"

namespace hlocc::device {

class GuardedMemory {
 public:
  struct Size {
    int64_t bytes = 0, align = 1;  // align: no larger than a page
  };
  // Buffers by number, as guard.h counts them; `arguments` of them are arguments.
  GuardedMemory(const std::vector<Size>& sizes, int arguments);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  // False where the system has no memory left.
  bool is_there() const { return there_; }
  // Puts each buffer at the beginning or the end of its pages, and fills it and what is around it.
  void begin_round(const GuardRound& round);
  std::byte* data(int buffer) const { return blocks_[static_cast<size_t>(buffer)].data; }
  // A finding, or 0: what is around the buffers is still what it was.
  int check(const GuardRound& round) const;

  struct Block {
    std::byte *begin = nullptr, *end = nullptr;  // of the pages that may be touched
    std::byte* data = nullptr;
    int64_t bytes = 0, align = 1;
  };

 private:
  std::vector<Block> blocks_;
  int64_t page_ = 0;
  bool there_ = true;
};

}  // namespace hlocc::device

// Watches the accesses of a mapped kernel's threads (kernel/mapped.h) for races: an element of
// shared memory that one thread of a group writes and another one reads or writes with no barrier
// between, or reads before anybody has written it; an element of an operand that one thread writes
// and another one of the launch reads or writes at all.
#pragma once
#include "kernel/mapped.h"
#include "kernel/ranges/race_watch.h"

namespace hlocc::kernel {

class GroupWatch : public RaceWatch {
 public:
  GroupWatch(const Kernel& kernel, std::span<const std::span<std::byte>> buffers);

  // From here on accesses are those of this thread, of the op of this number (as verify counts).
  void begin_group(int64_t group);
  void begin_thread(int thread);
  void at_op(int number) { op_ = number; }
  // False where shared memory was read that no one has written.
  bool barrier();

  bool load(int buffer, int64_t at) override;
  bool store(int buffer, int64_t at) override;

 protected:
  std::string name_of(int range) const override;
  std::string_view others() const override { return "other threads"; }

 private:
  static constexpr int kNoThread = -1;
  struct Visit {
    int thread = kNoThread, op = 0;
    int64_t phase = 0;
  };
  struct Unwritten {
    int buffer, thread, op;
    int64_t at;
  };
  // The last that wrote, and two of the last that read: for any thread, one of them is another.
  struct Element {
    Visit writer, readers[2];
  };
  bool meets(const Visit& other) const {
    return other.thread != kNoThread && other.thread != thread_ && other.phase == phase_;
  }
  Visit now() const { return {thread_, op_, phase_}; }
  bool misses_barrier(int buffer, int64_t at, const char* what, const Visit& other,
                      const char* others_do);
  Element& element(int buffer, int64_t at) {
    return shared_[static_cast<size_t>(buffer)][static_cast<size_t>(at)];
  }
  bool is_shared(int buffer) const { return !shared_[static_cast<size_t>(buffer)].empty(); }

  int threads_ = 1, thread_ = 0, op_ = 0;
  int64_t group_ = 0, phase_ = 0;
  // The first read of this phase of what no one had written: it is another thread's fault if one
  // writes it in this phase.
  std::optional<Unwritten> unwritten_;
  std::vector<std::vector<Element>> shared_;  // by buffer; empty: not shared
};

}  // namespace hlocc::kernel

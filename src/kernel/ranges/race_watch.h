// Watches the accesses of a launch's ranges for races: an element that one range writes and another
// one reads or writes. It does not matter in which order the ranges run here: what it lets pass may
// run in any order, and at the same time.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kernel/evaluate/compiled_kernel.h"

namespace hlocc::kernel {

class RaceWatch : public AccessWatch {
 public:
  // Where each bound buffer of the kernel lies; buffers may share bytes.
  RaceWatch(const Kernel& kernel, std::span<const std::span<std::byte>> buffers);

  // From here on accesses are those of this range.
  void begin(int range) { range_ = range; }

  // How often, from one end of the results to the other, what one range wrote ends and another's
  // begins: once where each has its half, with every line where they take turns.
  int64_t changes() const;

  bool load(int buffer, int64_t at) override;
  bool store(int buffer, int64_t at) override;
  std::string fault() const override { return fault_; }

 protected:
  // How faults call a range, and several of them.
  virtual std::string name_of(int range) const;
  virtual std::string_view others() const { return "other ranges"; }
  std::string name_of(int buffer, int64_t at) const;  // "element 5 of x"
  int range() const { return range_; }
  bool fails(std::string fault) {
    fault_ = std::move(fault);
    return false;
  }

 private:
  static constexpr int kNobody = -1, kSeveral = -2;
  // Bytes that somebody writes.
  struct Zone {
    const std::byte *begin, *end;
    std::vector<int32_t> writer, reader;  // by granule
  };
  struct Held {
    const std::byte* data = nullptr;
    int64_t element_bytes = 1;
    std::vector<int> zones;
  };
  template <typename Visit>
  bool visit(int buffer, int64_t at, const Visit& visit);
  bool race(int buffer, int64_t at, int other, const char* what);

  const Kernel& kernel_;
  std::vector<Zone> zones_;
  std::vector<Held> held_;  // by buffer of the kernel; unbound ones are each range's own
  int64_t granule_ = 8;
  int range_ = 0;
  std::string fault_;
};

}  // namespace hlocc::kernel

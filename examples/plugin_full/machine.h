// The machine: what the silicon would do with the device's code. A load or store outside of its
// buffer is a fault, which ends the run.
#pragma once
#include <memory>
#include <mutex>

#include "instructions.h"

namespace full {

class Machine {
 public:
  // kArgument if the code is none.
  static hlocc::Result<std::unique_ptr<Machine>> load(Code code);
  size_t leaves() const { return code_.arguments.size() + code_.results.size(); }
  // One buffer an argument and a result. Runs follow one another; state stays from run to run.
  hlocc::Status run(std::span<std::byte* const> arguments, std::span<std::byte* const> results);

 private:
  struct Buffer {
    std::byte* data;
    int64_t bytes;
  };
  explicit Machine(Code code) : code_(std::move(code)) {}
  std::byte* address(const Place& place) {
    return memory_[static_cast<size_t>(place.bank)].data() + place.offset;
  }
  hlocc::Status check() const;
  hlocc::Status call(const Function& function, std::span<const Alu> alus,
                     std::vector<Buffer> buffers, std::span<const int64_t> integers);

  Code code_;
  std::vector<std::vector<Alu>> alus_;  // by function and instruction
  std::vector<std::byte> memory_[3];    // by bank
  std::mutex mutex_;
};

}  // namespace full

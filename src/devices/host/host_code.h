// Code for this machine as bytes: what a compiler of the house made of a module, with all that is
// needed to call it. It can be sent to another process.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/common/loaded_program.h"
#include "hlo/shape.h"
#include "kernel/instance.h"
#include "planning/plan.h"

namespace hlocc::device {

struct HostCode {
  struct LeafPlace {
    planning::Place place;
    int64_t alignment = 1;  // what a caller's buffer must have, to be read where it is
  };
  struct Initial {
    int64_t offset = 0;  // in the state
    std::vector<std::byte> bytes;
  };
  std::vector<std::byte> object;  // in the form that LinkObject takes
  std::string run_symbol;
  int64_t arena_bytes = 0, arena_align = 1, state_bytes = 0;
  std::vector<LeafPlace> arguments, results;
  std::vector<Initial> initial_state;
};

HostCode host_code(std::vector<std::byte> object, std::string run_symbol,
                   const kernel::Program& program, const planning::Plan& plan);

std::vector<std::byte> encode(const HostCode& code);
// kRun: they are not what encode() gave.
Result<HostCode> decode_host_code(std::span<const std::byte> bytes);

// Makes the bytes of HostCode::object callable in this process.
using LinkObject =
    std::function<Result<std::unique_ptr<backends::LinkedObject>>(std::span<const std::byte>)>;

}  // namespace hlocc::device

// A module over two devices: what a device's compiler takes becomes parts, modules of their own;
// the host's module calls them as functions. Which goes where is asked instruction by instruction
// of the entry computation, whose calls are inlined first; what lies inside of loops stays on the
// host.
#pragma once
#include <string>
#include <vector>

#include "hlocc/device/compiler.h"

namespace hlocc::device {

// Instructions of one part are connected, and nothing of the host's stands between two of them.
struct Part {
  std::string symbol;  // what the host's module calls; the module's name
  hlo::Module module;  // dense row-major at its border
  std::vector<std::string> instructions;
};

// Where an instruction of the entry runs, and why not on the device.
struct PlacedInstruction {
  std::string name, op, device;
  WhyNot why;
  std::string part;  // its symbol
};

struct Partition {
  hlo::Module host;
  std::vector<Part> parts;
  std::vector<PlacedInstruction> placed;  // in the order of the entry
};

// Whether the compiler takes every instruction of the entry, whose arguments and results are dense
// row-major.
bool takes_all(const hlo::Module& module, const Compiler& compiler);

// `prefix`: of the parts' symbols; a number follows.
Result<Partition> partition_module(const hlo::Module& module, const Compiler& compiler,
                                   const std::string& device,
                                   const std::string& prefix = "hlocc_part_");

}  // namespace hlocc::device

// A compiled program that runs in this process: instance and arena as kernel/instance.h describes
// them, in the part that a generated header would play. However its code came here, by a linker in
// memory or a shared library.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernel/program.h"
#include "planning/plan.h"
#include "support/result.h"

namespace hlocc::backends {

// Code in this process; it leaves with the object.
class LinkedObject {
 public:
  virtual ~LinkedObject() = default;
  // Null when the code does not define the symbol, or could not be put into memory.
  virtual void* address(const std::string& symbol) = 0;
  // What the system said to that; empty if it was not asked or had no objection.
  virtual std::string refusal() const { return {}; }
};

// The address of a symbol that the code must define. Errors: kEnvironment, or kInternal.
Result<void*> address_of(LinkedObject& code, const std::string& symbol);

class LoadedProgram {
 public:
  virtual ~LoadedProgram() = default;

  // Bytes a leaf, in the layout that the header documents. An empty argument that is state keeps
  // what it has. A code other than 0 from the program is a diagnostic (kRun).
  virtual Result<std::vector<std::vector<std::byte>>> run(
      std::span<const std::vector<std::byte>> arguments) = 0;
  // The two halves that a benchmark times: the arguments into their places (run may have written
  // over them), and the call itself, without moving results.
  virtual Status put(std::span<const std::vector<std::byte>> arguments) = 0;
  virtual int run_again() = 0;
};

// A program that calls functions of the user's cannot run here: a diagnostic (kUnsupported).
Status check_callable(const planning::Plan& plan);

// `run_symbol` is planning::run_symbol's. Program and plan are not kept.
Result<std::unique_ptr<LoadedProgram>> load_program(std::unique_ptr<LinkedObject> code,
                                                    const std::string& run_symbol,
                                                    const kernel::Program& program,
                                                    const planning::Plan& plan);

}  // namespace hlocc::backends

// Runs a module on a device of this machine, whatever the platform: literals in, the entry's result
// out, through the interfaces of include/hlocc/device/ alone.
#pragma once
#include <memory>
#include <span>

#include "driver/cli/command_line.h"
#include "driver/run/platforms.h"
#include "hlo/module.h"
#include "hlocc/device/executable.h"
#include "support/result.h"
#include "target/options.h"

namespace hlocc::driver {

// The way that is taken when none is named: `cpu` where it is built, else the interpreter.
std::string default_way();

// --backend, or the default; empty where a plug-in decides.
std::string way_of(const CommandLine& line);

// Where the command line wants to run.
PlatformChoice platform_choice(const CommandLine& line);

// A module with its arguments on a device, ready to run as often as one likes.
class Prepared {
 public:
  virtual ~Prepared() = default;
  virtual Result<hlo::Literal> run() = 0;
  // Other arguments of the same shapes for the runs that follow.
  virtual Status replace(std::span<const hlo::Literal> arguments) = 0;
  // Puts the arguments in and runs, and leaves the result where it is: what a benchmark times.
  virtual Status call() = 0;
  // The same, step by step.
  virtual Result<device::ExecutionProfile> profile() = 0;
  virtual device::OpsByDevice ops() const = 0;
};

// One argument an entry parameter. The backend must be able to run (see backend_table.h), or be a
// platform of the plug-in; empty: that plug-in's. What a device's compiler does not take runs on
// the host.
Result<std::unique_ptr<Prepared>> prepare(const hlo::Module& module,
                                          std::span<const hlo::Literal> arguments,
                                          const PlatformChoice& where, const Options& options);

// One argument an entry parameter. `backend` must be able to run (see backend_table.h).
Result<hlo::Literal> execute(const hlo::Module& module, std::span<const hlo::Literal> arguments,
                             const std::string& backend, const Options& options);

}  // namespace hlocc::driver

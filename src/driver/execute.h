// Runs a module on this machine, whatever the backend: literals in, the entry's result out.
#pragma once
#include <memory>
#include <span>

#include "hlo/module.h"
#include "support/result.h"
#include "target/options.h"

namespace hlocc::driver {

// The way that is taken when none is named: `cpu` where it is built, else the interpreter.
std::string default_way();

// A module with its arguments, ready to run as often as one likes; state starts anew each time.
class Prepared {
 public:
  virtual ~Prepared() = default;
  virtual Result<hlo::Literal> run() = 0;
  // Puts the arguments in and runs, and leaves the result where it is: what a benchmark times.
  virtual Status call() = 0;
};

// One argument an entry parameter; module and arguments must outlive what is made. `backend` must
// be able to run (see backend_table.h).
Result<std::unique_ptr<Prepared>> prepare(const hlo::Module& module,
                                          std::span<const hlo::Literal> arguments,
                                          const std::string& backend, const Options& options);

// One argument an entry parameter. `backend` must be able to run (see backend_table.h).
Result<hlo::Literal> execute(const hlo::Module& module, std::span<const hlo::Literal> arguments,
                             const std::string& backend, const Options& options);

}  // namespace hlocc::driver

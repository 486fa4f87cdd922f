// Compiler: from an HLO module to an Executable for a platform's devices, or to files.
//
// A module comes as the user wrote it and verified (ops/check/verifier.h); it may hold any op. A
// compiler that lacks some says so in Supports: it is then given parts of the module only, and the
// rest runs on the host. All functions are const and may be called by several threads at once.
#ifndef HLOCC_DEVICE_COMPILER_H_
#define HLOCC_DEVICE_COMPILER_H_

#include <memory>
#include <string>
#include <vector>

#include "hlo/module.h"
#include "hlocc/device/executable.h"
#include "target/options.h"

namespace hlocc::device {

struct CompileOptions {
  Options options;  // level and the like, as on the command line
};

// Empty: it can; else why not, in a few words that fit behind "runs on the host: ".
using WhyNot = std::string;

// A file of the device's for a module that is compiled ahead of time.
struct DeviceArtifact {
  std::string kind;  // the file's ending: "bin", "txt"
  std::vector<std::byte> bytes;
  // There is no file: the library holds the bytes, which are words of 32 bits in this machine's
  // order, and init hands them to the driver (hlocc_device_open). One artifact of a module may.
  bool in_library = false;
};

class Compiler {
 public:
  virtual ~Compiler() = default;
  // Whether this instruction, with the types and shapes of its operands and of its result, can run
  // on the device. Asked for each instruction of the entry computation but parameters, constants
  // and tuples. A device that takes every module whole returns "" always.
  virtual WhyNot Supports(const hlo::Module& module, const hlo::Instruction& instruction) const = 0;

  // Rewrites of HLO that the device wants; none by default.
  virtual Result<hlo::Module> RunHloPasses(hlo::Module module, StreamExecutor&,
                                           const CompileOptions&) const {
    return module;
  }
  // What RunHloPasses left becomes code.
  virtual Result<std::unique_ptr<Executable>> RunBackend(const hlo::Module& module,
                                                         StreamExecutor& executor,
                                                         const CompileOptions& options) const = 0;
  Result<std::unique_ptr<Executable>> Compile(const hlo::Module& module, StreamExecutor& executor,
                                              const CompileOptions& options) const {
    HLOCC_TRY_ASSIGN(const hlo::Module rewritten, RunHloPasses(module, executor, options));
    return RunBackend(rewritten, executor, options);
  }
  // Without a device: the files that a firmware loads into it.
  virtual Result<std::vector<DeviceArtifact>> CompileAheadOfTime(const hlo::Module&,
                                                                 const CompileOptions&) const {
    return error(DiagnosticKind::kUnsupported, "this device can't be compiled for ahead of time");
  }
};

}  // namespace hlocc::device

#endif  // HLOCC_DEVICE_COMPILER_H_

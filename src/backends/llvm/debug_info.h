// Line tables, for debuggers: which line of the user's program asked for an instruction. A kernel
// is at the line of the first layer that it serves. What `run` does for a step is a chain of
// inlined functions, so that a backtrace names the layer and who called it in the user's program.
// DWARF in every object format; nothing of this machine's folders, and no effect on code.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "kernel/origin.h"
#include "llvm/IR/DebugLoc.h"

namespace llvm {
class DIBuilder;
class DICompileUnit;
class DIFile;
class DILocalScope;
class DISubprogram;
class Function;
class Module;
}  // namespace llvm

namespace hlocc::backends {

class DebugInfo {
 public:
  // `main_file` is the user's, or what stands for it.
  DebugInfo(llvm::Module& module, const std::string& main_file);
  ~DebugInfo();

  // The kernel's code is of the layer's line; what several layers use says how many do.
  void add_kernel(llvm::Function& kernel, const kernel::Origin& first_use, int uses);
  // `run`, or a part of it, whose own code is of no line.
  void add_run(llvm::Function& run, const kernel::Origin& first_step);
  // Where the instructions of a step stand, in a function that `add_run` knows.
  llvm::DebugLoc step(const llvm::Function& run, const kernel::Origin& origin);
  // Instructions without a line get that of their function: LLVM wants one at each call.
  void finish();

 private:
  llvm::DIFile* file(const std::string& name);
  llvm::DISubprogram* subprogram(const std::string& name, const kernel::SourceLine& at);
  llvm::DISubprogram* inlined(const std::string& name, const kernel::SourceLine& at);
  llvm::DILocalScope* in_file(llvm::DISubprogram* run, const std::string& name);

  llvm::Module& module_;
  std::unique_ptr<llvm::DIBuilder> builder_;
  llvm::DICompileUnit* unit_ = nullptr;
  std::string main_file_;
  std::map<std::pair<std::string, std::string>, llvm::DISubprogram*> inlined_;  // by name and file
  std::set<const llvm::Function*> runs_;
};

}  // namespace hlocc::backends

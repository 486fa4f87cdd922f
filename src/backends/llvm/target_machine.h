// From a target row to LLVM's TargetMachine. Everything that shapes code is taken from the row and
// set on the machine or on functions; nothing is process-wide, so that two targets may be compiled
// side by side.
#pragma once
#include <memory>

#include "support/result.h"
#include "target/target.h"

namespace llvm {
class Function;
class Module;
class TargetMachine;
}  // namespace llvm

namespace hlocc::backends {

// The row must be complete (see generic_target.h). Unknown triples, processors and features are
// diagnostics (kTarget).
Result<std::unique_ptr<llvm::TargetMachine>> make_target_machine(const Target& target);
// Triple, data layout and ABI flags.
void prepare_module(llvm::Module& module, const Target& target, const llvm::TargetMachine& machine);
// The attributes that every function of a generated library has: processor, no unwinding, no frame
// pointer, no calls made up from loops, and a diagnostic for its stack frame.
void set_function_attributes(llvm::Function& function, const Target& target);
// One more of LLVM's features, as "+name", behind those that the function has.
void add_feature(llvm::Function& function, std::string_view feature);
// Instructions are selected in the order of the IR.
void select_in_order(llvm::Function& function, const Target& target);

// How objects, libraries and their files look where the target's programs run.
struct ObjectFormat {
  bool is_elf = false, is_coff = false, is_mach_o = false;  // none: WebAssembly and rarer ones
  bool microsoft_names = false;                             // of files: kws.lib and kws.obj
};
ObjectFormat object_format(const Target& target);

}  // namespace hlocc::backends

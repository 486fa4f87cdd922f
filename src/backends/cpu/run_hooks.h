// The functions that `run` calls and firmwares may define: weak definitions for those that don't.
// Each is made once a module.
#pragma once
#include "target/target.h"

namespace llvm {
class Function;
class Module;
class Type;
}  // namespace llvm

namespace hlocc::backends {

// void kProfileHook(const char *identity, int32_t step): does nothing (runtime_stub/hlocc_profile.h
// counts).
llvm::Function* profile_hook(llvm::Module& module, const Target& target);

// void kThreadsHook(int32_t ranges, void (*body)(void *, int32_t), void *): one thread takes range
// after range (runtime_stub/hlocc_threads.h has more).
llvm::Function* threads_hook(llvm::Module& module, const Target& target);

// A function of hlocc_device.h (backends/common/device_hooks.h): there is no device.
llvm::Function* device_hook(llvm::Module& module, const Target& target, const char* name);

}  // namespace hlocc::backends

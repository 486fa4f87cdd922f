// LLVM's IR of a kernel as text, for digests.
#pragma once
#include <map>

#include "backends/cpu/program_module.h"
#include "backends/llvm/generic_target.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::backends {

// A preset; behind a plus an extension that it has besides.
inline const Target& target_of(const std::string& chip) {
  static std::map<std::string, Target>& known = *new std::map<std::string, Target>;
  if (!known.contains(chip)) {
    const std::vector<std::string> parts = split(chip, '+');
    Target target = tests::require(complete_target(*preset(parts[0])));
    for (const IsaInfo& info : kIsaTable)
      if (parts.size() > 1 && info.name == parts[1]) target.isa.add(info.isa);
    known[chip] = target;
  }
  return known[chip];
}

// The functions of a module, a line an instruction; or why there is none.
inline std::string functions_of(const kernel::Kernel& kernel, const Target& target) {
  const Result<ProgramModule> made = make_kernel_module(kernel, target);
  if (!made) return "  " + made.error().message + "\n";
  std::string out;
  for (const llvm::Function& function : *made->module) {
    if (function.isDeclaration()) continue;
    out += function.willReturn() ? " returns" : " may not return";
    if (function.getFnAttribute("target-features").getValueAsString().contains("execute-only"))
      out += ", execute-only";
    for (const llvm::Argument& argument : function.args())
      out += cat(argument.hasNoAliasAttr() ? " alone" : "",
                 argument.onlyReadsMemory() ? " read" : "", ";");
    out += "\n";
    for (const llvm::BasicBlock& block : function) {
      out += cat(" ", block.getName().str(), ":\n");
      for (const llvm::Instruction& instruction : block) {
        if (llvm::isa<llvm::ReturnInst>(instruction)) continue;
        llvm::raw_string_ostream stream(out);
        instruction.print(stream);
        out += "\n";
      }
    }
  }
  return out;
}

}  // namespace hlocc::backends

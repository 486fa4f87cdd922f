// See debug_info.h.
#include "backends/llvm/debug_info.h"

#include <algorithm>

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::SourceLine;
using llvm::DILocation;

// The oldest that debuggers of all targets read.
constexpr unsigned kDwarfVersion = 4;
// Names are relative to it unless the model says otherwise.
constexpr const char* kFolder = ".";

unsigned number_of(const SourceLine& line) { return static_cast<unsigned>(std::max(0, line.line)); }

// Of whom the model does not say more, the file.
std::string function_of(const SourceLine& line) {
  return line.function.empty() ? line.file : line.function;
}

}  // namespace

DebugInfo::DebugInfo(llvm::Module& module, const std::string& main_file)
    : module_(module), builder_(std::make_unique<llvm::DIBuilder>(module)), main_file_(main_file) {
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Max, "Dwarf Version", kDwarfVersion);
  unit_ = builder_->createCompileUnit(llvm::dwarf::DW_LANG_C99, file(main_file), "hlocc",
                                      /*isOptimized=*/true, /*Flags=*/"", /*RV=*/0);
}

DebugInfo::~DebugInfo() = default;

llvm::DIFile* DebugInfo::file(const std::string& name) {
  return builder_->createFile(name.empty() ? main_file_ : name, kFolder);
}

// Without the symbol, which debuggers would show in place of the name.
llvm::DISubprogram* DebugInfo::subprogram(const std::string& name, const SourceLine& at) {
  llvm::DISubroutineType* type = builder_->createSubroutineType(builder_->getOrCreateTypeArray({}));
  return builder_->createFunction(
      file(at.file), name, "", file(at.file), number_of(at), type, number_of(at),
      llvm::DINode::FlagPrototyped,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
}

llvm::DISubprogram* DebugInfo::inlined(const std::string& name, const SourceLine& at) {
  llvm::DISubprogram*& known = inlined_[{name, at.file}];
  if (known == nullptr) known = subprogram(name, at);
  return known;
}

llvm::DILocalScope* DebugInfo::in_file(llvm::DISubprogram* run, const std::string& name) {
  llvm::DIFile* wanted = file(name);
  if (run->getFile() == wanted) return run;
  return builder_->createLexicalBlockFile(run, wanted);
}

void DebugInfo::add_kernel(llvm::Function& kernel, const kernel::Origin& first_use, int uses) {
  const std::string symbol = kernel.getName().str();
  const std::string name = uses > 1 ? cat(symbol, " [shared by ", uses, " layers]") : symbol;
  const SourceLine at = first_use.source.empty() ? SourceLine{} : first_use.source[0];
  kernel.setSubprogram(subprogram(name, at));
}

void DebugInfo::add_run(llvm::Function& run, const kernel::Origin& first_step) {
  const std::string symbol = run.getName().str();
  const SourceLine at = first_step.source.empty() ? SourceLine{} : first_step.source.back();
  run.setSubprogram(subprogram(symbol, at));
  runs_.insert(&run);
}

llvm::DebugLoc DebugInfo::step(const llvm::Function& run, const kernel::Origin& origin) {
  const std::vector<SourceLine>& source = origin.source;
  llvm::DISubprogram* outside = run.getSubprogram();
  llvm::LLVMContext& context = module_.getContext();
  if (source.empty()) return DILocation::get(context, 0, 0, outside);
  // Distinct, so that steps of one line stay two.
  DILocation* at = DILocation::getDistinct(context, number_of(source.back()), 0,
                                           in_file(outside, source.back().file));
  for (size_t i = source.size(); i-- > 0;) {
    const std::string& name = i == 0 ? origin.layer : function_of(source[i]);
    at = DILocation::get(context, number_of(source[i]), 0, inlined(name, source[i]), at);
  }
  return at;
}

void DebugInfo::finish() {
  for (llvm::Function& function : module_) {
    llvm::DISubprogram* known = function.getSubprogram();
    if (known == nullptr) continue;
    const unsigned line = runs_.contains(&function) ? 0 : known->getLine();
    const DILocation* own = DILocation::get(module_.getContext(), line, 0, known);
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (!instruction.getDebugLoc()) instruction.setDebugLoc(own);
  }
  builder_->finalize();
}

}  // namespace hlocc::backends

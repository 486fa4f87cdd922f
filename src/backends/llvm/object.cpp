// Runs LLVM's code generator. Frames come from the diagnostics that the attribute "warn-stack-size" asks for, so that the
// object needs no section for them.
#include "backends/llvm/object.h"

#include <algorithm>

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

// Collects frames, and the first error that LLVM reports instead of aborting.
struct Collector : llvm::DiagnosticHandler {
  Collector(std::vector<StackFrame>& frames, std::string& first_error) : frames(frames), first_error(first_error) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (const auto* size = llvm::dyn_cast<llvm::DiagnosticInfoResourceLimit>(&info)) {
      frames.push_back({size->getFunction().getName().str(), static_cast<int64_t>(size->getResourceSize())});
      return true;
    }
    if (info.getSeverity() == llvm::DS_Error && first_error.empty()) {
      llvm::raw_string_ostream stream(first_error);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }

  std::vector<StackFrame>& frames;
  std::string& first_error;
};

std::vector<std::byte> to_bytes(llvm::StringRef text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

Result<Emitted> emit(llvm::Module& module, llvm::TargetMachine& machine, llvm::CodeGenFileType type) {
  Emitted emitted;
  std::string first_error;
  llvm::LLVMContext& context = module.getContext();
  std::unique_ptr<llvm::DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<Collector>(emitted.frames, first_error));
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  const bool refused = machine.addPassesToEmitFile(passes, stream, nullptr, type);
  if (!refused) passes.run(module);
  context.setDiagnosticHandler(std::move(previous));
  if (refused) return error(DiagnosticKind::kTarget, cat("LLVM writes no such file for ", module.getTargetTriple()));
  if (!first_error.empty()) return error(DiagnosticKind::kInternal, "code generation failed: " + first_error);
  emitted.bytes = to_bytes(llvm::StringRef(buffer.data(), buffer.size()));
  std::ranges::sort(emitted.frames, {}, &StackFrame::function);
  return emitted;
}

}  // namespace

Result<Emitted> emit_object(llvm::Module& module, llvm::TargetMachine& machine) {
  return emit(module, machine, llvm::CodeGenFileType::ObjectFile);
}

Result<Emitted> emit_assembly(llvm::Module& module, llvm::TargetMachine& machine) {
  return emit(module, machine, llvm::CodeGenFileType::AssemblyFile);
}

std::vector<std::byte> print_module(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return to_bytes(stream.str());
}

}  // namespace hlocc::backends

// Runs LLVM's code generator. Frames come from the diagnostics that the attribute "warn-stack-size"
// asks for, so that the object needs no section for them; what vectors of unknown length take on
// the stack is told by remarks alone.
#include "backends/llvm/object/object.h"

#include <algorithm>
#include <memory>

#include "backends/llvm/idioms/tile_order.h"
#include "backends/llvm/object/condition_codes.h"
#include "backends/llvm/object/frame_marks.h"
#include "backends/llvm/object/lazy_stream.h"
#include "backends/llvm/object/own_copy.h"
#include "backends/llvm/object/stack_note.h"
#include "llvm/Analysis/TargetTransformInfo.h"
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

// The sum of the slots "Size: vscale x N" in a remark about a frame's layout.
int64_t scalable_bytes(llvm::StringRef layout) {
  constexpr llvm::StringLiteral kMark = "Size: vscale x ";
  int64_t sum = 0;
  for (size_t at = layout.find(kMark); at != llvm::StringRef::npos;
       at = layout.find(kMark, at + 1)) {
    int64_t bytes = 0;
    layout.substr(at + kMark.size()).consumeInteger(10, bytes);
    sum += bytes;
  }
  return sum;
}

// Collects frames, and the first error that LLVM reports instead of aborting.
struct Collector : llvm::DiagnosticHandler {
  Collector(llvm::TargetMachine& machine, std::vector<StackFrame>& frames, std::string& first_error)
      : machine(machine), frames(frames), first_error(first_error) {}

  // Only RISC-V has such vectors, and the remarks cost time.
  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override {
    return pass == "stack-frame-layout" && machine.getTargetTriple().isRISCV();
  }

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (const auto* size = llvm::dyn_cast<llvm::DiagnosticInfoResourceLimit>(&info)) {
      add(size->getFunction(), static_cast<int64_t>(size->getResourceSize()));
      return true;
    }
    if (const auto* layout = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info)) {
      const llvm::Function& function = layout->getFunction();
      const auto vscale = machine.getTargetTransformInfo(function).getVScaleForTuning();
      add(function, scalable_bytes(layout->getMsg()) * vscale.value_or(1));
      return true;
    }
    if (info.getSeverity() == llvm::DS_Error && first_error.empty()) {
      llvm::raw_string_ostream stream(first_error);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }

  void add(const llvm::Function& function, int64_t bytes) {
    const auto known = std::ranges::find(frames, function.getName(), &StackFrame::function);
    if (known != frames.end())
      known->bytes += bytes;
    else if (bytes > 0)
      frames.push_back({function.getName().str(), bytes});
  }

  llvm::TargetMachine& machine;
  std::vector<StackFrame>& frames;
  std::string& first_error;
};

std::vector<std::byte> to_bytes(llvm::StringRef text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

Result<Emitted> emit(llvm::Module& module, llvm::TargetMachine& machine, const Target& target,
                     llvm::CodeGenFileType type) {
  call_own_copy(module, machine, target);
  mend_condition_codes(module, machine);
  Emitted emitted;
  std::string first_error;
  llvm::LLVMContext& context = module.getContext();
  std::unique_ptr<llvm::DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<Collector>(machine, emitted.frames, first_error));
  CodeGate code_gate(module, machine, target);
  llvm::OptPassGate& gate = context.getOptPassGate();
  context.setOptPassGate(code_gate);
  LazyStream stream;
  // Assembly goes through a stream of the passes, which writes what it holds when it ends.
  auto passes = std::make_unique<llvm::legacy::PassManager>();
  FrameMarksMover mover(*passes, target.options.debug && machine.getTargetTriple().isAArch64());
  const bool refused = machine.addPassesToEmitFile(mover, stream, nullptr, type);
  if (!refused) passes->run(module);
  passes.reset();
  context.setOptPassGate(gate);
  context.setDiagnosticHandler(std::move(previous));
  if (refused)
    return error(DiagnosticKind::kTarget,
                 cat("LLVM writes no such file for ", module.getTargetTriple()));
  if (!first_error.empty())
    return error(DiagnosticKind::kInternal, "code generation failed: " + first_error);
  emitted.bytes = stream.take();
  std::ranges::sort(emitted.frames, {}, &StackFrame::function);
  return emitted;
}

}  // namespace

Result<Emitted> emit_object(llvm::Module& module, llvm::TargetMachine& machine,
                            const Target& target) {
  HLOCC_TRY_ASSIGN(Emitted emitted,
                   emit(module, machine, target, llvm::CodeGenFileType::ObjectFile));
  if (target.bare_metal) drop_stack_note(emitted.bytes);
  return emitted;
}

Result<Emitted> emit_assembly(llvm::Module& module, llvm::TargetMachine& machine,
                              const Target& target) {
  HLOCC_TRY_ASSIGN(Emitted emitted,
                   emit(module, machine, target, llvm::CodeGenFileType::AssemblyFile));
  if (target.bare_metal) drop_stack_note_lines(emitted.bytes);
  return emitted;
}

std::vector<std::byte> print_module(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return to_bytes(stream.str());
}

}  // namespace hlocc::backends

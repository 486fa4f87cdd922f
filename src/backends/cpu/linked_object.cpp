// LLVM's ORC, in a file of its own because its headers are large.
#include "backends/cpu/linked_object.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"

namespace hlocc::backends {
namespace {

class OrcObject : public LinkedObject {
 public:
  explicit OrcObject(std::unique_ptr<llvm::orc::LLJIT> jit) : jit_(std::move(jit)) {
    // It would write to stderr else. What the system refuses is told apart from what the object
    // lacks.
    jit_->getExecutionSession().setErrorReporter([this](llvm::Error cause) {
      if (cause.isA<llvm::ECError>())
        refusal_ = llvm::toString(std::move(cause));
      else
        llvm::consumeError(std::move(cause));
    });
  }

  void* address(const std::string& symbol) override {
    auto found = jit_->lookup(symbol);
    if (found) return found->toPtr<void*>();
    llvm::consumeError(found.takeError());
    return nullptr;
  }
  std::string refusal() const override { return refusal_; }

 private:
  std::string refusal_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

Diagnostic failed(llvm::Error cause) {
  return error(DiagnosticKind::kEnvironment,
               "cannot link the object in memory: " + llvm::toString(std::move(cause)));
}

}  // namespace

Result<std::unique_ptr<LinkedObject>> link_object(std::span<const std::byte> object,
                                                  const std::map<std::string, void*>& symbols) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit) return failed(jit.takeError());
  const char prefix = (*jit)->getDataLayout().getGlobalPrefix();
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
  if (!process) return failed(process.takeError());
  (*jit)->getMainJITDylib().addGenerator(std::move(*process));
  llvm::orc::SymbolMap given;
  for (const auto& [name, address] : symbols)
    given[(*jit)->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                            llvm::JITSymbolFlags::Exported};
  if (!given.empty())
    if (llvm::Error cause =
            (*jit)->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(given))))
      return failed(std::move(cause));
  const llvm::StringRef bytes(reinterpret_cast<const char*>(object.data()), object.size());
  if (llvm::Error cause =
          (*jit)->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(bytes, "model.o")))
    return failed(std::move(cause));
  return std::unique_ptr<LinkedObject>(new OrcObject(std::move(*jit)));
}

}  // namespace hlocc::backends

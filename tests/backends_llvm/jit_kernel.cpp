// One kernel from IR to a call on this machine.
#include "backends_llvm/jit_kernel.h"

#include "backends/cpu/program_module.h"
#include "backends/llvm/generic_target.h"
#include "backends/llvm/object/object.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/verifier.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using tests::require;

}  // namespace

const Target& host_target() {
  static const Target& target = *new Target(require(complete_target(*preset("host"))));
  return target;
}

const Target& cacheless_target() {
  static const Target& target = *new Target([] {
    Target made = without_caches(host_target());
    made.load_reach = 508;
    return made;
  }());
  return target;
}

std::string ir_of(const kernel::Kernel& kernel, const Target& target) {
  const ProgramModule made = require(make_kernel_module(kernel, target));
  std::string text;
  llvm::raw_string_ostream stream(text);
  made.module->print(stream, nullptr);
  return text;
}

Status try_emit(const kernel::Kernel& kernel) {
  HLOCC_TRY(make_kernel_module(kernel, host_target()));
  return {};
}

JitKernel::JitKernel(const kernel::Kernel& kernel, const Target& target) {
  if (Status verified = kernel::verify(kernel); !verified) FAIL(verified.error().to_string());
  ProgramModule made = require(make_kernel_module(kernel, target));
  const Emitted object = require(emit_object(*made.module, *made.machine, target));
  object_ = require(link_object(object.bytes));
  address_ = object_->address(to_c_identifier(kernel.name));
  REQUIRE(address_ != nullptr);
}

void JitKernel::call(const std::vector<uint64_t>& words) const {
  REQUIRE(words.size() <= 8);
  uint64_t w[8] = {};
  std::copy(words.begin(), words.end(), w);
  // Pointers and integers travel alike, and a callee does not mind more than it takes.
  using Function =
      void (*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
  reinterpret_cast<Function>(address_)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
}

Buffers run_compiled(const kernel::Kernel& kernel, Buffers buffers,
                     const std::vector<int64_t>& integers, const Target& target) {
  const JitKernel compiled(kernel, target);
  std::vector<uint64_t> words;
  for (auto& buffer : buffers) words.push_back(reinterpret_cast<uint64_t>(buffer.data()));
  for (int64_t integer : integers) words.push_back(static_cast<uint64_t>(integer));
  compiled.call(words);
  return buffers;
}

Buffers run_evaluated(const kernel::Kernel& kernel, Buffers buffers,
                      const std::vector<int64_t>& integers) {
  std::vector<std::span<std::byte>> spans(buffers.begin(), buffers.end());
  const Status status = kernel::evaluate(kernel, spans, integers);
  if (!status) FAIL(const_cast<Status&>(status).error().to_string());
  return buffers;
}

void check_agreement(const kernel::Kernel& kernel, const Buffers& buffers,
                     const std::vector<int64_t>& integers) {
  INFO(kernel::to_text(kernel));
  const Buffers evaluated = run_evaluated(kernel, buffers, integers);
  for (const Target* target : {&host_target(), &cacheless_target()}) {
    const Buffers compiled = run_compiled(kernel, buffers, integers, *target);
    for (size_t i = 0; i < buffers.size(); ++i) CHECK(compiled[i] == evaluated[i]);
  }
}

}  // namespace hlocc::backends

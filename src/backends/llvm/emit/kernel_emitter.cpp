// The shell of a kernel's function: parameters, attributes, stack scratch; the body is emitted by
// the other files of Emitter.
#include "backends/llvm/emit/kernel_emitter.h"

#include "backends/llvm/emit/emitter.h"
#include "backends/llvm/idioms/hvx.h"
#include "backends/llvm/idioms/tile_order.h"
#include "backends/llvm/target_machine.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "support/rounding.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Kernel;
using kernel::OpKind;
using kernel::Region;

bool has_while(const Region& region) {
  for (const kernel::Op& op : region.ops) {
    if (op.kind == OpKind::kWhile) return true;
    for (const Region& inner : op.regions)
      if (has_while(inner)) return true;
  }
  return false;
}

struct Size {
  int ops = 0;
  bool selects_vectors = false;
};
void add_size(const Kernel& kernel, const Region& region, Size& size) {
  for (const kernel::Op& op : region.ops) {
    ++size.ops;
    size.selects_vectors |= op.kind == OpKind::kSelect && kernel.type(op.result()).lanes > 1;
    for (const Region& inner : op.regions) add_size(kernel, inner, size);
  }
}

// LLVM 19 puts constants of a long function between its instructions, between those of an MVE
// predicate block too: the branch over them is not what the block may hold, and the pass behind it
// reads memory that is not its own. What selects vectors and is long has its constants in
// instructions.
bool keeps_constants_out(const Kernel& kernel, const Target& target) {
  constexpr int kLong = 100;
  if (!target.has(Isa::kMve)) return false;
  Size size;
  add_size(kernel, kernel.body, size);
  return size.selects_vectors && size.ops > kLong;
}

llvm::Function* declare(llvm::Module& module, const Kernel& kernel, const KernelEmission& emission,
                        const Target& target) {
  llvm::LLVMContext& context = module.getContext();
  const int buffers = kernel.bound_buffers();
  std::vector<llvm::Type*> types(buffers, llvm::PointerType::getUnqual(context));
  types.resize(buffers + kernel.parameters.size(),
               llvm::Type::getIntNTy(context, target.pointer_bits));
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
  const auto linkage =
      emission.exported ? llvm::Function::ExternalLinkage : llvm::Function::InternalLinkage;
  auto* function = llvm::Function::Create(type, linkage, emission.symbol, module);
  function->setDSOLocal(true);
  set_function_attributes(*function, target);
  if (keeps_constants_out(kernel, target)) add_feature(*function, "+execute-only");
  if (has_crowded_tile(kernel, target)) keep_order(*function, target);
  // A loop that HLO never leaves is legal; all others end.
  if (!has_while(kernel.body)) function->addFnAttr(llvm::Attribute::WillReturn);
  for (int i = 0; i < buffers; ++i) {
    function->addParamAttr(i, llvm::Attribute::NoCapture);
    if (emission.unshared.empty() || emission.unshared[i])
      function->addParamAttr(i, llvm::Attribute::NoAlias);
    if (kernel.buffers[i].direction == kernel::Direction::kIn)
      function->addParamAttr(i, llvm::Attribute::ReadOnly);
    function->getArg(i)->setName(to_c_identifier(kernel.buffers[i].name));
  }
  return function;
}

}  // namespace

Emitter::Emitter(llvm::Function& function, const Kernel& kernel, const Target& target,
                 llvm::TargetMachine& machine)
    : kernel_(kernel),
      target_(target),
      machine_(machine),
      function_(function),
      builder_(function.getContext()),
      values_(kernel.types.size(), nullptr),
      pointers_(kernel, values_, builder_, target),
      beside_sums_(target.has(Isa::kMve) && has_crowded_tile(kernel, target)) {
  if (beside_sums_) {
    llvm::MDBuilder metadata(builder_.getContext());
    llvm::MDNode* domain = metadata.createAnonymousAliasScopeDomain();
    read_only_ =
        llvm::MDNode::get(builder_.getContext(), {metadata.createAnonymousAliasScope(domain)});
  }
  if (!target.options.fast_math) return;
  // Reassociation would undo the exact steps of legalised math functions, so even fast math does
  // without it.
  llvm::FastMathFlags flags;
  flags.setAllowContract(target.fma);
  flags.setAllowReciprocal();
  flags.setNoSignedZeros();
  builder_.setFastMathFlags(flags);
}

llvm::Type* Emitter::type_of(kernel::Type type) {
  return register_type(builder_.getContext(), type, target_.pointer_bits);
}

void Emitter::fail(const kernel::Op& op) {
  if (!failure_.empty()) return;
  std::vector<std::string> types;
  for (kernel::ValueId id : op.operands) types.push_back(to_string(kernel_.type(id)));
  failure_ = cat(kernel::op_name(op.kind), "(", join(types, ", "), ")");
  if (!op.results.empty()) failure_ += " -> " + to_string(kernel_.type(op.result()));
}

void Emitter::bind_arguments() {
  const int bound = kernel_.bound_buffers();
  for (size_t i = 0; i < kernel_.buffers.size(); ++i) {
    const kernel::Buffer& buffer = kernel_.buffers[i];
    RunningPointer start{{static_cast<kernel::BufferId>(i), {}}};
    if (static_cast<int>(i) < bound) {
      start.pointer = function_.getArg(i);
    } else {
      llvm::Type* element =
          memory_type(builder_.getContext(), {buffer.element, 1}, target_.pointer_bits);
      const int bytes = memory_bytes(buffer.element, target_.pointer_bits);
      // Whole blocks, where blocks are read (hvx.h).
      const int64_t block = target_.has(Isa::kHvx) ? kHvxBytes : bytes;
      llvm::AllocaInst* scratch = builder_.CreateAlloca(
          llvm::ArrayType::get(element, round_up(buffer.elements, block / bytes)));
      scratch->setAlignment(llvm::Align(std::max<int64_t>(buffer.alignment, block)));
      start.pointer = scratch;
    }
    pointers_.add(std::move(start));
  }
  for (size_t i = 0; i < kernel_.parameters.size(); ++i)
    values_[kernel_.parameters[i]] = function_.getArg(bound + i);
}

void Emitter::emit_body() {
  builder_.SetInsertPoint(new_block("entry"));
  bind_arguments();
  emit_region(kernel_.body);
  builder_.CreateRetVoid();
}

Result<llvm::Function*> emit_kernel(llvm::Module& module, const Kernel& kernel,
                                    const KernelEmission& emission, const Target& target,
                                    llvm::TargetMachine& machine) {
  const WorkingOn scope(cat("emission of kernel ", kernel.name));
  llvm::Function* function = declare(module, kernel, emission, target);
  Emitter emitter(*function, kernel, target, machine);
  emitter.emit_body();
  if (!emitter.failure().empty())
    return error(DiagnosticKind::kInternal,
                 cat("kernel ", kernel.name, " holds ", emitter.failure(),
                     ", which has no form in LLVM for ", target.name))
        .note(cat("it computes ", join(kernel.origin, ", ")))
        .note("legalisation should have rewritten it");
  return function;
}

}  // namespace hlocc::backends

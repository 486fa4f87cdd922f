// Puts the pool into the module or behind it. Arrays of bytes are what LLVM writes fastest: an
// array of floats takes ten times as long. A hole in the object is found by its mark, so that the
// same code serves every object format.
#include "backends/cpu/weights.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "backends/common/external_weights.h"
#include "backends/common/pool.h"
#include "backends/llvm/target_machine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "support/check.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using Bytes = std::vector<std::byte>;

constexpr int64_t kLargePool = 1 << 20;
// Where the hole begins. No other bytes of an object are these.
constexpr std::string_view kMark = "hlocc's weights come here, later";
// All zeros but for the mark.
llvm::Constant* marked_hole(llvm::LLVMContext& context, int64_t bytes) {
  llvm::Constant* mark =
      llvm::ConstantDataArray::getString(context, llvm::StringRef(kMark), /*AddNull=*/false);
  auto* rest = llvm::ArrayType::get(llvm::Type::getInt8Ty(context),
                                    static_cast<uint64_t>(bytes) - kMark.size());
  return llvm::ConstantStruct::getAnon({mark, llvm::ConstantAggregateZero::get(rest)},
                                       /*Packed=*/true);
}

llvm::Constant* whole_pool(llvm::LLVMContext& context, const planning::Plan& plan,
                           const Target& target) {
  Pieces pool;
  append_pool(plan, target, pool);
  const Bytes bytes = pool.joined();
  return llvm::ConstantDataArray::get(
      context, llvm::ArrayRef(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
}

}  // namespace

Result<std::string> weights_section(const kernel::Program& program, const Target& target) {
  const std::string& wanted = target.options.weights_section;
  const std::string symbol = weights_symbol(program.signature);
  const ObjectFormat format = object_format(target);
  if (format.is_mach_o) {
    constexpr size_t kLongest = 16;
    if (wanted.size() > kLongest)
      return error(DiagnosticKind::kUsage,
                   cat("--weights-section ", wanted, ": sections of ", target.name,
                       " have names of at most ", kLongest, " characters"));
    return "__TEXT," + (wanted.empty() ? "__const" : wanted);
  }
  if (!wanted.empty()) return wanted;
  // Linkers put what stands behind the dollar into .rdata, sorted by it.
  return (format.is_coff ? ".rdata$" : ".rodata.") + symbol;
}

int64_t weights_bytes(const kernel::Program& program, const planning::Plan& plan,
                      const Target& target, const Artifacts& artifacts) {
  if (target.options.weights_external || !object_format(target).is_elf) return plan.constant_bytes;
  const Result<std::string> section = weights_section(program, target);
  const auto found = artifacts.sections.find(section ? *section : "");
  return found == artifacts.sections.end() ? 0 : found->second;
}

Result<llvm::GlobalVariable*> emit_weights(llvm::Module& module, const kernel::Program& program,
                                           const planning::Plan& plan, const Target& target,
                                           bool hole) {
  if (plan.constant_bytes == 0) return static_cast<llvm::GlobalVariable*>(nullptr);
  llvm::LLVMContext& context = module.getContext();
  const std::string symbol = weights_symbol(program.signature);
  if (target.options.weights_external) {
    auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(context),
                                      static_cast<uint64_t>(plan.constant_bytes));
    auto* outside = new llvm::GlobalVariable(module, type, /*isConstant=*/true,
                                             llvm::GlobalValue::ExternalLinkage, nullptr, symbol);
    outside->setAlignment(llvm::Align(kWeightsAlignment));
    // Never another shared library's: its address needs no table.
    outside->setVisibility(llvm::GlobalValue::HiddenVisibility);
    outside->setDSOLocal(true);
    return outside;
  }
  llvm::Constant* bytes =
      hole ? marked_hole(context, plan.constant_bytes) : whole_pool(context, plan, target);
  auto* global = new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                          llvm::GlobalValue::InternalLinkage, bytes, symbol);
  global->setAlignment(
      llvm::Align(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(plan.arena_align, 16)))));
  HLOCC_TRY_ASSIGN(const std::string section, weights_section(program, target));
  global->setSection(section);
  global->setDSOLocal(true);
  // No optimisation may believe what stands there yet.
  global->setExternallyInitialized(hole);
  return global;
}

Pieces around_hole(std::span<const std::byte> bytes, int64_t hole_bytes) {
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  const auto* mark =
      static_cast<const char*>(::memmem(text, bytes.size(), kMark.data(), kMark.size()));
  HLOCC_CHECK(mark != nullptr && text + bytes.size() - mark >= hole_bytes,
              "an object without room for its weights");
  const size_t before = static_cast<size_t>(mark - text),
               behind = before + static_cast<size_t>(hole_bytes);
  HLOCC_CHECK(::memmem(text + behind, bytes.size() - behind, kMark.data(), kMark.size()) == nullptr,
              "an object with room for weights in two places");
  Pieces out;
  out.append(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(before)));
  out.append(Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(behind), bytes.end()));
  HLOCC_CHECK(out.pieces().size() == 2, "an object of weights alone");
  return out;
}

Pieces fill_hole(const Pieces& around, const planning::Plan& plan, const Target& target) {
  Pieces out;
  out.append(around.pieces()[0]);
  append_pool(plan, target, out);
  out.append(around.pieces()[1]);
  return out;
}

bool has_hole(const planning::Plan& plan, const Target& target,
              const std::set<ArtifactKind>& kinds) {
  return plan.constant_bytes >= kLargePool && !target.options.weights_external &&
         !kinds.contains(ArtifactKind::kLlvmIr) && !kinds.contains(ArtifactKind::kAssembly);
}

}  // namespace hlocc::backends

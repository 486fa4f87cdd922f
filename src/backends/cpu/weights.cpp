// Puts the pool into the module or behind it. Arrays of bytes are what LLVM writes fastest: an
// array of floats takes ten times as long. A hole in the object is found by its mark, so that the
// same code serves every object format.
#include "backends/cpu/weights.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "backends/common/pool.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "support/check.h"

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

std::string weights_section(const kernel::Program& program, const Target& target) {
  if (!target.options.weights_section.empty()) return target.options.weights_section;
  return ".rodata." + program.signature.prefix + "weights";
}

llvm::GlobalVariable* emit_weights(llvm::Module& module, const kernel::Program& program,
                                   const planning::Plan& plan, const Target& target, bool hole) {
  if (plan.constant_bytes == 0) return nullptr;
  llvm::LLVMContext& context = module.getContext();
  llvm::Constant* bytes =
      hole ? marked_hole(context, plan.constant_bytes) : whole_pool(context, plan, target);
  auto* global = new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                          llvm::GlobalValue::InternalLinkage, bytes,
                                          program.signature.prefix + "weights");
  global->setAlignment(
      llvm::Align(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(plan.arena_align, 16)))));
  global->setSection(weights_section(program, target));
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

bool has_hole(const planning::Plan& plan, const std::set<ArtifactKind>& kinds) {
  return plan.constant_bytes >= kLargePool && !kinds.contains(ArtifactKind::kLlvmIr) &&
         !kinds.contains(ArtifactKind::kAssembly);
}

}  // namespace hlocc::backends

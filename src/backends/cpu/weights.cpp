// Puts the pool into the module or behind it. Arrays of bytes are what LLVM writes fastest: an
// array of floats takes ten times as long. A placeholder in the object is found by its mark, so
// that the same code serves every object format.
#include "backends/cpu/weights.h"

#include <cstring>

#include "backends/common/external_weights.h"
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
// Where the placeholder begins. No other bytes of an object are these.
constexpr std::string_view kMark = "hlocc's weights come here, later";
// All zeros but for the mark.
llvm::Constant* marked_placeholder(llvm::LLVMContext& context, int64_t bytes) {
  llvm::Constant* mark =
      llvm::ConstantDataArray::getString(context, llvm::StringRef(kMark), /*AddNull=*/false);
  auto* rest = llvm::ArrayType::get(llvm::Type::getInt8Ty(context),
                                    static_cast<uint64_t>(bytes) - kMark.size());
  return llvm::ConstantStruct::getAnon({mark, llvm::ConstantAggregateZero::get(rest)},
                                       /*Packed=*/true);
}

llvm::Constant* all_constants(llvm::LLVMContext& context, const Library& library,
                              const Target& target) {
  Pieces pool;
  append_constants(library, target, pool);
  const Bytes bytes = pool.joined();
  return llvm::ConstantDataArray::get(
      context, llvm::ArrayRef(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
}

int64_t bytes_for_devices(const Library& library) {
  int64_t bytes = 0;
  for (const Unit& unit : library.units) bytes += unit.plan->device_data_bytes();
  return bytes;
}

}  // namespace

Result<std::string> weights_section(const Library& library, const Target& target) {
  const std::string& wanted = target.options.weights_section;
  const ObjectFormat format = object_format(target);
  if (format.is_mach_o) {
    constexpr size_t kLongest = 16;
    if (wanted.size() > kLongest)
      return error(DiagnosticKind::kUsage,
                   cat("--weights-section ", wanted, ": sections of ", target.name,
                       " have names of at most ", kLongest, " characters"));
    return "__TEXT," + (wanted.empty() ? "__const" : wanted);
  }
  // Linkers put what stands behind the dollar into .rdata, sorted by it.
  if (format.is_coff && wanted.empty()) return ".rdata$" + library.prefix + "weights";
  return elf_weights_section(library, target);
}

int64_t weights_bytes(const Library& library, const Target& target, const Artifacts& artifacts) {
  if (target.options.weights_external || !object_format(target).is_elf)
    return layout_of_constants(library).bytes + bytes_for_devices(library);
  const auto found = artifacts.sections.find(elf_weights_section(library, target));
  return found == artifacts.sections.end() ? 0 : found->second;
}

Result<llvm::GlobalVariable*> emit_weights(llvm::Module& module, const Library& library,
                                           const Target& target, bool placeholder) {
  const ConstantsLayout layout = layout_of_constants(library);
  if (layout.bytes == 0) return static_cast<llvm::GlobalVariable*>(nullptr);
  llvm::LLVMContext& context = module.getContext();
  const std::string symbol = library.prefix + "weights";
  if (target.options.weights_external) {
    if (layout.align > kWeightsAlignment)
      return error(DiagnosticKind::kUnsupported,
                   cat("--weights external: the file is aligned to ", kWeightsAlignment,
                       " bytes, and vectors of ", target.name, " are loaded from ", layout.align))
          .note("leave the weights inside, or compile for the target without its vectors");
    auto* type =
        llvm::ArrayType::get(llvm::Type::getInt8Ty(context), static_cast<uint64_t>(layout.bytes));
    auto* outside = new llvm::GlobalVariable(module, type, /*isConstant=*/true,
                                             llvm::GlobalValue::ExternalLinkage, nullptr, symbol);
    outside->setAlignment(llvm::Align(kWeightsAlignment));
    // Never another shared library's: its address needs no table.
    outside->setVisibility(llvm::GlobalValue::HiddenVisibility);
    outside->setDSOLocal(true);
    return outside;
  }
  llvm::Constant* bytes = placeholder ? marked_placeholder(context, layout.bytes)
                                      : all_constants(context, library, target);
  auto* global = new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                          llvm::GlobalValue::InternalLinkage, bytes, symbol);
  global->setAlignment(llvm::Align(static_cast<uint64_t>(layout.align)));
  HLOCC_TRY_ASSIGN(const std::string section, weights_section(library, target));
  global->setSection(section);
  global->setDSOLocal(true);
  // No optimisation may believe what stands there yet.
  global->setExternallyInitialized(placeholder);
  return global;
}

Status emit_device_data(llvm::Module& module, const Library& library, const Target& target) {
  for (const Unit& unit : library.units)
    for (const auto& [part, words] : unit.plan->device_data) {
      if (words.empty()) continue;
      llvm::Constant* const data = llvm::ConstantDataArray::get(
          module.getContext(), llvm::ArrayRef(words.data(), words.size()));
      auto* global = new llvm::GlobalVariable(module, data->getType(), /*isConstant=*/true,
                                              llvm::GlobalValue::ExternalLinkage, data, part);
      HLOCC_TRY_ASSIGN(const std::string section, weights_section(library, target));
      global->setSection(section);
      global->setAlignment(llvm::Align(sizeof(uint32_t)));
      global->setDSOLocal(true);
    }
  return {};
}

Pieces around_placeholder(std::span<const std::byte> bytes, int64_t placeholder_bytes) {
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  const auto* mark =
      static_cast<const char*>(::memmem(text, bytes.size(), kMark.data(), kMark.size()));
  HLOCC_CHECK(mark != nullptr && text + bytes.size() - mark >= placeholder_bytes,
              "an object without room for its weights");
  const size_t before = static_cast<size_t>(mark - text),
               behind = before + static_cast<size_t>(placeholder_bytes);
  HLOCC_CHECK(::memmem(text + behind, bytes.size() - behind, kMark.data(), kMark.size()) == nullptr,
              "an object with room for weights in two places");
  Pieces out;
  out.append(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(before)));
  out.append(Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(behind), bytes.end()));
  HLOCC_CHECK(out.pieces().size() == 2, "an object of weights alone");
  return out;
}

Pieces fill_hole(const Pieces& around, const Library& library, const Target& target) {
  Pieces out;
  out.append(around.pieces()[0]);
  append_constants(library, target, out);
  out.append(around.pieces()[1]);
  return out;
}

bool has_placeholder(const Library& library, const Target& target,
                     const std::set<ArtifactKind>& kinds) {
  return layout_of_constants(library).bytes >= kLargePool && !target.options.weights_external &&
         !kinds.contains(ArtifactKind::kLlvmIr) && !kinds.contains(ArtifactKind::kAssembly);
}

}  // namespace hlocc::backends

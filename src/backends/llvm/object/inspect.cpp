// Symbols and sections through LLVM's object reader.
#include "backends/llvm/object/inspect.h"

#include <algorithm>

#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

constexpr std::string_view forbidden_sections[] = {
    ".data", ".bss", ".tdata", ".tbss", ".init_array", ".fini_array", ".ctors", ".dtors",
    ".ARM.exidx", ".ARM.extab", ".eh_frame", ".gcc_except_table",
    // COFF's and Mach-O's names of the same.
    ".CRT", ".tls", ".pdata", ".xdata", "__data", "__bss", "__thread_data", "__thread_bss",
    "__mod_init_func", "__mod_term_func", "__eh_frame", "__compact_unwind"};

bool is_part_of(std::string_view section, std::string_view family) {
  return section == family || (section.starts_with(family) && section[family.size()] == '.');
}

template <typename T>
Result<T> unwrap(llvm::Expected<T> value) {
  if (!value)
    return error(DiagnosticKind::kInternal,
                 "unreadable object: " + llvm::toString(value.takeError()));
  return std::move(*value);
}

Status read_symbols(const llvm::object::ObjectFile& file, char prefix, Artifacts& artifacts) {
  using llvm::object::SymbolRef;
  for (const SymbolRef& symbol : file.symbols()) {
    HLOCC_TRY_ASSIGN(const uint32_t flags, unwrap(symbol.getFlags()));
    HLOCC_TRY_ASSIGN(llvm::StringRef name, unwrap(symbol.getName()));
    if (prefix != 0) name.consume_front(llvm::StringRef(&prefix, 1));
    if (name.empty() || (flags & SymbolRef::SF_FormatSpecific)) continue;
    if (flags & SymbolRef::SF_Undefined)
      artifacts.undefined.push_back(name.str());
    else if (flags & SymbolRef::SF_Global)
      artifacts.defined.push_back(name.str());
  }
  std::ranges::sort(artifacts.defined);
  std::ranges::sort(artifacts.undefined);
  return {};
}

Status read_sections(const llvm::object::ObjectFile& file, Artifacts& artifacts) {
  for (const llvm::object::SectionRef& section : file.sections()) {
    HLOCC_TRY_ASSIGN(const llvm::StringRef name, unwrap(section.getName()));
    const int64_t bytes = static_cast<int64_t>(section.getSize());
    if (bytes == 0 || name.empty()) continue;
    artifacts.sections[name.str()] += bytes;
    if (section.isText()) artifacts.code_bytes += bytes;
  }
  return {};
}

}  // namespace

Status inspect_object(std::span<const std::byte> object, Artifacts& artifacts, char global_prefix) {
  const llvm::StringRef content(reinterpret_cast<const char*>(object.data()), object.size());
  auto opened =
      llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(content, "object"));
  HLOCC_TRY_ASSIGN(const std::unique_ptr<llvm::object::ObjectFile> file, unwrap(std::move(opened)));
  HLOCC_TRY(read_symbols(*file, global_prefix, artifacts));
  return read_sections(*file, artifacts);
}

Status check_promises(const Artifacts& artifacts, const Target& target,
                      std::span<const std::string> user_symbols) {
  std::vector<std::string> wrong;
  for (const std::string& symbol : artifacts.undefined)
    if (!is_allowed_symbol(target, symbol) &&
        std::ranges::find(user_symbols, symbol) == user_symbols.end())
      wrong.push_back(symbol);
  if (!wrong.empty())
    return error(DiagnosticKind::kInternal,
                 cat("the object for ", target.name, " would need ", join(wrong, ", ")))
        .note(
            "only the helpers of the target's row may stay undefined, and memory functions where "
            "there is a libc");
  for (const auto& [section, bytes] : artifacts.sections)
    for (std::string_view family : forbidden_sections)
      if (is_part_of(section, family))
        return error(DiagnosticKind::kInternal,
                     cat("the object for ", target.name, " has a section ", section));
  return {};
}

}  // namespace hlocc::backends

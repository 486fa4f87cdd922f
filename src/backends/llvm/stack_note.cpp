// See stack_note.h.
#include "backends/llvm/stack_note.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "llvm/Object/ELFObjectFile.h"

namespace hlocc::backends {
namespace {

constexpr std::string_view kNote = ".note.GNU-stack";
// Of the field sh_type in a section's header, of 32 bits as of 64; the type 0 is SHT_NULL in either byte order.
constexpr size_t kTypeOffset = 4, kTypeBytes = 4;

}  // namespace

void drop_stack_note(std::vector<std::byte>& object) {
  const llvm::StringRef text(reinterpret_cast<const char*>(object.data()), object.size());
  auto file = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(text, "object"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  for (const llvm::object::SectionRef& section : (*file)->sections()) {
    llvm::Expected<llvm::StringRef> name = section.getName();
    if (!name) {
      llvm::consumeError(name.takeError());
      continue;
    }
    if (*name != llvm::StringRef(kNote)) continue;
    // LLVM's reference to a section is the address of its header.
    auto* header = reinterpret_cast<std::byte*>(section.getRawDataRefImpl().p);
    std::memset(header + kTypeOffset, 0, kTypeBytes);
  }
}

void drop_stack_note_lines(std::vector<std::byte>& assembly) {
  std::string_view rest(reinterpret_cast<const char*>(assembly.data()), assembly.size());
  std::vector<std::byte> out;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
    rest.remove_prefix(line.size());
    if (line.find(kNote) != std::string_view::npos) continue;
    const auto* begin = reinterpret_cast<const std::byte*>(line.data());
    out.insert(out.end(), begin, begin + line.size());
  }
  assembly = std::move(out);
}

}  // namespace hlocc::backends

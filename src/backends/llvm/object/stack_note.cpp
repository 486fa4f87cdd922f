// See stack_note.h.
#include "backends/llvm/object/stack_note.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "llvm/Object/ELFObjectFile.h"

namespace hlocc::backends {
namespace {

constexpr std::string_view kNote = ".note.GNU-stack";
// Of the field sh_type in a section's header, of 32 bits as of 64; the type 0 is SHT_NULL in either
// byte order.
constexpr size_t kTypeOffset = 4;
constexpr std::byte kNoType[4] = {};

llvm::StringRef text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

void drop_stack_note(LazyBytes& object) {
  const llvm::StringRef text = text_of(object);
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
    const auto* header = reinterpret_cast<const char*>(section.getRawDataRefImpl().p);
    object.overwrite(static_cast<size_t>(header - text.data()) + kTypeOffset, kNoType);
  }
}

void drop_stack_note_lines(LazyBytes& assembly) {
  std::string_view rest = text_of(assembly);
  LazyBytes out;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
    rest.remove_prefix(line.size());
    if (line.find(kNote) != std::string_view::npos) continue;
    out.append(std::as_bytes(std::span(line)));
  }
  assembly = std::move(out);
}

}  // namespace hlocc::backends

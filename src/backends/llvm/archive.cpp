// LLVM writes the archive, so that no `ar` of any target is needed.
#include "backends/llvm/archive.h"

#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/MemoryBuffer.h"
#include "support/text.h"

namespace hlocc::backends {

Result<std::vector<std::byte>> make_archive(const std::string& member, std::span<const std::byte> object) {
  const llvm::StringRef content(reinterpret_cast<const char*>(object.data()), object.size());
  llvm::NewArchiveMember entry;
  entry.Buf = llvm::MemoryBuffer::getMemBuffer(content, member, /*RequiresNullTerminator=*/false);
  entry.MemberName = member;
  entry.ModTime = {};
  entry.UID = entry.GID = 0;
  entry.Perms = 0644;
  std::vector<llvm::NewArchiveMember> members;
  members.push_back(std::move(entry));
  auto archive = llvm::writeArchiveToBuffer(members, llvm::SymtabWritingMode::NormalSymtab, llvm::object::Archive::K_GNU,
                                            /*Deterministic=*/true, /*Thin=*/false);
  if (!archive)
    return error(DiagnosticKind::kInternal, cat("cannot make the archive: ", llvm::toString(archive.takeError())));
  const llvm::StringRef bytes = (*archive)->getBuffer();
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  return std::vector<std::byte>(begin, begin + bytes.size());
}

}  // namespace hlocc::backends

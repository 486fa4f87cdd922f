// LLVM writes the archive, so that no `ar` of any target is needed.
#include "backends/llvm/object/archive.h"

#include "backends/llvm/object/lazy_stream.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/MemoryBuffer.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

llvm::object::Archive::Kind archive_kind(const ObjectFormat& format) {
  if (format.is_mach_o) return llvm::object::Archive::K_DARWIN;
  return format.is_coff ? llvm::object::Archive::K_COFF : llvm::object::Archive::K_GNU;
}

llvm::NewArchiveMember entry_of(const ArchiveMember& member) {
  const std::span<const std::byte> object = member.object;
  const llvm::StringRef content(reinterpret_cast<const char*>(object.data()), object.size());
  llvm::NewArchiveMember entry;
  entry.Buf =
      llvm::MemoryBuffer::getMemBuffer(content, member.name, /*RequiresNullTerminator=*/false);
  entry.MemberName = member.name;
  entry.ModTime = {};
  entry.UID = entry.GID = 0;
  entry.Perms = 0644;
  return entry;
}

}  // namespace

Result<LazyBytes> make_archive(const std::vector<ArchiveMember>& members,
                               const ObjectFormat& format) {
  std::vector<llvm::NewArchiveMember> entries;
  for (const ArchiveMember& member : members) entries.push_back(entry_of(member));
  LazyStream stream;
  llvm::Error failure = llvm::writeArchiveToStream(
      stream, entries, llvm::SymtabWritingMode::NormalSymtab, archive_kind(format),
      /*Deterministic=*/true, /*Thin=*/false);
  if (failure)
    return error(DiagnosticKind::kInternal,
                 cat("cannot make the archive: ", llvm::toString(std::move(failure))));
  return stream.take();
}

}  // namespace hlocc::backends

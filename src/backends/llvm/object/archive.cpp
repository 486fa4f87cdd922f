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

}  // namespace

Result<LazyBytes> make_archive(const std::string& member, std::span<const std::byte> object,
                               const ObjectFormat& format) {
  const llvm::StringRef content(reinterpret_cast<const char*>(object.data()), object.size());
  llvm::NewArchiveMember entry;
  entry.Buf = llvm::MemoryBuffer::getMemBuffer(content, member, /*RequiresNullTerminator=*/false);
  entry.MemberName = member;
  entry.ModTime = {};
  entry.UID = entry.GID = 0;
  entry.Perms = 0644;
  std::vector<llvm::NewArchiveMember> members;
  members.push_back(std::move(entry));
  LazyStream stream;
  llvm::Error failure = llvm::writeArchiveToStream(
      stream, members, llvm::SymtabWritingMode::NormalSymtab, archive_kind(format),
      /*Deterministic=*/true, /*Thin=*/false);
  if (failure)
    return error(DiagnosticKind::kInternal,
                 cat("cannot make the archive: ", llvm::toString(std::move(failure))));
  return stream.take();
}

}  // namespace hlocc::backends

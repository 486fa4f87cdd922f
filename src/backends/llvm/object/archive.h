// A static library, the same bytes every time: no dates, no owners. Of the kind that the linkers of
// the object format read.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "backends/llvm/object/lazy_bytes.h"
#include "backends/llvm/target_machine.h"
#include "support/result.h"

namespace hlocc::backends {

struct ArchiveMember {
  std::string name;
  std::span<const std::byte> object;
};

Result<LazyBytes> make_archive(const std::vector<ArchiveMember>& members,
                               const ObjectFormat& format);

}  // namespace hlocc::backends

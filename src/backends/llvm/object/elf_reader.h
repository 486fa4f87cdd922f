// ELF files and archives of them as plain values, through LLVM's object library.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "support/result.h"
#include "target/elf_facts.h"

namespace hlocc::backends {

// One for a linked file or an object, one a member for an archive. Errors (kFormat): `file` is
// neither, or is malformed.
Result<std::vector<ElfFacts>> read_elf(std::span<const std::byte> bytes, const std::string& file);

}  // namespace hlocc::backends

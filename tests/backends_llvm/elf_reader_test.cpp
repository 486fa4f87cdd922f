// ELF files that no linker makes: what they claim is not believed.
#include "backends/llvm/elf_reader.h"

#include <catch2/catch.hpp>
#include <cstring>

#include "llvm/BinaryFormat/ELF.h"

namespace hlocc::backends {
namespace {

constexpr uint64_t kContent = 1024;

// A firmware for AArch64 whose `count` sections have the same `kContent` bytes of the file.
std::vector<std::byte> elf_with_sections(int count, uint64_t alignment) {
  using namespace llvm::ELF;
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ElfMagic, 4);
  header.e_ident[EI_CLASS] = ELFCLASS64, header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC, header.e_machine = EM_AARCH64, header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof header, header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shoff = sizeof header + kContent;
  header.e_shnum = static_cast<uint16_t>(count + 2);
  header.e_shstrndx = static_cast<uint16_t>(count + 1);
  std::vector<Elf64_Shdr> sections(static_cast<size_t>(count) + 2);
  for (Elf64_Shdr& section : sections) {
    section.sh_type = SHT_PROGBITS, section.sh_flags = SHF_ALLOC;
    section.sh_offset = sizeof header, section.sh_size = kContent;
    section.sh_addralign = alignment;
  }
  sections.front() = {};
  sections.back().sh_type = SHT_STRTAB, sections.back().sh_flags = 0;
  std::vector<std::byte> out(header.e_shoff + sections.size() * sizeof(Elf64_Shdr));
  std::memcpy(out.data(), &header, sizeof header);
  std::memcpy(out.data() + header.e_shoff, sections.data(), sections.size() * sizeof(Elf64_Shdr));
  return out;
}

}  // namespace

TEST_CASE("alignments are taken as they stand") {
  const auto alignment = [](uint64_t stated) {
    const Result<std::vector<ElfFacts>> read = read_elf(elf_with_sections(1, stated), "a.elf");
    REQUIRE(read.ok());
    return (*read)[0].sections[1].alignment;
  };
  CHECK(alignment(0) == 1);
  CHECK(alignment(8) == 8);
  CHECK(alignment(3) == 3);
  CHECK(alignment(uint64_t{1} << 63) == uint64_t{1} << 63);
}

TEST_CASE("sections that lie over one another are not copied without end") {
  CHECK(read_elf(elf_with_sections(1, 4), "a.elf").ok());
  const Result<std::vector<ElfFacts>> many = read_elf(elf_with_sections(2000, 4), "a.elf");
  REQUIRE_FALSE(many.ok());
  CHECK(many.error().kind == DiagnosticKind::kFormat);
  CHECK(many.error().message.find("lie over one another") != std::string::npos);
}

}  // namespace hlocc::backends

// ELF files that no linker makes: what they claim is not believed.
#include "backends/llvm/object/elf_reader.h"

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

TEST_CASE("sections are loaded where their segment says, the first as the last") {
  using namespace llvm::ELF;
  // Two sections fill a segment, one lies behind it.
  std::vector<std::byte> bytes = elf_with_sections(3, 4);
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (int i = 0; i < 3; ++i) {
    Elf64_Shdr section;
    std::byte* const at = bytes.data() + header.e_shoff + (i + 1) * sizeof section;
    std::memcpy(&section, at, sizeof section);
    section.sh_size = 256, section.sh_offset = sizeof header + static_cast<uint64_t>(i) * 256;
    section.sh_addr = 0x20000000 + static_cast<uint64_t>(i) * 256;
    std::memcpy(at, &section, sizeof section);
  }
  Elf64_Phdr segment = {};
  segment.p_type = PT_LOAD, segment.p_offset = header.e_phoff;
  segment.p_vaddr = 0x20000000, segment.p_paddr = 0x08000000;
  segment.p_memsz = 2 * 256;
  header.e_phoff = bytes.size(), header.e_phnum = 1, header.e_phentsize = sizeof segment;
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes.resize(bytes.size() + sizeof segment);
  std::memcpy(bytes.data() + header.e_phoff, &segment, sizeof segment);
  const Result<std::vector<ElfFacts>> read = read_elf(bytes, "a.elf");
  REQUIRE(read.ok());
  const std::vector<ElfSection>& sections = (*read)[0].sections;
  CHECK(sections[1].load_address == 0x08000000);
  CHECK(sections[2].load_address == 0x08000000 + 256);
  CHECK(sections[3].load_address == 0x20000000 + 2 * 256);
  // What lies in front of a segment is not of it, and others than those that are loaded say nothing.
  const auto first_with = [&](uint32_t type, uint64_t begin) {
    segment.p_type = type, segment.p_vaddr = begin;
    std::memcpy(bytes.data() + header.e_phoff, &segment, sizeof segment);
    const Result<std::vector<ElfFacts>> again = read_elf(bytes, "a.elf");
    REQUIRE(again.ok());
    return (*again)[0].sections[1].load_address;
  };
  CHECK(first_with(PT_LOAD, 0x20000000) == 0x08000000);
  CHECK(first_with(PT_LOAD, 0x20000100) == 0x20000000);
  CHECK(first_with(PT_NOTE, 0x20000000) == 0x20000000);
  // Names are loaded nowhere, though they are said to lie at 0.
  segment.p_type = PT_LOAD, segment.p_vaddr = 0, segment.p_memsz = 0x20000000;
  std::memcpy(bytes.data() + header.e_phoff, &segment, sizeof segment);
  const Result<std::vector<ElfFacts>> low = read_elf(bytes, "a.elf");
  REQUIRE(low.ok());
  CHECK((*low)[0].sections[4].load_address == 0);
}

// An object for Arm with a section of attributes for each of these: pairs of a tag and its value.
ElfFacts arm_object(const std::vector<std::string>& attributes) {
  using namespace llvm::ELF;
  std::string content;
  std::vector<Elf32_Shdr> sections(attributes.size() + 2);
  Elf32_Ehdr header = {};
  for (size_t n = 0; n < attributes.size(); ++n) {
    std::string made;
    const auto number = [](size_t value) { return std::string{static_cast<char>(value), 0, 0, 0}; };
    if (!attributes[n].empty()) {
      const std::string inner = '\1' + number(5 + attributes[n].size()) + attributes[n];
      made = 'A' + number(10 + inner.size()) + std::string("aeabi\0", 6) + inner;
    }
    sections[n + 1].sh_type = SHT_ARM_ATTRIBUTES;
    sections[n + 1].sh_offset = static_cast<uint32_t>(sizeof header + content.size());
    sections[n + 1].sh_size = static_cast<uint32_t>(made.size());
    content += made;
  }
  content.resize((content.size() + 7) / 4 * 4);
  sections.back().sh_type = SHT_STRTAB, sections.back().sh_size = 1;
  sections.back().sh_offset = static_cast<uint32_t>(sizeof header + content.size() - 1);
  std::memcpy(header.e_ident, ElfMagic, 4);
  header.e_ident[EI_CLASS] = ELFCLASS32, header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL, header.e_machine = EM_ARM, header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof header, header.e_shentsize = sizeof(Elf32_Shdr);
  header.e_shoff = static_cast<uint32_t>(sizeof header + content.size());
  header.e_shnum = static_cast<uint16_t>(sections.size());
  header.e_shstrndx = static_cast<uint16_t>(sections.size() - 1);
  std::vector<std::byte> out(header.e_shoff + sections.size() * sizeof(Elf32_Shdr));
  std::memcpy(out.data(), &header, sizeof header);
  std::memcpy(out.data() + sizeof header, content.data(), content.size());
  std::memcpy(out.data() + header.e_shoff, sections.data(), sections.size() * sizeof(Elf32_Shdr));
  const Result<std::vector<ElfFacts>> read = read_elf(out, "a.o");
  REQUIRE(read.ok());
  return (*read)[0];
}

TEST_CASE("objects of Arm pass floats as their attributes say, and say nothing without any") {
  // Tag_CPU_arch is 6, Tag_ABI_VFP_args 28.
  const auto passed = [](char value) {
    return arm_object({std::string{6, 13, 28, value}}).float_abi;
  };
  CHECK(passed(0) == "soft");
  CHECK(passed(1) == "hard");
  CHECK(passed(2) == "soft");
  CHECK(arm_object({}).float_abi.empty());
  CHECK(arm_object({}).attributes.empty());
  // Of two sections the first one counts, even if it is empty.
  CHECK(arm_object({""}).float_abi.empty());
  CHECK(arm_object({"", std::string{6, 13, 28, 1}}).float_abi.empty());
}

TEST_CASE("sections that lie over one another are not copied without end") {
  CHECK(read_elf(elf_with_sections(1, 4), "a.elf").ok());
  const Result<std::vector<ElfFacts>> many = read_elf(elf_with_sections(2000, 4), "a.elf");
  REQUIRE_FALSE(many.ok());
  CHECK(many.error().kind == DiagnosticKind::kFormat);
  CHECK(many.error().message.find("lie over one another") != std::string::npos);
}

TEST_CASE("an archive that is cut off is read nowhere behind its end") {
  const std::vector<std::byte> member = elf_with_sections(1, 4);
  std::string size = std::to_string(member.size());
  size.resize(10, ' ');
  const std::string head =
      "!<arch>\na.o/            0           0     0     644     " + size + "`\n";
  const auto read = [&](size_t bytes) {
    std::vector<std::byte> archive(head.size() + bytes);
    std::memcpy(archive.data(), head.data(), head.size());
    std::memcpy(archive.data() + head.size(), member.data(), bytes);
    return read_elf(archive, "lib.a");
  };
  CHECK(read(member.size()).ok());
  for (const size_t bytes :
       {member.size() - 1, member.size() / 2, size_t{64}, size_t{20}, size_t{1}})
    CHECK_FALSE(read(bytes).ok());
}

}  // namespace hlocc::backends

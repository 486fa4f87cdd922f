// See elf_reader.h.
#include "backends/llvm/object/elf_reader.h"

#include <algorithm>
#include <optional>

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/ARMAttributeParser.h"
#include "llvm/Support/ARMBuildAttributes.h"
#include "llvm/Support/RISCVAttributeParser.h"
#include "llvm/Support/RISCVAttributes.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace llvm::object;

template <typename T>
Result<T> unless_malformed(llvm::Expected<T> value) {
  if (!value)
    return error(DiagnosticKind::kFormat,
                 "is a malformed ELF file: " + llvm::toString(value.takeError()));
  return std::move(*value);
}

// Arm and RISC-V number the section's type alike. What is malformed says nothing.
void read_attributes(const ELFObjectFileBase& file, llvm::ELFAttributeParser& parser) {
  static_assert(llvm::ELF::SHT_ARM_ATTRIBUTES == llvm::ELF::SHT_RISCV_ATTRIBUTES);
  for (const ELFSectionRef section : file.sections()) {
    if (section.getType() != llvm::ELF::SHT_ARM_ATTRIBUTES) continue;
    auto content = section.getContents();
    if (!content) return llvm::consumeError(content.takeError());
    const auto order = file.isLittleEndian() ? llvm::endianness::little : llvm::endianness::big;
    if (content->empty()) return;
    if (llvm::Error broken = parser.parse(llvm::arrayRefFromStringRef(*content), order))
      llvm::consumeError(std::move(broken));
  }
}

void read_arm(const ELFObjectFileBase& file, ElfFacts& out) {
  llvm::ARMAttributeParser attributes;
  read_attributes(file, attributes);
  struct Row {
    unsigned tag;
    const char* name;
  };
  static constexpr Row rows[] = {{llvm::ARMBuildAttrs::CPU_arch, "CPU_arch"},
                                 {llvm::ARMBuildAttrs::CPU_arch_profile, "CPU_arch_profile"},
                                 {llvm::ARMBuildAttrs::FP_arch, "FP_arch"},
                                 {llvm::ARMBuildAttrs::ABI_VFP_args, "ABI_VFP_args"},
                                 {llvm::ARMBuildAttrs::MVE_arch, "MVE_arch"}};
  for (const Row& row : rows)
    if (const auto value = attributes.getAttributeValue(row.tag))
      out.attributes[row.name] = static_cast<int>(*value);
  if (out.attributes.empty()) return;
  const int profile =
      out.attributes.contains("CPU_arch_profile") ? out.attributes["CPU_arch_profile"] : 0;
  const int architecture = out.attributes["CPU_arch"];
  out.is_microcontroller = profile == 'M' || architecture == llvm::ARMBuildAttrs::v6_M ||
                           architecture == llvm::ARMBuildAttrs::v6S_M ||
                           architecture == llvm::ARMBuildAttrs::v7E_M;
  out.float_abi = out.attributes["ABI_VFP_args"] == 1 ? "hard" : "soft";
}

void read_riscv(const ELFObjectFileBase& file, ElfFacts& out) {
  llvm::RISCVAttributeParser attributes;
  read_attributes(file, attributes);
  if (const auto isa = attributes.getAttributeString(llvm::RISCVAttrs::ARCH)) out.isa = isa->str();
  static constexpr const char* endings[] = {"", "f", "d", "q"};
  const unsigned abi = (file.getPlatformFlags() & llvm::ELF::EF_RISCV_FLOAT_ABI) >> 1;
  out.float_abi =
      cat(std::string(out.machine == "riscv64" ? "lp64" : "ilp32"), std::string(endings[abi & 3]));
}

// Sections that lie over one another in the file are no linker's; copies of them would be larger
// than any file.
Status read_sections(const ELFObjectFileBase& file, ElfFacts& out) {
  size_t copied = 0;
  for (const ELFSectionRef section : file.sections()) {
    ElfSection row;
    HLOCC_TRY_ASSIGN(const llvm::StringRef name, unless_malformed(section.getName()));
    row.name = name.str();
    row.address = row.load_address = section.getAddress();
    row.bytes = section.getSize();
    row.allocated = section.getFlags() & llvm::ELF::SHF_ALLOC;
    row.writable = section.getFlags() & llvm::ELF::SHF_WRITE;
    row.executable = section.getFlags() & llvm::ELF::SHF_EXECINSTR;
    if (row.allocated && section.getType() != llvm::ELF::SHT_NOBITS) {
      HLOCC_TRY_ASSIGN(const llvm::StringRef content, unless_malformed(section.getContents()));
      copied += content.size();
      if (copied > file.getData().size())
        return error(DiagnosticKind::kFormat,
                     "is a malformed ELF file: its sections lie over one another");
      row.content = content.str();
    }
    // LLVM counts sections from 0, which is the null section's number.
    if (out.sections.size() <= section.getIndex()) out.sections.resize(section.getIndex() + 1);
    out.sections[section.getIndex()] = std::move(row);
  }
  return {};
}

Status read_symbols(const ELFObjectFileBase& file, ElfFacts& out) {
  for (const ELFSymbolRef symbol : file.symbols()) {
    ElfSymbol row;
    HLOCC_TRY_ASSIGN(const llvm::StringRef name, unless_malformed(symbol.getName()));
    HLOCC_TRY_ASSIGN(const uint32_t flags, unless_malformed(symbol.getFlags()));
    // Without the bit that says Thumb.
    HLOCC_TRY_ASSIGN(row.address, unless_malformed(symbol.getValue()));
    HLOCC_TRY_ASSIGN(const section_iterator section, unless_malformed(symbol.getSection()));
    row.name = name.str();
    row.bytes = symbol.getSize();
    if (section != file.section_end())
      row.section = static_cast<int>(ELFSectionRef(*section).getIndex());
    row.is_defined = !(flags & SymbolRef::SF_Undefined);
    row.is_global = flags & SymbolRef::SF_Global;
    row.is_function = symbol.getELFType() == llvm::ELF::STT_FUNC;
    row.is_object = symbol.getELFType() == llvm::ELF::STT_OBJECT ||
                    (symbol.getELFType() == llvm::ELF::STT_NOTYPE && row.bytes > 0);
    if (!row.name.empty()) out.symbols.push_back(std::move(row));
  }
  return {};
}

// As the headers state them: LLVM's own type of an alignment bears powers of two alone.
template <typename Type>
void read_alignments(const ELFObjectFile<Type>& file, ElfFacts& out) {
  auto headers = file.getELFFile().sections();
  if (!headers) return llvm::consumeError(headers.takeError());
  for (size_t i = 0; i < headers->size() && i < out.sections.size(); ++i)
    out.sections[i].alignment = std::max<uint64_t>((*headers)[i].sh_addralign, 1);
}

// Where sections are loaded, which only the segments say.
template <typename Type>
void read_load_addresses(const ELFObjectFile<Type>& file, ElfFacts& out) {
  auto headers = file.getELFFile().program_headers();
  if (!headers) return llvm::consumeError(headers.takeError());
  for (const auto& segment : *headers) {
    if (segment.p_type != llvm::ELF::PT_LOAD) continue;
    for (ElfSection& section : out.sections)
      if (section.allocated && section.address >= segment.p_vaddr &&
          section.address + section.bytes <= segment.p_vaddr + segment.p_memsz)
        section.load_address = section.address - segment.p_vaddr + segment.p_paddr;
  }
}

// If the file is of this kind.
template <typename Type>
void read_headers(const ELFObjectFileBase& file, ElfFacts& out) {
  const auto* typed = llvm::dyn_cast<ELFObjectFile<Type>>(&file);
  if (typed == nullptr) return;
  read_alignments(*typed, out);
  read_load_addresses(*typed, out);
}

std::string machine_name(const ELFObjectFileBase& file) {
  switch (file.getEMachine()) {
    case llvm::ELF::EM_ARM: return "arm";
    case llvm::ELF::EM_RISCV: return file.getBytesInAddress() == 8 ? "riscv64" : "riscv32";
    default: return llvm::Triple::getArchTypeName(file.getArch()).str();
  }
}

Result<ElfFacts> facts_of(const ELFObjectFileBase& file) {
  ElfFacts out;
  out.machine = machine_name(file);
  out.is_linked = file.getEType() != llvm::ELF::ET_REL;
  out.big_endian = !file.isLittleEndian();
  if (out.machine == "arm") read_arm(file, out);
  if (out.machine.starts_with("riscv")) read_riscv(file, out);
  if (out.machine == "hexagon")
    out.attributes["hexagon"] =
        static_cast<int>(file.getPlatformFlags() & llvm::ELF::EF_HEXAGON_ISA);
  HLOCC_TRY(read_sections(file, out));
  HLOCC_TRY(read_symbols(file, out));
  read_headers<llvm::object::ELF32LE>(file, out);
  read_headers<llvm::object::ELF64LE>(file, out);
  read_headers<llvm::object::ELF32BE>(file, out);
  read_headers<llvm::object::ELF64BE>(file, out);
  return out;
}

Result<ElfFacts> read_object(llvm::MemoryBufferRef buffer) {
  HLOCC_TRY_ASSIGN(const std::unique_ptr<ObjectFile> file,
                   unless_malformed(ObjectFile::createELFObjectFile(buffer)));
  return facts_of(*llvm::cast<ELFObjectFileBase>(file.get()));
}

Result<std::vector<ElfFacts>> read_archive(llvm::MemoryBufferRef buffer) {
  HLOCC_TRY_ASSIGN(const std::unique_ptr<Archive> archive,
                   unless_malformed(Archive::create(buffer)));
  std::vector<ElfFacts> out;
  llvm::Error broken = llvm::Error::success();
  std::optional<Diagnostic> failure;
  for (const Archive::Child& child : archive->children(broken)) {
    auto member = child.getMemoryBufferRef();
    if (!member) {
      failure = error(DiagnosticKind::kFormat,
                      "is a malformed archive: " + llvm::toString(member.takeError()));
      break;
    }
    // LLVM believes what a member's header says of its size.
    if (member->getBufferEnd() > buffer.getBufferEnd()) {
      failure =
          error(DiagnosticKind::kFormat, "is a malformed archive: its last member is cut off");
      break;
    }
    Result<ElfFacts> facts = read_object(*member);
    if (!facts) failure = std::move(facts).error();
    if (failure) break;
    out.push_back(std::move(*facts));
  }
  if (broken)
    return error(DiagnosticKind::kFormat,
                 "is a malformed archive: " + llvm::toString(std::move(broken)));
  if (failure) return std::move(*failure);
  return out;
}

}  // namespace

Result<std::vector<ElfFacts>> read_elf(std::span<const std::byte> bytes, const std::string& file) {
  const llvm::StringRef content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const llvm::MemoryBufferRef buffer(content, file);
  const auto located = [&](Diagnostic diagnostic) { return std::move(diagnostic).at({file, 0}); };
  if (content.starts_with("!<arch>")) {
    Result<std::vector<ElfFacts>> out = read_archive(buffer);
    if (!out) return located(std::move(out).error());
    return out;
  }
  if (!content.starts_with("\177ELF"))
    return located(
        error(DiagnosticKind::kFormat, "is neither an ELF file nor a static library")
            .note("a .bin or .hex file has neither symbols nor sections: give the linker's "
                  "own output, often called .elf or .axf"));
  Result<ElfFacts> one = read_object(buffer);
  if (!one) return located(std::move(one).error());
  return std::vector<ElfFacts>{std::move(*one)};
}

}  // namespace hlocc::backends

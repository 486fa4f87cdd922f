// See code_scan.h. Arm's literal pools lie between functions; the symbols $t and $d tell both
// apart.
#include "driver/doctor/code_scan.h"

#include <algorithm>
#include <array>
#include <optional>

#include "driver/doctor/code_bytes.h"
#include "driver/doctor/hexagon_packets.h"

namespace hlocc::driver {
namespace {

constexpr uint32_t kCpacr = 0xE000ED88, kSystemControlBlock = 0xE000ED00;
constexpr uint32_t kMstatus = 0x300, kFs = 0x6000;

using Counts = std::function<bool(int, uint64_t)>;

// --- Thumb ---

// The 32-bit instructions of Armv6-M: BL, MSR, MRS, barriers, UDF.
bool is_of_v6m(uint32_t first, uint32_t second) {
  if ((first & 0xF800) != 0xF000 || (second & 0x8000) == 0) return false;
  return (second & 0xD000) == 0xD000 || (first & 0xFFE0) == 0xF380 || first == 0xF3EF ||
         first == 0xF3BF || (first & 0xFFF0) == 0xF7F0;
}

class Thumb {
 public:
  Thumb(const ElfFacts& file, const Counts& counts, CodeFacts& out)
      : file_(file), counts_(counts), out_(out) {}

  void scan() {
    for (size_t s = 0; s < file_.sections.size(); ++s)
      if (file_.sections[s].executable) scan(static_cast<int>(s), file_.sections[s]);
    out_.enables |= has_block_ && stores_at_88_;
  }

 private:
  // Where code ends and data begins, and the other way round.
  std::vector<std::pair<uint64_t, bool>> borders(int section) const {
    std::vector<std::pair<uint64_t, bool>> out;
    for (const ElfSymbol& symbol : file_.symbols)
      if (symbol.section == section && symbol.name.starts_with('$'))
        if (const char kind = symbol.name[1]; kind == 't' || kind == 'd' || kind == 'a')
          out.emplace_back(symbol.address & ~uint64_t{1}, kind != 'd');
    std::sort(out.begin(), out.end());
    return out;
  }

  void scan(int index, const ElfSection& section) {
    // Literals lie at multiples of four, wherever functions end.
    for (size_t at = 0; at + 4 <= section.content.size(); at += 4)
      literal(word_at(section.content, at));
    const auto all = borders(index);
    size_t next = 0;
    bool is_code = true;
    for (size_t at = 0; at + 2 <= section.content.size();) {
      for (; next < all.size() && all[next].first <= section.address + at; ++next)
        is_code = all[next].second;
      if (!is_code) {
        at += 2;
        continue;
      }
      const uint32_t first = half_at(section.content, at);
      const bool is_wide = first >= 0xE800 && at + 4 <= section.content.size();
      const size_t bytes = is_wide ? 4 : 2;
      if (is_wide)
        wide(first, half_at(section.content, at + 2), counts_(index, section.address + at));
      if (counts_(index, section.address + at)) out_.bytes += static_cast<int64_t>(bytes);
      at += bytes;
    }
  }

  void literal(uint32_t word) {
    out_.enables |= word == kCpacr;
    has_block_ |= word == kSystemControlBlock;
  }

  void wide(uint32_t first, uint32_t second, bool counts) {
    if (counts) {
      out_.thumb2 |= !is_of_v6m(first, second);
      const uint32_t coprocessor = second >> 8 & 0xF;
      out_.floating_point |= (first & 0xEC00) == 0xEC00 && (coprocessor == 10 || coprocessor == 11);
    }
    // movw rd, #imm16: the low half of an address.
    if ((first & 0xFBF0) == 0xF240 && (second & 0x8000) == 0) {
      const uint32_t value =
          (first & 0xF) << 12 | (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | (second & 0xFF);
      out_.enables |= value == (kCpacr & 0xFFFF);
      has_block_ |= value == (kSystemControlBlock & 0xFFFF);
    }
    // str.w rt, [rn, #imm12], from the block's or from the peripherals' address.
    if ((first & 0xFFF0) == 0xF8C0) {
      out_.enables |= (second & 0xFFF) == 0xD88;
      stores_at_88_ |= (second & 0xFFF) == 0x88;
    }
  }

  const ElfFacts& file_;
  const Counts& counts_;
  CodeFacts& out_;
  bool has_block_ = false, stores_at_88_ = false;
};

// --- RISC-V ---

class Riscv {
 public:
  Riscv(const ElfFacts& file, const Counts& counts, CodeFacts& out)
      : file_(file), counts_(counts), out_(out), is_64_(file.machine == "riscv64") {}

  void scan() {
    for (size_t s = 0; s < file_.sections.size(); ++s) {
      const ElfSection& section = file_.sections[s];
      if (!section.executable) continue;
      registers_.fill(std::nullopt);
      for (size_t at = 0; at + 2 <= section.content.size();) {
        const uint32_t first = half_at(section.content, at);
        const bool is_wide = (first & 3) == 3 && at + 4 <= section.content.size();
        counting_ = counts_(static_cast<int>(s), section.address + at);
        if (is_wide)
          wide(word_at(section.content, at));
        else
          narrow(first);
        const size_t bytes = is_wide ? 4 : 2;
        if (counting_) out_.bytes += static_cast<int64_t>(bytes);
        at += bytes;
      }
    }
  }

 private:
  void set(uint32_t reg, std::optional<uint32_t> value) {
    if (reg != 0) registers_[reg] = value;
  }

  void wide(uint32_t word) {
    const uint32_t opcode = word & 0x7F, rd = word >> 7 & 31, rs1 = word >> 15 & 31,
                   funct3 = word >> 12 & 7;
    const uint32_t upper = word >> 20;
    switch (opcode) {
      case 0x07:
      case 0x27:
      case 0x43:
      case 0x47:
      case 0x4B:
      case 0x4F:
      case 0x53: out_.floating_point |= counting_; return;
      case 0x33:
      case 0x3B: out_.multiplies |= counting_ && word >> 25 == 1; return set(rd, std::nullopt);
      case 0x37: return set(rd, word & 0xFFFFF000);
      case 0x13: {
        const std::optional<uint32_t> base = rs1 == 0 ? 0 : registers_[rs1];
        const uint32_t immediate = static_cast<uint32_t>(static_cast<int32_t>(word) >> 20);
        if (funct3 == 0 && base) return set(rd, *base + immediate);
        if (funct3 == 6 && base) return set(rd, *base | immediate);
        if (funct3 == 1 && base) return set(rd, *base << (upper & 31));
        return set(rd, std::nullopt);
      }
      case 0x73:
        // csrrw and csrrs; a write of x0's bits is a read.
        if ((funct3 == 1 || funct3 == 2) && upper == kMstatus && rs1 != 0) {
          out_.enables |= registers_[rs1] && (*registers_[rs1] & kFs) != 0;
          out_.maybe_enables |= !registers_[rs1];
        }
        return set(rd, std::nullopt);
      case 0x23:
      case 0x63: return;
      default: return set(rd, std::nullopt);
    }
  }

  void narrow(uint32_t half) {
    const uint32_t quadrant = half & 3, funct3 = half >> 13, rd = half >> 7 & 31;
    const uint32_t immediate = (half >> 2 & 31) | ((half & 0x1000) != 0 ? 0xFFFFFFE0 : 0);
    if (quadrant != 1) {
      // c.fld and c.fsd; with 32 bits also c.flw and c.fsw, which are c.ld and c.sd with 64.
      const bool loads = funct3 == 1 || funct3 == 5 || (!is_64_ && (funct3 == 3 || funct3 == 7));
      out_.floating_point |= counting_ && loads && half != 0;
      if (quadrant == 0) {
        if (half != 0) set(8 + (half >> 2 & 7), std::nullopt);
        return;
      }
      const bool shifts = funct3 == 0 && registers_[rd];  // c.slli
      return set(rd, shifts ? std::optional(*registers_[rd] << (immediate & 31)) : std::nullopt);
    }
    if (funct3 == 0 || (is_64_ && funct3 == 1))  // c.addi, c.addiw
      return set(rd, registers_[rd] ? std::optional(*registers_[rd] + immediate) : std::nullopt);
    if (funct3 == 2) return set(rd, immediate);  // c.li
    if (funct3 == 3)                             // c.lui; c.addi16sp where it is of sp
      return set(rd, rd == 2 ? std::nullopt : std::optional(immediate << 12));
    if (funct3 == 4) return set(8 + (half >> 7 & 7), std::nullopt);
  }

  const ElfFacts& file_;
  const Counts& counts_;
  CodeFacts& out_;
  bool is_64_, counting_ = true;
  std::array<std::optional<uint32_t>, 32> registers_;
};

// --- Hexagon ---

void scan_packets(const ElfFacts& file, const Counts& counts, CodeFacts& out) {
  for (size_t s = 0; s < file.sections.size(); ++s) {
    const ElfSection& section = file.sections[s];
    if (!section.executable) continue;
    for (size_t at = 0; at + 4 <= section.content.size();) {
      const HexagonPacket packet = packet_at(section.content, at);
      if (counts(static_cast<int>(s), section.address + at)) {
        out.bytes += static_cast<int64_t>(packet.bytes);
        out.vectors |= std::ranges::any_of(packet.instructions, is_vector);
        out.maybe_enables |= std::ranges::any_of(packet.instructions, writes_status);
      }
      at += packet.bytes;
    }
  }
}

}  // namespace

CodeFacts scan_code(const ElfFacts& file, const Counts& counts) {
  CodeFacts out;
  if (file.machine == "arm") Thumb(file, counts, out).scan();
  if (file.machine.starts_with("riscv")) Riscv(file, counts, out).scan();
  if (file.machine == "hexagon") scan_packets(file, counts, out);
  return out;
}

}  // namespace hlocc::driver

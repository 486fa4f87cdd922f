// See call_scan.h. Two readers of instructions over one set of registers.
#include "driver/doctor/call_scan.h"

#include <array>
#include <optional>
#include <string>

#include "driver/doctor/code_bytes.h"

namespace hlocc::driver {
namespace {

int64_t signed_of(uint64_t value, int bits) {
  const uint64_t sign = uint64_t{1} << (bits - 1);
  return static_cast<int64_t>((value ^ sign) - sign);
}

// One section's code, an instruction at a time.
class Scan {
 public:
  // `argument`: the register that is read at calls of the function.
  Scan(const ElfSection& section, uint64_t function, uint32_t argument, std::vector<uint64_t>& out)
      : section_(section), function_(function), argument_(argument), out_(out) {}

 protected:
  using Value = std::optional<uint64_t>;
  void forget() { registers_.fill(std::nullopt); }
  Value sum(uint32_t reg, int64_t more) const {
    return registers_[reg] ? Value((*registers_[reg] + static_cast<uint64_t>(more)) & mask_)
                           : Value();
  }
  void call(uint64_t target) {
    if (target == function_ && registers_[argument_]) out_.push_back(*registers_[argument_]);
    forget();
  }

  const ElfSection& section_;
  const uint64_t function_;
  const uint32_t argument_;
  std::vector<uint64_t>& out_;
  std::array<Value, 32> registers_;
  uint64_t mask_ = 0xFFFFFFFF;
};

class ThumbScan : public Scan {
 public:
  using Scan::Scan;
  void run() {
    for (size_t at = 0; at + 2 <= section_.content.size();) {
      const uint32_t first = half_at(section_.content, at);
      const bool is_wide = first >= 0xE800 && at + 4 <= section_.content.size();
      if (is_wide)
        wide(section_.address + at, first, half_at(section_.content, at + 2));
      else
        narrow(section_.address + at, first);
      at += is_wide ? 4 : 2;
    }
  }

 private:
  Value literal(uint64_t address) const {
    const uint64_t at = address - section_.address;
    return at < section_.content.size() && section_.content.size() - at >= 4
               ? Value(word_at(section_.content, at))
               : Value();
  }

  void narrow(uint64_t at, uint32_t half) {
    const uint32_t low = half & 7, middle = half >> 3 & 7, high = half >> 8 & 7, byte = half & 0xFF;
    if (half >> 11 == 0x09)
      registers_[high] = literal(((at + 4) & ~uint64_t{3}) + 4 * byte);
    else if (half >> 11 == 0x04)
      registers_[high] = byte;  // movs
    else if (half >> 11 == 0x06)
      registers_[high] = sum(high, byte);  // adds
    else if (half >> 9 == 0x0E)
      registers_[low] = sum(middle, half >> 6 & 7);  // adds
    else if (half >> 6 == 0)
      registers_[low] = registers_[middle];               // movs
    else if (half >> 8 == 0x46 && (half & 0x87) != 0x87)  // mov, but of pc: a jump
      registers_[(half >> 4 & 8) | low] = registers_[half >> 3 & 15];
    else if (!is_harmless(half))
      forget();
  }
  // push, stores of words, sub sp, nop: registers keep what they hold.
  static bool is_harmless(uint32_t half) {
    return half >> 9 == 0x5A || half >> 11 == 0x0C || half >> 11 == 0x12 || half >> 7 == 0x161 ||
           half == 0xBF00;
  }

  void wide(uint64_t at, uint32_t first, uint32_t second) {
    const uint32_t rd = second >> 8 & 15, rn = first & 15;
    const uint32_t twelve = (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | (second & 0xFF);
    const uint64_t sixteen = static_cast<uint64_t>(rn) << 12 | twelve;
    if ((first & 0xF800) == 0xF000 && (second & 0xD000) == 0xD000) return branch(at, first, second);
    if ((first & 0xFF7F) == 0xF85F && second >> 12 != 15) {  // ldr, but of pc: a jump
      const int64_t offset = second & 0xFFF;
      registers_[second >> 12] =
          literal(((at + 4) & ~uint64_t{3}) +
                  static_cast<uint64_t>((first & 0x80) != 0 ? offset : -offset));
    } else if ((second & 0x8000) != 0) {
      forget();
    } else if ((first & 0xFBF0) == 0xF240) {  // movw
      registers_[rd] = sixteen;
    } else if ((first & 0xFBF0) == 0xF2C0) {  // movt
      registers_[rd] = registers_[rd] ? Value((*registers_[rd] & 0xFFFF) | sixteen << 16) : Value();
    } else if ((first & 0xFBF0) == 0xF200) {  // addw
      registers_[rd] = sum(rn, twelve);
    } else {
      forget();
    }
  }

  // bl: imm is S:I1:I2:imm10:imm11:0, where I is the negation of J xor S.
  void branch(uint64_t at, uint32_t first, uint32_t second) {
    const uint64_t s = first >> 10 & 1, i1 = ~((second >> 13 & 1) ^ s) & 1,
                   i2 = ~((second >> 11 & 1) ^ s) & 1;
    const uint64_t offset = s << 24 | i1 << 23 | i2 << 22 |
                            static_cast<uint64_t>(first & 0x3FF) << 12 |
                            static_cast<uint64_t>(second & 0x7FF) << 1;
    call((at + 4 + static_cast<uint64_t>(signed_of(offset, 25))) & mask_);
  }
};

class RiscvScan : public Scan {
 public:
  RiscvScan(const ElfSection& section, uint64_t function, uint32_t argument,
            std::vector<uint64_t>& out, bool is_64, Value global_pointer)
      : Scan(section, function, argument, out), is_64_(is_64), global_pointer_(global_pointer) {
    if (is_64) mask_ = ~uint64_t{0};
  }
  void run() {
    begin();
    for (size_t at = 0; at + 2 <= section_.content.size();) {
      const uint32_t half = half_at(section_.content, at);
      const bool is_wide = (half & 3) == 3 && at + 4 <= section_.content.size();
      if (is_wide)
        wide(section_.address + at, word_at(section_.content, at));
      else
        narrow(section_.address + at, half);
      registers_[0] = 0;
      registers_[3] = global_pointer_;
      at += is_wide ? 4 : 2;
    }
  }

 private:
  void begin() {
    forget();
    registers_[0] = 0;
    registers_[3] = global_pointer_;
  }
  uint64_t upper(uint32_t word) const {
    return static_cast<uint64_t>(signed_of(word & 0xFFFFF000, 32)) & mask_;
  }

  void wide(uint64_t at, uint32_t word) {
    const uint32_t opcode = word & 0x7F, rd = word >> 7 & 31, rs1 = word >> 15 & 31,
                   funct3 = word >> 12 & 7;
    const int64_t twelve = signed_of(word >> 20, 12);
    switch (opcode) {
      case 0x37: registers_[rd] = upper(word); return;
      case 0x17: registers_[rd] = (at + upper(word)) & mask_; return;
      case 0x13:
        if (funct3 != 0) break;
        registers_[rd] = sum(rs1, twelve);
        return;
      case 0x23: return;  // stores
      case 0x67:
        if (const Value target = sum(rs1, twelve); target && rd == 1)
          return call(*target & ~uint64_t{1});
        break;
      case 0x6F:
        if (rd != 1) break;
        return call((at + static_cast<uint64_t>(jump(word))) & mask_);
      default: break;
    }
    forget();
  }
  static int64_t jump(uint32_t word) {
    return signed_of(static_cast<uint64_t>(word >> 31) << 20 | (word >> 12 & 0xFF) << 12 |
                         (word >> 20 & 1) << 11 | (word >> 21 & 0x3FF) << 1,
                     21);
  }

  void narrow(uint64_t at, uint32_t half) {
    const uint32_t quadrant = half & 3, funct3 = half >> 13, rd = half >> 7 & 31;
    const int64_t six = signed_of((half >> 12 & 1) << 5 | (half >> 2 & 31), 6);
    if (quadrant == 1 && funct3 == 0) {  // c.addi, c.nop
      registers_[rd] = sum(rd, six);
    } else if (quadrant == 1 && funct3 == 1 && !is_64_) {  // c.jal
      call((at + static_cast<uint64_t>(compressed_jump(half))) & mask_);
    } else if (quadrant == 1 && funct3 == 2) {  // c.li
      registers_[rd] = static_cast<uint64_t>(six) & mask_;
    } else if (quadrant == 1 && funct3 == 3) {  // c.lui; c.addi16sp where it is of sp
      registers_[rd] = rd == 2 ? Value() : Value(static_cast<uint64_t>(six * 4096) & mask_);
    } else if (quadrant == 2 && half >> 12 == 8 && (half >> 2 & 31) != 0) {  // c.mv
      registers_[rd] = registers_[half >> 2 & 31];
    } else if (!((quadrant == 2 && funct3 >= 5) || (quadrant == 0 && funct3 >= 5))) {  // no store
      forget();
    }
  }
  static int64_t compressed_jump(uint32_t half) {
    const uint64_t offset = (half >> 12 & 1) << 11 | (half >> 11 & 1) << 4 | (half >> 9 & 3) << 8 |
                            (half >> 8 & 1) << 10 | (half >> 7 & 1) << 6 | (half >> 6 & 1) << 7 |
                            (half >> 3 & 7) << 1 | (half >> 2 & 1) << 5;
    return signed_of(offset, 12);
  }

  const bool is_64_;
  const Value global_pointer_;
};

}  // namespace

std::vector<uint64_t> arguments_of_calls(const ElfFacts& firmware, uint64_t address, int argument) {
  std::vector<uint64_t> out;
  constexpr int kOfThumb = 4, kOfRiscv = 8, kFirstOfRiscv = 10;  // r0 to r3, a0 to a7
  std::optional<uint64_t> global_pointer;
  for (const ElfSymbol& symbol : firmware.symbols)
    if (symbol.name == "__global_pointer$") global_pointer = symbol.address;
  const bool is_arm = firmware.machine == "arm";
  for (const ElfSection& section : firmware.sections) {
    if (!section.executable) continue;
    if (is_arm && argument < kOfThumb)
      ThumbScan(section, address & ~uint64_t{1}, static_cast<uint32_t>(argument), out).run();
    if (firmware.machine.starts_with("riscv") && argument < kOfRiscv)
      RiscvScan(section, address, static_cast<uint32_t>(kFirstOfRiscv + argument), out,
                firmware.machine == "riscv64", global_pointer)
          .run();
  }
  return out;
}

}  // namespace hlocc::driver

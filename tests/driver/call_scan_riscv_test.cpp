// The same of RISC-V: what `doctor` knows of a0 to a7 at a call of init, an instruction a row
// beside those that only look like it (driver/doctor/call_scan.cpp).
#include <catch2/catch.hpp>

#include "driver/code_rows.h"
#include "driver/doctor/call_scan.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

constexpr uint64_t kStart = 0x100, kRiscvInit = 0x800;

ElfFacts riscv_code(const std::string& machine, const std::string& bytes) {
  ElfFacts out{.machine = machine};
  out.sections = {{.name = ".text",
                   .address = kStart,
                   .bytes = bytes.size(),
                   .executable = true,
                   .content = bytes}};
  return out;
}

// jal ra, `offset`.
uint32_t riscv_call(uint64_t offset) {
  return static_cast<uint32_t>(0xEF | (offset >> 20 & 1) << 31 | (offset >> 12 & 0xFF) << 12 |
                               (offset >> 11 & 1) << 20 | (offset >> 1 & 0x3FF) << 21);
}

std::string known_of(const ElfFacts& file) {
  std::vector<std::string> out;
  for (int argument = 0; argument < 9; ++argument)
    for (const uint64_t value : arguments_of_calls(file, kRiscvInit, argument))
      out.push_back(cat("a", argument, "=", hex_of(value)));
  return join(out, " ");
}

// Of `words` and a call behind them.
std::string of_riscv(std::vector<uint32_t> words, const char* machine = "riscv32",
                     const std::string& behind = "") {
  words.push_back(riscv_call(kRiscvInit - kStart - bytes_of_riscv(words).size()));
  return known_of(riscv_code(machine, bytes_of_riscv(words) + behind));
}

struct RiscvRow {
  std::vector<uint32_t> code;
  const char *on_32, *on_64;
};
void check_riscv(const std::vector<RiscvRow>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    INFO("row " << i << std::hex << ": " << rows[i].code[0] << " " << rows[i].code.back());
    CHECK(of_riscv(rows[i].code) == rows[i].on_32);
    CHECK(of_riscv(rows[i].code, "riscv64") == rows[i].on_64);
  }
}
// The same on both.
struct EitherRow {
  std::vector<uint32_t> code;
  const char* known;
};
void check_riscv(const std::vector<EitherRow>& rows) {
  for (const EitherRow& row : rows) check_riscv({{row.code, row.known, row.known}});
}

// li a0, 5; li a1, 5.
constexpr uint32_t kLiA0 = 0x00500513, kLiA1 = 0x00500593;

TEST_CASE("long instructions of RISC-V in front of a call") {
  check_riscv(std::vector<EitherRow>{
      {{0x0001}, ""},
      {{kLiA1}, "a1=5"},
      {{kLiA0, kLiA1, 0x00300893}, "a0=5 a1=5 a7=3"},
      {{0x00500913}, ""},             // s2 is no argument
      {{kLiA1, 0x00158593}, "a1=6"},  // addi a1, a1, 1
      {{kLiA0, 0x00150593}, "a0=5 a1=6"},
      {{0x00158593}, ""},             // of what is not known
      {{kLiA1, 0x00059593}, ""},      // slli a1, a1, 0
      {{0x200005B7}, "a1=20000000"},  // lui a1, 0x20000
      {{0x00001597}, "a1=1100"},      // auipc a1, 1
      {{0x0001, 0x00001597}, "a1=1102"},
      {{kLiA1, 0x00B52023}, "a1=5"},       // sw a1, (a0)
      {{kLiA1, 0x00B505A3}, "a1=5"},       // sb a1, 11(a0)
      {{kLiA1, 0x00B50533}, ""},           // add a0, a0, a1
      {{kLiA1, 0x00052583}, ""},           // lw a1, (a0)
      {{kLiA1, 0x00B50063}, ""},           // beq
      {{0x00500013, 0x00100593}, "a1=1"},  // x0 is 0, whatever is written to it
      {{0x00500193, 0x00118593}, ""},      // gp is what the linker says, and it says nothing
  });
  check_riscv(std::vector<RiscvRow>{
      {{0xFFF00593}, "a1=ffffffff", "a1=ffffffffffffffff"},
      {{0x800005B7}, "a1=80000000", "a1=ffffffff80000000"},
      {{0x80000597}, "a1=80000100", "a1=ffffffff80000100"},
      {{0xFFFFF597}, "a1=fffff100", "a1=fffffffffffff100"},
  });
}

TEST_CASE("calls and jumps of RISC-V, and those that only look like calls") {
  // auipc ra, 0; jalr ra, 0x6FC(ra), with the address where ra is known.
  constexpr uint32_t kHere = 0x00000097, kByRa = 0x6FC080E7;
  check_riscv(std::vector<EitherRow>{
      {{kLiA1, kHere, kByRa}, "a1=5"},
      {{kLiA1, kHere, kByRa | 1 << 20}, "a1=5"},              // the last bit does not count
      {{kLiA1, kHere, kByRa + (2u << 20)}, ""},               // another function
      {{kLiA1, kByRa}, ""},                                   // ra is not known
      {{kLiA1, kHere, (kByRa & ~(31u << 7))}, ""},            // a jump
      {{kLiA1, kHere, (kByRa & ~(31u << 7)) | 5u << 7}, ""},  // a call that returns to t0
      {{kHere, kByRa}, ""},
      {{kLiA1, riscv_call(0x6FC)}, "a1=5"},
      {{kLiA1, riscv_call(0x6FC) & ~(31u << 7)}, ""},              // j
      {{kLiA1, (riscv_call(0x6FC) & ~(31u << 7)) | 5u << 7}, ""},  // jal t0
      {{kLiA1, riscv_call(0x6FE)}, ""},                            // another function
  });
  // c.jal, which is c.addiw on 64 bits; its neighbours by quadrant and by number.
  check_riscv(std::vector<RiscvRow>{
      {{kLiA1, 0x2DF5}, "a1=5", ""},
      {{kLiA1, 0x2DF4}, "", ""},
      {{kLiA1, 0x2DF6}, "", ""},
      {{kLiA1, 0xADF5}, "", ""},
      {{kLiA1, 0x2DE5}, "", ""},  // to another function
  });
}

TEST_CASE("the bits of RISC-V's calls lead where the manual says") {
  const auto told = [](int64_t offset, const std::vector<uint32_t>& call) {
    std::vector<uint32_t> words = {kLiA1};
    words.insert(words.end(), call.begin(), call.end());
    const ElfFacts file = riscv_code("riscv32", bytes_of_riscv(words));
    return arguments_of_calls(file, static_cast<uint32_t>(kStart + 4 + offset), 1).size();
  };
  for (int bit = 1; bit < 20; ++bit) {
    INFO(bit);
    CHECK(told(1 << bit, {riscv_call(uint64_t{1} << bit)}) == 1);
  }
  CHECK(told(-2, {0xFFFFF0EF}) == 1);
  CHECK(told(-0x100000, {0x800000EF}) == 1);
  // c.jal: offset[11|4|9:8|10|6|7|3:1|5].
  const std::pair<int, uint32_t> rows[] = {{2, 3},  {4, 4},   {8, 5},   {16, 11},  {32, 2},
                                           {64, 7}, {128, 6}, {256, 9}, {512, 10}, {1024, 8}};
  for (const auto& [offset, bit] : rows) {
    INFO(offset);
    CHECK(told(offset, {0x2001 | uint32_t{1} << bit}) == 1);
  }
  CHECK(told(-2048, {0x3001}) == 1);
}

TEST_CASE("short instructions of RISC-V in front of a call") {
  check_riscv(std::vector<EitherRow>{
      {{kLiA1, 0x058D}, "a1=8"},       // c.addi a1, 3
      {{kLiA1, 0x15FD}, "a1=4"},       // c.addi a1, -1
      {{0x058D}, ""},                  // of what is not known
      {{kLiA1, 0x058E}, ""},           // c.slli a1, 3
      {{kLiA1, 0x058C}, ""},           // c.addi4spn
      {{kLiA1, 0x8D91}, ""},           // c.sub
      {{0x4595}, "a1=5"},              // c.li a1, 5
      {{0x4594}, ""},                  // c.lw
      {{0x4596}, ""},                  // c.lwsp
      {{0x6595}, "a1=5000"},           // c.lui a1, 5
      {{0x6594}, ""},                  // c.flw, c.ld
      {{0x6596}, ""},                  // c.flwsp, c.ldsp
      {{0x8595}, ""},                  // c.srai
      {{kLiA0, 0x85AA}, "a0=5 a1=5"},  // c.mv a1, a0
      {{kLiA1, 0x85AA}, ""},           // of what is not known
      {{kLiA0, 0x85A9}, ""},           // c.srai and its like
      {{kLiA0, 0x85A8}, ""},           // none
      {{kLiA0, 0x95AA}, ""},           // c.add a1, a0
      {{kLiA0, 0x8582}, ""},           // c.jr a1
      {{kLiA0, 0x9582}, ""},           // c.jalr a1
      {{0x6119, 0x858A}, ""},          // c.addi16sp sp; c.mv a1, sp
      {{0x6099, 0x8586}, "a1=6000"},   // c.lui ra, 6; c.mv a1, ra
      {{0x6199, 0x858E}, ""},          // c.lui gp; c.mv a1, gp
  });
  check_riscv(std::vector<RiscvRow>{
      {{0x55FD}, "a1=ffffffff", "a1=ffffffffffffffff"},  // c.li a1, -1
      {{0x75FD}, "a1=fffff000", "a1=fffffffffffff000"},  // c.lui a1, -1
  });
}

TEST_CASE("short stores of RISC-V leave the registers as they are, and their neighbours do not") {
  check_riscv(std::vector<EitherRow>{
      {{kLiA1, 0xA02E}, "a1=5"},  // c.fsdsp
      {{kLiA1, 0xC02E}, "a1=5"},  // c.swsp
      {{kLiA1, 0xE02E}, "a1=5"},  // c.fswsp, c.sdsp
      {{kLiA1, 0xA10C}, "a1=5"},  // c.fsd
      {{kLiA1, 0xC10C}, "a1=5"},  // c.sw
      {{kLiA1, 0xE10C}, "a1=5"},  // c.fsw, c.sd
      {{kLiA1, 0x810C}, ""},      // none
      {{kLiA1, 0x952E}, ""},      // c.add a0, a1
      {{kLiA1, 0xA001}, ""},      // c.j
      {{kLiA1, 0xC001}, ""},      // c.beqz
      {{kLiA1, 0xE001}, ""},      // c.bnez
      {{kLiA1, 0x410C}, ""},      // c.lw a1, (a0)
  });
}

TEST_CASE("sections without code, other machines and arguments on the stack give nothing") {
  CHECK(of_riscv({kLiA1}, "x86_64").empty());
  CHECK(of_riscv({kLiA1}, "arm").empty());
  // movs r1, #5; movs r4, #5; bl kRiscvInit: Thumb.
  const std::string thumb = bytes_of_halves({0x2105, 0x2405, 0xF000, 0xFB7C});
  CHECK(known_of(riscv_code("arm", thumb)) == "a1=5");
  CHECK(known_of(riscv_code("riscv32", thumb)).empty());
  CHECK(known_of(riscv_code("hexagon", thumb)).empty());
  ElfFacts data = riscv_code("arm", thumb);
  data.sections[0].executable = false;
  CHECK(known_of(data).empty());
  data = riscv_code("riscv32", bytes_of_riscv({kLiA1, riscv_call(0x6FC)}));
  CHECK(known_of(data) == "a1=5");
  data.sections[0].executable = false;
  CHECK(known_of(data).empty());
  // Half an instruction at the end.
  CHECK(of_riscv({kLiA1}, "riscv32", std::string("\xEF\x00", 2)) == "a1=5");
  CHECK(of_riscv({kLiA1}, "riscv32", std::string("\xEF", 1)) == "a1=5");
  // A second section knows nothing of the first, but gp is the linker's in both.
  ElfFacts two = riscv_code("riscv32", bytes_of_riscv({kLiA1, 0x00118613}));
  two.sections.push_back(
      riscv_code("riscv32", bytes_of_riscv({0x00118693, riscv_call(0x6FC)})).sections[0]);
  two.symbols = {{.name = "global_pointer", .address = 1},
                 {.name = "__global_pointer$", .address = 0x40}};
  CHECK(known_of(two) == "a3=41");
}

}  // namespace
}  // namespace hlocc::driver

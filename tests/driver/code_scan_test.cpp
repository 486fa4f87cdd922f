// What the doctor reads of single instructions, a row for each beside one that only looks like it
// (driver/doctor/code_scan.cpp).
#include "driver/doctor/code_scan.h"

#include <catch2/catch.hpp>

#include "support/text.h"

namespace hlocc::driver {
namespace {

using CodeHalves = std::vector<unsigned>;
using CodeWords = std::vector<uint32_t>;

ElfFacts code_of(const char* machine, const CodeHalves& halves) {
  ElfFacts out{.machine = machine};
  ElfSection text{.name = ".text", .bytes = 2 * halves.size(), .executable = true};
  for (const unsigned half : halves) {
    text.content += static_cast<char>(half & 0xFF);
    text.content += static_cast<char>(half >> 8 & 0xFF);
  }
  out.sections = {text};
  return out;
}

// What is seen, in words: "thumb2 float multiplies enables maybe".
std::string code_words_of(const CodeFacts& facts) {
  std::vector<std::string> out;
  for (const auto& [is_so, word] :
       {std::pair{facts.thumb2, "thumb2"}, std::pair{facts.floating_point, "float"},
        std::pair{facts.multiplies, "multiplies"}, std::pair{facts.enables, "enables"},
        std::pair{facts.maybe_enables, "maybe"}})
    if (is_so) out.emplace_back(word);
  return join(out, " ");
}

CodeFacts code_facts_of(const ElfFacts& file) {
  return scan_code(file, [](int, uint64_t) { return true; });
}

std::string thumb_of(const CodeHalves& halves) {
  return code_words_of(code_facts_of(code_of("arm", halves)));
}

TEST_CASE("instructions of Thumb: those that Armv6-M has, and floats") {
  struct Row {
    CodeHalves code;
    const char* words;
  };
  const Row rows[] = {
      {{0xE7FE}, ""},                                // b
      {{0xF000, 0xF801}, ""},                        // bl
      {{0xF000, 0x8001}, "thumb2"},                  // beq.w
      {{0xF000, 0x0001}, "thumb2"},                  // and.w
      {{0xF380, 0x8808}, ""},                        // msr
      {{0xF39F, 0x8808}, ""},                        // the last of these
      {{0xF3A0, 0x8808}, "thumb2"},                  // the next
      {{0xF3EF, 0x8305}, ""},                        // mrs
      {{0xF3EE, 0x8305}, "thumb2"},                  // another
      {{0xF3BF, 0x8F6F}, ""},                        // isb
      {{0xF3BE, 0x8F6F}, "thumb2"},                  // another
      {{0xF7F0, 0xA000}, ""},                        // udf.w
      {{0xF7FF, 0xAFFF}, ""},                        // the last of these
      {{0xF7E0, 0xA000}, "thumb2"},                  // another
      {{0xF380, 0x0808}, "thumb2"},                  // second halves that none of these has
      {{0xF3EF, 0x0305}, "thumb2"},                  //
      {{0xF3BF, 0x0F6F}, "thumb2"},                  //
      {{0xF7F0, 0x2000}, "thumb2"},                  //
      {{0xF8C0, 0x8001}, "thumb2"},                  // str.w
      {{0xE800, 0xD001}, "thumb2"},                  // not among bl's numbers
      {{0xEE30, 0x0A20}, "thumb2 float"},            // vadd.f32
      {{0xEE30, 0x0B20}, "thumb2 float"},            // vadd.f64
      {{0xFE30, 0x0A20}, "thumb2 float"},            // the other half of the coprocessors' space
      {{0xED9F, 0x0A00}, "thumb2 float"},            // vldr
      {{0xEE30, 0x0920}, "thumb2"},                  // coprocessor 9
      {{0xEE30, 0x0C20}, "thumb2"},                  // coprocessor 12
      {{0xEA30, 0x0A20}, "thumb2"},                  // orn
      {{0xED88, 0xE000}, "thumb2 enables"},          // a literal, which looks like an instruction
      {{0xBF00, 0xED88, 0xE000, 0xBF00}, "thumb2"},  // no literal: not at a multiple of four
      {{0xF64E, 0x5388}, "thumb2 enables"},          // movw r3, #0xED88
      {{0xF64E, 0x5389}, "thumb2"},                  // movw r3, #0xED89
      {{0xF64E, 0x4388}, "thumb2"},                  // movw r3, #0xEC88
      {{0xF24E, 0x5388}, "thumb2"},                  // movw r3, #0xE588
      {{0xF6CE, 0x5388}, "thumb2"},                  // movt
      {{0xF64E, 0xD388}, ""},                        // bl
      {{0xF8C3, 0x2D88}, "thumb2 enables"},          // str.w r2, [r3, #0xD88]
      {{0xF8D3, 0x2D88}, "thumb2"},                  // ldr.w
      {{0xF8C3, 0x2D84}, "thumb2"},                  // another place
      {{0xF64E, 0x5300, 0xF8C3, 0x2088}, "thumb2 enables"},  // movw #0xED00, str.w [r3, #0x88]
      {{0xF8C3, 0x2088, 0xF64E, 0x5300}, "thumb2 enables"},  // in another order
      {{0xF64E, 0x5300, 0xF8C3, 0x2084}, "thumb2"},
      {{0xF64E, 0x5301, 0xF8C3, 0x2088}, "thumb2"},
      {{0xF8C3, 0x2088}, "thumb2"},
      {{0xF8C3}, ""},  // half an instruction
  };
  for (const Row& row : rows) {
    INFO(std::hex << row.code[0] << " " << row.code.back());
    CHECK(thumb_of(row.code) == row.words);
  }
}

TEST_CASE("mapping symbols of Arm tell code from data") {
  const auto with = [](std::vector<ElfSymbol> symbols) {
    ElfFacts file = code_of("arm", {0x4770, 0x4770, 0xEE30, 0x0A20, 0x4770});
    file.symbols = std::move(symbols);
    const CodeFacts facts = code_facts_of(file);
    return cat(facts.bytes, " ", code_words_of(facts));
  };
  const auto at = [](const char* name, uint64_t address, int section = 0) {
    return ElfSymbol{.name = name, .address = address, .section = section, .is_defined = true};
  };
  CHECK(with({}) == "10 thumb2 float");
  CHECK(with({at("$d", 4)}) == "4 ");
  CHECK(with({at("$d", 4), at("$t", 8)}) == "6 ");
  CHECK(with({at("$t", 8), at("$d", 4)}) == "6 ");
  CHECK(with({at("$d", 4), at("$a", 8)}) == "6 ");
  CHECK(with({at("$d.1", 4), at("$t.2", 9)}) == "6 ");
  CHECK(with({at("$d", 0), at("$t", 2)}) == "8 thumb2 float");
  CHECK(with({at("$d", 8)}) == "8 thumb2 float");
  // What is no mapping symbol, or one of another section.
  for (const char* name : {"", "$", "$x", "d$", "xd", "data"})
    CHECK(with({at(name, 4)}) == "10 thumb2 float");
  CHECK(with({at("$d", 4, 1)}) == "10 thumb2 float");
}

TEST_CASE("code that does not count may still switch the unit on") {
  const ElfFacts file = code_of("arm", {0xEE30, 0x0A20, 0xF8C3, 0x2D88});
  const CodeFacts none = scan_code(file, [](int, uint64_t) { return false; });
  CHECK(none.bytes == 0);
  CHECK(code_words_of(none) == "enables");
  const CodeFacts second = scan_code(file, [](int, uint64_t address) { return address >= 4; });
  CHECK(second.bytes == 4);
  CHECK(code_words_of(second) == "thumb2 enables");
  ElfFacts data = file;
  data.sections[0].executable = false;
  CHECK(code_words_of(code_facts_of(data)).empty());
  // c.fld, and Hexagon's v0 = vmem(r0).
  const std::pair<const char*, CodeHalves> others[] = {{"riscv32", {0x2008}},
                                                       {"hexagon", {0xC000, 0x2800}}};
  for (const auto& [machine, halves] : others) {
    data = code_of(machine, halves);
    CHECK(code_facts_of(data).bytes == static_cast<int64_t>(2 * halves.size()));
    CHECK((code_facts_of(data).floating_point || code_facts_of(data).vectors));
    data.sections[0].executable = false;
    CHECK(code_facts_of(data).bytes == 0);
    CHECK_FALSE((code_facts_of(data).floating_point || code_facts_of(data).vectors));
  }
  data = file;
  data.machine = "x86_64";
  CHECK(code_words_of(code_facts_of(data)).empty());
}

// Words whose last two bits are set are long instructions.
std::string riscv_of(const CodeWords& words, const char* machine = "riscv32") {
  CodeHalves halves;
  for (const uint32_t word : words) {
    halves.push_back(word & 0xFFFF);
    if ((word & 3) == 3) halves.push_back(word >> 16);
  }
  return code_words_of(code_facts_of(code_of(machine, halves)));
}

TEST_CASE("instructions of RISC-V: floats and products") {
  for (const uint32_t opcode : {0x07u, 0x27u, 0x43u, 0x47u, 0x4Bu, 0x4Fu, 0x53u})
    CHECK(riscv_of({opcode}) == "float");
  for (const uint32_t opcode :
       {0x03u, 0x0Fu, 0x13u, 0x17u, 0x23u, 0x2Fu, 0x37u, 0x57u, 0x63u, 0x6Fu})
    CHECK(riscv_of({opcode}).empty());
  CHECK(riscv_of({0x02B50533}) == "multiplies");             // mul
  CHECK(riscv_of({0x02B5053B}, "riscv64") == "multiplies");  // mulw
  CHECK(riscv_of({0x00B50533}).empty());                     // add
  CHECK(riscv_of({0x40B50533}).empty());                     // sub
  CHECK(riscv_of({0x06B50533}).empty());
  // Short ones, of 32 bits and of 64.
  const std::tuple<uint32_t, const char*, const char*> rows[] = {
      {0x2008, "float", "float"},                    // c.fld
      {0xA008, "float", "float"},                    // c.fsd
      {0x2502, "float", "float"},                    // c.fldsp
      {0xA02A, "float", "float"},                    // c.fsdsp
      {0x6008, "float", ""},                         // c.flw, c.ld
      {0xE008, "float", ""},                         // c.fsw, c.sd
      {0x4008, "", ""},                              // c.lw
      {0xC008, "", ""},                              // c.sw
      {0x0000, "", ""},           {0x2001, "", ""},  // c.jal
      {0xA001, "", ""},                              // c.j
  };
  for (const auto& [half, on_32, on_64] : rows) {
    INFO(std::hex << half);
    CHECK(riscv_of({half}) == on_32);
    CHECK(riscv_of({half}, "riscv64") == on_64);
  }
}

TEST_CASE("writes of mstatus: what is known of the register decides") {
  constexpr uint32_t kSet = 0x3002A073, kSetS0 = 0x30042073;      // csrs mstatus, t0 or s0
  constexpr uint32_t kUpper = 0x000062B7, kUpperS0 = 0x00006437;  // lui t0 or s0, 6
  struct Row {
    CodeWords code;
    const char* words;
  };
  const Row rows[] = {
      {{kSet}, "maybe"},
      {{0x30029073}, "maybe"},  // csrw
      {{0x3002B073}, ""},       // csrc
      {{0x3012A073}, ""},       // csrs of another register
      {{0x30002073}, ""},       // csrr
      {{kUpper, kSet}, "enables"},
      {{kUpper, 0x30029073}, "enables"},
      {{kUpper, 0x3012A073}, ""},
      {{0x000022B7, kSet}, "enables"},              // lui t0, 2
      {{0x000082B7, kSet}, ""},                     // lui t0, 8
      {{0x00006037, 0x30002073}, ""},               // x0 is 0, whatever is written to it
      {{0x00300293, 0x00D29293, kSet}, "enables"},  // li t0, 3; slli t0, t0, 13
      {{0x00300293, 0x00B29293, kSet}, ""},         // by 11
      {{0x80000293, kSet}, "enables"},              // li t0, -2048
      {{0x000012B7, 0x8002E293, kSet}, "enables"},  // lui t0, 1; ori t0, t0, -2048
      {{0x000012B7, 0x7FF2E293, kSet}, ""},         // ori t0, t0, 2047
      {{kUpper, 0x0002C293, kSet}, "maybe"},        // xori
      {{kUpper, 0x0002F293, kSet}, "maybe"},        // andi
      {{kUpper, 0x00028293, kSet}, "enables"},      // addi t0, t0, 0
      {{0x00028293, kSet}, "maybe"},                // of what is not known
      {{0x00129293, kSet}, "maybe"},                // slli of it
      {{0x00006099, 0x3000A073}, "enables"},        // c.lui ra, 6; csrs mstatus, ra
      {{kUpperS0, 0x05A2, kSetS0}, "enables"},      // c.slli a1, 8
      {{0x6137, 0x6119, 0x30012073}, "maybe"},      // lui sp, 6; c.addi16sp; csrs mstatus, sp
      {{0x0002E293, kSet}, "maybe"},                // ori of what is not known
      {{kUpper, 0x00000297, kSet}, "maybe"},        // auipc
      {{kUpper, 0x0002A283, kSet}, "maybe"},        // lw t0, (t0)
      {{kUpper, 0x005282B3, kSet}, "maybe"},        // add t0, t0, t0
      {{kUpper, 0x0102A2A3, kSet}, "enables"},      // sw, whose number stands where t0 would
      {{kUpper, 0x010282E3, kSet}, "enables"},      // a branch
      {{0x52FD, kSet}, "enables"},                  // c.li t0, -1
      {{0x4285, kSet}, ""},                         // c.li t0, 1
      {{0x6299, kSet}, "enables"},                  // c.lui t0, 6
      {{0x6285, kSet}, ""},                         // c.lui t0, 1
      {{0x6285, 0x0286, kSet}, "enables"},          // c.slli t0, 1
      {{0x6285, 0x0292, kSet}, ""},                 // c.slli t0, 4
      {{0x0286, kSet}, "maybe"},                    // of what is not known
      {{0x4281, 0x12FD, kSet}, "enables"},          // c.li t0, 0; c.addi t0, -1
      {{0x4281, 0x0285, kSet}, ""},                 // c.addi t0, 1
      {{0x0285, kSet}, "maybe"},                    // of what is not known
      {{kUpper, 0x82AA, kSet}, "maybe"},            // c.mv t0, a0
      {{kUpperS0, kSetS0}, "enables"},
      {{kUpperS0, 0x4000, kSetS0}, "maybe"},    // c.lw s0, (s0)
      {{kUpperS0, 0x0000, kSetS0}, "enables"},  // no instruction
      {{kUpperS0, 0x4004, kSetS0}, "enables"},  // c.lw s1, (s0)
      {{kUpperS0, 0x8C01, kSetS0}, "maybe"},    // c.sub s0, s0
      {{kUpperS0, 0x8C81, kSetS0}, "enables"},  // c.sub s1, s0
      {{kUpperS0, 0xA001, kSetS0}, "enables"},  // c.j
  };
  for (size_t i = 0; i < std::size(rows); ++i) {
    INFO("row " << i);
    CHECK(riscv_of(rows[i].code) == rows[i].words);
  }
  // c.addiw t0, -1 of 0x2000 leaves no bit of FS; on 32 bits it is c.jal.
  const CodeWords addiw = {0x000022B7, 0x32FD, kSet};
  CHECK(riscv_of(addiw, "riscv64").empty());
  CHECK(riscv_of(addiw) == "enables");
  CHECK(riscv_of({0x32FD, kSet}, "riscv64") == "maybe");
  CHECK(riscv_of({0x6299, kSet}, "riscv64") == "enables");              // c.lui t0, 6
  CHECK(riscv_of({0x000022B7, 0xA001, kSet}, "riscv64") == "enables");  // c.j
  // What a section knows the next one does not.
  ElfFacts two = code_of("riscv32", {0x62B7, 0x0000});
  two.sections.push_back(code_of("riscv32", {0xA073, 0x3002}).sections[0]);
  CHECK(code_words_of(code_facts_of(two)) == "maybe");
  CHECK(code_facts_of(two).bytes == 8);
  CHECK(code_facts_of(code_of("riscv32", {0x4281, 0xA073})).bytes == 4);
}

}  // namespace
}  // namespace hlocc::driver

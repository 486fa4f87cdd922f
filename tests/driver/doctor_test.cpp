// What the doctor sees in single instructions and in plain facts; firmwares that are really linked
// stand in tests/e2e/doctor_test.py.
#include "driver/doctor/doctor.h"

#include <catch2/catch.hpp>

#include "driver/doctor/call_scan.h"
#include "driver/doctor/code_scan.h"

namespace hlocc::driver {
namespace {

std::string halves(std::initializer_list<unsigned> all) {
  std::string out;
  for (unsigned half : all) {
    out += static_cast<char>(half & 0xFF);
    out += static_cast<char>(half >> 8);
  }
  return out;
}

ElfFacts code(const std::string& machine, std::string bytes) {
  ElfFacts out;
  out.machine = machine;
  out.is_linked = out.is_microcontroller = true;
  ElfSection text;
  text.name = ".text";
  text.bytes = bytes.size();
  text.allocated = text.executable = true;
  text.content = std::move(bytes);
  out.sections.push_back(std::move(text));
  return out;
}

CodeFacts scanned(const ElfFacts& file) {
  return scan_code(file, [](int, uint64_t) { return true; });
}
CodeFacts thumb(std::initializer_list<unsigned> all) { return scanned(code("arm", halves(all))); }
CodeFacts riscv(std::initializer_list<unsigned> all) {
  return scanned(code("riscv32", halves(all)));
}

TEST_CASE("Armv6-M's few long instructions are no Thumb-2") {
  CHECK_FALSE(thumb({0xF000, 0xF801}).thumb2);    // bl
  CHECK_FALSE(thumb({0xF3BF, 0x8F6F}).thumb2);    // isb
  CHECK_FALSE(thumb({0xF3EF, 0x8305}).thumb2);    // mrs r3, ipsr
  CHECK_FALSE(thumb({0x4770, 0x2001}).thumb2);    // bx lr; movs
  CHECK(thumb({0xF8D0, 0x1088}).thumb2);          // ldr.w
  CHECK(thumb({0xFB00, 0xF001}).thumb2);          // mul.w
  CHECK(thumb({0xEE30, 0x0A20}).floating_point);  // vadd.f32
  CHECK_FALSE(thumb({0xFB00, 0xF001}).floating_point);
}

TEST_CASE("data between functions is no code") {
  ElfFacts file = code("arm", halves({0x4770, 0x0000, 0xEE30, 0x0A20}));
  file.symbols = {{"$t", 0, 0, 0, true}, {"$d", 4, 0, 0, true}};
  CHECK_FALSE(scanned(file).floating_point);
  file.symbols[1].name = "$t";
  CHECK(scanned(file).floating_point);
}

TEST_CASE("writes of CPACR are seen, however the address is made") {
  CHECK(thumb({0xED88, 0xE000}).enables);                  // a literal
  CHECK(thumb({0xF64E, 0x5388}).enables);                  // movw r3, #0xED88
  CHECK(thumb({0xED00, 0xE000, 0xF8C3, 0x2088}).enables);  // the block's literal, str.w [r3, #0x88]
  CHECK(thumb({0xF8C3, 0x2D88}).enables);                  // str.w [r3, #0xD88]
  CHECK_FALSE(thumb({0xED00, 0xE000, 0xF8C3, 0x2014}).enables);  // the block, another register
  CHECK_FALSE(thumb({0x1000, 0xE000, 0xF8C3, 0x2088}).enables);  // another block
}

TEST_CASE("writes of mstatus are seen, with what is known of the value") {
  CHECK(riscv({0x6299, 0xA073, 0x3002}).enables);  // c.lui t0, 6; csrs mstatus, t0
  CHECK(riscv({0x62B7, 0x0000, 0x8293, 0x6002, 0xA073, 0x3002}).enables);  // lui 6, addi 0x600
  CHECK_FALSE(
      riscv({0x02B7, 0x0000, 0x8293, 0x6002, 0xA073, 0x3002}).enables);  // lui 0, addi 0x600
  CHECK_FALSE(riscv({0x6289, 0x8293, 0x8002, 0xA073, 0x3002}).enables);  // 0x1800: MPP alone
  CHECK(riscv({0xA073, 0x3002}).maybe_enables);                          // an unknown register
  // c.addi16sp, which looks like c.lui sp, 6; csrs mstatus, sp
  CHECK_FALSE(riscv({0x6119, 0x2073, 0x3001}).enables);
  CHECK(riscv({0x6119, 0x2073, 0x3001}).maybe_enables);
  CHECK_FALSE(riscv({0x2573, 0x3000}).maybe_enables);  // csrr a0, mstatus
  CHECK_FALSE(riscv({0x6073, 0x3004}).maybe_enables);  // csrsi mstatus, 8
  CHECK(riscv({0x0533, 0x02B5}).multiplies);           // mul a0, a0, a1
  CHECK_FALSE(riscv({0x0533, 0x00B5}).multiplies);     // add
  CHECK(riscv({0x7553, 0x00B5}).floating_point);       // fadd.s
}

TEST_CASE("what loads a float in a short instruction on 32 bits loads a word on 64") {
  for (const unsigned half : {0x6108u, 0xE10Cu}) {  // c.flw fa0, (a0); c.fsw fa1, (a0)
    CHECK(riscv({half}).floating_point);
    CHECK_FALSE(scanned(code("riscv64", halves({half}))).floating_point);
  }
  CHECK(scanned(code("riscv64", halves({0x2108}))).floating_point);  // c.fld fa0, (a0)
}

// A library with a run function, and a firmware that holds it.
Patient healthy() {
  Patient out;
  ElfFacts object = code("riscv32", halves({0x8082, 0x8082}));
  object.is_linked = false;
  object.float_abi = "ilp32";
  ElfSymbol run{"kws_run_1a2b", 0, 4, 0, true, true, true};
  object.symbols = {run};
  out.firmware = code("riscv32", halves({0x8082, 0x8082}));
  out.firmware.float_abi = "ilp32";
  out.firmware.symbols = {run};
  out.library = {object};
  return out;
}

std::string wrong(const Patient& patient) {
  std::string out;
  for (const Finding& finding : examine(patient))
    if (finding.health == Health::kWrong) {
      CHECK_FALSE(finding.cure.empty());
      out += finding.topic + ";";
    }
  return out;
}

TEST_CASE("names tell which compile a file is from") {
  CHECK(wrong(healthy()).empty());
  Patient patient = healthy();
  patient.firmware.symbols[0].name = "kws_run_9999";
  CHECK(wrong(patient) == "link;");
  patient.firmware.symbols.push_back(healthy().firmware.symbols[0]);
  CHECK(wrong(patient) == "link;");  // two copies
  patient = healthy();
  patient.header = HeaderFactsRead{"kws_run_9999", 5};
  CHECK(wrong(patient) == "header;");
  patient.header = HeaderFactsRead{"kws_run_1a2b", 5};
  CHECK(wrong(patient).empty());
  patient.manifest = ManifestFacts{};
  patient.manifest->run_symbol = "kws_run_9999";
  CHECK(wrong(patient) == "header;");
  // Another model whose name begins alike is no copy, nor is what run hands to threads.
  patient = healthy();
  for (const char* name : {"kws_runner", "kws_run_1a2b_range"})
    patient.firmware.symbols.push_back({name, 0, 4, 0, true, true, true});
  CHECK(wrong(patient).empty());
}

TEST_CASE("a library for a newer Arm architecture than the firmware's is refused") {
  // Armv6-M, Armv6S-M, Armv8-M Baseline, Armv7, Armv7E-M, Armv8-M Mainline, Armv8.1-M.
  constexpr int order[] = {11, 12, 16, 10, 13, 17, 21};
  for (size_t library = 0; library < std::size(order); ++library)
    for (size_t firmware = 0; firmware < std::size(order); ++firmware) {
      Patient patient = healthy();
      patient.firmware.machine = patient.library[0].machine = "arm";
      patient.firmware.attributes["CPU_arch"] = order[firmware];
      patient.library[0].attributes["CPU_arch"] = order[library];
      CAPTURE(order[library], order[firmware]);
      // The first two are one.
      const bool newer = library > std::max<size_t>(firmware, 1);
      CHECK(wrong(patient) == (newer ? "machine;" : ""));
    }
}

std::string health_of_arena(const Patient& patient) {
  static constexpr const char* names[] = {"fine", "unseen", "wrong"};
  std::string out;
  for (const Finding& finding : examine(patient))
    if (finding.topic == "arena") out += names[static_cast<int>(finding.health)];
  return out;
}

TEST_CASE("the arena is the model's own") {
  Patient patient = healthy();
  patient.manifest = ManifestFacts{};
  patient.manifest->run_symbol = "kws_run_1a2b";
  patient.manifest->arena_bytes = 1000;
  patient.manifest->arena_align = 16;
  const auto add_arena = [&](const char* name, uint64_t address, uint64_t bytes) {
    patient.firmware.symbols.push_back({name, address, bytes, -1, true});
  };
  add_arena("cnn_arena", 0x20001000, 5000);
  CHECK(health_of_arena(patient) == "unseen");
  patient.arena = "cnn_arena";
  CHECK(health_of_arena(patient) == "fine");
  patient.arena = "arena";
  CHECK(health_of_arena(patient) == "wrong");
  patient.arena.clear();
  add_arena("kws_arena", 0x20000000, 999);
  CHECK(health_of_arena(patient) == "wrong");
  patient.firmware.symbols.back().bytes = 1000;
  CHECK(health_of_arena(patient) == "fine");
  patient.firmware.symbols.back().bytes = 0;
  CHECK(health_of_arena(patient) == "unseen");
  patient.firmware.symbols.back().address = 0x20000008;
  CHECK(health_of_arena(patient) == "unseenwrong");
}

TEST_CASE("a model in two memories has an arena in each") {
  Patient patient = healthy();
  patient.manifest = ManifestFacts{};
  patient.manifest->run_symbol = "kws_run_1a2b";
  patient.manifest->arena_bytes = 1500;
  patient.manifest->arena_align = 16;
  patient.manifest->memories = {{"fast", 500}, {"slow", 1000}};
  CHECK(health_of_arena(patient) == "unseenunseen");
  const int own = static_cast<int>(patient.firmware.sections.size());
  for (const char* name : {".fast", ".bss"})
    patient.firmware.sections.push_back({.name = name, .writable = true});
  patient.firmware.symbols.push_back({"kws_arena_fast", 0x20000000, 500, own, true});
  patient.firmware.symbols.push_back({"kws_arena_slow", 0x60000000, 999, own + 1, true});
  CHECK(health_of_arena(patient) == "finewrong");
  patient.firmware.symbols.back().bytes = 1000;
  CHECK(health_of_arena(patient) == "finefine");
  // Both in .bss: the fast memory is not used.
  patient.firmware.symbols[patient.firmware.symbols.size() - 2].section = own + 1;
  CHECK(health_of_arena(patient) == "finefinewrong");
  patient.firmware.symbols[patient.firmware.symbols.size() - 2].section = -1;
  CHECK(health_of_arena(patient) == "finefine");
}

TEST_CASE("symbols that the linker left open are found by the library's and the manifest's lists") {
  Patient patient = healthy();
  for (const char* name : {"memcpy", "hlocc_memcpy"}) patient.library[0].symbols.push_back({name});
  patient.manifest = ManifestFacts{};
  patient.manifest->run_symbol = "kws_run_1a2b";
  patient.manifest->undefined = {"__mulsf3"};
  CHECK(wrong(patient).empty());
  for (const char* name : {"memcpy", "hlocc_memcpy", "__mulsf3"}) {
    patient.firmware.symbols.push_back({name});
    CHECK(wrong(patient) == "symbols;");
    ElfSymbol& symbol = patient.firmware.symbols.back();
    symbol.is_defined = true;  // absolute, and 0
    CHECK(wrong(patient) == "symbols;");
    symbol.address = 4;
    CHECK(wrong(patient).empty());
    symbol.section = 0;
    symbol.address = 0;
    CHECK(wrong(patient).empty());
  }
  patient.firmware.symbols.push_back({"of_another"});
  CHECK(wrong(patient).empty());
}

using Addresses = std::vector<uint64_t>;

TEST_CASE("what a call is given is read from the instructions in front of it") {
  // ldr r1, [pc, #4]; bl 0x10; nop; the word 0x20000100; padding; bx lr.
  const std::initializer_list<unsigned> literal = {0x4901, 0xF000, 0xF805, 0xBF00, 0x0100,
                                                   0x2000, 0xBF00, 0xBF00, 0x4770};
  CHECK(second_arguments(code("arm", halves(literal)), 0x11) == Addresses{0x20000100});
  CHECK(second_arguments(code("arm", halves(literal)), 0x12).empty());
  CHECK(arguments_of_calls(code("arm", halves(literal)), 0x11, 2).empty());
  CHECK(arguments_of_calls(code("arm", halves(literal)), 0x11, 4).empty());
  // The same of r2.
  CHECK(arguments_of_calls(code("arm", halves({0x4A01, 0xF000, 0xF805, 0xBF00, 0x0100, 0x2000,
                                               0xBF00, 0xBF00, 0x4770})),
                           0x11, 2) == Addresses{0x20000100});
  // movw r1, #0x100; movt r1, #0x2000; mov r0, r1; bl 0x10.
  CHECK(second_arguments(code("arm", halves({0xF240, 0x1100, 0xF2C2, 0x0100, 0x4608, 0xF000, 0xF801,
                                             0xBF00, 0x4770})),
                         0x10) == Addresses{0x20000100});
  // add r1, sp, #4 in between: nothing is known.
  CHECK(second_arguments(code("arm", halves({0xF240, 0x1100, 0xF2C2, 0x0100, 0xA901, 0xF000, 0xF801,
                                             0xBF00, 0x4770})),
                         0x10)
            .empty());
  // lui a1, 0x20000; addi a1, a1, 0x100; jal ra, 8.
  CHECK(second_arguments(code("riscv32", halves({0x05B7, 0x2000, 0x8593, 0x1005, 0x00EF, 0x0080})),
                         0x10) == Addresses{0x20000100});
  // lui sp, 0x20000; c.addi16sp sp, 96 (c.lui of any other register); c.mv a1, sp; jal ra, 8.
  const auto through = [](unsigned lui, unsigned narrow, unsigned move) {
    return code("riscv32", halves({lui, 0x2000, narrow, move, 0x00EF, 0x0080}));
  };
  CHECK(second_arguments(through(0x0137, 0x0001, 0x858A), 0x10) == Addresses{0x20000000});
  CHECK(second_arguments(through(0x0137, 0x6119, 0x858A), 0x10).empty());
  CHECK(second_arguments(through(0x0537, 0x6519, 0x85AA), 0x10) == Addresses{0x6000});
  // addi a1, gp, -4; jal ra, 12: gp is what the linker says.
  ElfFacts relaxed = code("riscv32", halves({0x8593, 0xFFC1, 0x00EF, 0x00C0}));
  CHECK(second_arguments(relaxed, 0x10).empty());
  relaxed.symbols.push_back({"__global_pointer$", 0x20000804});
  CHECK(second_arguments(relaxed, 0x10) == Addresses{0x20000800});
}

TEST_CASE("the stack is what the linker script says, and as much as run needs will do") {
  const auto with = [](const std::vector<ElfSymbol>& symbols) {
    Patient patient = healthy();
    patient.manifest = ManifestFacts{};
    patient.manifest->run_symbol = "kws_run_1a2b";
    patient.manifest->stack_bytes = 1000;
    for (const ElfSymbol& symbol : symbols) patient.firmware.symbols.push_back(symbol);
    return wrong(patient);
  };
  CHECK(with({}).empty());
  CHECK(with({{"__stack_size", 1000, 0, -1, true}}).empty());
  CHECK(with({{"__stack_size", 999, 0, -1, true}}) == "stack;");
  // A variable of that name is no size: its address says nothing.
  CHECK(with({{"__stack_size", 8, 4, 0, true}}).empty());
  const auto ends = [&](uint64_t top, uint64_t limit) {
    return with({{"__StackTop", top, 0, -1, true}, {"__StackLimit", limit, 0, -1, true}});
  };
  CHECK(ends(0x20001000, 0x20000C18).empty());
  CHECK(ends(0x20000C18, 0x20001000).empty());
  CHECK(ends(0x20001000, 0x20000C19) == "stack;");
  CHECK(ends(0x20001000, 0x20001000).empty());  // no ends at all
}

TEST_CASE("byte orders and ABIs are compared") {
  Patient patient = healthy();
  patient.firmware.float_abi = "ilp32f";
  CHECK(wrong(patient) == "float-abi;");
  patient = healthy();
  patient.firmware.big_endian = true;
  CHECK(wrong(patient) == "machine;");
  patient = healthy();
  patient.library[0].symbols.clear();
  CHECK(wrong(patient) == "link;");
}

}  // namespace
}  // namespace hlocc::driver

// What the doctor reads of Hexagon's packets, each beside its neighbours in the encoding, and how
// deep functions that are built of them take the stack. Words are LLVM's assembler's.
#include "driver/doctor/hexagon_packets.h"

#include <catch2/catch.hpp>

#include "driver/doctor/code_scan.h"
#include "driver/doctor/hexagon_stack.h"

namespace hlocc::driver {
namespace {

using Words = std::initializer_list<uint32_t>;

std::string bytes_of(Words words) {
  std::string out;
  for (uint32_t word : words)
    for (int i = 0; i < 4; ++i) out += static_cast<char>(word >> 8 * i);
  return out;
}

HexagonPacket packet(Words words) { return packet_at(bytes_of(words), 0); }

// The one instruction of a packet.
HexagonInstruction only(Words words) {
  const HexagonPacket all = packet(words);
  REQUIRE(all.instructions.size() == 1);
  return all.instructions[0];
}

TEST_CASE("packets end where their words say so") {
  // r6 = add(r4,#0); r7 = r6 (end).
  CHECK(packet({0xB0044006, 0x7066C007, 0xB0044006}).bytes == 8);
  // A duplex is the last word.
  CHECK(packet({0xB0044006, 0x00100132, 0xB0044006}).bytes == 8);
  // An extender and what it extends are one instruction.
  const HexagonInstruction extended = only({0x01235159, 0x7800C701});
  CHECK(extended.word == 0x7800C701);
  CHECK(extended.extender == 0x12345640u);
  // Four words without an end, or an end that is cut off: a word is passed over.
  CHECK(packet({0xB0044006, 0xB0044006, 0xB0044006, 0xB0044006, 0xB004C006}).bytes == 4);
  CHECK(packet({0xB0044006, 0xB0044006}).bytes == 4);
  CHECK(packet({0xB0044006, 0xB0044006}).instructions.empty());
  // Ends of hardware loops (10 in a first or second word) end no packet.
  CHECK(packet({0x7F008000, 0xB0044006, 0xB004C006}).bytes == 12);
}

TEST_CASE("instructions of the vector unit") {
  CHECK(is_vector(only({0x2800C000})));        // v0 = vmem(r0+#0)
  CHECK(is_vector(only({0x2820C101})));        // vmem(r0+#1) = v1
  CHECK(is_vector(only({0x1C41C001})));        // v1.w = vadd(v0.w,v1.w)
  CHECK(is_vector(only({0x9202C120})));        // r0 = vextract(v1,r2)
  CHECK_FALSE(is_vector(only({0x9202C000})));  // r0 = memw_locked(r2)
  CHECK_FALSE(is_vector(only({0xED02C301})));  // r1 = mpyi(r2,r3)
  CHECK_FALSE(is_vector(only({0x2402C810})));  // if (cmp.eq(r14.new,#8)) jump
  CHECK_FALSE(is_vector(only({0x1002C810})));  // a comparison and a jump
  CHECK_FALSE(is_vector(only({0x28001C40})));  // a duplex that begins alike
}

TEST_CASE("writes of SSR") {
  CHECK(writes_status(only({0x6700C006})));        // ssr = r0
  CHECK_FALSE(writes_status(only({0x6700C007})));  // ccr = r0
  CHECK_FALSE(writes_status(only({0x6E86C000})));  // r0 = ssr
  CHECK_FALSE(writes_status(only({0x7066C006})));  // r6 = r6
  CHECK_FALSE(writes_status({0x67000006, {}}));    // a duplex that looks alike
}

TEST_CASE("what instructions do to the stack pointer") {
  CHECK(stack_effect(only({0xA09DC008})).frame == 72);                      // allocframe(#64)
  CHECK(stack_effect(only({0xEBF41C70})).frame == 64);                      // memd; allocframe(#56)
  CHECK(stack_effect(only({0xA09EC008})).frame == 0);                       // of another register
  CHECK(stack_effect(only({0xBFFDE01D})).taken == 256);                     // r29 = add(r29,#-256)
  CHECK(stack_effect(only({0xB01DE01D})).taken == 0);                       // r29 = add(r29,#256)
  CHECK(stack_effect(only({0x0FFF79E5, 0xB01DC41D})).taken == 100000);      // ##-100000
  CHECK(stack_effect(only({0x763DF01D})).alignment == 120);                 // r29 = and(r29,#-128)
  for (const StackEffect& restores : {stack_effect(only({0x707EC01D})),     // r29 = r30
                                      stack_effect(only({0xBFFEFE1D})),     // r29 = add(r30,#-16)
                                      stack_effect(only({0xBFFDE01C})),     // r28 = add(r29,#-256)
                                      stack_effect(only({0x901EC01E}))}) {  // deallocframe
    CHECK(restores.frame + restores.taken + restores.alignment == 0);
    CHECK_FALSE(restores.unknown);
  }
  for (const uint32_t word : {0xF322DD1Du,     // r29 = sub(r29,r2)
                              0xF31DC21Du,     // r29 = add(r29,r2)
                              0x7064C01Du,     // r29 = r4
                              0x707DC01Du,     // r29 = r29
                              0x763EF01Du,     // r29 = and(r30,#-128)
                              0xB004C01Du}) {  // r29 = add(r4,#0)
    INFO(std::hex << word);
    CHECK(stack_effect(only({word})).unknown);
    CHECK(stack_effect(only({word})).taken + stack_effect(only({word})).alignment == 0);
  }
  // What ends in 29 and is no register: a frame of another register's, a store's.
  for (const uint32_t word : {0xA09EC01Du, 0xA180C01Du}) CHECK(!stack_effect(only({word})).unknown);
  // Duplexes: not of S2, not allocframe, and each half.
  CHECK(stack_effect({0x20003C00, {}}).frame == 0);
  CHECK(stack_effect({0xE0000000, {}}).frame == 0);
  CHECK(stack_effect({0xE0001C00, {}}).frame == 8);
  CHECK(stack_effect({0xFC000000, {}}).frame == 8);
}

TEST_CASE("where instructions go") {
  using enum HexagonFlow;
  CHECK(flow_of(only({0x5A00C800})) == kCall);
  CHECK(flow_of(only({0x5D00C180})) == kCall);  // if (p1) call
  CHECK(flow_of(only({0x5800C020})) == kJump);
  CHECK(flow_of(only({0x5C20C010})) == kJump);      // if (!p0) jump
  CHECK(flow_of(only({0x50A3C000})) == kIndirect);  // callr r3
  CHECK(flow_of(only({0x5104C000})) == kIndirect);  // if (p0) callr r4
  CHECK(flow_of(only({0x5285C000})) == kIndirect);  // jumpr r5
  CHECK(flow_of(only({0x529FC000})) == kReturn);    // jumpr r31
  CHECK(flow_of(only({0x535FC000})) == kReturn);    // if (p0) jumpr r31
  CHECK(flow_of(only({0x50BFC000})) == kIndirect);  // callr r31
  CHECK(flow_of(only({0x961EC01E})) == kReturn);    // dealloc_return
  CHECK(flow_of(only({0x3E0C1F40})) == kReturn);    // memd; dealloc_return
  CHECK(flow_of(only({0x48003FC0})) == kReturn);    // r0 = #0; jumpr r31
  CHECK(flow_of({0x3F400000, {}}) == kReturn);      // dealloc_return in the upper half
  CHECK(flow_of({0x20000000, {}}) == kNext);        // the same groups, no return
  CHECK(flow_of({0x20003F40, {}}) == kNext);        // its bits in another group
  CHECK(flow_of(only({0x00100132})) == kNext);      // two loads
  CHECK(flow_of({0x60134100, {}}) == kNext);        // loop0
  CHECK(branch_target(only({0x5A00C800}), 0x100) == 0x1100);
  CHECK(branch_target(only({0x5D00C180}), 0) == 0x100);
  CHECK(branch_target(only({0x5C20C010}), 0x10) == 0x30);
  CHECK(branch_target(only({0x59FFFFB2}), 0x59C) == 0x500);               // backwards
  CHECK(branch_target(only({0x01235159, 0x5A00C070}), 0) == 0x12345678);  // call ##
}

// Functions one after the other, of so many words each: f0, f1, ...
ElfFacts linked(std::initializer_list<Words> functions) {
  ElfFacts out;
  out.machine = "hexagon";
  out.is_linked = true;
  ElfSection text;
  text.address = 0x1000;
  text.allocated = text.executable = true;
  for (const Words& words : functions) {
    const std::string bytes = bytes_of(words);
    out.symbols.push_back({"f" + std::to_string(out.symbols.size()),
                           text.address + text.content.size(), bytes.size(), 0, true, true, true});
    text.content += bytes;
  }
  text.bytes = text.content.size();
  out.sections.push_back(text);
  return out;
}

std::optional<int64_t> depth(const ElfFacts& firmware) {
  return stack_depth(firmware, firmware.symbols[0]);
}

constexpr uint32_t kFrame64 = 0xA09DC008, kReturns = 0x961EC01E, kLeaf = 0x529FC000;
// A call of what begins so many words behind it.
constexpr uint32_t call(uint32_t words) { return 0x5A00C000 | words << 1; }

TEST_CASE("a function takes its frame and the deepest of those it calls") {
  CHECK(depth(linked({{kLeaf}})) == 0);
  CHECK(depth(linked({{kFrame64, kReturns}})) == 72);
  // f0 calls f1 (a frame of 72) and f2 (none).
  CHECK(depth(linked({{kFrame64, call(3), call(4), kReturns}, {kFrame64, kReturns}, {kLeaf}})) ==
        144);
  // A jump to another function is a call; within the own one it is none.
  CHECK(depth(linked({{0x5800C002}, {kFrame64, kReturns}})) == 72);
  CHECK(depth(linked({{0x5800C002, kLeaf}})) == 0);
  // Aligned frames of vectors.
  CHECK(depth(linked({{kFrame64, 0x763DF01D, kReturns}})) == 192);
}

TEST_CASE("a depth that is not known is not told") {
  CHECK(!depth(linked({{kFrame64, call(0), kReturns}})));     // to no function
  CHECK(!depth(linked({{kFrame64, 0x5BFFFFFE, kReturns}})));  // itself
  CHECK(!depth(linked({{kFrame64, 0x50A3C000, kReturns}})));  // callr
  CHECK(!depth(linked({{kFrame64, 0xF322DD1D, kReturns}})));  // r29 = sub(r29,r2)
  ElfFacts outside = linked({{kLeaf}});
  outside.symbols[0].address = 0x100;
  CHECK(!depth(outside));
  // Without a size a function ends where the next one begins.
  ElfFacts unsized = linked({{kLeaf}, {kFrame64, kReturns}});
  unsized.symbols[0].bytes = 0;
  CHECK(depth(unsized) == 0);
  unsized.symbols.pop_back();
  CHECK(depth(unsized) == 72);
}

TEST_CASE("which calls and jumps take a function's stack along") {
  constexpr uint32_t kJump = 0x5800C000;
  const auto backwards = [](uint32_t base, uint32_t words) {
    return base | 0x01FF0000 | ((0x2000 - words) << 1 & 0x3FFE);
  };
  // To the own beginning, into the own middle, to the function in front.
  CHECK(depth(linked({{kJump}})) == 0);
  CHECK(depth(linked({{kFrame64, backwards(kJump, 1)}})) == 72);
  CHECK(depth(linked({{kFrame64, kLeaf, backwards(kJump, 1)}})) == 72);
  ElfFacts file = linked({{kFrame64, kReturns}, {backwards(kJump, 2)}});
  CHECK(stack_depth(file, file.symbols[1]) == 72);
  // A call of the own beginning is a recursion, wherever it stands.
  CHECK(!depth(linked({{kFrame64, backwards(0x5A00C000, 1)}})));
  // What is called is a function that is there.
  file = linked({{call(1)}, {kFrame64, kReturns}});
  CHECK(depth(file) == 72);
  for (const auto change :
       {+[](ElfSymbol& s) { s.is_function = false; }, +[](ElfSymbol& s) { s.is_defined = false; },
        +[](ElfSymbol& s) { s.section = -1; }}) {
    ElfFacts other = file;
    change(other.symbols[1]);
    CHECK(!depth(other));
  }
  // A size of a byte holds no instruction, and ends the function all the same.
  file.symbols[1].bytes = 1;
  CHECK(depth(file) == 0);
  file.symbols[1].bytes = 7;
  CHECK(depth(file) == 72);
}

TEST_CASE("a thousand nested calls are followed, one more is not") {
  const auto nested = [](int functions) {
    ElfFacts out = linked({});
    for (int i = 0; i < functions; ++i) {
      const uint64_t at = 0x1000 + 8 * static_cast<uint64_t>(i);
      out.symbols.push_back({"f", at, 8, 0, true, true, true});
      out.sections[0].content += bytes_of({kFrame64, i + 1 < functions ? call(1) : kReturns});
    }
    out.sections[0].bytes = out.sections[0].content.size();
    return depth(out);
  };
  CHECK(nested(1000) == 72000);
  CHECK(!nested(1001));
}

TEST_CASE("vectors count where the code is looked at") {
  const ElfFacts file = linked({{0x2800C000, kLeaf}, {0xED02C301, 0x6700C006}});
  const auto scanned = [&](uint64_t begin, uint64_t end) {
    return scan_code(file, [=](int, uint64_t at) { return at >= begin && at < end; });
  };
  CHECK(scanned(0x1000, 0x1004).vectors);
  CHECK_FALSE(scanned(0x1004, 0x1010).vectors);
  CHECK(scanned(0x1004, 0x1010).maybe_enables);
  CHECK_FALSE(scanned(0x1000, 0x100C).maybe_enables);
  CHECK(scanned(0x1000, 0x100C).bytes == 12);
}

}  // namespace
}  // namespace hlocc::driver
